"""Limb contraction and extension, leg lift and back kick, with elastic poles and without (Figs. 15-18).

A person stands at ease; only one hand or foot is moved, by key frames. The hand comes from straight before the shoulder to
beside the armpit and goes back in 1.6 s; the foot is lifted before the body, passes under it and kicks back in 1.2 s. The
paper does not print its key frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions, relaxed_positions
from poise.reproductions.hu2024.film import Line, write_film
from poise.reproductions.hu2024.stationary import reach_with_stationary_pole
from poise.reproductions.hu2024.subject import anatomical_angles, walker
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
    """Goals (T, 3) [m] of a limb's end, and the limb with an elastic and with a stationary pole."""

    goals: Array
    elastic: Version
    stationary: Version


def _place(plan: BodyPlan, rows: Array, role: str) -> Array:
    """Of a joint by role [m], shape (T, 3)."""
    return np.asarray(body_frames(plan, rows).positions[:, plan.with_role(role)[0]])


def _exercise(roles: tuple[str, str, str], goals: Array) -> Exercise:
    plan, _ = walker()
    solver = BodySolver(plan, SolverOptions(poles=ElasticPole(), lean=False))
    rest, limb = relaxed_positions(plan), roles[2]
    at, rows, poles = solver.limbs.names.index(limb), [], []
    start = np.repeat(goals[:1], round(_SETTLE / TICK), axis=0)
    for goal in np.concatenate([start, goals]):
        rows.append(solver.solve(rest, Goals({limb: Goal(goal)}), TICK))
        poles.append(solver.poles_at(rows[-1])[at])
    elastic = np.array(rows[len(start) :])
    pole = np.array(poles[len(start) :])
    still = reach_with_stationary_pole(solver.limbs, limb, rest, goals, pole[0])
    return Exercise(
        goals,
        _version(plan, elastic, roles, pole),
        _version(plan, still, roles, np.tile(pole[0], (len(goals), 1))),
    )


def _version(plan: BodyPlan, rows: Array, roles: tuple[str, str, str], pole: Array) -> Version:
    root, middle, end = (_place(plan, rows, role) for role in roles)
    return Version(rows, root, middle, end, pole)


def _curve(keys: Array, seconds: float) -> Array:
    times = np.linspace(0.0, seconds, len(keys))
    fine = np.arange(0.0, seconds + 1e-9, TICK)
    return np.asarray(CubicSpline(times, keys, bc_type="clamped")(fine))


@cache
def arm() -> Exercise:
    """Contraction and extension of the left arm."""
    plan, _ = walker()
    shoulder = _place(plan, relaxed_positions(plan), "left_upper_arm")
    return _exercise(("left_upper_arm", "left_forearm", "left_hand"), shoulder + _curve(_HAND, 1.6))


@cache
def leg() -> Exercise:
    """Lift and back kick of the left leg."""
    plan, _ = walker()
    hip, foot = (_place(plan, relaxed_positions(plan), role) for role in ("left_thigh", "left_foot"))
    keys = np.concatenate([foot, hip + _FOOT, foot])
    return _exercise(("left_thigh", "left_shank", "left_foot"), _curve(keys, 1.2))


def pole_path() -> Row:
    """Shorter of the ways that both poles go."""
    ways = [float(np.linalg.norm(np.diff(e.elastic.pole, axis=0), axis=1).sum()) for e in (arm(), leg())]
    return Row(
        "hu2024/exercise-pole-shifts",
        "With elastic poles the pole shifts throughout (Figs. 15, 16): arm and leg exercise, the shorter of both ways",
        None,
        100.0 * min(ways),
        "cm",
        min(ways) > 0.01,
    )


def goal_miss() -> Row:
    """How far hand and foot stay from their key frames."""
    miss = 1e3 * max(float(np.linalg.norm(e.elastic.end - e.goals, axis=1).max()) for e in (arm(), leg()))
    return Row(
        "hu2024/exercise-reaches",
        "Hand and foot follow the key frames of the position control (IV.B): within 1 mm",
        None,
        miss,
        "mm",
        miss < 1.0,
    )


