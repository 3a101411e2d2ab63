"""A wader's skin is moved where a fluid could be, and there to the last bit as all of it would be."""

from functools import cache

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.fluid import FLUIDS, FluidVolume, drag_on, submerged_part
from poise.io import read_clip
from poise.wading.skin import AWAY, BodySkin

STEP = 1.0 / 30.0


@cache
def moving():
    who = Character.from_clip(read_clip(clip_path("run")))
    skin, rows = BodySkin(who.plan, who.clip, who.skin), generalized_from_clip(who.plan, who.clip)
    return skin, [body_frames(who.plan, rows[frame : frame + 1]) for frame in (10, 11)], who.floor


def low(surface, *, away=False):
    """What of the skin could be under a surface, and where that was; unless all was `away`, all of it was placed before."""
    skin, (then, now), _ = moving()
    before = np.full((len(skin.mesh), 3), AWAY) if away else skin.vertices(then)
    vertices, triangles = skin.low(skin.places(now), surface, skin.places(then), before)
    return vertices, triangles, before


@pytest.mark.parametrize("depth", [-0.2, 0.1, 0.5, 1.0, 3.0])
def test_what_is_left_out_is_above_the_surface_and_the_rest_is_where_it_is(depth):
    skin, (then, now), floor = moving()
    vertices, triangles, before = low(floor + depth, away=True)
    whole, placed = skin.vertices(now), vertices[:, 2] < AWAY
    np.testing.assert_array_equal(vertices[placed], whole[placed])
    np.testing.assert_array_equal(before[placed], skin.vertices(then)[placed])
    assert (before[~placed, 2] == AWAY).all()
    assert placed[triangles].all()
    wet = (whole[skin.triangles, 2] <= floor + depth).any(axis=1)
    kept = {tuple(each) for each in triangles.tolist()}
    assert all(tuple(each) in kept for each in skin.triangles[wet].tolist())


def test_to_the_shin_most_of_it_is_left_out():
    _, _, floor = moving()
    vertices, triangles, _ = low(floor + 0.1)
    assert 0 < len(triangles) < 0.3 * len(moving()[0].triangles)
    assert 0 < (vertices[:, 2] < AWAY).sum() < 0.3 * len(vertices)


@pytest.mark.parametrize("depth", [0.1, 0.5, 1.0])
def test_fluid_does_the_same_to_it_to_the_last_bit(depth):
    skin, (then, now), floor = moving()
    volume = FluidVolume(fluid=FLUIDS["water"], level=floor + depth, depth=depth)
    vertices, triangles, before = low(volume.level)
    whole = skin.vertices(now)
    for part, all_of_it in zip(
        drag_on(vertices, before, triangles, volume, STEP),
        drag_on(whole, skin.vertices(then), skin.triangles, volume, STEP),
        strict=True,
    ):
        np.testing.assert_array_equal(part, all_of_it)
    assert submerged_part(vertices, triangles, volume).volume == submerged_part(whole, skin.triangles, volume).volume


def test_depths_that_are_known_need_not_be_worked_out_again():
    skin, (then, now), floor = moving()
    volume, whole = FluidVolume(fluid=FLUIDS["mud"], level=floor + 0.6), skin.vertices(now)
    shallow = volume.depths(whole) - 0.3
    other = FluidVolume(fluid=FLUIDS["mud"], level=floor + 0.3)
    given = drag_on(whole, skin.vertices(then), skin.triangles, volume, STEP, under=shallow)
    np.testing.assert_allclose(
        given.force, drag_on(whole, skin.vertices(then), skin.triangles, other, STEP).force, rtol=1e-9
    )
    part = submerged_part(whole, skin.triangles, volume, under=shallow)
    assert part.volume == pytest.approx(submerged_part(whole, skin.triangles, other).volume)


def test_a_vertex_follows_joints_that_pull_it_apart():
    """Stretched between two joints, one high over the surface: it lies between where either would have it."""
    skin, (_, now), floor = moving()
    mesh = skin.mesh
    places = skin.places(now)
    places[::2, 11] += 1.0
    vertices, _ = skin.low(places, floor + 0.3, places, np.zeros((len(mesh), 3)))
    whole, _ = skin.low(places, np.inf, places, np.zeros((len(mesh), 3)))
    assert ((whole[:, 2] > floor + 0.3) | (vertices[:, 2] == whole[:, 2])).all()
