"""How a root follows its clip, and a change of that at a time."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Literal

from poise import parameters

__all__ = ["ROOTS", "Root", "RootChange"]

Root = Literal["kinematic", "compliant", "physical"]
ROOTS: tuple[Root, ...] = ("kinematic", "compliant", "physical")
"""How a character's pelvis, trunk and legs may follow its clip."""


@dataclass(frozen=True, kw_only=True)
class RootChange:
    """What a root that yields becomes, and when."""

    time: float = parameters.number(low=0.0, high=1e6, unit="s", says="when, from the next tick on")
    root: Root = parameters.choice(MISSING, *ROOTS, says="how it follows its clip from then on")

    def __post_init__(self) -> None:
        parameters.check(self, "root_changes")
