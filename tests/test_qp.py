"""The quadratic program of many characters: Jacobians, Newton's laws, limits, and what gives way."""

from collections.abc import Iterator
from typing import Literal

import mujoco as mj
import numpy as np
import pytest

from poise.body.build import build_body
from poise.body.hinges import hinges_of
from poise.body.humanoid import humanoid
from poise.errors import InputError
from poise.groups import Group, Person
from poise.math import quat
from poise.motion.roles import guess_roles
from poise.qp import (
    CenterOfMassTask,
    Contact,
    Controller,
    ForceTask,
    FrameTask,
    GazeTask,
    JointTask,
    Kind,
    MomentumTask,
    Pair,
    Problem,
    Solver,
    Task,
    _kernels,
    grasp,
    planar,
    posture,
)
from poise.qp.collisions import Avoidance
from poise.qp.contacts import Touch
from poise.qp.machine import reached
from poise.world.system import Grip, Physics, System
from poise.world.things import Link, Shape, Thing

STEP = 0.005
DOOR = Thing(
    name="door",
    links=(
        Link(
            name="panel",
            joint="hinge",
            position=(1.0, 0.5, 0.0),
            damping=2.0,
            shapes=(Shape(kind="box", size=(0.02, 0.4, 1.0), position=(0.0, -0.4, 1.0), mass=20.0),),
        ),
        Link(
            name="knob",
            joint="hinge",
            parent="panel",
            position=(-0.08, -0.7, 1.0),
            axis=(1.0, 0.0, 0.0),
            stiffness=1.0,
            shapes=(Shape(kind="capsule", size=(0.015, 0.06, 0.0), mass=0.5),),
        ),
    ),
)
BAR = Thing(
    name="bar",
    links=(
        Link(
            name="bar",
            joint="free",
            position=(0.3, 0.0, 1.0),
            shapes=(Shape(kind="capsule", size=(0.02, 0.6, 0.0), rotation=(0.7071, 0.7071, 0.0, 0.0), mass=6.0),),
        ),
    ),
)


def person(stature: float = 1.7):
    clip = humanoid(stature)
    return build_body(clip, guess_roles(clip.skeleton))


def standing(*names: str, things: tuple[Thing, ...] = ()) -> System:
    """Characters side by side with bent knees, soles on the ground."""
    system = System({name: person() for name in names}, things)
    for number, name in enumerate(names):
        for joint, angle in (("thigh/y", -0.35), ("shank/y", 0.7), ("foot/y", -0.35), ("forearm/y", -0.5)):
            for side in ("left", "right"):
                system.set_joint(f"{name}/{side}_{joint}", angle)
        system.place(name, np.array([0.0, 1.0 * number, 0.9]))
        system.refresh()
        sole = system.positions[system.body(f"{name}/left_foot")][2] - 0.0663
        system.place(name, np.array([0.0, 1.0 * number, 0.9 - sole]))
    system.refresh()
    return system


def sole(name: str, side: str) -> Contact:
    foot = f"{name}/{side}_foot"
    return planar(
        foot, "world", foot, center=(0.061, 0.0, -0.0663), normal=(0, 0, 1), half=(0.12, 0.045), along=(1, 0, 0)
    )


def on_feet(system: System, *names: str, **options) -> Controller:
    controller = Controller(system, step=options.pop("step", STEP), **options)
    for name in names:
        for side in ("left", "right"):
            controller.touch(sole(name, side))
        controller.want(f"{name} rests", posture(system, name, stiffness=10.0, weight=1.0))
        task = CenterOfMassTask(owners=[name], target=(0.0, 0.0, 0.0), weight=100.0)
        task.begin(system)
        task.target = task.feature(system).error.copy()
        controller.want(f"{name} stands", task)
    return controller


