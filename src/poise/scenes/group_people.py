"""People of scene files of people who do something together: those who stand, and those who follow a clip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise.assets import clip_path
from poise.body.options import BodyOptions
from poise.characters.options import CharacterOptions
from poise.errors import InputError
from poise.groups import Follower, Group, Person, carry, follow
from poise.qp import Controller, Phase
from poise.scenes.budget import check_cycles
from poise.scenes.group_schema import GroupFile, PersonEntry
from poise.scenes.scene_folder import file_in_folder
from poise.scenes.validation_errors import error_location

if TYPE_CHECKING:
    from poise.motion.clip import Clip

__all__ = ["follow_throughout", "give_things", "read_people"]

Moving = Callable[[Controller, float], None]

_STANDING = ("stature", "pose")
"""What is said of those who stand alone."""
_FOLLOWING = ("cycles", "carries", "hands")
"""What is said of those who follow a clip alone."""


def read_people(entries: Mapping[str, PersonEntry], file: Path) -> dict[str, Person | Follower]:
    """Everybody by name.

    Raises:
        InputError: A clip cannot be followed, or what is said does not go together; the message names the place.
    """
    people: dict[str, Person | Follower] = {}
    for name, who in entries.items():
        place = f"people.{name}"
        with error_location(file, place):
            if who.clip is None:
                people[name] = _standing(who)
                continue
            for key in _STANDING:
                if key in who.model_fields_set:
                    raise InputError(f"who follows a clip has its {key}")
        clip = _read(who, who.clip, file, place)
        options = CharacterOptions(anchors=(), body=BodyOptions(mass=who.mass))
        made = Follower(clip=clip, body=options, strong=who.strong, strength=who.strength)
        with error_location(file, f"{place}.clip"):
            _ = made.course
        people[name] = made
    return people


def _standing(who: PersonEntry) -> Person:
    for key in _FOLLOWING:
        if key in who.model_fields_set:
            raise InputError(f"{key} is about who follows a clip")
    return Person(
        stature=who.stature,
        mass=who.mass,
        place=(*(who.at or (0.0, 0.0)), 0.0),
        heading=who.turn,
        pose={joint: float(np.radians(angle)) for joint, angle in who.pose.items()},
        strong=who.strong,
        strength=who.strength,
    )


def _read(who: PersonEntry, said: str, file: Path, place: str) -> Clip:
    """The clip as often and where it is to be followed."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import read_clip
    from poise.motion.edit import loop
    from poise.motion.edit import place as move

    with error_location(file, f"{place}.clip"):
        shipped = said.removeprefix("shipped:")
        clip = read_clip(clip_path(shipped) if shipped != said else file_in_folder(file, said))
    if who.cycles > 1:
        with error_location(file, f"{place}.cycles"):
            check_cycles(len(clip.skeleton), len(clip), who.cycles)
            clip = loop(clip, who.cycles)
    if who.at is not None or who.turn != 0.0:
        with error_location(file, place):
            clip = move(clip, who.at, who.turn)
    return clip


def give_things(entries: Mapping[str, PersonEntry], group: Group, file: Path) -> None:
    """Put into hands what is carried.

    Raises:
        InputError: It does not exist, does not float, or is out of reach; the message names the place.
    """
    for name, who in entries.items():
        with error_location(file, f"people.{name}.carries"):
            if who.carries is not None:
                carry(group, name, who.carries, *who.hands)
            elif "hands" in who.model_fields_set:
                raise InputError("hands carry something; say what")


def follow_throughout(entries: GroupFile, group: Group, phases: list[Phase]) -> None:
    """Have everybody who has a clip follow it from the beginning to the end, whatever the phase.

    Raises:
        InputError: A clip is over before the scene is.
    """
    followers = {name: who for name, who in group.people.items() if isinstance(who, Follower)}
    if not followers:
        return
    for name, who in followers.items():
        if who.course.trajectory.duration < entries.seconds:
            raise InputError(
                f"{name}'s clip lasts {who.course.trajectory.duration:.2f} s, less than the scene of {entries.seconds:g} s"
            )
    following = follow(group)
    for label, task in following.tasks.items():
        assert not callable(task)
        group.controller.want(label, task)
    for phase in phases:
        phase.each = _besides(following, phase.each)


def _besides(following: Phase, own: Moving | None) -> Moving:
    """What a phase does before every step, and that clips go on."""
    going = following.each
    assert going is not None

    def each(controller: Controller, time: float) -> None:
        going(controller, controller.time)
        if own is not None:
            own(controller, time)

    return each
