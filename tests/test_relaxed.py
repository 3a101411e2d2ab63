"""Arms that let go of their load hang and drag; nothing else changes, and they stay within their ranges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.coordinates import body_frames
from poise.body.limits import anatomical, swing_twist_angles
from poise.cli.preflight import check_run
from poise.cli.request import RunRequest, scene_for
from poise.control import Tension
from poise.control.relaxed import ahead, relaxed
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion import loop
from poise.reproductions.compliant.hanging import hang, hangs
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes import named_scene, read_scene
from poise.signals import Target
from poise.world import SceneSpec

ARM = ("left_upper_arm", "left_forearm", "left_hand", "right_upper_arm", "right_forearm", "right_hand")


def playing(clip: str, relax: float, cycles: int = 2) -> Session:
    tension = Tension(relax=relax)
    who = Character.from_clip(loop(read_clip(clip_path(clip)), cycles), CharacterOptions(tension=tension))
    return Session({"who": who}, SceneSpec(floor=who.floor))


def lag(session: Session, ticks: int | None = None) -> float:
    """Farthest of a hand from where it is meant to be [m]."""
    recording, plan = session.run(ticks), session.references[0].plan
    hands = plan.with_role("left_hand", "right_hand")
    columns = session.layouts[0].positions
    real, meant = (
        body_frames(plan, rows[:, columns]).positions[:, hands] for rows in (recording.positions, recording.kinematic)
    )
    return float(np.linalg.norm(real - meant, axis=-1).max())


def test_limp_arms_hang_by_their_weight_and_stiff_ones_stay_where_they_are() -> None:
    sagged = [90.0 - hang(90.0, share) for share in (0.0, 0.5, 0.9, 1.0)]
    assert abs(sagged[0]) < 0.1
    assert 5.0 < sagged[1] < 20.0
    assert 45.0 < sagged[2] < 65.0
    assert sagged[3] > 78.0


@pytest.mark.parametrize(("clip", "least"), [("walk", 0.1), ("run", 0.3)])
def test_arms_drag_behind_a_walk_and_a_run_by_more_the_more_they_let_go(clip: str, least: float) -> None:
    lags = [lag(playing(clip, share)) for share in (0.0, 0.5, 1.0)]
    assert lags[0] < 0.01
    assert 0.05 < lags[1] < lags[2]
    assert lags[2] > least


@pytest.mark.parametrize("relax", [0.5, 1.0])
def test_limp_arms_stay_within_their_ranges(relax: float) -> None:
    session = playing("run", relax, cycles=4)
    recording, plan = session.run(), session.references[0].plan
    rows = recording.positions[:, session.layouts[0].positions]
    assert np.isfinite(rows).all()
    worst = 0.0
    for body in plan.with_role(*ARM):
        angles = swing_twist_angles(anatomical(rows[:, 3 + 4 * body : 7 + 4 * body], plan.neutral[body]))
        beyond = np.maximum(angles - plan.limits[body].upper, plan.limits[body].lower - angles)
        worst = max(worst, float(np.degrees(beyond.max())))
    assert worst < 3.0


def test_only_arms_let_go() -> None:
    session = playing("walk", 1.0)
    session.run(5)
    reference = session.references[0]
    let_go = [reference.plan.body_roles[muscle + 1] for muscle in np.flatnonzero(reference.relaxed)]
    assert sorted(filter(None, let_go)) == sorted(ARM)
    assert (reference.relaxed[reference.relaxed > 0.0] == 1.0).all()


def test_arms_sink_and_come_back_when_it_is_changed_in_mid_run() -> None:
    session = playing("run", 0.0, cycles=4)
    assert lag(session, 20) < 0.01
    session.set("who", "tension.relax", 1.0)
    session.run(15)
    assert session.references[0].state.relax == pytest.approx(2.0 * 15 * session.clock.tick), "2 a second, no jump"
    assert lag(session, 45) > 0.2
    session.set("who", "tension.relax", 0.0)
    session.run(60)
    hands = session.references[0].plan.with_role("left_hand", "right_hand")
    columns = session.layouts[0].positions
    last = session.recording()
    real, meant = (
        body_frames(session.references[0].plan, rows[-1:, columns]).positions[0, hands]
        for rows in (last.positions, last.kinematic)
    )
    assert np.linalg.norm(real - meant, axis=-1).max() < 0.01


def test_a_hand_that_reaches_puts_its_limp_arm_to_work_and_the_other_hangs() -> None:
    scene = named_scene("wall_slide")
    (who,) = scene.characters.values()
    limp = replace(who, options=replace(who.options, tension=Tension(relax=1.0)))
    session = replace(scene, characters=dict.fromkeys(scene.characters, limp)).session()
    plan, columns, reference = who.plan, session.layouts[0].positions, session.references[0]
    hands = np.array(plan.with_role("left_hand", "right_hand"))
    let_go, away = [], []
    for _ in range(120):
        session.tick()
        let_go.append(reference.relaxed[hands - 1])
        rows = np.stack([session.world.positions[columns], reference.kinematic])
        real, meant = body_frames(plan, rows).positions[:, hands]
        away.append(np.linalg.norm(real - meant, axis=1))
    (left, right), (reaches, hangs) = np.transpose(let_go), np.transpose(away)
    assert left[0] > 0.9, "until it sees the wall"
    assert (left[-90:] == 0.0).all(), "as long as it is there"
    assert (right == 1.0).all()
    assert np.median(reaches[-90:]) < 0.03
    assert hangs[-90:].max() > 0.1


def test_what_is_left_of_a_target_is_the_share_that_is_carried() -> None:
    rng = np.random.default_rng(3)
    target = Target(
        rng.normal(size=(2, 3, 4)),
        rng.normal(size=(3, 3)),
        np.full(3, 400.0),
        np.full(3, 20.0),
        rng.normal(size=(3, 3)),
        np.ones(3),
    )
    left = relaxed(target, np.array([0.0, 0.5, 1.0]), np.full(3, 0.25), np.full(3, 1.0))
    assert np.allclose(left.stiffness, [400.0, 110.25, 1.0]), "roots 20, 10.5 and 1"
    assert np.allclose(left.damping, [20.0, 10.4, 0.8]), "1.6 · √(1 · 0.25) = 0.8 without muscles"
    assert np.allclose(left.load, target.load * [[1.0], [0.5], [0.0]])
    assert np.allclose(left.velocity, target.velocity * [[1.0], [0.5], [0.0]])


def test_what_is_ahead_is_where_a_joint_gets_at_its_speed() -> None:
    now = np.tile(quat.IDENTITY, (2, 1))
    later = ahead(now, np.array([[0.0, 3.0, 0.0], [0.0, 3.0, 0.0]]), np.array([True, False]), 0.1)
    assert np.allclose(later[0], [np.cos(0.15), 0.0, np.sin(0.15), 0.0])
    assert np.array_equal(later[1], now[1])


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_outside_0_to_1_is_refused(share: float, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tension\.relax: must be a number from 0 to 1; got"):
        Tension(relax=share)
    file = tmp_path / "scene.yaml"
    file.write_text(f"characters: {{walker: {{clip: 'shipped:walk', relax: {share}}}}}")
    with pytest.raises(InputError, match=r"characters.walker.relax"):
        read_scene(file)


def test_a_scene_file_says_it_of_each_character(tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(
        "characters:\n  a: {clip: 'shipped:walk', relax: 0.7, tension: {frequency: 4}}\n"
        "  b: {clip: 'shipped:walk', at: [4, 0]}\n"
        "  c: {clip: 'shipped:walk', at: [8, 0], tension: {relax: 0.4}}"
    )
    assert {name: who.options.tension.relax for name, who in read_scene(file).characters.items()} == {
        "a": 0.7,
        "b": 0.0,
        "c": 0.4,
    }
    assert read_scene(file).characters["a"].options.tension == Tension(frequency=4.0, relax=0.7)
    file.write_text("characters: {a: {clip: 'shipped:walk', relax: 0.7, tension: {relax: 0.4}}}")
    with pytest.raises(InputError, match=r"characters\.a\.relax: is short for tension\.relax, which is stated, too"):
        read_scene(file)


def test_the_command_line_says_it_of_a_clip() -> None:
    scene = scene_for(RunRequest(relax=0.6, props=False), str(clip_path("walk")))
    assert [who.options.tension.relax for who in scene.characters.values()] == [0.6]
    with pytest.raises(InputError, match="--relax"):
        check_run(RunRequest(given=frozenset({"relax"}), relax=0.6), ["garden"])


def test_the_row_about_limp_arms_falls_where_they_carry_their_load() -> None:
    row = hangs.row(ablate=True)
    assert row.holds
    assert row.fails_without
