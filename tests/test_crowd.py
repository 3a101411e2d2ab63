"""Crowds: the same motion alone as among others, exact arms, everybody on their feet."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from poise.body import BodyPlan
from poise.body.coordinates import body_frames
from poise.body.fold import fifteen_bodies, fold
from poise.crowd import STEP, Crowd, GestureLoop, Member, conducting_loop, standing
from poise.errors import InputError
from poise.math import quat
from poise.scenes.orchestra import Orchestra, orchestra, seats
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera, NoRenderer

MEMBERS = [Member(rate=0.25, size=0.6), Member(rate=0.5, size=1.3, phase=0.4), Member(rate=0.4, phase=0.9)]


@pytest.fixture(scope="module")
def small() -> Orchestra:
    return orchestra(4, seed=3)


@pytest.fixture(scope="module")
def plan(small: Orchestra) -> BodyPlan:
    return small.crowd.plan


def test_alone_or_in_a_crowd_is_the_same_to_the_bit(plan: BodyPlan) -> None:
    together = Crowd(plan, conducting_loop(plan), MEMBERS)
    alone = Crowd(plan, conducting_loop(plan), MEMBERS[1:2], threads=1)
    together.run(3.0)
    alone.run(3.0)
    assert np.array_equal(together.world.positions[1], alone.world.positions[0])
    assert np.array_equal(together.world.velocities[1], alone.world.velocities[0])
    assert not np.array_equal(together.world.positions[0], together.world.positions[1])


def test_arms_and_head_are_where_the_gesture_has_them(plan: BodyPlan) -> None:
    gesture = conducting_loop(plan)
    crowd = Crowd(plan, gesture, MEMBERS)
    away = quat.log(quat.mul(quat.conj(gesture.middle), gesture.rotations))
    share = np.linspace(0.0, 1.0, len(away) + 1)
    curve = CubicSpline(share, np.concatenate([away, away[:1]]), bc_type="periodic")
    worst = 0.0
    for step in range(1, 201):
        crowd.step()
        reached = crowd.world.plan_positions(crowd.world.positions)[:, 3:].reshape(len(MEMBERS), -1, 4)
        for number, member in enumerate(MEMBERS):
            phase = (member.phase + member.rate * step * STEP) % 1.0
            target = quat.mul(gesture.middle, quat.exp(member.size * curve(phase)))
            worst = max(worst, float(quat.angle_between(reached[number, gesture.bodies], target).max()))
    assert worst < 1e-9


def test_everybody_stands_for_a_minute_on_friction_alone(small: Orchestra) -> None:
    performance = small.play(60.0, soloists=(2, 3))
    assert performance.standing == 4
    assert performance.slip < 0.03
    assert performance.falls == ()
    assert list(performance.soloists) == [2, 3]
    soloist = performance.soloists[2]
    assert len(soloist) == 60 * 50 + 1
    assert not np.array_equal(soloist.rotations, performance.soloists[3].rotations)
    heads = soloist.world()[1][:, small.whole.skeleton.names.index("Head"), 2]
    assert np.all(heads > 0.9 * heads[0])


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
    assert [(event.kind, event.subject) for event in performance.falls] == [("fell", "conductor 1")]
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
    with pytest.raises(InputError, match="multiplier must lie between"):
        standing(plan, 0.0)
    with pytest.raises(InputError, match="1 to 10000 conductors"):
        orchestra(0)
    with pytest.raises(InputError, match="begin with the pelvis"):
        fold(plan, [1, 2])
    with pytest.raises(InputError, match="left_hand"):
        fifteen_bodies(fold(plan, [b for b in range(len(plan)) if plan.body_roles[b] != "left_hand"]))
    with pytest.raises(InputError, match="a gesture needs rotations"):
        GestureLoop(np.array([3]), np.zeros((2, 1, 4)))


def test_everybody_has_a_seat_and_is_in_the_picture(small: Orchestra) -> None:
    places, _ = seats(300)
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
