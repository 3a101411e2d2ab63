"""Real GLB, glTF and VRM files of many programs: read, compared with an independent reader, given back."""

from pathlib import Path

import numpy as np
import pytest

from gltf_samples import Naive
from poise.io import read_clip
from poise.io.gltf import GltfCharacter, append_animation, read_gltf
from poise.motion.skin import skin

pytestmark = pytest.mark.shared

FILES = {
    "assimp/simple_skin.gltf": (2, 10, 1),
    "dcl-emotes/idle.glb": (62, 0, 1),
    "dcl-emotes/walk.glb": (62, 0, 1),
    "dcl-emotes/wave.glb": (62, 0, 1),
    "kaykit/Knight.glb": (41, 7024, 76),
    "mjolnir-zig/CesiumMan.glb": (19, 3273, 1),
    "mjolnir-zig/RiggedSimple.glb": (4, 960, 1),
    "momentum/blender_simple_armature.glb": (4, 2880, 0),
    "momentum/model_with_motion.glb": (3, 50, 1),
    "momentum/sort_joints.glb": (298, 2136, 0),
    "pose-animation/humanoid.glb": (21, 1641, 1),
    "robot-expressive/RobotExpressive.glb": (43, 7214, 14),
    "three-vrm/test.vrma": (51, 0, 1),
    "vrm-specification/VRMC_vrm_expressions_isBinary_Overrides.vrm": (22, 16, 0),
    "webxr-hands/left.glb": (26, 1360, 0),
}
"""Per file its joints, vertices and animations."""


def disagreement(character: GltfCharacter, naive: Naive, animation: int | None) -> tuple[float, float]:
    """How far joints and vertices are from where the independent reader has them, at three frames [m]."""
    clip = character.clip if animation is None else character.animation(character.animations[animation])
    rotations, positions = clip.world()
    start = 0.0 if animation is None else naive.key_times(animation)[0]
    worst = [0.0, 0.0]
    for frame in sorted({0, len(clip) // 3, len(clip) - 1}):
        world = naive.world(animation, start + frame / clip.rate, with_scale=False)
        joints = np.array([world[node][:3, 3] for node in character.body.rest.joints])[:, [2, 0, 1]]
        worst[0] = max(worst[0], float(np.abs(joints - positions[frame]).max()))
        if character.mesh is not None:
            vertices = skin(character.mesh, rotations[frame], positions[frame])
            worst[1] = max(worst[1], float(np.abs(vertices - naive.vertices(world)[:, [2, 0, 1]]).max()))
    return worst[0], worst[1]


def test_every_file_is_known(shared_data: Path) -> None:
    found = [path for pattern in ("*.glb", "*.gltf", "*.vrm", "*.vrma") for path in shared_data.rglob(pattern)]
    assert sorted(str(path.relative_to(shared_data)) for path in found) == sorted(FILES)


@pytest.mark.parametrize("name", sorted(FILES))
def test_against_the_independent_reader(shared_data: Path, name: str) -> None:
    character, naive = read_gltf(shared_data / name), Naive(shared_data / name)
    vertices = 0 if character.mesh is None else len(character.mesh)
    assert (len(character.skeleton), vertices, len(character.animations)) == FILES[name]
    count = len(character.animations)
    for animation in range(0, count, max(1, count // 4)) if count else [None]:
        joints, points = disagreement(character, naive, animation)
        assert joints < 1e-5
        assert points < 1e-4


@pytest.mark.parametrize("name", sorted(FILES))
def test_given_back_with_one_more_animation(shared_data: Path, tmp_path: Path, name: str) -> None:
    original = read_gltf(shared_data / name)
    assert append_animation(tmp_path / "out.glb", original, original.clip) == []
    before, after = Naive(shared_data / name), Naive(tmp_path / "out.glb")
    assert after.binary.startswith(before.binary.rstrip(b"\0"))
    for key, value in before.tree.items():
        grown = after.tree[key]
        if key not in ("buffers", "bufferViews"):
            assert (grown[: len(value)] if isinstance(value, list) else grown) == value, key
    for index in range(len(before.tree.get("accessors", []))):
        np.testing.assert_array_equal(after.numbers(index), before.numbers(index))
    again = read_gltf(tmp_path / "out.glb", "poise")
    assert len(again.clip) == len(original.clip)
    assert again.clip.rate == original.clip.rate
    np.testing.assert_allclose(again.clip.world()[1], original.clip.world()[1], atol=1e-5)
    if original.mesh is not None:
        assert again.mesh is not None
        np.testing.assert_array_equal(again.mesh.weights, original.mesh.weights)
        np.testing.assert_array_equal(again.mesh.vertices, original.mesh.vertices)


def test_what_the_notes_say(shared_data: Path) -> None:
    knight = read_clip(shared_data / "kaykit/Knight.glb").source.notes
    assert knight[0].startswith(
        "animation '1H_Melee_Attack_Chop' is read; choose another with --animation NAME: 1H_Melee"
    )
    humanoid = read_clip(shared_data / "pose-animation/humanoid.glb").source.notes
    assert "the skeleton is 66.35 m long; --unit says what its unit is, if not metres" in humanoid
    small = read_clip(shared_data / "pose-animation/humanoid.glb", unit="inch")
    assert np.ptp(small.world()[1][0, :, 2]) == pytest.approx(66.35 * 0.0254, rel=1e-3)
