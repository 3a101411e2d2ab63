"""A root that is physical: the body stands by its own strength, and comes to that and back without a jump."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.behaviors.push import Push
from poise.behaviors.root import can_yield
from poise.characters.character import Character, CharacterOptions
from poise.control.root import RootChange, RootDrive, Standing
from poise.errors import InputError
from poise.io import read_character
from poise.motion.edit import trim
from poise.runtime.record import Recording
from poise.runtime.session import Session
from poise.scenes import named_scene, read_scene, rooted
from poise.scenes.people import stander, walker
from poise.signals import Mode
from poise.world.scene import SceneSpec
from poise.world.terrain import Slope

WALKS, STANDS, BACK = 0.7, 4.0, 6.5
"""When the root becomes physical, when it is pushed and when it yields again [s]."""
CHANGES = (RootChange(time=WALKS, root="physical"), RootChange(time=BACK, root="compliant"))


def made(who: Character, **options: object) -> Character:
    return replace(who, options=replace(who.options, root="compliant", **options))


def session(who: Character, *pushes: Push) -> Session:
    return Session({"p": who}, SceneSpec(floor=who.floor), behaviors={"p": list(pushes)})


@pytest.fixture(scope="module")
def walked() -> tuple[Session, Recording]:
    who = made(walker(8), root_changes=CHANGES)
    played = session(who, Push([0.0, 200.0, 0.0], STANDS, body="spine"))
    return played, played.run()


@pytest.fixture(scope="module")
def stood() -> tuple[Session, Recording]:
    who = made(stander(9.0), root_changes=CHANGES)
    played = session(who, Push([150.0, 0.0, 0.0], STANDS, body="spine"))
    return played, played.run()


def physical(played: Session, recording: Recording) -> np.ndarray:
    """Whether nothing holds pelvis and legs, by tick."""
    thigh = played.references[0].plan.with_role("left_thigh")[0]
    return (recording.modes[:, 0] == Mode.PASSIVE) & (recording.modes[:, thigh] == Mode.TORQUE)


def jumps(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """How far the pelvis goes in each tick beside what it did in the one before [m], and joints' change of speed [rad/s]."""
    pelvis = np.linalg.norm(np.diff(recording.positions[:, :3], n=2, axis=0), axis=1)
    joints = np.diff(recording.velocities[:, 6:], axis=0).reshape(len(recording.velocities) - 1, -1, 3)
    return pelvis, np.linalg.norm(joints, axis=2).max(axis=1)


def switches(played: Session, recording: Recording) -> tuple[int, int]:
    """The first tick that was played physical, and the first that was not any more."""
    mine = physical(played, recording)
    on, off = np.flatnonzero(np.diff(mine.astype(int)))
    assert mine[on + 1]
    return int(on) + 1, int(off) + 1


def ground_force(recording: Recording) -> np.ndarray:
    """What the ground exerts on the only character in each tick [N], shape (N, 3), its normal parts alone."""
    contacts, force = recording.contacts, np.zeros((len(recording.positions) - 1, 3))
    for pair, normal, impulse, tick in zip(
        contacts.pairs, contacts.normal, contacts.impulse, contacts.tick, strict=True
    ):
        names = [recording.geom_names[geom] for geom in pair]
        if "ground" in names:
            sign = 1.0 if names[0] == "ground" else -1.0
            force[tick] += sign * impulse * normal / recording.tick
    return force


@pytest.mark.parametrize("kind", ["walked", "stood"])
def test_it_comes_to_stand_and_goes_back_without_a_jump(kind: str, request: pytest.FixtureRequest) -> None:
    played, recording = request.getfixturevalue(kind)
    pelvis, joints = jumps(recording)
    own = joints[: round(WALKS / recording.tick)].max()
    for tick in switches(played, recording):
        assert pelvis[tick - 2] < 1e-3
        assert joints[tick - 1] < max(own, 0.5)
        assert joints[tick] < max(own, 0.5)


@pytest.mark.parametrize("kind", ["walked", "stood"])
def test_the_ground_carries_the_weight_and_nothing_else_does(kind: str, request: pytest.FixtureRequest) -> None:
    played, recording = request.getfixturevalue(kind)
    on, off = switches(played, recording)
    weight = played.references[0].plan.total_mass * SceneSpec.gravity
    calm = slice(on + round(0.5 / recording.tick), round(STANDS / recording.tick))
    up = ground_force(recording)[calm, 2]
    assert len(up) > 20
    assert up.mean() == pytest.approx(weight, rel=0.01)
    assert np.abs(up - weight).max() < 0.05 * weight
    before = slice(on - round(0.3 / recording.tick), on - 1)
    assert ground_force(recording)[before, 2].max() < 0.1 * weight, "until then the root's own wrench did"
    assert recording.times[off] == pytest.approx(BACK, abs=0.1)


