"""Where an arm may point, and what hinges a person without a clip has: tables against what their sources say of them."""

from __future__ import annotations

import numpy as np
import pytest

from poise.body.hinges import hinges_of
from poise.body.limits import limits_for
from poise.body.plan import BodyPlan
from poise.body.range_of_motion import range_angles
from poise.math import quat
from poise.scenes.people import walker


@pytest.fixture(scope="module")
def plan() -> BodyPlan:
    return walker(1).plan


def beyond(plan: BodyPlan, side: str, elevation: float, plane: float) -> float:
    """How far the direction of an arm is outside its range [degrees]: raised so far from hanging, 90° being forwards."""
    body = plan.body_roles.index(f"{side}_upper_arm")
    up, ahead = np.radians(elevation), np.radians(plane)
    left = 1.0 if side == "left" else -1.0
    way = np.array([np.sin(up) * np.sin(ahead), left * np.sin(up) * np.cos(ahead), -np.cos(up)])
    turn = quat.between(np.array([0.0, 0.0, -1.0]), way)
    coordinates = np.zeros((1, len(plan), 4))
    for each in range(1, len(plan)):
        above = plan.parents[each]
        wanted = turn if each == body else quat.IDENTITY
        relative = quat.mul(quat.mul(quat.conj(plan.axes[above]), wanted), plan.axes[each])
        coordinates[0, each] = quat.mul(quat.conj(plan.bind_rotations[each]), relative)
    coordinates[0, 0, 0] = 1.0
    found = range_angles(plan, coordinates)
    (column,) = [n for n, kind in enumerate(found.kinds) if kind == "direction" and found.bodies[n] == body]
    return float(np.degrees(found.outside[0, column]))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    ("elevation", "plane", "outside"),
    [
        *((20.0, plane, 0.0) for plane in (-150.0, -90.0, 0.0, 90.0, 178.0)),
        (48.0, 178.0, 0.0),
        (61.0, -90.0, 0.0),
        (62.0, -91.0, np.sin(np.radians(62.0))),
        (62.0, 166.0, np.sin(np.radians(62.0))),
        (90.0, 140.0, 0.0),
        (90.0, 143.0, 2.0),
        (90.0, -44.0, 0.0),
        (90.0, -47.0, 2.0),
        (120.0, 143.0, 2.0 * np.sin(np.radians(120.0))),
        (150.0, 178.0, 0.0),
        (150.0, -92.0, 2.0 * np.sin(np.radians(150.0))),
        (179.0, 178.0, 0.0),
    ],
)
def test_an_arm_points_where_a_persons_does(
    plan: BodyPlan, side: str, elevation: float, plane: float, outside: float
) -> None:
    assert beyond(plan, side, elevation, plane) == pytest.approx(outside, abs=1e-6)


def test_hinges_are_a_persons_and_the_right_side_mirrors_the_left(plan: BodyPlan) -> None:
    hinges = dict(zip(plan.body_roles, hinges_of(plan), strict=True))
    shown = {
        role: [(h.axis, round(np.degrees(h.lower)), round(np.degrees(h.upper)), h.speed) for h in own]
        for role, own in hinges.items()
        if role and own
    }
    assert shown["left_thigh"] == [("z", -45, 45, 8.8), ("x", -25, 50, 5.5), ("y", -120, 24, 5.4)]
    assert shown["left_shank"] == [("y", 0, 140, 6.0)]
    assert shown["left_foot"] == [("y", -57, 45, 4.6), ("x", -34, 34, 9.8)]
    assert shown["left_upper_arm"] == [("y", -170, 60, 6.0), ("x", -20, 120, 6.0), ("z", -92, 92, 6.0)]
    assert shown["left_forearm"] == [("y", -145, 0, 6.0)]
    assert shown["left_hand"] == [("z", -92, 92, 6.0), ("y", -84, 84, 6.0), ("x", -84, 84, 6.0)]
    assert shown["spine"] == [("z", -35, 35, 5.5), ("y", -20, 60, 5.5)]
    assert shown["head"] == [("z", -70, 70, 4.0), ("y", -40, 50, 4.0)]
    for role, own in shown.items():
        if role.startswith("left_"):
            mirrored = [
                (axis, low, high, speed) if axis == "y" else (axis, -high, -low, speed)
                for axis, low, high, speed in own
            ]
            assert shown[role.replace("left_", "right_")] == mirrored


def test_torques_are_those_of_75_kg_and_go_with_mass(plan: BodyPlan) -> None:
    hinges = dict(zip(plan.body_roles, hinges_of(plan), strict=True))
    usual = {"thigh": 200.0, "shank": 200.0, "foot": 150.0, "upper_arm": 80.0, "forearm": 60.0, "hand": 15.0}
    for part, torque in usual.items():
        for side in ("left", "right"):
            for hinge in hinges[f"{side}_{part}"]:
                assert hinge.torque == pytest.approx(torque * plan.total_mass / 75.0)
    for part, torque in (("head", 30.0), ("spine", 200.0)):
        assert all(hinge.torque == pytest.approx(torque * plan.total_mass / 75.0) for hinge in hinges[part])


RANGES = {
    "hand": ((-90, 81), (-27, 47), (-103, 113)),
    "forearm": ((-10, 10), (-142, 5), (-103, 113)),
    "upper_arm": ((-48, 134), (-188, 61), (-80, 80)),
    "clavicle": ((-15, 40), (-20, 20), (-30, 30)),
    "thigh": ((-31, 53), (-113, 20), (-31, 30)),
    "shank": ((-10, 10), (-5, 113), (-43, 35)),
    "foot": ((-24, 23), (-38, 35), (-20, 20)),
}
"""Abduction, flexion and twist of left limbs [degrees] (van Welbergen 2009, Table 2, and ours where it has none)."""
MIDDLE = {"neck": ((-41, 41), (-60, 61), (-79, 79)), "spine": ((-35, 35), (-30, 75), (-45, 45))}


def test_limits_are_the_tables_mirrored_on_the_right_and_shared_along_a_chain() -> None:
    for part, rows in RANGES.items():
        left, right = (limits_for(f"{side}_{part}", 1) for side in ("left", "right"))
        (x, y, z), degrees = rows, np.degrees
        np.testing.assert_allclose(np.stack([degrees(left.lower), degrees(left.upper)], axis=1), rows, atol=1e-9)
        mirrored = [(-x[1], -x[0]), y, (-z[1], -z[0])]
        np.testing.assert_allclose(np.stack([degrees(right.lower), degrees(right.upper)], axis=1), mirrored, atol=1e-9)
    for part, rows in {**MIDDLE, "head": MIDDLE["neck"]}.items():
        for sharing in (1, 3):
            each = limits_for(part, sharing)
            shared = np.degrees(np.stack([each.lower, each.upper], axis=1)) * sharing
            np.testing.assert_allclose(shared, rows, atol=1e-9)


def test_muscles_are_as_strong_as_the_motors_of_the_same_joints(plan: BodyPlan) -> None:
    """Two tables say how strong a person is; they have to say the same."""
    for strength, own in zip(plan.strengths, hinges_of(plan), strict=True):
        for hinge in own:
            assert hinge.torque == pytest.approx(strength)
    strengths = dict(zip(plan.body_roles, plan.strengths, strict=True))
    assert strengths["left_clavicle"] == strengths["left_upper_arm"], "the girdle holds what the arm pulls at"
