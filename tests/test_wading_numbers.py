"""Every number by which a wader's hands, feet, trunk and clothes go: each changes what it says, by as much as it says."""

from dataclasses import fields
from functools import cache

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.root.velocity import Begin, Order
from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.errors import InputError
from poise.fluid import FLUIDS, FluidVolume
from poise.io import read_clip
from poise.locomotion.abstract_body import AbstractBody
from poise.locomotion.contacts import runs
from poise.locomotion.steps import FootGoal, FootholdOptions, Placement, StepPlan
from poise.math import quat
from poise.wading import Gait, Wader, WadingOptions
from poise.wading.balance import BalanceOptions, LeaningTrunk, fastest_walk, felt_grade, surefooted
from poise.wading.entering import CrossingOptions, FootCorrection, footing_now
from poise.wading.law import WadingLaw
from poise.wading.lifted_hands import HandsOptions, LiftedHands
from poise.wading.loads import FluidLoad
from poise.wading.pacing import PaceOptions, paced
from poise.wading.posture import Posture
from poise.wading.reaching import ReachOptions
from poise.wading.servo import ServoOptions, default_servo
from poise.wading.soaking import SoakingOptions, soaked
from poise.wading.swinging import SwingOptions, swing_lift
from poise.world.query import TerrainGround
from test_locomotion_wading import walked

HEIGHT, ASIDE, AHEAD, REACH, ELBOW_ASIDE = range(5)
LEG, MIDDLE = 0.9, 0.5


@cache
def posed():
    who = Character.from_clip(read_clip(clip_path("walk")))
    posture = Posture(Gait.of(who, TerrainGround((), who.floor)))
    return posture.plan, posture.clip(1.0).row


def arm(below, felt=None, step=1.0 / 60.0, rise=0.0, **options):
    """Left wrist from its shoulder [m] with a surface so far below that: height, aside, ahead, reach; the elbow's aside."""
    plan, row = posed()
    bodies = [plan.with_role(f"left_{role}")[0] for role in ("upper_arm", "forearm", "hand")]
    row = row[None].copy()
    shoulder = body_frames(plan, row).positions[0, bodies[0]]
    felt, _ = LiftedHands(plan, HandsOptions(**options)).lift(
        row, float(shoulder[2]) - below + rise, np.array([1.0, 0.0]), felt, step
    )
    elbow, wrist = body_frames(plan, row).positions[0, bodies[1:]] - shoulder
    return np.array([wrist[2], wrist[1], wrist[0], np.linalg.norm(wrist), elbow[1]]), felt


@pytest.mark.parametrize(
    ("name", "other", "below", "what", "change"),
    [
        ("over", 0.32, 0.6, HEIGHT, 0.1),
        ("soft", 0.01, 0.77, HEIGHT, -0.01),
        ("highest", 0.04, -0.05, HEIGHT, -0.371),
        ("aside", 0.6, 0.5, ASIDE, 0.057),
        ("ahead", 0.0, 0.5, AHEAD, -0.049),
        ("wide", 0.1, 0.3, ASIDE, -0.102),
        ("before", 0.1, 0.3, AHEAD, -0.102),
        ("still", 0.0, 0.3, AHEAD, -0.086),
        ("far", 2.0, 0.3, AHEAD, -0.066),
        ("hangs", 0.1, 0.3, HEIGHT, -0.02),
        ("farthest", 0.6, 0.6, REACH, -0.085),
        ("folded", 0.45, 0.15, REACH, -0.06),
        ("forearms", 0.14, 0.2, HEIGHT, 0.1),
        ("begins", 0.01, 0.75, REACH, -0.087),
        ("own", 4.0, 0.5, ELBOW_ASIDE, 0.035),
    ],
)
def test_each_number_of_lifted_hands_moves_what_it_says(name, other, below, what, change):
    moved = arm(below, **{name: other})[0] - arm(below)[0]
    assert moved[what] == pytest.approx(change, abs=0.012)