def test_no_wrench_is_on_the_pelvis_and_momentum_comes_from_the_ground() -> None:
    """The vertical momentum of the whole body changes by what ground and weight exert, and by nothing more."""
    who = made(stander(6.0), root_changes=CHANGES[:1])
    played = session(who, Push([0.0, 150.0, 0.0], 3.0, body="spine"))
    columns, mass = played.layouts[0].velocities, who.plan.total_mass
    played.run(150)
    assert played.roots["p"].is_physical
    body, rates = played.roots["p"]._balance.body, []
    start = body.measure(played.world.positions, played.world.velocities).velocity.copy()
    for _ in range(120):
        played.tick()
        assert not played.world.data.qfrc_applied[columns][:6].any()
        rates.append(body.measure(played.world.positions, played.world.velocities).velocity.copy())
    gained = mass * (rates[-1] - start)
    given = ground_force(played.recording())[-120:].sum(axis=0) * played.clock.tick
    assert gained[2] == pytest.approx(given[2] - 120 * played.clock.tick * mass * SceneSpec.gravity, abs=0.01)


def test_a_pushed_body_answers_by_a_step_or_falls_on_its_hands() -> None:
    told = {}
    for impulse in (30.0, 100.0):
        who = made(stander(6.0), root_changes=CHANGES[:1])
        told[impulse] = [
            event.kind for event in session(who, Push([-10.0 * impulse, 0, 0], 2.5, body="spine")).run().events
        ]
    assert "stepped" in told[30.0]
    assert "down" not in told[30.0]
    assert {"falls", "down"} <= set(told[100.0])


def test_who_fell_does_not_become_anything_else() -> None:
    who = replace(stander(4.0), options=replace(stander(4.0).options, root="physical"))
    played = session(who, Push([-1200.0, 0.0, 0.0], 1.5, body="spine"))
    played.run()
    with pytest.raises(InputError, match="fell"):
        played.set_root("p", "compliant")


def test_a_clip_that_stands_goes_on_and_one_that_walks_stops(
    walked: tuple[Session, Recording], stood: tuple[Session, Recording]
) -> None:
    assert played_lag(stood) == 0.0
    on, off = switches(*walked)
    lags = np.array(walked[0].references[0].clock.lags)
    assert np.diff(lags)[on:off].min() > 0.99 * walked[1].tick, "time stands while it is physical"
    assert np.abs(np.diff(lags)[-60:]).max() < 1e-9, "and runs again"
    away = walked[1].positions[-1, :2] - walked[1].source[-1, :2]
    assert np.hypot(*away) < 0.05, "the walker is back on the clip's way"


def played_lag(what: tuple[Session, Recording]) -> float:
    return float(what[0].references[0].clock.lag)


def test_it_can_be_told_while_it_runs_and_changes_its_mind() -> None:
    played = session(made(walker(9)))
    played.run(40)
    played.set_root("p", "physical")
    played.run(30)
    played.set_root("p", "compliant")
    recording = played.run(60)
    assert not physical(played, recording).any()
    assert np.abs(np.diff(played.references[0].clock.lags)[-5:]).max() < 1e-9
    played.set_root("p", "physical")
    played.run(180)
    assert played.roots["p"].is_physical
    played.set_root("p", "kinematic")
    played.run(300)
    assert played.recording().modes[-1, 0] == Mode.MOTION, "it goes on and follows its clip again"


def test_saved_and_restored_while_it_stands() -> None:
    played = session(made(stander(6.0), root_changes=CHANGES[:1]), Push([-300.0, 0.0, 0.0], 2.0, body="spine"))
    played.run(130)
    assert played.roots["p"].state.stands.phase == "stepping"
    saved = played.save()
    first = played.run(60).positions.copy()
    played.restore(saved)
    played.set_root("p", "compliant")
    played.run(60)
    played.restore(saved)
    np.testing.assert_array_equal(played.run(60).positions, first)


def test_taken_back_to_its_beginning_it_goes_the_same_way() -> None:
    """As the first run on a machine does, which is a rehearsal: what yields, and what the ground stops, change on the way."""
    played = session(made(walker(6), root_changes=CHANGES))
    start = played.save()
    first = played.run().positions.copy()
    played.restore(start)
    np.testing.assert_array_equal(played.run().positions, first)


