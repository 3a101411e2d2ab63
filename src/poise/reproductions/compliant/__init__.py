"""A body that yields: pushes from anywhere at any time, on clips that nothing was tuned on."""

from poise.reproductions.compliant import pushes

__all__ = ["CHECKS", "PICTURES"]

CHECKS = pushes.CHECKS
PICTURES = (pushes.picture,)
