"""Everything a run leaves behind, written into one folder."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from poise.characters.character import Character
from poise.errors import InputError
from poise.io import write_bytes, write_character, write_clip, write_own_format
from poise.report.crowd import crowd_facts
from poise.report.export import write_recording
from poise.report.films import wet_films
from poise.report.quality import session_quality
from poise.runtime.record import Recording
from poise.runtime.session import Session
from poise.runtime.timings import Timings

__all__ = ["Outputs", "protect_sources", "remove_stale", "run_facts", "run_timings", "write_outputs"]


_ENDINGS = (".bvh", ".glb", ".usd", ".usda", ".usdc", ".usdz")
"""What a character's result may be written as."""


@dataclass(frozen=True)
class Outputs:
    """The files written, and what there is to say about them."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]
    metrics: Mapping[str, Any]
    timings: Mapping[str, Any]
    """How long it took; apart from the metrics, which are the same to the bit whenever the same is run again."""


def protect_sources(folder: Path, name: str, characters: Mapping[str, Character]) -> None:
    """Refuse to write a result over the file it comes from.

    Raises:
        InputError: One of the files `write_outputs` would write is the source of a character.
    """
    for number, label in enumerate(characters):
        stem = name if number == 0 else f"{name}_{label}"
        targets = {(folder / f"{stem}{ending}").resolve() for ending in _ENDINGS} | {(folder / f"{name}.npz").resolve()}
        for who in characters.values():
            source = who.prepared.source.source.path
            if source and Path(source).resolve() in targets:
                raise InputError("the result would be written over this clip; choose another --out", source=source)


def write_outputs(folder: str | Path, name: str, session: Session, wall_time: float) -> Outputs:
    """Write the result of each character as BVH and in its skin as GLB, the recording as NPZ, the metrics as JSON.

    A character read from glTF is written in its own file's skin, with the motion as one more animation, one read from USD on
    its own stage too; one without a skin gets a mannequin.

    Args:
        folder: Where to; made if it is not there.
        name: Stem of the file names; characters beyond the first add their own name.
        session: After it was run.
        wall_time: How long the run took [s].

    Raises:
        InputError: The folder or a file cannot be written.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", source=target) from error
    files: list[Path] = []
    notes: list[str] = []
    films = wet_films(session)
    for number, (label, character) in enumerate(session.characters.items()):
        stem = name if number == 0 else f"{name}_{label}"
        result = session.result(label)
        notes += write_clip(target / f"{stem}.bvh", result)
        mesh = character.skin
        notes += write_character(target / f"{stem}.glb", result, mesh, film=films.get(label))
        files += [target / f"{stem}.bvh", target / f"{stem}.glb"]
        own = write_own_format(target / stem, result, mesh, films.get(label))
        if own is not None:
            files.append(own[0])
            notes += own[1]
    recording_path = target / f"{name}.npz"
    write_recording(recording_path, session)
    metrics = {"run": run_facts(session), "characters": session_quality(session)}
    if crowd := crowd_facts(session):
        metrics["crowd"] = crowd
    timings = run_timings(session, wall_time)
    tables = {"metrics.json": metrics, "timings.json": timings}
    for file, table in tables.items():
        write_bytes(target / file, (json.dumps(table, indent=1, allow_nan=False) + "\n").encode())
    return Outputs((*files, recording_path, *(target / file for file in tables)), tuple(notes), metrics, timings)


def run_timings(session: Session, wall_time: float) -> dict[str, Any]:
    """How long it took, and in which room."""
    recording = session.recording()
    simulated = len(recording) * recording.tick
    return {
        "wall_s": wall_time,
        "real_time_factor": simulated / wall_time if wall_time > 0 else None,
        "median_tick_ms": 1e3 * float(np.median(recording.timings.sum(axis=1))) if len(recording) else None,
        "rooms_us": _rooms(recording),
    }


def run_facts(session: Session) -> dict[str, Any]:
    """How long it is, what happened."""
    recording = session.recording()
    return {
        "ticks": len(recording),
        "tick_s": recording.tick,
        "substep_s": session.clock.substep,
        "simulated_s": len(recording) * recording.tick,
        "contact_pairs": len({tuple(pair) for pair in recording.contacts.pairs.tolist()}),
        "sources": [str(Path(path).resolve()) for path in _sources(session)],
        "events": [event._asdict() for event in recording.events],
    }


def _sources(session: Session) -> list[str]:
    """Files that the clips came from."""
    paths = [who.prepared.source.source.path for who in session.characters.values()]
    return [path for path in dict.fromkeys(paths) if path]


def remove_stale(folder: Path, files: Sequence[Path]) -> None:
    """Remove what an earlier run left in a folder and this one did not write again, and note what this one wrote.

    Only files that an earlier run noted in `results.json` are removed: nothing of the user's is.

    Args:
        folder: Of the results.
        files: Written by this run.
    """
    note, written = folder / "results.json", {file.name for file in files}
    try:
        earlier = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        earlier = []
    for name in earlier if isinstance(earlier, list) else []:
        if isinstance(name, str) and name == Path(name).name and name not in written:
            with contextlib.suppress(OSError):
                (folder / name).unlink()
    write_bytes(note, (json.dumps(sorted(written), indent=1) + "\n").encode())


def _rooms(recording: Recording) -> dict[str, dict[str, float]]:
    """Per room the time that its ticks took: median, 95th percentile and largest [µs]."""
    if not len(recording):
        return {}
    micro = 1e6 * recording.timings
    return {
        room: {"median": float(np.median(each)), "p95": float(np.percentile(each, 95)), "largest": float(each.max())}
        for room, each in zip(Timings._fields, micro.T, strict=True)
    }
