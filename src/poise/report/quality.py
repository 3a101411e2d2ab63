"""Quality before and after: what the metrics are told about a character's clip and about its result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.characters.character import Character
from poise.metrics import ContactLog, Motion, compare
from poise.motion.edit import trim
from poise.repair import bridged
from poise.report.measured import motion_of
from poise.runtime.record import Recording
from poise.runtime.session import Session
from poise.signals import Ground

__all__ = ["ground_of", "session_quality"]

Array = NDArray[np.float64]

_STILL = 1e-6
"""What stays within this never moves [m]."""


def session_quality(session: Session) -> dict[str, Any]:
    """Per character, every metric of the source clip and of the result, and their difference; plain values for JSON.

    Where tracking was lost neither side is measured, but what goes on between. Where the source stands as still as a
    statue, what is measured of motion is None on its side.
    """
    recording = session.recording()
    report: dict[str, Any] = {}
    for name, character in session.characters.items():
        result = session.result(name)
        skipped = character.prepared.skipped
        mended = character.prepared.mended
        source = bridged(mended, trim(character.prepared.source, skipped, len(result)))
        after = bridged(mended, trim(result, skipped, len(result)))
        floor = ground_of(session, character)
        played = _played(session, name, recording, len(after))
        before = motion_of(character.plan, source, floor)
        report[name] = compare(
            before,
            motion_of(character.plan, after, floor, contacts=_contact_log(name, recording), efforts=played),
        )
        _leave_out_still(report[name], before)
    return report


def _leave_out_still(report: dict[str, Any], source: Motion) -> None:
    """Take out the source's numbers about what does not move in it: a statue's feet do not skate, nor are they good."""
    parts = (
        ("feet", ("skat", "stance_speed"), source.feet, "the source's feet never move"),
        ("smoothness", ("root",), source.positions[:, [source.root]], "the source's root never moves"),
        ("smoothness", ("joint",), source.positions, "nothing moves in the source"),
    )
    for group, words, points, why in parts:
        if np.ptp(points, axis=0).max(initial=0.0) > _STILL:
            continue
        for key, entry in report[group].items():
            if entry["before"] is not None and any(word in key for word in words):
                entry["before"] = entry["difference"] = None
                report["reasons"][f"{group}.{key}.before"] = why
                report["reasons"][f"{group}.{key}.difference"] = "needs both sides"


def ground_of(session: Session, character: Character) -> float | Ground:
    """What a character's feet are measured against: the terrain where there is any, else the height of the floor [m]."""
    if session.setting.terrain:
        return session.ground
    return character.floor if session.setting.floor is None else session.setting.floor


def _contact_log(name: str, recording: Recording) -> ContactLog:
    """Contacts in which the character takes part; other things touching one another are left out."""
    table, prefix = recording.contacts, f"{name}/"
    own = np.array([label.startswith(prefix) for label in recording.geom_names])
    mine = own[table.pairs].any(axis=1) if len(table.pairs) else np.zeros(0, dtype=bool)
    labels = [_pair_name(recording, pair, prefix) for pair in table.pairs[mine]]
    names = tuple(dict.fromkeys(labels))
    return ContactLog(
        names=names,
        ticks=table.tick[mine],
        pairs=np.array([names.index(label) for label in labels], dtype=np.int64),
        impulses=table.impulse[mine],
        peaks=table.peak[mine],
        times=table.start[mine],
    )


def _pair_name(recording: Recording, pair: NDArray[np.int64], prefix: str) -> str:
    first, second = (recording.geom_names[geom].removeprefix(prefix) for geom in pair)
    if not recording.geom_names[pair[0]].startswith(prefix):
        first, second = second, first
    return f"{first} | {second}"


def _played(session: Session, name: str, recording: Recording, frames: int) -> tuple[Array, Array] | None:
    """Muscle torques and joint velocities at clip frames; None where nothing was played."""
    if len(recording) == 0:
        return None
    layout = session.world.layout(name)
    every = session.clock.ticks_per_frame
    rows = np.clip(np.arange(frames) * every, 0, len(recording))
    velocities = recording.velocities[rows, layout.velocities][:, 6:]
    torques = recording.torques[np.maximum(rows - 1, 0), layout.velocities][:, 6:]
    return torques.reshape(frames, -1, 3), velocities.reshape(frames, -1, 3)
