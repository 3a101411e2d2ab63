"""Paths of the hands: ictus on time, continuous acceleration, sizes, claps that meet, reach."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from poise.behaviors import restore_state, saved_state
from poise.errors import InputError
from poise.gesture import (
    BEATS,
    REACH,
    Arms,
    ArmSwing,
    BeatGestures,
    Clapping,
    Conducting,
    Gesture,
    LiveConducting,
    LiveTempo,
    Style,
    TempoMap,
)

Array = NDArray[np.float64]

ARMS = Arms(np.array([[0.0, 0.19, 0.0], [0.0, -0.19, 0.0]]), np.array([0.55, 0.55]), np.array([0.015, 0.015]))
UNEVEN = 2.0 + np.cumsum([0.5, 0.45, 0.4, 0.42, 0.6, 0.9, 0.7, 0.5, 0.5, 0.3, 0.35, 0.5, 0.55])
RIGHT = 1
STYLES = [
    Style(volume=v, staccato=s, expressiveness=e)
    for v, s, e in ((0.3, 0, 1), (2.5, 1, 0), (1, 0.5, 0.5), (0.2, 1, 1), (2, 0, 0))
]


def hand(gesture: Gesture, times: Array, side: int = RIGHT) -> Array:
    return gesture.goals(times, ARMS).positions[:, side]


def lowest(gesture: Gesture, near: float) -> float:
    """Time near `near` at which the right hand's vertical speed passes zero upwards."""

    def speed(time: float) -> float:
        high, low = hand(gesture, np.array([time + 1e-5, time - 1e-5]))[:, 2]
        return float(high - low)

    return float(brentq(speed, near - 0.02, near + 0.02, xtol=1e-7))


def jumps(path: Array, step: float) -> float:
    """Largest change of the second difference from sample to sample over its largest size."""
    acceleration = np.diff(path, 2, axis=0) / step**2
    return float(np.abs(np.diff(acceleration, axis=0)).max() / np.abs(acceleration).max())


@pytest.mark.parametrize("beats", BEATS)
def test_ictus_is_on_the_beat_at_any_tempo_and_in_any_style(beats: int) -> None:
    gesture = Conducting(tempo=TempoMap.from_beats(UNEVEN), count=len(UNEVEN), beats=beats, styles=STYLES * 3)
    errors = [abs(lowest(gesture, beat) - beat) for beat in UNEVEN]
    assert max(errors) < 1e-4
    times = np.arange(UNEVEN[0] - 0.1, UNEVEN[-1] + 0.05, 1e-3)
    height = hand(gesture, times)[:, 2]
    minima = times[1:-1][(height[1:-1] < height[:-2]) & (height[1:-1] <= height[2:])]
    assert np.abs(minima - UNEVEN).max() < 1.01e-3, "one lowest point per beat and no other"


@pytest.mark.parametrize(
    "gesture",
    [
        *(Conducting(tempo=TempoMap.from_beats(UNEVEN), count=13, beats=b, styles=STYLES, cues=(4,)) for b in BEATS),
        Conducting(tempo=TempoMap.from_beats(UNEVEN, {5: 0.5}), count=13, left="rest", cues=(3,)),
        Clapping(tempo=TempoMap.from_beats(UNEVEN), count=13),
        ArmSwing(),
        BeatGestures(ends=(1.0, 1.5, 2.1, 4.0, 7.0), hands=("left", "right")),
    ],
    ids=lambda gesture: type(gesture).__name__,
)
def test_hands_move_with_continuous_acceleration_within_reach(gesture: Gesture) -> None:
    step = 2.5e-4
    goals = gesture.goals(np.arange(0.0, 10.5, step), ARMS)
    for side in (0, 1):
        assert jumps(goals.positions[:, side], step) < 0.05
    assert jumps(goals.weights, step) < 0.05
    assert jumps(goals.rotations.reshape(len(goals.nods), -1), step) < 0.05
    away = np.linalg.norm(goals.positions - ARMS.shoulders, axis=-1)
    assert away.max() <= REACH * 0.55 + 1e-9
    assert np.all((goals.weights > -1e-12) & (goals.weights < 1.0 + 1e-12))
    assert np.abs(goals.weights[[0, -1]]).max() < 1e-9