def tasks() -> dict[str, Task]:
    turn = (0.9, 0.1, -0.3, 0.2)
    return {
        "joint": JointTask(joints=["door/panel", "a/left_shank/y"], target=[0.2, 0.1]),
        "center of mass": CenterOfMassTask(owners=["a", "bar"], target=(0.1, 0.2, 0.3)),
        "place": FrameTask(body="a/left_hand", point=(0.0, 0.1, -0.1), target=(0.3, 0.2, 0.9)),
        "turn": FrameTask(body="bar/bar", rotation=turn),
        "relative": FrameTask(body="a/right_hand", target=(0.0, 0.1, 0.1), against="bar/bar"),
        "gaze": GazeTask(body="a/head", place=(3.0, 1.0, 1.0)),
        "momentum": MomentumTask(owners=["a", "bar"]),
    }


def states(system: System) -> Iterator[np.random.Generator]:
    rng = np.random.default_rng(4)
    start = system.data.qpos.copy()
    for _ in range(3):
        system.data.qpos[:] = start
        mj.mj_integratePos(system.model, system.data.qpos, 0.3 * rng.normal(size=system.size), 1.0)
        system.data.qvel[:] = rng.normal(size=system.size)
        system.refresh()
        yield rng


@pytest.mark.parametrize("name", tasks())
def test_features_against_finite_differences(name: str) -> None:
    """Rate and Jacobian from two places, drift from two rates, where a rotation vector is small."""
    system, task, step = System({"a": person()}, [DOOR, BAR]), tasks()[name], 1e-6
    task.begin(system)
    for _ in states(system):
        if name == "turn":
            task.rotation = system.data.xquat[system.body("bar/bar")].copy()
        if name == "relative":
            back = system.rotations[system.body("bar/bar")].T
            away = system.positions[system.body("a/right_hand")] - system.positions[system.body("bar/bar")]
            task.target = back @ away
        if name == "gaze":
            head = system.body("a/head")
            task.place = system.positions[head] + 2.0 * system.rotations[head][:, 0]
        before = task.feature(system)
        error, rate, drift = before.error.copy(), before.rate.copy(), before.drift.copy()
        np.testing.assert_allclose(before.jacobian @ system.velocities, rate, atol=1e-12)
        system.advance(np.zeros(system.size), step)
        after = task.feature(system)
        if name != "momentum":
            np.testing.assert_allclose((after.error - error) / step, rate, atol=5e-4)
        if name != "gaze":
            np.testing.assert_allclose((after.rate - rate) / step, drift, atol=5e-3 if name == "momentum" else 2e-3)


def test_angular_momentum_is_mujocos() -> None:
    system = System({"a": person()})
    task = MomentumTask(owners=["a"])
    task.begin(system)
    root = system.body("a/pelvis")
    for _ in states(system):
        theirs = np.zeros((3, system.size))
        mj.mj_subtreeVel(system.model, system.data)
        mj.mj_angmomMat(system.model, system.data, theirs, root)
        found = task.feature(system)
        np.testing.assert_allclose(found.jacobian, theirs, atol=1e-10)
        np.testing.assert_allclose(found.rate, system.data.subtree_angmom[root], atol=1e-10)


def test_nothing_is_turned_where_that_is_wanted() -> None:
    """An arm that swings turns her about the vertical; with a task on the momentum something else swings against it."""

    def largest(kept: bool) -> float:
        controller = on_feet(standing("a"), "a")
        task = MomentumTask(owners=["a"], axes=(0.0, 0.0, 1.0), weight=10.0)
        task.begin(controller.system)
        if kept:
            controller.want("momentum", task)
        swing = JointTask(joints=["a/left_upper_arm/y"], target=[-1.5], weight=100.0, stiffness=60.0)
        controller.want("swing", swing)
        return max(abs(float(_after(controller, task)[2])) for _ in range(60))

    assert largest(True) < 0.3 * largest(False)


def _after(controller: Controller, task: Task) -> np.ndarray:
    controller.advance()
    return task.feature(controller.system).rate.copy()


