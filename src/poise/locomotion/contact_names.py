"""What of a person can be on the ground, by name; apart from how that is told, which a scene file need not wait for."""

from __future__ import annotations

__all__ = ["CONTACTS"]

CONTACTS: tuple[str, ...] = ("left_heel", "left_ball", "right_heel", "right_ball")
"""What can be on the ground, in the order of `ContactPhases.mask`."""
