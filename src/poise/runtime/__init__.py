"""Layer 5: puts the rooms in order and plays them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.characters.character import Character, CharacterOptions
    from poise.runtime.clock import Clock
    from poise.runtime.frame import Frame
    from poise.runtime.record import ContactTable, Recorder, Recording, RecordingOptions
    from poise.runtime.session import Session
    from poise.runtime.timings import Timings
    from poise.signals import Event
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.characters.character": (
                "Character",
                "CharacterOptions",
            ),
            "poise.runtime.clock": ("Clock",),
            "poise.runtime.frame": ("Frame",),
            "poise.runtime.record": (
                "ContactTable",
                "Recorder",
                "Recording",
                "RecordingOptions",
            ),
            "poise.runtime.session": ("Session",),
            "poise.runtime.timings": ("Timings",),
            "poise.signals": ("Event",),
        },
    )

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
