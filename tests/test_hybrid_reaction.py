"""The reaction of a kinematic limb against MuJoCo, closed forms, and Newton's laws for point masses by finite differences."""

from __future__ import annotations

import mujoco as mj
import numpy as np
import pytest

from poise.errors import InputError
from poise.hybrid.reaction import Connector, Limb, LimbMotion, motion_from_keys, reaction
from poise.math import quat

DOWN = np.array([0.3, -0.2, -9.81])


def random_limb(rng: np.random.Generator, count: int) -> Limb:
    moments = [0.01 * a @ a.T for a in rng.normal(size=(count, 3, 3))]
    inertias = np.array([np.trace(m) * np.eye(3) - m for m in moments])
    parents = np.array([-1, *(rng.integers(0, body) for body in range(1, count))], dtype=np.int64)
    return Limb(
        parents,
        rng.normal(size=(count, 3)),
        quat.normalize(rng.normal(size=(count, 4))),
        rng.uniform(0.2, 3.0, count),
        0.2 * rng.normal(size=(count, 3)),
        inertias,
    )


def random_motion(rng: np.random.Generator, count: int) -> LimbMotion:
    rotations = quat.normalize(rng.normal(size=(count, 4)))
    return LimbMotion.of(rotations, rng.normal(size=(count, 3)), 5.0 * rng.normal(size=(count, 3)))


def mujoco_tree(limb: Limb) -> mj.MjModel:
    """A free unit sphere of mass 1 with the limb on it."""
    spec = mj.MjSpec()
    spec.option.gravity = DOWN
    base = spec.worldbody.add_body(mass=1.0, inertia=[0.4, 0.4, 0.4], explicitinertial=True)
    base.add_freejoint()
    made = []
    for body, parent in enumerate(limb.parents):
        above = base if parent < 0 else made[parent]
        child = above.add_body(pos=limb.offsets[body], quat=limb.bind_rotations[body], mass=limb.masses[body])
        tensor = limb.inertias[body]
        child.ipos, child.explicitinertial = limb.centres[body], True
        child.fullinertia = [*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]]
        child.add_joint(name=str(body), type=mj.mjtJoint.mjJNT_BALL)
        made.append(child)
    return spec.compile()


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_agree_with_mujoco(seed: int) -> None:
    rng = np.random.default_rng(seed)
    limb = random_limb(rng, 1 + seed % 7)
    motion = random_motion(rng, len(limb))
    turn, spin, turning, push = quat.normalize(rng.normal(size=4)), *rng.normal(size=(3, 3))
    model = mujoco_tree(limb)
    data = mj.MjData(model)
    joints = [model.joint(str(body)) for body in range(len(limb))]  # MuJoCo goes through a tree depth first
    positions = np.concatenate([joint.qposadr[0] + np.arange(4) for joint in joints])
    freedoms = np.concatenate([joint.dofadr[0] + np.arange(3) for joint in joints])
    data.qpos[3:7], data.qpos[positions] = turn, motion.table[:, :4].ravel()
    data.qvel[3:6], data.qvel[freedoms] = spin, motion.table[:, 4:7].ravel()
    data.qvel[:3] = rng.normal(size=3)  # does not matter
    data.qacc[:3], data.qacc[3:6], data.qacc[freedoms] = push, turning, motion.table[:, 7:].ravel()
    mj.mj_kinematics(model, data)
    mj.mj_comPos(model, data)
    mj.mj_comVel(model, data)
    needed = np.zeros(model.nv)
    mj.mj_rne(model, data, 1, needed)

    answer = reaction(limb, Connector(turn, spin, turning, push), motion, DOWN)

    wrench = answer.wrench()
    force = (push - DOWN) - needed[:3]
    about_origin = quat.rotate(turn, 0.4 * turning - needed[3:6])
    torque = about_origin - np.cross(quat.rotate(turn, limb.offsets[0]), force)
    assert np.abs(wrench.force - force).max() < 1e-8
    assert np.abs(wrench.torque - torque).max() < 1e-8
    assert np.abs(answer.torques.ravel() - needed[freedoms]).max() < 1e-8


def test_a_limb_at_rest_weighs_what_it_weighs(rng: np.random.Generator) -> None:
    limb = random_limb(rng, 6)
    turn = quat.normalize(rng.normal(size=4))
    motion = LimbMotion.of(quat.normalize(rng.normal(size=(6, 4))), np.zeros((6, 3)), np.zeros((6, 3)))
    answer = reaction(limb, Connector(turn), motion)

    weight = np.array([0.0, 0.0, -9.81])
    centres = particles(limb, turn, np.zeros(3), motion.table[:, :4])[0].reshape(6, 6, 3).mean(axis=1)
    first = quat.rotate(turn, limb.offsets[0])
    moment = np.sum(np.cross(centres - first, limb.masses[:, None] * weight), axis=0)
    assert np.allclose(answer.static.force, limb.mass * weight, atol=1e-12)
    assert np.allclose(answer.static.torque, moment, atol=1e-12)
    assert not np.any(answer.dynamic.force)
    assert not np.any(answer.dynamic_torques)


