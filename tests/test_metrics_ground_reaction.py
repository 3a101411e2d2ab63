"""The reaction of the ground against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from poise.errors import InputError
from poise.metrics import Bodies, ground_reaction
from poise.metrics.balance import GRAVITY

RATE, MASS, HEIGHT = 200.0, 60.0, 0.9
TIMES = np.arange(201) / RATE


def body(place: np.ndarray, speed: np.ndarray, spin: np.ndarray | None = None) -> Bodies:
    """One ball of 60 kg whose moment of inertia is 2 kg m²."""
    count = len(place)
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1, 1))
    spins = np.zeros((count, 1, 3)) if spin is None else spin[:, None]
    return Bodies(np.array([MASS]), np.full((1, 3), 2.0), place[:, None], turns, speed[:, None], spins)


def standing(x: float = 0.3) -> np.ndarray:
    return np.tile([x, -0.1, HEIGHT], (len(TIMES), 1))


def test_who_stands_is_carried_below_the_centre_of_mass() -> None:
    found = ground_reaction(body(standing(), np.zeros((len(TIMES), 3))), RATE)
    np.testing.assert_allclose(found.force, np.tile([0.0, 0.0, MASS * GRAVITY], (len(TIMES), 1)), atol=1e-9)
    np.testing.assert_allclose(found.centre, standing()[:, :2], atol=1e-12)


@pytest.mark.parametrize("floor", [0.0, 0.2])
def test_who_speeds_up_is_pushed_from_behind(floor: float) -> None:
    ahead = np.zeros((len(TIMES), 3))
    ahead[:, 0] = 2.0 * TIMES
    place = standing()
    place[:, 0] += TIMES**2
    found = ground_reaction(body(place, ahead), RATE, floor)
    np.testing.assert_allclose(found.force[:, 0], 2.0 * MASS)
    np.testing.assert_allclose(found.centre[:, 0] - place[:, 0], -2.0 * (HEIGHT - floor) / GRAVITY, rtol=1e-9)


def test_who_spins_up_is_carried_beside() -> None:
    """A spin about y that grows, as of arms that are swung up, moves the pressure along x by -I α / (m g)."""
    spin = np.zeros((len(TIMES), 3))
    spin[:, 1] = 5.0 * TIMES
    found = ground_reaction(body(standing(), np.zeros((len(TIMES), 3)), spin), RATE)
    np.testing.assert_allclose(found.centre[:, 0] - 0.3, -2.0 * 5.0 / (MASS * GRAVITY), rtol=1e-9)


def test_who_falls_is_carried_by_nothing() -> None:
    down = np.zeros((len(TIMES), 3))
    down[:, 2] = -GRAVITY * TIMES
    found = ground_reaction(body(standing(), down), RATE)
    np.testing.assert_allclose(found.force, 0.0, atol=1e-9)


def test_means_take_out_jitter_and_keep_the_weight() -> None:
    jitter = np.zeros((len(TIMES), 3))
    jitter[:, 0] = 0.01 * np.sin(0.5 * np.pi * np.arange(len(TIMES)))
    rough, calm = (ground_reaction(body(standing(), jitter), RATE, window=window) for window in (0.0, 0.1))
    assert np.abs(calm.force[:, 0]).max() < 0.2 * np.abs(rough.force[:, 0]).max()
    np.testing.assert_allclose(calm.force[:, 2], MASS * GRAVITY)


def test_two_frames_are_too_few() -> None:
    with pytest.raises(InputError, match="takes three frames"):
        ground_reaction(body(standing()[:2], np.zeros((2, 3))), RATE)
