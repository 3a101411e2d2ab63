"""The blend weight per bone: what comes out between animation and physics."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.coordinates import generalized_from_clip
from poise.characters.blend_weights import blend_weights
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.report.export import write_recording
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes import read_scene, thrown_at
from poise.world.scene import SceneSpec

ARM = ("left_upper_arm", "left_forearm", "left_hand")


@cache
def walker(*blend: tuple[str, float]) -> Character:
    return Character.from_clip(read_clip(clip_path("walk")), CharacterOptions(blend=dict(blend) or None))


def hit(who: Character) -> Session:
    """The left arm is hit by a ball."""
    ball = thrown_at(who, "ball", time=0.4, side=1.0)
    return Session({"walker": who}, SceneSpec(props=(ball,), floor=who.floor))


def joints(session: Session, rows: np.ndarray) -> np.ndarray:
    """Joint coordinates of a skeleton, shape (N+1, B, 4)."""
    return np.asarray(rows[:, session.world.layout("walker").positions][:, 3:].reshape(len(rows), -1, 4))


def test_physical_is_the_default_to_the_bit() -> None:
    plain, one = hit(walker()), hit(walker(("pelvis", 1.0)))
    first, second = plain.run(), one.run()
    assert first.output is first.positions
    np.testing.assert_array_equal(first.output, second.output)
    np.testing.assert_array_equal(plain.result("walker").rotations, one.result("walker").rotations)


def test_physics_does_not_know() -> None:
    blended = hit(walker(("left_upper_arm", 0.0), ("pelvis", 0.5)))
    recording, plain = blended.run(), hit(walker()).run()
    np.testing.assert_array_equal(recording.positions, plain.positions)
    np.testing.assert_array_equal(recording.contacts.impulse, plain.contacts.impulse)


def test_zero_exports_the_animation_and_one_the_physics() -> None:
    who = walker(("left_upper_arm", 0.0))
    session, plan = hit(who), who.plan
    recording = session.run()
    out, meant, real = (joints(session, rows) for rows in (recording.output, recording.kinematic, recording.positions))
    left, right = list(plan.with_role(*ARM)), plan.with_role("right_upper_arm")[0]
    assert np.degrees(quat.angle_between(meant, real))[:, left].max() > 5.0
    np.testing.assert_array_equal(out[:, left], meant[:, left])
    np.testing.assert_array_equal(out[:, right], real[:, right])
    result, source = session.result("walker"), who.prepared.source
    np.testing.assert_array_equal(result.rotations[:, plan.joints[left]], source.rotations[:, plan.joints[left]])
    np.testing.assert_array_equal(result.rotations[:, plan.joints[right]], source.rotations[:, plan.joints[right]])
    plain = hit(walker())
    plain.run()
    assert (plain.result("walker").rotations[:, plan.joints[left]] != source.rotations[:, plan.joints[left]]).any()


def test_half_is_half_the_angle_and_names_below_take_over() -> None:
    who = walker(("left_upper_arm", 0.5), ("left_hand", 1.0))
    session, plan = hit(who), who.plan
    recording = session.run()
    out, meant, real = (joints(session, rows) for rows in (recording.output, recording.kinematic, recording.positions))
    for role in ("left_upper_arm", "left_forearm"):
        body = plan.with_role(role)[0]
        whole, part = (quat.angle_between(meant[:, body], rows[:, body]) for rows in (real, out))
        assert whole.max() > np.radians(3.0)
        np.testing.assert_allclose(part, 0.5 * whole, atol=1e-7)
        np.testing.assert_allclose(quat.angle_between(out[:, body], real[:, body]), 0.5 * whole, atol=1e-7)
    hand = plan.with_role("left_hand")[0]
    np.testing.assert_array_equal(out[:, hand], real[:, hand])
    forearm = plan.with_role("left_forearm")[0]
    exported = generalized_from_clip(plan, session.result("walker"))[:, 3 + 4 * forearm : 7 + 4 * forearm]
    every = session.clock.ticks_per_frame
    away = quat.angle_between(exported, out[::every, forearm])
    pushed = quat.angle_between(meant[::every, forearm], out[::every, forearm]) > np.radians(1.5)
    assert pushed.any()
    np.testing.assert_allclose(away[pushed], 0.0, atol=1e-6)
    assert away.max() < np.radians(1.5), "where nothing happened there is the source"


def test_the_pelvis_is_blended_in_place_and_turn() -> None:
    plan = walker().plan
    weights = blend_weights(plan, {"pelvis": 0.25, "spine": 1.0})
    session = hit(walker(("pelvis", 0.25), ("spine", 1.0)))
    rng = np.random.default_rng(1)
    count = len(session.world.data.qpos)
    real, meant = rng.normal(size=(2, 3, count))
    columns = session.world.layout("walker").positions
    for rows in (real, meant):
        turns = quat.normalize(rows[:, columns][:, 3:].reshape(3, -1, 4))
        rows[:, columns.start + 3 : columns.stop] = turns.reshape(3, -1)
    out = session.blends.output(real, meant)
    place = columns.start + np.arange(3)
    np.testing.assert_allclose(out[:, place], 0.75 * meant[:, place] + 0.25 * real[:, place])
    meant_turn, turn = joints(session, meant)[:, 0], joints(session, out)[:, 0]
    angle = quat.angle_between(meant_turn, joints(session, real)[:, 0])
    np.testing.assert_allclose(quat.angle_between(meant_turn, turn), 0.25 * angle, atol=1e-7)
    assert weights[plan.with_role("head")[0]] == 1.0
    assert weights[plan.with_role("left_foot")[0]] == 0.25


def test_weights_change_while_it_runs_and_are_restored() -> None:
    session = hit(walker())
    session.run(30)
    session.set_blend("walker", {"left_upper_arm": 0.0})
    saved = session.save()
    body = walker().plan.with_role("left_upper_arm")[0]
    for attempt in range(2):
        frame = session.tick()
        np.testing.assert_array_equal(
            joints(session, frame.output[None])[0, body], joints(session, frame.kinematic[None])[0, body]
        )
        session.set_blend("walker", {})
        last = session.tick()
        np.testing.assert_array_equal(last.output, last.state.positions)
        recording = session.recording()
        np.testing.assert_array_equal(recording.output[:31], recording.positions[:31])
        np.testing.assert_array_equal(recording.output[31], frame.output)
        if attempt == 0:
            session.restore(saved)


def test_the_recording_file_has_both(tmp_path: Path) -> None:
    session = hit(walker(("left_upper_arm", 0.0)))
    recording = session.run()
    write_recording(tmp_path / "run.npz", session)
    with np.load(tmp_path / "run.npz") as arrays:
        np.testing.assert_array_equal(arrays["output"], recording.output)
        np.testing.assert_array_equal(arrays["positions"], recording.positions)
    assert (recording.output != recording.positions).any()


@pytest.mark.parametrize(
    ("blend", "told"),
    [
        ({"left_arm_upper": 0.5}, "left_arm_upper"),
        ({"left_upper_arm": 1.5}, "between 0 (as animated) and 1 (physical); got 1.5"),
        ({"left_upper_arm": float("nan")}, "got nan"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(blend: dict[str, float], told: str) -> None:
    with pytest.raises(InputError) as caught:
        Character.from_clip(read_clip(clip_path("walk")), CharacterOptions(blend=blend))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    session = hit(walker())
    with pytest.raises(InputError):
        session.set_blend("walker", blend)


def test_scene_files_have_it(tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    text = 'characters:\n  walker: {clip: "shipped:walk", blend: {left_upper_arm: %s, left_hand: 1}}\n'
    file.write_text(text % "0.5", encoding="utf-8")
    who = read_scene(file).characters["walker"]
    weights = blend_weights(who.plan, who.options.blend)
    assert [float(weights[who.plan.with_role(role)[0]]) for role in (*ARM, "right_hand")] == [0.5, 0.5, 1.0, 1.0]
    for wrong in ("2", "much"):
        file.write_text(text % wrong, encoding="utf-8")
        with pytest.raises(InputError, match=r"characters\.walker\.blend\.left_upper_arm"):
            read_scene(file)
    file.write_text((text % "0.5").replace("left_hand", "left_fist"), encoding="utf-8")
    with pytest.raises(InputError, match=r"characters\.walker.*left_fist"):
        read_scene(file)
