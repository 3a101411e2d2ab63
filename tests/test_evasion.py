"""What the body does beside the hands: rules, gestures on real rows, and the pace of a clip's time."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Sight, Threats
from poise.anticipation.evasion import Evasion, evades, lean_angle, least_effort, tilt
from poise.assets import clip_path
from poise.behaviors import Behavior, Contribution, Reference
from poise.behaviors.anticipation import Anticipation, AnticipationOptions, Expectation
from poise.behaviors.evasion import Evade, EvadeState, Pacer, PacerState
from poise.behaviors.evasion.candidates import candidates
from poise.behaviors.evasion.look import Look
from poise.behaviors.perception.senses import Percept
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.runtime import Character, Recording, Session
from poise.scenes import evading
from poise.scenes.named import named_scene
from poise.scenes.roots import rooted
from poise.scenes.scene import Scene
from poise.signals import Nearest
from poise.world.props import Ball, Wall
from poise.world.scene import SceneSpec
from poise.world.view import WorldView

Array = NDArray[np.float64]

AHEAD, NONE = np.array([1.0, 0.0, 0.0]), np.zeros(0, dtype=np.int64)
TICK, PARTS = 1.0 / 60.0, 8
IDLE = (NOTHING, NOTHING)
SIZE = 0.106
"""Radius of the head of the shipped walk's person [m]."""


def test_a_lean_balances_its_push() -> None:
    assert lean_angle(0.0, 700.0) == 0.0
    assert lean_angle(700.0, 700.0) == pytest.approx(np.pi / 4)


def test_what_is_heavy_or_fast_is_dodged_but_never_what_is_fixed() -> None:
    assert evades(16.0, 0.5, 15.0, 12.0)
    assert evades(3.0, 5.0, 15.0, 12.0)
    assert not evades(3.0, 3.0, 15.0, 12.0)
    assert not evades(np.inf, 1.0, 15.0, 12.0)


@pytest.mark.parametrize("heading", [0.0, 0.7, -2.0])
def test_a_tilt_takes_the_top_to_its_side(heading: float) -> None:
    faces = np.array([np.cos(heading), np.sin(heading), 0.0])
    for direction in (AHEAD, np.array([0.3, -0.9, 0.0])):
        turn = quat.exp(np.array([0.0, 0.0, heading]))
        top = quat.rotate(quat.mul(turn, quat.exp(tilt(direction, faces, 0.3))), [0.0, 0.0, 1.0])
        assert top[:2] == pytest.approx(np.sin(0.3) * direction[:2] / np.linalg.norm(direction), abs=1e-9)


def test_the_least_effort_that_clears_all_is_taken_then_the_head_alone() -> None:
    angles = np.array([0.0, 0.2, 0.4, 0.6])
    hits = np.array([[-0.1, 0.1], [0.06, -0.02], [0.1, 0.06], [0.2, 0.1]])
    assert least_effort(angles, hits, 0.05) == 2
    assert least_effort(angles[:2], hits[:2], 0.05) == 1
    assert least_effort(angles, np.array([[-0.3, 0.1], [-0.2, 0.1], [-0.1, 0.1], [-0.15, 0.1]]), 0.05) == 2
    assert least_effort(angles, np.array([[0.2, -0.1], [0.2, 0.1], [0.2, 0.1], [0.2, 0.1]]), 0.05) == 0


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="bend"):
        Evasion(bend=2.0)


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(read_clip(clip_path("walk")))


@dataclass
class GesturesState:
    evade: EvadeState
    pacer: PacerState
    shields: int = 0