@pytest.mark.parametrize("solver", ["daqp", "proxqp"])
def test_a_foot_bears_what_is_wanted_of_it(solver: Literal["daqp", "proxqp"]) -> None:
    controller = on_feet(standing("a"), "a", solver=Solver(solver))
    plain = controller.solve()
    assert abs(plain.wrenches["a/left_foot"][2] - 200.0) > 50.0
    up = ForceTask(contact="a/left_foot", target=(0.0, 0.0, 200.0), axes=(0.0, 0.0, 1.0), weight=1e3)
    controller.want("bears", up)
    step = controller.solve()
    assert step.solution.solved
    assert step.wrenches["a/left_foot"][2] == pytest.approx(200.0, abs=0.05)
    up.axes, up.target = (1.0, 0.0, 0.0), (20.0, 0.0, 0.0)
    step = controller.solve()
    assert step.wrenches["a/left_foot"][0] == pytest.approx(20.0, abs=0.05)
    controller.drop("bears")
    again = controller.solve()
    np.testing.assert_allclose(again.accelerations, plain.accelerations, atol=1e-6)
    over = reached("bears", 0.1)
    controller.want("bears", up)
    with pytest.raises(InputError, match="about a force or momentum"):
        over(controller, 0.0)
    controller.want("bears", ForceTask(contact="nowhere", target=100.0))
    np.testing.assert_allclose(controller.solve().accelerations, plain.accelerations, atol=1e-5)


def test_distances_against_finite_differences() -> None:
    system, step = standing("a", "b"), 1e-6
    for first, second in (("a/left_hand/0", "b/right_hand/0"), ("a/left_thigh/0", "a/right_thigh/0")):
        pair = Avoidance.of(Pair(first=first, second=second, influence=3.0), system)
        for rng in states(system):
            system.data.qvel[:] = 0.3 * rng.normal(size=system.size)
            system.refresh()
            pair.refresh(system, step)
            before, expected = pair.distance, pair.row @ system.velocities
            system.advance(np.zeros(system.size), step)
            pair.refresh(system, step)
            assert (pair.distance - before) / step == pytest.approx(expected, abs=2e-4)


def test_contact_error_shrinks_along_each_of_six_axes() -> None:
    for axis in range(6):
        system = standing("a")
        controller = on_feet(system, "a")
        held = controller.touches["a/left_foot"]
        shift = 0.001 if axis < 3 else np.radians(1.0)
        place, facing = held.reference
        if axis < 3:
            place = place + shift * np.eye(3)[axis]
        else:
            turn = np.zeros(9)
            mj.mju_quat2Mat(turn, np.array([np.cos(shift / 2), *(np.sin(shift / 2) * np.eye(3)[axis - 3])]))
            facing = turn.reshape(3, 3) @ facing
        held.reference = (place, facing)
        held.refresh(system)
        before = np.abs(held.error).max()
        assert before == pytest.approx(shift, rel=1e-6)
        sizes = []
        for _ in range(60):
            controller.advance()
            held.refresh(system)
            sizes.append(np.abs(held.error).max())
        assert sizes[0] < before
        assert sizes[-1] < 0.01 * before


def pair_holding_a_bar() -> Controller:
    """Two people, each with a hand on one bar; the bar is brought to where the first's hand is."""
    system = standing("a", "b", things=(BAR,))
    controller = on_feet(system, "a", "b")
    for who, side in (("a", "left"), ("b", "right")):
        hand = system.body(f"{who}/{side}_hand")
        where = system.rotations[hand].T @ (np.array([0.3, 0.5, 1.0]) - system.positions[hand])
        controller.touch(
            grasp(
                f"{who} holds",
                "bar/bar",
                f"{who}/{side}_hand",
                center=where,
                axis=(0, 1, 0),
                radius=0.02,
                half_length=0.04,
            )
        )
    return controller


