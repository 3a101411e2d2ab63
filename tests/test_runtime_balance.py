"""Standing, being pushed, stepping, falling, holding on to the ground: the balance stage on the shipped character."""

from dataclasses import replace

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.balance import Balance, BalanceOptions, Recovery
from poise.behaviors.balance.at_ease import at_ease
from poise.behaviors.push import Push
from poise.behaviors.switching import Handover, Switching
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.layout import turn_columns
from poise.characters.gesture_clips import gesturing
from poise.errors import InputError
from poise.gesture import Clapping, TempoMap
from poise.io import read_clip
from poise.motion.edit import loop
from poise.report.contact_summary import find_contacts
from poise.reproductions.vanwelbergen2009.standing import NAME, Stood, stand, swings
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes.mixed import SWING, TRUNK, arm_swing, upper_body
from poise.signals import Mode
from poise.world import SceneSpec


def kinds(stood: Stood) -> list[str]:
    return [event.kind for event in stood.events]


@pytest.mark.parametrize("law", ["capture", "published"])
def test_a_body_stands_still(law: str) -> None:
    run = stand(1.5, BalanceOptions(law=law))  # type: ignore[arg-type]
    assert np.abs(run.away[-1]).max() < (1e-3 if law == "capture" else 0.03)
    assert np.abs(run.feet[-1] - run.feet[0]).max() < 0.03
    assert kinds(run) == []


def test_arms_are_kinematic_and_felt() -> None:
    run = stand(3.0, movement=gesturing(replace(SWING, begin=1.0)))
    layout = run.session.world.layout(NAME)
    arm = run.balance.body.plan.with_role("left_upper_arm")[0]
    assert run.session.world.cut.modes[layout.joints][arm] == Mode.MOTION
    at = slice(layout.positions.start + 3 + 4 * arm, layout.positions.start + 7 + 4 * arm)
    assert np.abs(run.recording.positions[:, at] - run.recording.kinematic[:, at]).max() < 1e-9
    assert np.ptp(run.pelvis[:, 0]) > 0.01


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_push_is_answered_by_a_step_to_where_the_body_falls(way: float) -> None:
    run = stand(4.0, behaviors=[Push((400.0 * way, 0.0, 0.0), 0.5)])
    assert kinds(run) == ["pushed", "stepped", "landed"]
    stepped = way * (run.feet[-1, :, 0] - run.feet[0, :, 0])
    assert stepped.max() > 0.15 > 0.05 > stepped.min()
    assert np.linalg.norm(run.away[-1]) < 0.02


@pytest.mark.parametrize("degrees", [120.0, 145.0, 215.0, 230.0])
def test_a_slanting_push_from_the_front_takes_two_steps_at_most(degrees: float) -> None:
    way = np.radians(degrees)
    run = stand(5.0, behaviors=[Push((400.0 * np.cos(way), 400.0 * np.sin(way), 0.0), 0.5)])
    assert kinds(run) in (["pushed", "stepped", "landed"], ["pushed", *["stepped", "landed"] * 2])
    assert np.linalg.norm(run.away[-1]) < 0.02


def test_without_steps_the_same_push_is_a_fall_and_muscles_let_go() -> None:
    run = stand(3.0, BalanceOptions(steps=0), behaviors=[Push((600.0, 0.0, 0.0), 0.5)])
    assert kinds(run) == ["pushed", "fell"]
    assert run.balance.phase == "fallen"
    assert not (run.session.world.cut.modes == Mode.MOTION).any()
    assert run.pelvis[-1, 2] < 0.3
    assert run.session.references[0].stiffness.max() < 40.0


@pytest.mark.parametrize("feet", ["glued", "planted"])
def test_held_feet_do_not_move(feet: str) -> None:
    run = stand(2.5, BalanceOptions(feet=feet), behaviors=[Push((0.0, 150.0, 0.0), 0.5)])  # type: ignore[arg-type]
    assert np.linalg.norm(run.feet[-1] - run.feet[0], axis=1).max() < 1e-3


def test_planted_feet_are_let_go_for_a_step() -> None:
    run = stand(3.0, BalanceOptions(feet="planted"), behaviors=[Push((400.0, 0.0, 0.0), 0.5)])
    assert kinds(run) == ["pushed", "stepped", "landed"]
    landed = round(2.0 / run.session.clock.tick)
    assert np.abs(run.feet[-1] - run.feet[landed]).max() < 2e-3


