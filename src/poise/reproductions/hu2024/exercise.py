"""Limb contraction and extension, leg lift and back kick, with elastic poles and without (Figs. 15-18), by one solver.

A person stands at ease; only one hand or foot is moved, by key frames. The hand comes from straight before the shoulder to
beside the armpit and goes back in 1.6 s; the foot is lifted before the body, passes under it and kicks back in 1.2 s. The
paper does not print its key frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions, relaxed_positions
from poise.reproductions.check import Trial, claim, invariant, open_row
from poise.reproductions.hu2024.film import Line, write_film
from poise.reproductions.hu2024.subject import PEOPLE, anatomical_angles, body_of, people, walker
from poise.reproductions.motion.clips import Source, drawn
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.world.render import Camera
from poise.world.scene import SceneSpec

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

TICK = 1.0 / 60.0
_SETTLE = 2.0
"""Time the limb is held at the first key before the exercise starts [s]."""
_HAND = np.array([[0.5, 0.0, 0.0], [0.12, 0.1, -0.1], [0.5, 0.0, 0.0]])
"""From the left shoulder [m]: before it, beside the armpit, back."""
_FOOT = np.array([[0.45, 0.0, -0.3], [-0.05, 0.0, -0.76], [-0.45, 0.0, -0.5]])
"""From the left hip [m]: lifted before the body, under it, kicked back; it starts and ends where it stands at ease."""


@dataclass(frozen=True, eq=False)
class Version:
    """One exercise one way: generalized positions (T, nq), places (T, 3) [m] of root, middle and end, the pole's (T, 3)."""

    rows: Array
    root: Array
    middle: Array
    end: Array
    pole: Array

    @property
    def jerk(self) -> float:
        """Root mean square of the middle joint's [m/s³]."""
        third = np.linalg.norm(np.diff(self.middle, 3, axis=0), axis=1) / TICK**3
        return float(np.sqrt(np.mean(third**2)))

    @property
    def elevation(self) -> Array:
        """How far the middle joint points up from the line between root and end [degrees], shape (T,)."""
        axis = self.end - self.root
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        bend = self.middle - self.root
        bend -= axis * np.sum(axis * bend, axis=1, keepdims=True)
        return np.asarray(np.degrees(np.arcsin(bend[:, 2] / np.linalg.norm(bend, axis=1))))


@dataclass(frozen=True, eq=False)
class Exercise:
    """Goals (T, 3) [m] of a limb's end, and the limb that follows them."""

    goals: Array
    version: Version


def _place(plan: BodyPlan, rows: Array, role: str) -> Array:
    """Of a joint by role [m], shape (T, 3)."""
    return np.asarray(body_frames(plan, rows).positions[:, plan.with_role(role)[0]])


def _exercise(
    plan: BodyPlan, roles: tuple[str, str, str], goals: Array, poles: ElasticPole | None, weight: float
) -> Exercise:
    solver = BodySolver(plan, SolverOptions(poles=poles, lean=False))
    rest, limb = relaxed_positions(plan), roles[2]
    at, rows, ways = solver.limbs.names.index(limb), [], []
    start = np.repeat(goals[:1], round(_SETTLE / TICK), axis=0)
    for goal in np.concatenate([start, goals]):
        rows.append(solver.solve(rest, Goals({limb: Goal(goal, weight=weight)}), TICK))
        ways.append(np.zeros(3) if poles is None else solver.poles_at(rows[-1])[at])
    return Exercise(goals, _version(plan, np.array(rows[len(start) :]), roles, np.array(ways[len(start) :])))


def _version(plan: BodyPlan, rows: Array, roles: tuple[str, str, str], pole: Array) -> Version:
    root, middle, end = (_place(plan, rows, role) for role in roles)
    return Version(rows, root, middle, end, pole)


def _curve(keys: Array, seconds: float) -> Array:
    times = np.linspace(0.0, seconds, len(keys))
    fine = np.arange(0.0, seconds + 1e-9, TICK)
    return np.asarray(CubicSpline(times, keys, bc_type="clamped")(fine))


def _drawn(source: Source | None, keys: Array, seconds: float) -> tuple[Array, float]:
    """Keys (n, 3) [m] and length [s] of somebody's exercise: up to a fifth nearer and a quarter quicker or slower."""
    if source is None:
        return keys, seconds
    rng = drawn(source)
    return keys * rng.uniform(0.8, 1.0, (1, 3)), seconds * float(rng.uniform(0.8, 1.25))


def _length(plan: BodyPlan, roles: tuple[str, ...]) -> float:
    """Of a limb from joint to joint [m]."""
    rest = relaxed_positions(plan)
    return sum(float(np.linalg.norm(_place(plan, rest, a) - _place(plan, rest, b))) for a, b in pairwise(roles))


@once
def arm(poles: bool = True, weight: float = 1.0, source: Source | None = None) -> Exercise:
    """Contraction and extension of somebody's left arm, with elastic poles or without, to goals of a weight.

    Keys are as much nearer or farther as their arm is shorter or longer than that of the shipped walk's person.
    """
    plan, roles = body_of(source), ("left_upper_arm", "left_forearm", "left_hand")
    shoulder = _place(plan, relaxed_positions(plan), "left_upper_arm")
    keys, seconds = _drawn(source, _length(plan, roles) / _length(body_of(None), roles) * _HAND, 1.6)
    return _exercise(plan, roles, shoulder + _curve(keys, seconds), ElasticPole() if poles else None, weight)


