"""How a body steps when it has to."""

from __future__ import annotations

from dataclasses import dataclass

from poise.errors import InputError

__all__ = ["StepOptions"]


@dataclass(frozen=True, kw_only=True)
class StepOptions:
    """Steps that the clip does not have, and how its own are changed."""

    steps: bool = True
    """Whether feet leave the clip's footholds at all."""
    duration: float = 0.35
    """Of a step beside the clip's own [s]; people who are pushed take 0.25 to 0.45 s."""
    height: float = 0.06
    """How high its foot is lifted [m]."""
    margin: float = 0.09
    """How far the capture point may be from the middle of the support before a step is made [m]: about half a foot."""
    home: float = 0.12
    """How much nearer to the clip's own foothold each step comes [m]."""
    apart: float = 0.12
    """How far beside one another feet stay at least, or as far as the clip has them where it is less [m]."""

    def __post_init__(self) -> None:
        ranges = {
            "duration": (0.1, 2.0),
            "height": (0.0, 0.5),
            "margin": (0.01, 1.0),
            "home": (0.0, 1.0),
            "apart": (0.0, 0.5),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(f"{name} must lie between {low:g} and {high:g}; got {value}", place="stepping")
