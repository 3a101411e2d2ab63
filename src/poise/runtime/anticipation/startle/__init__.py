"""What is hit unawares gives way for a moment, and comes back (Alvarado 2022, section 5.4)."""

from poise.runtime.anticipation.startle.startle import Startle

__all__ = ["Startle"]