class Gestures(Behavior[GesturesState]):
    """Evade and Pacer alone, with one spot at the head and a push that is given."""

    def __init__(
        self, options: AnticipationOptions | None = None, push: Callable[[float], float] | None = None
    ) -> None:
        self.options, self.push = options or AnticipationOptions(), push or (lambda begin: 0.0)

    @property
    def shields(self) -> int:
        return self.state.shields

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        self.reference, self.tick, self.plan = reference, reference.tick, reference.plan
        self.around = view.obstacles()
        masses = self.around.masses
        self.evade = Evade(self.plan, self.around, self.options, self.tick, masses, 9.81)
        self.pacer = Pacer(reference, self.around, self.options, self.tick, masses, 9.81)
        self.head = self.plan.with_role("head")[0]
        self.state = GesturesState(self.evade.state, self.pacer.state)
        return Contribution(reference)

    def percept(self) -> Percept:
        first, last = (body_frames(self.plan, row).positions[0, self.head] for row in self.reference.rows[[0, -1]])
        self.around.refresh()
        spots, speeds = first[None] + [0.0, 0.0, 0.1], (last - first)[None] / (self.tick * (1.0 - 1.0 / PARTS))
        near = Nearest(*(column.copy() for column in self.around.nearest(spots, np.array([3.0]))))
        closing = np.sum((near.point[0] - spots[0]) * (speeds[0] - near.velocity[0]), axis=-1) / near.distance[0]
        flies = (np.abs(near.velocity[0]).max(axis=-1) > 0.1) & np.isfinite(near.distance[0])
        soon = np.where(closing > 0.1, near.distance[0] / np.maximum(closing, 0.1), np.inf)
        near.velocity[0, flies, 2] -= 0.5 * 9.81 * np.minimum(soon[flies], 0.6)
        urgency = np.where(soon < 0.8, soon, np.inf)
        threats = Threats(
            urgency, np.zeros(len(urgency), dtype=np.int64), closing, *np.zeros((2, len(urgency)), dtype=bool)
        )
        return Percept(
            spots, speeds, near, threats, np.isfinite(urgency), AHEAD, bool(np.isfinite(urgency).any()), NONE
        )

    def step(self, view: WorldView, reference: Reference, state: GesturesState) -> Contribution:
        wanted, push = Contribution(reference), self.push(reference.time) * -AHEAD
        rows = wanted.edit_pose(moves=False)
        told = self.evade.act(reference.time, rows, self.percept(), push, reference.carries, IDLE)
        wanted.moves = self.evade.active
        wanted.pace, paced = self.pacer.act(reference.time, rows[-1], push)
        state.shields += len(self.evade.shields)
        for kind, which in told + paced:
            wanted.tell(reference.time, kind, "-" if which == NOTHING else self.around.names[which])
        return wanted


def played(
    scene: Scene, options: AnticipationOptions | None = None, push: Callable[[float], float] | None = None
) -> tuple[Session, Gestures]:
    (name,) = scene.characters
    stage = Gestures(options, push)
    return replace(scene, behaviors={name: [lambda: stage]}).session(), stage


def turned(session: Session) -> tuple[Array, Array]:
    """Angle between the kinematic and the input skeleton, per state and body, and by joint coordinate, (N+1, B)."""
    recording, layout = session.recording(), session.layouts[0]
    rows = [r[:, layout.positions] for r in (recording.kinematic, recording.source)]
    frames = [body_frames(layout.plan, r).rotations for r in rows]
    own = [r[:, 3:].reshape(len(r), -1, 4) for r in rows]
    return (
        np.linalg.norm(quat.log(quat.mul(quat.conj(frames[1]), frames[0])), axis=-1),
        np.linalg.norm(quat.log(quat.mul(quat.conj(own[1]), own[0])), axis=-1),
    )


def test_a_heavy_ball_at_the_face_is_dodged_in_time_and_with_arms_that_keep_hanging() -> None:
    session, stage = played(evading.duck())
    recording = session.run()
    plan, layout = stage.plan, session.layouts[0]
    hits = {name for pair in recording.contacts.pairs for name in np.array(recording.geom_names)[pair] if "/" in name}
    assert "person/Head" not in hits
    assert next(event.kind for event in recording.events if event.kind in ("dodge", "look")) == "dodge"
    whole, own = turned(session)
    head = plan.with_role("head")[0]
    assert np.degrees(whole[:, head].max()) < 36.0
    assert whole[-1, head] < np.radians(1.0)
    moved = {plan.body_roles[body] for body in np.flatnonzero(own.max(axis=0) > 1e-6)}
    assert moved == {"spine", "neck", "head", "left_upper_arm", "right_upper_arm"}
    turns = body_frames(plan, recording.kinematic[:, layout.positions]).rotations[:, head]
    spins = quat.log(quat.mul(quat.conj(turns[:-1]), turns[1:])) / TICK
    assert np.degrees(np.linalg.norm(spins, axis=1).max()) < 220.0
    assert np.degrees(np.linalg.norm(np.diff(spins, axis=0), axis=1).max()) < 80.0
    arms = list(plan.with_role("left_upper_arm", "right_upper_arm"))
    assert np.degrees(whole[:, arms].max()) < 6.0
    assert stage.shields == 0
    without, _ = played(evading.duck(), AnticipationOptions(evasion=Evasion(bend=0.0)))
    plain = without.run()
    assert "person/Head" in {name for pair in plain.contacts.pairs for name in np.array(plain.geom_names)[pair]}


