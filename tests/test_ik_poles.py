"""Elastic poles: settle quickly, balance their forces, lose energy, and stay with the body."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import human_plan
from poise.errors import InputError
from poise.ik import ElasticPole, ElasticPoles, LimbSolver, relaxed_positions
from poise.ik.poles import (
    _kernels,
    published_angle,
    published_components,
    published_direction,
    published_force,
    published_resultant,
    published_speed,
)
from poise.math import quat

Array = np.ndarray
PLAN = human_plan()
SOLVER = LimbSolver(PLAN)
MID, NATURAL, RESTS = (0.0, 0.0, 0.0), (-0.6, 0.1, -0.3), np.array([0.15, 0.2])


def run(start: Array, tick: float, time: float, pole: ElasticPole | None = None) -> tuple[Array, Array]:
    springs = (pole or ElasticPole()).springs
    point, velocity = tuple(start), (0.0, 0.0, 0.0)
    points, speeds = [start], [np.zeros(3)]
    for _ in range(round(time / tick)):
        point, velocity = _kernels.step_pole(point, velocity, MID, NATURAL, springs, RESTS, tick)
        points.append(np.array(point))
        speeds.append(np.array(velocity))
    return np.array(points), np.array(speeds)


def potential(points: Array, springs: Array) -> Array:
    total = np.zeros(len(points))
    for anchor, stiffness, rest in ((MID, springs[0], RESTS[0]), (NATURAL, springs[2], RESTS[1])):
        total += 0.5 * stiffness * (np.linalg.norm(points - anchor, axis=1) - rest) ** 2
    return total


def balance() -> Array:
    """Where taut springs balance: on the line between their ends."""
    springs, line = ElasticPole().springs, np.array(NATURAL)
    size = np.linalg.norm(line)
    stretch = size - RESTS.sum()
    return line / size * (RESTS[0] + stretch * springs[2] / (springs[0] + springs[2]))


def test_a_step_settles_without_much_overshoot_where_the_forces_balance() -> None:
    still = balance()
    along = still / np.linalg.norm(still)
    points, _ = run(still + 0.1 * along, 1.0 / 60.0, 1.0)
    away = (points - still) @ along / 0.1
    assert np.abs(away[30:]).max() < 0.02, "settled within half a second"
    assert away.min() > -0.1, "overshoot below a tenth"
    points, _ = run(still + np.array([0.05, 0.1, 0.1]), 1.0 / 60.0, 6.0)
    np.testing.assert_allclose(points[-1], still, atol=1e-6)


@pytest.mark.parametrize("tick", [1.0 / 240.0, 1.0 / 60.0, 1.0 / 24.0, 0.5])
def test_energy_never_grows_at_any_tick(tick: float, rng: np.random.Generator) -> None:
    for pole in (ElasticPole(), ElasticPole(frequency=20.0, damping_ratio=0.05, tangential=0.0)):
        points, speeds = run(rng.normal(size=3), tick, 4.0, pole)
        energy = potential(points, pole.springs) + 0.5 * np.sum(speeds**2, axis=1)
        assert np.isfinite(energy).all()
        assert np.diff(energy).max() < 1e-9 * energy[0]


def test_ticks_of_any_length_lead_to_the_same_place() -> None:
    start = balance() + np.array([0.1, 0.05, -0.08])
    fine, _ = run(start, 1.0 / 960.0, 0.25)
    coarse, _ = run(start, 1.0 / 24.0, 0.25)
    np.testing.assert_allclose(coarse[-1], fine[-1], atol=1e-3)


def test_walking_and_turning_do_not_drag_the_poles() -> None:
    poles = ElasticPoles(SOLVER)
    row = relaxed_positions(PLAN)[None]
    poles.advance(row, 3.0)
    before = poles.state.copy()
    moved = row.copy()
    moved[0, :3] = [40.0, -7.0, 2.0]
    moved[0, 3:7] = quat.mul(quat.exp([0.0, 0.0, 2.0]), row[0, 3:7])
    poles.advance(moved, 0.1)
    np.testing.assert_allclose(poles.state, before, atol=1e-6)


def test_poles_hang_behind_elbows_and_before_knees_on_both_sides_alike() -> None:
    poles = ElasticPoles(SOLVER)
    row = relaxed_positions(PLAN)[None]
    poles.advance(row, 3.0)
    points = poles.world(row)[0]
    assert (points[:2, 0] < -0.1).all()
    assert (points[2:, 0] > 0.2).all()
    np.testing.assert_allclose(points[[1, 3]], points[[0, 2]] * [1.0, -1.0, 1.0], atol=1e-9)


def test_rest_lengths_of_the_bind_pose_hold_the_pole_where_it_was_put() -> None:
    """In the bind pose itself, undeformed springs pull nowhere."""
    poles = ElasticPoles(SOLVER, ElasticPole(rest=1.0))
    row = np.zeros((1, PLAN.position_count))
    row[:, 3::4], row[0, 3:7] = 1.0, PLAN.neutral[0]
    before = poles.state.copy()
    poles.advance(row, 1.0)
    np.testing.assert_allclose(poles.state, before, atol=1e-9)


def test_the_printed_forms_have_their_printed_faults() -> None:
    circle = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert published_speed(circle[0], circle[1], 0.1) == 0.0, "Eq. 7 does not see a pole that circles the origin"
    assert published_force(0.5, 0.5, 0.0, 40.0, 1.0) == 0.0, "Eq. 8 forgets how long the spring was at rest"
    along, across = published_components(2.0, 3.0, np.pi / 3.0)
    total = 2.0 * np.array([1.0, 0.0]) + 3.0 * np.array([0.5, np.sqrt(0.75)])
    assert published_resultant(along, across) == pytest.approx(np.linalg.norm(total))
    direction = published_direction(np.array([1.0, 0.0, 0.0]), along, published_resultant(along, across))
    np.testing.assert_array_equal(direction[1:], 0.0)
    assert not np.isfinite(published_direction(np.array([1.0, 0.0, 0.0]), 0.0, 1.0)).all()
    pole, mid, natural = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    assert published_angle(pole, mid, natural, 0.5 * (mid + natural)) == pytest.approx(np.pi / 2.0)
    assert published_angle(pole, mid, natural, np.array([1.0, -1.0, 0.0])) != pytest.approx(np.pi / 2.0)


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match=r"pole\.frequency: must be a number"):
        ElasticPole(frequency=float("nan"))
