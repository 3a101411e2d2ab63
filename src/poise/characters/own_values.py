"""Where a motion that came out is still the clip's own: there the clip's own values are, before any filter.

Physics follows the filtered clip, and muscles follow it closely, not exactly. So what comes out differs a little from what
was given even where nothing happened. Nothing happened to a body while no behavior changed its pose, nothing touched its limb,
and its muscles kept all that hangs on it to a few millimetres of where it was meant to be, and while the same is true of what
it hangs on. Between that and the rest is a short way over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.math import quat
from poise.motion.clip import Clip

__all__ = ["change_shares", "led_elsewhere", "with_own_values"]

Array = NDArray[np.float64]

_NEAR = 0.005
"""What hangs on a body that is turned away from where it was meant to be moves no further than this [m]."""
_HAND = 0.15
"""What the last body of a limb reaches beyond its joint [m], on a person of the mean height."""
_OVER = 0.15
"""How long the way over takes [s]."""
_SAME = 1e-6
"""Two poses that differ by less are the same [quaternion components, m]."""


def change_shares(
    plan: BodyPlan,
    physical: NDArray[np.bool_],
    skeletons: tuple[Array, Array, Array],
    touched: NDArray[np.bool_],
    rate: float,
    *,
    on_purpose: bool = True,
) -> Array:
    """How much of what came out is to be taken for each body at each frame, the rest being the clip's own, shape (T, B).

    Args:
        plan: The bodies.
        physical: Which were ever moved by anything but the clip, shape (B,).
        skeletons: Generalized positions as they come out, the kinematic skeletons and the input skeletons, shape (T, nq) each.
        touched: Which bodies something touched in each frame, or led elsewhere, shape (T, B).
        rate: Frames per second.
        on_purpose: Whether behaviors change the pose by however little, as breath does; else only what is pushed yields, and
            what yields by less than muscles let it counts as nothing.
    """
    output, kinematic, source = skeletons
    edited = _by_body(kinematic != source) if on_purpose else _away(plan, kinematic, source)
    away = _away(plan, output, kinematic)
    limbs = _limbs(plan, physical)
    in_touch = np.stack([touched[:, limbs == limb].any(axis=1) for limb in limbs], axis=1)
    changed = edited | (physical & away) | in_touch
    for body in range(1, len(plan)):
        changed[:, body] |= changed[:, plan.parents[body]]
    return _spread(changed, max(round(_OVER * rate), 1))


def led_elsewhere(source: Array, clip: Array) -> NDArray[np.bool_]:
    """Bodies that had another motion to follow than the clip's, as a group gives its people theirs, shape (T, B).

    Args:
        source: Input skeletons, shape (T, nq).
        clip: The clip in generalized positions, shape (T, nq).
    """
    one, other = _rotations(source), _rotations(clip)
    apart = np.minimum(np.abs(one - other).max(axis=2), np.abs(one + other).max(axis=2))
    led: NDArray[np.bool_] = apart > _SAME
    led[:, 0] |= np.abs(source[:, :3] - clip[:, :3]).max(axis=1) > _SAME
    return led


def with_own_values(plan: BodyPlan, clips: tuple[Clip, Clip, Clip], shares: Array, late: NDArray[np.bool_]) -> Clip:
    """A clip between what was given and what came out, exactly the one at share 0 and exactly the other at share 1.

    The trembling of a recorded joint is often made up for by the joints that hang on it. So a joint that hangs on one of the
    clip's own and is none itself keeps the orientation it came out with in the world, without what trembles above it.

    Args:
        plan: The bodies.
        clips: What was given, what of it the physics followed, and what came out, frame by frame.
        shares: Of the latter, by body, shape (T, B), nowhere less than of the body it hangs on.
        late: Frames at which the clip was slowed down, which are the latter's throughout, shape (T,).
    """
    own, _, moved = clips
    share = _of_joints(plan, shares)
    share[late] = 1.0
    rotations = _between(clips, share)
    if np.array_equal(moved.translated, own.translated):
        share = share[:, plan.joints[:1], None]
        between = own.translations + share * (moved.translations - own.translations)
        translations = np.where(share == 0.0, own.translations, np.where(share == 1.0, moved.translations, between))
    else:
        translations = moved.translations if share[:, plan.joints[0]].any() else own.translations
    return moved.with_motion(rotations, translations)


def _of_joints(plan: BodyPlan, shares: Array) -> Array:
    """Shares of all joints, shape (T, J): what is no body goes with what it hangs on, what holds the pelvis with the pelvis."""
    joints = plan.skeleton.parents
    bodies = {int(joint): body for body, joint in enumerate(plan.joints)}
    of = np.zeros(len(joints), dtype=np.int64)
    for joint, parent in enumerate(joints):
        of[joint] = bodies.get(joint, of[parent] if parent >= 0 else 0)
    return shares[:, of]


def _between(clips: tuple[Clip, Clip, Clip], share: Array) -> Array:
    """Local rotations between a clip's own and those that came out, shape (T, J, 4)."""
    own, followed, moved = clips
    trembling = quat.mul(quat.conj(followed.world()[0]), own.world()[0])
    trembling = quat.exp((1.0 - share)[..., None] * quat.log(trembling))
    rotations = quat.mul(quat.slerp(followed.rotations, moved.rotations, share), trembling)
    for joint, parent in enumerate(own.skeleton.parents):
        if parent >= 0:
            rotations[:, joint] = quat.mul(quat.conj(trembling[:, parent]), rotations[:, joint])
    above = share[:, np.maximum(own.skeleton.parents, 0)]
    rotations = np.where((above == 1.0)[..., None], moved.rotations, rotations)
    # What only rides, as fingers do, was neither filtered nor moved; on the way over it is its own to the last bit, too.
    rides = (own.rotations == followed.rotations) & (own.rotations == moved.rotations)
    return np.where((share == 0.0)[..., None] | rides.all(axis=2, keepdims=True), own.rotations, rotations)


