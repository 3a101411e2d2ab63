"""A session from clip to clip: what follows, what is kept, what is the same to the bit, and what happens when it fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import poise.runtime.tick
from _builders import assign_modes, bones, human_clip, inserted, rooted, walking
from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.control import Tension
from poise.errors import InputError
from poise.hybrid.coupling import Coupling, CouplingOptions
from poise.io import read_clip
from poise.math import quat
from poise.motion import loop
from poise.motion.clip import Clip
from poise.runtime import Character, CharacterOptions, Session
from poise.runtime.record import Recording
from poise.signals import Mode
from poise.world import Ball, Divergence, Plant, SceneSpec

PROPS = (
    Plant(name="plant", position=(0.55, 0.3, 0.0), length=1.2, links=2, mass=1.0, stiffness=40.0, damping=2.0),
    Ball(name="ball", position=(0.9, 0.7, 1.1), velocity=(0.0, -3.0, 1.5), time=0.2),
)


def walker(clip: Clip | None = None, **options: object) -> Character:
    return Character.from_clip(clip or human_clip(), CharacterOptions(**options))


def session(*props: object, clip: Clip | None = None, **options: object) -> Session:
    return Session({"walker": walker(clip, **options)}, SceneSpec(props=props, floor=None))


def bits(recording: Recording) -> bytes:
    arrays = [recording.times, recording.positions, recording.velocities, recording.torques, *recording.contacts]
    return b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def worst_angle(result: Clip, clip: Clip, names: list[str]) -> float:
    """Largest difference of the named joints' local rotations [deg]."""
    joints = [clip.skeleton.index(name) for name in names]
    return float(np.degrees(quat.angle_between(result.rotations[:, joints], clip.rotations[:, joints])).max())


SKELETONS: dict[str, Callable[[], Clip]] = {
    "60 Hz": human_clip,
    "30 Hz": lambda: human_clip(rate=30.0),
    "120 Hz": lambda: human_clip(rate=120.0),
    "root above the pelvis": lambda: human_clip(rooted(bones())),
    "riders": lambda: human_clip(inserted(bones(), "LeftArmTwist", "LeftForeArm")),
}


@pytest.mark.parametrize("name", SKELETONS)
def test_the_result_keeps_names_length_and_rate_and_driven_bodies_equal_the_clip(name: str) -> None:
    clip = SKELETONS[name]()
    run = session(*PROPS, clip=clip)
    run.run()
    result, prepared = run.result("walker"), run.characters["walker"].clip
    assert result.skeleton is clip.skeleton
    assert len(result) == len(clip)
    assert result.rate == clip.rate
    arms = ("Arm", "ForeArm", "Hand", "ArmTwist")
    driven = [joint for joint in clip.skeleton.names if not joint.endswith(arms)]
    # Not merely the filtered clip that physics followed, but the source itself.
    joints = [clip.skeleton.index(joint) for joint in driven]
    same = np.abs(quat.log(quat.mul(quat.conj(clip.rotations[:, joints]), result.rotations[:, joints])))
    assert np.degrees(same.max()) < 1e-6
    assert np.array_equal(result.translations, clip.translations)
    free = [joint for joint in clip.skeleton.names if joint.endswith(("Arm", "ForeArm", "Hand"))]
    assert worst_angle(result, prepared, free) > 0.5, "the ball and the plant moved the arms"


def test_driven_bodies_are_on_the_curve_at_every_tick() -> None:
    run = session(*PROPS, clip=human_clip(rate=30.0))
    run.run()
    actor, layout = run.references[0], run.world.layout("walker")
    rows = np.zeros((run.tick_count + 1, run.characters["walker"].plan.position_count))
    actor.trajectory.rows(run.clock.tick * np.arange(run.tick_count + 1.0), rows)
    got = run.recording().positions[:, layout.positions]
    driven = np.flatnonzero(actor.modes == Mode.MOTION)
    assert len(driven) >= 10
    turns = [r[:, 3:].reshape(len(r), -1, 4)[:, driven] for r in (got, rows)]
    assert np.abs(got[:, :3] - rows[:, :3]).max() < 1e-9
    assert np.abs(quat.log(quat.mul(quat.conj(turns[0]), turns[1]))).max() < 1e-9


