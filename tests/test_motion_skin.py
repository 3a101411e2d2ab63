"""Skinned meshes: linear blend skinning against SciPy, normals, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from poise.errors import InputError
from poise.motion import Skeleton
from poise.motion.coarse_skin import coarse_skin
from poise.motion.skin import SkinnedMesh, bind_at, skin, vertex_normals

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def mesh_of(rng: np.random.Generator, count: int = 50, joints: int = 6) -> SkinnedMesh:
    weights = rng.random((count, 4)) * (rng.random((count, 4)) < 0.5)
    weights[:, 2] += 0.1
    inverse_bind = np.tile(np.eye(4), (joints, 1, 1))
    inverse_bind[:, :3] = rng.normal(size=(joints, 3, 4))
    triangles = rng.integers(0, count, (20, 3))
    return SkinnedMesh(
        rng.normal(size=(count, 3)), triangles, rng.integers(0, joints, (count, 4)), weights, inverse_bind
    )


def test_skinning_against_scipy(rng: np.random.Generator) -> None:
    mesh = mesh_of(rng)
    turns = Rotation.random(18, rng=rng).as_quat(scalar_first=True).reshape(3, 6, 4)
    places = rng.normal(size=(3, 6, 3))
    points = np.concatenate([mesh.vertices, np.ones((50, 1))], axis=1)
    for frame, vertices in enumerate(skin(mesh, turns, places)):
        expected = np.zeros((50, 3))
        for k in range(4):
            joint = mesh.joints[:, k]
            local = np.einsum("vij,vj->vi", mesh.inverse_bind[joint, :3], points)
            turned = Rotation.from_quat(turns[frame, joint], scalar_first=True).apply(local) + places[frame, joint]
            expected += mesh.weights[:, k, None] * turned
        np.testing.assert_allclose(vertices, expected, atol=1e-13)
        np.testing.assert_array_equal(skin(mesh, turns[frame], places[frame]), vertices)


def test_bind_pose_gives_the_mesh_back(rng: np.random.Generator) -> None:
    skeleton = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), rng.normal(size=(3, 3)))
    mesh = replace(mesh_of(rng, joints=3), inverse_bind=bind_at(skeleton))
    identity = np.tile([1.0, 0, 0, 0], (3, 1))
    np.testing.assert_allclose(skin(mesh, identity, np.cumsum(skeleton.offsets, axis=0)), mesh.vertices, atol=1e-14)


def test_weights_sum_to_one_and_idle_joints_are_joint_0(rng: np.random.Generator) -> None:
    mesh = mesh_of(rng)
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-15)
    assert not mesh.joints[mesh.weights == 0.0].any()
    assert (mesh.triangle_materials == -1).all()


def test_normals_of_a_tetrahedron() -> None:
    normals = vertex_normals(np.vstack([TETRAHEDRON, [[9, 9, 9.0]]]), FACES)
    np.testing.assert_allclose(normals[0], -np.ones(3) / np.sqrt(3), atol=1e-12)
    # The slanted face has area sqrt(3) / 2 and normal (1, 1, 1) / sqrt(3); two faces of area 1 / 2 meet it at (1, 0, 0).
    np.testing.assert_allclose(normals[1], [1, 0, 0], atol=1e-12)
    np.testing.assert_array_equal(normals[4], [0, 0, 1])


def test_bad_meshes_are_refused(rng: np.random.Generator) -> None:
    mesh = mesh_of(rng)
    cases = [
        ({"triangles": np.array([[0, 1, 50]])}, "triangles of a skinned mesh must lie in 0…49"),
        ({"joints": mesh.joints + 6}, "joints of a skinned mesh must lie in 0…5"),
        ({"weights": np.zeros((50, 4))}, "a sum above 0"),
        ({"weights": mesh.weights - 0.5}, "weights of at least 0"),
        ({"weights": np.ones((50, 3))}, r"weights of a skinned mesh must have shape \(50, 4\)"),
        ({"vertices": mesh.vertices * np.nan}, "finite"),
        ({"uvs": np.zeros((3, 2))}, "uvs of a skinned mesh must have shape"),
    ]
    for change, message in cases:
        with pytest.raises(InputError, match=message):
            replace(mesh, triangle_materials=np.zeros(0, np.int64), **change)
    with pytest.raises(InputError, match="a mesh bound to 6 joints needs rotations"):
        skin(mesh, np.zeros((1, 5, 4)), np.zeros((1, 5, 3)))


def test_a_coarser_skin_is_the_same_body_with_fewer_triangles() -> None:
    ball = trimesh.creation.icosphere(4, radius=0.5)
    count = len(ball.vertices)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    joints = np.tile((ball.vertices[:, :1] > 0.0).astype(np.int64), (1, 4))
    mesh = SkinnedMesh(ball.vertices, ball.faces, joints, weights, np.tile(np.eye(4), (2, 1, 1)))
    coarse = coarse_skin(mesh, 0.12)
    assert 50 < len(coarse) < count / 4
    solid = trimesh.Trimesh(coarse.vertices, coarse.triangles, process=False)
    assert solid.is_watertight
    assert solid.volume == pytest.approx(ball.volume, rel=0.06)
    # Every vertex is one of the fine mesh's and follows what that one follows.
    np.testing.assert_array_equal(coarse.joints[:, 0], coarse.vertices[:, 0] > 0.0)
    with pytest.raises(InputError, match="cell"):
        coarse_skin(mesh, 0.0)
