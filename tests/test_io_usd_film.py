"""Wet skins and surfaces of fluids in USD files: what USD itself and its validators find in them."""

from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.characters.character import Character
from poise.errors import InputError
from poise.io import read_character, read_clip, write_character, write_own_format
from poise.io.gltf.film import Film
from poise.io.usd import write_usd_shapes
from poise.math import quat
from poise.motion.edit import trim
from poise.report.films import film_of
from poise.report.wading import write_sheet
from poise.report.wetness import WetTrack
from poise.signals import FluidSheet
from test_io_usd_read import BONES, write
from usd_samples import OwnWord, Usd, UsdGeom, UsdShade, UsdSkel, complaints, random_rig

TIMES = np.array([0.0, 0.25, 0.5])
COLOR = (0.3, 0.2, 0.1)


def rising(mesh, times=TIMES):
    """The film over a skin that gets wet from below, a third of it at first and all of it in the end."""
    z = mesh.vertices[:, 2]
    levels = z.min() + np.linspace(0.3, 1.01, len(times)) * np.ptp(z)
    return film_of(mesh, WetTrack((levels[:, None] - z).astype(np.float32), COLOR, 0.8), times)


def shown(file: Path, code: float) -> np.ndarray:
    """Corners of the film in Poise's world at a time code, its shapes weighed and skinned by USD's own reading."""
    word = OwnWord(file)
    prim = next(each for each in word.stage.Traverse() if each.GetCustomDataByKey("poise_film"))
    mesh, binding = UsdGeom.Mesh(prim), UsdSkel.BindingAPI(prim)
    points = np.array(mesh.GetPointsAttr().Get(), dtype=np.float64)
    query, animation = UsdSkel.BlendShapeQuery(binding), word.query.GetAnimQuery()
    order, weights = list(animation.GetBlendShapeOrder()), animation.ComputeBlendShapeWeights(code)
    for number, name in enumerate(binding.GetBlendShapesAttr().Get()):
        shape = query.GetBlendShape(number)
        own, moved = np.array(shape.GetPointIndicesAttr().Get()), np.array(shape.GetOffsetsAttr().Get())
        points[own] += weights[order.index(name)] * moved
    mesh.GetPointsAttr().Set(points.astype(np.float32))
    return word.points(str(prim.GetPath()), code)


def over(film: Film, clip, frame: int) -> np.ndarray:
    """Where the film would be by Poise's own skinning, all of it out."""
    rotations, positions = clip.world()
    binds = np.einsum("vk,vkij->vij", film.weights, _worlds(rotations[frame], positions[frame], film)[film.joints])
    return np.einsum("vij,vj->vi", binds[:, :3, :3], film.corners) + binds[:, :3, 3]


def _worlds(rotations, positions, film):
    worlds = np.tile(np.eye(4), (len(rotations), 1, 1))
    worlds[:, :3, :3], worlds[:, :3, 3] = quat.to_matrix(rotations), positions
    return worlds @ film.inverse_bind


@pytest.fixture(scope="module")
def wet():
    who = Character.from_clip(trim(read_clip(clip_path("walk")), 0, 31))
    return who, rising(who.skin)


@pytest.mark.parametrize("suffix", [".usda", ".usdz"])
def test_a_stage_of_our_own_has_the_film_over_the_skin(wet, tmp_path, suffix):
    who, film = wet
    assert write_character(tmp_path / f"wet{suffix}", who.clip, who.skin, film=film) == []
    assert complaints(tmp_path / f"wet{suffix}") == set()
    for frame in (15, 30):
        out = shown(tmp_path / f"wet{suffix}", float(frame))
        there = np.repeat(film.steps <= np.searchsorted(film.times, frame / who.clip.rate, side="right"), 3)
        assert there.any()
        np.testing.assert_allclose(out[there], over(film, who.clip, frame)[there], atol=1e-4)
    _, mesh = read_character(tmp_path / f"wet{suffix}")
    assert len(mesh) == len(who.skin)


def test_it_comes_step_by_step_in_its_color(wet, tmp_path):
    who, film = wet
    write_character(tmp_path / "wet.usda", who.clip, who.skin, film=film)
    stage = Usd.Stage.Open(str(tmp_path / "wet.usda"))
    animation = next(UsdSkel.Animation(each) for each in stage.Traverse() if each.IsA(UsdSkel.Animation))
    codes = [0.0, *(who.clip.rate * film.times).tolist()]
    weights = animation.GetBlendShapeWeightsAttr()
    assert weights.GetTimeSamples() == pytest.approx(codes)
    assert [list(weights.Get(code)) for code in codes] == [[0, 0], [1, 0], [1, 1]]
    prim = stage.GetPrimAtPath("/Character/wet")
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    surface = material.ComputeSurfaceSource()[0]
    assert surface.GetInput("opacity").Get() == pytest.approx(0.8)
    assert list(surface.GetInput("diffuseColor").Get()) == pytest.approx(COLOR)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_on_a_users_own_stage_it_follows_the_skin_whatever_its_joints_are_like(tmp_path, seed):
    """Units, axes, joints that mirror, a bind pose that is not the pose at rest, a list of joints of the mesh's own."""
    random_rig(tmp_path / "rig.usda", seed)
    clip, mesh = read_character(tmp_path / "rig.usda")
    film = rising(mesh, np.array([0.0, 0.1, 0.2]))
    assert write_character(tmp_path / "out.usda", clip, mesh, film=film) == []
    first = 1.0
    for frame in (6, 8):
        out = shown(tmp_path / "out.usda", first + frame)
        there = np.repeat(film.steps <= np.searchsorted(film.times, frame / clip.rate, side="right"), 3)
        np.testing.assert_allclose(out[there], over(film, clip, frame)[there], atol=2e-3 * np.ptp(mesh.vertices))
    again = read_character(tmp_path / "out.usda", animation="poise")
    assert len(again.mesh) == len(mesh)


