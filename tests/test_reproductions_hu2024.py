"""Hu 2024: what its checks measure with is right, and they could fail."""

import numpy as np
import pytest

from poise.body.coordinates import body_frames
from poise.ik import LimbSolver, relaxed_positions
from poise.math import quat
from poise.reproductions.hu2024 import spring, walk
from poise.reproductions.hu2024.stationary import reach_with_stationary_pole
from poise.reproductions.hu2024.subject import anatomical_angles, walker


def test_the_stationary_pole_reaches_and_keeps_bones() -> None:
    plan, _ = walker()
    solver, rest = LimbSolver(plan), relaxed_positions(plan)
    root, middle, end = solver.bodies[solver.names.index("left_foot")]
    hip = body_frames(plan, rest).positions[0, root]
    goals = hip + np.array([[0.3, 0.1, -0.5], [-0.2, 0.0, -0.6]])
    rows = reach_with_stationary_pole(solver, "left_foot", rest, goals, hip + np.array([0.8, 0.0, -0.4]))
    places = body_frames(plan, rows).positions
    np.testing.assert_allclose(places[:, end], goals, atol=1e-9)
    thigh = np.linalg.norm(places[:, middle] - places[:, root], axis=1)
    np.testing.assert_allclose(thigh, np.linalg.norm(plan.offsets[middle]), atol=1e-9)
    assert (anatomical_angles(plan, rows, "left_shank")[:, 1] > 0.0).all()
    behind = reach_with_stationary_pole(solver, "left_foot", rest, goals, hip - np.array([0.8, 0.0, 0.4]))
    assert (anatomical_angles(plan, behind, "left_shank")[:, 1] < 0.0).all(), "the check sees a knee bent backwards"


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
