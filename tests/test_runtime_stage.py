"""Stages: what they write reaches the body, and the record shows the three skeletons."""

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.io import read_clip
from poise.math import quat
from poise.runtime import Character, Event, Session, Stage
from poise.runtime.actor import Actor


class Lift:
    """Turns the right upper arm by a growing angle about its own y axis; remembers how far it is."""

    def __init__(self, rate: float) -> None:
        self.rate, self.angle = rate, 0.0

    def begin(self, session: Session, actor: Actor) -> None:
        self.actor, self.tick = actor, session.clock.tick
        self.at = 3 + 4 * actor.character.plan.with_role("right_upper_arm")[0]

    def act(self, begin: float) -> tuple[Event, ...]:
        rows = self.actor.rows
        angles = self.angle + self.rate * self.tick * np.arange(1, len(rows) + 1) / len(rows)
        turn = np.stack([np.cos(angles / 2), 0 * angles, np.sin(angles / 2), 0 * angles], axis=1)
        rows[:, self.at : self.at + 4] = quat.mul(rows[:, self.at : self.at + 4], turn)
        self.angle, self.actor.changed = float(angles[-1]), True
        return (Event(begin, "lifted", "right_upper_arm"),)

    def save(self) -> float:
        return self.angle

    def restore(self, saved: float) -> None:
        self.angle = saved


class Push:
    """A constant force on the pelvis."""

    def begin(self, session: Session, actor: Actor) -> None:
        self.actor = actor

    def act(self, begin: float) -> tuple[Event, ...]:
        self.actor.force[2] += 100.0
        return ()

    def save(self) -> None:
        return None

    def restore(self, saved: None) -> None:
        pass


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(read_clip(clip_path("walk")))


def play(walker: Character, *stages: Stage) -> Session:
    return Session({"walker": walker}, stages={"walker": stages})


def arm(session: Session, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    at = session.actors[0].layout.positions.start + 3 + 4 * walker_arm(session)
    return rows[:, at : at + 4]


def angle(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.linalg.norm(quat.log(quat.mul(quat.conj(a), b)), axis=-1)


def walker_arm(session: Session) -> int:
    return session.actors[0].character.plan.with_role("right_upper_arm")[0]


def test_the_record_holds_input_kinematic_and_responsive_skeletons(walker: Character) -> None:
    session = play(walker, Lift(1.0))
    recording = session.run(30)
    lifted = angle(arm(session, recording.source), arm(session, recording.kinematic))
    assert np.allclose(lifted, 1.0 * recording.times, atol=1e-6)
    followed = angle(arm(session, recording.positions), arm(session, recording.kinematic))
    assert followed.max() < 0.1 * lifted.max()
    assert {event.kind for event in recording.events} == {"lifted"}


def test_without_stages_the_kinematic_skeleton_is_the_clip(walker: Character) -> None:
    recording = play(walker).run(5)
    assert np.array_equal(recording.source, recording.kinematic)


def test_velocity_and_load_taken_from_changed_rows_are_nearly_those_of_the_clip(walker: Character) -> None:
    class Touch(Push):
        def act(self, begin: float) -> tuple[Event, ...]:
            self.actor.changed = True
            return ()

    changed, plain = play(walker, Touch()).run(60), play(walker).run(60)
    assert np.abs(changed.positions - plain.positions).max() < 5e-3


def test_forces_of_a_stage_reach_a_released_body(walker: Character) -> None:
    sessions = play(walker), play(walker, Push())
    for session in sessions:
        session.assign_modes(session.actors[0], np.zeros(len(walker.plan), dtype=np.int64))
        session.run(3)
    speeds = [session.world.data.qvel[2] for session in sessions]
    assert speeds[1] - speeds[0] > 0.01


def test_going_back_restores_stages_and_kinematic_poses(walker: Character) -> None:
    session = play(walker, Lift(0.7))
    session.run(10)
    saved = session.save()
    first = session.run(10)
    session.restore(saved)
    again = session.run(10)
    assert np.array_equal(first.positions, again.positions)
    assert np.array_equal(first.kinematic, again.kinematic)


def test_what_a_stage_moves_is_in_the_result_and_nothing_else_is(walker: Character) -> None:
    class Bend(Lift):
        def begin(self, session: Session, actor: Actor) -> None:
            super().begin(session, actor)
            self.at = 3 + 4 * actor.character.plan.with_role("head")[0]

    session = play(walker, Bend(1.0))
    session.run(20)
    result, clip = session.result("walker"), walker.prepared.source
    arms = walker.plan.subtree(walker_arm(session))
    head = walker.plan.joints[walker.plan.with_role("head")[0]]
    moved = {
        j for j in range(len(clip.skeleton)) if np.abs(result.rotations[:, j] - clip.rotations[: len(result), j]).max()
    }
    assert head in moved
    assert set(walker.plan.joints[list(arms)]) <= moved
    assert walker.plan.joints[0] not in moved


def test_a_stop_at_the_end_of_a_range_does_not_come_back_as_velocity(walker: Character) -> None:
    session = play(walker, Lift(3.0))
    recording = session.run(60)
    lifted = angle(arm(session, recording.source), arm(session, recording.kinematic))
    assert np.allclose(lifted, np.minimum(3.0 * recording.times, 2 * np.pi - 3.0 * recording.times), atol=1e-6)
    assert session.actors[0].muscles.beyond.any()
    assert np.abs(recording.torques).max() < 2000.0
