"""Who is pushed unawares gives way first, then gets the arms out, steps, and lets go of all that again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.behaviors.push import Push
from poise.behaviors.root.near import Nearness
from poise.behaviors.root.recovery import Recovery, RecoveryState, thrown_off
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.control.root import Recovering, RootDrive
from poise.io import read_character
from poise.math import quat
from poise.motion.edit import trim
from poise.runtime.session import Session
from poise.scenes.people import stander
from poise.world.props import Ball
from poise.world.scene import SceneSpec

BEGIN, TICK = 0.6, 1.0 / 60.0
UNMOVED = Recovering(beside=0.0, ahead=0.0, elbow=0.0, trunk=0.0, crouch=0.0)


def pushed(who: Character, force: list[float], drive: RootDrive | None = None, body: str = "spine") -> Session:
    who = replace(who, options=replace(who.options, root="compliant", root_drive=drive or RootDrive()))
    session = Session({"p": who}, SceneSpec(floor=who.floor), behaviors={"p": [Push(force, BEGIN, 0.1, body)]})
    session.run(150)
    return session


def hands(session: Session) -> np.ndarray:
    """Each hand from the chest, in the chest's own frame, beside where the clip has it, left then right (N+1, 2, 3) [m]."""
    recording, plan = session.recording(), session.characters["p"].plan
    result = []
    for rows in (recording.positions, recording.source):
        frames = body_frames(plan, rows)
        chest, hand = plan.with_role("spine")[-1], [plan.with_role(f"{side}_hand")[0] for side in ("left", "right")]
        turn = quat.mul(plan.neutral[chest], quat.conj(frames.rotations[:, chest]))
        away = frames.positions[:, hand] - frames.positions[:, [chest]]
        result.append(quat.rotate(np.repeat(turn[:, None], 2, axis=1), away))
    return result[0] - result[1]


@pytest.fixture(scope="module")
def stand() -> Character:
    return stander(4.0)


@pytest.mark.parametrize("angle", [0.0, 60.0, 90.0, 180.0, 250.0])
def test_arms_come_out_after_the_push_and_go_back(stand: Character, angle: float) -> None:
    """From any side; without it they hang on."""
    force = 400.0 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0])
    moved, hung = hands(pushed(stand, list(force))), hands(pushed(stand, list(force), RootDrive(recovering=UNMOVED)))
    out = (moved - hung)[..., 1] * np.array([1.0, -1.0])
    early, late = round((BEGIN + 0.1) / TICK), round((BEGIN + 0.6) / TICK)
    assert np.abs(moved - hung)[:early].max() < 1e-9
    assert (out[late] > 0.05).all()
    assert (np.linalg.norm(moved - hung, axis=2)[late] > 0.1).all()
    assert np.abs(moved[-1]).max() < 0.06


def test_the_arm_that_one_does_not_fall_on_goes_out_farther(stand: Character) -> None:
    late = round((BEGIN + 0.5) / TICK)
    left, right = np.abs(hands(pushed(stand, [0.0, 400.0, 0.0]))[late, :, 1])
    assert right > 1.3 * left


def test_palms_turn_down_and_the_arm_opposite_to_the_foot_ahead_comes_farther_forward(stand: Character) -> None:
    late = round((BEGIN + 0.5) / TICK)

    def stands(recovering: Recovering) -> tuple[np.ndarray, float, float]:
        """Height of where both palms face, by how much the left foot is ahead, and the right hand [m]."""
        session = pushed(stand, [400.0, 0.0, 0.0], RootDrive(recovering=recovering))
        plan, row = stand.plan, session.recording().positions[late]
        frames, parts = body_frames(plan, row[None]), ("left_foot", "right_foot", "left_hand", "right_hand")
        left_foot, right_foot, *both = (plan.with_role(part)[0] for part in parts)
        turns = quat.mul(frames.rotations[0, both], quat.conj(plan.neutral[both]))
        palms = quat.rotate(turns, np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]))[:, 2]
        ahead = frames.positions[0, :, 0]
        return palms, float(ahead[left_foot] - ahead[right_foot]), float(ahead[both[1]] - ahead[both[0]])

    palms, stride, hand = stands(Recovering())
    assert (palms < -0.4).all()
    assert (palms - stands(Recovering(palms=0.0))[0] < -0.2).all()
    assert abs(stride) > 0.02
    assert hand * np.sign(stride) > 0.02
    assert abs(stands(Recovering(opposite=0.0))[2]) < 0.5 * abs(hand)


def test_a_head_lags_behind_a_trunk_that_is_pushed(stand: Character) -> None:
    """It is turned back against the push at first, and farther than a stiff neck lets it."""

    def nod(drive: RootDrive) -> np.ndarray:
        session = pushed(stand, [400.0, 0.0, 0.0], drive)
        recording, plan = session.recording(), session.characters["p"].plan
        head = plan.with_role("head")[0]
        turns = [body_frames(plan, rows).rotations[:, head] for rows in (recording.positions, recording.source)]
        up = quat.rotate(quat.mul(turns[0], quat.conj(turns[1])), np.tile([0.0, 0.0, 1.0], (len(turns[0]), 1)))
        return np.degrees(np.arctan2(up[:, 0], up[:, 2]))

    jolt = slice(round(BEGIN / TICK), round((BEGIN + 0.2) / TICK))
    usual, stiff = nod(RootDrive())[jolt].min(), nod(RootDrive(neck=12.0))[jolt].min()
    assert -20.0 < usual < -5.0
    assert usual < 2.0 * stiff