def particles(limb: Limb, turn: np.ndarray, place: np.ndarray, rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each body as six point masses with its mass, centre and inertia: world positions (6 n, 3) and joint positions (n, 3)."""
    points, joints, frames = [], [], []
    for body, parent in enumerate(limb.parents):
        above_q, above_p = (turn, place) if parent < 0 else (frames[parent], joints[parent])
        joints.append(above_p + quat.rotate(above_q, limb.offsets[body]))
        frames.append(quat.mul(above_q, quat.mul(limb.bind_rotations[body], rotations[body])))
        moments, axes = np.linalg.eigh(limb.inertias[body])
        spread = np.sqrt(3.0 * np.maximum(0.5 * moments.sum() - moments, 0.0) / limb.masses[body])
        local = np.concatenate([spread[:, None] * axes.T, -spread[:, None] * axes.T]) + limb.centres[body]
        points.append(joints[-1] + quat.rotate(frames[-1], local))
    return np.concatenate(points), np.array(joints)


def test_newton_for_point_masses_by_finite_differences(rng: np.random.Generator) -> None:
    """Positions alone: accelerations of all particles by sixth-order differences, forces and moments by summing."""
    count, h = 4, 4e-3
    limb = random_limb(rng, count)
    axes, phases = rng.normal(size=(count + 1, 3)), rng.uniform(0, 6, (count + 1, 3))
    way = rng.normal(size=3)

    def pose(time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        turns = quat.exp(axes * np.sin(3.0 * time + phases))
        return turns[0], way * np.sin(2.0 * time), turns[1:]

    offsets = np.arange(-3, 4)
    second = np.array([1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90]) / h**2
    samples = [particles(limb, *pose(step * h)) for step in offsets]
    acceleration = sum(c * points for c, (points, _) in zip(second, samples, strict=True))
    pull = np.repeat(limb.masses / 6.0, 6)[:, None] * (acceleration - DOWN)
    points, joints = samples[3]

    fine = 1e-4
    spin, turning = angular(*(pose(step * fine)[0] for step in (-1, 0, 1)), fine)
    push = sum(c * pose(step * h)[1] for c, step in zip(second, offsets, strict=True))
    motion = motion_from_keys(*(pose(step * fine)[2] for step in (-1, 0, 1)), fine)
    answer = reaction(limb, Connector(pose(0.0)[0], spin, turning, push), motion, DOWN)

    wrench = answer.wrench()
    assert np.allclose(wrench.force, -pull.sum(axis=0), rtol=1e-5, atol=1e-4)
    assert np.allclose(wrench.torque, -np.cross(points - joints[0], pull).sum(axis=0), rtol=1e-5, atol=1e-4)
    leaf = count - 1
    own = slice(6 * leaf, 6 * count)
    moment = np.cross(points[own] - joints[leaf], pull[own]).sum(axis=0)
    assert np.linalg.norm(answer.torques[leaf]) == pytest.approx(np.linalg.norm(moment), rel=1e-5)


def angular(before: np.ndarray, now: np.ndarray, after: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration in the own frame from rotation vectors between keys."""
    back, ahead = quat.log(quat.mul(quat.conj(now), before)) / h, quat.log(quat.mul(quat.conj(now), after)) / h
    return 0.5 * (ahead - back), (ahead + back) / h


def test_keys_give_the_velocity_in_the_childs_frame() -> None:
    """A turn about a moving axis, where the paper's order of factors would give the parent's frame."""
    h, tilt, rate = 1e-4, quat.exp(np.array([0.7, 0.0, 0.0])), 2.0
    keys = [quat.mul(quat.exp([0.0, 0.0, rate * t]), tilt)[None] for t in (-h, 0.0, h)]
    flipped = motion_from_keys(keys[0], -keys[1], keys[2], h)
    in_child = quat.rotate(quat.conj(tilt), [0.0, 0.0, rate])
    assert np.allclose(flipped.table[0, 4:7], in_child, atol=1e-6)
    assert np.allclose(flipped.table[0, 7:], 0.0, atol=1e-4)
    assert not np.allclose(in_child, [0.0, 0.0, rate], atol=0.1)


def test_k_scales_what_moves_and_the_printed_form_scales_all(rng: np.random.Generator) -> None:
    limb = random_limb(rng, 3)
    answer = reaction(limb, Connector(), random_motion(rng, 3))
    assert np.allclose(answer.wrench(0.0).force, answer.static.force)
    assert np.allclose(answer.wrench(0.5).torque, answer.static.torque + 0.5 * answer.dynamic.torque)
    assert np.allclose(answer.wrench(0.5, "published").force, 0.5 * answer.wrench().force)


def test_a_broken_limb_is_refused(rng: np.random.Generator) -> None:
    limb = random_limb(rng, 3)
    with pytest.raises(InputError, match="parents come before"):
        Limb(np.array([-1, 2, 0]), limb.offsets, limb.bind_rotations, limb.masses, limb.centres, limb.inertias)
    with pytest.raises(InputError, match="arrays of shapes"):
        Limb(limb.parents, limb.offsets[:2], limb.bind_rotations, limb.masses, limb.centres, limb.inertias)
