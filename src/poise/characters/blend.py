"""What comes out between animation and physics: a weight per bone.

Physics is never blended: contacts, torques and what the next tick starts from are the responsive skeleton's. The weight is
for what is shown and written, joint by joint: 0 is the kinematic skeleton's coordinate, 1 the responsive one's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.world.layout import CharacterLayout

__all__ = ["BlendState", "Blends"]

Array = NDArray[np.float64]


@dataclass
class BlendState:
    """Weights of each character from a state's number on, shape (B,), in order."""

    changes: list[list[tuple[int, Array]]]


class Blends:
    """The weights of all characters, and what they were from state to state.

    Args:
        layouts: The characters.
        weights: Of each at the start, shape (B,).
    """

    def __init__(self, layouts: Sequence[CharacterLayout], weights: Sequence[Array]) -> None:
        self._layouts = tuple(layouts)
        self.state = BlendState([[(0, each)] for each in weights])
        self._physical = [bool((each == 1.0).all()) for each in weights]
        """Whether all comes out as physics has it, until weights change."""

    def change(self, state: int, character: int, weights: Array) -> None:
        """A character's weights (B,) from state number `state` on, which is after the start, state 0."""
        changes = self.state.changes[character]
        if changes[-1][0] == state:
            changes.pop()
        changes.append((state, weights))

    def physical(self, character: int) -> NDArray[np.bool_]:
        """Bodies of a character whose weight was not 0 at some time, shape (B,)."""
        return np.asarray(np.any([weights > 0.0 for _, weights in self.state.changes[character]], axis=0))

    def output(self, positions: Array, kinematic: Array, first: int = 0) -> Array:
        """What comes out, shape (n, nq); the positions themselves where no weight is other than 1.

        Args:
            positions: Generalized positions of states that follow one another, shape (n, nq).
            kinematic: The kinematic skeletons then, shape (n, nq).
            first: Number of the first state.
        """
        result = positions
        for layout, changes, physical in zip(self._layouts, self.state.changes, self._physical, strict=True):
            if physical and len(changes) == 1:
                continue
            result = positions.copy() if result is positions else result
            begins = [state for state, _ in changes]
            picked = [bisect_right(begins, state) - 1 for state in range(first, first + len(positions))]
            weights = np.stack([changes[number][1] for number in picked])
            _blend(kinematic[:, layout.positions], result[:, layout.positions], weights)
        return result


def _blend(kinematic: Array, rows: Array, weights: Array) -> None:
    """Lead rows (n, nq of a character) towards the kinematic skeleton in place; at 0 and 1 nothing is rounded."""
    part = weights[:, :1]
    place = kinematic[:, :3] + part * (rows[:, :3] - kinematic[:, :3])
    rows[:, :3] = np.where(part == 1.0, rows[:, :3], np.where(part == 0.0, kinematic[:, :3], place))
    shape = (len(rows), weights.shape[1], 4)
    meant, real, share = kinematic[:, 3:].reshape(shape), rows[:, 3:].reshape(shape), weights[..., None]
    turns = np.where(share == 1.0, real, np.where(share == 0.0, meant, quat.slerp(meant, real, weights)))
    rows[:, 3:] = turns.reshape(len(rows), -1)
