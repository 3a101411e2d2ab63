"""Hits that nobody sees coming: what gives way, by how much, and how it comes back."""

from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.assets import clip_path
from poise.behaviors import Behavior, Contribution, Reference
from poise.behaviors.contact_compliance import Startle, StartleState, _kernels
from poise.body.coordinates import body_frames
from poise.io import read_clip
from poise.math import quat
from poise.motion.edit import loop, place
from poise.runtime import Character, CharacterOptions, Event, Session
from poise.scenes.bounded import at_ease, standing
from poise.scenes.startled import Blow, struck
from poise.signals import Mode
from poise.world.view import WorldView

Array = NDArray[np.float64]
BUSY = tuple[int, int]
IDLE = (NOTHING, NOTHING)


class Unaware(Behavior[StartleState]):
    """Nobody who looks or reaches: only startled."""

    def __init__(self, busy: BUSY = IDLE, minded: bool = False) -> None:
        self.busy, self.minded = busy, minded

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        obstacles = view.obstacles()
        self.startle = Startle(view, reference, obstacles)
        self.state = self.startle.state
        self._seen = np.full(len(obstacles.names), self.minded)
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: StartleState) -> Contribution:
        wanted = Contribution(reference)
        self.startle.act(view, wanted, self._seen, self.busy)
        return wanted


@cache
def stander(seconds: float = 3.5) -> Character:
    return standing(at_ease(), seconds, CharacterOptions())


@cache
def walker(cycles: int = 4) -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), cycles))


def session_of(who: Character, *blows: Blow, substep: float = 0.002, **how: Any) -> Session:
    return Session({"person": who}, struck(who, blows).setting, behaviors={"person": [Unaware(**how)]}, substep=substep)


def turned(session: Session, *roles: str) -> Array:
    """How far bodies are turned in the world from where the clip has them [degrees], the farthest, shape (N+1,)."""
    recording, layout = session.recording(), session.world.layout("person")
    real, meant = (
        body_frames(layout.plan, rows[:, layout.positions]) for rows in (recording.positions, recording.source)
    )
    each = np.degrees(quat.angle_between(real.rotations, meant.rotations))
    return np.asarray(each[:, list(layout.plan.with_role(*roles))].max(axis=1))


def told(session: Session, kind: str) -> list[Event]:
    return [event for event in session.recording().events if event.kind == kind]


def ball_speed(session: Session, name: str = "ball_1") -> Array:
    at = int(session.world.model.jnt_dofadr[session.world.model.joint(name).id])
    return np.asarray(session.recording().velocities[:, at : at + 3])


def far(session: Session) -> Array:
    """Largest difference of any joint coordinate from the clip's, shape (N+1, B)."""
    recording, columns = session.recording(), session.world.layout("person").positions
    real, meant = (
        rows[:, columns][:, 3:].reshape(len(recording) + 1, -1, 4) for rows in (recording.positions, recording.source)
    )
    return np.asarray(np.degrees(quat.angle_between(real, meant)))


BLOWS = {
    "spine": Blow(part="spine", time=0.8),
    "front": Blow(part="spine", time=0.8, heading=180.0, off=(0.0, 0.0, -0.05)),
    "left_clavicle": Blow(part="left_clavicle", time=0.8, off=(0.0, 0.02, 0.0)),
    "right_upper_arm": Blow(part="right_upper_arm", time=0.8),
    "left_forearm": Blow(part="left_forearm", time=0.8, heading=-45.0),
    "head": Blow(part="head", time=0.8, mass=0.3),
}


@pytest.mark.parametrize("where", BLOWS)
def test_what_is_hit_gives_way_and_comes_back(where: str) -> None:
    part = "spine" if where == "front" else where
    session = session_of(stander(), BLOWS[where])
    session.run()
    assert any(event.subject.startswith(f"person/{part} ball") for event in told(session, "startled"))
    assert {event.subject for event in told(session, "recovered")} >= {
        event.subject.split()[0] for event in told(session, "startled")
    }
    times, away = session.recording().times, turned(session, part)
    assert away.max() > 1.0
    assert times[away >= 1.0].max() < 0.8 + 2.0
    before, after = ball_speed(session)[[round(0.7 * 60), round(1.0 * 60)]]
    ahead = before[:2] / np.linalg.norm(before[:2])
    assert np.dot(before[:2] - after[:2], ahead) > 0.5 * np.dot(before[:2], ahead)
    assert np.isfinite(session.recording().positions).all()


def test_legs_and_pelvis_never_give_way() -> None:
    session = session_of(
        stander(), *(Blow(part="spine", time=0.8, mass=3.0), Blow(part="left_thigh", time=1.6, mass=3.0))
    )
    session.run()
    plan = stander().plan
    legs = [0, *plan.subtree(plan.with_role("left_thigh")[0]), *plan.subtree(plan.with_role("right_thigh")[0])]
    assert far(session)[:, legs].max() < 1e-4
    assert not any("thigh" in event.subject for event in told(session, "startled"))


