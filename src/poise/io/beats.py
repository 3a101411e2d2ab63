"""When the beats of a piece are: a text file with times, or a MIDI file with tempos and meters."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.files import read_bytes, read_text

if TYPE_CHECKING:
    import mido

__all__ = ["Beats", "read_beats"]

MAX_BEATS = 100_000
"""Most beats that are read from one file."""
_MIDI = (".mid", ".midi")


@dataclass(frozen=True, eq=False)
class Beats:
    """Beats of a piece.

    Args:
        times: Of each [s], strictly increasing, shape (N,).
        bars: Number of each one's bar, counted from 1 where the file does not say, shape (N,).
        numbers: Of each in its bar, from 1, shape (N,).
    """

    times: NDArray[np.float64]
    bars: NDArray[np.int64]
    numbers: NDArray[np.int64]

    @property
    def per_bar(self) -> int:
        """Beats in the longest bar."""
        return int(self.numbers.max())

    @property
    def upbeats(self) -> int:
        """Beats before the first whole bar."""
        starts = np.flatnonzero(self.numbers == 1)
        return int(starts[0]) if len(starts) else 0


def read_beats(path: Path | str, per_bar: int = 4) -> Beats:
    """Beats from a text file with one `time` or `time bar beat` a line, or from a MIDI file's tempos and meters.

    Empty lines and what follows a `#` are skipped. In MIDI a beat is the meter's denominator, and beats run to the last note.

    Args:
        path: The file; MIDI by its first bytes or its name.
        per_bar: Beats in a bar where a text file gives times alone.

    Raises:
        InputError: The file is missing, unreadable, or not such a file; times do not increase.
    """
    path = Path(path)
    if path.suffix.lower() in _MIDI:
        return _from_midi(path)
    if not 1 <= per_bar <= 64:
        raise InputError(f"a bar has 1 to 64 beats; got {per_bar}")
    return _from_text(path, per_bar)


def _from_text(path: Path, per_bar: int) -> Beats:
    rows: list[tuple[float, int, int]] = []
    columns = 0
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words:
            continue
        place = f"line {number}"
        columns = columns or len(words)
        if len(words) not in (1, 3) or len(words) != columns:
            raise InputError(
                f"expected `time` or `time bar beat`, the same on all lines; got {_short(line)}",
                source=path,
                place=place,
            )
        time = _number(words[0], path, place)
        bar, beat = len(rows) // per_bar + 1, len(rows) % per_bar + 1
        if columns == 3:
            bar, beat = (_whole(word, path, place) for word in words[1:])
        if rows and not time > rows[-1][0] + 1e-3:
            raise InputError(
                f"times must increase by more than 1 ms; {time:g} follows {rows[-1][0]:g}", source=path, place=place
            )
        rows.append((time, bar, beat))
        if len(rows) > MAX_BEATS:
            raise InputError(f"there are more than {MAX_BEATS} beats", source=path, place=place)
    return _beats(rows, path)


def _number(word: str, path: Path, place: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    if not abs(value) < 1e6:
        raise InputError(f"expected a time in seconds, got {_short(word)}", source=path, place=place)
    return value


def _whole(word: str, path: Path, place: str) -> int:
    if not (word.isdecimal() and len(word) < 8):
        raise InputError(f"bar and beat are whole numbers; got {_short(word)}", source=path, place=place)
    return int(word)


def _short(text: str) -> str:
    return repr(text.strip()[:40])


def _beats(rows: list[tuple[float, int, int]], path: Path) -> Beats:
    if len(rows) < 2:
        raise InputError(f"need two or more beats; the file has {len(rows)}", source=path)
    numbers = np.array([row[2] for row in rows])
    if not np.all((numbers >= 1) & (numbers <= 64)):
        raise InputError("beats in a bar are numbered 1 to 64", source=path)
    return Beats(np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), numbers)


def _from_midi(path: Path) -> Beats:
    # Slow to import (docs/architecture.md, decision 12).
    import mido

    content = read_bytes(path)
    if not content.startswith(b"MThd"):
        raise InputError("this is not a MIDI file (it does not begin with MThd)", source=path)
    try:
        file = mido.MidiFile(file=io.BytesIO(content))
        messages = mido.merge_tracks(file.tracks)
    except Exception as error:  # the parser raises whatever a damaged file makes it stumble over
        raise InputError(f"this MIDI file is damaged: {error or type(error).__name__}", source=path) from None
    if file.type == 2 or not 0 < file.ticks_per_beat < 0x8000:
        raise InputError("only MIDI files of type 0 or 1 with ticks per quarter note have beats", source=path)
    changes, end, tick = [], 0, 0
    for message in messages:
        tick += message.time
        if message.type in ("set_tempo", "time_signature"):
            changes.append((tick, message))
        elif message.type in ("note_on", "note_off"):
            end = tick
    return _beats(_midi_rows(changes, end, file.ticks_per_beat, path), path)


def _midi_rows(
    changes: list[tuple[int, mido.MetaMessage]], end: int, quarter: int, path: Path
) -> list[tuple[float, int, int]]:
    """Time, bar and number of every beat up to tick `end`; a new meter begins a new bar."""
    seconds, tempo, since = 0.0, 500_000, 0
    per_bar, length = 4, float(quarter)
    rows: list[tuple[float, int, int]] = []
    bar, number, at = 1, 1, 0.0
    for tick, message in [*changes, (end + 1, None)]:
        while at < tick and at <= end:
            rows.append((seconds + (at - since) * tempo / quarter * 1e-6, bar, number))
            if len(rows) > MAX_BEATS:
                raise InputError(f"there are more than {MAX_BEATS} beats", source=path)
            at, number = at + length, number + 1
            bar, number = (bar + 1, 1) if number > per_bar else (bar, number)
        seconds, since = seconds + (tick - since) * tempo / quarter * 1e-6, tick
        if message is None:
            break
        if message.type == "set_tempo":
            tempo = message.tempo
        else:
            per_bar, length = message.numerator, 4.0 * quarter / message.denominator
            if rows:
                bar, at, number = rows[-1][1] + 1, float(tick), 1
    return rows
