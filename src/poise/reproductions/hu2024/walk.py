"""A captured walk with only the trunk and the limbs' ends given: do elbows and knees follow the person's? (Figs. 20, 21).

The paper compares body A, the capture, with body B, which is told the ends alone, in the transverse, coronal and sagittal
planes. Here these are the distances of elbow and knee from the capture's across the planes, seen from the pelvis, and the
flexion of elbow and knee. Without poles each limb keeps the bend plane of a person at ease.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.build import build_body
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions, relaxed_positions
from poise.math import quat
from poise.motion import guess_roles
from poise.motion.edit import loop
from poise.reproductions.check import Trial, claim, invariant, open_row
from poise.reproductions.hu2024.film import Line, write_film
from poise.reproductions.hu2024.subject import anatomical_angles, walker
from poise.reproductions.motion.clips import HELD_OUT, Source, sources
from poise.reproductions.once import once
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
_NEAR = 5.0
"""So far off an elbow is not seen to be on its way [mm]."""
_PLANES = ("coronal", "sagittal", "transverse")
_JOINTS = (("forearm", "elbow"), ("shank", "knee"))
_SIDES = ("left", "right")
_FRAMES = 120
"""So much of a clip is looked at, two seconds."""


@once
def versions() -> dict[str, Array]:
    """Generalized positions (T, nq) of the capture, of the body with elastic poles, and of the body without poles."""
    plan, clip = walker()
    capture = generalized_from_clip(plan, loop(clip, 4))[: round(SECONDS * clip.rate) + 1]
    return {
        "capture": capture,
        "elastic poles": from_ends(capture, ElasticPole()),
        "no poles": from_ends(capture, None),
    }


def from_ends(capture: Array, poles: ElasticPole | None, weight: float = 1.0) -> Array:
    """The capture (T, nq) with its limbs at ease, led to where its hands and feet are."""
    plan, clip = walker()
    return led_by_ends(plan, capture, clip.period, poles, weight)


def led_by_ends(plan: BodyPlan, capture: Array, period: float, poles: ElasticPole | None, weight: float = 1.0) -> Array:
    """Likewise for any body and a capture (T, nq) with a frame each `period` [s]."""
    solver = BodySolver(plan, SolverOptions(poles=poles, lean=False))
    ends = [int(body) for body in solver.limbs.bodies[:, 2]]
    frames, rows = body_frames(plan, capture), capture.copy()
    for root in solver.limbs.bodies[:, 0]:
        for body in plan.subtree(int(root)):
            rows[:, turn_slice(body)] = relaxed_positions(plan)[turn_slice(body)]
    for frame, row in enumerate(rows):
        goals = {
            name: Goal(frames.positions[frame, end], frames.rotations[frame, end], weight=weight)
            for name, end in zip(solver.limbs.names, ends, strict=True)
        }
        rows[frame] = solver.solve(row, Goals(goals), period if frame else None)
    return rows


def flexion_error(part: str, weight: float = 1.0) -> float:
    """Root mean square difference of a joint's flexion from the capture's with elastic poles [degrees], both sides."""
    plan, _ = walker()
    rows = versions()
    led = rows["elastic poles"] if weight == 1.0 else from_ends(rows["capture"], ElasticPole(), weight)
    apart = [
        anatomical_angles(plan, led, role)[:, 1] - anatomical_angles(plan, rows["capture"], role)[:, 1]
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


@invariant("limbs in closed form", broken="goals have half their weight")
def knee_flexion(trial: Trial) -> Row:
    """How well the knee's flexion is told by hip and foot."""
    worst = flexion_error("shank", 1.0 if trial.on else 0.5)
    return Row(
        "hu2024/walk-knee-flexion",
        "Only trunk, hands and feet driven, the fit to the captured walk is good (Figs. 20, 21): root mean square "
        "difference of the knee's flexion below 1°",
        None,
        worst,
        "°",
        worst < 1.0,
    )


@invariant("limbs in closed form", broken="goals have half their weight")
def elbow_flexion(trial: Trial) -> Row:
    """How well the elbow's flexion is told by shoulder and hand."""
    worst = flexion_error("forearm", 1.0 if trial.on else 0.5)
    return Row(
        "hu2024/walk-elbow-flexion",
        "The same for the elbow's flexion",
        None,
        worst,
        "°",
        worst < 1.0,
    )