def test_a_dodge_goes_on_from_a_checkpoint_as_it_did() -> None:
    session, _ = played(evading.duck())
    session.run(70)
    checkpoint = session.save()
    first = session.run(40)
    session.restore(checkpoint)
    assert np.array_equal(first.kinematic, session.run(40).kinematic)


def test_what_is_too_wide_to_dodge_brings_the_hands_before_the_face() -> None:
    scene = evading.duck()
    ball = scene.setting.props[0]
    assert isinstance(ball, Ball)
    session, stage = played(
        replace(scene, setting=replace(scene.setting, props=(replace(ball, radius=0.45, mass=60.0),)))
    )
    seen = 0
    for _ in range(90):
        session.tick()
        for shield in stage.evade.shields:
            head = body_frames(stage.plan, stage.reference.source).positions[0, stage.head] + [0.0, 0.0, 0.1]
            away = shield.palm - head
            assert SIZE < np.linalg.norm(away) < 0.4
            assert away[0] > 0.0
            assert shield.normal[0] > 0.7
            seen += 1
    assert seen > 10


@pytest.mark.parametrize(("force", "angle"), [(100.0, 9.4), (1000.0, 20.0)])
def test_the_trunk_leans_into_a_push_and_back(force: float, angle: float) -> None:
    scene = evading.duck()
    scene = replace(scene, setting=replace(scene.setting, props=()))
    session, stage = played(scene, push=lambda begin: force if begin < 1.5 else 0.0)
    recording = session.run()
    chest = stage.plan.with_role("spine")[-1]
    whole, _ = turned(session)
    assert np.degrees(whole[88, chest]) == pytest.approx(angle, abs=0.3)
    assert whole[18, chest] < 0.6 * whole[88, chest]
    assert whole[-1, chest] < np.radians(0.1)
    up = quat.rotate(
        body_frames(stage.plan, recording.kinematic[88, session.layouts[0].positions]).rotations[0, chest],
        quat.rotate(quat.conj(stage.plan.neutral[chest]), [0.0, 0.0, 1.0]),
    )
    assert up[0] > 0.1


def test_the_head_turns_to_what_comes_from_the_side_and_back() -> None:
    scene = evading.duck()
    ball = Ball(name="ball", position=(1.6, 1.6, 1.4), velocity=(-2.0, -1.6, 3.0), time=0.3, radius=0.1, mass=1.0)
    low = replace(ball, name="low", position=(1.6, -1.6, 0.4), velocity=(-2.0, 1.6, 0.0), time=0.3)
    session, stage = played(replace(scene, setting=replace(scene.setting, props=(ball, low))))
    recording = session.run()
    assert {event.subject for event in recording.events if event.kind == "look"} == {"ball"}
    whole, _ = turned(session)
    head = whole[:, stage.head]
    assert 10.0 < np.degrees(head.max()) < 51.0
    assert np.degrees(np.abs(np.diff(head)).max()) / TICK < 150.0
    assert head[-1] < np.radians(0.5)


def gap(session: Session, wall: float) -> float:
    """How far the pelvis stays from a wall across the way at least [m]."""
    return wall - float(session.recording().positions[:, session.layouts[0].positions.start].max())


def test_a_walk_comes_to_rest_on_both_feet_before_a_wall_but_not_before_one_unseen() -> None:
    session, _ = played(evading.stop())
    recording = session.run(330)
    layout = session.layouts[0]
    assert [event.kind for event in recording.events if event.kind in ("slow", "go on")] == ["slow"]
    assert 0.45 < gap(session, 3.9) < 1.2
    rows = recording.kinematic[:, layout.positions]
    assert rows[-1] == pytest.approx(rows[-30], abs=1e-12)
    soles = sole_points(layout.plan, body_frames(layout.plan, rows[-1]))[0, :, 2].reshape(2, 4).min(axis=1)
    assert soles.max() - session.characters["person"].floor < 0.03
    paces = np.diff(1.0 - np.diff(np.array([0.0, *session.references[0].clock.lags])) / TICK) / TICK
    assert np.abs(paces).max() < 2.5
    blind, _ = played(evading.stop(), AnticipationOptions(expectations={"wall": Expectation(seen=False)}))
    blind.run(330)
    assert gap(blind, 3.9) < 0.0


