"""Layer 4: whole scenes are controlled here: all references in, one effort out."""

from poise.controllers.muscles import Muscles

__all__ = ["Muscles"]
