"""Whom fluid makes too slow to run walks, and runs on behind it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from poise.assets import clip_path
from poise.characters.character import Character
from poise.fluid import FLUIDS, FluidVolume
from poise.io import read_clip
from poise.motion.edit import loop, trim
from poise.scenes import named_scene, wade_scene
from poise.wading import ChangingOptions, Gait, WadingOptions, far_enough, wade, walks_where_slow
from poise.world.query import TerrainGround

POOL = (4.0, 14.0)
"""Where the pool begins and ends along the way of the shipped run [m]."""


@cache
def runner(cycles=6):
    return Character.from_clip(loop(read_clip(clip_path("run")), cycles))


def pool(who, deep=0.9):
    """Fluid across the way of who runs, a wall on either side."""
    way = who.clip.local_positions()[[0, -1], 0, :2]
    ahead = (way[1] - way[0]) / np.linalg.norm(way[1] - way[0])
    middle = way[0] + ahead * sum(POOL) / 2.0
    return FluidVolume(
        fluid=FLUIDS["water"],
        level=who.floor + deep,
        depth=deep,
        center=(float(middle[0]), float(middle[1])),
        yaw=float(np.arctan2(ahead[1], ahead[0])),
        size=(POOL[1] - POOL[0], 20.0),
    )


@cache
def changed(deep=0.9, **changing):
    who = runner()
    options = WadingOptions(volumes=(pool(who, deep),), changing=ChangingOptions(**changing))
    return walks_where_slow(who, options, reach=15.0), options


def test_a_runner_walks_in_deep_water_and_runs_on_behind_it():
    both, options = changed()
    result = wade(both.character, options, changes=both.changes)
    record = result.record
    runs, walks, again = (
        (record.clip_time < both.changes[0]),
        (record.clip_time > both.changes[0]) & (record.clip_time < both.changes[1]),
        (record.clip_time > both.changes[1]),
    )
    gait = Gait.of(both.character, TerrainGround((), both.character.floor), both.changes)
    assert [each.walks for each in gait.stretches] == [False, True, False]
    wet = record.volume > 0.0
    assert wet[runs].mean() < 0.5
    assert not wet[again].any()
    # It is the speed at which walkers' feet leave the ground that both gaits meet at: Froude number 0.5.
    assert gait.stretches[1].speed == pytest.approx(np.sqrt(0.5 * 9.81 * 0.84), rel=0.05)
    settled = walks & wet & (record.time > record.time[walks][0] + 1.0)
    assert record.speed[settled].mean() < 0.75 * gait.stretches[1].speed
    assert record.speed[-30:].mean() > 0.95 * gait.stretches[0].speed


def test_changes_of_gait_do_not_jump():
    both, options = changed()
    record = wade(both.character, options, changes=both.changes).record
    for change in both.changes:
        at = int(np.argmax(record.clip_time >= change))
        speeds = np.linalg.norm(np.diff(record.velocity[at - 30 : at + 30], axis=0), axis=1) / record.step
        assert speeds.max() < 12.0
        rows = np.abs(np.diff(record.rows[at - 30 : at + 30, 3:], axis=0)).max(axis=1)
        assert rows[25:35].max() < 2.0 * np.abs(np.diff(record.rows[:60, 3:], axis=0)).max()


def test_shallow_water_leaves_a_runner_running():
    assert changed(0.1)[0] is None


@pytest.mark.parametrize(
    ("numbers", "is_earlier"),
    [({"power": 1.0}, True), ({"power": 100.0, "held": 0.5}, False)],
)
def test_when_a_runner_gives_up_is_by_power_and_speed(numbers, is_earlier):
    usual, other = changed(0.45)[0], changed(0.45, **numbers)[0]
    assert usual is not None
    assert (other is not None and other.changes[0] <= usual.changes[0]) if is_earlier else other is None


def test_who_needs_less_of_his_speed_to_be_free_runs_sooner():
    slow, fast = (changed(free=free)[0].changes[1] for free in (0.5, 0.98))
    assert slow < fast


def test_a_run_that_is_too_short_is_made_of_its_own_stride():
    short = Character.from_clip(trim(runner(2).clip, 0, len(runner(2).clip) - 5))
    way = far_enough(short, 20.0)
    assert way is not None
    assert way is not short
    went = np.linalg.norm(way.clip.local_positions()[-1, 0, :2] - way.clip.local_positions()[0, 0, :2])
    assert 20.0 <= went < 25.0
    assert far_enough(short, 1.0) is short
    pace = way.clip.local_positions()[:, 0, :2]
    steps = np.linalg.norm(np.diff(pace, axis=0), axis=1)
    own = np.linalg.norm(np.diff(short.clip.local_positions()[:, 0, :2], axis=0), axis=1)
    assert steps.max() < 1.3 * own.max()


def test_a_run_of_ones_own_gets_banks_and_a_run_without_a_stride_says_so():
    clip = loop(read_clip(clip_path("run")), 5)
    scene = wade_scene(clip, depth="waist")
    record = scene.wading["wader"].record
    assert len(scene.setting.terrain) == 1
    assert record.volume[0] == record.volume[-1] == 0.0
    assert record.volume.max() > 0.02
    standing = wade_scene(clip, depth="ankle")
    assert "it runs" in standing.notes[-1]
    assert not standing.setting.terrain


def test_a_jog_becomes_a_walk_at_the_waters_edge_and_a_jog_behind_it_without_a_jump():
    record = named_scene("jog_into_water").wading["wader"].record
    assert record.speed[:60].mean() > 3.0
    assert record.speed[-60:].mean() > 3.0
    wet = record.volume > 0.005
    assert 1.2 < np.median(record.speed[wet]) < 1.8
    change = np.abs(np.diff(record.velocity, axis=0)).max() / record.step
    assert change < 12.0


def test_a_changed_gait_wades_with_a_servo_for_each_part():
    both, options = changed()
    gait = Gait.of(both.character, TerrainGround((), both.character.floor), both.changes)
    from poise.wading.manner import manner_at, manners_of

    manners = manners_of(gait, options, 0.84)
    assert manner_at(manners, 0.0).servo.k > manner_at(manners, both.changes[0] + 0.1).servo.k
    assert manner_at(manners, both.changes[1] + 0.1).servo.k == pytest.approx(manners[0].servo.k, rel=0.1)
    stated = manners_of(gait, replace(options, servo=manners[1].servo), 0.84)
    assert {each.servo for each in stated} == {manners[1].servo}
