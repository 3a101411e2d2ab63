"""Breath and sway: what field studies give, over feet that stay, and nothing where nobody asked for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.breathing import Breathing, BreathingOptions
from poise.behaviors.breathing.rhythm import breath
from poise.behaviors.push import Push
from poise.body.coordinates import body_frames, turn_joint
from poise.characters.character import Character, CharacterOptions
from poise.cli.request import RunRequest, scene_for
from poise.errors import InputError
from poise.ik import Goal, Goals
from poise.io import read_clip
from poise.math import quat
from poise.motion import loop
from poise.runtime import Session
from poise.runtime.record import Recording
from poise.scenes import breathing, named_scene, read_scene
from poise.scenes.bounded import at_ease, settled, standing
from poise.scenes.bounded.person import body, moving, spread_arms
from poise.scenes.people import stander
from poise.world import SceneSpec, Wall

STILL = BreathingOptions(sway=0.0, shift=0.0)
SWAYS = BreathingOptions(depth=0.0, shift=0.0)


def alive(
    who: Character, options: BreathingOptions | None = None, root: str = "kinematic", **setting: object
) -> Session:
    who = replace(who, options=replace(who.options, root=root))
    return Session({"who": who}, SceneSpec(floor=who.floor, **setting), behaviors={"who": [Breathing(options)]})


def away(session: Session, recording: Recording) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far every body is from its clip [m], shape (T, B, 3), and how far it is turned from it [degrees], shape (T, B)."""
    plan, columns = session.references[0].plan, session.layouts[0].positions
    real, clip = (body_frames(plan, rows[:, columns]) for rows in (recording.positions, recording.source))
    return real.positions - clip.positions, np.degrees(quat.angle_between(real.rotations, clip.rotations))


def bodies(*roles: str) -> list[int]:
    return list(body().with_role(*roles))


@pytest.fixture(scope="module")
def swaying() -> tuple[Session, NDArray[np.float64]]:
    session = alive(stander(90.0), SWAYS)
    return session, away(session, session.run())[0]


@pytest.fixture(scope="module")
def breathes() -> tuple[Session, NDArray[np.float64], NDArray[np.float64]]:
    session = alive(stander(60.0), STILL)
    return session, *away(session, session.run())


@pytest.mark.slow
def test_who_stands_sways_by_what_quiet_stance_measures(swaying: tuple[Session, NDArray[np.float64]]) -> None:
    _, far = swaying
    pelvis = far[180:, 0, :2]
    assert np.sqrt((pelvis**2).sum(axis=1).mean()) == pytest.approx(0.005, rel=0.15)
    assert pelvis[:, 0].std() > pelvis[:, 1].std(), "more to and fro than from side to side"
    power = np.abs(np.fft.rfft(pelvis[:, 0] - pelvis[:, 0].mean())) ** 2
    band = np.fft.rfftfreq(len(pelvis), 1.0 / 60.0)
    assert power[(band > 0.15) & (band < 0.55)].sum() > 0.95 * power.sum()
    head = far[180:, bodies("head")[0], 0]
    assert head.std() > 1.4 * pelvis[:, 0].std(), "as a pendulum over the ankles"


def test_feet_stay_where_they_are_under_all_of_it() -> None:
    session = alive(stander(30.0), BreathingOptions(sway=0.01, shift=0.04, every=4.0))
    far, turned = away(session, session.run())
    feet = bodies("left_foot", "right_foot")
    assert np.abs(far[:, feet]).max() < 1e-5
    assert turned[:, feet].max() < 1e-3
    assert np.abs(far[:, 0, 1]).max() > 0.02


