"""The crowd behind a session that watches some of it: told in a few numbers and drawn once."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from poise.crowd import Extras
from poise.io import write_bytes
from poise.runtime.session import Session
from poise.signals import Mode
from poise.world.crowd_picture import paint_crowd
from poise.world.render import Camera

__all__ = ["crowd_facts", "crowd_stories", "extras_of", "write_crowd"]


def extras_of(session: Session) -> Extras | None:
    """Those who play beside the session's characters."""
    return next((one for one in session.behaviors if isinstance(one, Extras)), None)


def crowd_facts(session: Session) -> dict[str, Any]:
    """How many play beside the session's characters, how many of those stand, how far feet slid; empty where nobody does."""
    extras = extras_of(session)
    if extras is None:
        return {}
    crowd, tally = extras.state.crowd, extras.state.tally
    return {"others": len(crowd), "standing": int(crowd.standing.sum()), "slip_m": tally.slip(crowd)}


def crowd_stories(session: Session) -> list[str]:
    """One line about them."""
    facts = crowd_facts(session)
    if not facts:
        return []
    return [
        f"{facts['standing']} of {facts['others']} others in the crowd stand; no foot slid farther than "
        f"{100.0 * facts['slip_m']:.2f} cm"
    ]


def write_crowd(path: Path, session: Session, extras: Extras) -> None:
    """Write a PNG of everybody at the end, from where listeners sit, the nearest row at the lower edge.

    Raises:
        InputError: The file cannot be written.
        NoRenderer: There is no OpenGL library to paint with.
    """
    buffer = BytesIO()
    Image.fromarray(_picture(session, extras)).save(buffer, format="png")
    write_bytes(path, buffer.getvalue())


def _picture(session: Session, extras: Extras) -> NDArray[np.uint8]:
    world, who = session.world, next(iter(session.characters.values()))
    positions = extras.everybody({each.name: world.positions[each.positions] for each in session.layouts})
    deep, wide = float(positions[:, 0].max()), float(np.abs(positions[:, 1]).max())
    camera = Camera(
        target=np.array([0.6 * deep, 0.0, 0.6]),
        azimuth=0.0,
        elevation=-0.35,
        distance=3.2 * max(wide, 0.5 * deep) + 5.0,
    )
    return paint_crowd(who.plan, positions, np.flatnonzero(who.modes == Mode.MOTION).tolist(), camera)
