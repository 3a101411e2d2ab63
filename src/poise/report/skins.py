"""Characters' own skins at a moment of a run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import clip_from_generalized
from poise.motion.skin import SkinnedMesh, skin
from poise.runtime import Session

__all__ = ["own_skins", "skins_at"]


def own_skins(session: Session) -> dict[str, SkinnedMesh]:
    """By character, the skin it came with."""
    return {name: who.mesh for name, who in session.characters.items() if who.mesh is not None}


def skins_at(session: Session, positions: NDArray[np.float64], state: int) -> dict[str, NDArray[np.float64]]:
    """By character with a skin, where its vertices are [m], shape (V, 3).

    Args:
        session: What was run.
        positions: Generalized positions of the world, shape (nq,).
        state: How many ticks had been played; joints that are no bodies are as the clip has them there.
    """
    places = {}
    for name, mesh in own_skins(session).items():
        who, columns = session.characters[name], session.world.layout(name).positions
        frame = min(round(state / session.clock.ticks_per_frame), len(who.clip) - 1)
        now = slice(frame, frame + 1)
        moment = who.clip.with_motion(who.clip.rotations[now], who.clip.translations[now])
        turn, place = clip_from_generalized(who.plan, positions[None, columns], moment).world()
        places[name] = skin(mesh, turn[0], place[0])
    return places
