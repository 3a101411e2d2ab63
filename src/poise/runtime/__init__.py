"""Layer 4: puts the rooms in order and plays them."""

from poise.runtime.character import Character, CharacterOptions
from poise.runtime.clock import Clock
from poise.runtime.frame import Event, Frame, Timings
from poise.runtime.record import ContactTable, Recorder, Recording
from poise.runtime.session import Session
from poise.runtime.stage import Stage

__all__ = [
    "Character",
    "CharacterOptions",
    "Clock",
    "ContactTable",
    "Event",
    "Frame",
    "Recorder",
    "Recording",
    "Session",
    "Stage",
    "Timings",
]
