"""The clock and the recorder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.errors import InputError
from poise.io import read_clip
from poise.runtime import Character, Clock, Event, Recorder, RecordingOptions, Session, Timings
from poise.signals import Contacts, State

EMPTY = Contacts(np.zeros((0, 2), np.int64), *(np.zeros(0) for _ in range(3)), np.zeros((0, 3)), np.zeros((0, 3)))


@pytest.mark.parametrize(
    ("rate", "ticks", "substeps"),
    [
        (15.0, 4, 8),
        (24.0, 3, 7),
        (25.0, 3, 7),
        (30.0, 2, 8),
        (60.0, 1, 8),
        (100.0, 1, 5),
        (120.0, 1, 4),
        (59.94, 2, 4),
        (1.0 / 0.008333, 1, 4),
        (1.0, 60, 8),
        (1000.0, 1, 1),
    ],
)
def test_ticks_fall_on_frames_and_substeps_are_near_two_milliseconds(rate: float, ticks: int, substeps: int) -> None:
    clock = Clock.for_rate(rate)
    assert (clock.ticks_per_frame, clock.substeps) == (ticks, substeps)
    assert clock.ticks_per_frame * clock.tick == pytest.approx(1.0 / rate, rel=1e-12)
    assert clock.tick <= 1.0 / 60.0 + 1e-12
    assert 0.001 <= clock.substep <= 0.0025


def test_a_frame_has_a_tick_and_a_substep_whatever_a_file_says_its_rate_is() -> None:
    clock = Clock.for_rate(1e12)
    assert (clock.ticks_per_frame, clock.substeps) == (1, 1)


def test_a_finer_substep() -> None:
    clock = Clock.for_rate(60.0, substep=0.001)
    assert clock.substeps == 17
    assert clock.substep == pytest.approx(1.0 / 60.0 / 17.0)


@pytest.mark.parametrize("substep", [0.0, 1e-5, 0.1, float("nan"), -0.002])
def test_an_odd_substep_is_refused(substep: float) -> None:
    with pytest.raises(InputError, match=rf"between 0\.1 and 20 ms; got {1e3 * substep:g} ms"):
        Clock.for_rate(60.0, substep)


def touch(tick: int) -> Contacts:
    count = tick % 3
    column = np.arange(count) + 10.0 * tick
    return Contacts(np.full((count, 2), tick), column, column, column, np.full((count, 3), tick), np.zeros((count, 3)))


def filled(ticks: int, keep: int | None = None, folder: Path | None = None) -> Recorder:
    recorder = Recorder(State(0.0, np.full(3, -1.0), np.full(2, -1.0)), np.full(3, -2.0), 1, 2, 1, keep, folder)
    for tick in range(ticks):
        add(recorder, tick)
        recorder.note(Timings(tick, 0, 0, 0, 0, 0), (Event(0.1 * (tick + 1), "tick", str(tick)),))
    return recorder


def add(recorder: Recorder, tick: int) -> None:
    state = State(0.1 * (tick + 1), np.full(3, float(tick)), np.full(2, float(tick)))
    source, kinematic, torques = np.full(3, 200.0 + tick), np.full(3, 300.0 + tick), np.full(2, 100.0 + tick)
    recorder.add(
        state,
        (source, kinematic, np.full(4, 400.0 + tick)),
        torques,
        np.array([50.0 + tick]),
        np.array([tick % 3, 1]),
        touch(tick),
    )


def blank() -> tuple[Recorder, State]:
    state = State(0.0, np.zeros(1), np.zeros(1))
    return Recorder(state, np.zeros(1), 0, 1, 0), state


def add_blank(recorder: Recorder, state: State) -> None:
    recorder.add(state, (np.zeros(1), np.zeros(1), np.zeros(0)), np.zeros(1), np.zeros(0), np.zeros(1, np.int64), EMPTY)


@pytest.mark.parametrize("in_files", [False, True])
@pytest.mark.parametrize("count", [37, 256, 700])
def test_growing_loses_nothing(count: int, in_files: bool, tmp_path: Path) -> None:
    recording = filled(count, folder=tmp_path if in_files else None).finish(0.1, ("a",))
    assert len(recording) == count
    assert np.allclose(recording.times, 0.1 * np.arange(count + 1))
    assert recording.positions[:, 0].tolist() == list(range(-1, count))
    assert recording.torques[:, 0].tolist() == list(range(100, 100 + count))
    assert recording.modes[:, 0].tolist() == [tick % 3 for tick in range(count)]


def test_every_column_is_kept() -> None:
    recording = filled(37).finish(0.1, ("a",))
    assert np.allclose(recording.times, 0.1 * np.arange(38))
    assert recording.positions[:, 0].tolist() == list(range(-1, 37))
    assert recording.velocities[:, 1].tolist() == list(range(-1, 37))
    assert recording.torques[:, 0].tolist() == list(range(100, 137))
    assert recording.source[:, 0].tolist() == [-2.0, *range(200, 237)]
    assert recording.kinematic[:, 2].tolist() == [-2.0, *range(300, 337)]
    assert recording.stiffness[:, 0].tolist() == list(range(50, 87))
    assert recording.modes[:, 0].tolist() == [tick % 3 for tick in range(37)]
    assert recording.timings[:, 0].tolist() == list(range(37))
    assert [event.subject for event in recording.events] == [str(tick) for tick in range(37)]
    assert recording.contacts.tick.tolist() == [tick for tick in range(37) for _ in range(tick % 3)]
    assert np.array_equal(recording.contacts.pairs[:, 0], recording.contacts.tick)
    assert recording.contacts.impulse.tolist() == [10.0 * t + k for t in range(37) for k in range(t % 3)]


def test_what_was_recorded_is_a_copy() -> None:
    recorder, state = blank()
    add_blank(recorder, state)
    early = recorder.finish(0.1, ())
    state.positions[:] = 9.0
    add_blank(recorder, state)
    assert recorder.finish(0.1, ()).positions[:, 0].tolist() == [0.0, 0.0, 9.0]
    assert early.positions[:, 0].tolist() == [0.0, 0.0]


def test_rewinding_forgets_what_came_later_and_goes_on() -> None:
    recorder = filled(20)
    recorder.rewind(12)
    recorder.rewind(15)
    whole = filled(12).finish(0.1, ())
    cut = recorder.finish(0.1, ())
    for name in ("times", "positions", "velocities", "source", "kinematic", "torques", "stiffness", "modes", "timings"):
        assert np.array_equal(getattr(cut, name), getattr(whole, name)), name
    assert cut.events == whole.events
    assert all(np.array_equal(a, b) for a, b in zip(cut.contacts, whole.contacts, strict=True))
    add(recorder, 98)
    assert recorder.finish(0.1, ()).times[-1] == pytest.approx(9.9)
    assert len(recorder.finish(0.1, ())) == 13


def test_no_contacts_at_all() -> None:
    recorder, state = blank()
    add_blank(recorder, state)
    contacts = recorder.finish(0.1, ()).contacts
    assert contacts.pairs.shape == (0, 2)
    assert contacts.point.shape == contacts.normal.shape == (0, 3)
    assert contacts.tick.dtype == np.int64
    assert {len(column) for column in contacts} == {0}


@pytest.mark.parametrize("count", [3, 10, 11, 57])
def test_a_ring_keeps_the_end(count: int) -> None:
    recorder = filled(count, keep=10)
    whole, kept = filled(count).finish(0.1, ()), recorder.finish(0.1, ())
    first = max(0, count - 10)
    assert kept.first == first
    for name in ("times", "positions", "velocities", "source", "kinematic"):
        assert np.array_equal(getattr(kept, name), getattr(whole, name)[first:]), name
    for name in ("torques", "stiffness", "modes", "timings"):
        assert np.array_equal(getattr(kept, name), getattr(whole, name)[first:]), name
    assert [event.subject for event in kept.events] == [str(tick) for tick in range(first, count)]
    assert (kept.contacts.tick + first).tolist() == [tick for tick in range(first, count) for _ in range(tick % 3)]


def test_a_ring_takes_no_more_room_however_long_it_goes() -> None:
    assert filled(11, keep=10).nbytes == filled(2000, keep=10).nbytes
    assert filled(2000).nbytes > 20 * filled(2000, keep=10).nbytes


def test_files_are_read_and_not_written(tmp_path: Path) -> None:
    recording = filled(40, folder=tmp_path / "new").finish(0.1, ())
    assert isinstance(recording.positions.base, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        recording.positions[0] = 1.0


def walk_session(**kept: object) -> Session:
    walker = Character.from_clip(read_clip(clip_path("walk")))
    return Session({"walker": walker}, recording=RecordingOptions(**kept))  # type: ignore[arg-type]


def test_a_clip_comes_out_of_the_end_of_a_session_and_out_of_files(tmp_path: Path) -> None:
    whole = walk_session()
    clip = whole.run(100).clip("walker")
    recording = walk_session(keep=0.5).run(100)
    every = whole.clock.ticks_per_frame
    part = recording.clip("walker")
    assert recording.first == 100 - round(0.5 / whole.clock.tick)
    begin = -(-recording.first // every)
    assert np.allclose(part.rotations, clip.rotations[begin : begin + len(part)], atol=0.02)
    assert len(part) == len(clip) - begin
    filed = walk_session(folder=tmp_path).run(100).clip("walker")
    assert np.array_equal(filed.rotations, clip.rotations)


def test_going_back_in_a_ring_goes_on_the_same() -> None:
    session = walk_session(keep=0.2)
    session.run(40)
    saved = session.save()
    first = session.run(30)
    session.restore(saved)
    again = session.run(30)
    for name in ("times", "positions", "source", "kinematic", "torques"):
        assert np.array_equal(getattr(first, name), getattr(again, name)), name


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"keep": 0.0}, "positive"),
        ({"keep": float("nan")}, "positive"),
        ({"keep": 1.0, "folder": Path("x")}, "not both"),
        ({"folder": Path(__file__).parent}, "empty or new"),
    ],
)
def test_odd_wishes_are_refused(kept: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        RecordingOptions(**kept)  # type: ignore[arg-type]
