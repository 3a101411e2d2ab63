"""Somebody wades: the shipped walk in fluids of several depths, and with each part switched off."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.errors import InputError
from poise.fluid import FLUIDS, FluidVolume
from poise.io import read_character, read_clip
from poise.locomotion.contacts import runs
from poise.locomotion.soles import BALL, FEET, find_sole
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.wading import DEPTHS, Gait, Push, WadingOptions, default_servo, depth_against, going, wade
from poise.wading.balance import BalanceOptions, LeaningTrunk, surefooted
from poise.wading.lifted_hands import HandsOptions, LiftedHands, _elbow_way
from poise.wading.posture import Posture
from poise.wading.swinging import SwingOptions, swing_lift
from poise.world.query import TerrainGround

LONG = 4.5


@cache
def walker():
    return Character.from_clip(loop(read_clip(clip_path("walk")), 5))


@cache
def waded(fluid="water", depth="knee", **options):
    who = walker()
    volumes = ()
    if fluid is not None:
        deep = depth_against(who, depth)
        volumes = (FluidVolume(fluid=FLUIDS[fluid], level=who.floor + deep, depth=deep),)
    return wade(who, WadingOptions(volumes=volumes, **options), longest=LONG)


def late(record):
    return slice(len(record) // 2, None)


def feet_that_stand(result):
    """Balls of the feet [m] while their goals stand, per stance: list of (n, 3)."""
    record, plan = result.record, result.source.plan
    frames = body_frames(plan, record.rows[1:])
    found = []
    for foot, role in enumerate(FEET):
        sole = find_sole(plan, role)
        ball = sole.points(np.array([BALL]), np.zeros(1))[0]
        place = frames.positions[:, sole.body] + quat.rotate(frames.rotations[:, sole.body], ball)
        for first, last in runs(record.feet[:, foot, 2] == 1.0):
            low = place[first : last + 1]
            # The ball itself stands where it is lowest; before that the heel does.
            found.append(low[low[:, 2] < low[:, 2].min() + 0.005])
    return [each for each in found if len(each) > 3]


def test_without_fluid_the_walk_stays_the_walk():
    result = waded(None)
    record = result.record
    assert record.remaining == pytest.approx(1.0, abs=0.01)
    assert np.abs(record.angles).max() < 1e-9
    assert record.clip_time[-1] == pytest.approx(LONG, abs=0.05)
    plan = walker().plan
    times = np.append(0.0, record.clip_time)
    rows = np.empty_like(record.rows)
    Gait.of(walker(), TerrainGround((), walker().floor)).trajectory.rows(times, rows)
    apart = body_frames(plan, record.rows).positions - body_frames(plan, rows).positions
    # Steps are counted by the way gone: the whole body may be a centimeter before or behind the clip's.
    assert np.abs(apart[:, 0]).max() < 0.03
    away = np.linalg.norm(apart - apart[:, :1], axis=2)
    # What differs is the swing of least jerk.
    assert np.median(away) < 0.002
    assert away.max() < 0.08


def test_deeper_and_denser_is_slower():
    by_depth = [waded("water", depth).record.remaining for depth in ("ankle", "knee", "waist", "chest")]
    assert all(deeper < shallower - 0.01 for shallower, deeper in pairwise(by_depth))
    by_fluid = [waded(fluid).record.remaining for fluid in ("water", "mud", "goo")]
    np.testing.assert_allclose(by_fluid, [0.72, 0.60, 0.38], atol=0.03)


def test_the_drop_is_the_drag():
    assert waded().record.remaining < 0.8 < waded(drag=False).record.remaining


def test_a_wader_leans_forward_the_more_the_denser_and_turns_to_and_fro():
    leans = [waded(fluid).record.angles[late(waded(fluid).record), 1].mean() for fluid in ("water", "mud", "goo")]
    assert 0.0 < leans[0] < leans[1] < leans[2] < 0.3
    yaw = waded().record.angles[late(waded().record), 0]
    assert yaw.max() > 0.005 > -0.005 > yaw.min()
    assert np.abs(waded(drag=False).record.angles).max() < 1e-9


def test_standing_feet_stay_with_the_step_controller_and_slide_without():
    drift = [
        max(np.ptp(stance[:, :2], axis=0).max() for stance in feet_that_stand(waded(steps=steps)))
        for steps in (True, False)
    ]
    assert drift[0] < 1e-3
    assert drift[1] > 0.02


def test_lifted_arms_go_faster_through_deep_water():
    up, down = waded("water", "chest"), waded("water", "chest", arms=False)
    assert up.record.remaining > down.record.remaining + 0.01
    force = [np.abs(each.record.force[late(each.record), 0]).mean() for each in (up, down)]
    assert force[0] < force[1]


def test_stepping_high_is_easier_in_shallow_water():
    up, down = waded("water", "ankle"), waded("water", "ankle", high_step=False)
    assert np.abs(up.record.force[:, 0]).mean() < 0.6 * np.abs(down.record.force[:, 0]).mean()


def test_water_that_bears_slows_the_steps():
    """To the neck little weight is left, and with it no footing (Froude number) and no hold."""
    deep, unborne = waded("water", "1.45"), waded("water", "1.45", buoyancy=False)
    assert deep.record.remaining < unborne.record.remaining - 0.08
    assert waded("water", "1.4").record.volume.max() == pytest.approx(0.052, abs=0.008)


def test_whoever_the_fluid_slows_down_pushes_on_until_feet_lose_the_ground():
    """It is the speed there is, not the one intended, that lifts feet off the ground (Kram 1997)."""
    intended, leg, standing = np.array([1.6, 0.0]), 0.9, 0.3
    fastest = np.sqrt(0.5 * standing * 9.81 * leg)
    np.testing.assert_allclose(surefooted(intended, 0.7 * intended / 1.6, standing, leg, BalanceOptions()), intended)
    np.testing.assert_allclose(surefooted(intended, intended, standing, leg, BalanceOptions()), [fastest, 0.0])
    np.testing.assert_allclose(surefooted(intended, intended, 1.0, leg, BalanceOptions()), intended)


def test_a_wader_leans_into_the_drag_of_deep_water():
    """Weight times how far the trunk goes ahead is a share of the moment about the ground, and no farther than it can."""
    leaning, upright = (waded("water", "chest", lean=on).record for on in (True, False))
    more = leaning.angles[late(leaning), 1].mean() - upright.angles[late(upright), 1].mean()
    assert np.radians(4.0) < more < np.radians(13.0)
    frames = body_frames(walker().plan, leaning.rows[:1])
    trunk = LeaningTrunk(walker().plan, frames, BalanceOptions())
    small = trunk.lean(1.0, 600.0)
    assert 600.0 * trunk.arm * np.sin(small) == pytest.approx(0.35, rel=1e-3)
    assert trunk.lean(1e4, 100.0) < 0.23


def test_feet_are_lifted_out_of_shallow_water_and_drag_through_deep():
    leg, middle = 0.9, 0.5
    assert swing_lift(middle, 0.4, 0.03, 0.12, leg, SwingOptions()) + 0.03 > 0.12
    # A foot that the clip has high above the water already is hardly lifted more.
    assert swing_lift(middle, 0.4, 0.5, 0.12, leg, SwingOptions()) < 0.01
    assert swing_lift(middle, 0.4, 0.15, 0.9, leg, SwingOptions()) == pytest.approx(-0.6 * 0.15)
    assert (
        swing_lift(1.0, 0.0, 0.15, 0.9, leg, SwingOptions())
        == swing_lift(middle, 0.4, 0.15, -0.1, leg, SwingOptions())
        == 0.0
    )


def test_hands_are_lifted_where_the_water_would_wet_them_and_only_there():
    plan = walker().plan
    hands = [plan.with_role(f"{side}_hand")[0] for side in ("left", "right")]

    def heights(depth, arms):
        record = waded("water", depth, arms=arms).record
        return body_frames(plan, record.rows[late(record)]).positions[:, hands, 2]

    assert heights("chest", True).min() > walker().floor + depth_against(walker(), "chest") + 0.15
    assert heights("chest", False).max() < heights("chest", True).min()
    np.testing.assert_allclose(
        waded("water", "calf").record.rows, waded("water", "calf", arms=False).record.rows, atol=1e-12
    )


def test_a_shove_from_the_side_is_answered_in_one_step_and_fades():
    push = Push(2.0, (0.0, 1000.0))
    for fluid in (None, "water"):
        record = waded(fluid, pushes=(push,)).record
        plain = waded(fluid).record
        at = int(2.1 / record.step)
        gained = record.velocity[at, 1] - plain.velocity[at, 1]
        assert 0.6 < gained < 100.0 / walker().plan.total_mass
        # One step takes about 0.65 s; by two time constants (0.41 s each dry) an eighth is left.
        assert record.velocity[at + int(1.2 / record.step), 1] < 0.2 * gained
        wide = np.abs(np.diff(record.feet[:, :, 1], axis=1)).max()
        assert wide > np.abs(np.diff(plain.feet[:, :, 1], axis=1)).max() + 0.1


class Hill:
    """A slope up along the walk, as a ground."""

    def __init__(self, floor, slope):
        self.floor, self.slope = floor, slope

    def height(self, places, time=0.0):
        return self.floor + self.slope * np.asarray(places)[..., 0]

    def normal(self, places, time=0.0):
        up = np.array([-self.slope, 0.0, 1.0])
        return np.broadcast_to(up / np.linalg.norm(up), (*np.shape(places)[:-1], 3))


def test_a_hill_slows_a_walker_by_its_weight_over_k_and_a_pack_makes_that_more():
    who = walker()
    hill = Hill(who.floor, np.tan(np.radians(4.0)))
    speeds = [wade(who, WadingOptions(pack=pack), hill, longest=5.0).record for pack in (0.0, 20.0)]
    servo = default_servo(who.plan, 0.97)
    lost = [1.0 - record.remaining for record in speeds]
    wanted = np.linalg.norm(speeds[0].intended[late(speeds[0])], axis=1).mean()
    force = 0.6 * who.plan.total_mass * 9.81 * np.sin(np.radians(4.0)) * np.cos(np.radians(4.0))
    assert lost[0] == pytest.approx(force / servo.k / wanted, rel=0.1)
    assert lost[1] == pytest.approx(lost[0] * (1.0 + 20.0 / who.plan.total_mass), rel=0.1)
    assert speeds[1].angles[-1, 1] > 0.05


def test_downhill_helps_a_little_and_then_is_braked_as_hikers_do():
    """Tobler's hiking function, which nothing here was fitted to downhill: fastest at -0.05, as fast as level at -0.1."""
    who = walker()
    grades = (0.0, -0.05, -0.10, -0.25)
    level, easy, even, steep = (
        wade(who, WadingOptions(), Hill(who.floor, grade), longest=4.0).record.remaining for grade in grades
    )
    assert 1.03 * level < easy < 1.25 * level
    assert even == pytest.approx(level, abs=0.03)
    assert steep == pytest.approx(level * np.exp(-3.5 * 0.15), abs=0.12)


