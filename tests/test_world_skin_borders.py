"""Borders between the bodies of a skin: every triangle is of one body, and nothing of the surface is lost."""

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

from _builders import human_clip, human_plan
from poise.body.mannequin import mannequin
from poise.world.skin_borders import cut_at_borders
from poise.world.skins import DrawnSkin


def areas(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.asarray(0.5 * np.cross(b - a, c - a))


@example([1.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.984375, 0.5, 1.0])
@given(st.lists(st.floats(0.01, 1.0), min_size=9, max_size=9))
def test_pieces_of_a_triangle_cover_it_and_lie_on_their_own_side(values: list[float]) -> None:
    weights = np.array(values).reshape(3, 3)
    weights /= weights.sum(axis=1, keepdims=True)
    ordered = np.sort(weights, axis=1)
    assume((ordered[:, -1] - ordered[:, -2]).min() > 1e-6)  # whose a corner is on which two are equal is either's
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    borders = cut_at_borders(np.array([[0, 1, 2]]), weights)
    points, shares = borders.with_points(corners), borders.with_points(weights)
    pieces = areas(points, borders.triangles)
    assert np.allclose(pieces.sum(axis=0), [0.0, 0.0, 0.5])
    assert (pieces[:, 2] > -1e-12).all(), "no piece is turned over"
    owners = weights.argmax(axis=1)
    assert set(borders.bodies) == set(owners)
    if len(set(owners)) == 2:
        first, second = sorted(set(owners))
        lead = shares[borders.triangles][..., first] - shares[borders.triangles][..., second]
        # A border point stays 3 % of its edge off the corners, and is on the other side by as much at most.
        spread = 0.03 * float(np.ptp(weights[:, first] - weights[:, second]))
        assert (np.where(borders.bodies[:, None] == first, lead, -lead) > -spread - 1e-9).all()


def test_a_mannequin_keeps_its_surface_and_each_body_gets_its_part() -> None:
    clip = human_clip()
    plan = human_plan(clip)
    mesh = mannequin(clip, plan)
    drawn = DrawnSkin(mesh, plan)
    points, normals = drawn.placed(mesh.vertices)
    before, after = areas(mesh.vertices, mesh.triangles), areas(points, drawn.borders.triangles)
    assert np.isclose(np.linalg.norm(before, axis=1).sum(), np.linalg.norm(after, axis=1).sum(), rtol=1e-9)
    assert np.abs(after.sum(axis=0)).max() < 1e-12, "still closed"
    assert set(drawn.borders.bodies) == set(range(len(plan)))
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0)
