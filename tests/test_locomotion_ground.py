"""A clip of flat ground on other ground: the numbers of Hu 2024, Figs. 22 and 23, A (as it is) beside B (set onto it)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from _builders import bones, human_clip, standing, without
from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.trajectory import Trajectory
from poise.characters.ground import on_ground, phases_of
from poise.characters.toes import bend_toes, toe_joints, toe_tips
from poise.io import read_clip
from poise.locomotion.soles import FEET, find_sole
from poise.math import quat
from poise.motion import loop
from poise.motion.clip import Clip
from poise.reproductions.hu2024.footing import FootQuality, footing, knee_flexion, rough_ground, sole_heights
from poise.runtime import Character
from poise.world import Block, Platform, Slope, Steps, Terrain, TerrainGround

Array = NDArray[np.float64]


def assert_walks(who: Character, ground: TerrainGround) -> tuple[FootQuality, FootQuality]:
    """Every number the issue asks for."""
    mask = phases_of(who).mask
    a, b = footing(who, mask, ground), footing(on_ground(who, ground), mask, ground)
    assert a.deepest > 0.01, "as it is it goes through the ground"
    assert b.deepest < 0.005
    assert b.hover < 0.01
    assert b.slide < 0.001
    assert b.knees.min() >= 0.0
    assert np.abs(np.diff(b.knees, axis=0)).max() < np.abs(np.diff(a.knees, axis=0)).max() + 20.0
    assert b.jerk < 1.5 * a.jerk
    return a, b


PRODUCERS = {
    "Bandai Namco": "bandai-namco/dataset-1_walk_normal_002.bvh",
    "MotionBuilder": "bvh-toolbox/walk01.bvh",
    "Mixamo": "bvh-toolbox/test_freebvh.bvh",
    "Xia": "deep-motion-editing/neutral_01_000.bvh",
    "CMU on DAZ": "mocapnet/CMU_Sample_05_01.bvh",
    "LSW jog": "hello-avatar/jog_lsw.bvh",
}


@pytest.mark.shared
@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("producer", PRODUCERS)
def test_clips_of_six_producers_walk_over_the_same_rough_field(producer: str, seed: int, shared_data: Path) -> None:
    who = Character.from_clip(read_clip(shared_data / PRODUCERS[producer]))
    assert_walks(who, rough_ground(who, 0.1, seed))


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), 4))


def ahead_of(who: Character, along: float, height: float = 0.0) -> tuple[float, float, float]:
    x, y = generalized_from_clip(who.plan, who.clip)[0, :2]
    return float(x) + along, float(y), who.floor + height


@pytest.mark.parametrize("amplitude", [0.1, 0.15])
def test_the_shipped_walk_on_a_rough_field(walker: Character, amplitude: float) -> None:
    assert_walks(walker, rough_ground(walker, amplitude, 1))


def between_frames(who: Character) -> tuple[Array, Array]:
    """The curves physics follows, 240 times a second."""
    times = np.arange(0.0, who.clip.duration, 1.0 / 240.0)
    rows = np.zeros((len(times), who.plan.position_count))
    Trajectory(who.plan, who.clip).rows(times, rows)
    return rows, times


@pytest.mark.parametrize("height", [0.05, 0.1, 0.2, 0.3, 0.4, -0.1, -0.2, -0.3, -0.4])
@pytest.mark.parametrize("along", [1.0, 1.2, 1.4])
def test_no_foot_cuts_the_edge_of_a_step(walker: Character, height: float, along: float) -> None:
    up = height > 0.0
    middle = ahead_of(walker, along + (5.0 if up else -5.0), abs(height))
    ground = TerrainGround([Block(name="step", position=middle, size=(10.0, 3.0))], walker.floor)
    _, b = assert_walks(walker, ground)
    rows, times = between_frames(on_ground(walker, ground))
    lowest = min(float(heights.min()) for heights in sole_heights(walker.plan, rows, ground, times))
    assert lowest > -0.007, "not between frames either, anywhere on the sole"
    assert b.knees.max() < 145.0


@pytest.mark.parametrize("height", [0.5, 0.6])
@pytest.mark.parametrize("along", [1.0, 1.4])
def test_higher_drops_are_stepped_down(walker: Character, height: float, along: float) -> None:
    high = Block(name="step", position=ahead_of(walker, along - 5.0, height), size=(10.0, 3.0))
    ground = TerrainGround([high], walker.floor)
    assert_walks(walker, ground)
    rows, times = between_frames(on_ground(walker, ground))
    assert min(float(heights.min()) for heights in sole_heights(walker.plan, rows, ground, times)) > -0.008


def ramp(who: Character, degrees: float, way: str) -> Terrain:
    turn, along, aside = {"up": (0.0, 1.0, 0.0), "down": (np.pi, 6.0, 0.0), "across": (0.5 * np.pi, 2.0, -3.0)}[way]
    x, y, z = ahead_of(who, along)
    return Slope(name="ramp", position=(x, y + aside, z), yaw=turn, angle=np.radians(degrees), length=7.0, width=9.0)


@pytest.mark.parametrize("degrees", [5.0, 15.0, 25.0])
@pytest.mark.parametrize("way", ["up", "down", "across"])
def test_feet_lie_on_slopes(walker: Character, degrees: float, way: str) -> None:
    ground = TerrainGround([ramp(walker, degrees, way)], walker.floor)
    assert_walks(walker, ground)
    # In the middle of the last stances on the slope the sole is parallel to it.
    after = on_ground(walker, ground)
    keys, mask = generalized_from_clip(after.plan, after.clip), phases_of(walker).mask
    frames = body_frames(after.plan, keys)
    for f, role in enumerate(FEET):
        sole = find_sole(after.plan, role)
        flat = mask[:, 2 * f] & mask[:, 2 * f + 1]
        upright = quat.rotate(quat.mul(frames.rotations[flat, sole.body], sole.turn), np.array([0.0, 0.0, 1.0]))
        normal = ground.normal(frames.positions[flat, sole.body, :2], 0.0)
        apart = np.degrees(np.arccos(np.clip(np.sum(upright * normal, axis=1), -1.0, 1.0)))
        assert np.median(apart) < 0.5


@pytest.mark.parametrize(
    ("rise", "depth"), [(0.1, 0.3), (0.17, 0.3), (0.17, 0.45), (0.2, 0.25), (0.25, 0.4), (0.25, 0.6)]
)
def test_a_flight_of_stairs_is_climbed(walker: Character, rise: float, depth: float) -> None:
    tops = tuple(rise * (number + 1) for number in range(20))
    stairs = Steps(name="stairs", position=ahead_of(walker, 1.0), tops=tops, depth=depth, width=3.0)
    ground = TerrainGround([stairs], walker.floor)
    assert_walks(walker, ground)
    rows, times = between_frames(on_ground(walker, ground))
    assert min(float(heights.min()) for heights in sole_heights(walker.plan, rows, ground, times)) > -0.007
    climbed = on_ground(walker, ground).clip.world()[1][-1, 0, 2]
    assert climbed - walker.clip.world()[1][-1, 0, 2] > 5.0 * rise


def test_flat_ground_changes_little(walker: Character) -> None:
    after = on_ground(walker, TerrainGround([], walker.floor))
    moved = np.abs(after.clip.world()[1] - walker.clip.world()[1]).max(axis=(0, 2))
    joints = {role: walker.roles.joint(role) for role in ("head", "left_foot", "right_foot")}
    assert moved[joints["head"]] < 0.025, "knees were all but straight, and feet that do not slide need a little room"
    assert moved[[joints["left_foot"], joints["right_foot"]]].max() < 0.04, "they slid and sank by as much"


def test_feet_ride_on_a_moving_platform() -> None:
    who = Character.from_clip(human_clip(motion=standing, seconds=2.0))
    lift = Platform(name="lift", position=(0.0, 0.0, who.floor), size=(2.0, 2.0), travel=0.3, period=2.0)
    ground = TerrainGround([lift], who.floor - 1.0)
    after = on_ground(who, ground)
    keys = generalized_from_clip(who.plan, after.clip)
    for heights in sole_heights(who.plan, keys, ground, who.clip.times):
        assert np.abs(heights).max() < 0.005
    assert np.isfinite(keys).all()


def test_a_hole_underfoot_is_bridged(walker: Character) -> None:
    """Two blocks with nothing between them but a foothold's way too far to reach."""
    first = Block(name="first", position=ahead_of(walker, -1.2, 0.1), size=(4.0, 3.0))
    second = Block(name="second", position=ahead_of(walker, 4.0, 0.2), size=(4.0, 3.0))
    after = on_ground(walker, TerrainGround([first, second], None))
    keys = generalized_from_clip(walker.plan, after.clip)
    assert np.isfinite(keys).all()
    assert np.abs(keys[:, 2] - generalized_from_clip(walker.plan, walker.clip)[:, 2]).max() < 0.4
    assert np.abs(np.diff(knee_flexion(walker.plan, keys), axis=0)).max() < 40.0


