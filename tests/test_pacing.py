"""The pace of a clip's time: the clock, what slows down with it, and when a walk can stop."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.anticipation.answers import Pacing
from poise.anticipation.pacing import Pace, rest_before, rests_of
from poise.assets import clip_path
from poise.behaviors import Contribution, Reference, Stateless
from poise.behaviors.clip_clock import ClipClock
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames
from poise.io import read_clip
from poise.math import quat
from poise.motion.edit import loop
from poise.runtime import Character, Session
from poise.world.view import WorldView

Array = NDArray[np.float64]

TICK = 1.0 / 60.0


def test_braking_ends_on_the_moment_and_never_jerks() -> None:
    pace, now, values = Pace(), 2.0, [1.0]
    pace.brake(now, 2.5)
    for _ in range(80):
        values.append(pace.advance(TICK))
        now += 0.5 * TICK * (values[-2] + values[-1])
    assert values[-1] == 0.0
    assert now == pytest.approx(2.5, abs=1e-4)
    pace.set_off()
    values += [pace.advance(TICK) for _ in range(80)]
    assert values[-1] == 1.0
    assert np.abs(np.diff(values)).max() / TICK < 2.5


def test_a_walk_rests_once_a_step_and_who_stands_rests_always() -> None:
    clip = loop(read_clip(clip_path("walk")), 3)
    who = Character.from_clip(clip)
    frames = body_frames(who.plan, Session({"who": who}).references[0].trajectory.keys)
    points = sole_points(who.plan, frames)
    rests = rests_of(points, clip.rate, Pacing())
    inner = rests[(rests[:, 0] > 0.2) & (rests[:, 1] < clip.duration - 0.2)]
    assert np.diff(inner.mean(axis=1)) == pytest.approx(19 / 30, abs=0.05)
    assert len(inner) == 5
    lowest = points[np.round(inner[:, 0] * clip.rate).astype(int)].reshape(5, 2, 4, 3)[..., 2].min(axis=2)
    assert lowest.max() - who.floor < 0.03
    assert rests_of(points[:1].repeat(30, axis=0), 30.0, Pacing()).tolist() == [[0.0, 29.0 / 30.0]]
    assert rest_before(inner, 0.0, 1.4) == pytest.approx(inner[1, 1])
    assert np.isnan(rest_before(inner, 1.3, 1.4))


def test_the_clips_time_is_the_integral_of_its_pace() -> None:
    clock, rng = ClipClock(TICK), np.random.default_rng(2)
    for number in range(20):
        clock.begin((number + 1) * TICK)
        times = np.array([number, number + 0.3, number + 1.0]) * TICK
        at = clock.at(times)
        assert at[0] == pytest.approx(times[0] - (clock.lags[-2] if number else 0.0), abs=1e-12)
        assert at[2] == pytest.approx(times[2] - clock.lag, abs=1e-12)
        slope = (clock.at(times[1] + 1e-5) - clock.at(times[1] - 1e-5)) / 2e-5
        assert slope == pytest.approx(clock.rates(times[1])[0], abs=1e-6)
        clock.pace = rng.uniform(0.0, 1.0)


class Slow(Stateless):
    """Sets the pace to whatever is asked for."""

    def __init__(self, pace: Callable[[float], float]) -> None:
        self.pace = pace

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        wanted = Contribution(reference)
        wanted.pace = self.pace(reference.time)
        return wanted


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(read_clip(clip_path("walk")))


def slowed(begin: float) -> float:
    return 0.5 + 0.5 * float(np.cos(5.0 * begin))


def test_at_a_pace_of_one_nothing_changes_by_a_bit(walker: Character) -> None:
    bare = Session({"who": walker}).run(40)
    paced = Session({"who": walker}, behaviors={"who": [Slow(lambda begin: 1.0)]}).run(40)
    assert np.array_equal(bare.positions, paced.positions)
    assert np.array_equal(bare.torques, paced.torques)


def test_a_slowed_clip_is_seen_later_moves_slower_and_is_exported_so(walker: Character) -> None:
    session = Session({"who": walker}, behaviors={"who": [Slow(slowed)]})
    recording = session.run(60)
    reference = session.references[0]
    times = recording.times[1:] - np.array(reference.clock.lags)
    rows = np.zeros((60, walker.plan.position_count))
    reference.trajectory.rows(times, rows)
    assert np.abs(recording.source[1:, session.layouts[0].positions] - rows).max() < 1e-9
    assert reference.clock.lag > 0.3
    moment = reference.clip_moment(session.count * TICK - 0.5 * TICK)
    near = reference.clock.at(session.count * TICK - 0.5 * TICK + np.array([-1e-4, 1e-4]))
    reference.trajectory.rows(near, rows[:2])
    assert moment.velocities[:3] == pytest.approx((rows[1, :3] - rows[0, :3]) / 2e-4, abs=1e-5)
    result = session.result("who")
    neck = walker.plan.skeleton.names.index("Neck")
    frame = 15
    wanted = rows_at(reference, float(times[2 * frame - 1]))[walker.plan.index("Neck")]
    got = quat.mul(quat.conj(walker.plan.bind_rotations[walker.plan.index("Neck")]), result.rotations[frame, neck])
    assert abs(float(wanted @ got)) == pytest.approx(1.0, abs=1e-6)


def rows_at(reference: Reference, time: float) -> Array:
    """Coordinates of all bodies as the clip has them at a time, shape (B, 4)."""
    row = np.zeros((1, reference.plan.position_count))
    reference.trajectory.rows(np.array([time]), row)
    return row[0, 3:].reshape(-1, 4)


def test_a_slowed_session_goes_on_from_a_checkpoint_as_it_did(walker: Character) -> None:
    session = Session({"who": walker}, behaviors={"who": [Slow(slowed)]})
    session.run(20)
    checkpoint = session.save()
    first = session.run(20)
    session.restore(checkpoint)
    assert np.array_equal(first.positions, session.run(20).positions)
    assert len(session.references[0].clock.lags) == 40