@pytest.mark.parametrize("beats", BEATS)
def test_size_grows_with_volume_up_to_the_reach(beats: int) -> None:
    tempo, times = TempoMap.from_beats(UNEVEN), np.arange(UNEVEN[0], UNEVEN[-1], 5e-3)
    sizes = []
    for volume in np.linspace(0.1, 2.5, 13):
        path = hand(Conducting(tempo=tempo, count=13, beats=beats, styles=[Style(volume=volume)]), times)
        sizes.append(np.ptp(path, axis=0)[2])
    assert np.all(np.diff(sizes) > 0.0)
    assert sizes[-1] > 6.0 * sizes[0]


def test_staccato_is_sharper_at_the_ictus_than_legato() -> None:
    tempo, step = TempoMap.from_beats(0.5 * np.arange(12)), 1e-3
    peaks = []
    for staccato in (0.0, 0.5, 1.0):
        gesture = Conducting(tempo=tempo, count=12, styles=[Style(staccato=staccato)])
        path = hand(gesture, 2.0 + step * np.arange(-1, 2))
        peaks.append(float(np.diff(path[:, 2], 2)[0]) / step**2)
    assert peaks[2] > 1.5 * peaks[1] > 2.0 * peaks[0] > 0.0


def test_fermata_holds_the_hand_and_the_next_beat_is_on_time() -> None:
    beats = np.array([1.0, 1.5, 2.0, 4.0, 4.5, 5.0])
    gesture = Conducting(tempo=TempoMap.from_beats(beats, {2: 1.5}), count=6)
    held = hand(gesture, np.linspace(2.26, 3.74, 40))
    assert np.ptp(held, axis=0).max() < 1e-9
    assert abs(lowest(gesture, 4.0) - 4.0) < 1e-4


def test_left_hand_mirrors_rests_or_gives_a_cue() -> None:
    tempo, times = TempoMap.from_beats(UNEVEN), np.linspace(UNEVEN[0], UNEVEN[-1], 400)
    mirror = Conducting(tempo=tempo, count=13).goals(times, ARMS)
    assert np.allclose(mirror.positions[:, 0] * [1.0, -1.0, 1.0], mirror.positions[:, 1])
    rest = Conducting(tempo=tempo, count=13, left="rest").goals(times, ARMS)
    assert not rest.weights[:, 0].any()
    cue = Conducting(tempo=tempo, count=13, left="rest", cues=(4,)).goals(UNEVEN, ARMS)
    assert cue.weights[4, 0] == pytest.approx(1.0)
    assert cue.weights[[2, 7], 0].max() < 1e-12
    assert cue.positions[4, 0, 2] > cue.positions[4, 1, 2] + 0.1


def test_claps_meet_on_time_and_never_cross() -> None:
    gesture = Clapping(tempo=TempoMap.from_beats(UNEVEN), count=13)
    times = np.arange(UNEVEN[0] - 0.1, UNEVEN[-1] + 0.2, 1e-3)
    gap = hand(gesture, times, 0)[:, 1] - hand(gesture, times, 1)[:, 1] - ARMS.palms.sum()
    assert gap.min() > -1e-12
    at_claps = hand(gesture, UNEVEN, 0)[:, 1] - hand(gesture, UNEVEN, 1)[:, 1] - ARMS.palms.sum()
    assert np.abs(at_claps).max() < 1e-9
    away = np.abs(times[:, None] - UNEVEN).min(axis=1) > 0.1
    assert gap[away].min() > 0.01
    assert gap.max() == pytest.approx(0.5 * 0.55, rel=1e-3)


def test_strokes_end_when_they_shall() -> None:
    ends = np.array([1.2, 1.9, 4.5])
    gesture = BeatGestures(ends=tuple(ends), hold=0.25)
    for end in ends:
        before, after = hand(gesture, np.array([end - 0.22, end]))
        assert after[2] < before[2] - 0.1, "a stroke goes down"
        held = hand(gesture, np.linspace(end, end + 0.15, 10))
        assert np.ptp(held, axis=0).max() < 1e-9, "and is held"
    weights = gesture.goals(np.array([1.55, 3.2, 4.4]), ARMS).weights[:, 1]
    assert weights.tolist() == [1.0, 0.0, 1.0], "close strokes are one gesture, distant ones are two"


