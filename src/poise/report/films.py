"""What fluid left on a skin, as a film that is exported with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.motion.skin import INFLUENCES, SkinnedMesh
from poise.report.wetness import WetTrack, wet_tracks
from poise.runtime.session import Session
from poise.world.coats import wet_triangles

if TYPE_CHECKING:
    from poise.io.gltf.film import Film

__all__ = ["film_of", "wet_films"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_OVER = 0.003
"""The film lies this far over the skin, or the two would flicker [m]."""
_RATE = 10.0
"""How often it is looked for what got wet [Hz]."""
_MOST = 24
"""Steps in which it comes at most: each is a morph target."""
_NOTHING = 1e-12
"""What is smaller is the rest of a triangle that is cut in one [m²]."""


def wet_films(session: Session) -> dict[str, Film]:
    """By character whose skin got wet in a run, the film over it."""
    if not session.sheets():
        return {}
    skins = {name: who.skin for name, who in session.characters.items()}
    recording = session.recording()
    every = max(1, round(1.0 / (_RATE * recording.tick)))
    states = list(range(0, len(recording) + 1, every))
    times = recording.times[states]
    return {name: film_of(skins[name], track, times) for name, track in wet_tracks(session, skins, states).items()}


def film_of(mesh: SkinnedMesh, track: WetTrack, times: Array) -> Film:
    """The film over a skin, in pieces that come one after the other, each from one wet line to the next.

    Args:
        mesh: The skin.
        track: How wet it was at some times.
        times: Those [s], shape (T,).
    """
    # Readers and writers of glTF are slow to import (docs/architecture.md, decision 12).
    from poise.io.gltf.film import Film

    assert mesh.normals is not None
    values = np.hstack([mesh.vertices + _OVER * mesh.normals, mesh.normals, _whole_weights(mesh)])
    pieces, came, before = [], [], np.full(len(mesh), -1.0)
    for moment in _moments(track):
        now = track.depths[moment].astype(np.float64)
        piece = _between(values, mesh.triangles, before, now)
        if len(piece):
            pieces.append(piece)
            came.append(moment)
        before = now
    steps = np.repeat([sum(each > 0 for each in came[: at + 1]) for at in range(len(came))], [*map(len, pieces)])
    flat = np.concatenate(pieces).reshape(-1, values.shape[1])
    normals = flat[:, 3:6] / np.linalg.norm(flat[:, 3:6], axis=1, keepdims=True)
    joints, weights = _strongest(flat[:, 6:])
    at = times[[each for each in came if each > 0]]
    return Film(flat[:, :3], normals, joints, weights, mesh.inverse_bind, steps, at, (*track.color, track.opacity))


def _moments(track: WetTrack) -> list[int]:
    """At which of its times the film changes: the first, the last, and between them such that about as much comes in each."""
    counts = (track.depths > 0.0).sum(axis=1)
    later = np.flatnonzero(np.diff(counts) > 0) + 1
    if len(later) > _MOST - 1:
        even = np.linspace(counts[0], counts[-1], _MOST)[1:]
        later = np.unique(np.searchsorted(counts, even))
    return sorted({0, *later.tolist(), len(counts) - 1})


def _between(values: Array, triangles: Indices, before: Array, now: Array) -> Array:
    """What is wet now of triangles and was not before: values at the corners of what is left of them, shape (F, 3, n)."""
    depths = now[triangles]
    some = triangles[(depths > 0.0).any(axis=1) & (before[triangles] <= 0.0).any(axis=1)]
    cut = wet_triangles(np.hstack([values, -before[:, None]]), now, some).reshape(-1, values.shape[1] + 1)
    corners = np.arange(len(cut)).reshape(-1, 3)
    left = wet_triangles(cut[:, :-1], cut[:, -1], corners).reshape(-1, 3, values.shape[1])
    edges = np.diff(left[:, :, :3], axis=1)
    return np.asarray(left[np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1) > _NOTHING])


def _whole_weights(mesh: SkinnedMesh) -> Array:
    """How much each vertex follows each joint, shape (V, J)."""
    whole = np.zeros((len(mesh), len(mesh.inverse_bind)))
    np.add.at(whole, (np.arange(len(mesh))[:, None], mesh.joints), mesh.weights)
    return whole


def _strongest(whole: Array) -> tuple[Indices, Array]:
    """The joints followed most, and how much, shape (n, 4) each."""
    count = min(INFLUENCES, whole.shape[1])
    joints = np.argsort(whole, axis=1)[:, -count:]
    weights = np.take_along_axis(whole, joints, axis=1)
    joints = np.pad(np.where(weights > 0.0, joints, 0), ((0, 0), (0, INFLUENCES - count)))
    weights = np.pad(weights / weights.sum(axis=1, keepdims=True), ((0, 0), (0, INFLUENCES - count)))
    return joints, weights
