"""What a follower keeps to beside the clip, each number of how they follow it, and what they carry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.assets import clip_path
from poise.errors import InputError, RunError
from poise.groups import Follower, Group, Person, TrackingOptions, carry, follow
from poise.groups.tracking.catching import elsewhere, shares
from poise.groups.tracking.footing import Footing
from poise.groups.tracking.within import pairs_within, ranges_within
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.qp import FrameTask
from poise.world.things import Link, Shape, Thing
from test_group_tracking import waving

WALK = clip_path("walk")


@pytest.fixture(scope="module")
def still() -> Clip:
    return waving(0.3)


def box(mass: float = 5.0, half: float = 0.15, joint: str = "free") -> Thing:
    shape = Shape(kind="box", size=(0.12, half, 0.12), mass=mass)
    return Thing(name="box", links=(Link(name="box", joint=joint, position=(0.0, 0.0, 1.0), shapes=(shape,)),))  # type: ignore[arg-type]


def reached(clip: Clip, place: tuple[float, float, float], options: TrackingOptions) -> tuple[float, float]:
    """How deep parts of a body get into one another beyond what is allowed [m], and joints beyond their ranges [rad].

    A hand is wanted where neither the arm nor the trunk lets it go.
    """
    whole = Follower(clip=clip)
    plan, course = whole.character().plan, whole.course
    group = Group({"ben": Follower(clip=clip, tracking=options)})
    group.perform([follow(group)])
    probe = Group({"ben": whole})
    pairs, kept = probe.controller.pairs, probe.controller.former.ranges[0]
    assert [pair.label for pair in pairs_within("ben", plan, course, options)] == [pair.label for pair in pairs]
    shapes = [(group.system.shape(pair.first), group.system.shape(pair.second)) for pair in pairs]
    task = FrameTask(body="ben/left_hand", target=place, against="ben/spine", weight=2000.0, stiffness=40.0, speed=1.0)
    group.controller.want("reach", task)
    deep, far = 0.0, 0.0
    for _ in range(300):
        group.advance()
        for pair, numbers in zip(pairs, shapes, strict=True):
            deep = max(deep, pair.security - group.system.nearest(*numbers, 0.1).distance)
        kept.refresh(group.system, group.controller.step)
        far = max(far, float(np.maximum(kept.range.lower - kept.angles, kept.angles - kept.range.upper).max()))
    return deep, far


@pytest.mark.parametrize("place", [(0.05, 0.0, 0.1), (-0.45, -0.2, 0.35)])
def test_a_hand_stays_out_of_its_body_and_joints_in_their_ranges(
    still: Clip, place: tuple[float, float, float]
) -> None:
    deep, far = reached(still, place, TrackingOptions())
    assert deep < 1e-3
    assert far < np.radians(1.0)
    assert reached(still, place, TrackingOptions(apart=False))[0] > 0.01
    assert reached(still, place, TrackingOptions(ranges=False))[1] > np.radians(10.0)


def test_neither_is_tighter_than_the_clip() -> None:
    """A walk has the same bits with and without, and no range ends within what it does."""
    who = Follower(clip=WALK)
    rows = []
    for on in (True, False):
        group = Group({"ben": replace(who, tracking=TrackingOptions(ranges=on, apart=on))})
        group.perform([follow(group)])
        for _ in range(200):
            assert not group.advance()[0].relaxations
        rows.append(group.system.row("ben"))
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-9)
    ranged = ranges_within("ben", who.character().plan, who.course)
    assert all(
        (ranged.lower[number] <= who.character().plan.limits[body].lower).all()
        for number, body in enumerate(ranged.bodies)
    )


def effect(clip: object, options: TrackingOptions) -> dict[str, float]:
    """What following comes to: largest misses of what the course has, and the force with which feet leave."""
    who = Follower(clip=clip, tracking=options)  # type: ignore[arg-type]
    course, plan = who.course, who.character().plan
    group = Group({"ben": who})
    group.perform([follow(group)])
    own, twin = group.system, course.twin
    names = {role: plan.names[plan.with_role(role)[0]] for role in ("pelvis", "left_hand", "right_hand", "spine")}
    feet = [plan.names[foot.sole.body] for foot in course.feet]
    found = dict.fromkeys(("hands", "feet", "turned", "off", "height", "left"), 0.0)
    last, squares = [0.0, 0.0], []
    for _ in range(int((course.trajectory.duration - 0.01) / group.controller.step)):
        try:
            step, _ = group.advance()
        except RunError:
            return dict.fromkeys(found, np.inf)
        moment = course.trajectory.moment(group.controller.time)
        twin.put("who", moment.positions, moment.velocities)
        twin.refresh()

        def away(name: str) -> float:
            return float(
                np.linalg.norm(twin.positions[twin.body(f"who/{name}")] - own.positions[own.body(f"ben/{name}")])
            )

        turn = twin.rotations[twin.body(f"who/{names['pelvis']}")].T @ own.rotations[own.body(f"ben/{names['pelvis']}")]
        off = group.center_of_mass("ben") - course.center(group.controller.time)[0]
        found["hands"] = max(found["hands"], away(names["left_hand"]), away(names["right_hand"]))
        squares += [away(name) ** 2 for name in feet]
        found["turned"] = max(found["turned"], float(np.arccos(np.clip((np.trace(turn) - 1.0) / 2.0, -1.0, 1.0))))
        found["off"] = max(found["off"], float(np.linalg.norm(off[:2])))
        found["height"] = max(found["height"], abs(float(off[2])))
        for number, foot in enumerate(feet):
            held = [wrench[2] for name, wrench in step.wrenches.items() if name.startswith(f"ben/{foot} ")]
            if last[number] > 0.0 and not held:
                found["left"] = max(found["left"], last[number])
            last[number] = float(sum(held))
    found["feet"] = float(np.sqrt(np.mean(squares)))
    return found


@pytest.fixture(scope="module")
def walked() -> dict[str, float]:
    return effect(WALK, TrackingOptions())


@pytest.mark.parametrize(
    ("option", "value", "what", "times"),
    [
        ("overlap", 0.0, "off", 1.8),
        ("fade", 0.0, "left", 5.0),
        ("pose", 1e-3, "hands", 3.0),
        ("trunk", 1.0, "turned", 3.0),
        ("pose_stiffness", 0.0, "turned", 5.0),
        ("hand", 0.0, "hands", 5.0),
        ("hand_stiffness", 0.0, "hands", 3.0),
        ("foot", 1.0, "feet", 1.4),
        ("foot_stiffness", 0.0, "feet", 5.0),
        ("center", 1.0, "off", 3.0),
        ("center_stiffness", 0.0, "off", 4.0),
        ("level_stiffness", 0.0, "height", 2.0),
    ],
)
def test_every_number_of_how_a_walk_is_followed_does_something(
    walked: dict[str, float], option: str, value: float, what: str, times: float
) -> None:
    """Without it the walk is followed so many times worse, by what it is there for."""
    assert effect(WALK, TrackingOptions(**{option: value}))[what] > times * walked[what]


def test_a_center_of_mass_is_asked_for_no_jerks() -> None:
    def jerk(options: TrackingOptions) -> float:
        course = Follower(clip=WALK, tracking=options).course
        accelerations = [course.center(time, 2)[0] for time in np.arange(0.0, 1.2, 0.005)]
        return float(np.abs(np.diff(accelerations, axis=0)).max() / 0.005)

    assert jerk(TrackingOptions(steady=0.001)) > 2.0 * jerk(TrackingOptions())


def test_a_walk_whose_legs_jerk_is_refused() -> None:
    with pytest.raises(InputError, match=r"the body would have to be \d+ cm elsewhere"):
        _ = Follower(clip=WALK, tracking=TrackingOptions(calm=0.0)).course


def test_a_foot_comes_down_as_much_farther_on_as_the_body_runs_away() -> None:
    usual, other = TrackingOptions(), TrackingOptions(beyond=0.005, farther=0.1)
    assert not elsewhere(np.array([0.01, 0.0, 0.3]), np.zeros(3), 3.0, usual).any()
    for options, left in ((usual, 0.03), (other, 0.045)):
        moved = elsewhere(np.array([0.03, 0.0, 0.0]), np.array([0.0, 0.12, 0.5]), 3.0, options)
        assert moved == pytest.approx(np.array([0.03, 0.04, 0.0]) * left / 0.05)
    lengths = [np.linalg.norm(elsewhere(np.ones(3), np.zeros(3), 3.0, options)) for options in (usual, other)]
    assert lengths == pytest.approx([0.25, 0.1])


def test_parts_brake_where_the_clip_ends_over_the_zone_stated(still: Clip) -> None:
    who = Follower(clip=still)
    plan, course = who.character().plan, who.course
    for options in (TrackingOptions(), TrackingOptions(clear=0.01, zone=0.005)):
        pairs = pairs_within("ben", plan, course, options)
        begins = [pair.influence for pair in pairs]
        assert max(begins) == options.clear
        assert [pair.security for pair in pairs] == pytest.approx([begin - options.zone for begin in begins])


def test_what_bears_of_a_sole_is_the_share_stated(still: Clip) -> None:
    def length(options: TrackingOptions) -> float:
        group = Group({"ben": Follower(clip=still, tracking=options)})
        group.perform([follow(group)])
        group.advance()
        contact = next(touch.contact for name, touch in group.controller.touches.items() if name.endswith("sole"))
        return float(np.linalg.norm(np.ptp(contact.points, axis=0)))

    assert length(TrackingOptions(bears=0.45)) / length(TrackingOptions()) == pytest.approx(0.5, abs=0.01)


def test_a_course_goes_from_foot_to_foot_as_weight_does() -> None:
    feet = [
        Footing(None, np.array(kinds), np.zeros((7, 3)), np.zeros((7, 4)))
        for kinds in ([1, 1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1, 0])
    ]  # type: ignore[arg-type]
    found = shares(feet)
    assert found[:, 0] == pytest.approx([1.0, 1.0, 2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0])
    assert found.sum(axis=1) == pytest.approx([1.0] * 6 + [0.0])


@pytest.mark.parametrize("push", [(300.0, 0.0, 0.0), (0.0, 250.0, 0.0)])
def test_who_is_pushed_while_walking_steps_elsewhere_and_stays_up(push: tuple[float, float, float]) -> None:
    """Three tenths of their weight for a tenth of a second: a fall where feet come down where the clip has them."""
    clip = loop(read_clip(WALK), 3)

    def end(options: TrackingOptions) -> float:
        who = Follower(clip=clip, tracking=options)
        group = Group({"ben": who})
        group.perform([follow(group)])
        pelvis = f"ben/{who.character().plan.names[0]}"
        while group.controller.time < 3.6:
            if 0.5 <= group.controller.time < 0.6:
                group.controller.push(pelvis, group.system.positions[group.system.body(pelvis)], np.array(push))
            group.advance()
        return float(np.linalg.norm((group.center_of_mass("ben") - who.course.center(3.6)[0])[:2]))

    assert 0.03 < end(TrackingOptions()) < 0.6
    with pytest.raises(RunError, match="has lost the clip"):
        end(TrackingOptions(catches=False))


@pytest.mark.parametrize("hands", [(), ("right",)])
def test_a_box_is_carried_along_a_walk(hands: tuple[str, ...]) -> None:
    who = Follower(clip=WALK)
    group = Group({"ben": who}, [box()])
    carry(group, "ben", "box", *hands)
    start = group.point("box/box", np.zeros(3))
    assert tuple(group.things[0].links[0].position) == pytest.approx(start)
    chest = next(name for name in who.character().plan.names if name == "Chest")
    before = group.place_in(f"ben/{chest}", start)
    group.perform([follow(group)])
    assert len([touch for touch in group.controller.touches.values() if touch.contact.first == "box/box"]) == len(
        hands or "ab"
    )
    drift, tilt, strayed = 0.0, 0.0, 0.0
    for _ in range(int((who.course.trajectory.duration - 0.01) / group.controller.step)):
        step, _ = group.advance()
        assert not step.relaxations
        drift = max(
            drift,
            *(
                float(np.linalg.norm(touch.error))
                for touch in group.controller.touches.values()
                if touch.contact.first == "box/box"
            ),
        )
        tilt = max(tilt, float(np.arccos(group.system.rotations[group.system.body("box/box")][2, 2])))
        strayed = max(
            strayed, float(np.linalg.norm(group.place_in(f"ben/{chest}", group.point("box/box", np.zeros(3))) - before))
        )
    assert drift < 1e-3
    if not hands:
        assert tilt < np.radians(20.0)
        assert strayed < 0.03
    assert np.linalg.norm(group.point("box/box", np.zeros(3))[:2] - start[:2]) > 0.9


def test_who_begins_with_a_box_in_their_hands_does_not_begin_as_the_clip(still: Clip) -> None:
    group = Group({"ben": Follower(clip=still), "anna": Person(place=(0.0, 2.0, 0.0))}, [box()])
    carry(group, "ben", "box")
    turned = group.characters(1.0)["ben"].clip.rotations[0] != still.rotations[0]
    assert turned.any()
    for chest in (1000.0, 50.0):
        other = Group({"ben": Follower(clip=still, tracking=TrackingOptions(chest=chest))}, [box()])
        carry(other, "ben", "box")
        other.perform([follow(other)])
        other.advance()
        assert other.controller.tasks["ben box"].weight == chest
    assert group.system.velocities[group.system.dofs_of("box")] == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(
    ("who", "thing", "hands", "made", "says"),
    [
        ("bob", "box", (), box(), "unknown follower 'bob'; known: ben"),
        ("anna", "box", (), box(), "unknown follower 'anna'"),
        ("ben", "crate", (), box(), "unknown thing 'crate', did you mean|unknown thing 'crate'"),
        ("ben", "box", ("middle",), box(), "unknown hand 'middle'"),
        ("ben", "box", (), box(joint="fixed"), "box is to be carried, but its first link is fixed, not free"),
        (
            "ben",
            "box",
            (),
            box(half=0.8),
            r"ben cannot carry box in both hands: \d+ cm are missing to ben/\w+; it needs",
        ),
    ],
)
def test_what_cannot_be_carried_is_told_in_one_line(
    still: Clip, who: str, thing: str, hands: tuple[str, ...], made: Thing, says: str
) -> None:
    group = Group({"ben": Follower(clip=still), "anna": Person(place=(0.0, 2.0, 0.0))}, [made])
    with pytest.raises(InputError, match=says) as refused:
        carry(group, who, thing, *hands)
    assert "\n" not in str(refused.value)


def test_nobody_takes_up_a_thing_once_they_have_begun(still: Clip) -> None:
    group = Group({"ben": Follower(clip=still)}, [box()])
    group.perform([follow(group)])
    with pytest.raises(
        InputError, match="ben is to carry box from the beginning on: say so before `follow`"
    ) as refused:
        carry(group, "ben", "box")
    assert "\n" not in str(refused.value)
    bare = Group({"ben": Follower(clip=still)}, [box()])
    bare.controller.time = 0.1
    with pytest.raises(InputError, match="from the beginning on"):
        carry(bare, "ben", "box")


@pytest.mark.parametrize("hands", [(), ("right",)])
def test_who_carries_goes_back_to_the_bit(hands: tuple[str, ...]) -> None:
    group = Group({"ben": Follower(clip=WALK)}, [box()])
    carry(group, "ben", "box", *hands)
    group.perform([follow(group)])
    for _ in range(20):
        group.advance()
    saved, ways = group.keepsake(), []
    for push in (0.0, 200.0, 0.0):
        for _ in range(20):
            if push:
                group.controller.push("box/box", group.point("box/box", np.zeros(3)), np.array([push, 0.0, 0.0]))
            group.advance()
        ways.append(group.system.data.qpos.copy())
        group.take_back(saved)
    assert (ways[0] == ways[2]).all()
    assert (ways[0] != ways[1]).any()


def test_full_hands_take_nothing_more(still: Clip) -> None:
    group = Group({"ben": Follower(clip=still)}, [box()])
    carry(group, "ben", "box", "left")
    with pytest.raises(InputError, match="ben/left_hand holds box/box already"):
        carry(group, "ben", "box", "left")
