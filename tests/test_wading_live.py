"""Somebody wades while a session runs, and answers what pushes then."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.push import Push
from poise.characters.character import Character
from poise.errors import InputError
from poise.fluid import FLUIDS, FluidVolume
from poise.io import read_clip
from poise.motion.edit import loop
from poise.runtime import Session
from poise.wading import LiveWading, WadingOptions, depth_against, wade
from poise.wading import Push as Shove
from poise.world import Ball
from poise.world.scene import SceneSpec

TICKS = 100


@pytest.fixture(scope="module")
def who():
    return Character.from_clip(loop(read_clip(clip_path("walk")), 3))


def knee(who, **options):
    deep = depth_against(who, "knee")
    return WadingOptions(volumes=(FluidVolume(fluid=FLUIDS["water"], level=who.floor + deep, depth=deep),), **options)


def session_of(who, *, pushes=(), balls=(), feels=True):
    live = LiveWading(who, knee(who), feels=feels)
    setting = SceneSpec(floor=who.floor, props=tuple(balls))
    return Session({"wader": live.character}, setting, behaviors={"wader": [*pushes, live]})


def roots(session, ticks=TICKS):
    at = session.world.layout("wader").positions
    found = []
    for _ in range(ticks):
        session.tick()
        found.append(session.world.state().positions[at][:7].copy())
    return np.array(found)


@pytest.mark.parametrize("pushed", [False, True])
def test_who_wades_live_goes_as_one_whose_way_was_worked_out(who, pushed):
    force = (0.0, 1000.0)
    pushes = [Push((*force, 0.0), 1.0, 0.1)] if pushed else []
    shoves = (Shove(1.0, force),) if pushed else ()
    expected = wade(who, knee(who, pushes=shoves), longest=TICKS / 60.0 + 0.1).record.rows
    np.testing.assert_allclose(roots(session_of(who, pushes=pushes))[:, :3], expected[1 : TICKS + 1, :3], atol=1e-6)


def test_a_ball_sends_a_live_wader_to_the_side(who):
    place = wade(who, knee(who), longest=1.3).record.rows[66, :3]
    ball = Ball(
        name="ball",
        position=(float(place[0]), float(place[1]) - 0.92, float(place[2])),
        velocity=(0.0, 4.0, 0.98),
        time=0.9,
        radius=0.12,
        mass=5.0,
    )
    felt, unfelt = (roots(session_of(who, balls=[ball], feels=feels)) for feels in (True, False))
    assert felt[-1, 1] - unfelt[-1, 1] > 0.03


def test_poses_between_ticks_have_no_kinks(who):
    """Bodies that follow a motion pass its jolts on: velocities at the end of one tick and the start of the next are alike."""
    session = session_of(who)
    at = session.world.layout("wader").velocities
    drives = []
    for _ in range(40):
        session.tick()
        drives.append(session.cast.drive.positions[:, :3].copy())
    rows = np.concatenate(drives)
    speeds = np.diff(rows, axis=0) / session.clock.substep
    count = len(drives[0])
    across = np.abs(np.diff(speeds, axis=0))[count - 2 :: count]
    assert np.isfinite(session.world.state().velocities[at]).all()
    assert across[2:].max() < 0.06


def test_a_live_wader_is_saved_and_brought_back(who):
    session = session_of(who, pushes=[Push((0.0, 600.0, 0.0), 0.5, 0.1)])
    roots(session, 20)
    saved = session.save()
    first = roots(session, 40)
    session.restore(saved)
    np.testing.assert_array_equal(roots(session, 40), first)


def test_the_session_must_play_the_waders_own_character(who):
    live = LiveWading(who, knee(who))
    other = Character.from_clip(loop(read_clip(clip_path("walk")), 2))
    with pytest.raises(InputError, match="own character"):
        Session({"wader": other}, SceneSpec(floor=who.floor), behaviors={"wader": [live]})
