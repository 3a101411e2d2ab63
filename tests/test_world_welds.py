"""Welds: bodies fixed where they are, let go again, saved and restored, and apart from what they are welded to."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.scenes.playground import swing
from poise.signals import Drive
from poise.world import SceneSpec, World, build_world
from poise.world.props import Box


def boxes(**welds: str) -> World:
    things = [
        Box(name=name, position=(x, 0.0, 1.0), size=(0.1, 0.1, 0.1), mass=1.0) for name, x in (("a", 0.0), ("b", 0.5))
    ]
    return build_world({}, SceneSpec(props=things, welds=welds, floor=None, sleep=False), 0.002)


def fall(world: World, steps: int = 100) -> np.ndarray:
    world.step(Drive(np.tile(world.data.qpos, (steps, 1))))
    return np.array(world.data.xpos[[world.model.body(name).id for name in ("a", "b")]])


def test_a_weld_holds_only_while_it_is_told_to() -> None:
    world = boxes(a="world")
    assert fall(world)[0, 2] < 0.9
    world.data.qvel[:] = 0.0
    world.weld("a")
    held = np.array(world.data.body("a").xpos)
    assert np.abs(fall(world)[0] - held).max() < 5e-3
    world.weld("a", held=False)
    assert fall(world)[0, 2] < held[2] - 0.1


def test_two_bodies_keep_their_place_to_one_another() -> None:
    world = boxes(a="b")
    world.data.joint("b").qpos[3:] = [np.cos(0.3), 0.0, np.sin(0.3), 0.0]
    world.data.joint("b").qvel[4] = 1.0
    fall(world, 1)
    world.weld("a")
    before = world.data.body("b").xmat.reshape(3, 3).T @ (world.data.body("a").xpos - world.data.body("b").xpos)
    fall(world, 200)
    after = world.data.body("b").xmat.reshape(3, 3).T @ (world.data.body("a").xpos - world.data.body("b").xpos)
    assert np.abs(after - before).max() < 5e-3


def test_going_back_restores_a_weld() -> None:
    world = boxes(a="world")
    world.weld("a")
    saved = world.save()
    first = fall(world)
    world.weld("a", held=False)
    fall(world)
    world.weld("a")
    world.restore(saved)
    assert np.array_equal(fall(world), first)


def test_a_rider_does_not_touch_its_swing() -> None:
    session = swing(seconds=3.0).session()
    names = {name for row in session.run(120).contacts.pairs for name in (session.world.geom_names[i] for i in row)}
    assert "swing" not in names


def test_unknown_bodies_and_welds_are_refused() -> None:
    with pytest.raises(InputError, match="'c'"):
        boxes(c="world")
    with pytest.raises(InputError, match="weld"):
        boxes(a="world").weld("b")
