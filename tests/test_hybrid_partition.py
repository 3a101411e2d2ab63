"""Which part obeys the clip: anchors, roles and names."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import bones, human_clip, human_plan, standing, without
from poise.body import BodyPlan
from poise.errors import InputError
from poise.hybrid import anchored, find_bodies, whole
from poise.signals import Mode


@pytest.fixture(scope="module")
def plan() -> BodyPlan:
    return human_plan()


def released(plan: BodyPlan, *anchors: str, mode: Mode = Mode.TORQUE) -> set[str]:
    modes = anchored(plan, anchors, mode)
    assert set(modes.tolist()) <= {int(mode), int(Mode.MOTION)}
    return {plan.names[body] for body in np.flatnonzero(modes == mode)}


def test_an_anchor_releases_its_bone_and_everything_below(plan: BodyPlan) -> None:
    arm = {"LeftArm", "LeftForeArm", "LeftHand"}
    assert released(plan, "left_upper_arm") == arm
    assert released(plan, "LeftArm", mode=Mode.PASSIVE) == arm
    assert released(plan, "left_upper_arm", "right_hand") == arm | {"RightHand"}
    assert released(plan, "pelvis") == set(plan.names)
    assert released(plan) == set()


def test_nested_anchors_change_nothing(plan: BodyPlan) -> None:
    assert released(plan, "left_forearm", "left_upper_arm") == released(plan, "left_upper_arm")


def test_a_role_of_many_joints_stands_for_its_first(plan: BodyPlan) -> None:
    assert [plan.names[body] for body in find_bodies(plan, ("spine", "Chest"))] == ["Spine", "Chest"]


def test_whole(plan: BodyPlan) -> None:
    assert whole(plan, Mode.MOTION).tolist() == [2] * len(plan)


def test_what_is_not_there_is_refused_with_what_is(plan: BodyPlan) -> None:
    with pytest.raises(InputError, match="unknown joint or role 'tail'; known: Chest, Head"):
        anchored(plan, ("tail",))
    bare = human_plan(human_clip(without(bones(), "Hand"), standing, seconds=0.1))
    with pytest.raises(InputError, match="this character has no 'left_hand'; its roles: head, left_clavicle"):
        anchored(bare, ("left_hand",))
    with pytest.raises(InputError, match="unknown joint or role 'LeftToeBase'"):
        anchored(plan, ("LeftToeBase",))
