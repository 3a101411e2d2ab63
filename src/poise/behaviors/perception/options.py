"""What a character expects, minds and does about obstacles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from poise import parameters
from poise.anticipation import KINDS, REGIONS, Bounds, Region, Rules, Sight
from poise.anticipation.coming import Coming
from poise.anticipation.evasion import Evasion
from poise.anticipation.handling import Handling
from poise.anticipation.holding import Holding
from poise.anticipation.leading import Leading
from poise.anticipation.startling import Startling
from poise.errors import InputError

__all__ = ["AnticipationOptions", "Expectation"]


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What a character takes an obstacle for; what is not said is taken as it is (section 5.2: `m_i`, `v_i`)."""

    mass: float | None = parameters.number(None, 0.0, 1e5, "kg", none="the real one", says="expected mass")
    speed: float = parameters.number(1.0, 0.0, 100.0, says="factor on the velocity it seems to have")
    seen: bool = parameters.switch(True, says="whether it can be seen at all")

    def __post_init__(self) -> None:
        parameters.check(self, "expectation")


@dataclass(frozen=True, kw_only=True)
class AnticipationOptions:
    """How a character anticipates (Alvarado 2022, section 5).

    `rules` are the functions that decide; they are Python's alone.
    """

    contact: Literal["slide", "stick"] = parameters.choice(
        "slide",
        "slide",
        "stick",
        says="whether the hand slides along a surface, or stays where it is put and hops from hold to hold",
        source="Fig. 10",
        live=True,
    )
    hold: float = parameters.number(
        0.75, 0.05, 1.0, says="how far from a region's centre obstacles are held, as a share of its radius", live=True
    )
    hop: float = parameters.number(
        0.4, 0.0, 2.0, "m", says="how far a hand is off the surface between two holds", source="its alpha", live=True
    )
    adapt: bool = parameters.switch(
        True,
        says="whether tension follows the mass that is expected; else it stays the character's own",
        source="Figs. 11 and 15",
        live=True,
    )
    feels: bool = parameters.switch(
        True,
        says="whether it follows the mass that is felt, too",
        source="the paper keeps what was expected",
        live=True,
    )
    heaviest: float = parameters.number(
        15.0, 1e-3, 1e6, "kg", says="the heaviest thing it handles", source="its m_max", live=True
    )
    startle: bool = parameters.switch(
        True, says="whether parts that follow the clip give way when hit unawares", source="section 5.4"
    )
    startling: Startling = parameters.group(Startling, says="what counts as a hit, and how parts give way to it")
    expectations: Mapping[str, Expectation] = parameters.group(
        Expectation, dict, "named", says="what single obstacles are taken for, by name"
    )
    noise: float = parameters.number(0.0, 0.0, 5.0, says="spread of all expected masses, as a share")
    seed: int = parameters.whole(0, 0, 2**31, says="varies the noise; a scene file's own where it says nothing")
    bounds: Bounds = parameters.group(
        Bounds, says="reaction time and tension where neither region nor kind of obstacle says anything"
    )
    kinds: Mapping[str, Bounds] = parameters.group(
        Bounds,
        lambda: dict(KINDS),
        "named",
        says="bounds by kind of obstacle or name of one, which goes first; what is not said stays as it is",
        source="section 5.2: slow and soft with what grows, quick and firm with fences and what flies",
    )
    regions: tuple[Region, ...] = parameters.group(
        Region, lambda: REGIONS, "listed", says="what it keeps free, instead of shoulders and head"
    )
    coming: Coming = parameters.group(Coming, says="what counts as coming")
    handling: Handling = parameters.group(Handling, says="how long and how firmly hands deal with it")
    leading: Leading = parameters.group(Leading, says="how hands are led and arms follow them")
    holding: Holding = parameters.group(Holding, says="where it holds hands, and looks for what comes there")
    sight: Sight = parameters.group(Sight, says="what it sees")
    evasion: Evasion = parameters.group(Evasion, says="what trunk, neck, head and pace do")
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        parameters.check(self, "anticipation")
        if not self.regions:
            raise InputError("anticipation needs at least one safety region")

    def bounds_for(self, region: Region, kind: str, name: str) -> Bounds:
        """Bounds of an obstacle that threatens a region.

        Its own, if it has any by name; else the region says how soon and the kind how firmly, either both where the other
        says nothing, and the character's where neither does.
        """
        if name in self.kinds:
            return self.kinds[name]
        soon, firm = region.bounds or self.kinds.get(kind), self.kinds.get(kind) or region.bounds
        if soon is None or firm is None:
            return self.bounds
        return replace(soon, softest=firm.softest, firmest=firm.firmest)