@once
def away(source: Source, poles: bool) -> dict[str, float]:
    """How far elbows and knees of a clip are from the captured ones, led by the ends alone: root mean square [mm], by part."""
    clip, _ = source.read()
    step = max(1, round(clip.rate / 60.0))
    plan = build_body(clip, guess_roles(clip.skeleton))
    capture = generalized_from_clip(plan, clip)[::step][:_FRAMES]
    rows = led_by_ends(plan, capture, step / clip.rate, ElasticPole() if poles else None)
    found = {}
    for part, _ in _JOINTS:
        bodies = list(plan.with_role(*(f"{side}_{part}" for side in _SIDES)))
        apart = body_frames(plan, rows).positions[:, bodies] - body_frames(plan, capture).positions[:, bodies]
        found[part] = 1e3 * float(np.sqrt(np.mean(np.sum(apart**2, axis=2))))
    return found


def _ratios(part: str, trial: Trial) -> list[float]:
    """Distance from the capture with elastic poles (none where they are off) over that without, per clip."""
    return [away(each, trial.on)[part] / away(each, False)[part] for each in sources(quick=trial.quick)]


@claim("elastic poles", off="SolverOptions(poles=None)", cases=len(HELD_OUT))
def elbow_poles_help(trial: Trial) -> Row:
    """The elbow's distance with elastic poles over that without, over clips."""
    ratios = _ratios("forearm", trial)
    ratio = float(np.median(ratios))
    return Row(
        "hu2024/walk-elbow-poles-help",
        "Elastic poles bring the elbow nearer to the captured one, which is told its hand alone (Fig. 21): distance with them "
        f"over that without, median below 0.9; nearer on {sum(r < 1.0 for r in ratios)} of {len(ratios)} clips, of all kinds",
        None,
        ratio,
        "×",
        ratio < 0.9,
    )


@open_row(
    "elastic poles",
    aim="0.9: a knee bends in a plane that the foot all but tells; a natural point learned on eleven clips gains little",
    cases=len(HELD_OUT),
)
def knee_poles_help(trial: Trial) -> Row:
    """The knee's distance with elastic poles over that without, over clips."""
    ratios = _ratios("shank", trial)
    ratio = float(np.median(ratios))
    return Row(
        "hu2024/walk-knee-poles-help",
        "Elastic poles bring the knee nearer to the captured one (Fig. 21): the same for knees, median below 0.9; nearer on "
        f"{sum(r < 1.0 for r in ratios)} of {len(ratios)} clips",
        None,
        ratio,
        "×",
        ratio < 0.9,
    )


@once
def stop(source: Source, poles: bool = True) -> tuple[Array, Array]:
    """Times after a motion stops in the middle [s] (n,), and how far elbows and knees are from where they settle [m] (n, 4)."""
    clip = source.read()[0]
    plan = build_body(clip, guess_roles(clip.skeleton))
    step = max(1, round(clip.rate / 60.0))
    capture, period = generalized_from_clip(plan, clip)[::step], step / clip.rate
    middle = len(capture) // 2
    held = np.concatenate([np.arange(max(0, middle - _FRAMES), middle), np.full(round(_STILL / period) + 1, middle)])
    rows = led_by_ends(plan, capture[held], period, ElasticPole() if poles else None)[min(middle, _FRAMES) :]
    joints = [plan.with_role(f"{side}_{mid}")[0] for mid, _ in _JOINTS for side in _SIDES]
    spots = body_frames(plan, rows).positions[:, joints]
    return np.asarray(period * np.arange(len(rows)), dtype=np.float64), np.linalg.norm(spots - spots[-1], axis=2)


@claim("elastic poles", off="SolverOptions(poles=None)", cases=len(HELD_OUT))
def lag_returns(trial: Trial) -> Row:
    """What is left of the lag half a second after the stop, in nine of ten clips."""
    stops = [stop(source, trial.on) for source in sources(quick=trial.quick)]
    left = 1e3 * float(np.percentile([lags[times >= 0.5].max() for times, lags in stops], 90.0))
    lag = 1e3 * float(np.median([lags[0].max() for _, lags in stops]))
    return Row(
        "hu2024/walk-lag-returns",
        "Fast input is followed with a slight lag that goes once the movement ceases (IV.C): half a second after a stop in the "
        f"middle of a clip elbows and knees are within {_NEAR:g} mm of where they settle, in nine of ten, from {lag:.0f} mm at "
        "the stop in the middle (1 mm in the shipped walk; along its line a pole is back, across it the springs pull less)",
        None,
        left,
        "mm",
        left < _NEAR and lag > 1.0,
    )


CHECKS = (knee_flexion, elbow_flexion, elbow_poles_help, knee_poles_help, lag_returns)


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