def test_going_back_restores_a_step_under_way() -> None:
    run = stand(0.5)
    session = run.session
    push = Push((400.0, 0.0, 0.0), 0.5)
    session.add_behavior(session.references[0].name, push)
    session.run(12)
    assert run.balance.phase == "stepping"
    saved = session.save()
    first = session.run(30).positions[-1]
    session.restore(saved)
    assert np.array_equal(session.run(30).positions[-1], first)


def test_welds_must_be_in_the_setting_and_options_in_range() -> None:
    scene = arm_swing()
    with pytest.raises(InputError, match="weld"):
        Session(scene.characters, scene.setting, behaviors={"swinger": [Balance(BalanceOptions(feet="glued"))]})
    with pytest.raises(InputError, match="multiplier"):
        BalanceOptions(multiplier=0.0)
    with pytest.raises(InputError, match="push"):
        Push((1.0, 2.0), 0.0)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(("feet", "most"), [("glued", 0.001), ("planted", 0.01)])
def test_held_feet_keep_their_place_for_ten_minutes(feet: str, most: float) -> None:
    run = stand(600.0, BalanceOptions(feet=feet), movement=swings)  # type: ignore[arg-type]
    assert np.linalg.norm((run.feet[60:] - run.feet[60])[..., :2], axis=-1).max() < most


@pytest.mark.slow
def test_an_hour_on_friction_alone() -> None:
    session = stand(20.0, movement=swings).session
    balance = session.behaviors[0]
    assert isinstance(balance, Balance)
    start = balance.carriage.positions[balance.body.legs[:, 2], :2].copy()
    for _ in range(180):
        # The arms are at rest where the clip ends and begins.
        session.state.count = 0
        session.recorder.rewind(0)
        for _ in range(session.tick_count):
            session.tick()
    assert balance.phase == "standing"
    assert np.linalg.norm(balance.carriage.positions[balance.body.legs[:, 2], :2] - start, axis=1).max() < 0.05


def stopped(
    start: float, recovery: Recovery | None = None, *, rests: float = 0.9, waits: float = 1.2
) -> tuple[Session, Balance]:
    """The shipped walker, taken over from a time on [s]."""
    clip = loop(read_clip(clip_path("walk")), 3)
    walker = Character.from_clip(clip, CharacterOptions(anchors=(), tension=TRUNK, self_contact=False))
    options = BalanceOptions(start=start, rests=rests, waits=waits, recovery=recovery or Recovery())
    balance = Balance(options)
    session = Session({"walker": walker}, SceneSpec(floor=walker.floor), behaviors={"walker": [balance]})
    session.run()
    return session, balance


def begun(session: Session) -> tuple[int, BodyFrames]:
    """The state in which it was taken over, and where its bodies are in all."""
    recording = session.recording()
    time = next(event.time for event in recording.events if event.kind == "balances")
    return round(time / recording.tick), body_frames(session.characters["walker"].plan, recording.positions)


@pytest.mark.parametrize("start", [0.95, 1.1, 1.2, 1.35, 1.5])
def test_a_walker_stops_alike_whenever_it_is_told_to(start: float) -> None:
    session, balance = stopped(start)
    recording, plan = session.recording(), session.characters["walker"].plan
    assert [event.kind for event in recording.events if event.kind in ("stepped", "landed", "fell")] == ["landed"]
    state, frames = begun(session)
    feet, pelvis = balance.body.legs[:, 2], frames.positions[state:, 0, 2]
    ahead = frames.positions[-1, feet[0]] - frames.positions[-1, feet[1]]
    # No lunge, no foot far ahead of the other, no stamp.
    assert pelvis.min() > 0.95 * pelvis[0]
    assert abs(ahead[0]) < 0.2
    most = max(touch.strength for touch in find_contacts(session))
    assert most < 2.5 * 9.81 * plan.total_mass