def test_a_wall_beside_the_way_slows_nobody() -> None:
    scene = evading.stop()
    wall = Wall(name="wall", position=(3.0, 0.6, 1.0), size=(3.0, 0.1, 1.1))
    session, _ = played(Scene("wall", scene.characters, SceneSpec(props=(wall,), floor=scene.setting.floor)))
    session.run(200)
    assert not any(session.references[0].clock.lags)


def test_a_walk_that_is_held_stops_and_goes_on_when_it_is_free() -> None:
    scene = evading.stop()
    scene = replace(scene, setting=replace(scene.setting, props=()))
    session, stage = played(scene, push=lambda begin: 300.0 if 1.0 < begin < 3.0 else 0.0)
    recording = session.run(300)
    kinds = [event.kind for event in recording.events]
    assert kinds == ["slow", "go on"]
    paces = 1.0 - np.diff(np.array([0.0, *stage.reference.clock.lags])) / TICK
    assert paces[170] == pytest.approx(0.0, abs=1e-9)
    assert paces[-1] == pytest.approx(1.0)


def test_who_stands_by_a_wall_may_walk_away_from_it() -> None:
    scene = evading.stop()
    wall = Wall(name="wall", position=(-0.3, 0.0, 1.0), size=(0.1, 1.5, 1.1))
    everywhere = AnticipationOptions(sight=Sight(sideways=np.pi, up=np.pi / 2, down=np.pi / 2))
    session, _ = played(
        Scene("wall", scene.characters, SceneSpec(props=(wall,), floor=scene.setting.floor)), everywhere
    )
    session.run(60)
    assert not any(session.references[0].clock.lags)


def test_the_head_does_not_flicker_between_two_that_are_as_urgent(walker: Character) -> None:
    look = Look(walker.plan, np.array([2.0, 2.0]), Evasion(), TICK)
    point = np.array([[[1.0, 1.0, 1.4], [1.0, -1.0, 1.4]]])
    near = Nearest(np.ones((1, 2)), point, -point, np.tile([-1.0, 0.0, 0.0], (1, 2, 1)))
    begun = []
    for number in range(60):
        urgency = np.array([0.5, 0.5 + 0.05 * (-1.0) ** number])
        threats = Threats(urgency, np.zeros(2, dtype=np.int64), np.ones(2), *np.zeros((2, 2), dtype=bool))
        percept = Percept(point[:, 0], 0.0 * point[:, 0], near, threats, np.ones(2, dtype=bool), AHEAD, True, NONE)
        rows = np.tile(rows_of(walker), (PARTS, 1))
        begun.append(look.act(number * TICK, rows, percept, 1.0, IDLE))
    assert sum(which != NOTHING for which in begun) == 2
    assert begun[0] == 0
    assert begun.index(1) * TICK == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(("closing", "busy", "looks"), [(1.0, 0, True), (0.1, 0, False), (1.0, NOTHING, False)])
def test_the_head_turns_to_what_is_light_only_while_it_comes_to_a_hand(
    walker: Character, closing: float, busy: int, looks: bool
) -> None:
    look = Look(walker.plan, np.array([0.1]), Evasion(), TICK)
    point = np.array([[[1.0, 1.0, 1.4]]])
    near = Nearest(np.ones((1, 1)), point, -point, np.zeros((1, 1, 3)))
    threats = Threats(np.full(1, 0.5), np.zeros(1, dtype=np.int64), np.full(1, closing), *np.zeros((2, 1), dtype=bool))
    percept = Percept(point[:, 0], 0.0 * point[:, 0], near, threats, np.ones(1, dtype=bool), AHEAD, True, NONE)
    assert (look.act(1.0, np.tile(rows_of(walker), (PARTS, 1)), percept, 1.0, (NOTHING, busy)) == 0) == looks


def test_eyes_go_along_with_what_moves_while_it_is_looked_at(walker: Character) -> None:
    look = Look(walker.plan, np.array([2.0]), Evasion(), TICK)
    threats = Threats(np.full(1, 0.5), np.zeros(1, dtype=np.int64), np.ones(1), *np.zeros((2, 1), dtype=bool))
    head, turns = walker.plan.with_role("head")[0], []
    for number in range(45):
        place = np.array([[[1.0, 1.0 - 2.0 * min(number / 15, 1.0), 1.4]]])
        near = Nearest(np.ones((1, 1)), place, -place, np.tile([0.0, -8.0, 0.0], (1, 1, 1)))
        percept = Percept(place[:, 0], 0.0 * place[:, 0], near, threats, np.ones(1, dtype=bool), AHEAD, True, NONE)
        rows = np.tile(rows_of(walker), (PARTS, 1))
        before = body_frames(walker.plan, rows[-1]).rotations[0, head]
        look.act(number * TICK, rows, percept, 1.0, IDLE)
        after = body_frames(walker.plan, rows[-1]).rotations[0, head]
        turns.append(float(quat.log(quat.mul(after, quat.conj(before)))[2]))
    assert max(turns[:15]) > 0.05
    assert turns[-1] < -0.1