def test_newtons_third_law_and_momentum() -> None:
    """Momentum of everything together changes by gravity and the ground's forces alone, of the bar by its contacts alone."""
    controller = pair_holding_a_bar()
    system = controller.system
    rng = np.random.default_rng(0)
    controller.want("moves", FrameTask(body="bar/bar", target=(0.35, 0.45, 1.1), weight=100.0, stiffness=20.0))
    everybody = ("a", "b", "bar")
    mass = sum(system.mass_of(name) for name in everybody)
    jacobian, place, rate, drift = np.zeros((3, system.size)), np.zeros(3), np.zeros(3), np.zeros(3)
    for _ in range(40):
        push = 20.0 * rng.normal(size=3)
        controller.push("b/spine", system.positions[system.body("b/spine")], push)
        system.centroid(system.roots(everybody), jacobian, place, rate, drift)
        step = controller.advance()
        ground = sum(wrench[:3] for name, wrench in step.wrenches.items() if name.endswith("foot"))
        expected = ground + push + np.array([0.0, 0.0, -9.81 * mass])
        np.testing.assert_allclose(mass * (jacobian @ step.accelerations + drift), expected, atol=1e-6 * mass * 9.81)
    bar = system.dofs_of("bar")[:3]
    on_bar = -sum(step.wrenches[f"{who} holds"][:3] for who in ("a", "b"))
    moved = system.mass_of("bar") * step.accelerations[bar]
    np.testing.assert_allclose(moved, on_bar + np.array([0.0, 0.0, -9.81 * system.mass_of("bar")]), atol=1e-5)


def test_solution_against_mujocos_inverse_dynamics() -> None:
    """Torques and contact wrenches are what MuJoCo says the accelerations need."""
    controller = pair_holding_a_bar()
    system = controller.system
    controller.want("moves", FrameTask(body="bar/bar", target=(0.35, 0.45, 1.1), weight=100.0, stiffness=20.0))
    for _ in range(20):
        controller.advance()
    step = controller.solve()
    data = system.data
    data.qacc[:] = step.accelerations
    needed = np.zeros(system.size)
    mj.mj_rne(system.model, data, 1, needed)
    given = np.zeros(system.size)
    given[controller.former.muscled] = step.torques
    for held in controller.touches.values():
        linear, angular = np.zeros((3, system.size)), np.zeros((3, system.size))
        for sign, body in zip((-1.0, 1.0), held.bodies, strict=True):
            mj.mj_jac(system.model, data, linear, angular, held.point, body)
            given += sign * (linear.T @ held.wrench[:3] + angular.T @ held.wrench[3:])
    np.testing.assert_allclose(given, needed - data.qfrc_passive * 0.0, atol=1e-6 * 1500.0)


@pytest.mark.parametrize("step", [0.005, 0.010, 1.0 / 30.0])
def test_contacts_do_not_drift(step: float) -> None:
    system = standing("a")
    controller = on_feet(system, "a", step=step)
    start = system.positions[system.body("a/left_foot")].copy()
    hand = FrameTask(body="a/left_hand", target=(0.3, 0.3, 1.2), weight=100.0)
    controller.want("waves", hand)
    for count in range(round(10.0 / step)):
        time = count * step
        hand.target = (0.3 + 0.1 * np.sin(2.0 * time), 0.3, 1.2 + 0.2 * np.sin(3.0 * time))
        result = controller.advance()
        assert not result.relaxations
        for forces in result.forces.values():
            assert (forces >= 0.0).all()
        assert (np.abs(result.torques) <= controller.former.limits + 1e-5).all()
    assert np.linalg.norm(system.positions[system.body("a/left_foot")] - start) < 1e-3
    held = controller.touches["a/left_foot"]
    assert np.degrees(np.linalg.norm(held.error[3:])) < 0.1


def test_an_arm_goes_round_what_is_in_its_way() -> None:
    ball = Thing(
        name="ball",
        links=(
            Link(
                name="ball",
                joint="hinge",
                position=(0.35, 0.22, 1.05),
                shapes=(Shape(kind="sphere", size=(0.08, 0, 0), mass=1.0),),
            ),
        ),
    )

    def closest(pairs: tuple[Pair, ...]) -> float:
        system = standing("a", things=(ball,))
        controller = on_feet(system, "a", pairs=pairs)
        controller.want(
            "reaches", FrameTask(body="a/left_hand", target=(0.45, 0.25, 1.3), weight=100.0, stiffness=15.0)
        )
        hand, other = system.shape("a/left_hand/0"), system.shape("ball/ball/0")
        least = np.inf
        for _ in range(400):
            controller.advance()
            least = min(least, system.nearest(hand, other, 1.0).distance)
        return least

    kept = tuple(Pair(first=f"a/left_{part}/0", second="ball/ball/0") for part in ("hand", "forearm", "upper_arm"))
    assert closest(kept) >= 0.01 - 0.001
    assert closest(()) < 0.0