def test_what_cannot_be_physical_is_told() -> None:
    who = made(stander(2.0))
    slope = Slope(name="slope", position=(3.0, 0.0, 0.0), angle=0.1, length=1.0)
    with pytest.raises(InputError, match="level floor"):
        Session({"p": made(who, root_changes=CHANGES)}, SceneSpec(floor=who.floor, terrain=(slope,)))
    for scene, why in (("ford", "wades"), ("king", "together"), ("rough", "terrain"), ("halt", "pelvis")):
        with pytest.raises(InputError, match=why):
            rooted(named_scene(scene), "physical")
    with pytest.raises(InputError, match="root_changes"):
        session(replace(who, options=replace(who.options, root="kinematic", root_changes=CHANGES)))
    with pytest.raises(InputError, match="kinematic, compliant or physical"):
        RootChange(time=1.0, root="loose")  # type: ignore[arg-type]


def test_a_scene_file_says_when(tmp_path: Path) -> None:
    scene = read_scene(Path(__file__).parents[1] / "examples" / "scenes" / "own_feet.yaml")
    assert [each.root for each in scene.characters["walker"].options.root_changes] == ["physical", "compliant"]
    file = tmp_path / "scene.yaml"
    file.write_text("characters:\n  who: {clip: 'shipped:walk', root_changes: [{time: 1, root: lose}]}\n")
    with pytest.raises(InputError, match="root_changes"):
        read_scene(file)


@pytest.mark.parametrize(
    ("root", "more", "said"),
    [
        ("root: kinematic, root_changes: [{time: 1, root: physical}]", "", "root_changes: go with a compliant or a"),
        ("root: physical", "fluids: [{fluid: water, depth: knee}]", "root: .* it wades"),
        (
            "root_changes: [{time: 1, root: physical}]",
            "terrain: [{slope: s, position: [3, 0, 0], angle: 5, length: 2}]",
            "root_changes: .* level",
        ),
    ],
)
def test_a_scene_file_whose_root_cannot_become_that_is_named(tmp_path: Path, root: str, more: str, said: str) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(f"characters:\n  who: {{clip: 'shipped:walk', {root}}}\n{more}\n")
    with pytest.raises(InputError, match=rf"scene\.yaml, line 2, characters\.who\.{said}"):
        read_scene(file)


def test_without_soles_on_the_ground_it_would_fall_onto_them() -> None:
    """What is pressed into the ground carries at once: without that the first tick is a jump."""
    most = []
    for presses in (Standing().presses, 0.0):
        drive = RootDrive(standing=Standing(presses=presses))
        played = session(made(stander(3.0), root_changes=CHANGES[:1], root_drive=drive))
        recording = played.run()
        mine = physical(played, recording)
        on = int(np.flatnonzero(mine)[0])
        most.append(jumps(recording)[0][on - 2 : on + 4].max())
    assert most[0] < 0.5 * most[1]


@pytest.mark.shared
@pytest.mark.parametrize(
    "file",
    [
        "bandai-namco/dataset-1_walk_old_001.bvh",
        "hello-avatar/walk_hurt_rl.bvh",
        "motion-viewer/walk.bvh",
        "deep-motion-editing/angry_13_000.bvh",
        "mjolnir-zig/CesiumMan.glb",
    ],
)
def test_clips_of_others_stand_and_go_on(shared_data: Path, file: str) -> None:
    clip, mesh = read_character(shared_data / file)
    clip = trim(clip, 0, min(len(clip), round(6.0 * clip.rate) + 1))
    played = session(Character.from_clip(clip, CharacterOptions(root="compliant", root_changes=CHANGES[:1]), mesh))
    assert can_yield(played.references[0].plan)
    root, tick = played.roots["p"], played.clock.tick
    played.run(round(WALKS / tick))
    while not root.is_physical and played.count * tick < 6.0:
        played.tick()
    on = played.count
    played.run(round(1.5 / tick))
    played.set_root("p", "compliant")
    while root.is_physical and played.count * tick < 9.0:
        played.tick()
    off = played.count
    recording = played.run(round(0.5 / tick))
    pelvis, joints = jumps(recording)
    own = joints[: round(WALKS / tick)].max()
    for switch in (on, off):
        assert pelvis[switch - 2] < 1e-3
        assert joints[switch - 1 : switch + 1].max() < max(own, 2.0)
    weight = played.references[0].plan.total_mass * SceneSpec.gravity
    assert ground_force(recording)[off - round(0.5 / tick) : off - 2, 2].mean() == pytest.approx(weight, rel=0.02)
