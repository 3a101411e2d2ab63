"""Make the shipped clips `walk.bvh` and `run.bvh` from the motions in the `pybullet` package (zlib licence).

    pip download pybullet==3.2.7 --no-deps --only-binary :all: --platform manylinux2014_x86_64 --python-version 39
    unzip pybullet-*.whl 'pybullet_data/data/motions/humanoid3d_*.txt'
    python tools/make_clips.py pybullet_data/data/motions

A source file holds half a gait cycle and its mirror image, at 30 Hz, for a figure of 12 joints (the DeepMimic humanoid,
Peng 2018). The two halves do not meet: joints jump by up to 34 degrees in one frame. Here the natural end of the half
cycle is joined to its mirrored beginning, then the half and its mirror image make one closed cycle. What happens to the
skeleton is told in `src/poise/assets/clips/README.md`, which this program does not write.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.io import write_clip
from poise.math import quat
from poise.motion import Clip, Skeleton, forward_kinematics
from poise.motion.seam import Motion, join

Array = NDArray[np.float64]

OUT = Path(__file__).resolve().parents[1] / "src" / "poise" / "assets" / "clips"
RATE = 30.0
SOLE = 0.05
"""Height of the ankle over the sole [m], as in the source's foot box."""

BEARING = 0.03
"""A foot with a point of its sole lower than this bears weight [m]."""
PLANTED = ("run",)
"""Clips whose feet are held where they bear; those of the walk slip no more than captured ones, 9 cm/s."""

LIMBS = {
    "Shoulder": ("Chest", (0.0, 0.03, 0.2185)),
    "Arm": ("Shoulder", (-0.02405, 0.15311, 0.025)),
    "ForeArm": ("Arm", (0.0, 0.0, -0.274788)),
    "Hand": ("ForeArm", (0.0, 0.0, -0.258947)),
    "UpLeg": ("Hips", (0.0, 0.084887, 0.0)),
    "Leg": ("UpLeg", (0.0, 0.0, -0.421546)),
    "Foot": ("Leg", (0.0, 0.0, -0.40987)),
    "Toe": ("Foot", (0.115, 0.0, 0.01 - SOLE)),
}
"""Left limbs: parent and offset from it [m], in Poise's frame; arms and legs hang down in the bind pose."""

TRUNK = {
    "Hips": (None, (0.0, 0.0, 0.0)),
    "Spine": ("Hips", (0.0, 0.0, 0.1)),
    "Chest": ("Spine", (0.0, 0.0, 0.136151)),
    "Neck": ("Chest", (0.0, 0.0, 0.223894)),
    "Head": ("Neck", (0.015, 0.0, 0.085)),
}
ENDS = {"Head": (0.0, 0.0, 0.19), "Hand": (0.0, 0.0, -0.17), "Toe": (0.06, 0.0, -0.005)}

SOURCE_JOINTS = ("root", "chest", "neck", "hip", "knee", "ankle", "shoulder", "elbow")
"""Source order, the last five for the right side and then for the left."""


def skeleton() -> Skeleton:
    """The shipped skeleton, depth first, left before right."""
    joints: dict[str, tuple[str | None, tuple[float, float, float]]] = {}
    ends: dict[str, tuple[float, float, float]] = {"Head": ENDS["Head"]}

    def add(name: str) -> None:
        joints[name] = TRUNK[name]
        for child, (parent, _) in TRUNK.items():
            if parent == name:
                add(child)
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            add_limb(name, side, sign)

    def add_limb(parent: str, side: str, sign: float) -> None:
        for part, (above, (x, y, z)) in LIMBS.items():
            if parent in (above, side + above):
                joints[side + part] = (parent, (x, sign * y, z))
                if part in ENDS:
                    ends[side + part] = ENDS[part]
                add_limb(side + part, side, sign)

    add("Hips")
    names = tuple(joints)
    return Skeleton(
        names,
        np.array([-1 if parent is None else names.index(parent) for parent, _ in joints.values()]),
        np.array([offset for _, offset in joints.values()]),
        np.array([names.index(name) for name in ends]),
        np.array(list(ends.values())),
    )


def poise_rotations(values: Array) -> Array:
    """Source quaternions or angles about its lateral axis, (T, 4) or (T, 1), as Poise rotations (T, 4).

    The source has X forward, Y up, Z right: x, -z, y of it are Poise's x, y, z.
    """
    if values.shape[1] == 1:
        return quat.from_axis_angle([0.0, -1.0, 0.0], values[:, 0])
    w, x, y, z = quat.normalize(values).T
    return np.stack([w, x, -z, y], axis=-1)


