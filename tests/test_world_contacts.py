"""Contacts over a tick: impulses against momentum, peaks and first times against single substeps."""

from __future__ import annotations

import copy

import mujoco as mj
import numpy as np
import pytest

from poise.signals import Contacts, Drive
from poise.world import Ball, Box, Plant, SceneSpec, Wall, World, build_world
from poise.world.masks import Surface, bits
from poise.world.query import TerrainGround
from poise.world.view import WorldView

STEP = 1.0 / 480.0
MASS, RADIUS, GRAVITY = 0.5, 0.08, 9.81


def play(world: World, substeps: int) -> Contacts:
    """One tick in which nothing that is held moves."""
    return world.step(Drive(np.tile(world.data.qpos, (substeps, 1))))


def dropped(height: float = 0.5, floor: float | None = 0.0) -> World:
    ball = Ball(name="ball", position=(0.0, 0.0, height + RADIUS), velocity=(0.0, 0.0, 0.0), radius=RADIUS, mass=MASS)
    world = build_world({}, SceneSpec(props=[ball], floor=floor), STEP)
    world.throw("ball", np.zeros(3))
    return world


def test_impulse_is_the_change_of_momentum_plus_weight_times_time() -> None:
    world, impulse, ticks = dropped(), 0.0, 120
    for _ in range(ticks):
        impulse += play(world, 8).impulse.sum()
    change = MASS * world.data.qvel[2]
    assert impulse == pytest.approx(change + MASS * GRAVITY * 8 * ticks * STEP, rel=1e-9)
    assert impulse > 9.0


def test_one_tick_tells_what_its_substeps_would() -> None:
    fine, coarse = dropped(), dropped()
    for _ in range(12):
        begin = coarse.data.time
        rows = [play(fine, 1) for _ in range(40)]
        told = play(coarse, 40)
        assert np.array_equal(fine.data.qpos, coarse.data.qpos)
        hits = [(k, row) for k, row in enumerate(rows) if len(row.pairs)]
        assert len(told.pairs) == (1 if hits else 0)
        if hits:
            forces = np.array([row.impulse[0] / STEP for _, row in hits])
            assert told.impulse[0] == pytest.approx(STEP * forces.sum(), rel=1e-12)
            assert told.peak[0] == pytest.approx(forces.max(), rel=1e-12)
            assert told.start[0] == pytest.approx(begin + (hits[0][0] + 1) * STEP, abs=1e-12)
            strongest = hits[int(forces.argmax())][1]
            assert np.array_equal(told.point[0], strongest.point[0])


def test_first_touch_is_when_the_ball_has_fallen() -> None:
    world = dropped(height=0.5)
    while not len(contacts := play(world, 8).start):
        pass
    fall = np.sqrt(2.0 * 0.5 / GRAVITY)
    assert contacts[0] == pytest.approx(fall, abs=3 * STEP)


def test_hits_shorter_than_a_tick_are_seen() -> None:
    world, hits = dropped(), 0
    for firmness in (world.model.geom_solref, world.model.pair_solref):
        firmness[:] = [-20000.0, -5.0]  # springy: each hit lasts a few substeps
    for _ in range(40):
        contacts = play(world, 16)
        if len(contacts.pairs) and world.data.ncon == 0:
            hits += 1
            assert contacts.impulse[0] > 0.01
    assert hits >= 2


def test_direction_point_and_names_of_a_contact() -> None:
    world = dropped(height=0.001)
    for _ in range(60):
        contacts = play(world, 8)
    assert contacts.pairs.shape == (1, 2)
    assert [world.geom_names[g] for g in contacts.pairs[0]] == ["ground", "ball"]
    assert contacts.normal[0] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    assert contacts.point[0] == pytest.approx([0.0, 0.0, 0.0], abs=0.01)
    assert contacts.peak[0] == pytest.approx(MASS * GRAVITY, rel=1e-3)


