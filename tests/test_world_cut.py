"""The cut between motion and physics: every claim and every trap of `poise.world.cut`, on models of a few bodies."""

from __future__ import annotations

import mujoco as mj
import numpy as np
import pytest

from _builders import BODY, NONE, STEP, compiled, cut_of
from poise.errors import InputError
from poise.math import quat
from poise.signals import Mode
from poise.world import ARMATURE, Cut

# One driven joint of every kind, carrying a limp pendulum, above a loose box that it runs into.
JOINTS = {
    "free": '<freejoint name="driven"/>',
    "ball": '<joint name="driven" type="ball" pos="0 0 0.3"/>',
    "hinge": '<joint name="driven" type="hinge" axis="0.2 1 0.1" pos="0 0 0.3"/>',
    "slide": '<joint name="driven" type="slide" axis="1 0 0"/>',
}
LONE = f'<geom type="box" size="0.1 0.1 0.1" mass="5" {BODY}/></body>'
PENDULUM = f"""<body pos="0 0.2 0"><joint name="limp" type="ball"/>
    <geom type="capsule" fromto="0 0 0 0 0.1 -0.3" size="0.03" mass="1" {BODY}/></body>"""
OBSTACLE = f"""<body name="box" pos="0.27 0 0.3"><freejoint name="box"/>
    <geom type="box" size="0.1 0.1 0.3" mass="8" {BODY}/></body>"""


def driven_model(kind: str) -> mj.MjModel:
    return compiled(f'<body name="driven" pos="0 0 0.4">{JOINTS[kind]}{LONE[:-7]}{PENDULUM}</body>{OBSTACLE}')


def path(model: mj.MjModel, times: np.ndarray) -> np.ndarray:
    """Generalized positions of a lively drive on the joint "driven", whatever its kind."""
    joint = model.joint("driven")
    at, kind = int(joint.qposadr[0]), int(joint.type[0])
    rows = np.tile(model.qpos0, (len(times), 1))
    ease = np.sin(2.0 * np.pi * times)[:, None]
    turn = quat.exp(ease * np.array([0.2, -0.9, 0.3]) + np.sin(9.0 * times)[:, None] * np.array([0.1, 0.0, 0.2]))
    if kind == mj.mjtJoint.mjJNT_FREE:
        rows[:, at : at + 3] += ease * np.array([0.35, 0.05, -0.1])
        rows[:, at + 3 : at + 7] = turn
    elif kind == mj.mjtJoint.mjJNT_BALL:
        rows[:, at : at + 4] = turn
    else:
        rows[:, at] += (0.35 if kind == mj.mjtJoint.mjJNT_SLIDE else 1.2) * ease[:, 0]
    return rows


def error(model: mj.MjModel, positions: np.ndarray, target: np.ndarray) -> float:
    """Largest deviation of the driven joint [m or rad]."""
    joint = model.joint("driven")
    at, dof, kind = int(joint.qposadr[0]), int(joint.dofadr[0]), int(joint.type[0])
    away = np.zeros(model.nv)
    mj.mj_differentiatePos(model, away, 1.0, positions, target)
    count = {mj.mjtJoint.mjJNT_FREE: 6, mj.mjtJoint.mjJNT_BALL: 3}.get(kind, 1)
    assert np.isfinite(positions[at])
    return float(np.abs(away[dof : dof + count]).max())


def follow(model: mj.MjModel, cut: Cut, seconds: float = 1.0, rows: int = 8) -> tuple[float, float]:
    """Play the path in ticks of `rows` substeps; returns the worst error of any substep and the contact impulse."""
    data, worst, impulse = mj.MjData(model), 0.0, 0.0
    forces = np.zeros((rows, model.nv))
    for tick in range(round(seconds / STEP / rows)):
        targets = path(model, STEP * (tick * rows + np.arange(1.0, rows + 1)))
        forces[:] = 0.0
        cut.drive_forces(data.qpos, data.qvel, targets, forces)
        for row in range(rows):
            data.qfrc_applied[:] = forces[row]
            mj.mj_step(model, data)
            worst = max(worst, error(model, data.qpos, targets[row]))
            for contact in range(data.ncon):
                if "driven" in (model.body(model.geom_bodyid[g]).name for g in data.contact[contact].geom):
                    impulse += STEP * data.efc_force[data.contact[contact].efc_address]
    return worst, impulse