def read_motion(path: Path, figure: Skeleton) -> Motion:
    """A source file's frames on the shipped skeleton; its chest rotation is split over spine and chest."""
    frames = np.array(json.loads(path.read_text(encoding="utf-8"))["Frames"], dtype=np.float64)
    rotations = np.tile(quat.IDENTITY, (len(frames), len(figure), 1))
    positions = np.tile(figure.offsets, (len(frames), 1, 1))
    positions[:, 0] = np.stack([frames[:, 1], -frames[:, 3], frames[:, 2]], axis=-1)
    columns = {
        **{"Hips": (4, 4), "Chest": (8, 4), "Neck": (12, 4)},
        **{
            "RightUpLeg": (16, 4),
            "RightLeg": (20, 1),
            "RightFoot": (21, 4),
            "RightArm": (25, 4),
            "RightForeArm": (29, 1),
        },
        **{"LeftUpLeg": (30, 4), "LeftLeg": (34, 1), "LeftFoot": (35, 4), "LeftArm": (39, 4), "LeftForeArm": (43, 1)},
    }
    for name, (start, width) in columns.items():
        rotations[:, figure.index(name)] = poise_rotations(frames[:, start : start + width])
    half = quat.exp(0.5 * quat.log(rotations[:, figure.index("Chest")]))
    rotations[:, figure.index("Spine")] = rotations[:, figure.index("Chest")] = half
    return rotations, positions


def mirrored(motion: Motion, figure: Skeleton) -> Motion:
    """The motion seen in a mirror that swaps left and right."""
    swap = {"Left": "Right", "Right": "Left"}
    other = [figure.index(re.sub("^(Left|Right)", lambda side: swap[side[0]], name)) for name in figure.names]
    rotations, positions = motion
    return rotations[:, other] * [1.0, -1.0, 1.0, -1.0], positions[:, other] * [1.0, -1.0, 1.0]


def onward(motion: Motion, shift: Array) -> Motion:
    """The motion with its root moved by `shift` [m]."""
    positions = motion[1].copy()
    positions[:, 0] += shift
    return motion[0], positions


def closed_cycle(motion: Motion, figure: Skeleton) -> Motion:
    """One closed cycle from the second half of the source's and its mirror image."""
    middle = len(motion[0]) // 2
    half = motion[0][middle:], motion[1][middle:]
    half = onward(half, -half[1][0, 0] * [1.0, 1.0, 0.0])
    shift = half[1][-1, 0] * [1.0, 0.0, 0.0]
    end, beginning = join(half, onward(mirrored(half, figure), shift), middle)
    beginning = mirrored(onward(beginning, -shift), figure)
    cut = len(half[0]) // 2
    step = np.concatenate([beginning[0][:cut], end[0][cut:]]), np.concatenate([beginning[1][:cut], end[1][cut:]])
    other = onward(mirrored(step, figure), shift)
    return np.concatenate([step[0][:-1], other[0]]), np.concatenate([step[1][:-1], other[1]])


def on_the_ground(motion: Motion, figure: Skeleton) -> tuple[Motion, Array]:
    """The motion with its root moved so that bearing soles stand on z = 0 and stay in place, and the change (T, 3) [m].

    Height: the lowest sole of the frames with ground contact is fitted by a smooth curve with the period of one step
    (its mean and two harmonics) and taken off. Through a flight, where the source drops faster than gravity, the
    height is a cubic spline between the frames on the ground.

    Sideways: the way that keeps the bearing foot from slipping is fitted by one sine wave per cycle.
    """
    lifted = motion[0], motion[1].copy()
    lowest = soles(lifted, figure)[..., 2].min(axis=(1, 2))
    step = 4.0 * np.pi * np.arange(len(lowest)) / (len(lowest) - 1)
    bearing = lowest < lowest.min() + 0.06
    height = lifted[1][:, 0, 2] - _fitted(_harmonics(step, 0, 1, 2), lowest, bearing)
    through = np.flatnonzero(bearing)
    # The cycle begins on the ground, so these frames hold both its ends, and the curve through them can be periodic.
    height[through[-1]] = height[through[0]]
    lifted[1][:, 0, 2] = CubicSpline(through, height[through], bc_type="periodic")(np.arange(len(height)))

    points = soles(lifted, figure)
    load = np.exp(-((points[..., 2].min(axis=2) / 0.02) ** 2))
    load = load[1:] * load[:-1]
    slip = (load * np.diff(points[:, :, 1, 1], axis=0)).sum(axis=1) / (load.sum(axis=1) + 0.05)
    sway = lifted[1][:, 0, 1] - np.concatenate([[0.0], np.cumsum(slip)])
    lifted[1][:, 0, 1] = _fitted(_harmonics(0.5 * step, 1), sway - sway.mean(), np.full(len(sway), True))
    return lifted, lifted[1][:, 0] - motion[1][:, 0]


