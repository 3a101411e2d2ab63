"""Where hands meet what they are about, and what they feel of it."""

from poise.runtime.anticipation.meeting.contact_targets import ContactTargets

__all__ = ["ContactTargets"]
