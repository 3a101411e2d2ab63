"""How a body breathes and sways."""

from __future__ import annotations

from dataclasses import dataclass

from poise.errors import InputError

__all__ = ["BreathingOptions"]


@dataclass(frozen=True, kw_only=True)
class BreathingOptions:
    """How a body breathes and sways; lengths are those of a person of 1.75 m.

    Raises:
        InputError: A number is out of range.
    """

    rate: float = 0.25
    """Breaths a second [Hz]: 15 a minute, an adult at rest. Each is a tenth longer or shorter."""
    depth: float = 0.005
    """By how much shoulders and upper chest move in a breath [m]: 3 to 6 mm at rest."""
    sway: float = 0.005
    """How far the pelvis, and so the centre of mass, is from its mean while standing, root mean square over both directions
    [m]: about 5 mm with a band of 0.2 to 0.5 Hz in quiet stance (Winter 1995)."""
    shift: float = 0.02
    """How far it goes to one side when the weight is shifted from leg to leg [m] (Duarte and Zatsiorsky 1999)."""
    every: float = 12.0
    """How long it takes from one such shift to the next, in the mean [s]."""
    seed: int = 0
    """Varies all of it."""

    def __post_init__(self) -> None:
        ranges = {
            "rate": (0.05, 1.0),
            "depth": (0.0, 0.03),
            "sway": (0.0, 0.03),
            "shift": (0.0, 0.08),
            "every": (3.0, 600.0),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(f"{name} must lie between {low:g} and {high:g}; got {value:g}", place="breathing")
        if self.seed < 0:
            raise InputError(f"seed must be 0 or more; got {self.seed}", place="breathing")
