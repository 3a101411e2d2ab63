"""How good motions are, on clips that nothing was tuned on and in every named scene, beside bars with reasons."""

from poise.reproductions.motion.page import write_page
from poise.reproductions.motion.rows import CHECKS

__all__ = ["CHECKS", "PICTURES"]

PICTURES = (write_page,)
