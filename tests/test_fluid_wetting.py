"""What of a skin got wet, and the line between wet and dry."""

import base64
import zlib

import numpy as np
import pytest

from poise.fluid import Wetting, depths_under
from poise.report.page.encode import wet_listing
from poise.report.page.pack import Packer
from poise.report.wetness import WetTrack
from poise.signals import FluidSheet
from poise.world.coats import wet_triangles


def sheet(
    level: float = 1.0, slope: float = 0.0, color: tuple[float, float, float] = (0.1, 0.3, 0.4), **more: float
) -> FluidSheet:
    """A surface over 4 m by 2 m, which rises along x, the same at two times."""
    x = 0.5 * np.arange(9)
    heights = np.broadcast_to(slope * x, (2, 5, 9)).astype(np.float32)
    opacity = float(more.get("opacity", 0.45))
    return FluidSheet("water", color, opacity, (-1.0, -1.0, level), 0.5, heights, 10.0)


def test_depths_are_told_under_a_tilted_surface() -> None:
    places = np.array([[0.13, 0.2, 0.4], [2.71, -0.9, 1.9], [0.0, 0.0, 1.3]])
    told = depths_under(sheet(slope=0.2), places, 0.03)
    np.testing.assert_allclose(told, 1.0 + 0.2 * (places[:, 0] + 1.0) - places[:, 2], atol=1e-6)


def test_nothing_is_wet_beside_a_surface() -> None:
    beside = np.array([[-1.01, 0.0, 0.5], [0.0, 1.01, 0.5], [3.01, 0.0, 0.5]])
    assert (depths_under(sheet(), beside, 0.0) < -1.0).all()


def test_skin_that_comes_out_stays_wet_as_far_as_it_was_under() -> None:
    wetting = Wetting((sheet(),), 3)
    skin = np.array([[0.0, 0.0, 0.2], [0.0, 0.0, 1.2], [0.0, 0.0, 2.0]])
    assert wetting.coat() is None
    for dive in (0.0, 0.5, -3.0):
        wetting.advance(skin - [0.0, 0.0, dive], 0.0)
    coat = wetting.coat()
    assert coat is not None
    np.testing.assert_allclose(coat.depths, [1.3, 0.3, -0.5], atol=1e-6)


def test_mud_hides_skin_and_water_darkens_it() -> None:
    coats = []
    for color, opacity in (((0.1, 0.3, 0.4), 0.45), ((0.13, 0.075, 0.035), 0.97)):
        wetting = Wetting((sheet(color=color, opacity=opacity),), 1)
        wetting.advance(np.zeros((1, 3)), 0.0)
        coat = wetting.coat()
        assert coat is not None
        coats.append((coat.opacity, np.array(coat.color) / np.array(color)))
    (thin, dark), (thick, own) = coats
    assert thin < 0.5 < 0.9 < thick
    assert dark.max() < 0.5
    assert own.min() > 0.8


def test_what_has_no_color_leaves_nothing() -> None:
    wetting = Wetting((sheet(opacity=0.0),), 1)
    wetting.advance(np.zeros((1, 3)), 0.0)
    assert wetting.coat() is None


def area(triangles: np.ndarray) -> float:
    return float(
        0.5
        * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1).sum()
    )


@pytest.mark.parametrize("level", [-0.2, 0.0, 0.31, 0.5, 0.77, 1.0, 1.4])
def test_the_line_cuts_a_mesh_at_the_level(level: float) -> None:
    """A unit square of triangles that stands upright: what is wet is as large as the level says, and below it."""
    count = 7
    x, z = np.meshgrid(np.linspace(0.0, 1.0, count), np.linspace(0.0, 1.0, count))
    points = np.stack([x.ravel(), np.zeros(count**2), z.ravel()], axis=1)
    first = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    triangles = np.concatenate(
        [np.stack([first, first + 1, first + count + 1], 1), np.stack([first, first + count + 1, first + count], 1)]
    )
    cut = wet_triangles(points, level - points[:, 2], triangles).reshape(-1, 3, 3)
    assert area(cut) == pytest.approx(np.clip(level, 0.0, 1.0), abs=1e-9)
    whole = np.linalg.norm(np.cross(cut[:, 1] - cut[:, 0], cut[:, 2] - cut[:, 0]), axis=1) > 1e-9
    assert (cut[whole][..., 2] <= level + 1e-9).all()
    # Turned as the mesh is.
    assert (np.cross(cut[:, 1] - cut[:, 0], cut[:, 2] - cut[:, 0])[whole][:, 1] < 0.0).all()


def test_a_page_is_told_changes_that_add_up_to_the_depths() -> None:
    depths = np.array([[-10.0, -0.15, 0.01], [-10.0, 0.05, 0.19], [0.9, 0.05, 0.2]], np.float32)
    packer = Packer()
    listing = wet_listing(WetTrack(depths, (0.1, 0.2, 0.3), 0.4), 5.0, packer)
    packed = zlib.decompress(base64.b64decode(packer.text()))
    entry = listing["steps"]
    steps = np.frombuffer(packed, np.int8, entry["count"], entry["at"]).reshape(3, 3)
    # As the page adds them, in a byte each.
    told = listing["scale"] * np.cumsum(steps, axis=0, dtype=np.int8)
    np.testing.assert_allclose(told, np.clip(depths, -0.2, 0.2), atol=0.001)
    assert (listing["frames"], listing["rate"], listing["opacity"]) == (3, 5.0, 0.4)
