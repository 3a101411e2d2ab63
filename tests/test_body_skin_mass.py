"""Mass from closed meshes: closed forms, pieces that sum to the whole, and a person's skin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import trimesh

from poise.assets import clip_path
from poise.body import BodyPlan, Collider, build_body
from poise.body.closed_mesh import cut, require_closed, solid, welded
from poise.body.fold import fifteen_bodies
from poise.body.inertia import collider_inertia
from poise.body.mannequin import mannequin
from poise.body.skin_mass import DENSITIES, skin_weights, weighed_by_skin
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion.roles import guess_roles
from poise.motion.skin import SkinnedMesh

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def person() -> tuple[BodyPlan, SkinnedMesh]:
    clip = read_clip(clip_path("walk"))
    plan = build_body(clip, guess_roles(clip.skeleton))
    return fifteen_bodies(plan), mannequin(clip, plan)


@pytest.mark.parametrize(
    ("kind", "size", "mesh", "within"),
    [
        ("box", (0.1, 0.2, 0.3), trimesh.creation.box((0.2, 0.4, 0.6)), 1e-12),
        ("sphere", (0.3, 0.0, 0.0), trimesh.creation.icosphere(5, 0.3), 2e-3),
        ("capsule", (0.1, 0.25, 0.0), trimesh.creation.capsule(0.5, 0.1, count=[96, 96]), 3e-3),
    ],
)
def test_closed_forms(kind: str, size: tuple[float, float, float], mesh: trimesh.Trimesh, within: float) -> None:
    shift = np.array([0.3, -0.1, 0.7])
    middle = shift - mesh.center_mass
    weighed = solid(np.asarray(mesh.vertices) + middle, np.asarray(mesh.faces), 1050.0)
    shape = Collider(kind, np.array(size), np.zeros(3), IDENTITY)  # type: ignore[arg-type]
    mass = 1050.0 * shape.volume
    assert weighed.mass == pytest.approx(mass, rel=within)
    assert np.allclose(weighed.centre, shift, atol=1e-9)
    exact = collider_inertia(shape, mass)
    assert np.allclose(weighed.inertia, exact, atol=2.0 * within * exact.max())


def boundary(triangles: np.ndarray, count: int) -> int:
    """Directed edges that no other one takes back."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    sums = np.zeros((count, count), dtype=int)
    np.add.at(sums, (edges[:, 0], edges[:, 1]), 1)
    return int(np.abs(sums - sums.T).sum())


def test_pieces_are_closed_and_sum_to_the_whole(rng: np.random.Generator) -> None:
    """Any ownership at all, down to single vertices: nothing is lost where three owners meet."""
    ball = trimesh.creation.icosphere(3, 1.0)
    vertices, triangles = np.asarray(ball.vertices), np.asarray(ball.faces)
    for count in (2, 3, 7):
        towards = rng.normal(size=(count, 3))
        owner = np.argmax(vertices @ towards.T, axis=1)
        pieces = [piece for piece in cut(vertices, triangles, owner, count) if len(piece[1])]
        volumes = [solid(points, faces, 1.0).mass for points, faces in pieces]
        assert sum(volumes) == pytest.approx(ball.volume, rel=1e-12)
        for points, faces in pieces:
            assert boundary(faces, len(points)) == 0
    fine = trimesh.creation.icosphere(5, 1.0)
    lower, upper = cut(fine.vertices, fine.faces, (fine.vertices[:, 2] > 0).astype(int), 2)
    assert solid(*lower, 1.0).mass == pytest.approx(solid(*upper, 1.0).mass, rel=0.05)


def test_a_person_weighs_the_volume_of_the_skin_times_its_density(person: tuple[BodyPlan, SkinnedMesh]) -> None:
    plan, mesh = person
    even = skin_weights(plan, mesh, dict.fromkeys(DENSITIES, 1000.0))
    volume = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False).volume
    assert even.masses.sum() == pytest.approx(1000.0 * volume, rel=1e-9)
    weighed = weighed_by_skin(plan, mesh)
    assert 55.0 < weighed.total_mass < 80.0
    shares = {role: mass / weighed.total_mass for role, mass in zip(plan.body_roles, weighed.masses, strict=True)}
    assert 0.10 < shares["left_thigh"] < 0.16
    assert 0.01 < shares["right_forearm"] < 0.025
    left, right = plan.with_role("left_thigh")[0], plan.with_role("right_thigh")[0]
    assert weighed.masses[left] == pytest.approx(weighed.masses[right], rel=0.05)
    # Centres lie along the bones they belong to.
    shank = plan.with_role("left_shank")[0]
    down = quat.rotate(plan.neutral[shank], weighed.centres[shank])
    assert down[2] < -0.1
    assert np.hypot(*down[:2]) < 0.03
    for tensor in weighed.inertias:
        a, b, c = np.linalg.eigvalsh(tensor)
        assert a > 0.0
        assert a + b >= c


def test_seams_are_welded_and_a_skin_inside_out_is_turned(person: tuple[BodyPlan, SkinnedMesh]) -> None:
    plan, mesh = person
    corners = mesh.triangles.ravel()  # every triangle with vertices of its own, as along texture seams
    loose = SkinnedMesh(
        mesh.vertices[corners],
        np.arange(len(corners)).reshape(-1, 3)[:, ::-1],
        mesh.joints[corners],
        mesh.weights[corners],
        mesh.inverse_bind,
    )
    same, triangles = welded(loose.vertices, loose.triangles)
    assert len(np.unique(same)) == len(mesh.vertices)
    assert len(triangles) == len(mesh.triangles)
    assert np.allclose(skin_weights(plan, loose).masses, skin_weights(plan, mesh).masses, rtol=1e-6)


def test_what_cannot_be_weighed_is_refused(person: tuple[BodyPlan, SkinnedMesh]) -> None:
    plan, mesh = person
    torn = replace(mesh, triangles=mesh.triangles[:-3], triangle_materials=mesh.triangle_materials[:-3])
    with pytest.raises(InputError, match=r"not closed: [1-9][0-9]* of its edges"):
        skin_weights(plan, torn)
    with pytest.raises(InputError, match="not closed"):
        require_closed(np.zeros((0, 3), dtype=np.int64))
    with pytest.raises(InputError, match="unknown segment 'tail'"):
        skin_weights(plan, mesh, {"tail": 1000.0})
    with pytest.raises(InputError, match="between 1 and 20000"):
        skin_weights(plan, mesh, {"hand": -1.0})
    bald = replace(mesh, joints=np.zeros_like(mesh.joints), weights=np.eye(4)[np.zeros(len(mesh), dtype=int)])
    with pytest.raises(InputError, match="no skin of its own"):
        skin_weights(plan, bald)