def test_the_step_under_way_is_finished_before_a_walker_is_taken_over() -> None:
    for share in (0.42, 0.6):
        session, balance = stopped(1.1, Recovery(down=share))
        state, frames = begun(session)
        tick, feet = session.clock.tick, balance.body.legs[:, 2]
        speeds = np.linalg.norm(np.diff(frames.positions[: state + 1], axis=0), axis=2) / tick
        whole = np.linalg.norm(np.diff(frames.positions[: state + 1, 0, :2], axis=0), axis=1) / tick
        front = feet[int(np.argmax(frames.positions[state, feet, 0]))]
        assert speeds[-2, front] > 0.85 * share * whole[-2]
        assert speeds[-1, front] < 1.15 * share * whole[-1]
    session, _ = stopped(1.1, waits=0.05)
    assert begun(session)[0] * session.clock.tick == pytest.approx(1.15, abs=0.02)


def test_the_foot_behind_is_brought_after_a_walker_who_goes_faster_than_it_may() -> None:
    times = []
    for recovery in (Recovery(swift=1.2), Recovery(swift=3.0), Recovery(walks=3.0)):
        session, _ = stopped(1.1, recovery)
        landed = [event.time for event in session.recording().events if event.kind == "landed"]
        times.append(min(landed, default=np.inf) - begun(session)[0] * session.clock.tick)
    assert times[1] < times[0] - 0.05 < 0.4 < 0.6 < times[2]


@pytest.mark.parametrize("rests", [0.5, 1.2])
def test_arms_trunk_and_head_come_to_rest_with_the_feet(rests: float) -> None:
    session, _ = stopped(1.1, rests=rests)
    state, _ = begun(session)
    recording, plan = session.recording(), session.characters["walker"].plan
    joints = [body for role in ("left_upper_arm", "right_forearm", "head") for body in plan.with_role(role)]
    kept = recording.kinematic[:, turn_columns(joints)]
    speed = np.abs(np.diff(kept, axis=0)).max(axis=1) / session.clock.tick
    rest = state + round(rests / session.clock.tick)
    assert speed[rest + 1 :].max() < 1e-9 < 0.01 < speed[rest - 12 : rest - 6].max()
    assert np.abs(kept[-1] - at_ease(plan)[turn_columns(joints)]).max() < 1e-6
    # As fast as they were when they set out.
    assert np.abs(speed[state] - speed[state - 1]) < 0.15 * speed[: state + 1].max()


def test_who_begins_to_stand_stays_where_the_clip_has_them() -> None:
    for movement in (None, gesturing(SWING), gesturing(Clapping(tempo=TempoMap.from_beats([0.2, 0.8]), count=2))):
        run = stand(0.1, movement=movement)
        assert np.abs(run.recording.positions[0] - run.recording.source[0]).max() < 1e-4


def test_a_walker_stops_on_its_own_feet_and_is_given_back_to_its_clip() -> None:
    clip = loop(read_clip(clip_path("walk")), 3)
    options = CharacterOptions(anchors=(), tension=TRUNK, self_contact=False)
    walker = Character.from_clip(clip, options)
    balance = Balance(BalanceOptions(start=1.2))
    back = Switching([Handover(time=2.5, joints=("pelvis",), to="motion", fade=0.6)])
    session = Session({"walker": walker}, SceneSpec(floor=walker.floor), behaviors={"walker": [balance, back]})
    recording = session.run()
    told = [event.kind for event in recording.events if event.kind not in ("saturated", "eased")]
    assert told == ["balances", "landed", "follows the clip"]
    x, times = recording.positions[:, 0], recording.times
    stood = (times > 2.2) & (times < 2.5)
    assert np.ptp(x[stood]) < 0.05 < np.ptp(recording.source[stood, 0])
    assert np.abs(recording.positions[times < 1.2] - recording.source[times < 1.2]).max() < 1e-9
    assert np.abs(recording.positions[times > 3.15] - recording.source[times > 3.15]).max() < 1e-6


def test_who_begins_in_the_middle_of_a_movement_goes_on_with_it() -> None:
    """A trunk that had to be set in motion first lagged behind by 4.6 mm in the first tick."""
    session = upper_body().session()
    recording, layout = session.run(1), session.layouts[0]
    rows = (getattr(recording, each)[1:, layout.positions] for each in ("positions", "source"))
    real, meant = (body_frames(layout.plan, each).positions for each in rows)
    assert np.linalg.norm(real - meant, axis=2).max() < 2.5e-3