def test_what_was_touched_are_the_physical_bodies_of_each_ticks_contacts() -> None:
    run = session(*PROPS)
    recording = run.run()
    names = run.characters["walker"].plan.names
    arms = {name for name in names if name.endswith(("Arm", "ForeArm", "Hand"))}
    told = {(int(tick), names[body]) for tick, body in np.argwhere(recording.touched("walker"))}
    contacts = zip(recording.contacts.tick, recording.contacts.pairs, strict=True)
    parts = {(int(tick), recording.geom_names[geom]) for tick, pair in contacts for geom in pair}
    assert told == {
        (tick, part.removeprefix("walker/")) for tick, part in parts if part.removeprefix("walker/") in arms
    }
    assert len(told) > 3


@pytest.mark.parametrize("frequency", [1.0, 3.0, 10.0])
def test_undisturbed_arms_follow_their_clip_at_any_tension(frequency: float) -> None:
    run = session(tension=Tension(frequency=frequency, load="motion"))
    run.run()
    prepared = run.characters["walker"].clip
    ours, theirs = run.result("walker").world_positions()[0], prepared.world_positions()[0]
    assert not len(run.recording().contacts.tick)
    assert np.linalg.norm(ours - theirs, axis=-1).max() < 0.01


def test_arms_that_the_clip_presses_into_the_trunk_are_not_pushed_out() -> None:
    def close(time: float) -> dict[str, np.ndarray]:
        pressed = {
            f"{side}Arm": np.array([left * np.radians(-84.0), 0.0, 0.0]) for side, left in (("Left", 1), ("Right", -1))
        }
        return walking(time) | pressed

    run = session(clip=human_clip(motion=close))
    run.run()
    assert {("Chest", "LeftArm"), ("Spine", "LeftArm")} <= set(run.characters["walker"].apart)
    ours, theirs = run.result("walker").world_positions()[0], run.characters["walker"].clip.world_positions()[0]
    assert np.linalg.norm(ours - theirs, axis=-1).max() < 0.01


def test_with_the_weight_alone_carried_relaxed_arms_lag() -> None:
    run = session(tension=Tension(frequency=1.0, load="gravity"))
    run.run()
    ours, theirs = run.result("walker").world_positions()[0], run.characters["walker"].clip.world_positions()[0]
    assert np.linalg.norm(ours - theirs, axis=-1).max() > 0.02


def test_two_fresh_sessions_give_the_same_bits() -> None:
    first, second = session(*PROPS), session(*PROPS)
    assert bits(first.run()) == bits(second.run())
    assert len(first.recording().contacts.tick) > 5
    assert np.array_equal(first.result("walker").rotations, second.result("walker").rotations)


def test_a_restored_session_goes_on_to_the_same_bits() -> None:
    run = session(*PROPS)
    run.run(8)
    checkpoint = run.save()
    whole = bits(run.run(50))
    events = run.recording().events
    run.set_mode("walker", ("spine",), Mode.PASSIVE)
    run.set("walker", "tension.frequency", 9.0)
    run.run(10)
    run.restore(checkpoint)
    assert run.count == 8
    assert len(run.recording()) == 8
    assert bits(run.run(50)) == whole
    assert run.recording().events == events


def stiffness(run: Session, joint: str) -> np.ndarray:
    """Of a muscle in every tick, as a frequency over the one at last."""
    muscle = run.characters["walker"].plan.index(joint) - 1
    frequencies = np.sqrt(run.recording().stiffness[:, muscle])
    return np.asarray(frequencies / frequencies[-1])


def test_tension_that_is_changed_gets_there_by_and_by() -> None:
    run = session(tension=Tension(frequency=2.0))
    run.run(10)
    run.set("walker", "tension.frequency", 8.0)
    run.run(30)
    expected = np.minimum(2.0 + 25.0 * run.clock.tick * np.maximum(np.arange(-9.0, 31.0), 0.0), 8.0) / 8.0
    np.testing.assert_allclose(stiffness(run, "LeftArm"), expected, atol=1e-9)


