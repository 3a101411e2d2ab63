"""A captured walk with only the trunk and the limbs' ends given: do elbows and knees follow the person's? (Figs. 20, 21).

The paper compares body A, the capture, with body B, which is told the ends alone, in the transverse, coronal and sagittal
planes. Here these are the distances of elbow and knee from the capture's across the planes, seen from the pelvis, and the
flexion of elbow and knee. Without poles each limb keeps the bend plane of a person at ease.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions, relaxed_positions
from poise.math import quat
from poise.motion.edit import loop
from poise.reproductions.hu2024.film import Line, write_film
from poise.reproductions.hu2024.subject import anatomical_angles, walker
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.world.render import Camera
from poise.world.scene import SceneSpec

__all__ = ["CHECKS", "curves", "picture"]

Array = NDArray[np.float64]

SECONDS = 2.8
"""Length of the walk, as in the paper [s]."""
_STILL = 1.5
"""Time after the stop [s]."""
_PLANES = ("coronal", "sagittal", "transverse")
_JOINTS = (("forearm", "elbow"), ("shank", "knee"))
_SIDES = ("left", "right")


@cache
def versions() -> dict[str, Array]:
    """Generalized positions (T, nq) of the capture, of the body with elastic poles, and of the body without poles."""
    plan, clip = walker()
    capture = generalized_from_clip(plan, loop(clip, 4))[: round(SECONDS * clip.rate) + 1]
    return {
        "capture": capture,
        "elastic poles": from_ends(capture, ElasticPole()),
        "no poles": from_ends(capture, None),
    }


def from_ends(capture: Array, poles: ElasticPole | None) -> Array:
    """The capture (T, nq) with its limbs at ease, led to where its hands and feet are."""
    plan, clip = walker()
    solver = BodySolver(plan, SolverOptions(poles=poles, lean=False))
    ends = [int(body) for body in solver.limbs.bodies[:, 2]]
    frames, rows = body_frames(plan, capture), capture.copy()
    for root in solver.limbs.bodies[:, 0]:
        for body in plan.subtree(int(root)):
            rows[:, 3 + 4 * body : 7 + 4 * body] = relaxed_positions(plan)[3 + 4 * body : 7 + 4 * body]
    for frame, row in enumerate(rows):
        goals = {
            name: Goal(frames.positions[frame, end], frames.rotations[frame, end])
            for name, end in zip(solver.limbs.names, ends, strict=True)
        }
        rows[frame] = solver.solve(row, Goals(goals), clip.period if frame else None)
    return rows


def flexion_error(part: str) -> float:
    """Root mean square difference of a joint's flexion from the capture's with elastic poles [degrees], both sides."""
    plan, _ = walker()
    rows = versions()
    apart = [
        anatomical_angles(plan, rows["elastic poles"], role)[:, 1]
        - anatomical_angles(plan, rows["capture"], role)[:, 1]
        for role in (f"{side}_{part}" for side in _SIDES)
    ]
    return float(np.sqrt(np.mean(np.square(apart))))


def places(version: str, part: str) -> Array:
    """Both sides' elbow or knee before, left of and above the pelvis, in its frame [m], shape (T, 2, 3)."""
    plan, _ = walker()
    frames = body_frames(plan, versions()[version])
    away = frames.positions[:, list(plan.with_role(*(f"{side}_{part}" for side in _SIDES)))] - frames.positions[:, :1]
    upright = quat.mul(frames.rotations[:, 0], quat.conj(plan.neutral[0]))
    return np.asarray(quat.rotate(quat.conj(upright)[:, None], away))


def misses(version: str, part: str) -> Array:
    """Root mean square distance from the capture across the coronal, sagittal and transverse plane [mm], shape (3,)."""
    return np.asarray(1e3 * np.sqrt(np.mean((places(version, part) - places("capture", part)) ** 2, axis=(0, 1))))


def knee_flexion() -> Row:
    """How well the knee's flexion is told by hip and foot."""
    worst = flexion_error("shank")
    return Row(
        "hu2024/walk-knee-flexion",
        "Only trunk, hands and feet driven, the fit to the captured walk is good (Figs. 20, 21): root mean square "
        "difference of the knee's flexion below 1°",
        None,
        worst,
        "°",
        worst < 1.0,
    )


def elbow_flexion() -> Row:
    """How well the elbow's flexion is told by shoulder and hand."""
    worst = flexion_error("forearm")
    return Row(
        "hu2024/walk-elbow-flexion",
        "The same for the elbow's flexion",
        None,
        worst,
        "°",
        worst < 1.0,
    )


def _place_row(part: str, joint: str) -> Row:
    elastic, plain = misses("elastic poles", part), misses("no poles", part)
    told = ", ".join(f"{mm:.0f} {name}" for name, mm in zip(_PLANES, elastic, strict=True))
    without = ", ".join(f"{mm:.0f}" for mm in plain)
    away = float(np.linalg.norm(elastic))
    return Row(
        f"hu2024/walk-{joint}-place",
        f"The {joint} under elastic poles stays well fitted without data of its own (Fig. 21): root mean square distance from "
        f"the captured one below 20 mm ({told}; without poles {without})",
        None,
        away,
        "mm",
        away < 20.0,
    )