def test_solvers_agree() -> None:
    steps = []
    for kind in ("daqp", "proxqp"):
        system = standing("a")
        controller = on_feet(system, "a", solver=Solver(kind))
        controller.want("reaches", FrameTask(body="a/left_hand", target=(0.3, 0.3, 1.2), weight=100.0))
        steps.append(controller.solve())
    np.testing.assert_allclose(steps[0].accelerations, steps[1].accelerations, atol=1e-3)
    assert [step.solution.solver for step in steps] == ["daqp", "proxqp"]


def test_what_cannot_be_kept_gives_way_and_is_told() -> None:
    """Feet that are to stop at once under a body that falls at 5 m/s: told, never no number."""
    system = standing("a")
    system.data.qvel[2] = -5.0
    system.refresh()
    step = on_feet(system, "a").solve()
    assert step.relaxations
    assert {told.kind for told in step.relaxations} <= {Kind.SPEED, Kind.TORQUE}
    assert all(0.0 < told.miss < np.inf and told.name.startswith("a/") for told in step.relaxations)
    assert np.isfinite(step.accelerations).all()


def test_a_contact_let_go_fades() -> None:
    controller = pair_holding_a_bar()
    for _ in range(10):
        controller.advance()
    controller.release("b holds", fade=0.1)
    forces = []
    for _ in range(25):
        wrench = controller.advance().wrenches.get("b holds")
        if wrench is None:
            break
        forces.append(np.linalg.norm(wrench[:3]))
    assert len(forces) == 20
    assert forces[-1] < 0.35 * max(forces)
    assert forces[-6:] == sorted(forces[-6:], reverse=True)


def test_a_foot_let_go_fades_evenly_from_the_first_step_on() -> None:
    """Of sixteen edges a few bear the weight: were each held down by itself, the others would make up for it."""
    controller = on_feet(standing("a"), "a")
    for _ in range(10):
        weight = controller.advance().wrenches["a/left_foot"][2]
    controller.release("a/left_foot", fade=0.1)
    shares = []
    while "a/left_foot" in controller.touches:
        step = controller.advance()
        assert not step.relaxations
        shares.append(step.wrenches.get("a/left_foot", np.zeros(6))[2] / weight)
    assert shares[:20] == pytest.approx(np.linspace(1.0, 0.05, 20), abs=0.08)


def test_sliding_contact_keeps_only_its_normal() -> None:
    system = standing("a")
    controller = on_feet(system, "a")
    contact = controller.touches.pop("a/left_foot").contact
    controller.touch(
        Contact(
            name="a/left_foot",
            first="world",
            second="a/left_foot",
            points=contact.points,
            normals=contact.normals,
            slides=True,
        )
    )
    start = system.positions[system.body("a/left_foot")].copy()
    controller.want("slides", FrameTask(body="a/left_foot", target=start + np.array([0.05, 0.02, 0.0]), weight=100.0))
    for _ in range(300):
        controller.advance()
    moved = system.positions[system.body("a/left_foot")] - start
    np.testing.assert_allclose(moved, [0.05, 0.02, 0.0], atol=0.005)
    assert abs(moved[2]) < 1e-3


def test_everything_saved_goes_on_to_the_bit() -> None:
    controller = pair_holding_a_bar()
    controller.advance()
    saved, state = controller.save(), (controller.system.data.qpos.copy(), controller.system.data.qvel.copy())
    first = [controller.advance().accelerations.copy() for _ in range(5)]
    controller.system.data.qpos[:], controller.system.data.qvel[:] = state
    controller.system.refresh()
    controller.restore(saved)
    again = [controller.advance().accelerations.copy() for _ in range(5)]
    np.testing.assert_array_equal(first, again)


def test_humanoid_scales() -> None:
    small, large = person(1.2), person(1.9)
    assert sum(len(hinges) for hinges in hinges_of(large)) == 30
    assert small.total_mass / large.total_mass == pytest.approx((1.2 / 1.9) ** 2)
    assert large.stature == pytest.approx(1.9)
    with pytest.raises(InputError, match="stature"):
        humanoid(9.0)


