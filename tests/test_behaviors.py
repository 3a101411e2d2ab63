"""Behaviors: what they contribute reaches the body, who has the last word, and the record shows the three skeletons."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from _builders import assign_modes
from poise.assets import clip_path
from poise.behaviors import Behavior, Contribution, Reference, Stateless
from poise.behaviors.merge import merge
from poise.control.tension import Tension
from poise.io import read_clip
from poise.math import quat
from poise.runtime import Character, Session
from poise.signals import Mode
from poise.world.view import WorldView


@dataclass
class Angle:
    value: float = 0.0


class Lift(Behavior[Angle]):
    """Turns the right upper arm by a growing angle about its own y axis; remembers how far it is."""

    role = "right_upper_arm"

    def __init__(self, rate: float) -> None:
        self.rate, self.state = rate, Angle()

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        self.at = 3 + 4 * reference.plan.with_role(self.role)[0]
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: Angle) -> Contribution:
        wanted = Contribution(reference)
        rows = wanted.edit_pose()
        angles = state.value + self.rate * reference.tick * np.arange(1, len(rows) + 1) / len(rows)
        turn = np.stack([np.cos(angles / 2), 0 * angles, np.sin(angles / 2), 0 * angles], axis=1)
        rows[:, self.at : self.at + 4] = quat.mul(rows[:, self.at : self.at + 4], turn)
        state.value = float(angles[-1])
        wanted.tell(reference.time, "lifted", "right_upper_arm")
        return wanted


class Up(Stateless):
    """A constant force on the pelvis."""

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        wanted = Contribution(reference)
        wanted.force = np.zeros_like(reference.force)
        wanted.force[2] = 100.0
        return wanted


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(read_clip(clip_path("walk")))


def play(walker: Character, *behaviors: Behavior[object]) -> Session:
    return Session({"walker": walker}, behaviors={"walker": behaviors})


def arm(session: Session, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    at = session.layouts[0].positions.start + 3 + 4 * walker_arm(session)
    return rows[:, at : at + 4]


def angle(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.linalg.norm(quat.log(quat.mul(quat.conj(a), b)), axis=-1)


def walker_arm(session: Session) -> int:
    return session.references[0].plan.with_role("right_upper_arm")[0]


def test_the_record_holds_input_kinematic_and_responsive_skeletons(walker: Character) -> None:
    session = play(walker, Lift(1.0))
    recording = session.run(30)
    lifted = angle(arm(session, recording.source), arm(session, recording.kinematic))
    assert np.allclose(lifted, 1.0 * recording.times, atol=1e-6)
    followed = angle(arm(session, recording.positions), arm(session, recording.kinematic))
    assert followed.max() < 0.1 * lifted.max()
    assert {event.kind for event in recording.events} == {"lifted"}


def test_without_behaviors_the_kinematic_skeleton_is_the_clip(walker: Character) -> None:
    recording = play(walker).run(5)
    assert np.array_equal(recording.source, recording.kinematic)


def test_velocity_and_load_taken_from_changed_rows_are_nearly_those_of_the_clip(walker: Character) -> None:
    class Touch(Up):
        def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
            wanted = Contribution(reference)
            wanted.edit_pose()
            return wanted

    changed, plain = play(walker, Touch()).run(60), play(walker).run(60)
    assert np.abs(changed.positions - plain.positions).max() < 5e-3


def test_forces_of_a_behavior_reach_a_released_body(walker: Character) -> None:
    sessions = play(walker), play(walker, Up())
    for session in sessions:
        assign_modes(session, np.zeros(len(walker.plan), dtype=np.int64))
        session.run(3)
    speeds = [session.view.velocities("walker")[2] for session in sessions]
    assert speeds[1] - speeds[0] > 0.01


def test_going_back_restores_behaviors_and_kinematic_poses(walker: Character) -> None:
    session = play(walker, Lift(0.7))
    session.run(10)
    saved = session.save()
    first = session.run(10)
    session.restore(saved)
    again = session.run(10)
    assert np.array_equal(first.positions, again.positions)
    assert np.array_equal(first.kinematic, again.kinematic)


def test_what_a_behavior_moves_is_in_the_result_and_nothing_else_is(walker: Character) -> None:
    class Bend(Lift):
        role = "head"

    session = play(walker, Bend(1.0))
    session.run(20)
    result, clip = session.result("walker"), walker.prepared.source
    head = walker.plan.joints[walker.plan.with_role("head")[0]]
    moved = {
        j for j in range(len(clip.skeleton)) if np.abs(result.rotations[:, j] - clip.rotations[: len(result), j]).max()
    }
    assert moved == {head}


def test_a_stop_at_the_end_of_a_range_does_not_come_back_as_velocity(walker: Character) -> None:
    session = play(walker, Lift(3.0))
    recording = session.run(60)
    lifted = angle(arm(session, recording.source), arm(session, recording.kinematic))
    assert np.allclose(lifted, np.minimum(3.0 * recording.times, 2 * np.pi - 3.0 * recording.times), atol=1e-6)
    assert session.cast.controller.characters[0].state.beyond.any()
    assert np.abs(recording.torques).max() < 2000.0


def test_a_contribution_changes_nothing_until_it_is_merged(walker: Character) -> None:
    session = play(walker)
    reference = session.references[0]
    session.tick()
    kept = reference.rows.copy(), reference.stiffness.copy(), reference.modes.copy(), reference.before.copy()
    wanted = Contribution(reference)
    wanted.edit_pose()[:] = 0.0
    wanted.edit_gains()[0][:] = 0.0
    wanted.edit_modes()[:] = 0
    wanted.edit_before()[:] = 0.0
    for now, then in zip((reference.rows, reference.stiffness, reference.modes, reference.before), kept, strict=True):
        assert np.array_equal(now, then)


def merged(session: Session, *contributions: Contribution) -> Reference:
    for contribution in contributions:
        merge(session.references[0], contribution, session.command)
    return session.references[0]


def two(session: Session) -> tuple[Contribution, Contribution]:
    return Contribution(session.references[0]), Contribution(session.references[0])


def test_poses_and_gains_of_the_later_behavior_win(walker: Character) -> None:
    session = play(walker)
    first, second = two(session)
    first.edit_pose()[:], second.edit_pose()[:] = 1.0, 2.0
    first.edit_gains()[0][:], second.edit_gains()[0][:] = 3.0, 4.0
    reference = merged(session, first, second)
    assert (reference.rows == 2.0).all()
    assert (reference.stiffness == 4.0).all()
    assert reference.changed


def test_loads_and_forces_add_up(walker: Character) -> None:
    session = play(walker)
    first, second = two(session)
    for contribution, size in ((first, 1.0), (second, 2.0)):
        contribution.edit_load()[:] = size
        contribution.force = np.full_like(session.references[0].force, 10.0 * size)
    reference = merged(session, first, second)
    assert (reference.load == 3.0).all()
    assert (reference.force == 30.0).all()


def test_modes_count_at_once_and_the_later_ones_win(walker: Character) -> None:
    session = play(walker)
    first, second = two(session)
    first.edit_modes()[1:3], second.edit_modes()[1] = int(Mode.TORQUE), int(Mode.PASSIVE)
    reference = merged(session, first)
    assert list(reference.modes[1:3]) == [Mode.TORQUE, Mode.TORQUE]
    reference = merged(session, second)
    assert reference.modes[1] == Mode.PASSIVE
    assert list(session.world.cut.modes[session.layouts[0].joints]) == list(reference.modes)


def test_the_slowest_pace_of_a_tick_wins_and_the_next_tick_asks_anew(walker: Character) -> None:
    session = play(walker)
    session.tick()
    for paces, expected in (((0.5, 0.8), 0.5), ((0.9,), 0.9), ((0.7, 0.2, 0.6), 0.2)):
        contributions = [Contribution(session.references[0]) for _ in paces]
        for contribution, pace in zip(contributions, paces, strict=True):
            contribution.pace = pace
        reference = merged(session, *contributions)
        assert reference.clock.pace == expected
        session.tick()


def test_tension_of_the_later_behavior_wins_and_events_are_told_in_order(walker: Character) -> None:
    session = play(walker)
    first, second = two(session)
    first.tension, second.tension = Tension(frequency=2.0), Tension(frequency=5.0)
    assert merged(session, first, second).tension.frequency == 5.0
    first.tell(1.0, "a", "x")
    first.tell(0.5, "b", "y")
    assert [event.kind for event in merge(session.references[0], first, session.command)] == ["a", "b"]
