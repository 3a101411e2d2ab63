"""A root that yields: equal to the clip while nobody pushes, moved by what does, on feet that do not slide."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.behaviors.anticipation import Anticipation
from poise.behaviors.push import Push
from poise.behaviors.root.near import Nearness
from poise.body.coordinates import body_frames
from poise.characters.character import Character, CharacterOptions
from poise.control.root import RootDrive, lean_against, leg_shares, root_wrench
from poise.control.tension import Tension
from poise.errors import InputError
from poise.io import read_character
from poise.locomotion.contacts import ContactPhases
from poise.locomotion.gait import gait_of
from poise.locomotion.stepping import StepOptions
from poise.math import quat
from poise.runtime.record import Recording
from poise.runtime.session import Session
from poise.scenes import named_scene, rooted
from poise.scenes.people import stander, walker
from poise.signals import Mode
from poise.world.props import Ball, Box
from poise.world.scene import SceneSpec


def compliant(who: Character, **options: object) -> Character:
    return replace(who, options=replace(who.options, root="compliant", **options))


@pytest.fixture(scope="module")
def walk() -> Character:
    return compliant(walker(3))


@pytest.fixture(scope="module")
def stand() -> Character:
    return compliant(stander(4.0))


def session(who: Character, *pushes: Push) -> Session:
    return Session({"p": who}, SceneSpec(floor=who.floor), behaviors={"p": list(pushes)})


def away(recording: Recording) -> np.ndarray:
    """The pelvis from where the clip has it [m], shape (N+1, 3)."""
    return recording.positions[:, :3] - recording.source[:, :3]


def test_somebody_is_near_where_any_two_parts_are(stand: Character, rng: np.random.Generator) -> None:
    """Looked for among those within reach alone; here among all pairs of parts, one by one."""
    who = Session({"p": stand, "q": stand, "r": stand}, SceneSpec(floor=stand.floor))
    near = Nearness(who.view, who.reference("p"), RootDrive().noticing)
    own, others = who.view.body_numbers("p"), [who.view.body_numbers(name) for name in "qr"]
    answers = []
    for _ in range(200):
        for name in "qr":
            who.world.data.qpos[who.world.layout(name).positions][:2] = rng.uniform(-1.5, 1.5, 2)
        who.world.refresh()
        places, speed = who.view.bodies.positions, rng.uniform(0.0, 2.0)
        least = min(np.linalg.norm(places[a] - places[b]) for a in own for b in np.concatenate(others))
        reach = near._size * 0.5 + 0.15 * speed
        if abs(least - reach) > 1e-9:
            answers.append(near.near(speed))
            assert answers[-1] == (least < reach)
    assert {True, False} == set(answers)


def test_nothing_near_changes_not_a_bit(walk: Character) -> None:
    sleeper, kinematic = session(walk), session(replace(walk, options=replace(walk.options, root="kinematic")))
    np.testing.assert_array_equal(sleeper.run(80).positions, kinematic.run(80).positions)
    np.testing.assert_array_equal(sleeper.result("p").rotations, kinematic.result("p").rotations)


@pytest.mark.parametrize("kind", ["walk", "stand"])
def test_awake_and_untouched_it_follows_its_clip(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Nearness, "near", lambda self, speed: True)
    who: Character = request.getfixturevalue(kind)
    played = session(who)
    recording = played.run(150)
    assert (recording.modes[:, 0] == Mode.PASSIVE).all()
    real, meant = (body_frames(who.plan, rows) for rows in (recording.positions, recording.source))
    far = 1e3 * np.linalg.norm(real.positions - meant.positions, axis=2)
    assert far.mean() < 0.3
    assert far.max() < 2.0
    assert far[1].max() < 0.5
    turned = quat.angle_between(
        recording.positions[:, 3:].reshape(151, -1, 4), recording.source[:, 3:].reshape(151, -1, 4)
    )
    assert np.degrees(turned.max()) < 1.0


@pytest.mark.parametrize(("direction", "axis"), [((1.0, 0.0, 0.0), 0), ((0.0, 1.0, 0.0), 1), ((0.0, -1.0, 0.0), 1)])
def test_a_push_moves_a_walker_who_comes_back(walk: Character, direction: tuple[float, ...], axis: int) -> None:
    pushed = session(walk, Push(200.0 * np.array(direction), 0.5))
    moved = away(pushed.run(170))[:, axis] * direction[axis]
    soon = moved[30:49].max()
    assert 0.02 < soon < 0.06, "1 to 3 mm per N s"
    assert np.abs(moved[120:]).max() < 0.25 * soon
    assert np.abs(moved[-10:]).max() < 0.1 * soon


def feet(recording: Recording, who: Character) -> np.ndarray:
    return body_frames(who.plan, recording.positions).positions[:, list(who.plan.with_role("left_foot", "right_foot"))]


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
def test_a_stander_steps_and_does_not_slide(stand: Character, direction: tuple[float, ...]) -> None:
    recording = session(stand, Push(400.0 * np.array(direction), 0.5)).run(200)
    kinds = [event.kind for event in recording.events]
    assert {"steps", "follows"} <= set(kinds)
    places = feet(recording, stand)
    low = places[..., 2] - places[0, :, 2] < 0.002
    level = np.linalg.norm(np.diff(places[..., :2], axis=0), axis=2)
    assert level[low[:-1] & low[1:]].max() < 1e-3
    apart = places[:, 0, 1] - places[:, 1, 1]
    assert apart.min() > 0.1, "feet stay on their own sides"
    assert np.linalg.norm(np.diff(recording.positions[-10:, :2], axis=0), axis=1).max() < 1e-3, "it comes to rest"


def test_without_steps_it_stays_on_its_feet(stand: Character) -> None:
    who = compliant(stand, stepping=StepOptions(steps=False))
    recording = session(who, Push([200.0, 0.0, 0.0], 0.5)).run(60)
    assert [event.kind for event in recording.events] == ["pushed"]


def test_waking_and_falling_asleep_do_not_show(walk: Character) -> None:
    played = session(compliant(walker(4)), Push([100.0, 60.0, 0.0], 0.5))
    recording = played.run()
    asleep = recording.modes[:, 0] == Mode.MOTION
    changes = np.flatnonzero(np.diff(asleep.astype(int)))
    assert len(changes) == 2, "wakes once and sleeps again"
    assert asleep[-1]
    joints = np.diff(recording.velocities, axis=0)[:, 6:].reshape(len(recording), -1, 3)
    jumps = np.linalg.norm(joints, axis=2).max(axis=1)
    for change in changes:
        assert jumps[change - 1 : change + 2].max() < 1.2 * jumps[:25].max()
    np.testing.assert_allclose(recording.positions[-3:, :7], recording.source[-3:, :7], atol=1e-9)


def test_saved_and_restored_in_the_middle_of_a_step(stand: Character) -> None:
    played = session(stand, Push([400.0, 0.0, 0.0], 0.2))
    played.run(30)
    assert played.roots["p"].planner.state.kind.any()
    saved = played.save()
    first = played.run(60).positions.copy()
    played.restore(saved)
    np.testing.assert_array_equal(played.run(60).positions, first)


def test_the_root_can_be_told_to_sleep(walk: Character) -> None:
    played = session(compliant(walker(4)), Push([100.0, 0.0, 0.0], 0.2), Push([300.0, 0.0, 0.0], 3.6))
    played.run(20)
    assert played.roots["p"].awake
    played.set_root("p", "kinematic")
    recording = played.run()
    assert np.abs(away(recording)[-20:]).max() < 1e-9, "the second push finds it asleep"
    with pytest.raises(InputError, match="compliant"):
        session(replace(walk, options=CharacterOptions())).set_root("p", "compliant")


def test_it_needs_a_pelvis_that_follows(walk: Character) -> None:
    modes = walk.modes.copy()
    modes[0] = int(Mode.PASSIVE)
    with pytest.raises(InputError, match="pelvis"):
        session(replace(walk, modes=modes))
    with pytest.raises(InputError, match="kinematic"):
        CharacterOptions(root="loose")  # type: ignore[arg-type]


def test_the_wrench_is_a_servo_within_limits() -> None:
    drive, turn = RootDrive(), quat.exp([0.3, -0.2, 0.9])
    gains = drive.on(60.0, np.array([8.0, 9.0, 2.0]), 9.81, turn)
    omega = 2.0 * np.pi * np.array([drive.planar, drive.planar, drive.height])
    place, target = np.array([0.1, 0.2, 0.9, *turn]), np.array([0.11, 0.19, 0.905, *turn])
    speed, feed, out, spin = np.array([0.05, -0.02, 0.01, 0.0, 0.0, 0.0]), np.arange(6.0), np.zeros(6), np.zeros(3)
    none = np.zeros(6)
    root_wrench(gains, (place, speed), (target, none), feed, np.array([2.0, 3.0]), out, spin)
    expected = feed[:3] + 60.0 * (omega**2 * (target[:3] - place[:3]) - 2.0 * omega * speed[:3]) + [2.0, 3.0, 0.0]
    np.testing.assert_allclose(out[:3], expected, atol=1e-9)
    upright = quat.rotate(quat.conj(turn), [0.0, 0.0, 1.0])
    target[3:] = quat.mul(turn, quat.exp(0.05 * upright))
    root_wrench(gains, (place, none), (target, none), none, np.zeros(2), out, spin)
    np.testing.assert_allclose(out[3:], 2.0 * (2.0 * np.pi * drive.yaw) ** 2 * 0.05 * upright, atol=1e-9)
    turning = np.array([0.0, 0.0, 0.0, 0.3, -0.1, 0.2])
    root_wrench(gains, (place, turning), (np.array([*place]), none), none, np.zeros(2), out, spin)
    tilted = quat.rotate(turn, turning[3:])
    damper = 4.0 * np.pi * np.array([8.0 * drive.tilt, 9.0 * drive.tilt, 2.0 * drive.yaw]) * tilted
    np.testing.assert_allclose(out[3:] - spin * turning[3:], -quat.rotate(quat.conj(turn), damper), atol=1e-9)
    target[:3] += 5.0
    root_wrench(gains, (place, none), (target, none), none, np.zeros(2), out, spin)
    weight = 60.0 * 9.81
    assert np.hypot(*out[:2]) == pytest.approx(drive.force * weight)
    assert out[2] == pytest.approx(drive.lift * weight)


def test_it_leans_against_what_lasts_and_lets_go() -> None:
    gains = RootDrive().on(60.0, np.ones(3), 9.81, quat.IDENTITY)
    lean, still = np.zeros(2), np.zeros(2)
    for _ in range(1200):
        lean = lean_against(gains, lean, np.array([0.08, 0.0]), still, 1 / 60)
    assert lean[0] == pytest.approx(0.25 * 60.0 * 9.81)
    assert lean[1] == 0.0
    np.testing.assert_array_equal(
        lean_against(gains, still, np.array([0.05, 0.0]), np.array([0.3, 0.0]), 1 / 60), still
    )
    for _ in range(300):
        lean = lean_against(gains, lean, np.array([-0.02, 0.0]) if lean[0] > 0.0 else still, still, 1 / 60)
    assert abs(lean[0]) < 1.0


def test_light_legs_leave_their_mass_with_the_pelvis(walk: Character) -> None:
    plan, shares = walk.plan, leg_shares(walk.plan, RootDrive().bearing)
    legs = [b for root in plan.with_role("left_thigh", "right_thigh") for b in plan.subtree(root)]
    taken = plan.masses[legs].sum() * (1.0 - shares[legs[0]])
    assert plan.masses[0] * (shares[0] - 1.0) == pytest.approx(0.5 * taken)
    assert set(np.flatnonzero(shares == 1.0)) == set(range(1, len(plan))) - set(legs)


def test_a_gait_knows_its_swings() -> None:
    mask = np.ones((10, 4), dtype=bool)
    mask[3:6, :2] = False
    mask[8:, 2:] = False
    gait = gait_of(ContactPhases(10.0, mask))
    np.testing.assert_allclose(gait.lifts[3:6, 0], 0.2)
    np.testing.assert_allclose(gait.lands[3:6, 0], 0.6)
    assert np.isnan(gait.lifts[[2, 6], 0]).all()
    assert np.isinf(gait.lands[8, 1])
    np.testing.assert_allclose(gait.next_lift[[0, 4, 6, 9]], [0.3, 0.4, 0.8, 0.9])
    assert gait.row(0.35) == 3
    assert gait.row(99.0) == 9


@pytest.mark.parametrize("mass", [1.0, 60.0, 300.0])
def test_legs_that_are_pressed_do_not_drive_the_pelvis_off(mass: float) -> None:
    """A foot that is led to its place inside a heavy thing would push the pelvis away for as long as it is there."""
    who = compliant(walker(3))
    start = float(who.clip.translations[0, 0, 0])
    box = Box(name="box", position=(start + 1.2, 0.0, who.floor + 0.2), size=(0.2, 0.3, 0.2), mass=mass)
    played = Session({"p": who}, SceneSpec(props=(box,), floor=who.floor))
    recording = played.run(180)
    columns = played.world.layout("p").positions
    speed = np.linalg.norm(np.diff(recording.positions[:, columns][:, :3], axis=0), axis=1) / recording.tick
    assert speed.max() < 4.0
    assert np.ptp(recording.positions[:, columns][:, 2]) < 0.4


@pytest.mark.shared
def test_who_sits_down_is_not_thrown_off_the_ground(shared_data: Path) -> None:
    """Where the clip itself has a part in the ground (capsules are a coarse likeness), the ground lets it through."""
    clip, mesh = read_character(shared_data / "kaykit" / "Knight.glb", animation="Sit_Floor_Down")
    who = Character.from_clip(clip, CharacterOptions(root="compliant"), mesh)
    played = session(who, Push([0.0, 0.0, 1e-6], 0.0, 0.02))
    assert np.abs(away(played.run())).max() < 0.05


@pytest.mark.parametrize("body", ["spine", "head", "left_hand"])
def test_a_push_at_any_part_moves_the_body(stand: Character, body: str) -> None:
    moved = away(session(stand, Push([120.0, 0.0, 0.0], 0.5, body=body)).run(60))[:, 0]
    assert 0.004 < moved.max() < 0.06
    with pytest.raises(InputError, match="no_such"):
        session(stand, Push([1.0, 0.0, 0.0], 0.5, body="no_such"))


@pytest.mark.slow
def test_the_trail_ends_at_its_wall_on_both_feet() -> None:
    played = named_scene("trail").session()
    recording = played.run()
    told = {event.kind for event in recording.events}
    assert {"pushed", "contact", "dodge", "slow", "settles"} <= told
    who = played.characters["walker"]
    columns = played.world.layout("walker").positions
    places = body_frames(who.plan, recording.positions[-1:, columns]).positions[0]
    left, right = places[list(who.plan.with_role("left_foot", "right_foot"))]
    assert abs(left[0] - right[0]) < 0.06
    assert 0.1 < abs(left[1] - right[1]) < 0.4


def test_feet_are_the_clip_s_own_while_a_root_goes_back_to_its_motion(walk: Character) -> None:
    played = session(walk, Push(np.array([0.0, 150.0, 0.0]), 0.5, 0.1))
    root, plan, columns = played.roots["p"], walk.plan, played.layouts[0].positions
    recording = played.run()
    since = recording.times - root.state.back
    returns = (since > 0.0) & (since < 0.4)
    assert returns.any()
    ends = list(plan.with_role("left_foot", "right_foot"))
    real, meant = (body_frames(plan, rows[:, columns]).positions for rows in (recording.positions, recording.source))
    assert np.abs(real - meant)[returns, 0].max() > 5e-4, "the pelvis is still on its way"
    assert np.abs(real - meant)[returns][:, ends].max() < 4e-4


def test_a_pelvis_whose_spine_goes_soft_is_not_shaken_from_substep_to_substep(stand: Character) -> None:
    tense = replace(stand, options=replace(stand.options, tension=Tension(frequency=12.0)))
    ball = Ball(name="ball", position=(-1.5, 0.08, 1.3), velocity=(5.0, 0.0, 1.5), time=0.1, radius=0.1, mass=0.6)
    spec = SceneSpec(floor=tense.floor, props=(ball,))
    played = Session({"p": tense}, spec, behaviors={"p": [Anticipation()]})
    recording = played.run()
    assert any(event.kind == "startled" for event in recording.events)
    spins = recording.velocities[:, played.layouts[0].velocities][:, 3:6]
    assert np.abs(np.diff(spins, axis=0)).max() < 0.3


def test_a_root_that_woke_leaves_no_trace_where_the_session_goes_back() -> None:
    """Its damping, and how firmly its light legs touch, are the model's own numbers: they go back too."""
    session = rooted(named_scene("shoved")).session()
    start = session.save()
    first = session.run(10)
    while not any(root.awake for root in session.roots.values()):
        session.run(5)
    session.restore(start)
    again = session.run(10)
    for part in ("positions", "velocities", "torques"):
        np.testing.assert_array_equal(getattr(first, part)[1:], getattr(again, part)[1:])
