"""Clean borders between the bodies of a skin: triangles that two bodies share are cut where both move them equally."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Borders", "cut_at_borders"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_APART = 0.03
"""Least distance of a border point from the ends of its edge, as a share: thinner pieces have no normals to speak of."""


@dataclass(frozen=True, eq=False)
class Borders:
    """A skin's triangles, each of one body, over its own vertices and some on the borders.

    Args:
        triangles: Vertices of each, shape (F, 3); numbers from V on are border points.
        bodies: Which body each belongs to, shape (F,).
        corners: Vertices that each border point lies between, shape (P, 3).
        shares: How near it is to each of them; rows sum to one, shape (P, 3).
    """

    triangles: Indices
    bodies: Indices
    corners: Indices
    shares: Array

    def with_points(self, vertices: Array) -> Array:
        """Values at the skin's vertices (V, 3), with those at the border points behind them, shape (V + P, 3)."""
        return np.concatenate([vertices, np.einsum("pk,pkc->pc", self.shares, vertices[self.corners])])


def cut_at_borders(triangles: Indices, weights: Array) -> Borders:
    """Cut triangles where the two bodies that move their corners do so equally.

    Args:
        triangles: Of the skin, shape (F, 3).
        weights: How much each body moves each vertex, shape (V, B).
    """
    owner = weights.argmax(axis=1)
    owners = owner[triangles]
    whole = (owners == owners[:, :1]).all(axis=1)
    points = _Points(len(weights), weights, owner)
    pieces: list[tuple[int, int, int]] = []
    of: list[int] = []
    for triangle in triangles[~whole]:
        for piece, body in _cut(tuple(int(corner) for corner in triangle), owner, points):
            pieces.append(piece)
            of.append(body)
    return Borders(
        np.concatenate([triangles[whole], np.array(pieces, np.int64).reshape(-1, 3)]),
        np.concatenate([owners[whole, 0], np.array(of, np.int64)]),
        np.array(points.corners, np.int64).reshape(-1, 3),
        np.array(points.shares, np.float64).reshape(-1, 3),
    )


class _Points:
    """Border points, one per edge, however many triangles have the edge."""

    def __init__(self, first: int, weights: Array, owner: Indices) -> None:
        self._first, self._weights, self._owner = first, weights, owner
        self._known: dict[tuple[int, int], int] = {}
        self.corners: list[tuple[int, int, int]] = []
        self.shares: list[tuple[float, float, float]] = []

    def on_edge(self, a: int, b: int) -> int:
        """Number of the point where the owners of both ends share equally."""
        a, b = min(a, b), max(a, b)
        if (a, b) not in self._known:
            lead = self._weights[[a, b], self._owner[a]] - self._weights[[a, b], self._owner[b]]
            along = float(np.clip(lead[0] / max(lead[0] - lead[1], 1e-12), _APART, 1.0 - _APART))
            self._known[a, b] = self._add((a, b, b), (1.0 - along, along, 0.0))
        return self._known[a, b]

    def inside(self, corners: tuple[int, int, int]) -> int:
        """Number of the point in the middle of a triangle."""
        return self._add(corners, (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0))

    def _add(self, corners: tuple[int, int, int], shares: tuple[float, float, float]) -> int:
        self.corners.append(corners)
        self.shares.append(shares)
        return self._first + len(self.corners) - 1


def _cut(triangle: tuple[int, ...], owner: Indices, points: _Points) -> list[tuple[tuple[int, int, int], int]]:
    """Pieces of a triangle whose corners belong to two or three bodies, and whose they are."""
    a, b, c = triangle
    if owner[a] != owner[b] and owner[b] != owner[c] and owner[c] != owner[a]:
        middle, ab, bc, ca = points.inside((a, b, c)), points.on_edge(a, b), points.on_edge(b, c), points.on_edge(c, a)
        corners = ((a, ab, ca), (b, bc, ab), (c, ca, bc))
        return [
            (piece, int(owner[corner]))
            for corner, after, before in corners
            for piece in ((corner, after, middle), (corner, middle, before))
        ]
    while owner[b] != owner[c]:  # the corner that stands alone comes first
        a, b, c = b, c, a
    ab, ca = points.on_edge(a, b), points.on_edge(c, a)
    alone, others = int(owner[a]), int(owner[b])
    return [((a, ab, ca), alone), ((ab, b, c), others), ((ab, c, ca), others)]
