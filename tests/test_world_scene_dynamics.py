"""The dynamics of a whole scene, against finite differences, the world's own steps and hand-made geometry."""

import mujoco as mj
import numpy as np
import pytest

from poise.errors import InputError
from poise.runtime import Session
from poise.scenes import named_scene
from poise.world.props import Ball, Box, Wall
from poise.world.scene import SceneSpec

HAND = "walker/LeftHand"


@pytest.fixture(scope="module")
def session() -> Session:
    scene = named_scene("gate")
    session = scene.session()
    session.run(150)
    return session


def moved(session: Session, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Place and orientation of a point fixed to the hand a while later or before, all velocities held."""
    world = session.world
    data = mj.MjData(world.model)
    data.qpos[:] = world.positions
    mj.mj_integratePos(world.model, data.qpos, world.velocities.copy(), step)
    mj.mj_kinematics(world.model, data)
    number = world.body_number(HAND)
    turn = data.xmat[number].reshape(3, 3).copy()
    return data.xpos[number] + turn @ np.array([0.0, 0.05, -0.1]), turn


def test_jacobian_and_drift_are_those_of_finite_differences(session: Session) -> None:
    dynamics, h = session.view.dynamics, 1e-4
    point, turn = moved(session, 0.0)
    velocity = dynamics.jacobian(HAND, point) @ session.world.velocities
    (after, turn_after), (before, turn_before) = moved(session, h), moved(session, -h)
    assert velocity[:3] == pytest.approx((after - before) / (2 * h), abs=1e-5)
    spin = (turn_after - turn_before) / (2 * h) @ turn.T
    assert velocity[3:] == pytest.approx([spin[2, 1], spin[0, 2], spin[1, 0]], abs=1e-5)
    drift = dynamics.drift(HAND, point)
    assert drift[:3] == pytest.approx((after - 2 * point + before) / h**2, abs=1e-3)


def test_the_mass_matrix_is_the_one_without_the_cut(session: Session) -> None:
    """Kinetic energy of the whole scene, from bodies."""
    matrix, world = session.view.dynamics.mass_matrix(), session.world
    data = mj.MjData(world.model)
    data.qpos[:], data.qvel[:] = world.positions, world.velocities
    mj.mj_kinematics(world.model, data)
    mj.mj_comPos(world.model, data)
    mj.mj_comVel(world.model, data)
    energy, twist = 0.0, np.zeros(6)
    for body in range(1, world.model.nbody):
        mj.mj_objectVelocity(world.model, data, mj.mjtObj.mjOBJ_BODY, body, twist, 0)
        turn = data.ximat[body].reshape(3, 3)
        spin = turn.T @ twist[:3]
        energy += 0.5 * world.model.body_mass[body] * twist[3:] @ twist[3:]
        energy += 0.5 * spin @ (world.model.body_inertia[body] * spin)
    speeds = np.array(world.velocities)
    assert 0.5 * speeds @ matrix @ speeds == pytest.approx(energy, rel=1e-9)
    assert np.abs(matrix).max() < 1e3, "no rotor inertia"
    assert np.linalg.eigvalsh(matrix).min() > 0.0


def test_bias_is_weight_at_rest(session: Session) -> None:
    start = named_scene("gate").session()
    start.world.set_state(start.world.positions.copy())
    bias, layout = start.view.dynamics.bias(), start.layouts[0]
    assert bias[layout.velocities][:3] == pytest.approx([0.0, 0.0, 9.81 * layout.plan.total_mass], rel=1e-9)


def things() -> Session:
    scene = named_scene("gate")
    box = Box(name="box", position=(40.0, 0.0, 1.0), size=(0.2, 0.2, 0.2), mass=1.0)
    ball = Ball(name="ball", position=(42.0, 0.0, 1.0), velocity=(0.0, 0.0, 0.0), time=1e6, mass=1.0, radius=0.25)
    wall = Wall(name="wall", position=(45.0, 0.0, 1.0), size=(0.1, 2.0, 1.0))
    return Session(scene.characters, SceneSpec(props=(box, ball, wall), floor=0.0))


def test_distances_come_with_their_points() -> None:
    dynamics = things().view.dynamics
    found = dynamics.nearest("box", "ball")
    assert found.distance == pytest.approx(found.second[0] - found.first[0], abs=1e-6)
    assert found.second == pytest.approx([41.75, 0.0, 1.0], abs=1e-3)
    assert dynamics.nearest("box", "ball", within=0.5).distance == np.inf
    with pytest.raises(InputError, match="bx"):
        dynamics.nearest("bx", "ball")


def test_a_ray_meets_the_first_thing_in_its_way() -> None:
    dynamics = things().view.dynamics
    hit = dynamics.ray((43.0, 0.0, 1.0), (3.0, 0.0, 0.0))
    assert hit is not None
    assert hit.geom == "wall"
    assert hit.distance == pytest.approx(1.9, abs=0.11)
    back = dynamics.ray((43.0, 0.0, 1.0), (-1.0, 0.0, 0.0))
    assert back is not None
    assert (back.geom, round(back.distance, 6)) == ("ball", 0.75)
    assert dynamics.ray((43.0, 0.0, 1.0), (0.0, 0.0, 1.0)) is None
