"""Hands that close round what they hold: geometry against distances, in a session, in what is written."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from poise.body.build import build_body
from poise.body.fingers import PALM, close_hands, hands_at_ease
from poise.body.humanoid import humanoid
from poise.groups.grips import eased, moved
from poise.io import read_clip, write_clip
from poise.math import quat
from poise.motion.roles import guess_roles
from poise.scenes.named import named_scene

STATURE = 1.7
FLESH = 0.0055 * STATURE


def hand(closed: float, curvature: float, side: str = "left") -> dict[str, np.ndarray]:
    """Where finger joints and tips of a hand are, in the hand's frame [m], by finger: knuckle, two joints, tip."""
    clip = humanoid(STATURE, fingers=True)
    rotations = hands_at_ease(clip.skeleton, clip.rotations)
    grips = np.tile([closed, curvature], (len(clip), 2, 1))
    moved_clip = clip.with_motion(close_hands(clip.skeleton, rotations, grips), clip.translations)
    turns, places = moved_clip.world()
    skeleton, wrist = clip.skeleton, clip.skeleton.index(f"{side}_hand")
    result = {}
    for finger in ("index", "middle", "ring", "little", "thumb"):
        joints = [skeleton.index(f"{side}_{finger}{number}") for number in (1, 2, 3)]
        end = int(np.flatnonzero(skeleton.end_parents == joints[-1])[0])
        tip = places[0, joints[-1]] + quat.rotate(turns[0, joints[-1]], skeleton.end_offsets[end])
        result[finger] = np.array([*places[0, joints], tip]) - places[0, wrist]
    return result


def distances(chain: np.ndarray, center: np.ndarray) -> np.ndarray:
    """Least distance of each bone from a bar along x, by many points on it [m]."""
    shares = np.linspace(0.0, 1.0, 200)[:, None]
    points = [start + shares * (end - start) - center for start, end in pairwise(chain)]
    return np.array([np.linalg.norm(bone[:, 1:], axis=1).min() for bone in points])


@pytest.mark.parametrize("radius", [0.012, 0.016, 0.02])
@pytest.mark.parametrize("side", ["left", "right"])
def test_closed_fingers_lie_on_the_bar_and_not_in_it(radius: float, side: str) -> None:
    center = np.array(PALM) * STATURE * [1.0, 1.0 if side == "left" else -1.0, 1.0]
    for finger, chain in hand(1.0, 1.0 / radius, side).items():
        away = distances(chain, center) - radius - FLESH
        assert away.min() > -0.002, f"{finger} is in the bar"
        if finger != "thumb":
            assert (np.abs(away) < 0.001).sum() >= 2, f"{finger} touches with two of its bones"
    thumb = hand(1.0, 1.0 / radius, side)["thumb"]
    palmar = (thumb[-1] - center)[1] * (-1.0 if side == "left" else 1.0)
    assert palmar > radius, "the thumb ends on the far side of the bar"


def test_a_flat_grip_is_a_flat_hand_and_an_open_one_is_at_ease() -> None:
    for finger, chain in hand(1.0, 0.0).items():
        assert np.abs(chain[:, 1]).max() < 1e-9, finger
    clip = humanoid(STATURE, fingers=True)
    rotations = hands_at_ease(clip.skeleton, clip.rotations)
    assert close_hands(clip.skeleton, rotations, np.zeros((1, 2, 2))) is rotations
    loose = hand(0.0, 50.0)["middle"]
    assert 0.01 < np.abs(loose[-1, 1]) < 0.06, "fingers at ease are bent a little, into the palm"
    assert loose[-1, 1] < 0.0
    bare = humanoid(STATURE)
    assert close_hands(bare.skeleton, bare.rotations, np.ones((1, 2, 2))) is bare.rotations


def test_fingers_change_nothing_of_the_body() -> None:
    from poise.groups import Group, Person

    bare = humanoid(STATURE)
    plan = build_body(bare, guess_roles(bare.skeleton))
    own = Group({"anna": Person(stature=STATURE)}).bases["anna"].plan
    assert own.names == plan.names
    assert [own.skeleton.names[joint] for joint in own.joints] == [bare.skeleton.names[joint] for joint in plan.joints]
    np.testing.assert_array_equal(own.masses, plan.masses)
    np.testing.assert_array_equal(own.inertias, plan.inertias)


def test_hands_close_and_open_within_a_fifth_of_a_second() -> None:
    grips, wanted = np.zeros((2, 2)), np.array([[1.0, 70.0], [0.0, 0.0]])
    course = []
    for _ in range(25):
        grips = moved(grips, wanted, 0.01)
        course.append(eased(grips)[0, 0])
    assert course[18] < 1.0
    assert course[20] == pytest.approx(1.0)
    assert np.diff(course).min() >= 0.0
    assert grips[1, 0] == 0.0
    opened = moved(grips, np.zeros((2, 2)), 0.1)
    assert opened[0] == pytest.approx([0.5, 70.0]), "half open, still round what it held"


def test_the_hand_on_the_door_is_closed_while_it_holds_and_so_it_is_written(tmp_path: Path) -> None:
    session = named_scene("door").session()
    session.run(350)
    begun = {event.subject: event.time for event in session.recording().events}
    clip = session.result("anna")
    write_clip(tmp_path / "door.bvh", clip)
    joint = clip.skeleton.index("right_middle2")
    angles = np.degrees(quat.angle_between(read_clip(tmp_path / "door.bvh").rotations[:, joint], quat.IDENTITY))
    touched = round(begun["press the handle"] * clip.rate)
    assert angles[: touched - 2].max() < 30.0
    assert angles[touched + round(0.25 * clip.rate)] > 60.0
    left = clip.skeleton.index("left_middle2")
    assert np.ptp(clip.rotations[:, left], axis=0).max() < 1e-9, "the other hand holds nothing"
    frame = session.tick().pose("anna")
    assert np.degrees(quat.angle_between(frame.rotations[joint], quat.IDENTITY)) > 60.0


def test_in_a_hand_at_ease_fingers_curl_more_the_further_they_are_from_the_thumb() -> None:
    """A relaxed hand's cascade: every joint 10° to 35°, end joints about half of middle ones, as one tendon bends both."""
    before = np.zeros(3)
    for finger in ("index", "middle", "ring", "little"):
        chain = hand(0.0, 0.0)[finger]
        bones = np.vstack([[(chain[1] - chain[0]) * [1.0, 0.0, 1.0]], np.diff(chain, axis=0)])
        bones /= np.linalg.norm(bones, axis=1)[:, None]
        bends = np.degrees(np.arccos(np.sum(bones[1:] * bones[:-1], axis=1)))
        assert np.all((bends > 10.0) & (bends < 35.0)), finger
        assert 0.4 < bends[2] / bends[1] < 0.7, finger
        assert np.all(bends >= before - 1e-9), finger
        before = bends


@pytest.mark.parametrize("finger", ["index", "middle", "ring", "little"])
def test_the_last_joint_of_a_finger_at_ease_bends_about_half_as_far_as_the_middle_one(finger: str) -> None:
    bones = np.diff(hand(0.0, 0.0)[finger], axis=0)
    bones /= np.linalg.norm(bones, axis=1, keepdims=True)
    middle, last = np.arccos(np.sum(bones[1:] * bones[:-1], axis=1))
    assert 0.45 < last / middle < 0.65
