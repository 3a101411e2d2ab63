"""Limits of the program: ranges of balls, and which limits are hard, which yield and which are soft."""

from __future__ import annotations

import re

import numpy as np
import pytest

from poise.body.limits import anatomical, swing_twist_angles
from poise.errors import InputError
from poise.groups import Group, Person
from poise.math import quat
from poise.qp import (
    Contact,
    Controller,
    Firmness,
    FrameTask,
    JointTask,
    Kind,
    NoSolution,
    Pair,
    PoseTask,
    TurnRange,
    _turns,
)
from poise.qp.ranges import KeptRange
from poise.world.system import System


def test_angles_of_a_ball_and_their_rates_are_those_of_the_tables() -> None:
    """Against the swing and twist of `poise.body.limits`, and central differences of it."""
    rng = np.random.default_rng(0)
    for case in range(60):
        neutral = quat.normalize(rng.normal(size=4))
        turn = quat.exp(rng.normal(size=3) * (1e-5 if case < 10 else 1.0))

        def angles(turn: np.ndarray, neutral: np.ndarray = neutral) -> np.ndarray:
            return swing_twist_angles(anatomical(turn[None], neutral[None]))[0]

        found, rates = np.zeros(3), np.zeros((3, 3))
        swing = _turns.swung(tuple(turn), tuple(neutral), found, rates)
        assert found == pytest.approx(angles(turn), abs=1e-9)
        assert swing == pytest.approx(np.linalg.norm(found[:2]), abs=1e-9)
        if swing > 2.6:
            continue
        for axis, column in zip(np.eye(3), rates.T, strict=True):
            ahead, behind = (angles(quat.mul(turn, quat.exp(step * axis))) for step in (1e-6, -1e-6))
            assert column == pytest.approx((ahead - behind) / 2e-6, abs=1e-4 * max(1.0, np.abs(rates).max()))


def test_ranges_that_do_not_fit_are_refused() -> None:
    neutral, none = np.tile(quat.IDENTITY, (2, 1)), np.zeros((2, 3))
    with pytest.raises(InputError, match=r"^a: ranges of 2 balls need .* lower below upper"):
        TurnRange(owner="a", bodies=[1, 2], neutral=neutral, lower=none, upper=none)
    with pytest.raises(InputError, match=r"got \(2, 4\), \(1, 3\), \(2, 3\)"):
        TurnRange(owner="a", bodies=[1, 2], neutral=neutral, lower=none[:1], upper=none + 1.0)
    plan = Person().character().plan
    system = System({"a": plan}, balls=["a"])
    ranged = TurnRange(owner="a", bodies=[0, 2], neutral=neutral, lower=none, upper=none + 1.0)
    with pytest.raises(InputError, match=f"balls are bodies 1 to {len(plan) - 1}"):
        KeptRange.of(ranged, system)


def bending(firmness: dict, target: float = 3.0, **options) -> tuple[Group, float, list]:
    """Somebody whose elbow is wanted far beyond its range with all force; where it gets, and what gave way."""
    group = Group({"anna": Person()}, idle=False, firmness=firmness, **options)
    group.stand("anna")
    joint = "anna/left_forearm/y"
    group.controller.want("bend", JointTask(joints=[joint], target=[-target], weight=1e4, stiffness=100.0))
    gave = []
    for _ in range(300):
        step, _ = group.advance()
        gave += step.relaxations
    number = group.system.joints.names.index(joint)
    return group, float(group.system.joints.lower[number] - group.system.joint_positions[number]), gave


def test_a_soft_limit_is_missed_where_tasks_pull_and_that_is_told() -> None:
    joint = "anna/left_forearm/y"
    _, beyond, gave = bending({})
    assert beyond < 0.0
    assert not gave
    _, beyond, gave = bending({(Kind.SPEED, joint): Firmness.SOFT})
    assert beyond > 0.02
    assert {(one.kind, one.name) for one in gave} == {(Kind.SPEED, joint)}
    assert bending({(Kind.SPEED, "anna/right_forearm/y"): Firmness.SOFT})[1] < 0.0
    _, beyond, gave = bending({Kind.SPEED: Firmness.SOFT, (Kind.SPEED, joint): Firmness.YIELDS})
    assert beyond < 0.0


