"""How firm contacts are, by name.

MuJoCo's own contacts are soft: a platform that comes up at 6 m/s goes 6 cm into a foot. Firm ones, stepped in 1 ms, let in
under 1 cm. A margin lets a contact begin before the touch; a foot at rest then hovers by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise import parameters

__all__ = ["CONTACTS", "FLESH", "ContactSettings"]


@dataclass(frozen=True, kw_only=True)
class ContactSettings:
    """How contacts push back; the defaults are MuJoCo's own.

    Raises:
        InputError: A number is out of range.
    """

    time_constant: float = parameters.number(
        0.02, 1e-4, 1.0, "s", says="in which a penetration is undone; not below two substeps"
    )
    damping_ratio: float = parameters.number(1.0, 0.01, 10.0, says="of a contact: below 1 it bounces")
    impedance: tuple[float, float, float, float, float] = (0.9, 0.95, 0.001, 0.5, 2.0)
    """MuJoCo's `solimp`: how much of the force needed a contact gives, and over which depth."""
    foot_margin: float = parameters.number(
        0.0, 0.0, 0.01, "m", says="how far from a sole a contact begins: a foot at rest hovers by this much"
    )
    toes: bool = parameters.switch(
        True, says="whether feet touch with their toes; false for legs that walk by their muscles"
    )
    """Toes are stiff, where real ones bend and stay level with the ball of the foot: a
    foot that walks on them digs them in at every step, so legs that walk by their muscles do without."""

    def __post_init__(self) -> None:
        parameters.check(self, "contact")


CONTACTS: Mapping[str, ContactSettings] = {
    "soft": ContactSettings(),
    "stiff": ContactSettings(time_constant=0.002, impedance=(0.99, 0.9999, 0.0001, 0.5, 2.0)),
}
"""Settings by name: MuJoCo's own, and those for ground that moves fast, with substeps of 1 ms."""


FLESH = ContactSettings(time_constant=0.06, impedance=(0.2, 0.95, 0.02, 0.5, 2.0))
"""Trunk, head and arms of a body that yields: skin and muscle give by 1 to 2 cm under a blow (as harder contacts an arm that
touches its own hip is thrown off at ten times the jerk of a reach)."""
