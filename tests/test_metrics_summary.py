"""Reports of whole motions: what is in them, and that nothing but numbers and reasons reaches JSON."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from poise.errors import InputError
from poise.math import quat
from poise.metrics import Bodies, ContactLog, JointAngles, Motion, compare, measure


def walk(frames: int = 61, *, speed: float = 1.0, rate: float = 30.0, full: bool = True) -> Motion:
    """A block of two joints and four foot points sliding along x, with everything the physics can add."""
    along = speed * np.arange(frames) / rate
    offset = np.zeros((frames, 1, 3))
    offset[:, 0, 0] = along
    positions = offset + np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.5]])
    feet = offset + np.array([[-0.1, -0.1, 0.0], [0.1, -0.1, 0.0], [0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]])
    rotations = np.broadcast_to(quat.IDENTITY, (frames, 2, 4))
    plain = Motion(rate, positions, rotations, feet)
    if not full:
        return plain
    velocities = np.zeros((frames, 1, 3))
    velocities[..., 0] = speed
    still = np.zeros((frames, 1, 3))
    torso = Bodies(np.array([70.0]), np.ones((1, 3)), positions[:, :1], rotations[:, :1], velocities, still)
    ticks = np.arange(min(frames, 10))
    return replace(
        plain,
        bodies=torso,
        angles=JointAngles(np.full((frames, 1), 0.2), np.array([-1.0]), np.array([0.1])),
        penetration=np.full((frames, 2), 0.002),
        contacts=ContactLog(("foot/floor",), ticks, 0 * ticks, 10.0 + 0.0 * ticks, 700.0 + 0.0 * ticks, ticks / rate),
        torques=np.full((frames, 1), 5.0),
        velocities=np.full((frames, 1), 2.0),
    )


def leaves(report: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in report.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{name}.")
        elif not path.startswith("reasons."):
            yield f"{path}{name}", value


def assert_plain(report: dict[str, Any]) -> None:
    """Strict JSON; each leaf a float or None; reasons for exactly the leaves that are None."""
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    found = dict(leaves(report))
    assert {type(value) for value in found.values()} <= {float, type(None)}
    assert {path for path, value in found.items() if value is None} == set(report["reasons"])


def test_a_block_sliding_at_one_metre_per_second() -> None:
    report = measure(walk())
    assert_plain(report)
    assert report["reasons"] == {}
    assert report["feet"]["skating_ratio"] == 1.0
    assert report["feet"]["weighted_skate_m_s"] == pytest.approx(1.0)
    assert report["feet"]["stance_speed_m_s"] == pytest.approx(1.0)
    assert report["smoothness"]["root_jerk_mean_m_s3"] == pytest.approx(0.0, abs=1e-8)
    assert report["energy"]["kinetic_mean_j"] == pytest.approx(35.0)
    assert report["energy"]["momentum_max_kg_m_s"] == pytest.approx(70.0)
    assert report["balance"]["com_margin_min_m"] == pytest.approx(0.1)
    assert report["balance"]["extrapolated_com_margin_min_m"] == pytest.approx(0.1 - np.sqrt(1.0 / 9.81))
    assert report["balance"]["supported_percent"] == 100.0
    assert report["limits"]["max_deg"] == pytest.approx(np.rad2deg(0.1))
    assert report["penetration"]["mean_mm"] == pytest.approx(2.0)
    assert report["contacts"]["hits"] == report["contacts"]["pairs"]["foot/floor"]["hits"] == 1.0
    assert report["effort"]["work_j"] == pytest.approx(20.0)
    assert report["effort"]["cost_of_transport"] == pytest.approx(20.0 / (70.0 * 9.81 * 2.0))


def test_place_and_heading_do_not_matter(rng: np.random.Generator) -> None:
    wild, frames = walk(), 61
    positions = wild.positions + rng.normal(scale=0.05, size=wild.positions.shape)
    feet = wild.feet + rng.normal(scale=0.02, size=wild.feet.shape)
    tumbling = Bodies(
        np.array([30.0, 40.0]),
        np.array([[1.0, 2.0, 2.5], [0.5, 0.7, 0.9]]),
        positions,
        quat.normalize(rng.normal(size=(frames, 2, 4))),
        *rng.normal(size=(2, frames, 2, 3)),
    )
    turn, shift = quat.exp([0.0, 0.0, 2.1]), np.array([5.0, -3.0, 0.7])

    def moved(points: np.ndarray) -> np.ndarray:
        return quat.rotate(turn, points) + shift

    elsewhere = Bodies(
        tumbling.masses,
        tumbling.inertias,
        moved(positions),
        quat.mul(turn, tumbling.orientations),
        quat.rotate(turn, tumbling.velocities),
        quat.rotate(turn, tumbling.angular_velocities),
    )
    here = measure(replace(wild, positions=positions, feet=feet, bodies=tumbling))
    there = measure(replace(wild, positions=moved(positions), feet=moved(feet), floor=0.7, bodies=elsewhere))
    assert here["reasons"] == {}
    assert dict(leaves(there)) == pytest.approx(dict(leaves(here)), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
def test_short_clips_say_what_they_lack(frames: int) -> None:
    report = measure(walk(frames))
    assert_plain(report)
    assert (report["smoothness"]["root_jerk_mean_m_s3"] is None) == (frames < 4)
    assert (report["feet"]["skating_ratio"] is None) == (frames < 2)
    assert report["feet"]["penetration_max_mm"] == 0.0
    both = compare(walk(frames), walk(frames))
    assert_plain(both)
    assert (both["tracking"]["acceleration_error_m_s2"] is None) == (frames < 3)
    if frames < 3:
        assert both["reasons"]["tracking.acceleration_error_m_s2"] == f"needs at least 3 frames; got {frames}"


def test_without_feet_or_contact() -> None:
    motion = walk()
    bare = replace(motion, feet=np.zeros((61, 0, 3)))
    flying = replace(motion, feet=motion.feet + np.array([0.0, 0.0, 0.4]))
    for each in (bare, flying):
        report = measure(each)
        assert_plain(report)
        assert {report["feet"][key] for key in report["feet"] if "skat" in key or "stance" in key} == {None}
        assert report["balance"]["supported_percent"] == 0.0
        assert "nothing to measure" in report["reasons"]["balance.com_margin_mean_m"]


@pytest.mark.parametrize("worst", [np.nan, np.inf, -np.inf, 1e200])
def test_a_run_that_blew_up_never_reaches_json(worst: float) -> None:
    broken = walk()
    for array in (broken.positions, broken.feet, broken.penetration, broken.torques):
        assert array is not None
        array[30:] = worst
    report = measure(broken)
    assert_plain(report)
    assert report["smoothness"]["root_jerk_mean_m_s3"] is None
    both = compare(walk(), broken)
    assert_plain(both)
    assert both["tracking"]["position_success"] == 0.0
    if not np.isfinite(worst):
        assert "not finite" in both["reasons"]["feet.skating_ratio.after"]


def test_comparing_gives_differences_and_tracking() -> None:
    before, after = walk(speed=1.0, full=False), walk(speed=0.4)
    report = compare(before, after)
    assert_plain(report)
    skating = report["feet"]["skating_ratio"]
    assert skating == {"before": 1.0, "after": 0.0, "difference": -1.0}
    assert report["energy"]["kinetic_mean_j"]["before"] is None
    assert report["reasons"]["energy.kinetic_mean_j.before"] == "not in this motion"
    assert report["tracking"]["velocity_error_m_s"] == pytest.approx(0.6)
    assert report["tracking"]["position_max_mm"] == pytest.approx(1200.0)
    assert report["tracking"]["position_root_relative_mean_mm"] == pytest.approx(0.0, abs=1e-9)
    assert report["tracking"]["position_success"] == 0.0
    assert report["tracking"]["angle_mean_deg"] == pytest.approx(0.0, abs=1e-9)


def test_comparing_other_rates_leaves_out_tracking() -> None:
    report = compare(walk(rate=30.0), walk(241, rate=120.0))
    assert_plain(report)
    assert set(report["tracking"].values()) == {None}
    assert "120 Hz" in report["reasons"]["tracking.position_max_mm"]
    assert report["feet"]["stance_speed_m_s"]["difference"] == pytest.approx(0.0, abs=1e-9)


def test_feet_that_only_slide_fast_skate_all_the_same() -> None:
    report = measure(walk(speed=3.0))["feet"]
    assert report["stance_speed_m_s"] is None
    assert report["skating_ratio"] == 1.0
    assert report["weighted_skate_m_s"] == pytest.approx(3.0)


def test_uneven_floor_and_known_contact() -> None:
    motion = walk()
    hill = np.broadcast_to(motion.feet[..., 0], motion.feet.shape[:2])
    raised = replace(motion, feet=motion.feet + hill[..., None] * [0.0, 0.0, 1.0], floor=hill)
    assert measure(raised)["feet"] == pytest.approx(measure(motion)["feet"])
    lifted = replace(motion, feet=motion.feet + np.array([0.0, 0.0, 0.2]), contact=np.ones((61, 4), bool))
    report = measure(lifted)
    assert report["feet"]["floating_mean_mm"] == pytest.approx(200.0)
    assert report["balance"]["com_margin_min_m"] == pytest.approx(0.1)


def test_a_jump_is_not_floating() -> None:
    motion, up = walk(), np.arange(61) % 10 < 3
    jumping = replace(motion, feet=motion.feet + up[:, None, None] * np.array([0.0, 0.0, 0.3]))
    assert measure(jumping)["feet"]["floating_mean_mm"] > 50.0
    jumps = measure(replace(jumping, aloft=up))["feet"]
    assert jumps["floating_mean_mm"] == measure(motion)["feet"]["floating_mean_mm"] < 1e-9
    assert jumps["floating_frames_percent"] == 0.0


@pytest.mark.parametrize(
    "change",
    [
        {"rate": 0.0},
        {"positions": np.zeros((61, 2))},
        {"positions": np.zeros((0, 2, 3))},
        {"rotations": np.zeros((61, 3, 4))},
        {"feet": np.zeros((60, 4, 3))},
        {"floor": np.zeros(61)},
        {"root": 2},
        {"contact": np.ones((61, 4))},
        {"penetration": np.zeros(61)},
        {"bodies": walk(60).bodies},
        {"angles": walk(60).angles},
        {"torques": None},
        {"velocities": np.zeros((61, 2))},
        {"torques": np.zeros(61)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_bad_shapes(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        replace(walk(), **change)