def test_a_walker_leans_into_a_hill_and_back_down_it():
    who = walker()
    up, down = (
        np.degrees(wade(who, WadingOptions(), Hill(who.floor, np.tan(np.radians(angle))), longest=3.0).record.angles)
        for angle in (8.0, -8.0)
    )
    assert up[-1, 1] == pytest.approx(0.4 * 8.0, abs=0.3)
    assert down[-1, 1] == pytest.approx(-0.4 * 8.0, abs=0.3)


def test_the_result_is_the_same_again():
    options = WadingOptions(volumes=(FluidVolume(fluid=FLUIDS["mud"], level=0.4),))
    first, second = (wade(walker(), options, longest=1.0) for _ in range(2))
    np.testing.assert_array_equal(first.record.rows, second.record.rows)


def test_depths_are_words_or_meters():
    who = walker()
    heights = [depth_against(who, word) for word in DEPTHS]
    assert heights == sorted(heights)
    assert depth_against(who, "0.5") == 0.5
    for wrong in ("nose", "0", "-1", "9", "nan"):
        with pytest.raises(InputError):
            depth_against(who, wrong)


def test_a_clip_that_does_not_walk_is_refused():
    clip = read_clip(clip_path("walk"))
    still = clip.with_motion(np.repeat(clip.rotations[:1], 40, axis=0), np.repeat(clip.translations[:1], 40, axis=0))
    with pytest.raises(InputError, match="no steps"):
        wade(Character.from_clip(still), WadingOptions())