def test_a_muscle_that_begins_to_work_does_not_jolt() -> None:
    """A limp arm that is taken up again hangs far from its clip by then."""
    run = session()
    run.set_mode("walker", ("left_upper_arm",), Mode.PASSIVE)
    run.run(20)
    checkpoint = run.save()
    run.set_mode("walker", ("left_upper_arm",), Mode.TORQUE)
    run.run(20)
    rise = stiffness(run, "LeftArm")[20:]
    np.testing.assert_allclose(rise, np.minimum(np.arange(1.0, 21.0) * run.clock.tick / 0.2, 1.0), atol=1e-9)
    assert (stiffness(run, "RightArm") == 1.0).all()
    whole = bits(run.recording())
    run.restore(checkpoint)
    run.set_mode("walker", ("left_upper_arm",), Mode.TORQUE)
    run.run(20)
    assert bits(run.recording()) == whole


def test_a_ball_is_thrown_at_its_time_and_said_so() -> None:
    run = session(Ball(name="ball", position=(0.0, 5.0, 4.0), velocity=(1.0, 0.5, 2.0), time=0.4))
    recording = run.run(60)
    at = int(run.world.model.joint("ball").qposadr[0])
    places, times = recording.positions[:, at : at + 3], recording.times
    thrown = [event for event in recording.events if event.kind == "thrown"]
    assert [(event.time, event.subject) for event in thrown] == [(pytest.approx(0.4), "ball")]
    held = times <= 0.4 + 1e-9
    assert np.abs(places[held] - [0.0, 5.0, 4.0]).max() < 1e-9
    t = times[~held] - 0.4
    h = run.clock.substep
    flown = np.stack([t, 5.0 + 0.5 * t, 4.0 + 2.0 * t - 0.5 * 9.81 * t * (t + h)], axis=1)
    assert np.abs(places[~held] - [0.0, 0.0, 0.0] - flown).max() < 1e-9


def test_changing_modes_midway_keeps_the_numbers() -> None:
    run = session(*PROPS)
    run.run(20)
    before = run.world.state()
    run.set_mode("walker", ("spine",), Mode.TORQUE)
    after = run.world.state()
    assert before.positions.tobytes() == after.positions.tobytes()
    assert before.velocities.tobytes() == after.velocities.tobytes()
    spine, layout = run.characters["walker"].plan.index("Spine"), run.world.layout("walker")
    dof = layout.velocities.start + 3 + 3 * spine
    assert run.world.cut.mode("walker/Spine") is Mode.TORQUE
    assert run.world.cut.mode("walker/LeftUpLeg") is Mode.MOTION
    run.run(1)
    # No jolt: the muscles start from the torque of the intended motion, so the trunk goes on with its clip.
    intended = run.references[0].trajectory.moment(21 * run.clock.tick).velocities[3 + 3 * spine : 6 + 3 * spine]
    assert np.abs(run.world.data.qvel[dof : dof + 3] - intended).max() < 0.05
    run.run(20)
    run.set_mode("walker", ("spine",), Mode.MOTION)
    run.run(1)
    rows = np.zeros((1, layout.plan.position_count))
    run.references[0].trajectory.rows(np.array([run.count * run.clock.tick]), rows)
    assert np.abs(run.world.data.qpos[layout.positions] - rows[0]).max() < 1e-8


def test_a_runaway_keeps_and_returns_the_good_frames() -> None:
    run = session()
    run.run(10)
    good = bits(run.recording())
    body = run.characters["walker"].plan.index("LeftHand")
    layout = run.world.layout("walker")
    run.world.data.qvel[layout.velocities.start + 3 + 3 * body] = np.nan
    with pytest.raises(Divergence, match="body 'walker/LeftHand'") as caught:
        run.run()
    assert caught.value.time == pytest.approx(11 * run.clock.tick)
    recording = run.recording()
    assert bits(recording) == good
    assert len(recording) == 10
    assert np.isfinite(recording.positions).all()
    assert len(run.result("walker")) == 11
    assert not list(Path.cwd().glob("MUJOCO_LOG.TXT"))