@pytest.mark.shared
def test_a_figure_of_somebody_elses_comes_back_wet(shared_data, tmp_path):
    clip, mesh = read_character(shared_data / "usd-wg/RiggedFigure.usdz")
    file, notes = write_own_format(tmp_path / "figure", clip, mesh, rising(mesh))
    assert notes == []
    assert complaints(file) <= complaints(shared_data / "usd-wg/RiggedFigure.usdz")
    film = rising(mesh)
    out = shown(file, 20.0)
    there = np.repeat(film.steps <= np.searchsorted(film.times, 20.0 / clip.rate, side="right"), 3)
    np.testing.assert_allclose(out[there], over(film, clip, 20)[there], atol=1e-4)


def test_shapes_of_the_old_animation_go_on_beside_it(tmp_path):
    shapes = 'uniform token[] blendShapes = ["smile"]\n float[] blendShapeWeights.timeSamples = { 0: [0], 30: [1] }\n half3[]'
    clip, mesh = read_character(write(tmp_path, BONES.replace("half3[]", shapes)))
    film = rising(mesh, np.array([0.0, 0.2, 0.4]))
    write_character(tmp_path / "out.usda", clip, mesh, film=film)
    stage = Usd.Stage.Open(str(tmp_path / "out.usda"))
    new = UsdSkel.Animation.Get(stage, "/Man/Rig/poise")
    names = list(new.GetBlendShapesAttr().Get())
    assert names[0] == "smile"
    assert len(names) == 1 + len(film.times)
    last = list(new.GetBlendShapeWeightsAttr().Get(30.0))
    assert last == pytest.approx([1.0] * len(names))


def test_a_film_on_other_joints_is_told_of(tmp_path):
    clip, mesh = read_character(write(tmp_path, BONES))
    film = rising(mesh)
    elsewhere = film.inverse_bind.copy()
    elsewhere[:, 0, 3] += 0.3 * np.arange(len(elsewhere))
    notes = write_character(tmp_path / "out.usda", clip, mesh, film=film._replace(inverse_bind=elsewhere))
    assert notes == ["no wet in out.usda: its joints are not those of the motion"]
    stage = Usd.Stage.Open(str(tmp_path / "out.usda"))
    assert not any(each.GetCustomDataByKey("poise_film") for each in stage.Traverse())


def sheet():
    times, cells = np.arange(7)[:, None, None], np.arange(12.0)
    heights = 0.02 * np.sin(cells[:, None] + 0.5 * times) * np.cos(cells[None, :])
    return FluidSheet("water", (0.1, 0.3, 0.4), 0.6, (0.5, -0.2, 0.8), 0.1, heights.astype(np.float32), 10.0)


def test_a_surface_moves_in_usd_as_in_the_run(tmp_path):
    surface = sheet()
    write_sheet(tmp_path / "water.usdc", surface)
    assert complaints(tmp_path / "water.usdc") == set()
    stage = Usd.Stage.Open(str(tmp_path / "water.usdc"))
    assert stage.GetTimeCodesPerSecond() == 10.0
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/water/Surface"))
    for code in (0.0, 3.0, 6.0):
        points = np.array(mesh.GetPointsAttr().Get(code))[:, [2, 0, 1]]
        np.testing.assert_allclose(points, surface.vertices(code / 10.0), atol=1e-6)
    material, _ = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()
    assert material.ComputeSurfaceSource()[0].GetInput("opacity").Get() == pytest.approx(0.6)
    # Beside another stage it counts time as that one does.
    write_sheet(tmp_path / "beside.usdc", surface, 30.0)
    beside = Usd.Stage.Open(str(tmp_path / "beside.usdc"))
    assert (beside.GetTimeCodesPerSecond(), beside.GetEndTimeCode()) == (30.0, 18.0)
    later = UsdGeom.Mesh(beside.GetPrimAtPath("/water/Surface")).GetPointsAttr()
    assert later.GetTimeSamples() == [3.0 * at for at in range(7)]
    np.testing.assert_allclose(np.array(later.Get(9.0))[:, [2, 0, 1]], surface.vertices(0.3), atol=1e-6)
    with pytest.raises(InputError, match="at least one moment"):
        write_usd_shapes(
            tmp_path / "none.usdc", "none", np.zeros((0, 3, 3)), np.zeros((0, 3), np.int64), 10.0, (0, 0, 0, 1)
        )
