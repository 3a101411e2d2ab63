"""Where hands meet what they are about, and what they feel of it."""

from poise.behaviors.hands.meeting.contact_targets import ContactTargets

__all__ = ["ContactTargets"]
