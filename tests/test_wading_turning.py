"""How wide a wader turns, against circles in closed form."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.characters.character import Character
from poise.fluid import FLUIDS, GRAVITY, FluidVolume
from poise.io import read_clip
from poise.locomotion.travel import Travel
from poise.motion.edit import loop
from poise.wading import Gait, TurningOptions, Wader, WadingOptions, depth_against, wade
from poise.wading.turning import Footing, Turning, turned
from poise.world.query import TerrainGround

MASS, RADIUS, SPEED, STEP = 70.0, 2.0, 1.5, 0.01
DRY = Footing(MASS * GRAVITY, 0.8 * MASS * GRAVITY, 0.0, MASS)


def way(*, ends=20.0, rate=60.0):
    """A way to the left round a circle, and straight on after so many seconds."""
    times = np.arange(round(20.0 * rate) + 1) / rate
    angle = SPEED / RADIUS * np.minimum(times, ends)
    steps = SPEED / rate * np.column_stack([np.cos(angle), np.sin(angle)])
    return Travel(np.cumsum(steps, axis=0), rate, 1.0)


def went(turning, footing, *, begin=3.0, seconds=1.0, behind=0.0):
    for tick in range(round(seconds / STEP)):
        behind = turning.behind(behind, begin + tick * STEP, 1.0, footing, STEP)
    return behind


def test_a_way_round_a_circle_turns_with_its_speed_over_its_radius():
    rate, speed = way().bend(10.0)
    assert rate == pytest.approx(SPEED / RADIUS, rel=0.02)
    # What takes the sway out of a way makes its circle a little smaller.
    assert 0.95 * SPEED < speed < SPEED
    assert way(ends=0.0).bend(10.0) == pytest.approx((0.0, SPEED), abs=1e-9)


def test_a_push_is_given_up_to_what_there_is_and_then_ever_less_of_it():
    needed = np.linspace(0.0, 1000.0, 10001)
    given = np.array([turned(each, 100.0, 0.25) for each in needed])
    assert np.array_equal(given[:1001], needed[:1001])
    assert given.max() == pytest.approx(125.0, rel=1e-6)
    slope = np.diff(given)
    assert (slope >= 0.0).all()
    assert np.abs(np.diff(slope)).max() < 1e-3


def test_on_dry_ground_and_on_a_straight_way_nobody_falls_behind():
    assert abs(went(Turning(way()), DRY)) < 1e-9
    light = DRY._replace(weight=0.01 * DRY.weight)
    assert abs(went(Turning(way(ends=0.0)), light)) < 1e-9


def test_who_floats_turns_on_a_circle_as_much_wider_as_the_push_is_short():
    turning = Turning(way())
    turning.hard = SPEED**2 / RADIUS
    # The first moment, before any heading is made good: a rate of turning as the push, which goes as weight over mass.
    floating = DRY._replace(weight=0.3 * DRY.weight, mass=1.4 * MASS)
    needed, there = 1.4 * MASS * SPEED**2 / RADIUS, 0.3 * MASS * turning.hard
    wider = needed / turned(needed, there, 0.25)
    assert wider > 3.0
    lost = went(turning, floating, begin=10.0, seconds=STEP) / STEP
    assert lost == pytest.approx(SPEED / RADIUS * (1.0 - 1.0 / wider), rel=0.05)


def test_a_slow_body_turns_as_tightly_as_its_clip_though_it_floats():
    turning = Turning(way())
    floating = DRY._replace(weight=0.5 * DRY.weight)
    assert turning.behind(0.0, 10.0, 1.0, floating, STEP) > 0.0
    assert turning.behind(0.0, 10.0, 0.7, floating, STEP) == pytest.approx(0.0, abs=1e-12)


def test_drag_takes_its_part_of_the_friction():
    turning = Turning(way())
    slippery = DRY._replace(friction=MASS * turning.hard * 1.05)
    assert abs(went(turning, slippery)) < 1e-9
    assert went(turning, slippery._replace(taken=0.8 * slippery.friction)) > 0.05


def test_least_says_how_hard_who_never_turns_hard_may_turn():
    gentle = way()
    gentle.bend = lambda time: (0.1, SPEED)
    hard = [Turning(gentle, TurningOptions(least=least)).hard for least in (0.1, 0.2)]
    np.testing.assert_allclose(hard, [0.1 * GRAVITY, 0.2 * GRAVITY])
    assert Turning(way(), TurningOptions(least=0.05)).hard == pytest.approx(SPEED**2 / RADIUS, rel=0.08)


def test_pinch_is_how_much_more_feet_give_that_go_out_farther():
    floating = DRY._replace(weight=0.3 * DRY.weight)
    lost = [
        went(Turning(way(), TurningOptions(pinch=pinch)), floating, begin=10.0, seconds=STEP) for pinch in (0.1, 0.4)
    ]
    assert lost[1] < 0.9 * lost[0]


def test_home_is_the_way_over_which_a_heading_is_made_good():
    """On a straight way, with all the weight, it falls as the exponential of the way gone over that."""
    for home in (1.0, 3.0):
        turning = Turning(way(ends=6.0), TurningOptions(home=home))
        left = went(turning, DRY, begin=8.0, seconds=1.0, behind=0.02)
        assert left == pytest.approx(0.02 * np.exp(-SPEED / home), rel=0.05)


def test_sideways_is_what_of_the_friction_drag_leaves_to_turns():
    spent = DRY._replace(taken=DRY.friction)
    lost = [
        went(Turning(way(), TurningOptions(sideways=share)), spent, begin=10.0, seconds=STEP) for share in (0.05, 0.15)
    ]
    assert lost[0] > lost[1] + 1e-4


def test_the_heading_comes_home_after_a_turn():
    turning = Turning(way(ends=6.0))
    floating = DRY._replace(weight=0.4 * DRY.weight)
    behind = went(turning, floating, begin=2.0, seconds=3.0)
    assert behind > 0.3
    assert abs(went(turning, floating, begin=8.0, seconds=6.0, behind=behind)) < 0.05 * behind


def test_a_straight_walk_is_the_same_with_turns_that_open_out():
    who = Character.from_clip(loop(read_clip(clip_path("walk")), 2))
    deep = depth_against(who, "waist")
    water = FluidVolume(fluid=FLUIDS["water"], level=who.floor + deep, depth=deep)
    waded = [wade(who, WadingOptions(volumes=(water,), wide=wide), longest=1.5).record for wide in (True, False)]
    assert np.abs(waded[0].position - waded[1].position).max() < 1e-3
    assert np.abs(waded[0].behind).max() < 1e-3
    assert not waded[1].behind.any()


def test_a_wader_turns_as_its_options_say():
    who = Character.from_clip(loop(read_clip(clip_path("walk")), 2))
    ground = TerrainGround((), who.floor)
    options = WadingOptions(turning=TurningOptions(home=2.0))
    assert Wader(Gait.of(who, ground), who.skin, ground, options, STEP).turning.options is options.turning
