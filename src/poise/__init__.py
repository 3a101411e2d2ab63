"""Poise: physics-aware character animation.

    import poise

    walker = poise.Character.from_clip(poise.read_clip("walk.bvh"))
    flower = poise.make_asset("sunflower_large", "flower", (1.6, 0.36), ground=walker.floor)
    session = poise.Session({"walker": walker}, poise.SceneSpec(props=(flower,), floor=walker.floor))
    recording = session.run()
    poise.write_clip("out.bvh", recording.clip("walker"))
    poise.save_report(session, "report.html")  # in a notebook: poise.show(session)

The names of a normal script are here; everything else is in its room (`poise.behaviors`, `poise.world`, …). A room is imported
when its first name is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.behaviors import Behavior, Contribution
    from poise.behaviors.anticipation import Anticipation
    from poise.behaviors.balance import Balance
    from poise.control.tension import Tension
    from poise.io import read_character, read_clip, write_clip
    from poise.motion.clip import Clip
    from poise.report.notebook import save_comparison, save_report, save_strip, show
    from poise.runtime import Character, CharacterOptions, Event, Frame, Recording, Session
    from poise.scenes import Scene, clip_scene, make_asset, named_scene, read_scene
    from poise.signals import Mode
    from poise.world.scene import SceneSpec
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.behaviors": ("Behavior", "Contribution"),
            "poise.behaviors.anticipation": ("Anticipation",),
            "poise.behaviors.balance": ("Balance",),
            "poise.control.tension": ("Tension",),
            "poise.io": ("read_character", "read_clip", "write_clip"),
            "poise.motion.clip": ("Clip",),
            "poise.report.notebook": ("save_comparison", "save_report", "save_strip", "show"),
            "poise.runtime": ("Character", "CharacterOptions", "Event", "Frame", "Recording", "Session"),
            "poise.scenes": ("Scene", "clip_scene", "make_asset", "named_scene", "read_scene"),
            "poise.signals": ("Mode",),
            "poise.world.scene": ("SceneSpec",),
        },
    )

__version__ = "0.1.0"

__all__ = [
    "Anticipation",
    "Balance",
    "Behavior",
    "Character",
    "CharacterOptions",
    "Clip",
    "Contribution",
    "Event",
    "Frame",
    "Mode",
    "Recording",
    "Scene",
    "SceneSpec",
    "Session",
    "Tension",
    "clip_scene",
    "make_asset",
    "named_scene",
    "read_character",
    "read_clip",
    "read_scene",
    "save_comparison",
    "save_report",
    "save_strip",
    "show",
    "write_clip",
]