def test_muscles_at_their_limit_are_reported_once() -> None:
    run = session()
    run.run(5)
    heavy = run.references[0]
    heavy.strengths[heavy.plan.index("LeftArm")] = 0.05
    run.run(10)
    said = [event for event in run.recording().events if event.kind == "saturated"]
    assert [event.subject for event in said].count("walker/LeftArm") == 1
    assert said[0].time > 5 * run.clock.tick


def test_a_muscle_that_trembles_at_its_limit_is_told_once_from_when_to_when() -> None:
    run = session()
    plan = run.characters["walker"].plan
    strong, arm, strengths = plan.strengths.copy(), plan.index("LeftArm"), run.references[0].strengths
    states = []
    for weak in [0] * 5 + [1, 0] * 4 + [1] * 5 + [1, 1, 1, 0, 0] * 3 + [0] * 20:
        strengths[arm] = 0.05 if weak else strong[arm]
        states.append(run.save())
        run.tick()
    events = [event for event in run.recording().events if event.subject == "walker/LeftArm"]
    times = run.recording().times
    assert [(event.kind, event.time) for event in events] == [("saturated", times[14]), ("eased", times[32])]
    run.restore(states[36])
    told = run.recording().events
    assert [event.kind for event in told if event.subject == "walker/LeftArm"] == ["saturated"]
    plan.strengths[arm] = strong[arm]
    run.run(len(states) - 36)
    assert run.recording().events == tuple(events), "going back remembers it"


def test_torques_are_recorded_and_hold_the_arms_up() -> None:
    run = session(tension=Tension(frequency=1.0))
    recording = run.run()
    layout, plan = run.world.layout("walker"), run.characters["walker"].plan
    torques = recording.torques[:, layout.velocities]
    arm = slice(3 + 3 * plan.index("LeftArm"), 6 + 3 * plan.index("LeftArm"))
    spine = slice(3 + 3 * plan.index("Spine"), 6 + 3 * plan.index("Spine"))
    assert np.abs(torques[:, arm]).max() > 1.0
    assert not torques[:, spine].any()
    # Undisturbed, the muscles do what inverse dynamics asks for.
    actor = run.references[0]
    for tick in (20, 40, 60):
        asked = actor.dynamics.inverse(*actor.trajectory.moment((tick - 0.5) * run.clock.tick))
        assert torques[tick - 1, arm] == pytest.approx(asked[arm], abs=0.7)


def test_two_characters_meet_in_one_world() -> None:
    clip = human_clip()
    beside = clip.with_motion(clip.rotations, clip.translations + np.array([0.0, 0.6, 0.0]))
    characters = {"a": walker(clip), "b": walker(beside)}
    run = Session(characters, SceneSpec(floor=None))
    recording = run.run()
    for name in ("a", "b"):
        frames = body_frames(characters[name].plan, generalized_from_clip(characters[name].plan, characters[name].clip))
        got = body_frames(characters[name].plan, recording.positions[:, run.world.layout(name).positions])
        assert np.abs(got.positions[:, 0] - frames.positions[:, 0]).max() < 1e-9
    pairs = {tuple(recording.geom_names[g].split("/")[0] for g in pair) for pair in recording.contacts.pairs}
    assert ("a", "b") in pairs


def test_the_floor_is_where_the_clip_stood() -> None:
    low = human_clip()
    raised = low.with_motion(low.rotations, low.translations + np.array([0.0, 0.0, 1.3]))
    assert walker(raised).floor == pytest.approx(walker(low).floor + 1.3, abs=1e-9)
    assert Session({"w": walker(raised)}).setting.floor == pytest.approx(walker(raised).floor)


