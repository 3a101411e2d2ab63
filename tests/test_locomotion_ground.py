"""A clip of flat ground on other ground: the numbers of Hu 2024, Figs. 22 and 23, A (as it is) beside B (set onto it)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from _builders import human_clip, standing
from poise.assets import clip_path
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.body.trajectory import Trajectory
from poise.io import read_clip
from poise.locomotion.soles import FEET, find_sole
from poise.math import quat
from poise.metrics import jerk
from poise.motion import loop
from poise.motion.clip import Clip
from poise.runtime import Character
from poise.runtime.ground import on_ground, phases_of
from poise.scenes.terrain import noise_field
from poise.world import Block, Platform, Slope, Steps, Terrain, TerrainGround

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Walked:
    """Of a motion on a ground: lengths in metres, angles in degrees."""

    deepest: float
    """Heel or ball in the ground."""
    hover: float
    """Nearest part of a standing sole over the ground."""
    slide: float
    """Standing heel or ball from frame to frame."""
    knees: Array
    """Flexion, shape (T, 2)."""
    jerk: float
    """Mean of the pelvis [m/s³]."""


def sole_heights(plan: BodyPlan, keys: Array, ground: TerrainGround, times: Array) -> list[Array]:
    """Heights over the ground of points all over each sole, toes bent up to the level of the ball, (T, 21) each."""
    frames, result = body_frames(plan, keys), []
    for role in FEET:
        sole = find_sole(plan, role)
        points = frames.positions[:, sole.body, None] + quat.rotate(frames.rotations[:, sole.body, None], sole.grid())
        points[:, 18:, 2] = np.maximum(points[:, 18:, 2], points[:, 15:18, 2])
        result.append(points[..., 2] - ground.height(points[..., :2], np.broadcast_to(times[:, None], (len(keys), 21))))
    return result


def measure(who: Character, mask: NDArray[np.bool_], ground: TerrainGround) -> Walked:
    plan, clip = who.plan, who.clip
    keys = generalized_from_clip(plan, clip)
    frames = body_frames(plan, keys)
    points = sole_points(plan, frames)
    depth = ground.height(points[..., :2]) - points[..., 2]
    soles = sole_heights(plan, keys, ground, clip.times)
    hovers = [soles[f][mask[:, 2 * f : 2 * f + 2].any(axis=1)].min(axis=1) for f in range(2)]
    ends = points.reshape(len(clip), 4, 2, 3).mean(axis=2)
    slides = np.linalg.norm(np.diff(ends, axis=0), axis=-1) * (mask[:-1] & mask[1:])
    return Walked(
        deepest=float(depth.max()),
        hover=float(max(each.max(initial=0.0) for each in hovers)),
        slide=float(slides.max()),
        knees=knee_flexion(plan, keys),
        jerk=float(jerk(frames.positions[:, :1], clip.rate).mean()),
    )


def knee_flexion(plan: BodyPlan, keys: Array) -> Array:
    angles = swing_twist_angles(anatomical(keys[:, 3:].reshape(len(keys), -1, 4), plan.neutral))
    return np.degrees(angles[:, list(plan.with_role("left_shank", "right_shank")), 1])


def rough(who: Character, amplitude: float, seed: int) -> TerrainGround:
    """Rolling ground all over the clip's way, as high as its floor on average."""
    places = generalized_from_clip(who.plan, who.clip)[:, :2]
    x, y = 0.5 * (places.min(axis=0) + places.max(axis=0))
    low = who.floor - amplitude
    field = noise_field("field", (x, y, low), (14.0, 14.0), cell=0.5, amplitude=amplitude, seed=seed, rim=False)
    return TerrainGround([field], None)


def assert_walks(who: Character, ground: TerrainGround) -> tuple[Walked, Walked]:
    """Every number the issue asks for."""
    mask = phases_of(who).mask
    a, b = measure(who, mask, ground), measure(on_ground(who, ground), mask, ground)
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
    assert_walks(who, rough(who, 0.1, seed))


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), 4))


def ahead_of(who: Character, along: float, height: float = 0.0) -> tuple[float, float, float]:
    x, y = generalized_from_clip(who.plan, who.clip)[0, :2]
    return float(x) + along, float(y), who.floor + height


@pytest.mark.parametrize("amplitude", [0.1, 0.15])
def test_the_shipped_walk_on_a_rough_field(walker: Character, amplitude: float) -> None:
    assert_walks(walker, rough(walker, amplitude, 1))


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
        normal = ground.normal(frames.positions[flat, sole.body, :2])
        apart = np.degrees(np.arccos(np.clip(np.sum(upright * normal, axis=1), -1.0, 1.0)))
        assert np.median(apart) < 0.5


@pytest.mark.parametrize(("rise", "depth"), [(0.1, 0.3), (0.17, 0.3), (0.17, 0.45), (0.25, 0.6)])
def test_a_flight_of_stairs_is_climbed(walker: Character, rise: float, depth: float) -> None:
    tops = tuple(rise * (number + 1) for number in range(20))
    stairs = Steps(name="stairs", position=ahead_of(walker, 1.0), tops=tops, depth=depth, width=3.0)
    assert_walks(walker, TerrainGround([stairs], walker.floor))
    climbed = on_ground(walker, TerrainGround([stairs], walker.floor)).clip.world()[1][-1, 0, 2]
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
    clip: Clip = on_ground(who, rough(who, 0.1, 0)).clip
    assert len(clip) == len(who.clip)
