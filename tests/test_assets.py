"""The shipped clips: a person who walks and runs forward on the ground, without a seam."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body import build_body
from poise.body.coordinates import clip_frames
from poise.body.ground import ground_height
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.metrics import measure
from poise.motion import Clip
from poise.motion.edit import loop, rest_frame
from poise.motion.roles import ROLES, Roles, guess_roles
from poise.report.measured import motion_of

TOOL = Path(__file__).parents[1] / "tools" / "make_clips.py"


@pytest.fixture(params=["walk", "run"])
def clip(request: pytest.FixtureRequest) -> Clip:
    return read_clip(clip_path(request.param))


@pytest.fixture
def roles(clip: Clip) -> Roles:
    return guess_roles(clip.skeleton)


def soles(clip: Clip, roles: Roles) -> np.ndarray:
    """Heel, ball and toe tip of the left and the right foot in the world [m], shape (T, 2, 3, 3)."""
    world_q, world_p = clip.world()
    feet = [roles.joint(f"{side}_foot") for side in ("left", "right")]
    points = np.array([[-0.045, 0.0, -0.05], [0.115, 0.0, -0.05], [0.175, 0.0, -0.045]])
    return world_p[:, feet, None] + quat.rotate(world_q[:, feet, None], points)


def test_an_unknown_clip_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown shipped clip 'swim'; known: run, walk"):
        clip_path("swim")


def test_the_clip_is_read_as_what_it_is(clip: Clip) -> None:
    assert clip.rate == pytest.approx(30.0)
    assert (clip.source.metres_per_unit, clip.source.up_axis) == (0.01, "y")
    assert not rest_frame(clip)
    assert 0.0 < clip.local_positions()[0, 0, 2] < 1.0


def test_every_role_is_there_and_left_is_left(clip: Clip, roles: Roles) -> None:
    roles.require(*ROLES)
    assert len(roles.joints("spine")) == 2
    across = clip.world()[1] - clip.world()[1][:, [0]]
    for role in ROLES:
        if role.startswith("left_"):
            other = roles.joint(role.replace("left_", "right_"))
            width = across[:, roles.joint(role), 1] - across[:, other, 1]
            assert width.mean() > 0.05, role


def test_it_goes_forward_at_its_speed(clip: Clip, roles: Roles) -> None:
    way = clip.translations[-1, 0] - clip.translations[0, 0]
    speed = way / clip.duration
    assert (0.8 < speed[0] < 1.8) if clip.name == "walk" else (speed[0] > 1.8)
    np.testing.assert_allclose(way[1:], 0.0, atol=1e-5)
    toes = clip.world()[1][:, roles.joint("left_toes")] - clip.world()[1][:, roles.joint("left_foot")]
    assert toes[:, 0].mean() > 0.03


def test_the_feet_are_on_the_ground(clip: Clip, roles: Roles) -> None:
    lowest = soles(clip, roles)[..., 2].min(axis=(1, 2))
    assert lowest.min() > -0.01
    bearing = lowest < 0.01
    assert bearing.all() if clip.name == "walk" else 0.5 < bearing.mean() < 0.8
    tips = clip.world_positions()[1][:, np.isin(clip.skeleton.end_parents, roles.joints("left_toes"))][:, 0]
    np.testing.assert_allclose(tips, soles(clip, roles)[:, 0, 2], atol=1e-6)


def test_what_stands_on_the_ground_does_not_slide(clip: Clip, roles: Roles) -> None:
    looped = loop(clip, 2)
    points = soles(looped, roles).reshape(len(looped), 6, 3)
    standing = points[..., 2].argmin(axis=1)[:-1]
    frames = np.arange(len(standing))
    slip = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=-1)[frames, standing] * looped.rate
    down = np.maximum(points[1:, :, 2], points[:-1, :, 2])[frames, standing] < 0.015
    assert down.mean() > 0.4
    assert np.median(slip[down]) < 0.1


def test_inspection_finds_no_fault_with_it(clip: Clip, roles: Roles) -> None:
    """As slow while they stand as captured feet, 5 to 15 cm/s; the run had 35 before its feet were planted."""
    plan = build_body(clip, roles)
    floor = ground_height(plan, clip_frames(plan, clip))
    found = measure(motion_of(plan, clip, floor))
    assert found["feet"]["stance_speed_m_s"] < 0.13
    assert found["feet"]["weighted_skate_m_s"] < 0.11
    assert found["feet"]["penetration_max_mm"] < 3.0
    assert found["penetration"]["max_mm"] == 0.0
    assert found["limits"]["frames_percent"] == 0.0


@pytest.mark.shared
@pytest.mark.skipif(not TOOL.exists(), reason="tools/ lies in the repository only")
def test_the_recipe_makes_these_files(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location(TOOL.stem, TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    monkeypatch.setattr(tool, "OUT", tmp_path)
    assert tool.main([str(shared_data / "deepmimic")]) == 0
    for name in ("walk", "run"):
        made, shipped = read_clip(tmp_path / f"{name}.bvh"), read_clip(clip_path(name))
        assert made.skeleton.names == shipped.skeleton.names
        assert np.degrees(quat.angle_between(made.rotations, shipped.rotations).max()) < 1e-3
        np.testing.assert_allclose(made.translations, shipped.translations, atol=1e-6)


def test_knees_elbows_and_arms_move_as_a_person_does(clip: Clip, roles: Roles) -> None:
    positions = clip.world()[1]

    def at(role: str) -> np.ndarray:
        return positions[:, roles.joint(role)]

    for side, other in (("left", "right"), ("right", "left")):
        # The shank is behind the line of the thigh, the forearm in front of the line of the upper arm.
        knee, hip, ankle = at(f"{side}_shank"), at(f"{side}_thigh"), at(f"{side}_foot")
        bend = np.cross(knee - hip, ankle - knee)[:, 1]
        assert (bend > -1e-3).all()
        elbow, shoulder, wrist = at(f"{side}_forearm"), at(f"{side}_upper_arm"), at(f"{side}_hand")
        assert (np.cross(elbow - shoulder, wrist - elbow)[:, 1] < 1e-2).mean() > 0.95
        arm = wrist[:, 0] - positions[:, 0, 0]
        assert np.corrcoef(arm, ankle[:, 0] - positions[:, 0, 0])[0, 1] < -0.5
        assert np.corrcoef(arm, at(f"{other}_foot")[:, 0] - positions[:, 0, 0])[0, 1] > 0.5


def test_it_loops_without_a_seam(clip: Clip) -> None:
    looped = loop(clip, 3)
    change = quat.angle_between(looped.rotations[: len(clip) - 1], clip.rotations[:-1])
    assert np.degrees(change.max()) < 1.0
    steps = quat.angle_between(looped.rotations[:-1], looped.rotations[1:]).max(axis=1)
    seam = len(clip) - 1
    assert steps[seam - 1 : seam + 1].max() < 1.3 * np.median(steps)
    np.testing.assert_allclose(looped.translations[:: len(clip) - 1, 0, 2], clip.translations[0, 0, 2], atol=0.005)
