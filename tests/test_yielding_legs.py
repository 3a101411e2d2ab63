"""Legs that give way to what they meet: bounded forces, feet that stay where they come down, seamless hand-overs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from poise.behaviors.root import _kernels
from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames
from poise.body.trajectory import Trajectory
from poise.characters.character import Character
from poise.control.root import RootDrive, Yielding
from poise.control.tension import Tension
from poise.metrics.joints import angular_accelerations
from poise.motion.edit import place
from poise.runtime.record import Recording
from poise.runtime.session import Session
from poise.scenes.people import walker
from poise.signals import Mode
from poise.world.props import Ball, Plant, Prop, Wall
from poise.world.scene import SceneSpec

SWINGS, STANDS = 2.2, 1.45
"""Moments at which the walker's left leg is in the air, and at which it stands [s]."""


def walking(**numbers: object) -> Character:
    who = walker(4)
    drive = RootDrive(yielding=Yielding(**numbers))  # type: ignore[arg-type]
    return replace(who, options=replace(who.options, root="compliant", root_drive=drive))


def shank(who: Character, time: float = SWINGS) -> np.ndarray:
    """Middle of the left shank in the clip."""
    row = Trajectory(who.plan, who.clip).moment(time).positions.copy()
    places = body_frames(who.plan, row[None]).positions[0]
    return 0.5 * (places[who.plan.with_role("left_shank")[0]] + places[who.plan.with_role("left_foot")[0]])


def post(who: Character, ahead: float = 0.05) -> Plant:
    """A stiff stump that the left leg swings into."""
    x, y, _ = shank(who)
    return Plant(
        name="post", position=(x + ahead, y, who.floor), length=0.6, mass=15.0, stiffness=3000.0, damping=60.0, stem_radius=0.05
    )  # fmt: skip


def curb(who: Character) -> Wall:
    """A low wall across the way."""
    x, y, _ = shank(who)
    return Wall(name="curb", position=(x + 0.3, y, who.floor + 0.12), size=(0.1, 1.0, 0.12))


def ball(who: Character, lasts: float = 0.35) -> Ball:
    """Thrown at the left shank from the left, there at `SWINGS`."""
    aim = shank(who)
    start = aim + np.array([0.0, 2.8, 0.05])
    velocity = (0.0, -2.8 / lasts, float(aim[2] - start[2]) / lasts + 0.5 * 9.81 * lasts)
    return Ball(
        name="ball", position=tuple(start.tolist()), velocity=velocity, time=SWINGS - lasts, mass=0.6, radius=0.11
    )


def played(who: Character, *props: Prop, lasts: float = 3.6) -> tuple[Session, Recording]:
    session = Session({"p": who}, SceneSpec(floor=who.floor, props=props))
    return session, session.run(round(lasts / session.clock.tick))


def leg(who: Character, side: str = "left") -> list[int]:
    return list(who.plan.subtree(who.plan.with_role(f"{side}_thigh")[0]))


def hardest(who: Character, recording: Recording, *others: str) -> float:
    """Largest force between a leg and another thing [N]."""
    names = [f"p/{who.plan.names[body]}" for side in ("left", "right") for body in leg(who, side)]
    geoms = np.array(recording.geom_names)
    table, mine = recording.contacts, np.isin(geoms, names)
    theirs = np.array([name.split("/")[0] in others for name in geoms])
    found = (mine[table.pairs] & theirs[table.pairs[:, ::-1]]).any(axis=1)
    return float(table.impulse[found].max(initial=0.0)) / recording.tick


def own(who: Character, rows: np.ndarray) -> np.ndarray:
    """Where the bodies are in states of the world [m], shape (N+1, B, 3)."""
    return body_frames(who.plan, rows[:, : who.plan.position_count]).positions


def beside(who: Character, recording: Recording) -> np.ndarray:
    """How far the left foot is from where the clip has it, seen from the hip [m], shape (N+1,)."""
    hip, foot = leg(who)[0], who.plan.with_role("left_foot")[0]
    real, meant = own(who, recording.positions), own(who, recording.source)
    return np.linalg.norm((real[:, foot] - real[:, hip]) - (meant[:, foot] - meant[:, hip]), axis=1)