def test_bad_input_is_refused() -> None:
    system = standing("a")
    controller = Controller(system, step=STEP)
    with pytest.raises(InputError, match="body"):
        controller.touch(sole("b", "left"))
    with pytest.raises(InputError, match="not stable"):
        controller.want("stiff", posture(system, "a", stiffness=1e5))
    with pytest.raises(InputError, match="step"):
        Controller(system, step=1.0)
    with pytest.raises(InputError, match="influence"):
        Pair(first="x", second="y", influence=0.01, security=0.1)
    with pytest.raises(InputError, match="friction"):
        Contact(
            name="x", first="world", second="a/head", points=np.zeros((1, 3)), normals=np.ones((1, 3)), friction=0.0
        )
    with pytest.raises(InputError, match="joint"):
        controller.want("none", JointTask(joints=["a/tail"]))


def test_pyramids_lie_in_their_cones() -> None:
    contact = sole("a", "left")
    for edges in (4, 8):
        wide = Contact(
            name="c", first="world", second="a/left_foot", points=contact.points, normals=contact.normals, edges=edges
        )
        _, forces = wide.pyramids()
        normal = forces[:, 2]
        assert np.hypot(forces[:, 0], forces[:, 1]) == pytest.approx(0.7 * normal)
        assert len(forces) == 4 * edges


def test_touch_is_about_one_force() -> None:
    """The generalized force of an edge is the second body's less the first's, from MuJoCo's Jacobians."""
    system = standing("a", "b")
    contact = planar(
        "hold", "a/left_hand", "b/right_hand", center=(0, 0, -0.1), normal=(0, 1, 0), half=(0.03, 0.03), along=(1, 0, 0)
    )
    held = Touch.made(contact, system)
    held.refresh(system)
    arms, forces = contact.pyramids()
    turn = system.rotations[held.bodies[1]]
    for number in (0, 5, 15):
        point, force, expected = held.point + turn @ arms[number], turn @ forces[number], np.zeros(system.size)
        for sign, body in zip((-1.0, 1.0), held.bodies, strict=True):
            linear = np.zeros((3, system.size))
            mj.mj_jac(system.model, system.data, linear, None, point, body)
            expected += sign * linear.T @ force
        np.testing.assert_allclose(held.mapped[:, number], 100.0 * expected, atol=1e-11)


def program(alone: int, equal: int, seed: int) -> Problem:
    """Random, with forces that may only push; `alone` of `equal` equalities are about the first thirty unknowns."""
    rng = np.random.default_rng(seed)
    dense, forces, unequal = 30, 8, 6
    problem = Problem.empty(dense + forces, equal, unequal, dense, alone)
    root = rng.normal(size=(dense, dense))
    problem.hessian[:dense, :dense] = root @ root.T + 0.1 * np.eye(dense)
    np.fill_diagonal(problem.hessian[dense:, dense:], 0.01)
    problem.gradient[:] = rng.normal(size=dense + forces)
    problem.rows[:] = rng.normal(size=problem.rows.shape)
    problem.rows[equal - alone : equal, dense:] = 0.0
    inside = np.concatenate([rng.normal(size=dense), rng.uniform(0.5, 1.0, forces)])
    problem.low[dense : dense + forces] = 0.0
    values = problem.rows @ inside
    problem.low[dense + forces :], problem.high[dense + forces :] = values - 0.2, values + 0.2
    met = slice(dense + forces, dense + forces + equal)
    problem.low[met] = problem.high[met] = values[:equal]
    return problem


@pytest.mark.parametrize("alone", [0, 20, 24])
def test_equalities_solved_beforehand_change_nothing(alone: int) -> None:
    for seed in range(5):
        problem = program(alone, 27, seed)
        ours, plain = Solver().solve(problem), Solver(beforehand=False).solve(problem)
        other = Solver("proxqp").solve(problem)
        assert ours.solved
        assert plain.solved
        np.testing.assert_allclose(ours.unknowns, plain.unknowns, atol=1e-8)
        np.testing.assert_allclose(ours.unknowns, other.unknowns, atol=1e-4)