def _away(plan: BodyPlan, rows: Array, others: Array) -> NDArray[np.bool_]:
    """Bodies that are turned so that what hangs on them is further than a little from where it was, shape (T, B)."""
    away: NDArray[np.bool_] = quat.angle_between(_rotations(rows), _rotations(others)) * _reaches(plan) > _NEAR
    away[:, 0] |= np.linalg.norm(rows[:, :3] - others[:, :3], axis=1) > _NEAR
    return away


def _rotations(rows: Array) -> Array:
    return rows[:, 3:].reshape(len(rows), -1, 4)


def _by_body(changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Bodies any of whose coordinates changed, shape (T, B); the pelvis' place is its own."""
    bodies: NDArray[np.bool_] = np.any(changed[:, 3:].reshape(len(changed), -1, 4), axis=2)
    bodies[:, 0] |= changed[:, :3].any(axis=1)
    return bodies


def _reaches(plan: BodyPlan) -> Array:
    """How far what hangs on each body is from its joint at most [m], shape (B,)."""
    reaches = np.full(len(plan), _HAND * plan.size)
    for body in range(len(plan) - 1, 0, -1):
        parent = plan.parents[body]
        reaches[parent] = max(reaches[parent], float(np.linalg.norm(plan.offsets[body])) + reaches[body])
    return reaches


def _limbs(plan: BodyPlan, physical: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Of each body the first of its limb: physical bodies that hang together are one."""
    first = np.arange(len(plan))
    for body in range(1, len(plan)):
        if physical[body] and physical[plan.parents[body]]:
            first[body] = first[plan.parents[body]]
    return first


def _spread(changed: NDArray[np.bool_], frames: int) -> Array:
    """1 where something changed, falling to 0 by a quintic over so many frames before and after."""
    shares = changed.astype(np.float64)
    for away in range(1, min(frames, len(changed) - 1) + 1):
        left = 1.0 - away / (frames + 1.0)
        value = left**3 * (10.0 - left * (15.0 - 6.0 * left))
        shares[away:] = np.maximum(shares[away:], value * changed[:-away])
        shares[:-away] = np.maximum(shares[:-away], value * changed[away:])
    return shares