def test_a_leg_that_swings_into_a_post_is_stopped_by_it() -> None:
    who, rigid = walking(), walking(legs=False)
    weight = who.plan.total_mass * 9.81
    session, recording = played(who, post(who))
    assert hardest(who, recording, "post") < 2.0 * weight
    assert beside(who, recording).max() > 0.05
    modes = recording.modes[:, session.world.layout("p").joints][:, leg(who)]
    assert (modes == Mode.PASSIVE).all(axis=1).any(), "it is led by nobody then"
    _, other = played(rigid, post(rigid), lasts=2.8)
    assert hardest(rigid, other, "post") > 3.0 * hardest(who, recording, "post")


def test_a_leg_does_not_pass_through_a_low_wall() -> None:
    who, rigid = walking(), walking(legs=False)
    for each, passes in ((who, False), (rigid, True)):
        _, recording = played(each, curb(each), lasts=3.0)
        rows = recording.positions[:, : each.plan.position_count]
        starts, ends, _, owners = body_capsules(each.plan, body_frames(each.plan, rows))
        wall, deepest = curb(each), 0.0
        for share in np.linspace(0.0, 1.0, 7):
            spots = starts + share * (ends - starts)
            inside = np.array(wall.size) - np.abs(spots - np.array(wall.position))
            depth = np.minimum(inside.min(axis=2), 0.1)[:, np.isin(owners, leg(each) + leg(each, "right"))]
            deepest = max(deepest, float(depth.max()))
        assert (deepest > 0.05) == passes


def test_a_ball_carries_a_leg_along() -> None:
    who, rigid = walking(), walking(legs=False)
    _, recording = played(who, ball(who))
    _, other = played(rigid, ball(rigid))
    assert beside(who, recording).max() > 0.03 > 3.0 * beside(rigid, other).max()
    assert beside(who, recording)[-1] < 0.01, "and it is back in the end"


def test_untouched_it_swings_as_in_its_clip() -> None:
    """A post beside the way lets the leg go, and nothing shows."""
    who = walking()
    x, y, _ = shank(who)
    thing = replace(post(who), position=(x, y + 0.2, who.floor))
    session, recording = played(who, thing)
    modes = recording.modes[:, session.world.layout("p").joints][:, leg(who)]
    assert (modes == Mode.PASSIVE).any()
    assert hardest(who, recording, "post") == 0.0
    assert beside(who, recording).max() < 0.012
    real, meant = (rows[:, 7 : who.plan.position_count] for rows in (recording.positions, recording.source))
    jumps = [angular_accelerations(each.reshape(len(each), -1, 4), 1.0 / recording.tick) for each in (real, meant)]
    legs = [body - 1 for body in leg(who)]
    assert jumps[0][:, legs].max() < 1.2 * jumps[1][:, legs].max(), "nor when it is let go or led again"


def loose(who: Character, *props: Prop, side: str = "left", lasts: float = 2.9) -> np.ndarray:
    """Ticks in which a leg is moved by its muscles."""
    session, recording = played(who, *props, lasts=lasts)
    modes = recording.modes[:, session.world.layout("p").joints][:, leg(who, side)]
    return np.flatnonzero((modes == Mode.PASSIVE).all(axis=1))


def test_what_is_heavy_and_near_lets_a_leg_go_before_it_is_touched() -> None:
    usual = loose(walking(), post(walking()))
    for numbers in ({"near": 0.0}, {"lead": 0.0}, {"heavy": 100.0}):
        other = walking(**numbers)
        late = loose(other, post(other))
        assert len(late) == 0 or late[0] > usual[0], numbers
    light = [walking(heavy=100.0, swings=swings) for swings in (0.1, 2.0)]
    first, later = (loose(each, post(each)) for each in light)
    assert first[0] < later[0], "what is light lets it go once it presses"


def test_a_leg_that_stands_bears_more() -> None:
    """Something leans on a shank for as long as it stands."""
    for numbers, gives in (({}, False), ({"holds": 0.02}, True)):
        who = walking(people=0.0, heavy=100.0, swings=10.0, **numbers)
        x, y, _ = shank(who, STANDS)
        stem = replace(post(who), position=(x + 0.02, y, who.floor), mass=0.5, stiffness=60.0, damping=6.0, length=0.5)
        ticks = loose(who, stem, lasts=STANDS + 0.2)
        assert (len(ticks) > 0) == gives


