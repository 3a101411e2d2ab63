"""Crowds: the same motion alone as among others, exact arms, everybody on their feet."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from poise.behaviors.balance import BalanceOptions
from poise.behaviors.looping import GestureLoop, conducting_loop
from poise.body import BodyPlan
from poise.body.coordinates import body_frames
from poise.body.fold import fifteen_bodies, fold
from poise.crowd import STEP, Crowd, Member, half_rings
from poise.errors import InputError
from poise.math import quat
from poise.report.crowd import extras_of
from poise.runtime import Session
from poise.scenes.orchestra import Orchestra, orchestra, orchestra_scene, soloists
from poise.signals import Mode
from poise.world import Box
from poise.world.command import Press
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera, NoRenderer
from poise.world.scene import build_world
from poise.world.sprung import SprungWorld

MEMBERS = [Member(rate=0.25, size=0.6), Member(rate=0.5, size=1.3, phase=0.4), Member(rate=0.4, phase=0.9)]


@pytest.fixture(scope="module")
def small() -> Orchestra:
    return orchestra(4, seed=3)


@pytest.fixture(scope="module")
def plan(small: Orchestra) -> BodyPlan:
    return small.plan


def test_alone_or_in_a_crowd_is_the_same_to_the_bit(plan: BodyPlan) -> None:
    together = Crowd(plan, conducting_loop(plan), MEMBERS)
    alone = Crowd(plan, conducting_loop(plan), MEMBERS[1:2], threads=1)
    together.run(3.0)
    alone.run(3.0)
    assert np.array_equal(together.world.positions[1], alone.world.positions[0])
    assert np.array_equal(together.world.velocities[1], alone.world.velocities[0])
    assert not np.array_equal(together.world.positions[0], together.world.positions[1])


@pytest.fixture(scope="module")
def both() -> tuple[Crowd, Session]:
    """Three seconds of an orchestra, and of its conductor 2 alone in a session."""
    players = orchestra(4, seed=3)
    session = soloists(players, [2], 3.0).session()
    session.run()
    players.play(3.0)
    return players.crowd, session


def test_alone_in_a_session_and_in_a_crowd_is_the_same(both: tuple[Crowd, Session]) -> None:
    crowd, session = both
    assert session.world.state().time == pytest.approx(crowd.time)
    assert np.abs(crowd.places()[2] - session.world.positions).max() < 1e-9
    others = np.abs(np.delete(crowd.places(), 2, axis=0) - session.world.positions).max(axis=1)
    assert others.min() > 1e-3


def test_a_soloist_is_told_drawn_and_exported_as_anybody(both: tuple[Crowd, Session]) -> None:
    _, session = both
    recording = session.recording()
    assert len(recording) == 600
    clip = session.result("conductor_2")
    assert len(clip) == 601
    heads = clip.world()[1][:, clip.skeleton.names.index("Head"), 2]
    assert np.all(heads > 0.95 * heads[0])
    # Feet carry the whole body, so their impulse on the ground is its weight times the time.
    impulse = recording.contacts.impulse.sum()
    weight = session.characters["conductor_2"].plan.total_mass * 9.81
    assert impulse == pytest.approx(3.0 * weight, rel=0.02)
    names = {recording.geom_names[geom] for geom in np.unique(recording.contacts.pairs)}
    assert names == {"ground", "conductor_2/LeftFoot", "conductor_2/RightFoot"}


def test_a_soloist_goes_on_from_where_it_was_saved(small: Orchestra) -> None:
    session = soloists(small, [1], 2.0).session()
    session.run(50)
    kept = session.save()
    session.command.do(Press("conductor_1/Hips", np.array([120.0, 0.0, 0.0])))
    session.run(100)
    pushed = session.world.positions.copy()
    session.restore(kept)
    session.command.do(Press("conductor_1/Hips", np.zeros(3)))
    session.run(100)
    calm = session.world.positions.copy()
    session.restore(kept)
    session.command.do(Press("conductor_1/Hips", np.array([120.0, 0.0, 0.0])))
    session.run(100)
    assert np.array_equal(session.world.positions, pushed)
    assert np.abs(pushed - calm).max() > 1e-3


def test_who_is_not_watched_plays_along_to_the_bit() -> None:
    alone, all_of_them = soloists(orchestra(4, seed=3), [1], 2.0).session(), orchestra(4, seed=3)
    session = orchestra_scene(4, 2.0, seed=3, watched=[1]).session()
    alone.run()
    session.run()
    all_of_them.play(2.0)
    extras = extras_of(session)
    assert extras is not None
    assert extras.others == ("conductor_0", "conductor_2", "conductor_3")
    mine, together = extras.state.crowd.world.positions, all_of_them.crowd.world.positions
    assert np.array_equal(mine, np.delete(together, 1, axis=0))
    # Nor does anybody else matter to the one who is watched.
    assert np.array_equal(session.world.positions, alone.world.positions)
    everybody = extras.everybody({"conductor_1": session.world.positions})
    assert np.abs(everybody - all_of_them.placed()).max() < 1e-9


def test_several_are_watched_at_their_seats_each_by_itself() -> None:
    session, all_of_them = orchestra_scene(5, 3.0, seed=3, watched=[3, 1]).session(), orchestra(5, seed=3)
    one = soloists(orchestra(5, seed=3), [1], 3.0).session()
    recording, alone = session.run(), one.run()
    all_of_them.play(3.0)
    own = {name: session.world.positions[session.world.layout(name).positions] for name in session.characters}
    extras = extras_of(session)
    assert extras is not None
    assert extras.others == ("conductor_0", "conductor_2", "conductor_4")
    assert np.abs(extras.everybody(own) - all_of_them.placed()).max() < 1e-9
    # The second sits to one side of the first, and its feet press as hard and as often as when it is alone.
    assert np.linalg.norm(own["conductor_1"][:2]) > 1.0
    for name in ("conductor_1/LeftFoot", "conductor_1/RightFoot"):
        together, apart = (
            each.contacts.peak[(each.contacts.pairs == each.geom_names.index(name)).any(axis=1)]
            for each in (recording, alone)
        )
        assert len(together) == len(apart) > 500
        assert np.allclose(together, apart, rtol=1e-6)
    clips = [each.clip("conductor_1").world()[1] for each in (recording, alone)]
    lengths = [np.linalg.norm(np.diff(clip[:, -1], axis=0), axis=-1).sum() for clip in clips]
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-6)


def test_contacts_of_each_substep_are_told_of_the_scene() -> None:
    session = soloists(orchestra(3, seed=1), [0, 2], 1.0).session()
    session.view.trace_contacts()
    session.run(3)
    traced = session.view.substep_contacts
    assert len(traced) == 1
    assert np.array_equal(traced[0].pairs, session.contacts.pairs)
    assert len({session.world.geom_names[geom] for geom in traced[0].pairs.ravel()}) == 5


def test_a_crowd_goes_on_from_where_it_was_saved() -> None:
    session = orchestra_scene(4, 4.0, seed=3).session()
    session.run(41)
    kept = session.save()
    extras = extras_of(session)
    assert extras is not None
    crowd = extras.state.crowd

    def go_on() -> tuple[np.ndarray, list[tuple[float, str]], int, float]:
        events = [(event.time, event.subject) for _ in range(300) for event in session.tick().events]
        tally = extras.state.tally
        return crowd.world.positions.copy(), events, int(tally.up.sum()), tally.slip(crowd)

    calm, told, up, slip = go_on()
    session.restore(kept)
    crowd.world.velocities[2, 0] = 3.0
    other, fell, fewer, _ = go_on()
    session.restore(kept)
    again, twice, *rest = go_on()
    assert np.array_equal(calm, again)
    assert (told, twice, [up, slip]) == ([], [], rest)
    assert not np.array_equal(calm, other)
    assert [subject for _, subject in fell] == ["conductor_3"]
    assert (up, fewer) == (3, 2)


def test_a_crowd_is_played_in_steps_of_its_own() -> None:
    with pytest.raises(InputError, match=r"a crowd is stepped every 0\.005 s"):
        replace(orchestra_scene(3, 2.0), substep=0.0025).session()


def test_a_soloist_that_is_pushed_too_hard_falls_and_says_so(small: Orchestra) -> None:
    session = soloists(small, [0], 3.0).session()
    session.command.do(Press("conductor_0/Hips", np.array([400.0, 0.0, 0.0])))
    events = session.run().events
    assert [(event.kind, event.subject) for event in events if event.kind == "fell"] == [("fell", "conductor_0")]


def test_the_floor_of_a_body_on_springs_is_the_scenes(small: Orchestra) -> None:
    scene = soloists(small, [0], 1.0)
    plans = {name: who.plan for name, who in scene.characters.items()}
    world = build_world(plans, replace(scene.setting, floor=0.25, gravity=3.7), 0.002)
    assert isinstance(world, SprungWorld)
    assert world.made.model.geom("ground").pos[2] == 0.25
    assert world.made.model.opt.gravity[2] == -3.7


def test_what_is_settled_of_a_body_on_springs_is_refused(small: Orchestra) -> None:
    scene = soloists(small, [0], 1.0)
    session = scene.session()
    with pytest.raises(InputError, match="what it weighs is settled"):
        session.world.set_mass("conductor_0/Hips", 3.0)
    session.set_mode("conductor_0", "left_hand", Mode.PASSIVE)
    with pytest.raises(InputError, match="who moves its joints is settled"):
        session.tick()
    walled = replace(
        scene,
        setting=replace(scene.setting, props=(Box(name="box", size=(0.1, 0.1, 0.1), position=(1, 0, 1), mass=1.0),)),
    )
    with pytest.raises(InputError, match="stands alone on a flat floor"):
        walled.session()
    with pytest.raises(InputError, match="conductors are 0 to 3"):
        soloists(small, [4], 1.0)
    with pytest.raises(InputError, match="each is watched once"):
        soloists(small, [1, 1], 1.0)


def test_hinges_and_balls_say_the_same(plan: BodyPlan, small: Orchestra) -> None:
    made, rng = small.crowd.made, np.random.default_rng(2)
    positions = np.tile(made.start, (5, 1))
    velocities = rng.normal(size=(5, made.model.nv))
    hinged = np.flatnonzero(made.model.jnt_type == 3)
    positions[:, made.model.jnt_qposadr[hinged]] += rng.uniform(-0.6, 0.6, (5, len(hinged)))
    places, speeds = made.to_plan(positions, velocities)
    for row in range(5):
        assert np.allclose(made.positions_of(places[row]), positions[row], atol=1e-12)
        assert np.allclose(made.velocities_of(positions[row], speeds[row]), velocities[row], atol=1e-9)
    # Where the bodies are by the plan is where MuJoCo has them by its hinges.
    data = mujoco.MjData(made.model)
    frames = body_frames(plan, places)
    for row in range(5):
        data.qpos[:], data.qvel[:] = positions[row], velocities[row]
        mujoco.mj_forward(made.model, data)
        assert np.allclose(frames.positions[row], data.xpos[made.bodies], atol=1e-12)
    # A torque does as much work on the plan's velocities as on the model's.
    torques, forces = rng.normal(size=(5, len(plan) - 1, 3)), np.zeros((5, made.model.nv))
    made.add_torques(np.arange(1, len(plan)), torques, positions, forces)
    power = np.sum(forces * velocities, axis=1)
    assert np.allclose(power, np.sum(torques.reshape(5, -1) * speeds[:, 6:], axis=1), atol=1e-9)


def test_arms_and_head_are_where_the_gesture_has_them(plan: BodyPlan) -> None:
    gesture = conducting_loop(plan)
    crowd = Crowd(plan, gesture, MEMBERS)
    away = quat.log(quat.mul(quat.conj(gesture.middle), gesture.rotations))
    share = np.linspace(0.0, 1.0, len(away) + 1)
    curve = CubicSpline(share, np.concatenate([away, away[:1]]), bc_type="periodic")
    worst = 0.0
    for step in range(1, 201):
        crowd.step()
        reached = crowd.places()[:, 3:].reshape(len(MEMBERS), -1, 4)
        for number, member in enumerate(MEMBERS):
            phase = (member.phase + member.rate * step * STEP) % 1.0
            target = quat.mul(gesture.middle, quat.exp(member.size * curve(phase)))
            worst = max(worst, float(quat.angle_between(reached[number, gesture.bodies], target).max()))
    assert worst < 1e-9


def test_everybody_stands_for_a_minute_on_friction_alone(small: Orchestra) -> None:
    performance = small.play(60.0)
    assert performance.standing == 4
    assert performance.slip < 0.03
    assert performance.falls == ()


def test_the_trunk_answers_a_larger_gesture_with_more_motion(plan: BodyPlan) -> None:
    still, small, large = Member(size=0.0), Member(rate=0.5, size=0.5), Member(rate=0.5, size=1.5)
    crowd = Crowd(plan, conducting_loop(plan), [still, small, large])
    crowd.run(2.0)
    path: list[np.ndarray] = []
    crowd.run(2.0, lambda: path.append(crowd.world.positions[:, :3].copy()))
    sway = np.ptp(np.array(path), axis=0)[:, 0]
    assert sway[0] < 1e-3
    assert sway[2] > 1.5 * sway[1] > 1.5e-3


def test_a_push_that_is_too_large_ends_lying_and_is_told(plan: BodyPlan) -> None:
    crowd = Crowd(plan, conducting_loop(plan), MEMBERS)
    crowd.world.velocities[0, 0] = 3.0
    crowd.run(3.0)
    assert crowd.standing.tolist() == [False, True, True]
    assert crowd.world.positions[0, 2] > 0.0  # on the floor, not below it


def test_a_fall_in_an_orchestra_is_an_event() -> None:
    players = orchestra(3, seed=1)
    players.crowd.world.velocities[1, 0] = 3.0
    performance = players.play(3.0)
    assert [(event.kind, event.subject) for event in performance.falls] == [("fell", "conductor_1")]
    assert 0.1 < performance.falls[0].time < 3.0
    assert performance.standing == 2


def test_fifteen_bodies_weigh_and_reach_what_the_whole_does(small: Orchestra, plan: BodyPlan) -> None:
    whole = small.whole
    assert len(plan) == 15

    def state(of: BodyPlan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        row = np.zeros((1, of.position_count))
        row[:, 3::4] = 1.0
        row[0, 3:7] = of.neutral[0]
        places, turns = (part[0] for part in body_frames(of, row))
        points = places + quat.rotate(turns, of.centres)
        centre = of.masses @ points / of.total_mass
        axes, arms = quat.to_matrix(turns), points - centre
        tensor = (axes @ of.inertias @ np.swapaxes(axes, -1, -2)).sum(axis=0)
        tensor += (of.masses @ np.sum(arms**2, axis=1)) * np.eye(3) - np.einsum("b,bi,bj", of.masses, arms, arms)
        return centre, tensor, places[of.with_role("left_hand")[0]]

    for before, after in zip(state(whole), state(plan), strict=True):
        assert np.allclose(before, after, atol=1e-12)
    assert plan.total_mass == pytest.approx(whole.total_mass, abs=1e-12)


def test_what_cannot_be_is_refused(plan: BodyPlan) -> None:
    with pytest.raises(InputError, match="at least one member"):
        Crowd(plan, conducting_loop(plan), [])
    with pytest.raises(InputError, match="between 0 and 5"):
        Member(rate=9.0)
    with pytest.raises(InputError, match=r"multiplier: must lie between|multiplier"):
        BalanceOptions(multiplier=0.0)
    with pytest.raises(InputError, match="1 to 10000 conductors"):
        orchestra(0)
    with pytest.raises(InputError, match="begin with the pelvis"):
        fold(plan, [1, 2])
    with pytest.raises(InputError, match="left_hand"):
        fifteen_bodies(fold(plan, [b for b in range(len(plan)) if plan.body_roles[b] != "left_hand"]))
    with pytest.raises(InputError, match="a gesture needs rotations"):
        GestureLoop(np.array([3]), np.zeros((2, 1, 4)))


def test_everybody_has_a_seat_and_is_in_the_picture(small: Orchestra) -> None:
    places = half_rings(300).places
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1) + 9.0 * np.eye(300)
    assert apart.min() > 1.0
    crowd = small.crowd
    camera = Camera(target=np.array([3.0, 0.0, 0.8]), azimuth=0.0, distance=9.0)
    driven = [int(body) for body in crowd.gesture.bodies]
    try:
        full = paint_crowd(crowd.plan, small.placed(), driven, camera, 320, 180)
        empty = paint_crowd(crowd.plan, small.placed()[:0], driven, camera, 320, 180)
    except NoRenderer as error:
        pytest.skip(str(error))
    assert np.mean(np.any(full != empty, axis=2)) > 0.02