def test_live_conducting_stays_smooth_through_tempo_style_and_fermata() -> None:
    live, step = LiveConducting(LiveTempo(100.0)), 1e-3
    path, phases = [], []
    for tick in range(8000):
        match tick:
            case 2000:
                live.tempo.ask(160.0)
            case 3500:
                live.style = Style(volume=1.8, staccato=1.0)
            case 5000:
                live.tempo.ask(0.0)
            case 6500:
                live.tempo.ask(80.0)
        path.append(live.goals(np.array([step * tick]), ARMS).positions[0])
        phases.append(live.tempo.phase)
    points = np.array(path)
    assert jumps(points.reshape(len(points), -1), step) < 0.1
    assert np.all(np.diff(phases) >= 0.0)
    assert np.ptp(points[6300:6500], axis=0).max() < 1e-3, "a tempo of 0 is a fermata"
    height = points[:, 1, 2]
    lowest_at = np.flatnonzero((height[1:-1] < height[:-2]) & (height[1:-1] <= height[2:])) + 1
    crossed = np.flatnonzero(np.diff(np.floor(phases)) > 0)
    assert np.abs(lowest_at - crossed).max() <= 1


def test_live_conducting_is_the_same_however_it_is_asked_and_after_going_back() -> None:
    times = np.arange(1.0, 3.0, 0.01)
    one, many = (LiveConducting(LiveTempo(90.0)) for _ in range(2))
    one.tempo.ask(130.0)
    many.tempo.ask(130.0)
    saved = saved_state(many)
    whole = one.goals(times, ARMS).positions
    parts = np.concatenate([many.goals(part, ARMS).positions for part in np.split(times, 8)])
    assert np.array_equal(whole, parts)
    restore_state(many, saved)
    assert np.array_equal(many.goals(times, ARMS).positions, whole)


def test_tempo_maps_are_exact_monotone_and_smooth() -> None:
    tempo = TempoMap.from_beats(UNEVEN, {5: 0.3})
    times = np.arange(0.0, 12.0, 1e-3)
    assert np.allclose(tempo.phase(UNEVEN), np.arange(13), atol=1e-12)
    assert np.all(tempo.phase(times, 1) >= -1e-12)
    coarse, fine = (np.abs(np.diff(tempo.phase(np.arange(0.0, 12.0, h), 2))).max() for h in (1e-3, 1e-4))
    assert fine < 0.15 * coarse, "acceleration does not jump"
    assert tempo.time(3.0) == pytest.approx(UNEVEN[3], abs=1e-9)
    curve = TempoMap.from_tempo([0.0, 4.0, 8.0], [60.0, 120.0, 120.0])
    assert curve.phase(np.array([0.0, 8.0])) - [0.0, 0.0] == pytest.approx([0.0, curve.phase(4.0) + 8.0])
    assert np.all(np.diff(curve.phase(times, 1)) >= -1e-12)
    steady = TempoMap.from_beats(0.5 * np.arange(4))
    assert np.allclose(steady.phase(times), 2.0 * times, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: TempoMap.from_beats([1.0, 2.0, 2.0]), "beat 2: .* increase"),
        (lambda: TempoMap.from_beats([1.0]), "two or more"),
        (lambda: TempoMap.from_beats([0.0, np.nan]), "beat 1: .* finite"),
        (lambda: TempoMap.from_beats([0.0, 1.0], {0: 1.0}), "fermata"),
        (lambda: TempoMap.from_tempo([0.0, 1.0], [60.0, -1.0]), "tempos must"),
        (lambda: LiveTempo(-1.0), "tempo must"),
        (lambda: Style(volume=9.0), "style.volume: must be a number from 0.1 to 2.5"),
        (lambda: Conducting(tempo=TempoMap.from_beats([0, 1]), count=2, beats=5), "1, 2, 3, 4, 6"),
        (lambda: Clapping(tempo=TempoMap.from_beats([0, 1]), count=0), "one clap"),
        (lambda: ArmSwing(angle=9.0), "180 degrees"),
        (lambda: BeatGestures(ends=(1.0, 1.1)), "strokes need"),
        (lambda: BeatGestures(ends=(1.0,), hands=("foot",)), "unknown hand 'foot'"),
    ],
)
def test_what_cannot_be_is_refused(make: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        make()  # type: ignore[operator]
