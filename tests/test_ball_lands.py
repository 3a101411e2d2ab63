"""A ball that falls lands on the floor and not in it; one that lies there is left alone."""

from __future__ import annotations

import numpy as np
import pytest

from poise.runtime.session import Session
from poise.scenes.people import stander
from poise.world.contact_settings import CONTACTS
from poise.world.props import Ball
from poise.world.scene import SceneSpec


def heights(mass: float, speed: float, **settings: object) -> np.ndarray:
    """Of a ball's lowest point above the floor after each tick of its fall beside somebody [m]."""
    who = stander(2.0)
    ball = Ball(
        name="ball",
        position=(2.0, 0.0, who.floor + 1.0),
        velocity=(0.0, 0.0, -speed),
        time=0.1,
        radius=0.1,
        mass=mass,
    )
    session = Session({"p": who}, SceneSpec(floor=who.floor, props=(ball,), **settings))
    at = int(session.world.model.joint("ball").qposadr[0])
    lowest = np.inf

    def watch(_: np.ndarray) -> None:
        nonlocal lowest
        lowest = min(lowest, float(session.world.positions[at + 2]) - 0.1 - who.floor)

    session.world.before_substep.append(watch)
    recording = session.run(90)
    return np.append(recording.positions[:, at + 2] - 0.1 - who.floor, lowest)


@pytest.mark.parametrize("mass", [0.3, 6.0, 20.0])
@pytest.mark.parametrize("speed", [0.0, 3.0])
def test_it_lands_on_the_floor(mass: float, speed: float) -> None:
    """A fall of 0.9 m, and a throw that hits at 5 m/s: by MuJoCo's own contact 3 and 4 cm."""
    found = heights(mass, speed)
    assert -0.018 < found[-1] < 0.0
    assert abs(found[-2]) < 0.002, "then it lies"


def test_where_contacts_are_stiff_they_stay_so() -> None:
    assert heights(6.0, 3.0, contact=CONTACTS["stiff"])[-1] > -0.012


def test_one_that_lies_there_is_met_as_everything_is() -> None:
    who = stander(2.0)
    ball = Ball(
        name="ball", position=(2.0, 0.0, who.floor + 0.1), velocity=(0.0, 0.0, 0.0), time=5.0, radius=0.1, mass=1.0
    )
    session = Session({"p": who}, SceneSpec(floor=who.floor, props=(ball,)))
    assert session.world.model.npair == 0
    at = int(session.world.model.joint("ball").qposadr[0])
    positions = session.run(60).positions
    assert np.abs(positions[:, at + 2] - positions[0, at + 2]).max() < 0.002
