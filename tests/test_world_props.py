"""Props: plants that stand as given, wake on touch and are refused when they would topple; balls, gates, hanging things."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from _builders import human_plan
from poise.errors import InputError
from poise.math import quat
from poise.signals import Drive, Mode
from poise.world import Ball, Box, Fence, Gate, Hanging, Plant, Prop, SceneSpec, Wall, World, build_world

STEP = 1.0 / 480.0


def world_of(*props: Prop, sleep: bool = False, gravity: float = 9.81) -> World:
    return build_world({}, SceneSpec(props=props, sleep=sleep, gravity=gravity), STEP)


def play(world: World, seconds: float) -> None:
    rows = Drive(np.tile(world.data.qpos, (8, 1)))
    for _ in range(round(seconds / STEP / 8)):
        world.step(rows)


def plant(**other: Any) -> Plant:
    base: dict[str, Any] = {"name": "plant", "position": (0.0, 0.0, 0.0), "length": 1.0, "mass": 1.0}
    return Plant(**(base | {"stiffness": 20.0, "damping": 2.0} | other))


STANDING = {
    "one link": plant(),
    "three links with a crown": plant(links=3, crown_radius=0.1),
    "leaning": plant(direction=(0.5, 0.3, 1.0), links=2),
    "grass": plant(direction=(0.6, 0.0, 1.0), length=0.6, mass=0.05, stiffness=0.5, damping=0.05),
    "branch": plant(
        direction=(1.0, 0.2, 0.3), position=(0.0, 0.0, 1.4), links=3, mass=3.0, stiffness=500.0, trunk=True
    ),
    "hanging branch": plant(direction=(1.0, 0.0, -0.4), position=(0.0, 0.0, 2.0), links=3, mass=3.0),
    "fence": Fence(name="fence", position=(0.0, 0.0, 0.0)),
    "gate": Gate(name="gate", position=(0.0, 0.0, 0.0), yaw=0.7),
}


@pytest.mark.parametrize("name", STANDING)
@pytest.mark.parametrize("sleep", [False, True])
def test_at_rest_a_plant_has_exactly_the_given_shape(name: str, sleep: bool) -> None:
    world = world_of(STANDING[name], sleep=sleep)
    play(world, 5.0)
    assert np.degrees(np.abs(world.data.qpos).max()) < 0.1
    assert np.abs(world.data.qvel).max() < 1e-3


@pytest.mark.parametrize("name", STANDING)
def test_without_balance_a_leaning_plant_would_sag(name: str) -> None:
    world = world_of(STANDING[name])
    world.model.qpos_spring[:] = 0.0
    play(world, 5.0)
    sags = name not in ("gate", "fence", "one link", "three links with a crown")
    assert (np.degrees(np.abs(world.data.qpos).max()) > 0.3) == sags


def test_a_plant_pushed_aside_comes_back() -> None:
    world = world_of(plant(direction=(0.3, 0.0, 1.0), links=3))
    world.data.qpos[:] = 0.3
    play(world, 8.0)
    assert np.degrees(np.abs(world.data.qpos).max()) < 0.1


def banana(length: float, stiffness: float) -> Plant:
    return plant(name="banana tree", mass=10.0, length=length, stiffness=stiffness, damping=1.0)


def test_a_plant_that_would_topple_is_refused_in_one_line() -> None:
    # 10 kg on 50 N m/rad stand up to a centre of mass 0.51 m high: K = m g h.
    world_of(banana(length=2 * 0.505, stiffness=50.0))
    with pytest.raises(InputError) as caught:
        world_of(banana(length=2 * 0.515, stiffness=50.0))
    assert str(caught.value) == (
        "prop 'banana tree': stiffness 50 N m/rad cannot hold it up; it would topple. More than 51 N m/rad does"
    )
    with pytest.raises(InputError, match="topple"):
        world_of(banana(length=1.5, stiffness=50.0))
    world = world_of(banana(length=1.5, stiffness=150.0))
    play(world, 5.0)
    assert np.degrees(np.abs(world.data.qpos).max()) < 0.1


def test_what_is_refused_would_indeed_topple_and_what_is_not_stands() -> None:
    def lean(stiffness: float) -> float:
        """Angle [deg] some seconds after a nudge."""
        stiff = world_of(banana(length=1.2, stiffness=200.0))
        stiff.model.jnt_stiffness[:] = stiffness
        stiff.data.qpos[:] = 0.02
        play(stiff, 6.0)
        return float(np.degrees(np.abs(stiff.data.qpos).max()))

    needed = 10.0 * 9.81 * 0.6
    assert lean(1.1 * needed) < 2.0
    assert lean(0.9 * needed) > 10.0


def test_the_stiffness_a_chain_needs_does_hold_it() -> None:
    def built(stiffness: float) -> World:
        return world_of(plant(links=3, crown_radius=0.1, mass=4.0, stiffness=stiffness))

    with pytest.raises(InputError, match=r"More than (\d+) N m/rad does") as caught:
        built(5.0)
    needed = float(str(caught.value).split("More than ")[1].split()[0])
    built(needed + 1.0)
    with pytest.raises(InputError):
        built(needed - 1.0)


def test_plants_sleep_untouched_and_wake_when_a_ball_hits_them() -> None:
    near = plant(name="near", position=(1.0, 0.0, 0.0))
    far = plant(name="far", position=(-3.0, 0.0, 0.0))
    ball = Ball(name="ball", position=(0.0, 0.0, 0.6), velocity=(0.0, 0.0, 0.0), radius=0.1)
    world = world_of(near, far, ball, sleep=True)
    play(world, 1.0)
    trees = {name: int(world.model.dof_treeid[world.model.joint(f"{name}/0x").dofadr[0]]) for name in ("near", "far")}
    assert not world.data.tree_awake[trees["near"]]
    assert not world.data.tree_awake[trees["far"]]
    world.throw("ball", np.array([6.0, 0.0, 1.0]))
    at, most = int(world.model.joint("near/0y").qposadr[0]), 0.0
    rows = Drive(np.tile(world.data.qpos, (8, 1)))
    woken = False
    for _ in range(30):
        world.step(rows)
        woken |= bool(world.data.tree_awake[trees["near"]])
        most = max(most, abs(float(world.data.qpos[at])))
    assert woken
    assert most > np.radians(5.0)
    assert not world.data.tree_awake[trees["far"]]


def test_a_thrown_ball_flies_a_parabola() -> None:
    start, velocity = np.array([0.5, -1.0, 3.0]), np.array([2.0, 1.0, 4.0])
    world = world_of(Ball(name="ball", position=tuple(start), velocity=(0, 0, 0)))
    play(world, 0.5)
    assert np.allclose(world.data.qpos[:3], start, atol=1e-12)
    assert world.cut.mode("ball") is Mode.MOTION
    world.throw("ball", velocity)
    assert world.cut.mode("ball") is Mode.PASSIVE
    begin = world.data.time
    for _ in range(30):
        play(world, 8 * STEP)
        t = world.data.time - begin
        # Velocity first, then position: the parabola of the stepped law, within g t h / 2 of the true one.
        stepped = start + velocity * t - np.array([0.0, 0.0, 0.5 * 9.81 * t * (t + STEP)])
        assert np.abs(world.data.qpos[:3] - stepped).max() < 1e-9
        true = start + velocity * t - np.array([0.0, 0.0, 0.5 * 9.81 * t * t])
        assert np.abs(world.data.qpos[:3] - true).max() <= 0.5 * 9.81 * t * STEP + 1e-9


def test_hanging_things_hang_and_swing_with_a_pendulums_period() -> None:
    fruit = Hanging(name="fruit", position=(0.0, 0.0, 3.0), rope=1.0, size=(0.05, 0.0, 0.0), mass=1.0, damping=1e-6)
    world = world_of(fruit)
    play(world, 1.0)
    assert np.allclose(world.data.qpos, [1.0, 0.0, 0.0, 0.0], atol=1e-9)
    world.data.qpos[:] = quat.exp([0.0, 0.05, 0.0])
    crossings, last = [], 1.0
    for _ in range(2000):
        play(world, 8 * STEP)
        if world.data.qpos[2] * last < 0.0:
            crossings.append(world.data.time)
            last = -last
    period = 2.0 * float(np.mean(np.diff(crossings)))
    assert period == pytest.approx(2.0 * np.pi * np.sqrt(1.05 / 9.81), rel=0.02)


def test_a_swing_on_two_ropes_turns_about_its_length_only() -> None:
    swing = Hanging(
        name="swing", position=(0, 0, 2), rope=1.5, size=(0.3, 0.1, 0.02), shape="box", mass=2.0, yaw=0.5, ropes=2
    )
    world = world_of(swing)
    assert world.model.nv == 1
    play(world, 1.0)
    assert abs(world.data.qpos[0]) < 1e-9


@pytest.mark.parametrize(
    ("prop", "mass"),
    [
        (plant(mass=2.5), 2.5),
        (plant(mass=2.5, links=3, crown_radius=0.1, stiffness=60.0), 2.5),
        (Fence(name="f", position=(0, 0, 0), mass=7.0), 7.0),
        (Gate(name="g", position=(0, 0, 0), mass=7.0), 7.0),
        (Box(name="b", position=(0, 0, 1), size=(0.1, 0.1, 0.1), mass=4.0), 4.0),
        (Ball(name="o", position=(0, 0, 1), velocity=(0, 0, 0), mass=0.3), 0.3),
    ],
)
def test_props_weigh_what_was_asked(prop: Prop, mass: float) -> None:
    assert world_of(prop).model.body_mass.sum() == pytest.approx(mass, rel=1e-9)


BALL = Ball(name="same", position=(0, 0, 1), velocity=(0, 0, 0))


@pytest.mark.parametrize(
    ("plans", "props", "message"),
    [
        ((), (BALL, plant(name="same")), "used twice: same"),
        (("same",), (BALL,), "used twice: same"),
        ((), (plant(name="a/b"),), "must not be empty or contain '/'; got 'a/b'"),
        ((), (plant(name=""),), "must not be empty"),
        ((), (Wall(name="ground", position=(1, 0, 0), size=(1, 1, 1)),), "used twice: ground"),
        ((), (plant(name="world"),), "used twice: world"),
    ],
)
def test_name_clashes_are_refused(plans: tuple[str, ...], props: tuple[Prop, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_world({name: human_plan() for name in plans}, SceneSpec(props=props), STEP)


NAN = float("nan")


@pytest.mark.parametrize(
    ("prop", "message"),
    [
        (plant(mass=0.0), "mass must be positive; got 0.0"),
        (plant(length=NAN), "length must be positive; got nan"),
        (plant(stiffness=-1.0), "stiffness must not be negative; got -1.0"),
        (plant(stiffness=0.0), "stiffness must be positive"),
        (plant(links=0), "links must lie between 1 and 20; got 0"),
        (plant(direction=(0.0, 0.0, 0.0)), "direction must not be zero"),
        (plant(position=(NAN, 0.0, 0.0)), "position must be finite"),
        (plant(crown_share=2.0), "crown_share must lie between 0 and 1"),
        (Box(name="b", position=(0, 0, 1), size=(0.1, 0.0, 0.1), mass=1.0), "size must be positive"),
        (Wall(name="w", position=(0, 0, 1), size=(0.1, -0.1, 0.1)), "size must be positive"),
        (Hanging(name="h", position=(0, 0, 1), rope=1.0, size=(0.0, 0, 0), mass=1.0), "size must be positive"),
        (Hanging(name="h", position=(0, 0, 1), rope=1.0, size=(0.1, 0, 0), mass=1.0, ropes=3), "on 1 or 2 ropes"),
        (Ball(name="o", position=(0, 0, 1), velocity=(0, NAN, 0)), "velocity must be finite"),
        (Ball(name="o", position=(0, 0, 1), velocity=(0, 0, 0), time=-1.0), "time must not be negative"),
    ],
)
def test_impossible_props_are_refused_by_name(prop: Prop, message: str) -> None:
    with pytest.raises(InputError, match=f"prop '{prop.name}': .*{message}"):
        world_of(prop)


def test_boards_of_a_gate_end_a_fifth_above_the_ground_and_in_the_top_rail() -> None:
    gate = Gate(name="gate", position=(0.0, 0.0, 0.0), height=1.5)
    model = world_of(gate).model
    own = model.geom_bodyid == model.body("gate").id
    ends = np.array(
        [model.geom_pos[own, 2] - model.geom_size[own, 2], model.geom_pos[own, 2] + model.geom_size[own, 2]]
    )
    rails, boards = np.sort(ends[:, np.ptp(ends, axis=0) < 0.5].T, axis=0), ends[:, np.ptp(ends, axis=0) > 0.5].T
    assert (len(rails), len(boards)) == (2, 3)
    np.testing.assert_allclose(boards[:, 0], 0.2 * 1.5, atol=1e-9)
    assert np.all((boards[:, 1] > rails[1, 0]) & (boards[:, 1] < rails[1, 1]))
    assert rails[1, 1] == pytest.approx(1.5), "as high as asked"
