"""How a clip becomes a character: what a user may say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poise import parameters
from poise.body.options import BodyOptions
from poise.control.root import ROOTS, Root, RootChange, RootDrive
from poise.control.tension import Tension
from poise.hybrid.coupling import CouplingOptions
from poise.locomotion.stepping import StepOptions

__all__ = ["ARMS", "DEFAULT_CUTOFF", "ROOTS", "CharacterOptions"]

DEFAULT_CUTOFF = 12.0
"""Cut-off [Hz]; human movement has nearly all of its power below 6 Hz (Winter)."""
ARMS = ("left_upper_arm", "right_upper_arm")
"""Default anchors: the arms are physical, everything above them follows the clip."""


@dataclass(frozen=True, kw_only=True)
class CharacterOptions:
    """How a clip becomes a character."""

    anchors: tuple[str, ...] = parameters.words(
        ARMS, says="joints or roles; these and all below them are physical", source="Alvarado 2022, Fig. 4"
    )
    tension: Tension = parameters.group(Tension, says="how tense its muscles are")
    body: BodyOptions = parameters.group(BodyOptions, says="how it is weighed")
    coupling: CouplingOptions = parameters.group(
        CouplingOptions, says="what the physical part feels of limbs that follow the clip"
    )
    cutoff: float | None = parameters.number(
        DEFAULT_CUTOFF,
        0.01,
        1000.0,
        "Hz",
        none="left as it is",
        says="low-pass cut-off; `off` (None in Python) for none",
    )
    mending: bool = parameters.switch(
        True, says="whether what tracking lost is mended for the physics, and a rest pose in front set aside"
    )
    level: bool = parameters.switch(
        False, says="whether a steady drift of the level that feet stand at is taken out, of the output too"
    )
    self_contact: bool = parameters.switch(True, says="whether its own bodies touch one another")
    terrain: bool = parameters.switch(True, says="whether feet and pelvis follow the scene's terrain")
    root: Root = parameters.choice(
        "kinematic",
        *ROOTS,
        says="how pelvis, trunk and legs follow the clip: whatever the forces, with finite force from feet that step, or not, "
        "standing by their own strength",
        source="scene files and `poise run` take compliant where nothing is said and a body can",
    )
    root_changes: tuple[RootChange, ...] = parameters.group(
        RootChange, tuple, "listed", says="what a compliant or physical root becomes while the session runs"
    )
    root_drive: RootDrive = parameters.group(RootDrive, says="how a compliant root is held")
    stepping: StepOptions = parameters.group(StepOptions, says="how a compliant root steps")
    roles: Mapping[str, str | None] | None = None
    """Joint names whose role is given rather than guessed."""
    contacts: Mapping[str, Sequence[tuple[float, float]]] | None = None
    """When heels and balls of the feet stand [s], by `poise.locomotion.CONTACTS`; None tells it from the clip."""
    blend: Mapping[str, float] | None = None
    """How physical what comes out is, by joint or role, for it and everything below it until another is named: 0 as animated,
    1 physical, between mixed. Physics itself is not blended. What is not named is physical."""

    def __post_init__(self) -> None:
        parameters.check(self, "character")
