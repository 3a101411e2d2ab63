"""Real USD files: read, compared with UsdSkel's own word, given back onto their own stage."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from poise.body import build_body
from poise.io import write_character
from poise.io.usd import read_usd
from poise.motion.roles import guess_roles
from poise.motion.skin import skin
from test_io_usd_read import joint_columns
from usd_samples import OwnWord, complaints

pytestmark = pytest.mark.shared

# Joints, frames, points of the skin, the first time code, meshes, by looking into each file. What one sees: an arm of 4 cm
# that bends upwards, a chain of three joints that curls, a person of 1.66 m whose right side mirrors the left, a boxy figure
# that raises its arms.
FILES: dict[str, tuple[int, int, int, float, tuple[str, ...]]] = {
    "openusd/arm.usda": (3, 10, 12, 1.0, ("/Model/Arm",)),
    "openusd/lbs.usda": (3, 30, 64, 1.0, ("/Root/Mesh", "/Root/MeshWithFaceVaryingNormals", "/Root/MeshWithNormals")),
    "openusd/skeleton.usda": (68, 3, 0, 1.0, ()),
    "usd-wg/RiggedFigure.usdz": (19, 31, 370, 0.0, ("/RiggedFigure/Geom/Z_UP/Armature/torso_joint_1_2/Proxy_1",)),
}


def test_every_file_is_known(shared_data: Path) -> None:
    found = [path for pattern in ("*.usd", "*.usda", "*.usdc", "*.usdz") for path in shared_data.rglob(pattern)]
    assert sorted(str(path.relative_to(shared_data)) for path in found) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_joints_and_points_are_where_usdskel_has_them(shared_data: Path, name: str) -> None:
    joints, frames, points, first, meshes = FILES[name]
    character, word = read_usd(shared_data / name), OwnWord(shared_data / name)
    clip, mesh = character.clip, character.mesh
    assert (len(clip.skeleton), len(clip), clip.rate) == (joints, frames, 24.0)
    assert (0 if mesh is None else len(mesh)) == points
    columns = joint_columns(character, word)
    rotations, positions = clip.world()
    for frame in (0, frames // 2, frames - 1):
        np.testing.assert_allclose(positions[frame, columns], word.places(first + frame), atol=2e-6)
        if mesh is not None:
            ours = skin(mesh, rotations[frame], positions[frame])
            theirs = np.concatenate([word.points(each, first + frame) for each in meshes])
            assert max(cKDTree(theirs).query(ours)[0].max(), cKDTree(ours).query(theirs)[0].max()) < 5e-6


@pytest.mark.parametrize("name", FILES)
def test_given_back_on_its_own_stage(shared_data: Path, tmp_path: Path, name: str) -> None:
    character = read_usd(shared_data / name)
    target = tmp_path / Path(name).name
    assert write_character(target, character.clip, character.mesh) == []
    again, word = read_usd(target, "poise"), OwnWord(target)
    np.testing.assert_allclose(again.clip.world_positions()[0], character.clip.world_positions()[0], atol=1e-5)
    first = FILES[name][3]
    middle = len(again.clip) // 2
    np.testing.assert_allclose(
        OwnWord(shared_data / name).places(first + middle), word.places(first + middle), atol=1e-5
    )
    assert complaints(target) <= complaints(shared_data / name)


def test_a_mirrored_side_is_a_persons_side(shared_data: Path) -> None:
    clip = read_usd(shared_data / "openusd/skeleton.usda").clip
    roles = guess_roles(clip.skeleton)
    assert build_body(clip, roles).stature == pytest.approx(1.66, abs=0.02)
    at_rest = np.zeros((len(clip.skeleton), 3))
    for joint, parent in enumerate(clip.skeleton.parents.tolist()):
        at_rest[joint] = clip.skeleton.offsets[joint] + (at_rest[parent] if parent >= 0 else 0.0)
    index = clip.skeleton.names.index
    for left in ("LArm", "LHand", "LLeg", "LFoot"):
        middle = at_rest[index("Hips")]
        one, other = at_rest[index(left)] - middle, at_rest[index(f"R{left[1:]}")] - middle
        assert np.linalg.norm(one) == pytest.approx(float(np.linalg.norm(other)), rel=1e-3)
