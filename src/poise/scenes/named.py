"""Scenes that come with Poise, by name.

Only what makes the scene that is asked for is imported: the names alone are all that most errors need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from poise.assets import clip_path
from poise.errors import unknown_name
from poise.scenes.ball_times import fewest_balls
from poise.scenes.budget import check_budget, estimate, foresee

if TYPE_CHECKING:
    from poise.characters.character import CharacterOptions
    from poise.motion.clip import Clip
    from poise.motion.skin import SkinnedMesh
    from poise.scenes.scene import Scene

__all__ = ["CLIPS", "SCENES", "SCENE_SUFFIXES", "WADE", "clip_scene", "named_scene"]

SCENE_SUFFIXES = (".yaml", ".yml")
"""How scene files end."""
WADE = "wade"
"""What wading with any clip is called; it is no scene, since it needs a clip."""
_FOREST_CYCLES = 9
_JOG_CYCLES = 6


def clip_scene(
    clip: Clip,
    options: CharacterOptions | None = None,
    *,
    mesh: SkinnedMesh | None = None,
    seed: int = 0,
    props: bool = True,
    floor: float | None = None,
    limit: float | None = None,
) -> Scene:
    """A clip in surroundings made for it: obstacles along its own path, or a ring where it stays in place.

    Args:
        clip: The motion.
        options: How it becomes a character.
        mesh: The character's own skin.
        seed: Varies the surroundings.
        props: Whether there are any.
        floor: Height of the ground [m]; found from the feet where None.
        limit: Memory [GB] that somebody alone may take at most.

    Raises:
        InputError: The clip makes no character, or one over the limit.
    """
    if limit is not None:
        check_budget(foresee([clip], fewest_balls(clip.duration) if props else 0), limit)
    # Slow to import (docs/architecture.md, decision 12); the rest is not needed for a clip that is refused.
    from poise.characters.character import Character

    character = Character.from_clip(clip, options, mesh)
    if limit is not None:
        check_budget(estimate({clip.name: character}), limit)
    from poise.scenes.layout import surroundings
    from poise.scenes.scene import Scene
    from poise.world.scene import SceneSpec

    if floor is not None:
        character = replace(character, floor=floor)
    around = surroundings(character, seed=seed) if props else ()
    return Scene(clip.name, {"character": character}, SceneSpec(props=around, floor=character.floor))


def _looped(name: str, cycles: int) -> Clip:
    from poise.io import read_clip
    from poise.motion.edit import loop

    return loop(read_clip(clip_path(name)), cycles)


def _forest_clip() -> Clip:
    return _looped("walk", _FOREST_CYCLES)


def _jog_clip() -> Clip:
    return _looped("run", _JOG_CYCLES)


def _trail_clip() -> Clip:
    from poise.scenes.trail_scene import trail_clip

    return trail_clip()


CLIPS: dict[str, Callable[[], Clip]] = {"forest": _forest_clip, "jog": _jog_clip, "trail": _trail_clip}
"""The clips of the scenes that are made for whoever moves in them, so that another character can."""


def _forest() -> Scene:
    """The shipped walk past every obstacle of Alvarado 2022, Table 3, and a ball that hits an arm."""
    return replace(clip_scene(_forest_clip()), name="forest")


def _jog() -> Scene:
    """The shipped run through the same kind of surroundings."""
    return replace(clip_scene(_jog_clip()), name="jog")


def _rough_physical() -> Scene:
    from poise.scenes.bounded import physical_legs
    from poise.scenes.rough import rough

    return physical_legs(rough())


def _by(module: str, maker: str, *arguments: str) -> Callable[[], Scene]:
    """A function of a module of this package, which is imported when a scene is made."""

    def make() -> Scene:
        scene: Scene = getattr(import_module(f"poise.scenes.{module}"), maker)(*arguments)
        return scene

    return make


SCENES: dict[str, Callable[[], Scene]] = {
    "forest": _forest,
    "jog": _jog,
    "rough": _by("rough", "rough"),
    **{
        name: _by("wading", name) for name in ("ford", "jog_into_water", "stream", "surf", "shove_in_water", "backpack")
    },
    "rough_physical": _rough_physical,
    "blocks": _by("bounded", "treads"),
    "drag": _by("bounded", "hand_dragged"),
    "balls": _by("bounded", "hands_hit"),
    "climb": _by("bounded", "climb"),
    **{name: _by("mixed", name) for name in ("conductor", "arm_swing", "clapping", "upper_body", "fat_thin", "halt")},
    "swing": _by("playground", "swing"),
    "apple": _by("upper_body_figures", "apple"),
    "apple_unseen": _by("upper_body_figures", "apple", "unseen"),
    "apple_fast": _by("upper_body_figures", "apple", "fast"),
    "shoved": _by("startled", "shoved"),
    "ball": _by("upper_body_figures", "ball"),
    "heavy": _by("upper_body_figures", "heavy"),
    "wall_slide": _by("upper_body_figures", "wall", "slide"),
    "wall_stick": _by("upper_body_figures", "wall", "stick"),
    "gate": _by("upper_body_figures", "gate"),
    "garden": _by("upper_body_figures", "garden"),
    **{name: _by("evading", name) for name in ("duck", "sidestep", "log", "lean", "stop")},
    "trail": _by("trail_scene", "trail"),
    **{
        name: _by(f"together.{name}", name)
        for name in ("king", "funambulist", "sword", "acrobats", "door", "valve", "box", "lever", "plank")
    },
}
"""Scene name to its maker."""


_STANDING = frozenset(
    (
        *("shoved", "apple", "apple_unseen", "apple_fast", "ball", "duck", "sidestep"),
        *("conductor", "arm_swing", "clapping", "fat_thin", "balls", "drag"),
    )
)
"""Scenes of people who stand and have no recording: they breathe, where a clip has a life of its own."""


def named_scene(name: str) -> Scene:
    """The scene called `name`; raises `InputError` with the names there are."""
    if name not in SCENES:
        raise unknown_name("scene", name, SCENES)
    scene = SCENES[name]()
    if name not in _STANDING:
        return scene
    from poise.scenes.alive import breathing

    return breathing(scene)