def test_a_walk_in_place_is_carried_on():
    clip = read_clip(clip_path("walk"))
    start = clip.translations[0, 0]
    way = clip.translations[:, 0] - start
    steady = np.linspace(0.0, 1.0, len(clip))[:, None] * way[-1] * [1.0, 1.0, 0.0]
    there = clip.translations.copy()
    there[:, 0] -= steady
    fit, notes = going(replace(clip, translations=there))
    assert isinstance(fit, Clip)
    assert any("in place" in note for note in notes)
    assert any("repeated" in note for note in notes)
    assert np.linalg.norm((fit.translations[-1, 0] - fit.translations[0, 0])[:2]) > 4.0


@pytest.mark.parametrize("depth", ["ankle", "knee", "waist", "chest"])
def test_knees_keep_up_with_what_wading_asks_of_legs(depth):
    record, plan = waded("water", depth).record, walker().plan
    for role in ("left_shank", "right_shank"):
        at = 3 + 4 * plan.with_role(role)[0]
        turns = record.rows[:-2, at : at + 4]
        rates = quat.log(quat.mul(quat.conj(turns[:-1]), turns[1:])) / record.step
        assert np.linalg.norm(np.diff(rates, axis=0), axis=1).max() / record.step < 300.0


def test_who_begins_in_the_midst_of_a_fluid_goes_as_fast_as_it_lets_him_at_once():
    """Push and drag are in balance in the first tick: at the clip's own speed the drag is several times the push."""
    result = waded("water", "waist")
    record, ahead = result.record, result.record.intended[0] / np.linalg.norm(result.record.intended[0])
    push = result.servo.k * (np.linalg.norm(record.intended[0]) - record.speed[0])
    assert push == pytest.approx(-record.force[0, :2] @ ahead, rel=0.1)
    for fluid in ("water", "goo"):
        force = np.linalg.norm(waded(fluid, "waist").record.force, axis=1)
        assert force[:10].max() < 2.5 * force.mean()
    dry = waded(None).record
    assert dry.speed[0] == pytest.approx(np.linalg.norm(dry.intended[0]), rel=0.02)