def test_it_goes_along_until_it_answers(stand: Character) -> None:
    """A person who is held at once hardly moves within the time it takes to notice a push."""

    def way(recovering: Recovering) -> float:
        positions = pushed(stand, [400.0, 0.0, 0.0], RootDrive(recovering=recovering)).recording().positions
        return float(positions[round((BEGIN + 0.25) / TICK), 0] - positions[round(BEGIN / TICK), 0])

    assert way(Recovering()) > 1.1 * way(Recovering(slack=1.0))


@pytest.mark.shared
def test_a_clip_of_another_producer_answers_too(shared_data: Path) -> None:
    clip, _ = read_character(shared_data / "bandai-namco" / "dataset-1_walk_old_001.bvh")
    who = Character.from_clip(trim(clip, 0, round(3.0 * clip.rate)))
    moved, hung = (
        hands(pushed(who, [0.0, 400.0, 0.0], RootDrive(recovering=each))) for each in (Recovering(), UNMOVED)
    )
    assert np.linalg.norm(moved - hung, axis=2).max() > 0.08


def test_calm_and_slow_are_no_push(stand: Character) -> None:
    recovery, state = Recovery(stand.plan, Recovering(), TICK), RecoveryState()
    for tick in range(120):
        recovery.notice(state, tick * TICK, np.array([0.11, 0.0]), np.array([1.0, 0.0]))
    assert state.is_still
    assert recovery.hold(state, 2.0) == (1.0, 1.0)


@pytest.mark.parametrize(("calm", "again"), [(0.45, False), (0.55, True)])
def test_who_was_calm_for_long_enough_is_taken_unawares_again(stand: Character, calm: float, again: bool) -> None:
    recovery, state, second = Recovery(stand.plan, Recovering(), TICK), RecoveryState(), round(calm / TICK)
    for tick in range(second + 1):
        speed = 0.5 if tick in (0, second) else 0.0
        recovery.notice(state, tick * TICK, np.array([speed, 0.0]), np.array([1.0, 0.0]))
    assert state.since == pytest.approx(calm if again else 0.0)


def test_an_answer_dies_away_to_nothing(stand: Character) -> None:
    recovery, state, largest = Recovery(stand.plan, Recovering(), TICK), RecoveryState(), 0.0
    for tick in range(600):
        speed = 0.5 if tick < 10 else 0.0
        recovery.notice(state, tick * TICK, np.array([0.0, speed]), np.array([0.0, 1.0]))
        largest = max(largest, state.answer[0])
    assert 0.4 < largest <= 1.0
    assert state.is_still
    assert not state.rate.any()


def test_who_goes_beside_the_motion_on_purpose_is_not_thrown(stand: Character) -> None:
    """Nor is who is on the way back, nor whose feet lead elsewhere."""
    recovery, state = Recovery(stand.plan, Recovering(), TICK), RecoveryState()
    for tick in range(60):
        recovery.notice(state, tick * TICK, np.array([0.5, 0.0]), np.array([1.0, 0.0]), meant=tick < 40)
    assert state.is_still
    fast, slow, here = np.array([0.5, 0.0]), np.array([0.1, 0.0]), np.array([0.03, 0.0])
    assert thrown_off(fast, fast, here)[0] == 0.5
    assert thrown_off(fast, fast, -here)[0] == 0.0
    assert thrown_off(fast, slow, here)[0] == thrown_off(slow, fast, here)[0] == 0.1


@pytest.mark.parametrize(("part", "handles"), [("left_hand", True), ("spine", False)])
def test_a_hand_on_something_is_felt(stand: Character, part: str, handles: bool) -> None:
    """What meets a hand or forearm does; what meets the trunk does not."""
    who = replace(stand, options=replace(stand.options, root="compliant"))
    start = body_frames(stand.plan, generalized_from_clip(stand.plan, stand.clip)[:1]).positions[0]
    place = start[stand.plan.with_role(part)[-1]] + np.array([-0.6, 0.0, 0.1])
    ball = Ball(name="ball", position=tuple(place), velocity=(4.0, 0.0, 0.0), radius=0.05, mass=0.3)
    session = Session({"p": who}, SceneSpec(floor=who.floor, props=(ball,)))
    near, felt = Nearness(session.view, session.reference("p"), RootDrive().noticing), False
    for _ in range(20):
        session.run(1)
        felt |= near.handles()
    assert session.recording().contacts.peak.max() > 10.0
    assert felt is handles


def test_a_foot_that_steps_rises_before_it_travels(stand: Character) -> None:
    recording = pushed(stand, [400.0, 0.0, 0.0]).recording()
    places = body_frames(stand.plan, recording.positions).positions[
        :, list(stand.plan.with_role("left_foot", "right_foot"))
    ]
    low = places[..., 2] - places[0, :, 2] < 0.003
    level = np.linalg.norm(np.diff(places[..., :2], axis=0), axis=2)
    assert level.max() > 0.01, "it steps"
    assert level[low[:-1] & low[1:]].max() < 2e-4
