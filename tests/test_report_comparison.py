"""Two motions compared: differences that are known, a page that is complete in itself, and one clock for both."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from _builders import human_clip
from poise.assets import clip_path
from poise.io import read_clip
from poise.math import quat
from poise.metrics.limits import limit_violation
from poise.motion.clip import Clip
from poise.motion.edit import place, resample, trim
from poise.motion.roles import guess_roles
from poise.motion.skeleton import Skeleton
from poise.report.measured import motion_of
from poise.report.motion_comparison import compare_sides, joint_differences, make_side
from poise.report.page import write_comparison
from poise.report.page.comparison_view import replay_of_two
from poise.report.page.series import course_of
from poise.report.verdict import verdict

HOSTILE = '"><script>alert(1)</script>'


def walk() -> Clip:
    return read_clip(clip_path("walk"))


def renamed(clip: Clip, **names: str) -> Clip:
    old = clip.skeleton
    new = tuple(names.get(name, name) for name in old.names)
    return replace(clip, skeleton=Skeleton(new, old.parents, old.offsets, old.end_parents, old.end_offsets))


def test_two_motions_of_one_skeleton_are_measured_on_one_body() -> None:
    """A motion tells about which axes joints bend; the result of a run is not to tell others than its source."""
    clip = walk()
    turned = clip.rotations.copy()
    forearm = guess_roles(clip.skeleton).by_joint.index("left_forearm")
    turned[:, forearm] = quat.mul(turned[:, forearm], quat.exp(np.array([0.0, 0.0, 2.6])))
    moved = clip.with_motion(turned, clip.translations)
    first = make_side("a", clip)
    second = make_side("b", moved, like=first)
    found = motion_of(first.plan, moved, first.floor).angles
    assert found is not None
    sources = limit_violation(found.angles, found.lower, found.upper)
    assert sources.max_deg > 20.0
    assert compare_sides(first, second)["limits"]["max_deg"]["after"] == pytest.approx(sources.max_deg)
    assert compare_sides(first, make_side("b", moved))["limits"]["max_deg"]["after"] != pytest.approx(sources.max_deg)
    assert make_side("c", renamed(human_clip(), LeftHand="LeftPalm"), like=first).plan is not first.plan


def test_a_motion_elsewhere_and_facing_elsewhere_is_the_same() -> None:
    first, second = make_side("a", walk()), make_side("b", place(walk(), (3.0, -2.0), 1.1))
    apart = joint_differences(first, second)
    assert apart.distances.max() < 1e-9
    assert np.abs(np.delete(apart.angles, apart.names.index("Hips"), axis=1)).max() < 1e-6
    np.testing.assert_allclose(first.placed()[1], second.placed()[1], atol=1e-9)


def test_one_bent_joint_is_found_with_its_angle() -> None:
    clip = walk()
    bent = clip.rotations.copy()
    elbow = clip.skeleton.index("LeftForeArm")
    bent[:, elbow] = quat.mul(bent[:, elbow], quat.exp(np.array([0.0, 0.3, 0.0])))
    report = compare_sides(make_side("a", clip), make_side("b", clip.with_motion(bent, clip.translations)))
    assert report["joints"]["LeftForeArm"]["angle_mean_deg"] == pytest.approx(np.degrees(0.3), abs=1e-6)
    assert report["joints"]["LeftArm"]["angle_max_deg"] == pytest.approx(0.0, abs=1e-6)
    assert report["joints"]["LeftForeArm"]["position_max_mm"] == pytest.approx(0.0, abs=1e-6)
    assert report["joints"]["LeftHand"]["position_mean_mm"] > 20.0


def test_other_skeletons_lengths_and_rates_are_told_and_laid_on_one_clock() -> None:
    first, second = make_side("walk", walk()), make_side("built", renamed(human_clip(), LeftHand="LeftPalm"))
    apart = joint_differences(first, second)
    assert "LeftPalm" in apart.alone[1]
    assert "LeftHand" in apart.alone[0]
    replay = replay_of_two(first, second)
    assert replay.rate == 30.0
    assert len(replay.positions) == max(len(first.common), len(second.common))
    short = make_side("short", trim(walk(), 0, 10))
    replay = replay_of_two(short, first)
    held = replay.positions[:, : len(short.plan.skeleton)]
    np.testing.assert_array_equal(held[10:], np.broadcast_to(held[9], held[10:].shape))
    assert np.abs(np.diff(replay.positions[12:, len(short.plan.skeleton) :], axis=0)).max() > 1e-3


def test_both_start_over_the_same_place_on_the_ground_and_stand_beside_one_another() -> None:
    first, second = make_side("walk", walk()), make_side("run", read_clip(clip_path("run")))
    replay = replay_of_two(first, second)
    for figure, side in zip(replay.figures, (first, second), strict=True):
        root = replay.positions[:, figure.first + figure.root]
        np.testing.assert_allclose(root[0, :2], 0.0, atol=1e-9)
        assert root[-1, 0] > 0.5
        assert abs(course_of(side.plan, side.common, side.floor).height.mean() - root[:, 2].mean()) < 0.15
    assert replay.figures[0].shift[1] == -replay.figures[1].shift[1] < -0.4


def test_the_verdict_says_who_is_better_where_that_is_clear() -> None:
    clip = walk()
    drift = np.zeros((len(clip), 1, 3))
    drift[:, 0, 0] = 0.2 * clip.times
    first, second = (
        make_side("still", clip),
        make_side("sliding", clip.with_motion(clip.rotations, clip.translations + drift)),
    )
    same, apart = (verdict(first, other, compare_sides(first, other)) for other in (first, second))
    alike = "no clear difference in ground penetration, floating, body in body, joint limits, smoothness"
    assert same == [alike.replace("in ", "in foot skate, ", 1), "still is where still is, to 0 mm"]
    assert re.fullmatch(rf"still skates less \([\d.]+ against [\d.]+ cm/s\); {alike}", apart[0])
    middle = 100.0 * drift[:, 0, 0].mean()
    found = re.fullmatch(r"sliding is ([\d.]+) cm from still in the mean, [\d.]+ cm at worst", apart[1])
    assert found is not None
    assert float(found[1]) == pytest.approx(middle, rel=0.01)
    shorter = make_side("half rate", resample(clip, 15.0))
    assert not any("smooth" in line for line in verdict(first, shorter, compare_sides(first, shorter)))


def test_page_is_complete_in_itself_and_safe(tmp_path: Path) -> None:
    first, second = make_side(HOSTILE, walk()), make_side("run", read_clip(clip_path("run")))
    report = compare_sides(first, second)
    report["verdict"] = verdict(first, second, report)
    write_comparison(tmp_path / "compare.html", first, second, report)
    text = (tmp_path / "compare.html").read_text()
    assert HOSTILE not in text
    assert "no clear difference in" in text
    assert re.findall(r"""(?:src|href)=["'](?!data:|#)""", text) == []
    assert text.count('class="tag ') == 2
    for title in ("speed of the hips", "Height of the center", "margin", "Foot skate", "Jerk", "same joints"):
        assert title in text
    assert len(text) < 1_000_000
    listing = re.search(r'id="listing">(.*?)</script>', text, re.DOTALL)
    assert listing is not None
    assert json.loads(listing[1])["followed"] == [0, 1]


def test_a_joint_that_is_far_for_a_moment_is_told() -> None:
    """A blow moves a hand by ten centimeters, all joints by a millimeter in the mean: that is not the same place."""
    first, second = make_side("a", walk()), make_side("b", walk())
    report = compare_sides(first, second)
    report["tracking"] |= {"position_global_mean_mm": 0.9, "position_max_mm": 98.9}
    assert verdict(first, second, report)[-1] == "b is 0.09 cm from a in the mean, 9.89 cm at worst"