def _ratio_row(part: str, joint: str) -> Row:
    ratio = float(np.linalg.norm(misses("elastic poles", part)) / np.linalg.norm(misses("no poles", part)))
    return Row(
        f"hu2024/walk-{joint}-poles-help",
        f"Elastic poles bring the {joint} nearer to the captured one (Fig. 21): the same distance with them over that without",
        None,
        ratio,
        "×",
        ratio < 1.0,
    )


def elbow_place() -> Row:
    """How far the elbow is from the captured one."""
    return _place_row("forearm", "elbow")


def knee_place() -> Row:
    """How far the knee is from the captured one."""
    return _place_row("shank", "knee")


def elbow_poles_help() -> Row:
    """The elbow's distance with elastic poles over that without."""
    return _ratio_row("forearm", "elbow")


def knee_poles_help() -> Row:
    """The knee's distance with elastic poles over that without."""
    return _ratio_row("shank", "knee")


@cache
def stop() -> tuple[Array, Array]:
    """Times after the walk stops in mid stride [s] (n,), and how far elbows and knees are from where they settle [m] (n, 4)."""
    plan, clip = walker()
    capture = generalized_from_clip(plan, clip)
    middle = len(clip) // 2
    held = np.concatenate([np.arange(middle), np.full(round(_STILL * clip.rate) + 1, middle)])
    rows = from_ends(capture[held], ElasticPole())[middle:]
    joints = [plan.with_role(f"{side}_{mid}")[0] for mid, _ in _JOINTS for side in _SIDES]
    spots = body_frames(plan, rows).positions[:, joints]
    return np.arange(len(rows)) / clip.rate, np.linalg.norm(spots - spots[-1], axis=2)


def lag_returns() -> Row:
    """What is left of the lag half a second after the stop."""
    times, lags = stop()
    left = 1e3 * float(lags[times >= 0.5].max())
    return Row(
        "hu2024/walk-lag-returns",
        "Fast input is followed with a slight lag that is gone once the movement ceases (IV.C): elbows and knees within 1 mm "
        f"of where they settle 0.5 s after a stop in mid stride, from {1e3 * float(lags[0].max()):.0f} mm at the stop",
        None,
        left,
        "mm",
        left < 1.0 < 1e3 * float(lags[0].max()),
    )


CHECKS = (
    knee_flexion,
    elbow_flexion,
    elbow_place,
    knee_place,
    elbow_poles_help,
    knee_poles_help,
    lag_returns,
)


def picture(folder: Path) -> Path:
    """The capture as a ghost beside the bodies that know its ends alone, every 0.4 s."""
    plan, clip = walker()
    rows = versions()
    frames = np.arange(0, len(rows["capture"]), round(0.4 * clip.rate))
    spots = rows["capture"][frames, :3]
    cameras = [
        Camera(target=place - np.array([0.0, 0.0, 0.05]), azimuth=np.radians(125.0), elevation=-0.12, distance=4.7)
        for place in spots
    ]
    captions = [f"{frame / clip.rate:.1f} s" for frame in frames]
    lines = [
        Line(f"{name} (violet: the capture)", rows[name][frames], captions, cameras, rows["capture"][frames])
        for name in ("elastic poles", "no poles")
    ]
    soles = sole_points(plan, body_frames(plan, rows["capture"]))[..., 2].min(axis=1)
    title = "A captured walk from its trunk, hands and feet (Hu 2024, Fig. 20)"
    return write_film(folder, "walk", title, plan, lines, SceneSpec(floor=float(np.median(soles))))


def curves(folder: Path) -> Path:
    """Elbow and knee in three planes over the walk, as in Fig. 21."""
    _, clip = walker()
    sheet, axes = figure("Elbow and knee in three planes, left side (Hu 2024, Fig. 21)", 2, 3, size=(11.0, 6.0))
    ways = ("ahead of the pelvis", "left of the pelvis", "above the pelvis")
    for line, (part, joint) in enumerate(_JOINTS):
        for plane, name in enumerate(_PLANES):
            for version, style in (("capture", "k-"), ("elastic poles", "C1-"), ("no poles", "C0:")):
                curve = 100.0 * places(version, part)[:, 0, plane]
                axes[line, plane].plot(np.arange(len(curve)) / clip.rate, curve, style, label=version)
            axes[line, plane].set_title(f"{joint}, across the {name} plane", fontsize=10)
            axes[line, plane].set(xlabel="time [s]", ylabel=f"{ways[plane]} [cm]")
    axes[0, 0].legend(fontsize=8)
    return save_figure(sheet, folder, "hu2024_walk_planes")
