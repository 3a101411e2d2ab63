"""The abstract body, swings, steps and marks of wading, against closed forms."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.errors import InputError
from poise.io import read_clip
from poise.locomotion.abstract_body import AbstractBody, BodyServo, Load, step_body
from poise.locomotion.contacts import runs
from poise.locomotion.curve import Curve
from poise.locomotion.steps import FootholdOptions, FootSteps, Placement, StepController
from poise.locomotion.swing import SwingProfile, swing_progress, swung
from poise.locomotion.sync import carried, foot_marks, in_place_speed, sync_phases
from poise.locomotion.travel import Travel
from poise.math import quat
from poise.motion.edit import loop

SERVO = BodyServo(
    mass=70.0, k=200.0, b=10.0, force=1e6, inertia=(1.0, 8.0), k_theta=(50.0, 300.0), b_theta=(14.0, 98.0)
)
NOTHING = Load(np.zeros(2), np.zeros((2, 2)), np.zeros(2))
STILL = AbstractBody(np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2))
AHEAD = np.array([1.4, 0.0])


def played(servo, body, load, seconds, step=1e-3, velocity=AHEAD):
    for _ in range(round(seconds / step)):
        body = step_body(servo, body, load, velocity, step)
    return body


def test_a_lost_speed_is_made_good_with_the_time_constant_of_the_solved_equation():
    body = played(SERVO, STILL, NOTHING, SERVO.time_constant)
    assert SERVO.time_constant == pytest.approx(80.0 / 200.0)
    assert body.velocity[0] == pytest.approx(1.4 * (1.0 - np.exp(-1.0)), rel=2e-3)


def test_a_constant_force_costs_force_over_k():
    load = Load(np.array([-56.0, 20.0]), np.zeros((2, 2)), np.zeros(2))
    body = played(SERVO, STILL._replace(velocity=AHEAD), load, 5.0)
    np.testing.assert_allclose(body.velocity, [1.4 - 56.0 / 200.0, 0.1], rtol=1e-3)


def test_the_legs_push_no_harder_than_they_can():
    servo = BodyServo(**{**SERVO.__dict__, "force": 80.0})
    body = played(servo, STILL, NOTHING, 0.5)
    assert body.velocity[0] == pytest.approx(0.5 * 80.0 / 80.0, rel=2e-3)


def test_the_thickest_fluid_is_stable_at_thirty_ticks_a_second():
    """Square drag so thick that an explicit step would turn the velocity round."""
    body, factor = STILL._replace(velocity=np.array([3.0, 0.0])), 5000.0
    speeds = []
    for _ in range(60):
        u = -body.velocity
        size = float(np.linalg.norm(u))
        damping = factor * (size * np.eye(2) + np.outer(u, u) / max(size, 1e-9))
        body = step_body(SERVO, body, Load(factor * size * u, damping, np.zeros(2)), AHEAD, 1.0 / 30.0)
        speeds.append(body.velocity[0])
    assert min(speeds) > 0.0
    balance = np.sqrt((200.0 / (2.0 * factor)) ** 2 + 1.4 * 200.0 / factor) - 200.0 / (2.0 * factor)
    assert speeds[-1] == pytest.approx(balance, rel=1e-3)


def test_a_torque_turns_by_torque_over_stiffness_and_no_farther_than_the_limit():
    body = played(SERVO, STILL, NOTHING._replace(torque=np.array([5.0, 30.0])), 6.0)
    np.testing.assert_allclose(body.angles, [0.1, 0.1], rtol=1e-3)
    body = played(SERVO, STILL, NOTHING._replace(torque=np.array([0.0, 900.0])), 6.0)
    assert body.angles[1] == SERVO.most[1]


@pytest.mark.parametrize("name", ["mass", "k", "force"])
def test_a_servo_that_cannot_be_is_refused(name):
    with pytest.raises(InputError):
        BodyServo(**{**SERVO.__dict__, name: -1.0})


@pytest.mark.parametrize(("profile", "peak"), [(SwingProfile.TRIANGULAR, 2.0), (SwingProfile.MINIMUM_JERK, 1.875)])
def test_a_swing_starts_and_ends_at_rest_and_peaks_as_its_profile_says(profile, peak):
    shares = np.linspace(0.0, 1.0, 2001)
    way = np.array([swing_progress(profile, share) for share in shares])
    speed = np.gradient(way, shares)
    assert way[0] == 0.0
    assert way[-1] == 1.0
    assert speed.max() == pytest.approx(peak, rel=1e-3)
    assert abs(speed[0]) < 0.01
    assert abs(speed[-1]) < 0.01


def test_a_swing_of_least_jerk_leaves_and_lands_as_it_is_told():
    start, end, leaving, landing = (np.array(v, dtype=float) for v in ([0, 0], [1, 0.2], [0.4, -0.1], [-0.3, 0.2]))
    shares = np.linspace(0.0, 1.0, 4001)
    way = np.array([swung(share, start, end, leaving, landing) for share in shares])
    speed = np.gradient(way, shares, axis=0)
    np.testing.assert_allclose(way[[0, -1]], [start, end], atol=1e-12)
    np.testing.assert_allclose(speed[[0, -1]], [leaving, landing], atol=2e-3)
    # Least jerk: a polynomial of the fifth degree, by its sixth difference.
    assert np.abs(np.diff(way[::400], n=6, axis=0)).max() < 1e-9


def two_feet(period=1.0, length=1.4, steps=5):
    """Feet that stand for 0.6 and swing for 0.4 of a stride, the right one half a stride later, going along x."""
    times = np.linspace(0.0, steps * period, 60 * steps + 1)
    feet = []
    for side, phase in ((0.1, 0.0), (-0.1, 0.5)):
        beat = times / period + phase
        number, share = np.floor(beat), beat % 1.0
        swing = np.clip((share - 0.6) / 0.4, 0.0, 1.0)
        x = length * (number - phase + swing**3 * (10 + swing * (6 * swing - 15)) + 0.3)
        way = PchipInterpolator(times, np.column_stack([x, np.full_like(x, side), np.zeros_like(x)]), axis=0)
        strides = np.arange(steps + 1)
        lands, leaves = (strides - phase) * period, (strides - phase + 0.6) * period
        keep = (leaves > 0.0) & (lands < times[-1])
        feet.append(
            FootSteps(
                np.maximum(lands[keep], 0.0), np.minimum(leaves[keep], times[-1]), way, way.derivative(), times[-1]
            )
        )
    return feet


def walked(velocity, pace=1.0, seconds=4.0, profile=SwingProfile.MINIMUM_JERK, push=0.0, at=1.9, **options):
    """Feet of a body that goes at `velocity`, with a jolt aside; its clip goes 1.4 m/s along x."""
    feet, step = two_feet(), 1.0 / 120.0
    control = StepController(feet, profile, Placement(0.0, np.zeros(2)), step, FootholdOptions(**options))
    body, clip, goals, bodies = STILL._replace(velocity=np.array([velocity, 0.0])), 0.0, [], []
    for tick in range(round(seconds / step)):
        if abs(tick * step - at) < 0.5 * step:
            body = body._replace(velocity=np.array([velocity, push]))
        body = body._replace(velocity=body.velocity * [1.0, np.exp(-step / 0.4)])
        body = body._replace(position=body.position + step * body.velocity)
        clip += step * pace
        carried_on = Placement(0.0, body.position - np.array([1.4 * clip, 0.0]))
        goals.append(control.advance(clip, body, carried_on, np.array([1.0, 0.0])))
        bodies.append(body.position)
    return np.array([[[*goal.place, goal.share] for goal in pair] for pair in goals]), np.array(bodies)


def test_standing_feet_do_not_move_however_slow_the_body():
    for velocity, pace in ((1.4, 1.0), (0.5, 0.5 / 1.4)):
        goals, _ = walked(velocity, pace)
        for foot in range(2):
            for first, last in runs(goals[:, foot, 2] == 1.0):
                assert np.ptp(goals[first : last + 1, foot, :2], axis=0).max() < 1e-9


def test_footholds_are_as_far_apart_as_in_the_clip_and_down_before_the_body_gets_there():
    goals, bodies = walked(0.7, 0.5, seconds=8.0)
    for foot in range(2):
        lands = [first for first, _ in runs(goals[:, foot, 2] == 1.0)][1:]
        np.testing.assert_allclose(np.diff(goals[lands, foot, 0]), 1.4, atol=1e-6)
        assert (goals[lands, foot, 0] > bodies[lands, 0]).all()


def test_a_triangular_swing_peaks_at_twice_its_mean_speed():
    goals, _ = walked(1.4, profile=SwingProfile.TRIANGULAR)
    swing = next(span for span in runs(goals[:, 0, 2] < 1.0) if span[0] > 0)
    x = goals[swing[0] : swing[1] + 1, 0, 0]
    mean = 1.4 / 0.4
    assert np.abs(np.diff(x) * 120.0).max() == pytest.approx(2.0 * mean, rel=0.05)


def test_a_shove_from_the_side_is_answered_by_the_next_step():
    """Half a metre a second to the left while the left foot swings: it lands farther left, and feet stay uncrossed."""
    plain, _ = walked(1.4)
    goals, bodies = walked(1.4, push=0.5, at=1.75)
    landed = next(first for first, _ in runs(goals[:, 0, 2] == 1.0) if first > 1.75 * 120)
    assert goals[landed, 0, 1] > plain[landed, 0, 1] + 0.1
    assert goals[landed, 0, 1] > bodies[landed, 1]
    goals, _ = walked(1.4, push=-0.9, at=1.75)
    assert (goals[landed, 0, 1] - goals[landed, 1, 1]) > 0.06


@pytest.mark.parametrize(("clip", "strides"), [("walk", 6), ("run", 6)])
def test_marks_are_found_in_every_stride(clip, strides):
    who = Character.from_clip(loop(read_clip(clip_path(clip)), strides))
    frames = body_frames(who.plan, generalized_from_clip(who.plan, who.clip))
    for marks in foot_marks(who.plan, frames, who.clip.rate):
        assert abs(len(marks.ahead) - strides) <= 1
        assert abs(len(marks.behind) - strides) <= 1
    phases = sync_phases(who.plan, frames, who.clip.rate, who.floor)
    for foot in range(2):
        spans = runs(phases.mask[:, 2 * foot] | phases.mask[:, 2 * foot + 1])
        assert strides <= len(spans) <= strides + 1
        share = np.mean([last - first + 1 for first, last in spans[1:-1]]) * strides / len(who.clip)
        assert (0.45 < share < 0.75) if clip == "walk" else (0.1 < share < 0.5)


def test_a_clip_that_walks_in_place_tells_its_speed():
    who = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    rows = generalized_from_clip(who.plan, who.clip)
    frames = body_frames(who.plan, rows)
    assert in_place_speed(who.plan, frames, who.clip.rate) == 0.0
    way = frames.positions[:, 0, :2] - frames.positions[0, 0, :2]
    speed = np.linalg.norm(way[-1]) / who.clip.duration
    still = frames._replace(positions=frames.positions - np.pad(way, ((0, 0), (0, 1)))[:, None])
    assert in_place_speed(who.plan, still, who.clip.rate) == pytest.approx(speed, rel=0.15)
    on = carried(who.plan, still, speed, who.clip.rate)
    assert np.linalg.norm(on[-1, :2] - way[-1]) < 0.1 * np.linalg.norm(way[-1])


def test_who_walks_round_a_circle_and_back_to_the_beginning_does_not_walk_in_place():
    who = Character.from_clip(loop(read_clip(clip_path("walk")), 6))
    frames = body_frames(who.plan, generalized_from_clip(who.plan, who.clip))
    way = frames.positions[:, 0, :2] - frames.positions[0, 0, :2]
    length = np.linalg.norm(way[-1])
    ahead, left = way[-1] / length, np.array([-way[-1, 1], way[-1, 0]]) / length
    radius, along = length / (2.0 * np.pi), way @ ahead
    turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), along / radius)[:, None]
    centers = frames.positions[0, 0, :2] + np.outer(along, ahead)
    about = frames.positions - np.pad(centers, ((0, 0), (0, 1)))[:, None]
    middle = radius * (np.outer(np.sin(along / radius), ahead) + np.outer(1.0 - np.cos(along / radius), left))
    round_it = quat.rotate(turn, about) + np.pad(frames.positions[0, 0, :2] + middle, ((0, 0), (0, 1)))[:, None]
    circling = frames._replace(positions=round_it, rotations=quat.mul(turn, frames.rotations))
    assert np.linalg.norm(round_it[-1, 0] - round_it[0, 0]) < 0.05 * length
    assert in_place_speed(who.plan, circling, who.clip.rate) == 0.0


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "moves"),
    [
        ("pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh", True),
        ("hello-avatar/jog_lsw.bvh", True),
        ("hello-avatar/walk_hurt_rl.bvh", True),
        ("hello-avatar/LocomotionFlat01_000.bvh", True),
        ("bvh-toolbox/test_freebvh.bvh", True),
        ("dcl-emotes/walk.glb", False),
        ("3dmodelfiletest/WalkForward.bvh", False),
        ("mjolnir-zig/CesiumMan.glb", False),
    ],
)
def test_ways_that_come_back_are_told_from_walks_in_place(file, moves, shared_data):
    who = Character.from_clip(read_clip(shared_data / file))
    frames = body_frames(who.plan, generalized_from_clip(who.plan, who.clip))
    assert (in_place_speed(who.plan, frames, who.clip.rate) == 0.0) == moves


def test_a_smooth_way_keeps_a_straight_line_and_forgets_the_sway():
    times = np.arange(300) / 30.0
    places = np.column_stack([1.3 * times, 0.03 * np.sin(2 * np.pi * times)])
    way = Travel(places, 30.0, 1.0)
    np.testing.assert_allclose(way.places[:, 0], places[:, 0], atol=1e-9)
    assert np.abs(way.places[40:-40, 1]).max() < 0.003
    np.testing.assert_allclose(way.velocity(5.0), [1.3, 0.0], atol=0.02)


@pytest.mark.parametrize("kind", [CubicSpline, PchipInterpolator])
def test_a_curve_is_scipys_one_time_after_another(kind):
    values = np.random.default_rng(5).normal(size=(40, 3))
    for piecewise in (
        kind(np.arange(40) / 30.0, values, axis=0),
        kind(np.arange(40) / 30.0, values, axis=0).derivative(),
    ):
        curve = Curve(piecewise)
        for time in (0.0, 0.01, 0.5, 39.0 / 30.0, -0.02, 1.32):
            np.testing.assert_allclose(curve(time), piecewise(time), atol=1e-9)


def test_a_torque_that_falls_with_the_rate_of_turning_is_stable_at_thirty_ticks_a_second():
    """So thick that an explicit step would throw the yaw from one end to the other."""
    body, resists = STILL._replace(angles=np.array([0.2, 0.0])), 500.0
    yaws = []
    for _ in range(90):
        torque = np.array([-resists * body.rates[0], 0.0])
        body = step_body(SERVO, body, NOTHING._replace(torque=torque, turning=(resists, 0.0)), AHEAD, 1.0 / 30.0)
        yaws.append(body.angles[0])
    assert np.all(np.diff(yaws) <= 0.0)
    # Overdamped: it falls with k over b, of servo and fluid.
    rate = 50.0 / (14.0 + resists)
    assert yaws[-1] == pytest.approx(0.2 * np.exp(-3.0 * rate), rel=0.02)
