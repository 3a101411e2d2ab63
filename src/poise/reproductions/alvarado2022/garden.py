"""The numbers of natural surroundings (Sec. 6.2, Fig. 14): what is hit without a hand first, gaps, and jerk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.motion.edit import loop
from poise.reproductions.alvarado2022.gaps import hand_gaps
from poise.reproductions.alvarado2022.meeting import meet, meeting
from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.check import Trial, claim, open_row
from poise.reproductions.motion.clips import SHIPPED, Source, sources
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.reproductions.without import blind
from poise.runtime import Character
from poise.scenes.upper_body_figures import garden as scene

__all__ = ["failures", "no_gaps", "picture", "protected"]

Array = NDArray[np.float64]

_COUNT = 200
_WALKS = 7
"""So many held-out clips walk or run through the garden."""
_APART = 0.25
"""Touches of one obstacle by one hand belong together when no more than this lies between them [s]."""


@once
def walk(seed: int = 0) -> Played:
    """A walk through one of the gardens."""
    return play(scene(seed=seed))


def failures(count: int, *, anticipating: bool = True) -> float:
    """Share of `count` seeded random meetings in which head or trunk were hit without a hand first [%]."""
    scenes = (meeting(seed) for seed in range(count))
    return 100.0 * float(np.mean([meet(s if anticipating else blind(s)).failed for s in scenes]))


@claim("hands that answer what is seen", off="no anticipation", cases=_COUNT)
def protected(trial: Trial) -> Row:
    """Share of random obstacles that get past the hands."""
    count = len(trial.seeds(_COUNT))
    share = failures(count, anticipating=trial.on)
    return Row(
        "alvarado2022/garden-protected",
        f"Hands protect head and trunk: of {count} seeded random obstacles a person could meet (up to 2 m/s and 15 kg, seen "
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


@once
def _gaps(source: Source) -> Array:
    """Gaps within contact phases of what hands went out to, on a clip's walk through the garden [m].

    Empty where the clip begins inside a plant.
    """
    clip, mesh = source.read()
    if source in SHIPPED:
        clip = loop(clip, 9)
    try:
        played = play(scene(Character.from_clip(replace(clip, name=source.name), None, mesh)))
    except InputError:
        return np.zeros(0)
    names = [prop.name for prop in played.session.setting.props]
    meant = {event.subject.split(" ")[-1] for event in played.recording.events if event.kind == "reach"}
    found = [np.zeros(0)]
    for side in ("left", "right"):
        for prop, states in contact_phases(played, side):
            if prop in meant:
                gaps = hand_gaps(played, side, np.arange(states.start, states.stop))
                found.append(gaps[:, names.index(prop)])
    return np.concatenate(found)


@open_row(
    "hands that follow the surface",
    aim="1 cm, as on the shipped walk: on others a quarter of the ticks has over 1.6 cm; a smooth law for hands that follow",
    cases=_WALKS,
)
def no_gaps(trial: Trial) -> Row:
    """Gap between a hand and what it is in contact with."""
    some = [source for source in sources(quick=trial.quick) if source.kind.startswith(("walk", "run", "limp"))][:_WALKS]
    every = np.concatenate([np.zeros(0), *(_gaps(source) for source in some)])
    gap = 1e3 * float(np.percentile(every, 95.0)) if len(every) else np.inf
    return Row(
        "alvarado2022/garden-gap",
        f"No gaps between hands and vegetation (Sec. 6.3 has some): within contact phases of {len(some)} clips' walks through "
        "the garden with what hands went out to, 95th percentile below 1 cm",
        None,
        gap,
        "mm",
        gap < 10.0,
    )


def picture(folder: Path) -> Path:
    """The walk through the garden."""
    return save_runs(
        folder, "garden", "The garden (Alvarado 2022, Fig. 14)", [("The garden of seventy plants", walk())], moments=8
    )