def test_a_surface_is_taken_in_within_the_time_stated():
    """Critically damped: after the time itself 26 % of the way is done, whatever the time is."""
    for takes in (0.2, 0.4):
        felt = arm(0.6, takes=takes)[1]
        for _ in range(round(120.0 * takes)):
            felt = arm(0.6, felt, 1.0 / 120.0, 0.1, takes=takes)[1]
        assert (0.6 - felt[0, 0]) / 0.1 == pytest.approx(0.264, abs=0.02)


def test_all_numbers_of_hands_are_tried():
    tried = test_each_number_of_lifted_hands_moves_what_it_says.pytestmark[0].args[1]
    assert {field.name for field in fields(HandsOptions)} == {name for name, *_ in tried} | {"takes"}


def lift(depth, own=0.03, share=MIDDLE, period=1.0, **options):
    return swing_lift(share, period, own, depth, LEG, SwingOptions(**options))


@pytest.mark.parametrize(
    ("name", "other", "case", "change"),
    [
        ("clear", 0.17, (0.12, 0.03, MIDDLE, 1.0), 0.1),
        ("over", 0.1, (0.2, 0.03, MIDDLE, 1.0), -0.12),
        ("through", 0.6, (0.3, 0.03, MIDDLE, 1.0), 0.204),
        ("rises", 0.2, (0.12, 0.03, 0.2, 1.0), 0.1),
        ("brief", 0.3, (0.12, 0.03, MIDDLE, 0.35), -0.11),
        ("long", 0.9, (0.12, 0.03, MIDDLE, 0.4), -0.12),
        ("soft", 0.1, (0.12, 0.2, MIDDLE, 1.0), 0.06),
        ("film", 0.3, (0.12, 0.03, MIDDLE, 1.0), -0.1),
        ("drags", 0.0, (0.9, 0.15, MIDDLE, 1.0), 0.09),
        ("deep", 1.2, (0.6, 0.15, MIDDLE, 1.0), 0.041),
    ],
)
def test_each_number_of_swinging_feet_moves_what_it_says(name, other, case, change):
    assert lift(*case, **{name: other}) - lift(*case) == pytest.approx(change, abs=0.01)


def test_numbers_of_swinging_feet_come_in_their_order():
    with pytest.raises(InputError, match="swing: over must be less than through"):
        SwingOptions(over=0.5)


def test_each_number_of_balance_says_how_far_one_leans_and_how_fast_one_walks():
    plan, row = posed()
    frames = body_frames(plan, row[None])

    def trunk(**options):
        return LeaningTrunk(plan, frames, BalanceOptions(**options))

    assert trunk(share=0.7).lean(1.0, 600.0) == pytest.approx(2.0 * trunk().lean(1.0, 600.0), rel=1e-3)
    assert trunk(farthest=0.1).lean(1e4, 100.0) == pytest.approx(0.1, rel=1e-6)
    assert trunk(uphill=0.2).lean_uphill(0.1) == pytest.approx(0.2 * np.arctan(0.1))
    assert felt_grade(-0.1, -0.1) == pytest.approx(-0.1)
    assert felt_grade(-0.1, -0.02) == pytest.approx(0.06)
    assert fastest_walk(LEG, froude=0.125) == pytest.approx(0.5 * fastest_walk(LEG))
    intended = np.array([3.0, 0.0])
    fastest = fastest_walk(LEG)
    near = [
        surefooted(intended, np.array([0.97 * fastest, 0.0]), 1.0, LEG, BalanceOptions(nears=nears))[0]
        for nears in (0.01, 0.2)
    ]
    assert near[0] == 3.0
    assert fastest < near[1] < 2.9


