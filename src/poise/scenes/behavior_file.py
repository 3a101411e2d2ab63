"""What a scene file says about breathing, conducting, balance, reaching and switching, as makers of behaviors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from poise.behaviors import MakeBehavior
from poise.behaviors.balance import Balance, BalanceOptions
from poise.behaviors.bounded_drive import Bounded
from poise.behaviors.breathing import Breathing, BreathingOptions
from poise.behaviors.gesturing import Gesturing, conducting_live
from poise.behaviors.switching import Handover, Switching
from poise.characters.character import Character
from poise.errors import InputError
from poise.gesture import Conducting, TempoMap
from poise.hybrid.partition import find_bodies
from poise.ik import Goal, Goals
from poise.io import read_beats
from poise.scenes.scene_folder import file_in_folder
from poise.scenes.schema import CharacterEntry, ConductingEntry, GoalEntry
from poise.scenes.stated import made
from poise.scenes.validation_errors import error_location

__all__ = ["stated_behaviors"]


def stated_behaviors(entry: CharacterEntry, character: Character, file: Path, place: str) -> list[MakeBehavior]:
    """Makers of what a character's entry asks for beside anticipation, in the order in which they act.

    Args:
        entry: What the file says.
        character: Whose it is.
        file: The scene file, beside which a file of beats is.
        place: Of the entry in it.

    Raises:
        InputError: A joint is unknown, beats cannot be read or do not increase, or two goals of a part are for the same time.
    """
    makers: list[MakeBehavior] = []
    if entry.breathing is not None:
        makers.append(partial(Breathing, made(BreathingOptions, entry.breathing)))
    if entry.conducting is not None:
        with error_location(file, f"{place}.conducting"):
            makers.append(_conducting(entry.conducting, file))
    if entry.balance is not None:
        with error_location(file, f"{place}.balance"):
            makers.append(partial(Balance, made(BalanceOptions, entry.balance)))
    if entry.reaching is not None:
        with error_location(file, f"{place}.reaching"):
            makers.append(partial(Bounded, _goals(entry.reaching)))
    if entry.switching:
        orders = []
        for number, order in enumerate(entry.switching):
            with error_location(file, f"{place}.switching.{number}"):
                find_bodies(character.plan, order["joints"])
                orders.append(made(Handover, order))
        makers.append(partial(Switching, tuple(orders)))
    return makers


def _conducting(entry: ConductingEntry, file: Path) -> MakeBehavior:
    """A piece with beats at the stated times, or at those of a file beside the scene file, or at tempos that are asked for."""
    if (entry.beats is None) == (not entry.tempo):
        raise InputError("needs either beats or tempo")
    if entry.beats is None:
        return partial(conducting_live, entry.tempo, beats=entry.per_bar, left=entry.left)
    times = np.array(entry.beats) if not isinstance(entry.beats, str) else _beats(entry, file)
    tempo = TempoMap.from_beats(times)
    return partial(Gesturing, Conducting(tempo=tempo, count=len(times), beats=entry.per_bar, left=entry.left))


def _beats(entry: ConductingEntry, file: Path) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(read_beats(file_in_folder(file, str(entry.beats)), entry.per_bar).times, dtype=np.float64)


def _goals(entries: tuple[GoalEntry, ...]) -> Callable[[float], Goals] | None:
    """Goals at a time [s]; None, which stands for the clip's own hands, feet and hips, where there are none."""
    free: dict[str, float] = {}
    for entry in sorted(entries, key=lambda each: each.during):
        begin, end = entry.during
        if not begin < end:
            raise InputError(f"a goal ends after it begins; got {begin:g} to {end:g} s")
        if begin < free.get(entry.part, 0.0):
            raise InputError(f"two goals of {entry.part} at {begin:g} s; one at a time")
        free[entry.part] = end
    return partial(_goals_at, entries) if entries else None


def _goals_at(entries: tuple[GoalEntry, ...], time: float) -> Goals:
    now: dict[str, Goal] = {
        each.part: Goal(np.array(each.at)) for each in entries if each.during[0] <= time < each.during[1]
    }
    pelvis = now.pop("pelvis", None)
    return Goals(now, pelvis)
