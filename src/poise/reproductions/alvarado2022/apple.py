"""Fig. 12: an apple falls on someone's head, seen in time, not seen, or seen too late."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from poise.reproductions.alvarado2022.picture import save_runs
from poise.reproductions.alvarado2022.played import HANDS, HEAD, Played, play
from poise.reproductions.row import Row
from poise.scenes.upper_body_figures import Apple, apple

__all__ = ["CHECKS", "picture"]

_RECOVERED, _RECOVERY = 1.0, 2.0
"""The head is back once it is turned by less than this [degrees], and has this long for it [s]."""


@cache
def fall(kind: Apple) -> Played:
    """One of the three apples."""
    return play(apple(kind))


def seen_by_hand() -> Row:
    """How long before the head a hand meets the apple that is seen."""
    played = fall("seen")
    hand, head = played.first_touch(*HANDS, prop="apple"), played.first_touch(*HEAD, prop="apple")
    end = float(played.recording.times[-1])
    lead = min(head, end) - min(hand, end)
    return Row(
        "alvarado2022/fig12-seen-hand",
        "The apple that is seen meets a hand, and the head afterwards or never (Fig. 12, left); lead of the hand",
        None,
        lead,
        "s",
        lead > 0.0,
    )


def seen_spares_head() -> Row:
    """Impulse on the head of the apple that is seen."""
    impulse = fall("seen").impulse(*HEAD, prop="apple")
    return Row(
        "alvarado2022/fig12-seen-head",
        "The apple that is seen gives the head no impulse (Fig. 12, left)",
        0.0,
        impulse,
        "N s",
        impulse == 0.0,
    )


def unseen_deflects() -> Row:
    """How far the apple from behind turns the head."""
    most = float(fall("unseen").turned("head").max())
    return Row(
        "alvarado2022/fig12-unseen-deflects",
        "The apple outside the visibility region pushes the head back (Fig. 12, middle): turned by more than 2°",
        None,
        most,
        "°",
        most > 2.0,
    )


def unseen_recovers() -> Row:
    """How long the head takes to come back."""
    played = fall("unseen")
    struck = played.first_touch(*HEAD, prop="apple")
    turned, times = played.turned("head"), played.recording.times
    late = times[(turned >= _RECOVERED) & (times >= struck)]
    took = float(late.max() - struck) if len(late) else 0.0
    return Row(
        "alvarado2022/fig12-unseen-recovers",
        "Antagonistic control helps the head recover (Fig. 12, middle): turned by less than 1° for good within 2 s",
        None,
        took,
        "s",
        bool(len(late) and took < _RECOVERY and turned[-1] < _RECOVERED),
    )


def fast_missed() -> Row:
    """How far the nearest hand is from the fast apple when that strikes."""
    played = fall("fast")
    struck = min(played.first_touch(*HEAD, prop="apple"), played.first_touch("spine", "pelvis", prop="apple"))
    state = played.at(struck)
    place = played.place("apple")[state]
    nearest = min(float(np.linalg.norm(played.palm(side)[state] - place)) for side in ("left", "right"))
    return Row(
        "alvarado2022/fig12-fast-missed",
        "The apple that falls too fast finds the hand on its way (Fig. 12, right): nearest palm over 10 cm away on impact",
        None,
        100.0 * nearest,
        "cm",
        bool(np.isfinite(struck) and nearest > 0.1 and played.first_touch(*HANDS, prop="apple") > struck),
    )


CHECKS = (seen_by_hand, seen_spares_head, unseen_deflects, unseen_recovers, fast_missed)


def picture(folder: Path) -> Path:
    """The three apples."""
    titles = {"seen": "The apple is seen", "unseen": "It comes from behind", "fast": "It is too fast"}
    kinds: tuple[Apple, ...] = ("seen", "unseen", "fast")
    return save_runs(
        folder, "apple", "A falling apple (Alvarado 2022, Fig. 12)", [(titles[kind], fall(kind)) for kind in kinds]
    )
