"""Layer 5: puts the rooms in order and plays them."""

from poise.characters.character import Character, CharacterOptions
from poise.runtime.clock import Clock
from poise.runtime.frame import Frame
from poise.runtime.record import ContactTable, Recorder, Recording, RecordingOptions
from poise.runtime.session import Session
from poise.runtime.timings import Timings
from poise.signals import Event

__all__ = [
    "Character",
    "CharacterOptions",
    "Clock",
    "ContactTable",
    "Event",
    "Frame",
    "Recorder",
    "Recording",
    "RecordingOptions",
    "Session",
    "Timings",
]
