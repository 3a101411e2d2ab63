"""People of a group who follow a clip: what of it a body can do, and that the program does it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.humanoid import humanoid
from poise.errors import InputError, RunError
from poise.groups import Follower, Group, Person, TrackingOptions, follow
from poise.groups.tracking.footing import Bearing, bearing_points, handed_over
from poise.groups.tracking.weight import calmed, course_to, nearest_within
from poise.io import read_clip
from poise.locomotion.contacts import ContactPhases
from poise.locomotion.soles import Sole
from poise.math import quat
from poise.motion.clip import Clip
from poise.qp import Contact, Controller, JointTask, PoseTask
from poise.world.system import System


def waving(hands: float = 1.5) -> Clip:
    """Somebody who stands and moves both arms forward and back for two seconds, by so many radians."""
    still = humanoid(1.7, seconds=2.0, rate=50.0)
    rotations = still.rotations.copy()
    swing = hands * np.sin(np.pi * still.times) ** 2
    for side in ("left", "right"):
        joint = still.skeleton.index(f"{side}_upper_arm")
        turns = quat.exp(np.stack([0.0 * swing, -swing, 0.0 * swing], axis=-1))
        rotations[:, joint] = quat.mul(rotations[:, joint], turns)
    return still.with_motion(rotations, still.translations)


@pytest.fixture(scope="module")
def waver() -> Follower:
    return Follower(clip=waving())


def followed(who: Follower, seconds: float) -> tuple[Group, float, float]:
    """A group after a while, and the largest misses of hands and of the center of mass [m]."""
    group, course = Group({"ben": who}), who.course
    group.perform([follow(group)])
    hands = who.character().plan.with_role("left_hand", "right_hand")
    names = [f"ben/{who.character().plan.names[hand]}" for hand in hands]
    miss, off = 0.0, 0.0
    for _ in range(round(seconds / group.controller.step)):
        step, _ = group.advance()
        assert not step.relaxations
        moment = course.trajectory.moment(group.controller.time)
        course.twin.put("who", moment.positions, moment.velocities)
        course.twin.refresh()
        for name in names:
            away = course.twin.positions[course.twin.body(name.replace("ben", "who"))] - group.point(name, np.zeros(3))
            miss = max(miss, float(np.linalg.norm(away)))
        off = max(off, float(np.linalg.norm(group.center_of_mass("ben") - course.center(group.controller.time)[0])))
    return group, miss, off


def test_a_clip_in_place_is_followed_to_the_millimetre_and_lags_without_its_rates(waver: Follower) -> None:
    group, miss, off = followed(waver, 2.0)
    assert miss < 0.01
    assert off < 0.005
    for held in group.controller.touches.values():
        assert np.linalg.norm(held.error) < 1e-3
    blind = replace(waver, tracking=TrackingOptions(feedforward=False))
    assert followed(blind, 1.0)[1] > 5.0 * max(miss, 0.004)


def test_the_shipped_walk_is_walked_with_every_limit_kept() -> None:
    who = Follower(clip=clip_path("walk"))
    kinds = np.array([foot.kinds for foot in who.course.feet])
    assert (kinds != Bearing.NOTHING).any(axis=0).all()
    assert all((kinds == kind).any() for kind in Bearing)
    _, miss, off = followed(who, who.course.trajectory.duration)
    assert miss < 0.08
    assert off < 0.03


def test_who_stands_beside_is_in_the_same_program(waver: Follower) -> None:
    group = Group({"ben": waver, "anna": Person(place=(0.0, 1.5, 0.0))})
    group.stand("anna")
    group.perform([follow(group, "ben")])
    for _ in range(20):
        group.advance()
    saved = group.keepsake()
    group.advance()
    first = group.system.state()
    group.take_back(saved)
    group.advance()
    assert all((a == b).all() for a, b in zip(first, group.system.state(), strict=True))
    characters = group.characters(1.0)
    assert set(characters) == {"ben", "anna"}
    assert characters["ben"].clip is waver.course.clip
    assert characters["ben"].floor == 0.0


def test_the_body_is_moved_until_its_feet_bear_it() -> None:
    """Somebody whose trunk hangs forward over straight legs is brought back over their feet, as a person does."""
    still = waving(0.3)
    turns, spine = still.rotations.copy(), still.skeleton.index("spine")
    turns[:, spine] = quat.mul(turns[:, spine], quat.exp(np.array([0.0, 1.2, 0.0])))
    leaning = still.with_motion(turns, still.translations)
    who = Follower(clip=leaning, tracking=TrackingOptions(inner=0.1))
    assert 0.02 < np.abs(who.course.moved[:, 0]).max() < 0.2
    roomy = Follower(clip=leaning, tracking=TrackingOptions(inner=0.9))
    assert np.abs(roomy.course.moved[:, 0]).max() < 0.7 * np.abs(who.course.moved[:, 0]).max()
    left = Follower(clip=leaning, tracking=TrackingOptions(inner=0.1, borne=False))
    assert not left.course.moved.any()
    with pytest.raises(InputError, match=r"frame \d+ the body would have to be \d+ cm elsewhere"):
        _ = Follower(clip=leaning, tracking=TrackingOptions(inner=0.1, most=0.01)).course


def test_who_leaves_the_ground_is_refused_by_frame() -> None:
    still = waving(0.1)
    moved = still.local_positions().copy()
    moved[30:60, 0, 2] += 0.3 * np.sin(np.linspace(0.0, np.pi, 30))
    leap = still.with_motion(still.rotations, moved[:, still.translated])
    with pytest.raises(InputError, match=r"frame 3[0-9]: no foot stands from frame 3[0-9]"):
        _ = Follower(clip=leap).course


def test_others_are_arranged_and_who_is_named_twice_follows_once(waver: Follower) -> None:
    group = Group({"ben": waver, "anna": Person(place=(0.0, 2.0, 0.0))})
    group.arrange({}, 0.1)
    assert follow(group, "ben", "ben").tasks.keys() == follow(group, "ben").tasks.keys()


def test_names_and_options_that_do_not_fit_are_refused(waver: Follower) -> None:
    group = Group({"ben": waver, "anna": Person(place=(0.0, 2.0, 0.0))})
    with pytest.raises(InputError, match="unknown follower 'anna'; known: ben"):
        follow(group, "anna")
    with pytest.raises(InputError, match="nobody of this group has a clip"):
        follow(Group({"anna": Person()}))
    with pytest.raises(InputError, match="is a ball's, which a PoseTask turns"):
        group.controller.want("arm", JointTask(joints=[next(n for n in group.system.joints.names if "ben/" in n)]))
    with pytest.raises(InputError, match="is a ball's"):
        group.system.set_joint(next(n for n in group.system.joints.names if "ben/" in n), 0.1)
    with pytest.raises(InputError, match="inner"):
        TrackingOptions(inner=0.0)


@pytest.mark.parametrize(("lost", "centimeters"), [(0.3, 30), (0.05, 5)])
def test_who_is_pushed_far_off_has_lost_the_clip(waver: Follower, lost: float, centimeters: int) -> None:
    assert TrackingOptions().lost == 0.3
    group = Group({"ben": replace(waver, tracking=TrackingOptions(lost=lost))})
    group.perform([follow(group)])
    pelvis = group.system.body(f"ben/{waver.character().plan.names[0]}")
    name = group.system.model.body(pelvis).name

    def pushed() -> None:
        for _ in range(400):
            group.controller.push(name, group.system.positions[pelvis], np.array([900.0, 0.0, 0.0]))
            group.advance()

    with pytest.raises(RunError, match=f"ben has lost the clip at .* is {centimeters} cm"):
        pushed()


def test_a_system_of_balls_has_the_plans_own_coordinates(waver: Follower) -> None:
    plan, course = waver.character().plan, waver.course
    system = System({"ben": plan}, balls=["ben"])
    moment = course.trajectory.moment(0.7)
    system.put("ben", moment.positions, moment.velocities)
    system.refresh()
    signs = np.sign((system.row("ben")[3:] * moment.positions[3:]).reshape(-1, 4).sum(axis=1))
    row = system.row("ben")
    row[3:] = (row[3:].reshape(-1, 4) * signs[:, None]).ravel()
    assert row == pytest.approx(moment.positions, abs=1e-12)
    turns, dofs = system.turns("ben")
    assert turns.shape == (len(plan), 4)
    assert dofs.shape == (len(plan), 3)
    assert (system.ordered("ben", moment.velocities) == system.velocities).all()


def test_a_pose_tasks_error_grows_as_its_rate_says(waver: Follower) -> None:
    system = System({"ben": waver.character().plan}, balls=["ben"])
    turns, _ = system.turns("ben")
    rng = np.random.default_rng(3)
    system.data.qvel[:] = rng.normal(size=system.size)
    system.refresh()
    none = np.zeros((len(turns), 3))
    task = PoseTask(owner="ben", bodies=range(len(turns)), target=turns, velocity=none, acceleration=none)
    task.begin(system)
    assert not task.feature(system).error.any()
    rate = task.feature(system).jacobian @ system.velocities
    system.advance(np.zeros(system.size), 1e-6)
    assert task.feature(system).error / 1e-6 == pytest.approx(rate, abs=1e-4)
    with pytest.raises(InputError, match="bodies of a pose"):
        PoseTask(owner="ben", bodies=[99], target=turns, velocity=none, acceleration=none).begin(system)


def test_a_rolling_contact_turns_about_its_axis_alone() -> None:
    group = Group({"anna": Person()})
    sole = group.sole("anna", "left")
    ball = Contact(
        name="ball",
        first="world",
        second="anna/left_foot",
        points=sole.points[:2],
        normals=sole.normals[:2],
        rolls=[0, 1, 0],
    )
    system = group.system
    controller = Controller(system, 0.005, carried=["anna"])
    controller.touch(ball)
    foot = system.body("anna/left_foot")
    assert controller.touches["ball"].rows == 5
    place = group.point("anna/left_foot", ball.middle)
    heel = group.point("anna/left_foot", sole.points[3])[2]
    level = group.keep("anna/left_foot")
    level.target, level.rotation = None, quat.mul(level.rotation, quat.exp(np.array([0.3, 0.4, 0.2])))
    controller.want("foot", level)
    for _ in range(300):
        controller.advance()
    turned = quat.log(quat.from_matrix(system.rotations[foot]))
    assert np.abs(turned[[0, 2]]).max() < 1e-3
    assert turned[1] > 0.25
    assert group.point("anna/left_foot", ball.middle) == pytest.approx(place, abs=1e-4)
    assert group.point("anna/left_foot", sole.points[3])[2] > heel + 0.03


def test_one_foot_leaves_when_the_other_has_come() -> None:
    mask = np.zeros((40, 4), dtype=bool)
    mask[3:18, :2], mask[20:38, 2:] = True, True
    made = handed_over(ContactPhases(50.0, mask), 0.1, 0.2).mask
    stands = np.stack([made[:, :2].any(axis=1), made[:, 2:].any(axis=1)], axis=1)
    assert stands.any(axis=1).all()
    assert stands.all(axis=1).sum() >= 5
    assert made[:3, 0].all()
    assert made[38:, 3].all()
    assert made[18, 1]
    assert not made[18, 0]
    assert made[19, 2]
    assert not made[19, 3]
    mask[:3, 0], mask[38:, 3] = True, True
    with pytest.raises(InputError, match="no foot stands from frame 18 to 19"):
        handed_over(ContactPhases(50.0, mask), 0.1, 0.02)
    with pytest.raises(InputError, match="no foot stands from frame 0 to 3"):
        handed_over(ContactPhases(50.0, np.zeros((4, 4), dtype=bool)), 0.1, 0.2)


def test_what_bears_weight_is_where_it_is_on_the_sole() -> None:
    sole = Sole(0, np.zeros(3), quat.IDENTITY, np.array([0.13, 0.05]))
    assert bearing_points(sole, Bearing.SOLE, 0.5)[:, 0].max() == pytest.approx(0.065)
    assert bearing_points(sole, Bearing.BALL, 1.0).mean(axis=0) == pytest.approx([0.078, 0.0, 0.0])
    assert bearing_points(sole, Bearing.HEEL, 1.0)[:, 0].min() == pytest.approx(-0.13)


def test_the_nearest_place_of_a_hull() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])
    assert nearest_within(square, np.array([0.3, 0.4])) == pytest.approx([0.3, 0.4])
    assert nearest_within(square, np.array([2.0, 0.5])) == pytest.approx([1.0, 0.5])
    assert nearest_within(square, np.array([-1.0, -2.0])) == pytest.approx([0.0, 0.0])
    assert nearest_within(square[:2], np.array([0.4, 1.0])) == pytest.approx([0.4, 0.0])
    assert nearest_within(square[:1], np.array([0.4, 1.0])) == pytest.approx([0.0, 0.0])


def test_a_course_bears_what_was_asked_and_does_not_run_away() -> None:
    times = np.arange(400) / 100.0
    asked = np.stack([np.exp(-((times - 2.0) ** 2) / 0.1), 0.0 * times], axis=1)
    rates = np.full(400, 3.3)
    course = course_to(asked, rates, 100.0)
    bends = np.gradient(np.gradient(course[:, 0], times), times)
    assert course[3:-3, 0] - bends[3:-3] / 3.3**2 == pytest.approx(asked[3:-3, 0], abs=5e-3)
    assert not course[:, 1].any()
    assert np.abs(course[[0, -1]]).max() < 5e-3
    assert course_to(asked[:1], rates[:1], 100.0) == pytest.approx(asked[:1])


def test_calming_leaves_what_is_straight() -> None:
    line = np.arange(50.0)[:, None] * [1.0, -2.0]
    assert calmed(line, 3.0) == pytest.approx(line)
    rough = line + np.random.default_rng(0).normal(size=line.shape)
    assert np.abs(np.diff(calmed(rough, 3.0), 2, axis=0)).max() < 0.3 * np.abs(np.diff(rough, 2, axis=0)).max()
    assert (calmed(rough, 0.0) == rough).all()


@pytest.mark.shared
def test_a_walk_in_place_gets_its_way_back(shared_data) -> None:
    clip = read_clip(shared_data / "dcl-emotes/walk.glb")
    places = Follower(clip=clip).character().clip.local_positions()[:, 0, :2]
    assert np.linalg.norm(places[-1] - places[0]) > 0.5