def lifted(posture, row, level, felt=None):
    """Heights of both hands over the floor [m] (2,) with a surface at a level, and what was felt of it."""
    row = row[None].copy()
    felt = LiftedHands(posture.plan, HandsOptions()).lift(row, level, np.array([1.0, 0.0]), felt, 1.0 / 60.0)
    plan = posture.plan
    hands = [plan.with_role(f"{side}_hand")[0] for side in ("left", "right")]
    return body_frames(plan, row).positions[0, hands], felt


def test_hands_are_given_up_by_and_by_where_the_surface_comes_over_the_shoulders():
    gait = Gait.of(walker(), TerrainGround((), walker().floor))
    posture = Posture(gait)
    row = posture.clip(1.0).row
    shoulder = body_frames(posture.plan, row[None]).positions[0, posture.plan.with_role("left_upper_arm")[0], 2]
    levels = shoulder + np.linspace(-0.3, 0.15, 226)
    hands = np.array([lifted(posture, row, level)[0] for level in levels])
    own = lifted(posture, row, -1e9)[0]
    np.testing.assert_allclose(hands[-1], own, atol=1e-9)
    assert hands[0, 0, 2] > own[0, 2] + 0.3
    # Two millimeters of the surface move no hand by more than a few centimeters.
    assert np.linalg.norm(np.diff(hands, axis=0), axis=2).max() < 0.05