@pytest.mark.parametrize("heading", [-25.0, 30.0, 180.0])
@pytest.mark.parametrize("busy", [IDLE, (1, 1)])
def test_a_walker_gives_way_with_arms_at_work_or_not(heading: float, busy: BUSY) -> None:
    """The second ball is what busy hands deal with; it stays far away."""
    aside = Blow(part="head", time=20.0, off=(0.0, 9.0, 0.0))
    session = session_of(walker(), Blow(part="spine", time=2.0, heading=heading, mass=1.0), aside, busy=busy)
    session.run()
    times, away = session.recording().times, turned(session, "spine")
    assert away.max() > 1.0
    assert times[away >= 1.0].max() < 2.0 + 2.0
    trunk = list(walker().plan.with_role("spine", "neck", "head", "left_clavicle", "right_clavicle"))
    assert far(session)[-1, trunk].max() < 1e-4
    assert np.isfinite(session.recording().positions).all()
    hit = {event.subject.split()[0].removeprefix("person/") for event in told(session, "startled")}
    assert hit
    if busy != IDLE:
        girdle = list(walker().plan.with_role("left_clavicle", "right_clavicle"))
        assert far(session)[:, girdle].max() < 1e-4
        assert not {part for part in hit if "arm" in part or "hand" in part}


def test_part_and_what_hangs_on_it_are_physical_meanwhile() -> None:
    session = session_of(stander(), BLOWS["spine"])
    session.run()
    recording, plan = session.recording(), stander().plan
    begin, end = (round(told(session, kind)[0].time / recording.tick) for kind in ("startled", "recovered"))
    joints = session.world.layout("person").joints
    torque = (recording.modes[:, joints] == int(Mode.TORQUE)).T
    spine, head = plan.with_role("spine")[0], plan.with_role("head")[0]
    assert not torque[[spine, head], :begin].any()
    assert torque[[spine, head], begin : begin + 20].all()
    assert not torque[[spine, head], end + 1 :].any()


def keep(spins: list[Array], session: Session, at: int, _: Array) -> None:
    spins.append(np.array(session.world.data.qvel[at : at + 3]))


@pytest.mark.parametrize("substep", [2e-3, 5e-4])
def test_velocity_goes_on_without_a_jump(substep: float) -> None:
    """As `alvarado2022/anchor-velocity`: a jump of 0.03 rad/s would be an acceleration of 15 to 60 rad/s² for one substep."""
    session = session_of(walker(), Blow(part="spine", time=2.0, heading=-25.0, mass=1.0), substep=substep)
    layout, spine = session.world.layout("person"), walker().plan.with_role("spine")[0]
    spins: list[Array] = []
    session.world.before_substep.append(partial(keep, spins, session, layout.velocities.start + 3 + 3 * spine))
    changes: dict[int, int] = {}
    for _ in range(200):
        begin, mode = len(spins), int(session.references[0].modes[spine])
        session.tick()
        if session.references[0].modes[spine] != mode:
            changes[int(session.references[0].modes[spine])] = begin
    rates = np.abs(np.diff(spins, axis=0)).max(axis=1) / substep
    beside = round(0.012 / substep)
    for mode in (int(Mode.TORQUE), int(Mode.MOTION)):
        at = changes[mode]
        usual = max(rates[at - beside : at - 1].max(), rates[at + 3 : at + 3 + beside].max())
        assert rates[at - 1 : at + 3].max() < 1.6 * usual + 2.0


def test_what_arms_at_work_meet_is_no_surprise() -> None:
    """Nor is what a hand deals with, anywhere, unless it flies past it."""
    for busy, part, speed, startles in (
        (IDLE, "right_upper_arm", 4.0, True),
        ((NOTHING, 0), "right_upper_arm", 4.0, False),
        ((0, NOTHING), "spine", 1.8, False),
        ((0, NOTHING), "spine", 4.0, True),
    ):
        session = session_of(stander(1.2), Blow(part=part, time=0.8, speed=speed, mass=1.5), busy=busy)
        session.run()
        subjects = [event.subject for event in told(session, "startled") if part in event.subject]
        assert bool(subjects) is startles, (busy, part, speed)


def test_who_sees_it_come_is_braced() -> None:
    most = []
    for minded in (False, True):
        session = session_of(stander(1.6), Blow(part="spine", time=0.8, mass=2.0), minded=minded)
        session.run()
        most.append(turned(session, "spine").max())
    assert 1.0 < most[1] < 0.9 * most[0]