@pytest.mark.parametrize("kind", JOINTS)
def test_a_driven_joint_is_where_its_drive_is_at_every_substep(kind: str) -> None:
    model = driven_model(kind)
    worst, impulse = follow(model, cut_of(model, "driven"))
    assert impulse > 0.3, "the drive ran into the box"
    assert worst < 1e-9


@pytest.mark.parametrize("kind", JOINTS)
def test_a_driven_lone_body_follows_only_with_its_simple_mass_written(kind: str) -> None:
    model = compiled(f'<body name="driven" pos="0 0 0.4">{JOINTS[kind]}{LONE}')
    own = np.array(model.dof_M0)
    cut = cut_of(model, "driven")
    assert follow(model, cut)[0] < 1e-9
    assert nudge(model, cut) < 1e-11
    simple = bool((model.dof_simplenum > 0).any())
    assert simple == (kind in ("free", "slide"))
    model.dof_M0[:] = own
    assert nudge(model, cut) > 1.0 if simple else nudge(model, cut) < 1e-11


def nudge(model: mj.MjModel, cut: Cut) -> float:
    """Error after one substep whose target is a hundred millionth away."""
    data, target, forces = mj.MjData(model), path(model, np.zeros(1)), np.zeros((1, model.nv))
    mj.mj_integratePos(model, target[0], np.full(model.nv, 1e-8), 1.0)
    cut.drive_forces(data.qpos, data.qvel, target, forces)
    data.qfrc_applied[:] = forces[0]
    mj.mj_step(model, data)
    return error(model, data.qpos, target[0])


def test_the_first_row_starts_from_the_state_so_errors_do_not_add_up() -> None:
    model = driven_model("ball")
    cut, data = cut_of(model, "driven"), mj.MjData(model)
    at = int(model.joint("driven").qposadr[0])
    data.qpos[at : at + 4] = quat.exp([0.3, 0.2, -0.4])
    data.qvel[:] = 0.7
    forces, target = np.zeros((1, model.nv)), path(model, np.array([0.1]))
    cut.drive_forces(data.qpos, data.qvel, target, forces)
    data.qfrc_applied[:] = forces[0]
    mj.mj_step(model, data)
    assert error(model, data.qpos, target[0]) < 1e-9


ARMS = f"""<body name="trunk" pos="0 0 3"><freejoint name="trunk"/><geom type="box" size="0.15 0.2 0.3" mass="30" {NONE}/>
    <body pos="0 0.3 0.2"><joint name="left" type="ball"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" mass="4" {NONE}/>
        <body pos="0 0 -0.5"><joint name="elbow" type="hinge" axis="0 1 0"/>
            <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" mass="2" {NONE}/></body></body>
    <body pos="0 -0.3 0.2"><joint name="right" type="ball"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" mass="4" {NONE}/></body></body>"""


def arm_swing(times: np.ndarray) -> np.ndarray:
    """Arms that start from rest and swing; shape (n, nq) of `ARMS`."""
    rows = np.zeros((len(times), 16))
    rows[:, 3] = 1.0
    grow = 1.0 - np.cos(np.array([5.0, 4.0, 6.0]) * times[:, None])
    rows[:, 7:11] = quat.exp(grow * np.array([0.6, 0.8, 0.3]))
    rows[:, 11] = 0.7 * (1.0 - np.cos(7.0 * times))
    rows[:, 12:16] = quat.exp(-grow * np.array([0.3, 0.9, -0.2]))
    return rows


