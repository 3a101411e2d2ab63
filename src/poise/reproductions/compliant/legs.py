"""Seeded posts and low walls in the way of legs that swing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames
from poise.body.trajectory import Trajectory
from poise.control.root import RootDrive, Yielding
from poise.errors import InputError
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person_who, walks
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, CharacterOptions, Recording, Session
from poise.world import SceneSpec
from poise.world.props import Plant, Wall
from poise.world.world import Divergence

__all__ = ["CHECKS", "wall_before_a_leg"]

Array = NDArray[np.float64]

_COUNT, _MOST = 60, 90.0
"""Posts, and walls, and the share of them that is to be met so [%]."""
_STIFF, _MASSES, _LENGTHS, _RADII = (500.0, 4000.0), (5.0, 30.0), (0.4, 0.8), (0.03, 0.06)
"""Of a post [N m/rad, kg, m, m]."""
_HIGH, _THICK, _WIDE = (0.15, 0.35), 0.1, 1.0
"""Height, half thickness and half width of a wall [m]."""
_BEGINS, _WINDOW, _LASTS = (0.9, 1.6), 0.6, 1.2
"""When a swing is looked for from [s], for how long, and how long is played after its middle [s]."""
_HARDEST, _DEEPEST = 5.0, 0.03
"""What a leg bears [body weights], and how far it may sink into what is fixed [m]."""


class Met(NamedTuple):
    """What came of it.

    Args:
        hardest: Largest force on a leg until the body falls, if it does [body weights]; infinite where the run diverged.
        deepest: How far a leg's bones were inside the wall until then [m].
        touched: Whether a leg touched it, or was in it.
    """

    hardest: float
    deepest: float
    touched: bool


@once
def met(source: Source, seed: int, kind: str, gives: bool) -> Met | None:
    """Walk into a post or a wall; None where the body begins in it."""
    drive = RootDrive(yielding=Yielding(legs=gives))
    who = person_who(source, CharacterOptions(root="compliant", root_drive=drive), 4.0)
    rng = np.random.default_rng(seed)
    time, shank, way = _swing(who, ("left", "right")[rng.integers(2)], rng.uniform(*_BEGINS))
    thing = _post(rng, shank, way, who.floor) if kind == "post" else _wall(rng, shank, way, who.floor)
    try:
        session = Session({"who": who}, SceneSpec(props=(thing,), floor=who.floor))
    except InputError:
        return None
    try:
        recording = session.run(round((time + _LASTS) / session.clock.tick))
    except Divergence:
        return Met(float("inf"), float("inf"), True)
    fell = [event.time for event in recording.events if event.kind == "falls"]
    end = round(min(fell, default=float(recording.times[-1])) / recording.tick)
    forces = _forces(who, recording, "thing")[: max(end, 1)] / (who.plan.total_mass * SceneSpec.gravity)
    deepest = _depth(who, recording.positions[: end + 1], thing) if isinstance(thing, Wall) else 0.0
    return Met(float(forces.max()), deepest, bool(forces.max() > 0.0 or deepest > 0.0))


def wall_before_a_leg(who: Character, seed: int) -> tuple[float, Wall]:
    """A seeded low wall that a leg swings into, and when [s]."""
    rng = np.random.default_rng(seed)
    time, shank, way = _swing(who, ("left", "right")[rng.integers(2)], rng.uniform(*_BEGINS))
    return time, _wall(rng, shank, way, who.floor)


def _swing(who: Character, side: str, begin: float) -> tuple[float, Array, Array]:
    """When a foot goes fastest in a while, where the middle of its shank is then, and which way it goes, level."""
    plan, rows = who.plan, Trajectory(who.plan, who.clip)
    times = np.arange(begin, min(begin + _WINDOW, who.clip.duration - 0.1), 0.02)
    places = body_frames(plan, np.array([rows.moment(float(time)).positions.copy() for time in times])).positions
    shank, foot = (plan.with_role(f"{side}_{part}")[0] for part in ("shank", "foot"))
    speeds = np.gradient(places[:, foot], times, axis=0)
    row = int(np.linalg.norm(speeds[:, :2], axis=1).argmax())
    way = np.append(speeds[row, :2], 0.0)
    return float(times[row]), 0.5 * (places[row, shank] + places[row, foot]), way / np.linalg.norm(way)


def _post(rng: np.random.Generator, shank: Array, way: Array, floor: float) -> Plant:
    x, y = (shank + 0.08 * way)[:2].tolist()
    return Plant(
        name="thing",
        position=(x, y, floor),
        length=rng.uniform(*_LENGTHS),
        mass=rng.uniform(*_MASSES),
        stiffness=rng.uniform(*_STIFF),
        damping=60.0,
        stem_radius=rng.uniform(*_RADII),
    )


def _wall(rng: np.random.Generator, shank: Array, way: Array, floor: float) -> Wall:
    x, y = (shank + (0.15 + _THICK) * way)[:2].tolist()
    half = 0.5 * rng.uniform(*_HIGH)
    size = (_THICK, _WIDE, half)
    return Wall(name="thing", position=(x, y, floor + half), size=size, yaw=float(np.arctan2(way[1], way[0])))


def _legs(who: Character) -> list[int]:
    return [body for thigh in who.plan.with_role("left_thigh", "right_thigh") for body in who.plan.subtree(thigh)]


def _forces(who: Character, recording: Recording, thing: str) -> Array:
    """Largest force between a leg and a thing in each tick [N], shape (N,)."""
    names, table = np.array(recording.geom_names), recording.contacts
    legs = np.isin(names, [f"who/{who.plan.names[body]}" for body in _legs(who)])
    theirs = np.array([name.split("/")[0] == thing for name in names])
    found = (legs[table.pairs] & theirs[table.pairs[:, ::-1]]).any(axis=1)
    forces = np.zeros(len(recording))
    np.maximum.at(forces, table.tick[found] - recording.first, table.impulse[found] / recording.tick)
    return forces


def _depth(who: Character, rows: Array, wall: Wall) -> float:
    """How far the bones of the legs are inside a wall at most [m]."""
    starts, ends, _, owners = body_capsules(who.plan, body_frames(who.plan, rows[:, : who.plan.position_count]))
    legs, deepest = np.isin(owners, _legs(who)), 0.0
    c, s = np.cos(wall.yaw), np.sin(wall.yaw)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    for share in np.linspace(0.0, 1.0, 9):
        spots = (starts + share * (ends - starts))[:, legs] - np.asarray(wall.position)
        inside = np.asarray(wall.size) - np.abs(spots @ turn.T)
        deepest = max(deepest, float(inside.min(axis=2).max()))
    return max(deepest, 0.0)


def _found(trial: Trial, kind: str) -> list[Met]:
    people = walks(quick=trial.quick)
    tried = [met(people[seed % len(people)], seed, kind, trial.on) for seed in trial.seeds(_COUNT)]
    return [each for each in tried if each is not None and each.touched]


@claim("a leg that is hit giving way", off="Yielding(legs=False)", cases=_COUNT)
def bears(trial: Trial) -> Row:
    """Share of posts that legs meet without being crushed."""
    found = _found(trial, "post")
    share = 100.0 * float(np.mean([each.hardest <= _HARDEST for each in found]))
    return Row(
        "compliant/leg-post",
        f"A leg that swings into a post ({_STIFF[0]:g} to {_STIFF[1]:g} N m/rad, {_MASSES[0]:g} to {_MASSES[1]:g} kg) bears at "
        f"most {_HARDEST:g} body weights until the body falls, if it does: share of {len(found)} met on walks and runs, at "
        f"least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@claim("a leg that is hit giving way", off="Yielding(legs=False)", cases=_COUNT)
def stops(trial: Trial) -> Row:
    """Share of low walls that legs do not go through."""
    found = _found(trial, "wall")
    share = 100.0 * float(np.mean([each.deepest <= _DEEPEST for each in found]))
    return Row(
        "compliant/leg-wall",
        f"Legs do not go through a wall that is {100.0 * _HIGH[0]:g} to {100.0 * _HIGH[1]:g} cm high: no bone gets deeper than "
        f"{100.0 * _DEEPEST:g} cm into it until the body falls, if it does; share of {len(found)} met, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (bears, stops)