@once
def leg(poles: bool = True, weight: float = 1.0, source: Source | None = None) -> Exercise:
    """Lift and back kick of the left leg, likewise."""
    plan, roles = body_of(source), ("left_thigh", "left_shank", "left_foot")
    hip, foot = (_place(plan, relaxed_positions(plan), role) for role in ("left_thigh", "left_foot"))
    keys, seconds = _drawn(source, _length(plan, roles) / _length(body_of(None), roles) * _FOOT, 1.2)
    way = np.concatenate([foot, hip + keys, foot])
    return _exercise(plan, roles, _curve(way, seconds), ElasticPole() if poles else None, weight)


@claim("elastic poles", off="SolverOptions(poles=None)", cases=PEOPLE)
def pole_path(trial: Trial) -> Row:
    """Shortest of the ways that both poles go, of everybody."""
    done = [of(trial.on, source=each) for each in people(trial) for of in (arm, leg)]
    ways = [float(np.linalg.norm(np.diff(e.version.pole, axis=0), axis=1).sum()) for e in done]
    return Row(
        "hu2024/exercise-pole-shifts",
        "With elastic poles the pole shifts throughout (Figs. 15, 16): arm and leg exercise of everybody, the shortest way",
        None,
        100.0 * min(ways),
        "cm",
        min(ways) > 0.01,
    )


@invariant("limbs in closed form", broken="goals have half their weight")
def goal_miss(trial: Trial) -> Row:
    """How far hand and foot stay from their key frames."""
    done = [of(True, 1.0 if trial.on else 0.5) for of in (arm, leg)]
    miss = 1e3 * max(float(np.linalg.norm(e.version.end - e.goals, axis=1).max()) for e in done)
    return Row(
        "hu2024/exercise-reaches",
        "Hand and foot follow the key frames of the position control (IV.B): within 1 mm",
        None,
        miss,
        "mm",
        miss < 1.0,
    )


def _up_when_extending(version: Version) -> float:
    """How much higher [degrees] the elbow points when the hand passes a place on its way out than on its way in, mean."""
    up = version.elevation
    half = len(up) // 2
    return float(np.mean(up[::-1][:half] - up[:half]))


@claim("elastic poles", off="SolverOptions(poles=None)", cases=PEOPLE)
def elbow_tilts(trial: Trial) -> Row:
    """The elbow's tilt on the way out against the way in, of whom it is least."""
    ups = [_up_when_extending(arm(trial.on, source=each).version) for each in people(trial)]
    up = min(ups)
    return Row(
        "hu2024/exercise-elbow-tilt",
        "The elbow points slightly down when contracting and slightly up when extending, by the offset of the pole (Fig. 15), "
        "and without elastic poles goes out exactly as it came in (Fig. 17): mean difference at the same places of the hand",
        None,
        up,
        "°",
        up > 0.1 and max(ups) < 20.0,
    )


@open_row(
    "elastic poles",
    aim="less than 1: in one and the same solver a pole that lags makes the knee's way less smooth, not more",
    cases=PEOPLE,
)
def knee_jerk(trial: Trial) -> Row:
    """The knee's jerk with elastic poles over that without, in the middle of people."""
    ratio = float(
        np.median([leg(True, source=s).version.jerk / leg(False, source=s).version.jerk for s in people(trial)])
    )
    return Row(
        "hu2024/exercise-knee-jerk",
        "Elastic poles take away the shaking of the leg (IV.B): root mean square jerk of the knee with them over that without",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


CHECKS = (pole_path, goal_miss, elbow_tilts, knee_jerk)


def picture(folder: Path) -> Path:
    """Both exercises at every 0.15 s, with elastic poles and without."""
    plan, _ = walker()
    pelvis = _place(plan, relaxed_positions(plan), "pelvis")
    camera = Camera(
        target=pelvis[0] - np.array([0.0, 0.0, 0.05]), azimuth=np.radians(-100.0), elevation=-0.1, distance=4.7
    )
    lines = []
    for title, exercise, joint, bends in (("arm", arm, "left_forearm", -1.0), ("leg", leg, "left_shank", 1.0)):
        frames = np.arange(0, len(exercise().goals), 9)
        for label, poles in (("elastic pole", True), ("no pole", False)):
            version = exercise(poles).version
            bend = bends * anatomical_angles(plan, version.rows, joint)[:, 1]
            captions = [f"{frame * TICK:.2f} s   flexion {bend[frame]:.0f}°" for frame in frames]
            lines.append(Line(f"{title}, {label}", version.rows[frames], captions, [camera] * len(frames)))
    floor = float(pelvis[0, 2]) - 0.92
    title = "Arm in and out, leg lift and back kick: only a hand or a foot is moved (Hu 2024, Figs. 15-18)"
    return write_film(folder, "exercise", title, plan, lines, SceneSpec(floor=floor))
