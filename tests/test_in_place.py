"""Cycles made in place get their way back from the foot that stands; who stands or walks keeps what they have."""

from pathlib import Path

import numpy as np
import pytest

from conftest import Command
from poise.assets import clip_path
from poise.body import build_body
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.ground import ground_height
from poise.characters.in_place import cycled, find_travel
from poise.io import read_clip, write_clip
from poise.locomotion.root_motion import stance_travel
from poise.metrics import weighted_skate
from poise.motion.clip import Clip
from poise.motion.edit import loop, root_motion, travelling_joint
from poise.motion.roles import guess_roles


def in_place(clip: Clip) -> Clip:
    """The clip with what it travels taken out, evenly over time, as game engines want it."""
    joint = travelling_joint(clip)
    way = root_motion(clip, joint).displacement[-1] * np.linspace(0.0, 1.0, len(clip))[:, None]
    translations = clip.translations.copy()
    translations[:, int(np.flatnonzero(clip.translated == joint)[0]), :2] -= way
    return clip.with_motion(clip.rotations, translations)


def travel_of(clip: Clip):
    return find_travel(clip, build_body(clip, guess_roles(clip.skeleton)))


@pytest.mark.parametrize("name", ["walk", "run"])
def test_the_way_that_was_taken_out_comes_back_less_what_the_clip_itself_slides(name: str) -> None:
    clip = loop(read_clip(clip_path(name)), 3)
    own = travel_of(clip)
    way = root_motion(clip, travelling_joint(clip)).displacement[-1] + own.displacement[-1]
    assert not own.in_place, "it travels"
    travel = travel_of(in_place(clip))
    assert travel.in_place
    assert np.linalg.norm(travel.displacement[-1] - way) < 0.03 * np.linalg.norm(way)
    assert abs(np.angle(np.exp(1j * (travel.heading - np.arctan2(way[1], way[0]))))) < 0.05


def test_a_look_into_it_says_in_place_and_nothing_of_feet_that_slide_as_they_should(
    command: Command, tmp_path: Path
) -> None:
    clip = in_place(loop(read_clip(clip_path("walk")), 3))
    write_clip(tmp_path / "placed.bvh", clip)
    write_clip(tmp_path / "walks.bvh", loop(read_clip(clip_path("walk")), 3))
    placed, walks = (command("inspect", tmp_path / name)[1] for name in ("placed.bvh", "walks.bvh"))
    assert "in place: the standing foot slides" in placed
    assert "seen when it goes over it: poise run with --cycles" in placed
    assert "on the ground (s)" in walks
    assert "Foot skate" in walks
    for words in ("on the ground (s)", "Foot skate", "-0.00"):
        assert words not in placed
    assert "Joint jerk" in placed


def test_planted_feet_are_left_in_peace() -> None:
    rng, times = np.random.default_rng(0), np.arange(120) / 60.0
    pelvis = np.stack([0.05 * np.sin(times), 0.05 * np.cos(3.0 * times), 0.9 + 0.0 * times], axis=1)
    soles = np.tile(rng.uniform(-0.2, 0.2, (1, 8, 3)) * [1.0, 1.0, 0.0], (120, 1, 1))
    travel = stance_travel(soles, pelvis, 0.0, 60.0)
    assert not travel.in_place
    assert np.abs(travel.displacement).max() == 0.0


def test_a_belt_under_one_foot_moves_the_body_the_other_way() -> None:
    times = np.arange(120) / 60.0
    soles = np.zeros((120, 8, 3))
    soles[:, :4, 0] = -1.3 * times[:, None]
    soles[:, 4:, 2] = 0.15
    travel = stance_travel(soles, np.zeros((120, 3)), 0.0, 60.0)
    assert travel.speed == pytest.approx(1.3, rel=1e-3)
    assert travel.heading == pytest.approx(0.0, abs=1e-9)
    assert travel.in_place


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "animation", "moves"),
    [
        ("kaykit/Knight.glb", "Walking_A", True),
        ("kaykit/Knight.glb", "Running_A", True),
        ("kaykit/Knight.glb", "Walking_Backwards", True),
        ("kaykit/Knight.glb", "Running_Strafe_Left", True),
        ("kaykit/Knight.glb", "Idle", False),
        ("kaykit/Knight.glb", "Death_B", False),
        ("kaykit/Knight.glb", "Spellcast_Long", False),
        ("robot-expressive/RobotExpressive.glb", "Walking", True),
        ("robot-expressive/RobotExpressive.glb", "Dance", False),
        ("dcl-emotes/walk.glb", None, True),
        ("3dmodelfiletest/WalkForward.bvh", None, True),
        ("pose-animation/avatar_walk.bvh", None, True),
        ("animated-drawings/jumping_jacks.bvh", None, False),
        ("animated-drawings/rokoko_jesse_dance.bvh", None, False),
        ("mocapnet/rightkick.bvh", None, False),
        ("motion-viewer/walk.bvh", None, False),
    ],
)
def test_cycles_in_place_of_many_producers_are_known(
    file: str, animation: str | None, moves: bool, shared_data: Path
) -> None:
    clip = read_clip(shared_data / file, animation=animation)
    assert travel_of(clip).in_place == moves
    if not moves:
        assert cycled(clip, 1) == (clip, [])
        return
    moved, notes = cycled(clip, 3)
    assert len(moved) == 3 * (len(clip) - 1) + 1
    assert "made in place" in notes[0]
    assert not travel_of(moved).in_place
    skates = []
    for each in (loop(clip, 3), moved):
        plan = build_body(each, guess_roles(each.skeleton))
        frames = body_frames(plan, generalized_from_clip(plan, each))
        skates.append(weighted_skate(sole_points(plan, frames), ground_height(plan, frames)))
    assert skates[1] < 0.5 * skates[0]