@pytest.mark.parametrize("seconds", [0.0, 1.0 / 60.0, 0.1])
def test_the_shortest_clips_do(seconds: float) -> None:
    who = Character.from_clip(human_clip(seconds=seconds))
    after = on_ground(who, TerrainGround([], None))
    assert np.isfinite(generalized_from_clip(who.plan, after.clip)).all()
    clip: Clip = on_ground(who, rough_ground(who, 0.1, 0)).clip
    assert len(clip) == len(who.clip)


def toe_depths(who: Character, ground: TerrainGround) -> Array:
    """How deep the front edge of each sole is in the ground where toes lead it [m], shape (2, T)."""
    depths = []
    for role in FEET:
        sole = find_sole(who.plan, role)
        feet, joints, edges = toe_tips(who.plan, who.clip, sole, toe_joints(who.plan, sole))
        tips = joints + quat.rotate(feet, edges)
        depths.append(ground.height(tips[:, :2], who.clip.times) - tips[:, 2])
    return np.array(depths)


def test_toes_bend_where_the_foot_rolls_over_them(walker: Character) -> None:
    ground = rough_ground(walker, 0.1, 0)
    after = on_ground(walker, ground)
    toes = [toe for role in FEET for toe in toe_joints(walker.plan, find_sole(walker.plan, role))]
    assert [walker.clip.skeleton.names[toe] for toe in toes] == ["LeftToe", "RightToe"]
    stiff = after.clip.rotations.copy()
    stiff[:, toes] = walker.clip.rotations[:, toes]
    clip = after.clip.with_motion(stiff, after.clip.translations)
    before = replace(after, prepared=replace(after.prepared, clip=clip))
    assert toe_depths(before, ground).max() > 0.015, "without bending they sink"
    assert toe_depths(after, ground).max() < 0.005
    turned = np.degrees(quat.angle_between(after.clip.rotations[:, toes], walker.clip.rotations[:, toes]))
    assert 10.0 < turned.max() < 60.0
    assert np.abs(np.diff(turned, axis=0)).max() * walker.clip.rate < 600.0
    assert turned.min() < 0.1, "in the air they are as in the clip"


def test_feet_without_toe_joints_keep_their_clip() -> None:
    who = Character.from_clip(human_clip(seconds=0.5))
    assert all(toe_joints(who.plan, find_sole(who.plan, role)) for role in FEET)
    bare = Character.from_clip(human_clip(without(bones(), "ToeBase"), seconds=0.5))
    assert not any(toe_joints(bare.plan, find_sole(bare.plan, role)) for role in FEET)
    ground = rough_ground(bare, 0.1, 0)
    assert bend_toes(bare.plan, bare.clip, ground).rotations.tobytes() == bare.clip.rotations.tobytes()
