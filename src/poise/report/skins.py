"""Characters' skins at a moment of a run: their own, or a mannequin."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import clip_from_generalized
from poise.body.fingers import close_hands
from poise.body.mannequin import cache_folder, mannequin
from poise.body.plan import BodyPlan
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh, skin
from poise.runtime import Recording, Session

__all__ = ["drawn_skins", "skin_for", "skins_at"]

_MOST_TRIANGLES = 60_000
"""A heavier skin would fill a page; the mannequin stands in for it."""


def drawn_skins(session: Session) -> dict[str, SkinnedMesh]:
    """By character, the skin in which reports, films and strips show it: the one it came with, else a mannequin."""
    return {name: skin_for(who.mesh, who.prepared.source, who.plan) for name, who in session.characters.items()}


def skin_for(mesh: SkinnedMesh | None, clip: Clip, plan: BodyPlan) -> SkinnedMesh:
    """The skin to draw: a mannequin stands in for one that is missing or too heavy."""
    if mesh is None or len(mesh.triangles) > _MOST_TRIANGLES:
        return mannequin(clip, plan, folder=cache_folder())
    return mesh


def skins_at(
    session: Session, skins: Mapping[str, SkinnedMesh], recording: Recording, state: int
) -> dict[str, NDArray[np.float64]]:
    """By character, where the vertices of its skin are [m], shape (V, 3).

    Args:
        session: What was run.
        skins: As `drawn_skins` gives them.
        recording: What came out.
        state: How many ticks had been played; joints that are no bodies are as the clip has them there, but hands hold.
    """
    places = {}
    for number, (name, mesh) in enumerate(skins.items()):
        who, columns = session.characters[name], session.world.layout(name).positions
        frame = min(round(state / session.clock.ticks_per_frame), len(who.clip) - 1)
        now = slice(frame, frame + 1)
        rotations = close_hands(who.clip.skeleton, who.clip.rotations[now], recording.grips[state, number][None])
        moment = who.clip.with_motion(rotations, who.clip.translations[now])
        turn, place = clip_from_generalized(who.plan, recording.output[state, columns][None], moment).world()
        places[name] = skin(mesh, turn[0], place[0])
    return places
