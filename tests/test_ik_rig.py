"""Rigs whose feet hang from the root: whole for the body, and hung as they were when they are written."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from _builders import human_clip
from poise.body import build_body
from poise.errors import InputError
from poise.io import read_character, read_clip, write_character, write_clip
from poise.io.bvh_read import read_bvh
from poise.io.gltf import read_gltf
from poise.motion import Clip, Skeleton
from poise.motion.ik_rig import join_limbs, part_limbs
from poise.motion.roles import guess_roles
from poise.motion.skin import skin


def hung_from_root(clip: Clip, *joints: str) -> Clip:
    """The clip with `joints` on the root, where they were in the world, as an exporter of an IK rig has it."""
    names = clip.skeleton.names
    above = [
        (name, names[parent] if parent >= 0 else "") for name, parent in zip(names, clip.skeleton.parents, strict=True)
    ]
    hierarchy = tuple((name, names[0] if name in joints else parent) for name, parent in above)
    return part_limbs(replace(clip, source=replace(clip.source, hierarchy=hierarchy)))


@pytest.fixture(scope="module")
def rig() -> tuple[Clip, Clip]:
    whole = human_clip()
    return whole, hung_from_root(whole, "LeftFoot", "RightFoot", "LeftHand")


def test_feet_that_hang_from_the_root_are_hung_on_their_limbs(rig: tuple[Clip, Clip]) -> None:
    whole, apart = rig
    joined, order = join_limbs(apart)
    skeleton = joined.skeleton
    for foot, limb in (("LeftFoot", "LeftLeg"), ("RightFoot", "RightLeg"), ("LeftHand", "LeftForeArm")):
        assert apart.skeleton.parents[apart.skeleton.index(foot)] == 0
        assert skeleton.names[skeleton.parents[skeleton.index(foot)]] == limb
    assert "LeftFoot on LeftLeg" in joined.source.notes[-1]
    assert [apart.skeleton.names[joint] for joint in order] == list(skeleton.names)
    own = [skeleton.index(name) for name in apart.skeleton.names]
    np.testing.assert_allclose(joined.world_positions()[0][:, own], apart.world_positions()[0], atol=1e-12)
    plan, reference = build_body(joined, guess_roles(skeleton)), build_body(whole, guess_roles(whole.skeleton))
    assert plan.stature == pytest.approx(reference.stature)
    np.testing.assert_allclose(sorted(plan.masses), sorted(reference.masses), rtol=1e-9)


def test_the_note_names_what_overrides_it_and_that_does(rig: tuple[Clip, Clip]) -> None:
    joined, _ = join_limbs(rig[1])
    assert joined.source.notes[-1].endswith("(--roles names other joints in their place)")
    plan = build_body(joined, guess_roles(joined.skeleton, {"LeftFoot": None, "LeftToeBase": "left_foot"}))
    assert [plan.names[body] for body in plan.with_role("left_foot")] == ["LeftToeBase"]


def test_what_was_hung_elsewhere_is_written_as_it_was(rig: tuple[Clip, Clip], tmp_path: Path) -> None:
    _, apart = rig
    write_clip(tmp_path / "apart.bvh", apart)
    raw, read = read_bvh(tmp_path / "apart.bvh"), read_clip(tmp_path / "apart.bvh")
    assert read.skeleton.names != raw.skeleton.names or np.any(read.skeleton.parents != raw.skeleton.parents)
    for ending in ("bvh", "npz"):
        write_clip(tmp_path / f"again.{ending}", read)
        write_clip(tmp_path / "again.bvh", read_clip(tmp_path / f"again.{ending}"))
        again = read_bvh(tmp_path / "again.bvh")
        assert again.skeleton.names == raw.skeleton.names
        np.testing.assert_array_equal(again.skeleton.parents, raw.skeleton.parents)
        np.testing.assert_allclose(again.world_positions()[0], raw.world_positions()[0], atol=1e-6)
        assert again.source.channels == raw.source.channels


def test_whole_limbs_and_silent_names_are_left_alone() -> None:
    whole = human_clip()
    assert join_limbs(whole)[0] is whole
    assert part_limbs(whole) is whole
    _, apart = whole, hung_from_root(whole, "LeftFoot", "RightFoot")
    names = tuple(f"J{joint}" for joint in range(len(apart.skeleton)))
    silent = replace(apart, skeleton=replace(apart.skeleton, names=names))
    assert join_limbs(silent)[0] is silent


@pytest.mark.shared
def test_a_robot_with_feet_on_its_root_keeps_its_skin(shared_data: Path, tmp_path: Path) -> None:
    file = shared_data / "robot-expressive" / "RobotExpressive.glb"
    raw, whole = read_gltf(file), read_character(file)
    assert raw.mesh is not None
    assert whole.mesh is not None
    np.testing.assert_allclose(skin(whole.mesh, *whole.clip.world()), skin(raw.mesh, *raw.clip.world()), atol=1e-9)
    assert guess_roles(whole.clip.skeleton).joint("left_foot") is not None
    write_character(tmp_path / "robot.glb", whole.clip, whole.mesh)
    back = read_gltf(tmp_path / "robot.glb", "poise")
    np.testing.assert_allclose(back.clip.world_positions()[0], raw.clip.world_positions()[0], atol=1e-5)


@pytest.mark.parametrize("role", ["left_foot", "left_hand", "right_toes", "left_thigh"])
def test_a_role_map_that_leaves_the_limb_is_refused_in_one_line(role: str) -> None:
    skeleton = human_clip().skeleton
    with pytest.raises(InputError, match=r"^the role map puts [^\n]*Head'? \(.*does not hang there; below are: "):
        guess_roles(skeleton, {"Head": role})


def test_declared_roles_beat_names(tmp_path: Path) -> None:
    whole = human_clip()
    given = guess_roles(whole.skeleton).by_joint
    swapped = tuple(
        role.replace("left", "x").replace("right", "left").replace("x", "right") if role else None for role in given
    )
    clip = replace(whole, skeleton=replace(whole.skeleton, declared=swapped))
    roles = guess_roles(clip.skeleton)
    assert roles.by_joint == swapped
    assert set(roles.reasons) == {"file", ""} or set(roles.reasons) == {"file"}
    write_clip(tmp_path / "declared.npz", clip)
    assert read_clip(tmp_path / "declared.npz").skeleton.declared == swapped
    torn = tuple("left_foot" if role == "left_hand" else "left_hand" if role == "left_foot" else role for role in given)
    assert guess_roles(replace(whole.skeleton, declared=torn)).by_joint == given, "no foot hangs on a forearm"
    with pytest.raises(InputError, match="declared roles"):
        Skeleton(("a",), np.array([-1]), np.zeros((1, 3)), declared=("head", None))