def test_how_long_it_stays_loose() -> None:
    """It is led again once it met nothing for a while and is nearly back, or after some time anyhow."""
    soon, later = walking(turned=0.6, spins=30.0, calm=0.0), walking(turned=0.6, spins=30.0, calm=0.1)
    count = len(loose(soon, ball(soon)))
    assert len(loose(later, ball(later))) > count
    for numbers in ({"turned": 0.0}, {"spins": 0.0}):
        other = walking(**{"turned": 0.6, "spins": 30.0, "calm": 0.0, **numbers})
        assert len(loose(other, ball(other), lasts=3.4)) > count, numbers
    hurried, waits = walking(turned=0.0, most=0.2), walking(turned=0.0, most=0.6)
    assert len(loose(hurried, ball(hurried), lasts=3.4)) < len(loose(waits, ball(waits), lasts=3.4))


def two(**numbers: object) -> tuple[Session, Recording]:
    """Two who walk towards each other, a little beside one another."""
    who = walking(**numbers)
    rows = Trajectory(who.plan, who.clip)
    start, end = rows.moment(0.0).positions[:2].copy(), rows.moment(3.0).positions[:2].copy()
    at = (float(end[0]), float(start[1] + 0.12))
    other = replace(Character.from_clip(place(who.clip, at, np.pi)), options=who.options)
    session = Session({"p": who, "q": other}, SceneSpec(floor=who.floor))
    return session, session.run(round(2.2 / session.clock.tick))


def overlap(session: Session, recording: Recording) -> float:
    """How deep legs of two people are in one another at most [m]."""
    spots = []
    for name, who in session.characters.items():
        rows = recording.positions[:, session.world.layout(name).positions]
        starts, ends, radii, owners = body_capsules(who.plan, body_frames(who.plan, rows))
        mine = np.isin(owners, leg(who) + leg(who, "right"))
        along = np.linspace(0.0, 1.0, 7)[:, None]
        points = starts[:, mine, None] + along * (ends - starts)[:, mine, None]
        spots.append((points.reshape(len(rows), -1, 3), np.repeat(radii[mine], 7)))
    (one, thick), (other, wide) = spots
    apart = np.linalg.norm(one[:, :, None] - other[:, None], axis=3)
    return float((thick[:, None] + wide - apart).max())


def test_legs_of_two_people_meet() -> None:
    usual, blind = overlap(*two()), overlap(*two(people=0.0))
    assert usual < 0.05
    assert usual < 0.8 * blind


def test_a_leg_that_stands_holds_its_foot() -> None:
    """Pressed from the front it slides less the tenser it is; whatever the tension of its muscles is."""
    slides = []
    for stands in (8.0, 1.0):
        who = walking(people=0.0, heavy=100.0, swings=10.0, holds=0.02, stands=stands)
        who = replace(who, options=replace(who.options, tension=Tension(frequency=1.0)))
        x, y, _ = shank(who, STANDS)
        stem = replace(post(who), position=(x + 0.02, y, who.floor), mass=0.5, stiffness=60.0, damping=6.0, length=0.5)
        _, recording = played(who, stem, lasts=STANDS + 0.2)
        foot = who.plan.with_role("left_foot")[0]
        away = own(who, recording.positions)[:, foot, :2] - own(who, recording.source)[:, foot, :2]
        slides.append(np.linalg.norm(away, axis=1).max())
    assert slides[0] < 0.8 * slides[1]


def test_what_is_left_is_taken_back_in_a_tenth_of_a_second() -> None:
    rest = []
    for returns in (0.1, 0.6):
        who = walking(returns=returns, turned=0.5, spins=20.0, calm=0.0)
        again = int(loose(who, ball(who))[-1]) + 1
        _, recording = played(who, ball(who))
        after = again + round(0.15 / recording.tick)
        rest.append(beside(who, recording)[after])
    assert rest[0] < 0.5 * rest[1]


def test_a_foot_that_comes_down_astray_stands_there() -> None:
    """Farther on the longer its sole slides, and on its place from then on."""
    places = []
    for stops in (0.01, 0.1):
        who = walking(stops=stops, calm=0.5)
        _, recording = played(who, ball(who), lasts=SWINGS + 0.7)
        foot = own(who, recording.positions)[:, who.plan.with_role("left_foot")[0], :2]
        standing = foot[round((SWINGS + 0.45) / recording.tick) :]
        assert np.ptp(standing, axis=0).max() < 0.015
        places.append(standing[-1])
    assert np.linalg.norm(places[1] - places[0]) > 0.005