def bone_stretch() -> Row:
    """Largest change of a bone's length."""
    worst = 0.0
    for version in (arm().elastic, leg().elastic):
        for near, far in ((version.root, version.middle), (version.middle, version.end)):
            lengths = np.linalg.norm(far - near, axis=1)
            worst = max(worst, float(np.abs(lengths / lengths[0] - 1.0).max()))
    return Row(
        "hu2024/exercise-bone-length",
        "The lengths of the controlled segments stay as they were (IV.B): change below 1e-9 of the length",
        None,
        worst,
        "",
        worst < 1e-9,
    )


def _up_when_extending(version: Version) -> float:
    """How much higher [degrees] the elbow points when the hand passes a place on its way out than on its way in, mean."""
    up = version.elevation
    half = len(up) // 2
    return float(np.mean(up[::-1][:half] - up[:half]))


def elbow_with_poles() -> Row:
    """The elbow's tilt on the way out against the way in, with elastic poles."""
    up = _up_when_extending(arm().elastic)
    return Row(
        "hu2024/exercise-elbow-tilt",
        "The elbow points slightly down when contracting and slightly up when extending, by the offset of the pole (Fig. 15): "
        "mean difference at the same places of the hand",
        None,
        up,
        "°",
        0.1 < up < 20.0,
    )


def elbow_without_poles() -> Row:
    """The same with a stationary pole."""
    up = abs(_up_when_extending(arm().stationary))
    return Row(
        "hu2024/exercise-elbow-mechanical",
        "Without elastic poles the movement is stiff and mechanical (Fig. 17): the elbow goes out exactly as it came in, "
        "the same difference below 0.001°",
        None,
        up,
        "°",
        up < 1e-3,
    )


def _flexion(version: Version) -> Array:
    plan, _ = walker()
    return np.asarray(anatomical_angles(plan, version.rows, "left_shank")[:, 1])


def knee_with_poles() -> Row:
    """Least flexion of the knee with elastic poles."""
    least = float(_flexion(leg().elastic).min())
    return Row(
        "hu2024/exercise-knee-flexion",
        "With elastic poles the knee never bends backwards (Fig. 16): its least flexion",
        None,
        least,
        "°",
        least >= 0.0,
    )


def knee_without_poles() -> Row:
    """Frames in which the knee bends backwards with a stationary pole."""
    frames = int(np.sum(_flexion(leg().stationary) < 0.0))
    return Row(
        "hu2024/exercise-knee-anti-joint",
        "With a stationary pole anti-joint postures appear when the foot is lifted (Fig. 18): frames of 73 with the knee bent "
        "backwards",
        None,
        float(frames),
        "frames",
        frames > 0,
    )


def knee_jerk() -> Row:
    """The knee's jerk with elastic poles over that with a stationary one."""
    ratio = leg().elastic.jerk / leg().stationary.jerk
    return Row(
        "hu2024/exercise-knee-jerk",
        "Elastic poles take away the shaking of the leg (IV.B): root mean square jerk of the knee with them over that without",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


CHECKS = (
    pole_path,
    goal_miss,
    bone_stretch,
    elbow_with_poles,
    elbow_without_poles,
    knee_with_poles,
    knee_without_poles,
    knee_jerk,
)


def picture(folder: Path) -> Path:
    """Both exercises at every 0.15 s, with elastic poles and with stationary ones."""
    plan, _ = walker()
    pelvis = _place(plan, relaxed_positions(plan), "pelvis")
    camera = Camera(
        target=pelvis[0] - np.array([0.0, 0.0, 0.05]), azimuth=np.radians(-100.0), elevation=-0.1, distance=4.7
    )
    lines = []
    for title, exercise, joint, bends in (("arm", arm(), "left_forearm", -1.0), ("leg", leg(), "left_shank", 1.0)):
        frames = np.arange(0, len(exercise.goals), 9)
        for label, version in (("elastic pole", exercise.elastic), ("stationary pole", exercise.stationary)):
            bend = bends * anatomical_angles(plan, version.rows, joint)[:, 1]
            captions = [f"{frame * TICK:.2f} s   flexion {bend[frame]:.0f}°" for frame in frames]
            lines.append(Line(f"{title}, {label}", version.rows[frames], captions, [camera] * len(frames)))
    floor = float(pelvis[0, 2]) - 0.92
    title = "Arm in and out, leg lift and back kick: only a hand or a foot is moved (Hu 2024, Figs. 15-18)"
    return write_film(folder, "exercise", title, plan, lines, SceneSpec(floor=floor))