def test_a_breath_is_as_long_and_as_deep_as_at_rest(
    breathes: tuple[Session, NDArray[np.float64], NDArray[np.float64]],
) -> None:
    _, far, turned = breathes
    rise = far[:, bodies("left_upper_arm")[0], 2]
    full = (rise[1:-1] > rise[:-2]) & (rise[1:-1] >= rise[2:]) & (rise[1:-1] > 0.002)
    assert 13 <= full.sum() <= 16
    assert rise[1:-1][full].mean() == pytest.approx(0.005, rel=0.15)
    assert rise[1:-1][full].std() > 2e-4, "no two alike"
    assert turned[:, bodies("head")].max() < 0.1, "the head stays level"
    assert np.abs(far[:, bodies("pelvis")]).max() < 1e-6
    assert np.abs(far[:, bodies("left_hand", "right_hand"), 1]).max() < 0.004, "arms hang, they are not spread"


def test_lungs_fill_faster_than_they_empty_and_rest() -> None:
    full = breath(np.linspace(0.0, 1.0, 1001), BreathingOptions())
    assert full[0] == full[-1] == full[950] == 0.0
    assert np.argmax(full) == 400
    assert full.max() == 1.0


def test_weight_is_shifted_from_leg_to_leg_now_and_then() -> None:
    session = alive(stander(60.0), BreathingOptions(depth=0.0, sway=0.0, shift=0.02, every=6.0))
    aside = away(session, session.run())[0][:, 0, 1]
    held = np.abs(np.diff(aside)) < 1e-7
    levels = np.unique(np.round(aside[1:][held], 4))
    assert levels.min() < -0.009
    assert levels.max() > 0.009
    assert np.abs(aside).max() <= 0.02 + 1e-9
    assert len(levels) >= 4


@pytest.mark.parametrize("root", ["kinematic", "compliant"])
def test_it_begins_and_goes_on_without_a_jolt(root: str) -> None:
    session = alive(stander(20.0), root=root)
    far, _ = away(session, session.run())
    assert np.abs(far[1]).max() < 1e-5
    assert np.abs(np.diff(far, n=2, axis=0)).max() * 3600.0 < 0.3, "m/s²"


def test_who_walks_breathes_and_does_not_sway() -> None:
    walk = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    session = Session({"who": walk}, SceneSpec(floor=walk.floor), behaviors={"who": [Breathing()]})
    recording = session.run()
    plan, columns = walk.plan, session.layouts[0].positions
    real, clip = (body_frames(plan, rows[:, columns]).positions for rows in (recording.positions, recording.source))
    below = [0, *(b for leg in plan.with_role("left_thigh", "right_thigh") for b in plan.subtree(leg))]
    assert np.abs(real - clip)[:, below].max() < 1e-9
    shoulders = list(plan.with_role("left_upper_arm", "right_upper_arm"))
    assert 0.003 < np.abs(real - clip)[:, shoulders, 2].max() < 0.008


def test_who_squats_does_not_sway() -> None:
    row = at_ease()
    frames = body_frames(body(), row)
    feet = {
        name: Goal(frames.positions[0, b], frames.rotations[0, b])
        for name, b in ((name, body().with_role(name)[0]) for name in ("left_foot", "right_foot"))
    }
    row[2] -= 0.35
    session = alive(standing(settled(row, Goals(feet)), 4.0, CharacterOptions()), SWAYS)
    assert np.abs(away(session, session.run())[0][:, 0]).max() < 1e-9


def lifting() -> tuple[Character, NDArray[np.float64]]:
    """Who lifts arms with bent elbows sideways within a second and holds them there, and where the left hand ends."""
    angles, rows = np.radians(np.append(np.linspace(10.0, 30.0, 61), np.full(660, 30.0))), []
    for angle in angles:
        rows.append(at_ease())
        spread_arms(rows[-1], float(angle))
        for forearm in bodies("left_forearm", "right_forearm"):
            turn_joint(body(), rows[-1][None], forearm, np.array([[0.0, -0.8, 0.0]]))
    who = moving(np.stack(rows), CharacterOptions())
    return who, body_frames(who.plan, rows[-1][None]).positions[0, bodies("left_hand")[0]]