def test_a_leg_that_swings_is_no_ram() -> None:
    """It presses on a post by the strength that a swing takes: by all there is it would push the walker back."""
    back = []
    for presses in (0.25, 1.0):
        who = walking(presses=presses)
        _, recording = played(who, post(who))
        back.append(float((recording.positions[:, 0] - recording.source[:, 0]).min()))
    assert back[0] > 0.6 * back[1]


def test_muscles_go_along_with_a_leg_s_way_as_far_as_the_clip_takes_and_while_it_is_near() -> None:
    """An independent sum of what one joint's muscles do, near its way and far from it."""
    inertia, stiffness, damping, most, own, apart, h = 0.5, 100.0, 10.0, 20.0, 60.0, 0.35, 0.002
    for angle, along in ((0.07, 0.8), (0.5, 0.0)):
        aim, way = np.array([np.cos(0.01), 0.0, np.sin(0.01), 0.0]), np.array([1.0, 0, 0, 0, 0.0, 9.8, 0.0])
        force, damper = np.zeros(3), np.zeros(3)
        _kernels._pull(
            np.array([0.0, angle, 0.0]), np.array([0.0, 9.0, 0.0]), aim, h,
            np.array([inertia, stiffness, damping, most, own, apart]), way, (force, damper),
        )  # fmt: skip
        meant = along * inertia * (10.0 - 9.8) / h
        slow = damping * (along * 10.0 - 9.0)
        share = min(1.0, own / abs(slow))
        pulled = min(stiffness * angle, most)
        assert np.allclose(force[1], meant + pulled + share * damping * along * 10.0, rtol=1e-6)
        assert np.allclose(damper, share * damping)


def test_muscles_are_strong_enough_for_the_clip_s_own_legs() -> None:
    """So many times what it takes at most; a leg of a run that nothing touches goes as one that is led."""
    who = walking(roomy=2.0, apart=0.5)
    session, _ = played(who, post(who), lasts=SWINGS)
    legs, rows = session.roots["p"]._legs, Trajectory(who.plan, who.clip)
    rates = np.array([rows.moment(float(time)).accelerations[6:].copy() for time in who.clip.times])
    most = np.linalg.norm(rates.reshape(len(rates), -1, 3)[:, legs.bodies - 1], axis=2).max(axis=0)
    needs = most * session.reference("p").inertias[legs.bodies - 1]
    loose = legs.strengths[:, 0] > 0.0
    assert loose.any()
    assert (legs.strengths[loose, 5] == 0.5).all(), "and how far off its way it still goes along"
    assert np.allclose(
        legs.strengths[loose, 4], np.maximum(2.0 * needs, who.plan.strengths[legs.bodies])[loose], rtol=1e-6
    )


def test_a_leg_in_the_air_is_tense_enough_to_carry() -> None:
    """However relaxed somebody is."""
    lows = []
    for steps in (3.0, 1.0):
        who = walking(steps=steps, calm=0.5)
        who = replace(who, options=replace(who.options, tension=Tension(frequency=1.0)))
        _, recording = played(who, ball(who), lasts=SWINGS + 0.4)
        lows.append(beside(who, recording)[round((SWINGS + 0.2) / recording.tick) :].max())
    assert lows[0] < 0.6 * lows[1]


def test_a_leg_that_is_squeezed_is_pressed_by_nothing_in_the_end() -> None:
    """Forces of contacts count by the side that the leg is on in each pair."""
    who = walking()
    session = Session({"p": who}, SceneSpec(floor=who.floor, props=(post(who),)))
    contacts = session.roots["p"]._yields._contacts
    mine = int(np.flatnonzero(contacts.geoms[0])[0])
    foreign = next(geom for geom in range(len(contacts.geoms[0])) if not contacts._own[geom])
    pairs, across = np.array([[foreign, mine], [mine, foreign]]), np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    found = SimpleNamespace(pairs=pairs, impulse=np.array([1.0, 1.0]), normal=across)
    contacts._view = SimpleNamespace(contacts=found)
    assert np.allclose(contacts.pressed(0.01), 0.0)
    found.normal = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    assert np.allclose(contacts.pressed(0.01), [200.0, 0.0])
