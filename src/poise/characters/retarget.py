"""A motion on another character with its feet where they belong: `poise.body.retarget`, then legs by inverse kinematics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from poise.body.build import build_body
from poise.body.capsules import sole_points
from poise.body.coordinates import BodyFrames, body_frames, clip_from_generalized, generalized_from_clip
from poise.body.ground import ground_height
from poise.body.plan import BodyPlan
from poise.body.retarget import retarget
from poise.errors import InputError
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.motion.skin import SkinnedMesh

__all__ = ["retarget_onto"]

Array = NDArray[np.float64]

_FEET = ("left_foot", "right_foot")
_CALM = 0.5
"""Standard deviation over which the heading is smoothed [s]."""
_NEAR = 0.004
"""Of heel and ball the lower one is the pivot; this much difference decides [statures]."""
_STANDS, _SWINGS = 0.006, 0.03
"""Below the first height a foot stands, above the second it swings freely [statures]."""
_RETURN = 0.1
"""Time in which a swinging foot forgets where it stood [s]."""


def retarget_onto(
    source: Clip,
    target: Clip,
    mesh: SkinnedMesh | None = None,
    *,
    roles: Mapping[str, str | None] | None = None,
    target_roles: Mapping[str, str | None] | None = None,
) -> Clip:
    """The source's motion on the target's skeleton, its feet on the same ground.

    Feet are turned as the source's are. Whichever of heel and ball is on the ground moves as it does in the source, scaled
    by the legs, so what stands there stands here, on feet of any length; a swinging foot comes back to the scaled place of
    the source's ankle, beside its own hip where the hips are wider or narrower.

    Args:
        source: The motion.
        target: A motion of the other character, or one frame of it.
        mesh: The other character's skin; it says where its soles are.
        roles: Joint names of the source whose role is given rather than guessed.
        target_roles: The same of the target.

    Raises:
        InputError: A skeleton lacks the roles a body needs.
    """
    theirs, ours = guess_roles(source.skeleton, roles), guess_roles(target.skeleton, target_roles)
    their_plan = build_body(source, theirs)
    try:
        moved, scale = retarget(source, theirs, target, ours)
        plan = build_body(moved, ours, mesh=mesh)
    except InputError as error:
        raise InputError(error.problem, source=target.source.path or target.name, place=error.place) from error
    their_frames = body_frames(their_plan, generalized_from_clip(their_plan, source))
    rows = generalized_from_clip(plan, moved)
    frames = body_frames(plan, rows)
    floor = ground_height(their_plan, their_frames)
    wider = 0.5 * (_width(plan) - scale * _width(their_plan))
    solver = LimbSolver(plan, LimbOptions(limits=False))
    goals, lifts = LimbGoals.none(len(rows), len(solver.names)), []
    for side, role in enumerate(_FEET):
        limb, body = solver.names.index(role), plan.with_role(role)[0]
        ankle = scale * their_frames.positions[:, their_plan.with_role(role)[0]]
        aside = (1.0, -1.0)[side] * wider * _leftward(plan, rows, moved.rate)
        place = _planted(
            ankle,
            _pivots(their_plan, their_frames, side),
            _pivots(plan, frames, side, body),
            scale,
            floor,
            their_plan.stature,
            moved.rate,
        )
        goals.positions[:, limb] = place + aside
        goals.rotations[:, limb] = frames.rotations[:, body]
        goals.weights[:, limb, :2] = 1.0
        lifts.append(place[:, 2] - ankle[:, 2])
    rows[:, 2] += float(np.median(lifts))
    solver.solve(rows, goals)
    rows[:, 2] += floor - ground_height(plan, body_frames(plan, rows))
    return clip_from_generalized(plan, rows, moved)


def _width(plan: BodyPlan) -> float:
    """Distance between the hip joints [m]."""
    left, right = plan.offsets[[*plan.with_role("left_thigh"), *plan.with_role("right_thigh")]]
    return float(np.linalg.norm(left - right))


def _leftward(plan: BodyPlan, rows: Array, rate: float) -> Array:
    """Horizontal unit vector to the character's left, without the pelvis' swing, shape (T, 3)."""
    turn = quat.mul(rows[:, 3:7], quat.conj(plan.neutral[0]))
    left = quat.rotate(turn, np.array([0.0, 1.0, 0.0])) * np.array([1.0, 1.0, 0.0])
    calm = gaussian_filter1d(left, _CALM * rate, axis=0, mode="nearest")
    return np.asarray(calm / np.maximum(np.linalg.norm(calm, axis=1, keepdims=True), 1e-9))


def _pivots(plan: BodyPlan, frames: BodyFrames, side: int, ankle: int | None = None) -> Array:
    """Middle of heel and of ball of a foot [m], shape (T, 2, 3), in the world or as seen from the ankle."""
    points = sole_points(plan, frames)[:, 4 * side : 4 * side + 4].reshape(-1, 2, 2, 3).mean(axis=2)
    return np.asarray(points if ankle is None else points - frames.positions[:, None, ankle])


def _planted(ankle: Array, theirs: Array, own: Array, scale: float, floor: float, stature: float, rate: float) -> Array:
    """Where the ankle goes (T, 3), so that the lower of heel and ball moves as the source's does.

    Args:
        ankle: Of the source, scaled [m], shape (T, 3).
        theirs: Heel and ball of the source [m], shape (T, 2, 3).
        own: The same of the target, from its ankle [m].
        scale: Of the target's legs in the source's.
        floor: Height of the source's ground [m].
        stature: Of the source [m].
        rate: Frames per second.
    """
    heights = theirs[..., 2] - floor
    lowest = heights.min(axis=1)
    share = np.exp(-(heights - lowest[:, None]) / (_NEAR * stature))
    share /= share.sum(axis=1, keepdims=True)
    free = np.clip((lowest / stature - _STANDS) / (_SWINGS - _STANDS), 0.0, 1.0)
    keep = np.exp(-free / (_RETURN * rate))
    drift = np.diff(scale * theirs - own, axis=0) - np.diff(ankle, axis=0)[:, None]
    middle = 0.5 * (share[1:] + share[:-1])
    steps = (middle[..., None] * drift).sum(axis=1)
    place, away = ankle.copy(), np.zeros(2)
    for frame, step in enumerate(steps, start=1):
        away = keep[frame] * (away + step[:2])
        place[frame, :2] += away
    place[:, 2] = floor + (share * (scale * heights - own[..., 2])).sum(axis=1)
    return place