def test_each_number_of_soaked_clothes_says_how_soon():
    def wet(seconds, share, wet=0.0, under=0.0, **options):
        for _ in range(round(100.0 * seconds)):
            wet, under = soaked(SoakingOptions(**options), wet, under, share, 0.01)
        return wet, under

    for takes in (0.5, 2.0):
        assert wet(takes, 1.0, takes=takes)[0] == pytest.approx(1.0 - np.exp(-1.0), abs=0.01)
    for drips in (3.0, 6.0):
        assert wet(drips, 0.0, wet=1.0, drips=drips)[0] == pytest.approx(np.exp(-1.0), abs=0.01)
    for leaves in (0.5, 2.0):
        assert wet(leaves, 0.0, under=1.0, leaves=leaves)[1] == pytest.approx(np.exp(-1.0), abs=0.01)


def test_a_wader_goes_by_the_numbers_of_its_options():
    assert WadingOptions().hands == HandsOptions()
    assert WadingOptions().swing == SwingOptions()
    assert WadingOptions().footholds == FootholdOptions()
    assert WadingOptions().reach == ReachOptions()
    assert WadingOptions().pace == PaceOptions()
    who = Character.from_clip(read_clip(clip_path("walk")))
    ground, chosen = TerrainGround((), who.floor), WadingOptions(footholds=FootholdOptions(aside=0.2))
    assert Wader(Gait.of(who, ground), who.skin, ground, chosen, 1.0 / 60.0).steps.options.aside == 0.2
    assert WadingOptions().balance == BalanceOptions()
    assert WadingOptions().soaking == SoakingOptions()


def test_where_a_pack_is_says_how_far_its_bearer_leans():
    who = Character.from_clip(read_clip(clip_path("walk")))
    ground = TerrainGround((), who.floor)

    def lean(**options):
        wader = Wader(
            Gait.of(who, ground), who.skin, ground, WadingOptions(pack=20.0, lean=False, **options), 1.0 / 60.0
        )
        return np.tan(wader._lean(500.0))

    assert lean(pack_behind=0.2) == pytest.approx(2.0 * lean())
    assert lean(pack_above=0.5) == pytest.approx(0.5 * lean())


def landed(push, at=1.75, velocity=1.4, **options):
    """How far to the left the left foot lands, pushed at a time of its second step, and how far from the right one [m]."""
    goals, _ = walked(velocity, push=push, at=at, **options)
    first = next(begin for begin, _ in runs(goals[:, 0, 2] == 1.0) if begin > at * 120)
    return goals[first, 0, 1], goals[first, 0, 1] - goals[first, 1, 1]


def test_each_number_of_footholds_says_where_feet_are_planted():
    nowhere, near, anywhere = (landed(0.5, aside=aside)[0] for aside in (0.0, 0.05, 0.45))
    assert near - nowhere == pytest.approx(0.05, abs=0.02)
    assert anywhere - nowhere > 0.1
    assert landed(0.5, settles=1.2)[0] < landed(0.5)[0] - 0.08
    # Pushed when seven eighths of the step are done.
    assert landed(0.5, at=1.95)[0] == pytest.approx(landed(0.0, at=1.95)[0])
    assert landed(0.5, at=1.95, frozen=0.99)[0] > landed(0.0, at=1.95)[0] + 0.05
    for apart in (0.03, 0.15):
        assert landed(-0.9, apart=apart)[1] == pytest.approx(apart)
    assert landed(-0.9, beside=0.0)[1] < -0.1


def test_who_is_slower_than_slow_has_less_of_a_direction():
    to_the_side = [landed(0.1, velocity=0.1, slow=slow, aside=2.0, settles=0.001)[0] for slow in (0.25, 0.5, 1.0)]
    assert to_the_side[0] - to_the_side[1] == pytest.approx(2.0 * (to_the_side[1] - to_the_side[2]), rel=0.01)
    assert to_the_side[1] - to_the_side[2] > 0.01


def test_all_numbers_of_footholds_are_tried():
    assert {field.name for field in fields(FootholdOptions)} == {
        "frozen",
        "aside",
        "apart",
        "beside",
        "settles",
        "slow",
    }


