"""Hu 2024: what its checks measure with is right, and they could fail."""

import numpy as np
import pytest

from poise.body.coordinates import body_frames
from poise.ik import relaxed_positions
from poise.math import quat
from poise.reproductions.hu2024 import spring, walk
from poise.reproductions.hu2024.subject import anatomical_angles, walker


def test_flexion_is_positive_for_knees_and_negative_for_elbows() -> None:
    plan, _ = walker()
    row = relaxed_positions(plan)[None]
    assert anatomical_angles(plan, row, "left_shank")[0, 1] == pytest.approx(10.0)
    assert anatomical_angles(plan, row, "right_forearm")[0, 1] == pytest.approx(-20.0)


def test_the_closed_form_is_the_spring_of_the_parameters() -> None:
    times = np.linspace(0.0, 1.0, 2001)
    away = spring.closed_form(times)
    assert away[0] == pytest.approx(0.05)
    speed, step = np.gradient(away, times), times[1]
    assert abs(speed[1]) < 0.02
    rate = 2.0 * np.pi * 2.0
    force = np.gradient(speed, times) + 2.0 * 0.9 * rate * speed + rate**2 * away
    assert np.abs(force[5:-5]).max() < 50.0 * step * rate**2 * 0.05


def test_places_are_seen_from_an_upright_pelvis() -> None:
    plan, _ = walker()
    places = walk.places("capture", "shank")
    assert (places[:, 0, 1] > places[:, 1, 1]).all(), "the left knee is left of the right one"
    assert (places[..., 2] < 0.0).all()
    frames = body_frames(plan, walk.versions()["capture"])
    upright = quat.mul(frames.rotations[:, 0], quat.conj(plan.neutral[0]))
    knee = quat.rotate(upright, places[:, 0]) + frames.positions[:, 0]
    np.testing.assert_allclose(knee, frames.positions[:, plan.with_role("left_shank")[0]], atol=1e-9)