def test_a_surface_that_jumps_is_taken_in_by_hands_over_a_third_of_a_second():
    gait = Gait.of(walker(), TerrainGround((), walker().floor))
    posture = Posture(gait)
    row = posture.clip(1.0).row
    level = walker().floor + depth_against(walker(), "waist")
    before, felt = lifted(posture, row, level - 0.1)
    after = lifted(posture, row, level)[0]
    way = []
    for _ in range(90):
        hands, felt = lifted(posture, row, level, felt)
        way.append(hands[0, 2])
    assert abs(way[0] - before[0, 2]) < 0.005
    assert way[18] == pytest.approx(before[0, 2] + 0.264 * (after[0, 2] - before[0, 2]), abs=0.02)
    assert way[-1] == pytest.approx(after[0, 2], abs=0.006)


@pytest.mark.shared
def test_a_knight_with_sword_and_shield_who_runs_into_mud_to_the_chest_is_not_thrown_about(shared_data):
    """Arms and trunk moved one another by the drag they made: 4 MN within half a second."""
    clip, mesh = read_character(shared_data / "kaykit" / "Knight.glb", animation="Running_A")
    who = Character.from_clip(going(clip)[0], None, mesh)
    deep = depth_against(who, "chest")
    mud = FluidVolume(fluid=FLUIDS["mud"], level=who.floor + deep, depth=deep)
    record = wade(who, WadingOptions(volumes=(mud,)), longest=3.0).record
    force = np.linalg.norm(record.force, axis=1)
    assert force.max() < 3.0 * force.mean()
    assert np.abs(np.diff(record.angles, axis=0)).max() / record.step < 5.0


def test_an_elbow_is_not_thrown_round_its_arm_where_it_shall_point_along_it():
    """A hand that comes down past the direction that the elbow shall point to."""
    wanted = np.array([-0.5, 0.3, -1.0])
    hand, elbow = np.array([0.1, 0.05, -0.25]), np.array([-0.1, 0.1, -0.2])
    ways = [0.3 * (wanted + np.array([offset, 0.01, 0.0])) for offset in np.linspace(0.6, -0.6, 121)]
    found = np.array([_elbow_way(wanted, way, elbow, hand, 0.4) for way in ways])
    for each, way in zip(found, ways, strict=True):
        assert abs(each @ way) < 1e-9
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    assert np.linalg.norm(np.diff(found, axis=0), axis=1).max() < 0.1
    axis = np.array([1.0, 0.0, 0.0])
    across, asked = _elbow_way(wanted, 0.3 * axis, elbow, hand, 0.4), wanted - wanted[0] * axis
    assert across @ asked > 0.9 * np.linalg.norm(across) * np.linalg.norm(asked)


@pytest.mark.shared
def test_elbows_of_an_old_man_with_his_hands_at_his_back_keep_up_with_him(shared_data):
    """They were thrown round the arm at 25 m/s."""
    who = Character.from_clip(read_clip(shared_data / "deep-motion-editing" / "old_13_000.bvh"))
    deep = depth_against(who, "waist")
    water = FluidVolume(fluid=FLUIDS["water"], level=who.floor + deep, depth=deep)
    record = wade(who, WadingOptions(volumes=(water,))).record
    elbows = [who.plan.with_role(f"{side}_forearm")[0] for side in ("left", "right")]
    places = body_frames(who.plan, record.rows).positions[:, elbows]
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() / record.step < 5.0