def test_pelvis_and_gaze_say_what_takes_a_lean_and_what_takes_it_back():
    plan, _ = posed()
    who = Character.from_clip(read_clip(clip_path("walk")))
    gait, lean = Gait.of(who, TerrainGround((), who.floor)), 0.3
    body = AbstractBody(np.zeros(2), np.zeros(2), np.array([0.0, lean]), np.zeros(2))

    def leaning(role, **options):
        """How far the last joint of a role leans farther than in the clip [rad]."""
        posture = Posture(gait, BalanceOptions(**options))
        own = posture.clip(1.0)
        row = posture.carried(own, body, Placement(0.0, np.zeros(2)), np.array([1.0, 0.0]))
        number = plan.with_role(role)[-1]
        turned = quat.mul(posture.frames(row).rotations[0, number], quat.conj(own.frames.rotations[0, number]))
        return float(quat.log(turned)[1])

    for share in (0.3, 0.5):
        assert leaning("pelvis", pelvis=share) == pytest.approx(share * lean, abs=1e-6)
        assert leaning("spine", pelvis=share) == pytest.approx(lean, rel=0.05)
    for gaze in (0.2, 0.6):
        assert leaning("head", gaze=gaze) == pytest.approx((1.0 - gaze) * lean, rel=0.15)


def test_what_a_body_leans_into_is_felt_in_the_time_stated_and_toes_bear_a_share():
    who = Character.from_clip(read_clip(clip_path("walk")))
    ground, step = TerrainGround((), who.floor), 1.0 / 60.0

    def wader(**options):
        return Wader(Gait.of(who, ground), who.skin, ground, WadingOptions(balance=BalanceOptions(**options)), step)

    force = np.array([-100.0, 0.0, 0.0])
    fluid = FluidLoad(
        force, np.zeros((3, 3)), np.zeros(3), np.array([0.0, 0.0, who.floor + 1.0]), 1.0, 1e4, 0.0, (0.0, 0.0)
    )
    for feels in (0.3, 1.2):
        one = wader(feels=feels)
        one.ahead = np.array([1.0, 0.0])
        one._feel(fluid)
        assert one.moment == pytest.approx(100.0 * step / feels, rel=1e-6)
    for bears in (0.05, 0.2):
        assert wader(bears=bears)._standing(fluid) == pytest.approx(bears * who.plan.total_mass * 9.81)


def reached(down, share=1.0, far=None, **options):
    """How far the pelvis sinks for a left foot that goes so far below where the clip has it, and how far its leg is stretched.

    Both in lengths of the leg. The left foot is at a share of its step; `far` is how far the clip has both legs stretched.
    """
    who = Character.from_clip(read_clip(clip_path("walk")))
    posture = Posture(Gait.of(who, TerrainGround((), who.floor)), reach=ReachOptions(**options))
    own, leg = posture.clip(1.0), posture.leg
    places = own.frames.positions.copy()
    goals, heights = [], []
    for thigh, foot, role in zip(posture._thighs, posture._feet, ("left_foot", "right_foot"), strict=True):
        place, turn = places[0, thigh] - [0.0, 0.0, 0.9 * leg], own.frames.rotations[0, foot]
        ball, _ = posture.ball(len(goals), place, turn)
        low = down if role == "left_foot" else 0.0
        goals.append(FootGoal(ball[:2], 0.0, share if role == "left_foot" else 1.0))
        heights.append(float(ball[2]) - low * leg)
        places[0, foot] = places[0, thigh] - [0.0, 0.0, (0.9 if far is None else far) * leg]
    own = own._replace(frames=own.frames._replace(positions=places))
    row, sunk = posture.standing(own.row[None].copy(), own, (goals[0], goals[1]), heights, (None, None))
    after = posture.frames(row).positions[0]
    return sunk / leg, float(np.linalg.norm(after[posture._feet[0]] - after[posture._thighs[0]])) / leg