def momentum_drift(step: float) -> tuple[np.ndarray, np.ndarray]:
    """Largest momentum, linear [N s] and angular [N m s], of a floating body that swings its arms; and one arm's own."""
    model = compiled(ARMS, gravity=0.0, step=step)
    cut, data, probe = cut_of(model, "left", "elbow", "right"), mj.MjData(model), mj.MjData(model)
    count = round(1.0 / step)
    forces, worst, arms = np.zeros((count, model.nv)), np.zeros(2), np.zeros(2)
    cut.drive_forces(data.qpos, data.qvel, arm_swing(step * np.arange(1.0, count + 1)), forces)
    for row in forces:
        data.qfrc_applied[:] = row
        mj.mj_step(model, data)
        probe.qpos[:], probe.qvel[:] = data.qpos, data.qvel
        mj.mj_fwdPosition(model, probe)
        mj.mj_fwdVelocity(model, probe)
        mj.mj_subtreeVel(model, probe)
        mass, linear, angular = model.body_subtreemass, probe.subtree_linvel, probe.subtree_angmom
        worst = np.maximum(worst, [mass[1] * np.linalg.norm(linear[1]), np.linalg.norm(angular[1])])
        arms = np.maximum(arms, [mass[2] * np.linalg.norm(linear[2]), np.linalg.norm(angular[2])])
    return worst, arms


def test_momentum_of_a_floating_body_with_driven_arms_drifts_at_first_order_in_the_step() -> None:
    drifts = []
    for step in (0.004, 0.002, 0.001, 0.0005):
        drift, arms = momentum_drift(step)
        drifts.append(drift)
    ratios = np.array(drifts[:-1]) / np.array(drifts[1:])
    assert np.all(np.abs(ratios - 2.0) < 0.05), ratios
    # The arms' momentum is real, and the trunk takes up all but a sliver of it: their reaction is felt.
    assert arms[0] > 5.0
    assert drifts[-1][0] < 0.01 * arms[0]