def planted(motion: Motion, figure: Skeleton) -> tuple[Motion, float]:
    """The motion with feet that roll over the ground without a slip while they bear, and the farthest way of one [m].

    A foot bears while a point of its sole is lower than `BEARING`. Between two stances it keeps its way but for a cubic from
    one correction to the next. Feet keep their height and how they are turned; hips and knees follow.
    """
    rotations, positions = motion[0].copy(), motion[1]
    world_q, world_p = forward_kinematics(figure, *motion)
    points, farthest = soles(motion, figure), 0.0
    for foot, side in enumerate(("Left", "Right")):
        change = _unslipped(points[:, foot])
        farthest = max(farthest, float(np.linalg.norm(change, axis=1).max()))
        hip, knee, ankle = (figure.index(side + part) for part in ("UpLeg", "Leg", "Foot"))
        goal = world_p[:, ankle] + change - world_p[:, hip]
        upper, lower = (np.linalg.norm(figure.offsets[joint]) for joint in (knee, ankle))
        cosine = (np.sum(goal**2, axis=-1) - upper**2 - lower**2) / (2.0 * upper * lower)
        # Bones lie along z in the bind pose and a knee bends about y, so its angle is that between the bones.
        rotations[:, knee] = quat.from_axis_angle([0.0, 1.0, 0.0], np.arccos(np.clip(cosine, -1.0, 1.0)))
        reach = figure.offsets[knee] + quat.rotate(rotations[:, knee], figure.offsets[ankle])
        hip_q = quat.mul(quat.between(quat.rotate(world_q[:, hip], reach), goal), world_q[:, hip])
        rotations[:, hip] = quat.mul(quat.conj(world_q[:, figure.parents[hip]]), hip_q)
        rotations[:, ankle] = quat.mul(quat.conj(quat.mul(hip_q, rotations[:, knee])), world_q[:, ankle])
    return (rotations, positions), farthest


def _unslipped(sole: Array) -> Array:
    """How far to move the sole (T, 3, 3) of a closed cycle in each frame so that it does not slip [m], shape (T, 3).

    What slips is the mean of the sole's points, each counted the more the lower it is, from frame to frame of a stance. A
    stance is moved by nothing in its mean.
    """
    frames = len(sole) - 1
    cycle = np.concatenate([sole[:-1], sole + sole[-1] - sole[0]])
    bearing = cycle[..., 2].min(axis=1) < BEARING
    edges = np.flatnonzero(np.diff(bearing.astype(int)))
    load = np.exp(-((cycle[..., 2] / 0.02) ** 2)) + 1e-9
    load = load[1:] * load[:-1]
    slips = (load[..., None] * np.diff(cycle, axis=0)).sum(axis=1) / load.sum(axis=1, keepdims=True)
    known: dict[int, Array] = {}
    for first, last in zip(edges[:-1] + 1, edges[1:], strict=True):
        if bearing[first]:
            moved = -np.concatenate([np.zeros((1, 3)), np.cumsum(slips[first:last], axis=0)]) * [1.0, 1.0, 0.0]
            known |= dict(zip(range(first, last + 1), moved - moved.mean(axis=0), strict=True))
    once = sorted({at % frames: change for at, change in known.items()}.items())
    at, changes = [k for k, _ in once], [change for _, change in once]
    curve = CubicSpline([*at, at[0] + frames], [*changes, changes[0]], bc_type="periodic")
    moved = curve(np.arange(frames + 1))
    return np.asarray(moved)


def _harmonics(phase: Array, *orders: int) -> Array:
    return np.stack([f(order * phase) for order in orders for f in (np.cos, np.sin)], axis=-1)


def _fitted(curves: Array, values: Array, where: NDArray[np.bool_]) -> Array:
    """The least-squares sum of `curves` (T, n) through `values` (T,) at the frames `where`."""
    return np.asarray(curves @ np.linalg.lstsq(curves[where], values[where], rcond=None)[0])


def soles(motion: Motion, figure: Skeleton) -> Array:
    """Heel, ball and toe tip of the left and the right sole in the world [m], shape (T, 2, 3, 3)."""
    world_q, world_p = forward_kinematics(figure, *motion)
    feet = [figure.index("LeftFoot"), figure.index("RightFoot")]
    points = np.array([[-0.045, 0.0, -SOLE], [0.115, 0.0, -SOLE], [0.175, 0.0, -SOLE]])
    placed: Array = world_p[:, feet, None] + quat.rotate(world_q[:, feet, None], points)
    return placed


def main(arguments: list[str]) -> int:
    """Write the clips; `arguments` holds the folder of the source motions."""
    if len(arguments) != 1:
        sys.stderr.write("usage: make_clips.py FOLDER_WITH_humanoid3d_walk.txt\n")
        return 2
    figure = skeleton()
    for name in ("walk", "run"):
        cycle = closed_cycle(read_motion(Path(arguments[0]) / f"humanoid3d_{name}.txt", figure), figure)
        (rotations, positions), change = on_the_ground(cycle, figure)
        held = 0.0
        if name in PLANTED:
            (rotations, positions), held = planted((rotations, positions), figure)
        clip = Clip(figure, RATE, rotations, positions[:, :1], name=name)
        write_clip(OUT / f"{name}.bvh", clip)
        low, high = 100.0 * change.min(axis=0), 100.0 * change.max(axis=0)
        sys.stdout.write(
            f"{name}.bvh: {len(clip)} frames, {positions[-1, 0, 0] / clip.duration:.2f} m/s; root moved by "
            f"{low[2]:.1f} to {high[2]:.1f} cm in height, {low[1]:.1f} to {high[1]:.1f} cm sideways, "
            f"feet by up to {100.0 * held:.1f} cm\n"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