def rows_of(who: Character) -> Array:
    """The first pose of a character, shape (nq,)."""
    return Session({"who": who}).references[0].source


def whole(evasion: Evasion | None = None, name: str = "duck") -> tuple[Session, Recording]:
    """A scene whose person yields, played to its end."""
    scene = rooted(named_scene(name))
    if evasion is not None:
        stage = Anticipation(AnticipationOptions(evasion=evasion))
        scene = replace(scene, behaviors={"person": [lambda: stage]})
    session = scene.session()
    return session, session.run()


def touched(recording: Recording) -> set[str]:
    """Parts that the ball touched."""
    names = [{recording.geom_names[geom] for geom in pair} for pair in recording.contacts.pairs]
    return {name.split("/")[1] for pair in names if "ball" in pair for name in pair - {"ball"} if "/" in name}


def test_one_whose_legs_carry_ducks_under_a_heavy_ball_with_feet_that_stay() -> None:
    session, recording = whole()
    frames = body_frames(session.layouts[0].plan, recording.positions[:, session.layouts[0].positions])
    plan = session.layouts[0].plan
    sinks = frames.positions[0, 0, 2] - frames.positions[:, 0, 2]
    assert sinks.max() > 0.2
    assert abs(sinks[-1]) < 0.005, "up again at the end"
    feet = frames.positions[:, list(plan.with_role("left_foot", "right_foot"))]
    assert np.abs(feet - feet[0]).max() < 0.01
    assert not touched(recording) & {"Head", "Neck", "Chest", "Spine"}
    falls = np.diff(sinks, 2) / TICK**2
    assert np.abs(falls).max() < 15.0, "no faster than knees let go of a body"
    hit = touched(whole(Evasion(duck=0.0, sidestep=0.0, bend=0.0))[1])
    assert "Head" in hit


def test_where_there_is_room_a_step_aside_is_less_trouble_and_goes_back_home() -> None:
    session, recording = whole(name="sidestep")
    layout = session.layouts[0]
    frames = body_frames(layout.plan, recording.positions[:, layout.positions])
    away = np.abs(frames.positions[:, 0, 1] - frames.positions[0, 0, 1])
    feet = frames.positions[:, list(layout.plan.with_role("left_foot", "right_foot"))]
    assert away.max() > 0.2
    assert np.linalg.norm(feet - feet[0], axis=2).max() > 0.15, "a foot went along"
    assert not touched(recording)
    assert away[-1] < 0.6 * away.max()


def test_a_body_whose_root_follows_its_clip_only_bends() -> None:
    session = rooted(evading.duck(), "kinematic").session()
    recording = session.run()
    columns = session.layouts[0].positions
    pelvis, meant = recording.positions[:, columns][:, :3], recording.source[:, columns][:, :3]
    assert np.abs(pelvis - meant).max() < 1e-9
    assert "dodge" in {event.kind for event in recording.events}


def test_ways_out_are_as_far_as_there_is_time_and_weighed_against_bends() -> None:
    across = np.array([0.0, 2.0, 0.0])
    hurried, ready, led = (
        candidates(across, AHEAD, Evasion(), size, soon) for size, soon in ((1.0, 0.3), (1.0, 1.0), (0.0, 1.0))
    )
    reach = 6.0 * 0.25**2 / 5.77
    assert np.linalg.norm(hurried.shifts, axis=1).max() == pytest.approx(reach)
    assert -ready.shifts[:, 2].min() == pytest.approx(Evasion.duck)
    assert np.abs(ready.shifts[:, 1]).max() == pytest.approx(Evasion.sidestep)
    assert not led.shifts.any()
    deepest, widest = ready.shifts[:, 2].argmin(), ready.shifts[:, 1].argmax()
    assert np.degrees(np.linalg.norm(ready.bends[deepest])) == pytest.approx(30.0)
    assert np.degrees(np.linalg.norm(ready.bends[widest])) == pytest.approx(10.0)
    assert ready.efforts(0.6)[deepest] == pytest.approx(np.radians(30.0) + 0.35 / 0.6)
    assert not ready.efforts(0.6)[0]
