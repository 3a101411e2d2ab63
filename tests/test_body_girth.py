"""Colliders fitted to a skin, on a character whose skin is known: tubes of a given radius around every bone."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body import build_body
from poise.io import read_clip
from poise.motion import Clip, guess_roles
from poise.motion.skin import SkinnedMesh, bind_at


@pytest.fixture(scope="module")
def walk() -> Clip:
    return read_clip(clip_path("walk"))


def tubes(clip: Clip, radius: float) -> SkinnedMesh:
    """A ring of eight vertices at four places along every bone; triangles do not matter here."""
    skeleton = clip.skeleton
    bind = -bind_at(skeleton)[:, :3, 3]
    places, owners = [], []
    ring = radius * np.stack([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 8, endpoint=False)])
    for joint in range(len(skeleton)):
        tips = [bind[child] for child in skeleton.children[joint]]
        tips += [bind[joint] + skeleton.end_offsets[e] for e in np.flatnonzero(skeleton.end_parents == joint)]
        for tip in tips:
            along = tip - bind[joint]
            frame = np.linalg.svd(along[None])[2][1:]
            for share in (0.2, 0.4, 0.6, 0.8):
                places.append(bind[joint] + share * along + ring @ frame)
                owners.append(np.full(8, joint))
    vertices, owner = np.concatenate(places), np.concatenate(owners)
    joints = np.stack([owner, *[np.zeros_like(owner)] * 3], axis=1)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(owner), 1))
    triangles = np.arange(len(owner) // 3 * 3).reshape(-1, 3)
    return SkinnedMesh(vertices, triangles, joints, weights, bind_at(skeleton))


@pytest.mark.parametrize("radius", [0.02, 0.04])
def test_limbs_get_the_radius_of_their_skin(walk: Clip, radius: float) -> None:
    plan = build_body(walk, guess_roles(walk.skeleton), mesh=tubes(walk, radius))
    for role in ("left_upper_arm", "right_forearm", "left_thigh", "right_shank"):
        (collider,) = plan.colliders[plan.with_role(role)[0]]
        assert collider.kind == "capsule"
        assert collider.size[0] == pytest.approx(radius, rel=0.02)
    (foot,) = plan.colliders[plan.with_role("left_foot")[0]]
    assert foot.kind == "box"
    assert radius < foot.size[1] < 1.2 * radius, "as wide as its skin, which it covers"


def test_mass_shares_stay_those_of_the_table(walk: Clip) -> None:
    roles = guess_roles(walk.skeleton)
    fitted, usual = build_body(walk, roles, mesh=tubes(walk, 0.04)), build_body(walk, roles)
    assert np.allclose(fitted.masses, usual.masses)


def test_without_skin_nothing_changes(walk: Clip) -> None:
    roles = guess_roles(walk.skeleton)
    one, other = build_body(walk, roles), build_body(walk, roles, mesh=None)
    assert all(
        np.array_equal(a.size, b.size)
        for x, y in zip(one.colliders, other.colliders, strict=True)
        for a, b in zip(x, y, strict=True)
    )