def falling(firmness: dict) -> Controller:
    """Feet that are to stop at once under a body that falls at 5 m/s."""
    group = Group({"a": Person()}, idle=False, firmness=firmness)
    group.stand("a")
    group.system.data.qvel[2] = -5.0
    group.system.refresh()
    return group.controller


def test_what_is_hard_never_gives_way() -> None:
    assert falling({}).solve().relaxations
    with pytest.raises(NoSolution):
        falling({Kind.SPEED: Firmness.HARD, Kind.TORQUE: Firmness.HARD}).solve()
    kinds = {one.kind for one in falling({Kind.SPEED: Firmness.HARD}).solve().relaxations}
    assert Kind.SPEED not in kinds
    assert kinds


def test_a_pair_that_is_soft_is_pressed_together() -> None:
    pair = Pair(first="anna/left_hand/0", second="anna/right_hand/0")
    found = {}
    for firmness in (Firmness.HARD, Firmness.SOFT):
        group = Group({"anna": Person()}, pairs=[pair], idle=False, firmness={(Kind.DISTANCE, pair.label): firmness})
        group.stand("anna")
        for side in ("left", "right"):
            hand = FrameTask(body=f"anna/{side}_hand", target=np.array([0.3, 0.0, 1.0]), weight=1e5, stiffness=50.0)
            group.controller.want(side, hand)
        nearest = np.inf
        for _ in range(300):
            group.advance()
            nearest = min(nearest, group.controller.avoidances[0].distance)
        found[firmness] = nearest
    assert found[Firmness.HARD] > pair.security - 1e-3
    assert found[Firmness.SOFT] < pair.security - 5e-3


@pytest.mark.parametrize(
    ("of", "says"),
    [
        (Kind.NO_SLIP, "no slip is no limit; those are distance, joint range and speed, torque limit"),
        ((Kind.TORQUE, "anna/left_forearm/w"), "unknown torque limit 'anna/left_forearm/w'"),
        ((Kind.DISTANCE, "anna/left_forearm/y"), "unknown distance 'anna/left_forearm/y'"),
    ],
)
def test_firmness_of_what_is_no_limit_is_refused(of: object, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)) as refused:
        Group({"anna": Person()}, firmness={of: Firmness.SOFT})  # type: ignore[dict-item]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("rolls", [[1.0, 0.0], [0.0, 0.0, 0.0], [np.nan, 0.0, 1.0], [[0.0, 1.0, 0.0]]])
def test_an_axis_to_roll_about_is_three_numbers(rolls: list) -> None:
    with pytest.raises(InputError, match=r"contact 'ball': rolls is an axis of three numbers") as refused:
        Contact(name="ball", first="world", second="a/foot", points=[[0, 0, 0]], normals=[[0, 0, 1]], rolls=rolls)
    assert "\n" not in str(refused.value)


def test_what_slides_does_not_roll() -> None:
    with pytest.raises(InputError, match="of what does not slide"):
        Contact(
            name="ball",
            first="world",
            second="a/foot",
            points=[[0, 0, 0]],
            normals=[[0, 0, 1]],
            rolls=[0, 1, 0],
            slides=True,
        )


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (
            {"target": np.zeros((2, 3))},
            r"^a: a pose of 2 bodies needs target \(2, 4\), .* got \(2, 3\), \(2, 3\), \(2, 3\)$",
        ),
        ({"velocity": np.zeros(3)}, r"got \(2, 4\), \(3,\), \(2, 3\)$"),
        ({"acceleration": np.zeros((1, 3))}, r"got \(2, 4\), \(2, 3\), \(1, 3\)$"),
        ({"velocity": np.full((2, 3), np.nan)}, "must be finite"),
    ],
)
def test_a_pose_of_other_shapes_is_refused(changed: dict, says: str) -> None:
    system = System({"a": Person().character().plan}, balls=["a"])
    none = np.zeros((2, 3))
    given = {"target": np.tile(quat.IDENTITY, (2, 1)), "velocity": none, "acceleration": none} | changed
    controller = Controller(system, 0.005)
    with pytest.raises(InputError, match=says):
        controller.want("pose", PoseTask(owner="a", bodies=[1, 2], **given))