@pytest.mark.parametrize("elliptic", [False, True])
def test_normal_forces_are_mujocos_own(elliptic: bool) -> None:
    box = Box(name="box", position=(0.0, 0.0, 0.35), size=(0.1, 0.15, 0.1), mass=3.0, yaw=0.4)
    wall = Wall(name="wall", position=(0.4, 0.0, 0.5), size=(0.1, 1.0, 0.5))
    plain = build_world({}, SceneSpec(props=[box, wall]), STEP)
    if elliptic:
        plain.model.opt.cone = mj.mjtCone.mjCONE_ELLIPTIC
    world = World(plain.model, {}, {})
    world.data.qvel[:] = [2.0, 0.3, 0.0, 2.0, 5.0, 1.0]
    seen, wrench = set(), np.zeros(6)
    for _ in range(400):
        own = copy.copy(world.data)
        mj.mj_step(world.model, own)
        contacts = play(world, 1)
        expected: dict[tuple[int, int], float] = {}
        for index in range(own.ncon):
            mj.mj_contactForce(world.model, own, index, wrench)
            pair = tuple(int(g) for g in own.contact[index].geom)
            expected[pair] = expected.get(pair, 0.0) + wrench[0]
        expected = {pair: force for pair, force in expected.items() if force > 0.0}
        got = {tuple(int(g) for g in pair): peak for pair, peak in zip(contacts.pairs, contacts.peak, strict=True)}
        assert got == pytest.approx(expected)
        seen |= set(got)
    assert len(seen) == 2


def test_no_contact_no_rows() -> None:
    contacts = play(dropped(height=5.0), 8)
    assert [len(column) for column in contacts] == [0] * 6
    assert contacts.pairs.shape == (0, 2)
    assert contacts.point.shape == (0, 3)


KINDS = {
    "ground": bits(Surface.GROUND, yields=False),
    "wall": bits(Surface.FIXED, yields=False),
    "plant": bits(Surface.PLANT, yields=True),
    "driven": bits(Surface.BODY, yields=False),
    "loose": bits(Surface.BODY, yields=True),
}
MEET = {
    frozenset(pair)
    for pair in [
        ("loose", "ground"),
        ("loose", "wall"),
        ("loose", "plant"),
        ("loose", "driven"),
        ("loose",),
        ("driven", "plant"),
        ("wall", "plant"),
    ]
}


@pytest.mark.parametrize("a", KINDS)
@pytest.mark.parametrize("b", KINDS)
def test_who_meets_whom(a: str, b: str) -> None:
    (type_a, meets_a), (type_b, meets_b) = KINDS[a], KINDS[b]
    assert bool(type_a & meets_b or type_b & meets_a) == (frozenset([a, b]) in MEET)


def test_a_held_ball_hits_no_wall_but_bends_a_plant() -> None:
    plant = Plant(name="plant", position=(0.0, 0.0, 0.0), length=1.0, mass=1.0, stiffness=40.0, damping=2.0)
    wall = Wall(name="wall", position=(0.0, 0.05, 0.5), size=(0.1, 0.1, 0.1))
    ball = Ball(name="ball", position=(0.05, 0.0, 0.5), velocity=(0.0, 0.0, 0.0))
    world = build_world({}, SceneSpec(props=[plant, wall, ball]), STEP)
    pairs = {frozenset(world.geom_names[g] for g in pair) for pair in play(world, 8).pairs}
    assert frozenset(["ball", "plant/0"]) in pairs
    assert frozenset(["ball", "wall"]) not in pairs


def test_contacts_of_every_substep_make_up_those_of_the_tick() -> None:
    scene = SceneSpec(props=[Ball(name="ball", position=(0.0, 0.0, 0.1), velocity=(0.0, 0.0, 0.0), radius=RADIUS)])
    world = build_world({}, scene, STEP)
    view = WorldView(world, scene, TerrainGround((), 0.0))
    world.throw("ball", np.array([0.3, 0.0, -2.0]))
    play(world, 4)
    assert view.substep_contacts == ()
    view.trace_contacts()
    for _ in range(20):
        begin, told = world.data.time, play(world, 8)
        each = view.substep_contacts
        assert len(each) == 8
        touched = [k for k in range(8) if len(each[k].pairs)]
        assert len(told.pairs) == bool(touched)
        if touched:
            assert told.impulse[0] == pytest.approx(sum(each[k].impulse[0] for k in touched), rel=1e-12)
            assert told.peak[0] == max(each[k].peak[0] for k in touched)
            assert told.start[0] == each[touched[0]].start[0] == pytest.approx(begin + (touched[0] + 1) * STEP)
    assert not np.array_equal(each[0].point, each[7].point), "the ball rolls on"
