"""Someone who stands and moves their arms: what the experiments on balance share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors import Behavior
from poise.behaviors.balance import Balance, BalanceOptions
from poise.body.plan import BodyPlan
from poise.characters.gesture_clips import gesturing
from poise.characters.standing import Movement, standing_clip
from poise.io import read_clip
from poise.runtime import Event, Recording, Session
from poise.scenes.mixed import SWING, mixed_character
from poise.world import SceneSpec

__all__ = ["NAME", "Stood", "feet_welds", "follow", "stand", "swings"]

Array = NDArray[np.float64]

NAME = "stander"


class Stood(NamedTuple):
    """What a run came to, tick by tick.

    Args:
        times: At the beginning of each tick [s], shape (T,).
        centre: Centre of mass [m], shape (T, 3).
        away: From where it should be, horizontally [m], shape (T, 2).
        feet: Ankles, left and right [m], shape (T, 2, 3).
        pelvis: Place of the pelvis [m], shape (T, 3).
        events: What happened, but for saturated or eased muscles and what a body could not have done.
        recording: Everything.
        session: As it was at the end.
        balance: The behavior.
    """

    times: Array
    centre: Array
    away: Array
    feet: Array
    pelvis: Array
    events: tuple[Event, ...]
    recording: Recording
    session: Session
    balance: Balance


def feet_welds(name: str = NAME) -> dict[str, str]:
    """Welds of the shipped character's feet to the world."""
    return {f"{name}/{side}Foot": "world" for side in ("Left", "Right")}


def stand(
    seconds: float,
    options: BalanceOptions | None = None,
    *,
    movement: Movement | None = None,
    behaviors: Sequence[Behavior[Any]] = (),
    mass: float = 1.0,
) -> Stood:
    """Let the shipped character stand at 60 ticks per second.

    Args:
        seconds: How long.
        options: How it balances.
        movement: What its arms do.
        behaviors: What else acts on it.
        mass: Times its usual mass.
    """
    clip = standing_clip(read_clip(clip_path("walk")), seconds, movement=movement)
    usual = mixed_character(clip)
    character = usual if mass == 1.0 else mixed_character(clip, mass * usual.plan.total_mass)
    balance = Balance(options)
    setting = SceneSpec(floor=character.floor, welds=feet_welds())
    return follow(Session({NAME: character}, setting, behaviors={NAME: [balance, *behaviors]}), balance)


def swings(plan: BodyPlan, rows: Array, times: Array) -> None:
    """Both arms swing up and back every four seconds."""
    for begin in np.arange(1.0, times[-1] - 4.0, 4.0):
        during = slice(*np.searchsorted(times, [begin, begin + 4.0]))
        gesturing(replace(SWING, begin=float(begin)))(plan, rows[during], times[during])


def follow(session: Session, balance: Balance) -> Stood:
    """Play a session to its end and keep what balance is about."""
    rows = []
    for _ in range(session.tick_count):
        session.tick()
        carriage = balance.carriage
        away = carriage.centre[:2] - balance.state.footing.middle
        feet = carriage.positions[balance.body.legs[:, 2]]
        rows.append(np.concatenate([carriage.centre, away, feet.ravel(), carriage.positions[0]]))
    recording, table = session.recording(), np.array(rows)
    return Stood(
        session.clock.tick * np.arange(len(table), dtype=np.float64),
        table[:, :3],
        table[:, 3:5],
        table[:, 5:11].reshape(-1, 2, 3),
        table[:, 11:],
        tuple(event for event in recording.events if event.kind not in ("saturated", "eased", "implausible")),
        recording,
        session,
        balance,
    )
