"""Balls and boxes in fluids: floating depth, terminal velocity and drift against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from poise.fluid import FLUIDS, FluidVolume, box_mesh, float_on, merged, named_fluid, sphere_mesh
from poise.runtime import Session
from poise.scenes.people import stander
from poise.wading import Fluids
from poise.world.props import HELD, Ball, Box
from poise.world.scene import SceneSpec

Array = NDArray[np.float64]

LEVEL, RADIUS = 1.5, 0.11
HALF = (0.2, 0.15, 0.12)


def session_of(
    *props: Ball | Box, fluid: str = "water", level: float = LEVEL, seconds: float = 5.0, **more: object
) -> Session:
    """A pool of 4 m by 4 m five metres from somebody who stands."""
    where = {"center": (5.0, 0.0), "size": (4.0, 4.0), **more}
    pool = FluidVolume(fluid=named_fluid(fluid), level=level, depth=level, **where)  # type: ignore[arg-type]
    return Session({"who": stander(seconds)}, SceneSpec(floor=0.0, props=props), fluids=Fluids(pool))


def ball(mass: float, height: float = LEVEL + 0.2, **more: float) -> Ball:
    return Ball(name="it", position=(5.0, 0.0, height), velocity=(0.0, 0.0, 0.0), mass=mass, radius=RADIUS, **more)


def played(session: Session) -> Array:
    """Place and orientation of the prop over time, shape (N + 1, 7)."""
    at = session.world.position_start("it")
    return session.run().positions[:, at : at + 7]


@pytest.mark.parametrize("mass", [0.5, 2.0, 4.0])
def test_a_ball_floats_as_deep_as_its_cap_weighs(mass):
    cap = brentq(lambda h: np.pi * h * h * (3.0 * RADIUS - h) / 3.0 - mass / 1000.0, 0.0, 2.0 * RADIUS)
    way = played(session_of(ball(mass), seconds=8.0))
    assert way[-90:, 2].mean() == pytest.approx(LEVEL - cap + RADIUS, abs=1e-3)
    assert np.ptp(way[-90:, 2]) < 0.012


@pytest.mark.parametrize("mass", [1.0, 20.0])
def test_a_box_floats_as_deep_as_what_it_displaces_weighs(mass):
    way = played(session_of(Box(name="it", position=(5.0, 0.0, LEVEL + 0.2), size=HALF, mass=mass), seconds=8.0))
    draft = mass / (1000.0 * 4.0 * HALF[0] * HALF[1])
    assert way[-90:, 2].mean() == pytest.approx(LEVEL - draft + HALF[2], abs=2e-3)


def test_a_heavy_ball_sinks_at_its_terminal_velocity():
    mass, water = 8.0, FLUIDS["water"]
    session = session_of(ball(mass, 30.0), level=30.3, seconds=4.0)
    way = played(session)
    weight = (mass - water.density * 4.0 / 3.0 * np.pi * RADIUS**3) * 9.81
    terminal = np.sqrt(weight / (0.5 * water.density * 0.47 / 1.1 * water.coefficient * np.pi * RADIUS**2))
    speeds = -np.diff(way[:, 2]) / session.clock.tick
    assert speeds[-1] == pytest.approx(terminal, rel=0.01)
    assert speeds.max() < 1.01 * terminal


def test_a_box_drifts_with_the_current():
    box = Box(name="it", position=(4.0, 0.0, LEVEL + 0.05), size=HALF, mass=9.0)
    session = session_of(box, current=(0.4, 0.0, 0.0))
    way, second = played(session), round(1.0 / session.clock.tick)
    speeds = way[second:, 0] - way[:-second, 0]
    # Against square drag what is missing of the current's speed is made good ever more slowly.
    assert 0.24 < speeds[-1] < speeds.max() + 1e-9 < 0.4
    assert (np.diff(speeds[::second]) > 0.0).all()


@pytest.mark.parametrize("fluid", ["water", "goo", "snow"])
def test_what_weighs_next_to_nothing_comes_to_rest_in_any_fluid(fluid):
    light = Ball(name="it", position=(5.0, 0.0, 0.3), velocity=(0.0, 0.0, 0.0), mass=0.003, radius=0.02)
    way = played(session_of(light, fluid=fluid, seconds=8.0))
    assert np.isfinite(way).all()
    assert np.abs(np.diff(way[-30:, 2])).max() < 2e-3
    assert way[-1, 2] < LEVEL + 0.05


def test_who_is_held_feels_no_fluid_and_nothing_does_beside_it():
    held = played(session_of(ball(0.5, 1.0, time=HELD), seconds=1.0))
    np.testing.assert_allclose(held[:, 2], 1.0, atol=1e-9)
    beside = Ball(name="it", position=(9.0, 0.0, 1.0), velocity=(0.0, 0.0, 0.0), mass=0.5, radius=RADIUS)
    assert played(session_of(beside, seconds=1.0))[-1, 2] == pytest.approx(RADIUS, abs=0.01)


def test_a_moment_afloat_is_saved_and_brought_back():
    session = session_of(ball(2.0), seconds=3.0)
    session.run(40)
    moment = session.save()
    session.run(40)
    first = session.world.positions.copy()
    session.restore(moment)
    session.run(40)
    np.testing.assert_array_equal(session.world.positions, first)


def test_what_falls_in_moves_the_surface():
    session = session_of(ball(4.0, LEVEL + 0.8), seconds=2.0)
    session.run()
    (sheet,) = session.sheets()
    heights = sheet.heights[:, sheet.heights[0] > -0.5]
    assert np.abs(heights[: round(0.3 * sheet.rate)]).max() < 1e-3
    assert np.abs(heights).max() > 0.01


def test_a_sphere_has_its_volume_and_a_body_of_several_parts_their_sum():
    sphere, box = sphere_mesh(0.2), box_mesh(np.array(HALF))
    deep = FluidVolume(fluid=FLUIDS["water"], level=9.0)
    rest, still = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), np.zeros(6)
    for mesh, volume in ((sphere, 4.0 / 3.0 * np.pi * 0.008), (box, 8.0 * np.prod(HALF)), (merged(sphere, box), None)):
        told = float_on(mesh, rest, still, deep, 0.002, 0.0)
        assert told.volume == pytest.approx(sphere.volume + box.volume if volume is None else volume, rel=1e-9)
        assert told.wrench[2] == pytest.approx(1000.0 * 9.81 * told.volume)


def test_a_box_that_lists_is_righted():
    tilted = np.array([0.0, 0.0, 0.0, np.cos(0.1), np.sin(0.1), 0.0, 0.0])
    half = FluidVolume(fluid=FLUIDS["water"], level=0.0)
    told = float_on(box_mesh(np.array([0.3, 0.3, 0.1])), tilted, np.zeros(6), half, 0.002, 0.0)
    assert told.wrench[3] < -1.0