def test_equalities_that_depend_on_one_another_are_left_to_the_solver() -> None:
    """Twice the same row: met where both sides agree, not solved and never a NaN where they do not."""
    problem = program(24, 27, 1)
    first, second = 38 + 25, 38 + 26
    problem.rows[26], problem.low[second], problem.high[second] = (
        problem.rows[25],
        problem.low[first],
        problem.low[first],
    )
    solution = Solver().solve(problem)
    assert np.isfinite(solution.unknowns).all()
    if solution.solved:
        assert problem.misses(solution.unknowns).max() < 1e-5
    problem.low[second] = problem.high[second] = problem.low[first] + 1.0
    assert not Solver().solve(problem).solved


def test_a_drawer_may_be_shut_and_an_elbow_keeps_off_its_end() -> None:
    """Joints without muscles may lie at the ends of their ranges; others keep a hundredth from them."""
    drawer = Link(
        name="drawer",
        joint="slide",
        axis=(1.0, 0.0, 0.0),
        position=(2.0, 0.0, 1.0),
        range=(-0.3, 0.0),
        shapes=(Shape(kind="box", size=(0.1, 0.1, 0.1), mass=3.0),),
    )
    group = Group({"anna": Person()}, [Thing(name="desk", links=(drawer,))], idle=False)
    group.stand("anna")
    elbow = group.system.joints.names.index("anna/left_forearm/y")
    low, high = float(group.system.joints.lower[elbow]), float(group.system.joints.upper[elbow])
    straight = JointTask(joints=["anna/left_forearm/y"], target=[high], weight=1000.0, stiffness=50.0)
    group.controller.want("straight", straight)
    relaxations = [group.advance()[0].relaxations for _ in range(400)]
    assert not any(relaxations)
    assert abs(group.system.joint_positions[group.system.joints.names.index("desk/drawer")]) < 1e-6
    assert 0.009 < (high - group.system.joint_positions[elbow]) / (high - low) < 0.02


def test_what_a_pair_calls_when_it_first_comes_near_is_compiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[float] = []
    plain = _kernels.pair_row
    monkeypatch.setattr(_kernels, "pair_row", lambda *given: called.append(given[0][0]) or plain(*given))
    group = Group({"anna": Person()}, pairs=[Pair(first="anna/left_foot/0", second="anna/head/0")])
    assert called == [np.inf]
    group.stand("anna")
    group.advance()
    assert called == [np.inf], "feet are far from the head: nothing was called for them"
    assert group.controller.avoidances[0].least == -np.inf


def test_shapes_far_apart_are_not_measured() -> None:
    """Beyond the asked distance it is that distance; at any other it is MuJoCo's own."""
    system = standing("a", "b")
    one, two = system.shape("a/left_hand/0"), system.shape("b/right_hand/0")
    points = np.zeros(6)
    exact = mj.mj_geomDistance(system.model, system.data, one, two, 10.0, points)
    assert system.nearest(one, two, 10.0).distance == exact
    assert system.nearest(one, two, 1.01 * exact).distance == exact
    assert system.nearest(one, two, 0.1 * exact).distance == 0.1 * exact


def test_sparse_solver_misses_nothing_that_was_nought_before() -> None:
    """The same solver over programs whose zeros are elsewhere each time, beside another one."""
    pytest.importorskip("piqp")
    sparse = Solver("piqp")
    for seed in range(6):
        problem = program(20, 25, seed)
        hidden = np.random.default_rng(seed).random(problem.rows.shape) < 0.1
        hidden[:25] = False
        problem.rows[hidden] = 0.0
        problem.low[38 + 25 :], problem.high[38 + 25 :] = -3.0, 3.0
        problem.low[-1], problem.high[-1] = -np.inf, np.inf
        ours, other = sparse.solve(problem), Solver().solve(problem)
        assert ours.solved == other.solved
        if other.solved:
            np.testing.assert_allclose(ours.unknowns, other.unknowns, atol=1e-4)


