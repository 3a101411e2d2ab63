"""A body that yields: pushes and heavy balls from anywhere at any time, on clips that nothing was tuned on."""

from poise.reproductions.compliant import falls, hanging, own_feet, pushes, throws, unawares

__all__ = ["CHECKS", "PICTURES"]

CHECKS = (*pushes.CHECKS, *throws.CHECKS, *hanging.CHECKS, *falls.CHECKS, *own_feet.CHECKS, *unawares.CHECKS)
PICTURES = (pushes.picture,)