def hybrid_acceleration(model: mj.MjModel, data: mj.MjData, wanted: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Featherstone's hybrid dynamics, solved by hand: accelerations of the `free` dofs when the others have `wanted`."""
    mass = np.zeros((model.nv, model.nv))
    mj.mj_fullM(model, data, mass)
    driven = np.setdiff1d(np.arange(model.nv), free)
    right = -data.qfrc_bias[free] - mass[np.ix_(free, driven)] @ wanted[driven]
    return np.linalg.solve(mass[np.ix_(free, free)], right)


@pytest.mark.parametrize("driven", [("left", "elbow", "right"), ("trunk",), ("trunk", "left")])
def test_the_rest_of_the_body_feels_the_true_reaction(driven: tuple[str, ...], rng: np.random.Generator) -> None:
    plain, model = compiled(ARMS), compiled(ARMS)
    cut = cut_of(model, *driven)
    free = np.flatnonzero(model.dof_armature < 1.0)
    for _ in range(10):
        data, reference = mj.MjData(model), mj.MjData(plain)
        velocity, wanted = rng.normal(size=model.nv), 10.0 * rng.normal(size=model.nv)
        data.qpos[:], data.qvel[:] = arm_swing(rng.uniform(0.1, 1.0, size=1))[0], velocity
        reference.qpos[:], reference.qvel[:] = data.qpos, data.qvel
        mj.mj_forward(plain, reference)
        target = data.qpos.copy()
        mj.mj_integratePos(model, target, velocity + STEP * wanted, STEP)
        forces = np.zeros((1, model.nv))
        cut.drive_forces(data.qpos, data.qvel, target[None], forces)
        data.qfrc_applied[:] = forces[0]
        mj.mj_step(model, data)
        expected = hybrid_acceleration(plain, reference, wanted, free)
        got = (data.qvel - velocity) / STEP
        assert np.abs(got[free] - expected).max() < 1e-6 * np.abs(expected).max()
        assert np.abs(np.delete(got - wanted, free)).max() < 1e-6


def hand(trunk: str, tolerance: float = 1e-14) -> mj.MjModel:
    """A two-link arm that reaches the floor from a trunk with the given joint, or from one fixed to the world."""
    arm = f"""<body name="upper" pos="0 0.3 0"><joint type="ball" armature="0.001" damping="0.5"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" mass="3" {BODY}/>
        <body name="hand" pos="0 0 -0.5"><joint type="ball" armature="0.001" damping="0.5"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" mass="2" {BODY}/></body></body>"""
    apart = '<contact><exclude body1="trunk" body2="upper"/><exclude body1="trunk" body2="hand"/></contact>'
    box = f'<geom type="box" size="0.15 0.2 0.3" mass="30" {BODY}/>'
    return compiled(f'<body name="trunk" pos="0 0 1">{trunk}{box}{arm}</body>', extra=apart, tolerance=tolerance)


def contact_acceleration(model: mj.MjModel, arm: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """Acceleration of the arm from a cold start, with the trunk at rest where it is driven; zeros when nothing touches."""
    data = mj.MjData(model)
    data.qpos[-8:], data.qvel[-6:] = arm, velocity
    data.qacc_warmstart[:] = 0.0
    mj.mj_forward(model, data)
    return data.qacc[-6:].copy() if data.ncon else np.zeros(6)


def hand_deviation(model: mj.MjModel, fixed: mj.MjModel) -> float:
    """Worst relative difference of the accelerations of a hand in contact between two models, over 30 states."""
    generator, seen, worst = np.random.default_rng(1), 0, 0.0
    while seen < 30:
        arm = quat.exp(0.25 * generator.normal(size=(2, 3))).ravel()
        velocity = generator.normal(size=6)
        expected = contact_acceleration(fixed, arm, velocity)
        if expected.any():
            seen += 1
            got = contact_acceleration(model, arm, velocity)
            worst = max(worst, float(np.linalg.norm(got - expected) / np.linalg.norm(expected)))
    return worst


def under_driven_trunk(armature: float, tolerance: float = 1e-14) -> mj.MjModel:
    """The hand under a `MOTION` trunk.

    MuJoCo scales contact softness with constants of the model as compiled, for which the trunk is free and gives way a
    little; they are made equal here, so that the two models state the same problem.
    """
    model, fixed = hand('<freejoint name="trunk"/>', tolerance), hand("")
    model.body_invweight0[:] = fixed.body_invweight0
    model.dof_invweight0[6:] = fixed.dof_invweight0
    cut_of(model, "trunk", armature=armature)
    return model


@pytest.mark.parametrize("armature", [1e8, 1e10])
def test_a_hand_in_contact_moves_as_under_a_trunk_fixed_to_the_world(armature: float) -> None:
    assert hand_deviation(under_driven_trunk(armature), hand("")) < 1e-6


def test_without_the_cut_the_same_hand_moves_otherwise() -> None:
    free = hand('<freejoint name="trunk"/>')
    assert hand_deviation(free, hand("")) > 1e-2


def test_trap_the_default_tolerance_stops_the_contact_solver_early() -> None:
    assert hand_deviation(under_driven_trunk(ARMATURE, tolerance=1e-8), hand("")) > 1e-2
    assert hand_deviation(under_driven_trunk(ARMATURE, tolerance=1e-14), hand("")) < 1e-6


def test_trap_constants_computed_again_with_the_armature_change_contact_stiffness() -> None:
    # A driven foot 2 cm inside a loose block: with recomputed constants MuJoCo takes it for something immovable and hard.
    def force(recompute: bool) -> float:
        foot = (
            f'<body pos="0 0 0.48"><freejoint name="foot"/><geom type="box" size="0.1 0.1 0.1" mass="1" {BODY}/></body>'
        )
        block = (
            f'<body pos="0 0 0.2"><freejoint name="block"/><geom type="box" size="0.2 0.2 0.2" mass="9" {BODY}/></body>'
        )
        model = compiled(foot + block)
        cut_of(model, "foot", "block")
        model.geom_contype[1:], model.geom_conaffinity[1:] = 2, 7
        data = mj.MjData(model)
        if recompute:
            mj.mj_setConst(model, data)
        mj.mj_forward(model, data)
        return float(np.abs(data.efc_force).max())

    plain, recomputed = force(False), force(True)
    assert recomputed > 1e3 * plain


@pytest.mark.parametrize(("before", "after"), [(Mode.MOTION, Mode.PASSIVE), (Mode.PASSIVE, Mode.MOTION)])
def test_a_mode_switch_keeps_the_numbers_and_the_next_step_obeys_the_new_mode(before: Mode, after: Mode) -> None:
    model, fresh = compiled(ARMS), compiled(ARMS)
    cut, data = cut_of(model), mj.MjData(model)
    cut.set(("left", "elbow"), before)

    def forces(of: Cut, start: float, state: mj.MjData) -> np.ndarray:
        rows = np.zeros((8, model.nv))
        of.drive_forces(state.qpos, state.qvel, arm_swing(start + STEP * np.arange(1.0, 9.0)), rows)
        return rows

    for tick in range(10):
        for row in forces(cut, 8 * tick * STEP, data):
            data.qfrc_applied[:] = row
            mj.mj_step(model, data)
    positions, velocities = data.qpos.copy(), data.qvel.copy()
    cut.set(("left", "elbow"), after)
    assert np.array_equal(data.qpos, positions)
    assert np.array_equal(data.qvel, velocities)

    other = cut_of(fresh)
    other.set(("left", "elbow"), after)
    reference = mj.MjData(fresh)
    reference.qpos[:], reference.qvel[:] = positions, velocities
    reference.qfrc_applied[:] = forces(other, 80 * STEP, reference)[0]
    mj.mj_forward(fresh, reference)
    data.qfrc_applied[:] = forces(cut, 80 * STEP, data)[0]
    mj.mj_step(model, data)
    scale = np.abs(reference.qacc).max()
    assert scale > 1.0
    assert np.abs((data.qvel - velocities) / STEP - reference.qacc).max() < 1e-6 * scale
    # The new mode is another one: what its acceleration is, the old mode's was not.
    driven = hybrid_of(positions, velocities, arm_swing(np.array([81 * STEP]))[0], after)
    assert np.abs((data.qvel - velocities) / STEP - driven).max() < 1e-6 * np.abs(driven).max()


def hybrid_of(positions: np.ndarray, velocities: np.ndarray, target: np.ndarray, mode: Mode) -> np.ndarray:
    """Accelerations of `ARMS` with left arm and elbow in `mode`, from mass matrix and bias alone."""
    model = compiled(ARMS)
    data = mj.MjData(model)
    data.qpos[:], data.qvel[:] = positions, velocities
    mj.mj_forward(model, data)
    rate, wanted = np.zeros(model.nv), np.zeros(model.nv)
    mj.mj_differentiatePos(model, rate, STEP, positions, target)
    driven = np.arange(6, 10) if mode is Mode.MOTION else np.zeros(0, dtype=int)
    wanted[driven] = (rate - velocities)[driven] / STEP
    free = np.setdiff1d(np.arange(model.nv), driven)
    wanted[free] = hybrid_acceleration(model, data, wanted, free)
    return wanted


def test_modes_by_name_by_index_and_all_at_once() -> None:
    model = compiled(ARMS)
    cut = cut_of(model, "left")
    assert cut.mode("left") is Mode.MOTION
    assert cut.mode("right") is Mode.PASSIVE
    saved = cut.modes
    cut.assign(np.array([0, 3]), np.array([Mode.TORQUE, Mode.MOTION]))
    assert [cut.mode(name) for name in ("trunk", "left", "elbow", "right")] == [1, 2, 0, 2]
    assert (model.dof_armature > 1.0).tolist() == [False] * 6 + [True] * 3 + [False] + [True] * 3
    cut.set_all(saved)
    assert np.array_equal(cut.modes, saved)
    assert np.array_equal(model.dof_armature[9:], np.zeros(4))


def test_an_unknown_joint_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown joint 'tail'; known: elbow, left, right, trunk"):
        cut_of(compiled(ARMS)).set("tail", Mode.MOTION)