def test_each_number_of_reaching_legs_says_how_far_they_go():
    for deepest in (0.1, 0.2):
        assert reached(0.6, deepest=deepest)[0] == pytest.approx(deepest, rel=0.02)
    for stands in (0.95, 0.98):
        assert reached(0.16, stands=stands)[1] == pytest.approx(stands, abs=0.002)
    for own in (0.995, 0.998):
        assert reached(0.16, far=1.0, own=own)[1] == pytest.approx(own, abs=0.001)
    # Just before a leg is stretched the pelvis sinks where it begins early.
    assert reached(0.085, sinks=0.001)[0] == 0.0
    assert reached(0.085, sinks=0.1)[0] > 0.005


def test_each_number_of_a_swinging_leg_says_when_it_is_drawn_up():
    for swings in (0.93, 0.97):
        assert reached(0.2, share=0.5, swings=swings)[1] == pytest.approx(swings, abs=0.005)
    assert reached(0.06, share=0.5, draws=0.001)[1] == pytest.approx(0.96, abs=0.002)
    assert reached(0.06, share=0.5, draws=0.2)[1] < 0.955
    # The pelvis goes by a foot that has just left, and by one that is about to land.
    assert reached(0.16, share=0.15, leaves=0.1)[0] < 0.001 < reached(0.16, share=0.15, leaves=0.4)[0]
    assert reached(0.16, share=0.85, lands=0.9)[0] < 0.001 < reached(0.16, share=0.85, lands=0.6)[0]
    assert (
        reached(0.08, share=0.8, swings=0.9, drawn=0.95)[1] < reached(0.08, share=0.8, swings=0.9, drawn=0.6)[1] - 0.01
    )


def test_a_leg_in_the_clip_may_be_straighter_than_others_but_not_than_any():
    with pytest.raises(InputError, match="reach: stands must be less than own"):
        ReachOptions(own=0.99)
    names = {"deepest", "stands", "swings", "own", "sinks", "draws", "leaves", "lands", "drawn"}
    assert {field.name for field in fields(ReachOptions)} == names


def test_each_number_of_the_pace_says_how_a_clip_follows_its_body():
    def pace(speed, wanted, beside=None, **options):
        return paced(speed, wanted, PaceOptions(**options), beside)

    for still in (0.1, 0.3):
        # Where the clip is as slow as that, half of a body's lack of speed is made good by time.
        assert pace(0.0, still, still=still) == pytest.approx(0.5)
    assert pace(0.0, 1.4, slowest=0.2) == 0.2
    assert pace(20.0, 1.0, fastest=2.0) == 2.0
    for keeps in (0.2, 0.8):
        assert pace(1.0, 1.0, 0.05, keeps=keeps) - pace(1.0, 1.0) == pytest.approx(0.05 * keeps)
    for most in (0.05, 0.2):
        assert pace(1.0, 1.0, -9.0, most=most) - pace(1.0, 1.0) == pytest.approx(-most)
    with pytest.raises(InputError, match="pace: slowest must be less than fastest"):
        PaceOptions(slowest=1.0, fastest=1.0)
    assert {field.name for field in fields(PaceOptions)} == {"still", "slowest", "fastest", "keeps", "most"}


@pytest.mark.parametrize(
    ("name", "other", "speed", "what", "times"),
    [
        ("recovery", 0.2, 1.4, "k", 2.0),
        ("slowest", 1.0, 0.1, "k", 2.0),
        ("push", 0.4, 1.4, "force", 0.5),
        ("yaw", 2.4, 1.4, "k_theta", (4.0, 1.0)),
        ("pitch", 1.8, 1.4, "k_theta", (1.0, 4.0)),
        ("damping", 0.5, 1.4, "b_theta", (0.5, 0.5)),
        ("about", 0.2, 1.4, "inertia", (4.0, 1.0)),
        ("across", 0.13, 1.4, "inertia", (1.0, 0.25)),
    ],
)
def test_each_number_of_what_moves_a_body_changes_its_servo_by_as_much(name, other, speed, what, times):
    plan, _ = posed()
    usual, changed = (default_servo(plan, speed, ServoOptions(**options)) for options in ({}, {name: other}))
    assert np.divide(getattr(changed, what), getattr(usual, what)) == pytest.approx(times)
    assert usual == default_servo(plan, speed)


