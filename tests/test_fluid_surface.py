"""The moving surface of a fluid: dispersion, what a body displaces, and how it is drawn."""

import json

import numpy as np
import pytest
import trimesh

from poise.fluid import FLUIDS, FluidVolume, SurfaceGrid, WaterSurface, submerged_part
from poise.io.gltf.container import split_glb
from poise.report.page.pack import Packer
from poise.report.page.sheets import encode_sheet
from poise.report.wading import write_sheet
from poise.signals import FluidSheet

STEP = 1.0 / 60.0


def surface(fluid="water", depth=1.0, size=8.0, cell=0.05):
    grid = SurfaceGrid.around(np.zeros(2), np.array([size, size]), cell, 10**6)
    return WaterSurface(grid, FLUIDS[fluid], depth)


def ball(radius, place, level=4):
    mesh = trimesh.creation.icosphere(level, radius=radius)
    return np.array(mesh.vertices) + place, np.array(mesh.faces, dtype=np.int64)


def test_displaced_columns_sum_to_the_submerged_volume():
    water = surface()
    vertices, faces = ball(0.25, [4.0, 4.0, 0.05])
    columns = water.displaced(vertices, faces, 0.0)
    part = submerged_part(vertices, faces, FluidVolume(fluid=FLUIDS["water"], level=0.0))
    assert columns.sum() * water.grid.cell**2 == pytest.approx(part.volume, rel=0.01)
    middle = np.unravel_index(columns.argmax(), columns.shape)
    np.testing.assert_allclose(water.grid.places()[middle], [4.0, 4.0], atol=0.06)


@pytest.mark.parametrize(("length", "depth"), [(0.6, 2.0), (2.0, 0.3)])
def test_a_wave_rises_and_falls_with_the_period_of_its_length_and_depth(length, depth):
    """Airy: the square of the pulse is g k tanh(k h). Seen in the middle, before the shores are felt."""
    water = surface(depth=depth, size=12.0)
    number = 2.0 * np.pi / length
    wave = 0.01 * np.cos(number * (water.grid.places()[..., 0] - 6.0))
    water.advance(np.zeros(water.grid.shape), STEP)
    heights = []
    for _ in range(100):
        water.advance(wave, STEP / 4.0)
        heights.append(water.heights()[water.grid.shape[0] // 2, round(6.0 / water.grid.cell)])
    pulse = np.sqrt(9.81 * number * np.tanh(number * depth))
    times = (1.0 + np.arange(100)) * STEP / 4.0
    crossing = np.interp(0.0, -np.array(heights)[: int(np.argmin(heights))], times[: int(np.argmin(heights))])
    assert crossing == pytest.approx(0.5 * np.pi / pulse, rel=0.03)


def test_a_moving_body_piles_water_up_before_it_and_leaves_a_trough_behind():
    water = surface(size=8.0)
    for tick in range(90):
        vertices, faces = ball(0.15, [2.0 + 1.5 * tick * STEP, 4.0, -0.05], 3)
        water.advance(water.displaced(vertices, faces, 0.0), STEP)
    heights, at = water.heights(), 2.0 + 1.5 * 89 * STEP
    row = heights[round(4.0 / water.grid.cell)]
    along = water.grid.places()[0, :, 0]
    assert row[(along > at + 0.1) & (along < at + 0.4)].max() > 0.002
    assert row[(along > at - 0.5) & (along < at - 0.1)].min() < -0.002


def test_waves_of_mud_die_at_once():
    left = []
    for fluid in ("water", "mud", "goo"):
        water = surface(fluid)
        vertices, faces = ball(0.2, [4.0, 4.0, 0.0], 3)
        water.advance(np.zeros(water.grid.shape), STEP)
        for _ in range(60):
            water.advance(water.displaced(vertices, faces, 0.0), STEP)
        left.append(np.abs(water.heights()).max())
    assert left[0] > left[1] > left[2]


def test_a_sheet_is_a_mesh_between_its_surfaces_and_is_packed_for_the_page():
    heights = np.zeros((3, 4, 5), dtype=np.float32)
    heights[1, 2, 3] = 0.1
    sheet = FluidSheet("water", (0.1, 0.3, 0.4), 0.5, (1.0, 2.0, 0.5), 0.1, heights, 10.0)
    assert sheet.at(0.05)[2, 3] == pytest.approx(0.05)
    vertices, triangles = sheet.vertices(0.1), sheet.triangles()
    np.testing.assert_allclose(vertices[2 * 5 + 3], [1.3, 2.2, 0.6], atol=1e-6)
    corners = vertices[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (faces[:, 2] > 0.0).all()
    assert len(triangles) == 2 * 3 * 4
    listing = encode_sheet(sheet, Packer())
    assert (listing["rows"], listing["columns"], listing["frames"]) == (4, 5, 3)
    assert 127 * listing["scale"] == pytest.approx(0.1, rel=1e-5)


def test_a_surface_is_exported_as_a_mesh_that_changes_its_shape(tmp_path):
    """Read back by a third party: vertices of the base, and of the moment at which a target has all the weight."""
    heights = np.zeros((3, 4, 5), dtype=np.float32)
    heights[1, 2, 3] = 0.1
    sheet = FluidSheet("water", (0.1, 0.3, 0.4), 0.5, (1.0, 2.0, 0.5), 0.1, heights, 8.0)
    write_sheet(tmp_path / "water.glb", sheet)
    loaded = trimesh.load(tmp_path / "water.glb", process=False)
    (mesh,) = loaded.geometry.values()
    # Y up, Z forward: ours is z up, x forward, y left.
    expected = sheet.vertices(0.0)[:, [1, 2, 0]]
    np.testing.assert_allclose(mesh.vertices, expected, atol=1e-6)
    tree, binary = split_glb((tmp_path / "water.glb").read_bytes())
    listing = json.loads(tree)
    assert binary is not None
    target = listing["meshes"][0]["primitives"][0]["targets"][0]["POSITION"]
    view = listing["bufferViews"][listing["accessors"][target]["bufferView"]]
    moved = np.frombuffer(binary, "<f4", count=60, offset=view["byteOffset"]).reshape(-1, 3)
    np.testing.assert_allclose(moved[2 * 5 + 3], [0.0, 0.1, 0.0], atol=1e-6)
    assert listing["animations"][0]["channels"][0]["target"]["path"] == "weights"
