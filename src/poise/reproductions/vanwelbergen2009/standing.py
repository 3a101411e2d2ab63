"""People who stand and move their arms: what the experiments on balance share."""

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
from poise.controllers.coupler import Coupler
from poise.hybrid.coupling import CouplingOptions
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.reproductions.check import Trial
from poise.reproductions.motion.clips import Source, sources, spread
from poise.runtime import Event, Recording, Session
from poise.scenes.mixed import SWING, mixed_character
from poise.world import SceneSpec

__all__ = [
    "HELD_OUT_PEOPLE",
    "NAME",
    "Stood",
    "feet_welds",
    "follow",
    "people",
    "staged",
    "stand",
    "standing_person",
    "standing_plan",
    "swings",
]

Array = NDArray[np.float64]

NAME = "stander"
HELD_OUT_PEOPLE = 16
"""How many of other people's characters stand, of twelve producers; each with draws of its own."""
_SHIPPED = "walk"


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


def people(trial: Trial) -> tuple[Source, ...]:
    """Whose skeletons stand: of clips that nothing was tuned on, or of the shipped ones for a sample."""
    return spread(sources(quick=trial.quick), HELD_OUT_PEOPLE)


def feet_welds(plan: BodyPlan, name: str = NAME) -> dict[str, str]:
    """Welds of a character's feet to the world."""
    return {f"{name}/{plan.names[plan.with_role(f'{side}_foot')[0]]}": "world" for side in ("left", "right")}


def standing_person(source: Source | None, seconds: float, rate: float, movement: Movement | None) -> Clip:
    """A clip of somebody who stands, None for the shipped character."""
    clip = read_clip(clip_path(_SHIPPED)) if source is None else source.read()[0]
    return standing_clip(clip, seconds, rate, movement)


def stand(
    seconds: float,
    options: BalanceOptions | None = None,
    *,
    movement: Movement | None = None,
    behaviors: Sequence[Behavior[Any]] = (),
    mass: float = 1.0,
    source: Source | None = None,
    rate: float = 60.0,
    coupling: CouplingOptions | None = None,
) -> Stood:
    """Let somebody stand.

    Args:
        seconds: How long.
        options: How it balances.
        movement: What its arms do.
        behaviors: What else acts on it.
        mass: Times its usual mass.
        source: Whose skeleton; None for the shipped character's.
        rate: Ticks per second.
        coupling: How it feels its arms; in full without.
    """
    clip = standing_person(source, seconds, rate, movement)
    session, balance = staged(clip, options, behaviors=behaviors, mass=mass)
    if coupling is not None:
        session.world.before_substep.append(Coupler(session.world, NAME, coupling))
    return follow(session, balance)


def staged(
    clip: Clip, options: BalanceOptions | None = None, *, behaviors: Sequence[Behavior[Any]] = (), mass: float = 1.0
) -> tuple[Session, Balance]:
    """Somebody who will stand, and how they balance."""
    usual = mixed_character(clip)
    character = usual if mass == 1.0 else mixed_character(clip, mass * usual.plan.total_mass)
    balance = Balance(options)
    setting = SceneSpec(floor=character.floor, welds=feet_welds(character.plan))
    return Session({NAME: character}, setting, behaviors={NAME: [balance, *behaviors]}), balance


def standing_plan(source: Source) -> BodyPlan:
    """Their body."""
    return mixed_character(standing_person(source, 0.1, 60.0, None)).plan


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
