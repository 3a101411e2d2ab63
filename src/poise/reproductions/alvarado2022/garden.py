"""The numbers of natural surroundings (Sec. 6.2, Fig. 14): what is hit without a hand first, gaps, and jerk."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.metrics import jerk
from poise.reproductions.alvarado2022.gaps import hand_gaps
from poise.reproductions.alvarado2022.meeting import meet, meeting
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import garden as scene

__all__ = ["failures", "no_gaps", "no_jerks", "picture", "protected"]

Array = NDArray[np.float64]

_COUNT = 200
_GARDENS = 6
"""So many gardens are walked: what happens to hands in a thicket depends on every twig."""
_APART = 0.25
"""Touches of one obstacle by one hand belong together when no more than this lies between them [s]."""


@cache
def walk(seed: int = 0) -> Played:
    """A walk through one of the gardens."""
    return play(scene(seed=seed))


def failures(count: int) -> float:
    """Share of `count` seeded random meetings in which head or trunk were hit without a hand first [%]."""
    return 100.0 * float(np.mean([meet(meeting(seed)).failed for seed in range(count)]))


def protected() -> Row:
    """Share of random obstacles that get past the hands."""
    share = failures(_COUNT)
    return Row(
        "alvarado2022/garden-protected",
        f"Hands protect head and trunk: of {_COUNT} seeded random obstacles a person could meet (up to 2 m/s and 15 kg, seen "
        "early enough, within reach), hit without a hand first, below 5 %",
        None,
        share,
        "%",
        share < 5.0,
    )


def contact_phases(played: Played, side: str) -> list[tuple[str, slice]]:
    """Prop and states of each contact of a hand: touches that follow one another closely."""
    table, found = played.recording.contacts, list[tuple[str, slice]]()
    most = round(_APART / played.recording.tick)
    rows = played.contacts(f"{side}_hand")
    owners = np.array([_owner(played, int(row)) for row in rows])
    for prop in dict.fromkeys(owners):
        ticks = np.unique(table.tick[rows[owners == prop]])
        for run in np.split(ticks, np.flatnonzero(np.diff(ticks) > most) + 1):
            if len(run):
                found.append((str(prop), slice(int(run[0]) + 1, int(run[-1]) + 2)))
    return found


def _owner(played: Played, row: int) -> str:
    """The prop of a row of the contact table."""
    who = played.session.layouts[0].name
    names = [played.recording.geom_names[geom] for geom in played.recording.contacts.pairs[row]]
    return str(next(name.split("/")[0] for name in names if name.split("/")[0] != who))


def _hands() -> list[tuple[Played, str]]:
    """Both hands on every walk."""
    return [(walk(seed), side) for seed in range(_GARDENS) for side in ("left", "right")]


def no_gaps() -> Row:
    """Gap between a hand and what it is in contact with."""
    found = []
    for played, side in _hands():
        names = [prop.name for prop in played.session.setting.props]
        for prop, states in contact_phases(played, side):
            gaps = hand_gaps(played, side, np.arange(states.start, states.stop))
            found.append(gaps[:, names.index(prop)])
    gap = 1e3 * float(np.percentile(np.concatenate(found), 95.0)) if found else np.inf
    return Row(
        "alvarado2022/garden-gap",
        f"No gaps between hands and vegetation (Sec. 6.3 has some): within contact phases of {_GARDENS} gardens, 95th "
        "percentile below 1 cm",
        None,
        gap,
        "mm",
        gap < 10.0,
    )


def no_jerks() -> Row:
    """Jerk of the hands while they are in contact, over the clip's own."""
    found, own = [], []
    for played, side in _hands():
        columns, hand = played.session.layouts[0].positions, played.bodies(f"{side}_hand")
        source, rate = body_frames(played.plan, played.recording.source[:, columns]), 1.0 / played.recording.tick
        jerks = jerk(played.actual.positions[:, hand], rate)[:, 0]
        own.append(jerk(source.positions[:, hand], rate)[:, 0])
        found += [jerks[states] for _, states in contact_phases(played, side)]
    ratio = (
        float(np.percentile(np.concatenate(found), 95.0) / np.percentile(np.concatenate(own), 95.0)) if found else 0.0
    )
    return Row(
        "alvarado2022/garden-jerk",
        f"Hands move smoothly through vegetation: jerk within contact phases of {_GARDENS} gardens over the clip's own, 95th "
        "percentiles, at most 2",
        None,
        ratio,
        "×",
        0.0 < ratio <= 2.0,
    )


def picture(folder: Path) -> Path:
    """The walk through the garden."""
    return save_runs(
        folder, "garden", "The garden (Alvarado 2022, Fig. 14)", [("The garden of seventy plants", walk())], moments=8
    )
