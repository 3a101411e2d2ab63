"""Scene files that ask for conducting, balance, reaching, switching and coupling of a user's own clips."""

from pathlib import Path

import numpy as np
import pytest

from poise.behaviors.balance import Balance
from poise.behaviors.bounded_drive import Bounded
from poise.behaviors.gesturing import Gesturing
from poise.behaviors.switching import Switching
from poise.body.coordinates import body_frames
from poise.errors import InputError
from poise.hybrid.coupling import Coupling
from poise.scenes import Scene, read_scene, rooted
from poise.signals import Mode


def scene(folder: Path, character: str) -> Scene:
    file = folder / "scene.yaml"
    file.write_text(f'characters:\n  who: {{clip: "shipped:walk", cycles: 3, {character}}}\n', encoding="utf-8")
    return read_scene(file)


def test_arms_conduct_to_beats_of_a_file_beside_the_scene(tmp_path: Path) -> None:
    (tmp_path / "piece.txt").write_text("0.5\n1.1\n1.6\n2.4\n", encoding="utf-8")
    named = scene(tmp_path, "conducting: {beats: piece.txt, per_bar: 4}")
    stated = scene(tmp_path, "conducting: {beats: [0.5, 1.1, 1.6, 2.4]}")
    rows = [each.session().run(90).kinematic for each in (named, stated)]
    np.testing.assert_array_equal(rows[0], rows[1])
    plain = scene(tmp_path, "cutoff: 12").session().run(90)
    arm = named.characters["who"].plan.with_role("right_upper_arm")[0]
    part = slice(3 + 4 * arm, 7 + 4 * arm)
    assert np.abs(rows[0][:, part] - plain.kinematic[:, part]).max() > 0.1
    (made,) = (maker() for maker in named.behaviors["who"])
    assert isinstance(made, Gesturing)


def test_arms_conduct_at_tempos_that_are_asked_for_as_time_comes(tmp_path: Path) -> None:
    made, steady = (scene(tmp_path, f"conducting: {{tempo: [[0, 90]{later}]}}") for later in (", [1.5, 150]", ""))
    first, again, plain = (each.session().run(170).kinematic for each in (made, made, steady))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first[:90], plain[:90])
    assert np.abs(first[120:] - plain[120:]).max() > 0.1
    beating = made.behaviors["who"][0]()
    assert isinstance(beating, Gesturing)
    with pytest.raises(InputError, match=r"who\.conducting: needs either beats or tempo"):
        scene(tmp_path, "conducting: {per_bar: 3}")
    with pytest.raises(InputError, match=r"who\.conducting\.tempo.*1200"):
        scene(tmp_path, "conducting: {tempo: [[0, 5000]]}")


def test_joints_change_hands_when_the_file_says(tmp_path: Path) -> None:
    order = "{time: 0.5, joints: [left_upper_arm], to: motion, fade: 0.2}"
    made = scene(tmp_path, f"switching: [{order}]")
    session = made.session()
    recording = session.run(80)
    arm = made.characters["who"].plan.with_role("left_upper_arm")[0]
    modes = recording.modes[:, session.layouts[0].joints[arm]]
    assert modes[10] == Mode.TORQUE
    assert modes[-1] == Mode.MOTION
    assert isinstance(made.behaviors["who"][0](), Switching)


def test_a_hand_reaches_a_goal_for_a_while_and_follows_its_clip_before_and_after(tmp_path: Path) -> None:
    made = scene(tmp_path, "reaching: [{part: right_hand, at: [1.6, -0.25, 1.45], during: [0.8, 1.6]}]")
    assert isinstance(made.behaviors["who"][0](), Bounded)
    assert rooted(made).characters["who"].options.root == "kinematic"
    session = made.session()
    recording = session.run(200)
    plan, columns = made.characters["who"].plan, session.layouts[0].positions
    hand = plan.with_role("right_hand")[0]
    places, own = (
        body_frames(plan, rows[:, columns]).positions[:, hand] for rows in (recording.positions, recording.source)
    )
    ticks = np.searchsorted(recording.times, [0.75, 1.5, 3.0])
    assert np.linalg.norm(places[ticks] - own[ticks], axis=1)[[0, 2]].max() < 0.05
    assert np.linalg.norm(places[ticks[1]] - (1.6, -0.25, 1.45)) < 0.03


def test_a_bounded_drive_without_goals_follows_its_clip(tmp_path: Path) -> None:
    made = scene(tmp_path, "reaching: []")
    (maker,) = made.behaviors["who"]
    assert isinstance(maker(), Bounded)
    recording = made.session().run(60)
    np.testing.assert_allclose(recording.positions, recording.source, atol=0.01)


@pytest.mark.parametrize(
    ("goals", "problem"),
    [
        (
            "[{part: right_hand, at: [1, 0, 1], during: [2, 1]}]",
            r"who\.reaching: a goal ends after it begins; got 2 to 1 s",
        ),
        (
            "[{part: head, at: [1, 0, 1], during: [0, 2]}, {part: head, at: [1, 0, 1], during: [1, 3]}]",
            "two goals of head at 1 s",
        ),
        ("[{part: knee, at: [1, 0, 1], during: [0, 2]}]", "part"),
    ],
)
def test_goals_that_make_no_sense_are_refused_at_their_place(tmp_path: Path, goals: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        scene(tmp_path, f"reaching: {goals}")


def test_a_walker_stands_from_a_time_on(tmp_path: Path) -> None:
    text = "anchors: [], tension: {frequency: 4, load: gravity}, self_contact: false, balance: {start: 1.2}"
    made = scene(tmp_path, text)
    assert isinstance(made.behaviors["who"][0](), Balance)
    recording = made.session().run(200)
    assert "balances" in {event.kind for event in recording.events}
    assert "fell" not in {event.kind for event in recording.events}


def test_coupling_and_upright_muscles_are_options_of_the_character(tmp_path: Path) -> None:
    made = scene(tmp_path, "coupling: {mode: composite, k: 0.5}, tension: {upright: false}")
    options = made.characters["who"].options
    assert (options.coupling.mode, options.coupling.k) == (Coupling.COMPOSITE, 0.5)
    assert not options.tension.upright


@pytest.mark.parametrize(
    ("character", "told"),
    [
        ("switching: [{time: 1, joints: [left_wing], to: motion}]", r"switching\.0.*left_wing"),
        ("conducting: {beats: [1.0, 0.5]}", r"conducting.*increase"),
        ("conducting: {beats: nowhere.txt}", r"nowhere\.txt"),
        ("conducting: {beats: ../piece.txt}", r"outside the scene file's folder"),
        ("balance: {law: magic}", r"law"),
        ("coupling: {mode: exact, k: 0.5}", r"no k"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(character: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        scene(tmp_path, character)