def test_a_wader_is_moved_as_its_options_say():
    who = Character.from_clip(read_clip(clip_path("walk")))
    ground = TerrainGround((), who.floor)
    gait = Gait.of(who, ground)

    def softness(**options):
        return Wader(gait, who.skin, ground, WadingOptions(drive=ServoOptions(**options)), 1.0 / 60.0).servo.k

    assert softness(recovery=0.8) == pytest.approx(0.5 * softness())
    assert {field.name for field in fields(ServoOptions)} == {
        case[0] for case in test_each_number_of_what_moves_a_body_changes_its_servo_by_as_much.pytestmark[0].args[1]
    }


def crossing(volumes=(), **options):
    """Somebody who begins to wade at the beginning of the shipped walk."""
    who = Character.from_clip(read_clip(clip_path("walk")))
    law = WadingLaw(
        who,
        WadingOptions(volumes=volumes, crossing=CrossingOptions(**options)),
        TerrainGround((), who.floor),
        1.0 / 60.0,
    )
    plan, row = who.plan, law.wader.posture.clip(0.0).row
    feet, frames = list(plan.with_role("left_foot", "right_foot")), body_frames(plan, row)
    law.begin(
        Begin(
            0.0,
            0.0,
            1.0,
            np.zeros(3),
            np.zeros(2),
            (frames.positions[0, feet].copy(), frames.rotations[0, feet].copy()),
        )
    )
    return law, row, who


def advanced(leans=0.0, pace=1.0, **options):
    """How long somebody has been free who leans and goes so, after a tick [s]."""
    law, _, _ = crossing(**options)
    body = law.wader.body
    law.wader.body = body._replace(velocity=pace * body.velocity, angles=np.array([0.0, leans]))
    law.advance(Order(1.0 / 60.0, np.zeros(5), 1.0, np.zeros(2)))
    return law._free


def test_each_number_of_a_crossing_says_when_it_begins_and_is_over():
    law, row, _ = crossing()
    frames, low = law.wader.posture.frames(row[None]), np.inf
    for sole, points in zip(law._soles, law._points, strict=True):
        low = min(low, *(frames.positions[0, sole.body] + quat.rotate(frames.rotations[0, sole.body], points))[:, 2])
    # A surface three millimeters under the lower sole.
    under = FluidVolume(fluid=FLUIDS["water"], level=float(low) - 0.003, depth=0.1)
    for nears, near in ((0.001, False), (0.005, True)):
        assert crossing((under,), nears=nears)[0].meets(row, 0.0) == near
    for dry, over in ((0.3, True), (0.6, False)):
        law, _, _ = crossing(dry=dry, waits=0.0)
        law._dry, law._free = 0.5, 0.1
        assert law.is_over == over
    for waits, over in ((0.05, True), (0.3, False)):
        law, _, _ = crossing(waits=waits)
        law._dry, law._free = 0.5, 0.1
        law.wader.steps.goals = tuple(goal._replace(share=0.5) for goal in law.wader.steps.goals)
        assert law.is_over == over
    assert advanced(leans=0.05) == 0.0 < advanced(leans=0.05, upright=0.2)
    assert advanced(pace=0.9) == 0.0 < advanced(pace=0.9, free=0.5)


def test_a_foot_rolls_as_a_waders_does_in_the_time_stated():
    stance = Placement(0.0, np.zeros(2))
    plan, goal = StepPlan(1, stance, stance), FootGoal(np.zeros(2), 0.0, 1.0)
    footing = FootCorrection(0.0, 1, 1.0, np.full(3, 0.1), np.full(3, 0.2))
    for rolls in (0.25, 1.0):
        halfway = footing_now(footing, plan, goal, 0.5 * rolls, CrossingOptions(rolls=rolls))
        assert halfway.turn == pytest.approx(0.5 * footing.turn)
        assert halfway.shift == pytest.approx([0.1, 0.1, 0.05])
        assert not footing_now(footing, plan, goal, rolls, CrossingOptions(rolls=rolls)).turn.any()