def test_progress_is_told_and_frames_carry_timings() -> None:
    run, told = session(), []
    frame = run.tick()
    assert frame.tick == 0
    assert frame.timings.total == pytest.approx(sum(frame.timings))
    assert min(frame.timings) >= 0.0
    run.run(progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 89), (50, 89)]
    assert run.count == run.tick_count == 90
    assert len(run.run()) == 90, "nothing is left to play"


def test_what_a_session_cannot_do_is_refused() -> None:
    with pytest.raises(InputError, match="at least one character"):
        Session({})
    with pytest.raises(InputError, match="unknown character 'dog'; known: walker"):
        session().result("dog")
    with pytest.raises(InputError, match="unknown joint or role 'tail'"):
        session(anchors=("tail",))
    with pytest.raises(InputError, match="unknown joint or role 'tail'"):
        session().set_mode("walker", ("tail",), Mode.PASSIVE)


def test_a_clip_with_a_stray_rest_frame_keeps_its_length() -> None:
    clip = human_clip()
    rotations = np.array(clip.rotations)
    rotations[0] = quat.IDENTITY
    odd = clip.with_motion(rotations, clip.translations)
    run = session(clip=odd)
    assert run.characters["walker"].prepared.skipped == 1
    run.run()
    result = run.result("walker")
    assert len(result) == len(odd)
    assert np.array_equal(result.rotations[0], odd.rotations[0])


def test_the_tick_is_a_recipe_of_at_most_eighty_lines() -> None:
    assert len(Path(poise.runtime.tick.__file__).read_text(encoding="utf-8").splitlines()) <= 80


def test_a_fast_motion_stays_on_its_drive() -> None:
    def spinning(time: float) -> dict[str, np.ndarray]:
        turn = {"Hips": np.array([0.0, 0.0, 9.0 * time]), "LeftUpLeg": np.array([0.0, -1.0, 0.0]) * np.sin(12.0 * time)}
        return walking(time) | turn

    run = session(clip=human_clip(motion=spinning), cutoff=None)
    run.run()
    result, prepared = run.result("walker"), run.characters["walker"].clip
    legs = [name for name in prepared.skeleton.names if name.endswith(("Hips", "Leg", "Foot"))]
    assert worst_angle(result, prepared, legs) < 1e-6


def coupled(mode: Coupling) -> Session:
    """Someone in the air whose arms swing as in a walk and whose trunk is free."""
    options = CharacterOptions(anchors=(), coupling=CouplingOptions(mode=mode), self_contact=False)
    walker = Character.from_clip(loop(read_clip(clip_path("walk")), 1), options)
    session = Session({"walker": walker}, SceneSpec(floor=None, gravity=0.0))
    modes = np.full(len(walker.plan), int(Mode.PASSIVE))
    for root in walker.plan.with_role("left_upper_arm", "right_upper_arm"):
        modes[list(walker.plan.subtree(root))] = int(Mode.MOTION)
    assign_modes(session, modes)
    return session


def test_a_session_couples_limbs_as_its_character_says() -> None:
    spun = {}
    for mode in (Coupling.EXACT, Coupling.COMPOSITE, Coupling.NONE):
        session = coupled(mode)
        session.run(20)
        spun[mode] = session.world.data.qvel[3:6].copy()
    exact = spun[Coupling.EXACT]
    assert np.abs(spun[Coupling.COMPOSITE] - exact).max() < 1e-6
    assert np.abs(spun[Coupling.NONE] - exact).max() > 1e-2


def test_going_back_with_a_coupling_plays_the_same_again() -> None:
    session = coupled(Coupling.COMPOSITE)
    session.run(5)
    saved = session.save()
    first = session.run(5).positions
    session.restore(saved)
    assert np.allclose(session.run(5).positions, first, atol=1e-12)


def test_muscles_that_do_not_work_are_recorded_with_no_stiffness() -> None:
    walker = Character.from_clip(read_clip(clip_path("walk")), CharacterOptions(anchors=()))
    recording = Session({"walker": walker}).run(3)
    assert not recording.stiffness.any()
    assert Session({"walker": Character.from_clip(walker.prepared.source)}).run(3).stiffness.any()
