"""Beat times from text and MIDI files, and files that are no such thing."""

from pathlib import Path

import mido
import numpy as np
import pytest

from poise.errors import InputError
from poise.io.beats import read_beats


def midi(path: Path, messages: list[mido.Message | mido.MetaMessage], quarter: int = 480) -> Path:
    file = mido.MidiFile(ticks_per_beat=quarter)
    file.tracks.append(mido.MidiTrack(messages))
    file.save(path)
    return path


def test_times_alone(tmp_path: Path) -> None:
    path = tmp_path / "beats.txt"
    path.write_text("# a waltz\n0.5\n\n1.0  # two\r\n1.5\n2.25\n")
    beats = read_beats(path, per_bar=3)
    assert beats.times.tolist() == [0.5, 1.0, 1.5, 2.25]
    assert beats.bars.tolist() == [1, 1, 1, 2]
    assert beats.numbers.tolist() == [1, 2, 3, 1]
    assert (beats.per_bar, beats.upbeats) == (3, 0)


def test_times_with_bar_and_beat(tmp_path: Path) -> None:
    path = tmp_path / "beats.csv"
    path.write_text("0.5, 0, 4\n1, 1, 1\n1.5, 1, 2\n2, 1, 3\n2.5, 1, 4\n")
    beats = read_beats(path)
    assert beats.numbers.tolist() == [4, 1, 2, 3, 4]
    assert (beats.per_bar, beats.upbeats) == (4, 1)


def test_midi_tempos_and_meters(tmp_path: Path) -> None:
    notes = [mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=6 * 480)]
    head = [
        mido.MetaMessage("time_signature", numerator=3, denominator=4),
        mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(120)),
        mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(60), time=3 * 480),
        mido.MetaMessage("time_signature", numerator=2, denominator=8),
    ]
    beats = read_beats(midi(tmp_path / "a.mid", head + notes))
    assert np.allclose(beats.times, [0, 0.5, 1.0, *(1.5 + 0.5 * np.arange(13))])
    assert beats.numbers[:8].tolist() == [1, 2, 3, 1, 2, 1, 2, 1]
    assert beats.bars[:5].tolist() == [1, 1, 1, 2, 2]


def test_tempo_changes_between_beats_count(tmp_path: Path) -> None:
    messages = [
        mido.MetaMessage("set_tempo", tempo=1_000_000),
        mido.MetaMessage("set_tempo", tempo=500_000, time=240),
        mido.Message("note_off", note=60, time=720),
    ]
    assert np.allclose(read_beats(midi(tmp_path / "a.mid", messages)).times, [0.0, 0.75, 1.25])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("# nothing\n", "two or more beats"),
        ("1.0\n", "two or more beats"),
        ("1.0\ntwo\n", "line 2: expected a time in seconds, got 'two'"),
        ("1.0\nnan\n", "line 2: expected a time"),
        ("1.0\n1e99\n", "line 2: expected a time"),
        ("2.0\n1.0\n", "line 2: times must increase"),
        ("1.0 1 1\n2.0\n", "line 2: expected `time`"),
        ("1.0 2\n", "line 1: expected `time`"),
        ("1.0 1 1\n2.0 1 x\n", "line 2: bar and beat are whole numbers; got 'x'"),
        ("1.0 1 1\n2.0 1 ²\n", "line 2: bar and beat"),
        ("1.0 1 1\n2.0 1 0\n", "numbered 1 to 64"),
        ("1.0\n\0\n", "not a text file"),
    ],
)
def test_text_that_is_no_list_of_beats(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "beats.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        read_beats(path)
    assert "beats.txt" in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"RIFFxxxx", b"MThd", b"MThd\0\0\0\6\0\1\0\1\1\xe0", b"MThd\0\0\0\6\0\1\0\1\0\0MTrk\0\0\0\4\0\xff\x2f\0"],
)
def test_midi_that_is_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "beats.mid"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"beats\.mid"):
        read_beats(path)


def test_any_damage_to_a_midi_file_is_one_clear_error_or_beats(tmp_path: Path) -> None:
    good = midi(
        tmp_path / "good.mid",
        [
            mido.MetaMessage("time_signature", numerator=3),
            mido.MetaMessage("set_tempo", tempo=500_000),
            mido.Message("note_off", time=1920),
        ],
    ).read_bytes()
    path, refused = tmp_path / "bad.mid", 0
    for at in range(len(good)):
        for value in (0x00, 0x7F, 0xFF):
            path.write_bytes(good[:at] + bytes([value]) + good[at + 1 :])
            try:
                assert np.all(np.diff(read_beats(path).times) > 0.0)
            except InputError:
                refused += 1
    assert refused > 50


def test_missing_file_and_wrong_bar(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_beats(tmp_path / "none.mid")
    (tmp_path / "a.txt").write_text("1\n2\n")
    with pytest.raises(InputError, match="1 to 64 beats"):
        read_beats(tmp_path / "a.txt", per_bar=0)