@pytest.mark.parametrize(
    "blow", [Blow(part="spine", time=0.8, mass=0.05), Blow(part="spine", time=0.8, off=(0.0, 0.6, 0.0))]
)
def test_what_is_light_or_flies_by_startles_nobody(blow: Blow) -> None:
    """And then everything is the same to the bit as without the stage."""
    session = session_of(stander(1.6), blow)
    plain = Session({"person": stander(1.6)}, session.setting)
    np.testing.assert_array_equal(session.run().positions, plain.run().positions)
    assert not told(session, "startled")


def test_a_strong_hit_takes_the_trunk_along() -> None:
    for mass, along in ((0.6, False), (1.5, True)):
        session = session_of(stander(2.2), Blow(part="left_upper_arm", time=0.8, heading=-70.0, mass=mass))
        session.run()
        assert ("person/spine ball_1" in {event.subject for event in told(session, "startled")}) is along
        assert bool(turned(session, "spine").max() > 0.5) is along


def test_several_parts_at_once() -> None:
    head = Blow(part="head", time=0.8, mass=0.3, heading=70.0)
    session = session_of(
        stander(), head, Blow(part="left_forearm", time=0.9, heading=-90.0), Blow(part="spine", time=1.1)
    )
    session.run()
    assert {"head", "left_forearm", "spine"} <= {event.subject.split()[0][7:] for event in told(session, "startled")}
    assert far(session)[-1, list(stander().plan.with_role("spine", "neck", "head"))].max() < 1e-4


def test_a_second_hit_while_it_comes_back() -> None:
    session = session_of(
        stander(), Blow(part="head", time=0.8, mass=0.3), Blow(part="head", time=2.0, mass=0.3, heading=60.0)
    )
    returning = []
    for _ in range(session.tick_count):
        session.tick()
        returning.append(session.references[0].modes[stander().plan.with_role("head")[0]])
    away, times = turned(session, "head"), session.recording().times
    assert away[times > 2.0].max() > 2.0
    assert away[-1] < 1e-4
    spins = session.recording().velocities[:, session.world.layout("person").velocities][:, 6:]
    assert np.abs(np.diff(spins[times > 2.2], axis=0)).max() < 1.0


def test_goes_on_from_any_moment_to_the_bit() -> None:
    session = session_of(
        walker(2), Blow(part="spine", time=0.8, heading=-25.0), Blow(part="head", time=0.9, heading=100.0, mass=0.3)
    )
    session.run(40)
    for ticks in (10, 20, 40):
        session.run(ticks)
        saved = session.save()
        first = session.run(30).positions[-1].copy()
        session.restore(saved)
        np.testing.assert_array_equal(session.run(30).positions[-1], first)
        session.restore(saved)


def test_another_character_that_bumps_into_one() -> None:
    away = place(walker().clip, (-1.2, 0.1))
    setting = struck(stander(), ()).setting
    session = Session(
        {"person": stander(), "walker": Character.from_clip(away)}, setting, behaviors={"person": [Unaware()]}
    )
    session.run(120)
    assert any(" walker/" in event.subject for event in told(session, "startled"))


def test_contact_torques_are_moments_of_the_forces(rng: np.random.Generator) -> None:
    parents, bodies = np.array([-1, 0, 1, 1]), np.arange(4)
    places, turns = rng.normal(size=(4, 3)), quat.to_matrix(quat.normalize(rng.normal(size=(4, 4))))
    owners, pairs = np.array([2, 3, -1]), np.array([[2, 0], [1, 2], [0, 1]])
    points, normals = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    impulses, torques = np.array([0.5, 2.0, 9.0]), np.ones((4, 3))
    matrices = turns.reshape(4, 9)
    contacts, frames = (pairs, impulses, points, normals), (places, matrices)
    _kernels.contact_torques(contacts, 60.0, owners, parents, bodies, frames, torques)
    force, other = 30.0 * normals[0], -120.0 * normals[1]
    np.testing.assert_allclose(torques[2], turns[2].T @ np.cross(points[0] - places[2], force))
    np.testing.assert_allclose(torques[3], turns[3].T @ np.cross(points[1] - places[3], other))
    both = np.cross(points[0] - places[1], force) + np.cross(points[1] - places[1], other)
    np.testing.assert_allclose(torques[1], turns[1].T @ both)
    np.testing.assert_array_equal(torques[0], 0.0)


def test_muscles_carry_what_leans_on_them_and_forget_a_blow() -> None:
    """The load grows towards a share of a lasting torque, and is gone soon after it."""
    load, gains, carried = np.zeros((2, 3)), np.ones(1), np.zeros((1, 3))
    push, soft = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]]), np.array([1])
    course = []
    for torques in [push] * 60 + [0.0 * push] * 12:
        carried[:] = 0.0
        _kernels.brace(torques, soft, 0.5, 1.0, (0.6, 0.1, 0.35), load, (gains.copy(), gains.copy()), carried)
        course.append(carried[0, 0])
    assert course[59] == pytest.approx(-6.0, rel=0.01)
    assert course[0] == pytest.approx(-0.6)
    assert abs(course[-1]) < 0.1
