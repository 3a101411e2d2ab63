"""Contact phases: told from real walks, or stated."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import human_clip, standing
from poise.assets import clip_path
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.errors import InputError
from poise.io import read_clip
from poise.locomotion import CONTACTS, ContactPhases, contact_phases, stated_phases
from poise.motion import loop, resample
from poise.motion.clip import Clip
from poise.runtime import Character


def phases(clip: Clip) -> tuple[ContactPhases, Character]:
    who = Character.from_clip(clip)
    frames = body_frames(who.plan, generalized_from_clip(who.plan, who.clip))
    return contact_phases(who.plan, frames, who.clip.rate, who.floor), who


@pytest.fixture(scope="module")
def walk() -> Clip:
    return loop(read_clip(clip_path("walk")), 5)


def test_a_walk_stands_half_the_time_on_each_foot_and_rolls_from_heel_to_ball(walk: Clip) -> None:
    found, _ = phases(walk)
    feet = np.stack([found.mask[:, :2].any(axis=1), found.mask[:, 2:].any(axis=1)], axis=1)
    assert np.all(np.abs(feet.mean(axis=0) - 0.5) < 0.07), "Perry's 60 % of the cycle less the roll over the toes"
    assert feet.any(axis=1).mean() > 0.9, "walking never leaves the ground"
    starts = {name: [p.start for p in found.intervals() if p.contact == name and p.start > 0.3] for name in CONTACTS}
    ends = {name: [p.end for p in found.intervals() if p.contact == name and p.start > 0.3] for name in CONTACTS}
    for side in ("left", "right"):
        cycles = min(len(starts[f"{side}_heel"]), len(starts[f"{side}_ball"]))
        assert cycles >= 4
        np.testing.assert_allclose(np.diff(starts[f"{side}_heel"]), 38 / 30, atol=0.05)
    # Each heel leaves before its ball.
    for heel, ball in zip(ends["left_heel"], ends["left_ball"], strict=False):
        assert heel <= ball + 1e-9


def test_what_stands_does_not_travel(walk: Clip) -> None:
    found, who = phases(walk)
    frames = body_frames(who.plan, generalized_from_clip(who.plan, who.clip))
    points = sole_points(who.plan, frames).reshape(len(who.clip), 4, 2, 3).mean(axis=2)
    for interval in found.intervals():
        rows = slice(round(interval.start * 30), round(interval.end * 30) + 1)
        track = points[rows, CONTACTS.index(interval.contact)]
        assert np.ptp(track, axis=0).max() < 0.1


def test_the_rate_does_not_matter_much(walk: Clip) -> None:
    coarse, fine = phases(walk)[0], phases(resample(walk, 120.0))[0]
    same = coarse.mask[:-1] == fine.mask[::4][: len(coarse.mask) - 1]
    assert same.mean() > 0.93


def test_someone_who_stands_still_stands_all_the_time() -> None:
    found, _ = phases(human_clip(motion=standing, seconds=1.0))
    assert found.mask.all()
    assert len(found.intervals()) == 4
    assert phases(human_clip(motion=standing, seconds=0.0))[0].mask.shape == (1, 4)


def test_stated_phases_come_back_as_stated() -> None:
    stated = {"left_heel": [(0.0, 0.2), (0.5, 0.9)], "right_ball": [(0.1, 0.4)]}
    found = stated_phases(stated, 31, 30.0)
    assert [(p.contact, round(p.start, 6), round(p.end, 6)) for p in found.intervals()] == [
        ("left_heel", 0.0, 0.2),
        ("left_heel", 0.5, 0.9),
        ("right_ball", 0.1, 0.4),
    ]


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"left_toe": [(0.0, 1.0)]}, "left_toe"),
        ({"left_ball": [(0.5, 0.1)]}, "not end before it starts"),
        ({"left_ball": [(float("nan"), 1.0)]}, "start at 0 s or later"),
    ],
)
def test_bad_statements_are_refused(stated: dict[str, list[tuple[float, float]]], says: str) -> None:
    with pytest.raises(InputError, match=says):
        stated_phases(stated, 31, 30.0)
