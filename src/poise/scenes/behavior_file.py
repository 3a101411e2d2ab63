"""What a scene file says about breathing, conducting, balance and switching, as makers of behaviors."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from poise.behaviors import MakeBehavior
from poise.behaviors.balance import Balance, BalanceOptions
from poise.behaviors.breathing import Breathing, BreathingOptions
from poise.behaviors.gesturing import Gesturing
from poise.behaviors.switching import Handover, Switching
from poise.characters.character import Character
from poise.gesture import Conducting, TempoMap
from poise.hybrid.partition import find_bodies
from poise.io import read_beats
from poise.scenes.scene_folder import file_in_folder
from poise.scenes.schema import CharacterEntry, ConductingEntry
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
        InputError: A joint is unknown, or beats cannot be read or do not increase.
    """
    makers: list[MakeBehavior] = []
    if entry.breathing is not None:
        makers.append(partial(Breathing, made(BreathingOptions, entry.breathing)))
    if entry.conducting is not None:
        with error_location(file, f"{place}.conducting"):
            makers.append(partial(Gesturing, _conducting(entry.conducting, file)))
    if entry.balance is not None:
        with error_location(file, f"{place}.balance"):
            makers.append(partial(Balance, made(BalanceOptions, entry.balance)))
    if entry.switching:
        orders = []
        for number, order in enumerate(entry.switching):
            with error_location(file, f"{place}.switching.{number}"):
                find_bodies(character.plan, order["joints"])
                orders.append(made(Handover, order))
        makers.append(partial(Switching, tuple(orders)))
    return makers


def _conducting(entry: ConductingEntry, file: Path) -> Conducting:
    """A piece whose beats are at the stated times, or at those of a file beside the scene file."""
    times = np.array(entry.beats) if not isinstance(entry.beats, str) else _beats(entry, file)
    return Conducting(tempo=TempoMap.from_beats(times), count=len(times), beats=entry.per_bar, left=entry.left)


def _beats(entry: ConductingEntry, file: Path) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(read_beats(file_in_folder(file, str(entry.beats)), entry.per_bar).times, dtype=np.float64)
