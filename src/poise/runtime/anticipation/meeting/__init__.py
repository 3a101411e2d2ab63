"""Where hands meet what they are about, and what they feel of it."""

from poise.runtime.anticipation.meeting.aims import Aims

__all__ = ["Aims"]
