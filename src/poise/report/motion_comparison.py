"""Two motions measured alike, each on the body of its own skeleton, which may be one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.body import build_body
from poise.body.coordinates import clip_frames
from poise.body.ground import ground_height
from poise.body.heading import facing
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.metrics import compare
from poise.motion.clip import Clip
from poise.motion.edit import motion_start, resample, trim
from poise.motion.roles import guess_roles
from poise.motion.skeleton import Skeleton
from poise.motion.skin import SkinnedMesh
from poise.report.measured import motion_of

__all__ = ["COMMON_RATE", "Differences", "Side", "compare_sides", "joint_differences", "make_side"]

Array = NDArray[np.float64]

COMMON_RATE = 30.0
"""Frames per second at which two motions are laid beside one another."""
_SAME_OFFSET = 1e-4
"""What a file's digits leave of an offset [m]."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of two motions that are compared.

    Args:
        name: What to call it.
        clip: Its motion, without rest frames before it.
        common: The same at `COMMON_RATE`.
        plan: The body of its skeleton.
        floor: Height of the ground it was recorded on [m].
        mesh: Its own skin, if it has one.
    """

    name: str
    clip: Clip
    common: Clip
    plan: BodyPlan
    floor: float
    mesh: SkinnedMesh | None = None

    def placed(self) -> tuple[Array, Array]:
        """World orientations (T, J, 4) and positions [m] (T, J, 3) at `COMMON_RATE`.

        Turned and moved so that the pelvis starts over the origin, facing x, and the ground is at height zero.
        """
        turn, place = self.common.world()
        root = int(self.plan.joints[0])
        heading = facing(self.plan, np.concatenate([place[0, root], turn[0, root]]))
        about = quat.exp(-heading * np.array([0.0, 0.0, 1.0]))
        start = np.array([*place[0, root, :2], self.floor])
        return quat.mul(about, turn), quat.rotate(about, place - start)


@dataclass(frozen=True, eq=False)
class Differences:
    """Two motions joint by joint, as long as both last; joints count as the same where their names match.

    Args:
        names: Joints that both have.
        alone: Names that only the first, and only the second has.
        times: [s], shape (T,).
        distances: Between the joints' places relative to the pelvis, both facing x at the start [m], shape (T, J).
        angles: Between the joints' local rotations [rad], shape (T, J).
    """

    names: tuple[str, ...]
    alone: tuple[tuple[str, ...], tuple[str, ...]]
    times: Array
    distances: Array
    angles: Array


def make_side(
    name: str,
    clip: Clip,
    mesh: SkinnedMesh | None = None,
    roles: Mapping[str, str | None] | None = None,
    like: Side | None = None,
) -> Side:
    """Get a motion ready to be compared.

    Args:
        name: What to call it.
        clip: The motion; rest frames before it are left out.
        mesh: Its skin, to which colliders are then fitted.
        roles: Joint names whose role is given rather than guessed; names it does not have are passed over.
        like: The motion it is compared with. On the same skeleton it is measured on the same body: about which axes joints bend
            is told by a motion, and two motions would tell two things.

    Raises:
        InputError: The skeleton lacks the roles a body needs.
    """
    clip = trim(clip, motion_start(clip), len(clip))
    own = {joint: role for joint, role in (roles or {}).items() if joint in clip.skeleton.names}
    if like is not None and _same_skeleton(like.clip.skeleton, clip.skeleton):
        plan = like.plan
    else:
        plan = build_body(clip, guess_roles(clip.skeleton, own or None), mesh=mesh)
    floor = ground_height(plan, clip_frames(plan, clip))
    return Side(name, clip, resample(clip, COMMON_RATE), plan, floor, mesh)


def _same_skeleton(one: Skeleton, other: Skeleton) -> bool:
    same = one.names == other.names and np.array_equal(one.parents, other.parents)
    return same and bool(np.abs(one.offsets - other.offsets).max() < _SAME_OFFSET)


def compare_sides(first: Side, second: Side) -> dict[str, Any]:
    """Every metric of both motions and the difference, as plain values.

    Tracking errors need the same joints, rate and number of frames. `joints` has the mean and worst difference per joint
    that both have (`joint_differences`), `unmatched` the names that only one of them has.
    """
    report = compare(*(motion_of(side.plan, side.clip, side.floor) for side in (first, second)))
    apart = joint_differences(first, second)
    report["joints"] = {
        name: {
            "position_mean_mm": 1e3 * float(apart.distances[:, joint].mean()),
            "position_max_mm": 1e3 * float(apart.distances[:, joint].max()),
            "angle_mean_deg": float(np.degrees(apart.angles[:, joint].mean())),
            "angle_max_deg": float(np.degrees(apart.angles[:, joint].max())),
        }
        for joint, name in enumerate(apart.names)
    }
    report["unmatched"] = {"first": list(apart.alone[0]), "second": list(apart.alone[1])}
    return report


def joint_differences(first: Side, second: Side) -> Differences:
    """How far the joints of two motions are apart over time."""
    here, there = first.clip.skeleton, second.clip.skeleton
    names = tuple(name for name in here.names if name in there.names)
    alone = (
        tuple(name for name in here.names if name not in there.names),
        tuple(name for name in there.names if name not in here.names),
    )
    count = min(len(first.common), len(second.common))
    places, locals_ = [], []
    for side in (first, second):
        own = [side.clip.skeleton.index(name) for name in names]
        place = side.placed()[1][:count]
        places.append(place[:, own] - place[:, [int(side.plan.joints[0])]])
        locals_.append(side.common.rotations[:count, own])
    return Differences(
        names=names,
        alone=alone,
        times=np.arange(count) / COMMON_RATE,
        distances=np.asarray(np.linalg.norm(places[1] - places[0], axis=-1)),
        angles=quat.angle_between(locals_[0], locals_[1]),
    )