@pytest.mark.parametrize("how", ["fixed", "touches"])
def test_a_hand_that_is_fixed_or_touches_stays_and_the_other_goes_with_the_body(how: str) -> None:
    who, place = lifting()
    if how == "fixed":
        hand = f"who/{who.plan.names[bodies('left_hand')[0]]}"
        session = alive(who, welds={hand: "world"})
        session.run(90)
        session.world.weld(hand)
    else:
        wall = Wall(name="wall", position=(float(place[0]), float(place[1]) + 0.06, 1.0), size=(0.5, 0.05, 1.0))
        session = alive(who, props=(wall,))
    recording = session.run(720 - session.count)
    assert session.behaviors[0].state.held.tolist() == [1.0, 0.0]
    kinematic, source = (
        body_frames(who.plan, rows[:, session.layouts[0].positions]).positions[150:, bodies("left_hand", "right_hand")]
        for rows in (recording.kinematic, recording.source)
    )
    kept, goes = np.abs(kinematic - source).max(axis=(0, 2))
    assert kept < 1e-4
    assert goes > 5e-3


def test_everybody_breathes_in_their_own_time_and_the_same_every_time() -> None:
    def shoulders(names: tuple[str, ...], seed: int) -> list[NDArray[np.float64]]:
        people = {
            name: standing(at_ease() + 2.0 * k * np.eye(len(at_ease()))[1], 6.0, CharacterOptions())
            for k, name in enumerate(names)
        }
        acting = {name: [Breathing(BreathingOptions(seed=seed))] for name in names}
        session = Session(people, SceneSpec(floor=0.0), behaviors=acting)
        rows = session.run().positions
        arm = bodies("left_upper_arm")[0]
        return [body_frames(body(), rows[:, layout.positions]).positions[:, arm] for layout in session.layouts]

    a, b = shoulders(("a", "b"), 0)
    again, _ = shoulders(("a", "b"), 0)
    other, _ = shoulders(("a", "b"), 1)
    assert np.array_equal(a, again)
    assert np.abs(a - other).max() > 2e-3
    assert np.abs((a - a[0]) - (b - b[0])).max() > 2e-3


def test_one_who_is_pushed_steps_and_breathes_on() -> None:
    who = stander(10.0)
    who = replace(who, options=replace(who.options, root="compliant"))
    acting = [Push((0.0, 400.0, 0.0), 1.5, 0.1, "spine"), Breathing()]
    session = Session({"who": who}, SceneSpec(floor=who.floor), behaviors={"who": acting})
    assert isinstance(session.behaviors[0], Breathing), "before the root, which carries it"
    recording = session.run()
    kinds = {event.kind for event in recording.events}
    assert "steps" in kinds
    columns, feet = session.layouts[0].positions, bodies("left_foot", "right_foot")
    places = body_frames(who.plan, recording.positions[:, columns]).positions
    late = places[-180:]
    assert np.ptp(late[:, feet], axis=0).max() < 1e-3
    assert late[:, 0, 2].min() > 0.85 * places[0, 0, 2]
    assert np.ptp(late[:, bodies("left_upper_arm")[0], 2]) > 1e-3


@pytest.mark.parametrize(
    ("name", "value"), [("rate", 2.0), ("depth", -0.1), ("sway", 0.5), ("shift", 0.2), ("every", 1.0), ("seed", -1)]
)
def test_what_nobody_breathes_like_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=name):
        BreathingOptions(**{name: value})


def test_scene_files_and_the_command_line_say_it(tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text("characters: {a: {clip: 'shipped:walk', breathing: {rate: 0.4}, anticipation: {}}}")
    session = read_scene(file).session()
    assert isinstance(session.behaviors[0], Breathing)
    assert session.behaviors[0].options.rate == 0.4
    assert len(session.behaviors) == 4, "and the hands, between the two of the root"
    for breathe in (True, False):
        scene = scene_for(RunRequest(breathe=breathe, props=False), str(clip_path("walk")))
        assert any(isinstance(each, Breathing) for each in scene.session().behaviors) is breathe


def test_standers_that_come_with_poise_breathe_once_and_carriers_do_not() -> None:
    scene = named_scene("apple")
    assert sum(isinstance(each, Breathing) for each in breathing(scene).session().behaviors) == 1
    with pytest.raises(InputError, match="do not breathe"):
        breathing(named_scene("door"))