def test_sparse_solver_plays_a_scene() -> None:
    pytest.importorskip("piqp")
    ways = []
    for kind in ("daqp", "piqp"):
        controller = on_feet(standing("a"), "a", solver=Solver(kind))
        controller.want("hand", FrameTask(body="a/left_hand", target=(0.4, 0.3, 1.1), stiffness=20.0))
        ways.append([controller.advance().accelerations.copy() for _ in range(20)])
    np.testing.assert_allclose(*ways, atol=1e-3)


def told_of(system: System) -> np.ndarray:
    """Everything that goes by where a system is and what it weighs, in one row."""
    center = np.zeros((3, system.size)), np.zeros(3), np.zeros(3), np.zeros(3)
    system.centroid(system.roots(["a"]), *center)
    weighs = [system.mass_of("a"), system.mass_of("a/left_hand"), system.mass_of("bar")]
    return np.concatenate([system.mass_matrix.ravel(), system.bias, *(part.ravel() for part in center), weighs])


def test_going_back_to_what_was_saved_brings_back_state_and_masses() -> None:
    system = standing("a", things=(BAR,))
    system.velocities[:] = np.random.default_rng(1).normal(size=system.size)
    system.refresh()
    saved, before = system.save(), told_of(system)
    system.set_mass("a/left_hand", 5.0)
    system.shift(np.full(system.size, 0.3), np.full(system.size, -0.2))
    assert np.abs(told_of(system) - before).max() > 1.0
    system.restore(saved)
    np.testing.assert_array_equal(told_of(system), before)


def test_a_state_is_moved_by_a_share_of_what_another_was_wrong_by() -> None:
    """What was seen differs from what was expected by known displacements: half of them, forward, about each joint."""
    system, rng = standing("a", things=(BAR,)), np.random.default_rng(2)
    here, wrong_by, faster = system.state(), 0.1 * rng.normal(size=system.size), rng.normal(size=system.size)
    system.shift(wrong_by, faster)
    right = system.state()
    system.suppose(here, here, [])
    system.shift(0.5 * wrong_by, 0.5 * faster)
    half = system.nudged(here, 0.5, here, right)
    for got, meant in zip(half, system.state(), strict=True):
        np.testing.assert_allclose(got, meant, atol=1e-12)


def test_who_is_placed_stands_still_there_and_nobody_else_is_moved() -> None:
    system = standing("a", "b")
    system.velocities[:] = 1.0
    system.place("b", np.array([2.0, 3.0, 0.9]))
    system.refresh()
    root = system.dofs_of("b")[:6]
    assert not system.velocities[root].any()
    assert (np.delete(system.velocities, root) == 1.0).all()
    np.testing.assert_allclose(system.positions[system.body("b/pelvis")], [2.0, 3.0, 0.9], atol=1e-12)


def test_a_grip_holds_a_thing_as_it_was_when_it_closed() -> None:
    system = standing("a", things=(BAR,))
    physics = Physics(system.plans, system.things, 9.81, grips=[Grip("grip", "a/left_hand", "bar/bar")])
    physics.begin(system)
    model, data = physics.model, physics.data
    physics.hold(["grip"])
    mj.mj_forward(model, data)
    held = data.efc_type == mj.mjtConstraint.mjCNSTR_EQUALITY
    assert held.sum() == 6
    np.testing.assert_allclose(data.efc_pos[held], 0.0, atol=1e-9)
    closed = model.eq_data.copy()
    data.qpos[model.jnt_qposadr[model.body_jntadr[model.body("bar/bar").id]]] += 0.02
    mj.mj_forward(model, data)
    physics.hold(["grip"])
    np.testing.assert_array_equal(model.eq_data, closed)
    assert np.abs(data.efc_pos[held]).max() == pytest.approx(0.02, rel=0.2)
    at = int(model.jnt_qposadr[model.body_jntadr[model.body("bar/bar").id]])
    data.qpos[at + 3 : at + 7] = quat.mul(data.qpos[at + 3 : at + 7], quat.exp(np.array([0.0, 0.0, 0.02])))
    mj.mj_forward(model, data)
    # MuJoCo's own measure of a turn that is fully held: the sine of its half.
    assert np.abs(data.efc_pos[held][3:]).max() == pytest.approx(np.sin(0.01))
    physics.hold([])
    assert not data.eq_active.any()
