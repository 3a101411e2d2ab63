"""What a character expects, minds and does about obstacles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from poise.anticipation import KINDS, REGIONS, Bounds, Region, Rules, Sight
from poise.anticipation.evasion import Evasion
from poise.errors import InputError

__all__ = ["AnticipationOptions", "Expectation"]


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What a character takes an obstacle for; what is not said is taken as it is (section 5.2: `m_i`, `v_i`).

    Args:
        mass: Expected mass [kg]; None for the real one.
        speed: Factor on the velocity it seems to have.
        seen: Whether it can be seen at all.
    """

    mass: float | None = None
    speed: float = 1.0
    seen: bool = True

    def __post_init__(self) -> None:
        if self.mass is not None and not self.mass >= 0.0:
            raise InputError(f"an expected mass must not be negative; got {self.mass}")
        if not 0.0 <= self.speed <= 100.0:
            raise InputError(f"the factor on an expected speed must lie between 0 and 100; got {self.speed}")


@dataclass(frozen=True, kw_only=True)
class AnticipationOptions:
    """How a character anticipates (Alvarado 2022, section 5).

    Args:
        regions: What it keeps free.
        sight: What it sees.
        rules: Which function decides what.
        bounds: Reaction time and tension where neither region nor kind of obstacle says.
        kinds: Bounds per kind of obstacle ("plant", "ball", …) or name of one obstacle, which goes first.
        heaviest: The paper's m_max [kg].
        adapt: Whether tension follows the expected mass; else it stays the character's own (Figs. 11 and 15).
        feels: Whether tension follows what is felt, too; the paper keeps what was expected.
        contact: Whether the hand slides along a surface or stays where it is put and hops (Fig. 10).
        hold: How far from a region's centre obstacles are held, as a share of its radius.
        hop: How far a hand is off the surface while it hops; the paper's alpha [m].
        expectations: What single obstacles are taken for, by name.
        noise: Spread of the expected mass, as a share of it.
        seed: Of the noise.
        startle: Whether parts that follow the clip give way when hit unawares (section 5.4).
        evasion: What trunk, neck, head and pace do.
    """

    regions: tuple[Region, ...] = REGIONS
    sight: Sight = field(default_factory=Sight)
    rules: Rules = field(default_factory=Rules)
    bounds: Bounds = field(default_factory=Bounds)
    kinds: Mapping[str, Bounds] = field(default_factory=lambda: dict(KINDS))
    heaviest: float = 15.0
    adapt: bool = True
    feels: bool = True
    contact: Literal["slide", "stick"] = "slide"
    hold: float = 0.75
    hop: float = 0.4
    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    noise: float = 0.0
    seed: int = 0
    startle: bool = True
    evasion: Evasion = field(default_factory=Evasion)

    def __post_init__(self) -> None:
        if not self.regions:
            raise InputError("anticipation needs at least one safety region")
        if self.contact not in ("slide", "stick"):
            raise InputError(f"contact must be 'slide' or 'stick'; got {self.contact!r}")
        ranges = {"heaviest": (1e-3, 1e6), "hold": (0.05, 1.0), "hop": (0.0, 2.0), "noise": (0.0, 5.0)}
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                raise InputError(f"{name} must lie between {low:g} and {high:g}; got {getattr(self, name)}")

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
