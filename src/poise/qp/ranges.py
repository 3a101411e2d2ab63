"""Ranges of balls: how far joints swing and twist, kept by velocity dampers as those of hinges (Vaillant 2017, Eq. 31)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.qp import _turns
from poise.signals import Mechanism

__all__ = ["BRAKING", "KeptRange", "TurnRange"]

Array = NDArray[np.float64]

BRAKING, _KEPT, _OFFSET = np.radians(5.0), np.radians(0.5), 0.5
"""How far before an end a damper begins to brake, what it keeps of that [rad], and what is added to the automatic damping
factor [rad/s]."""
_HARDEST = 160.0
"""Greatest acceleration asked for to brake [rad/s²]: that of pairs (`poise.qp.collisions`) a quarter of a meter from a joint.
What comes faster goes a few degrees beyond, as against the soft end of a joint; stopped at once, a knee fells the body."""
_LONGEST = 2.6
"""Longest swing of which angles mean anything [rad]: at half a turn they jump, as of an arm that is raised overhead."""
_ANGLES = ("swing x", "swing y", "twist z")


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnRange:
    """How far balls of a character may turn; angles are those of `poise.body.plan.JointLimits`.

    Args:
        owner: The character.
        bodies: Which of its bodies, in the plan's order, shape (b,).
        neutral: World orientation of each in the neutral pose, wxyz, shape (b, 4).
        lower: Least swing about x, swing about y and twist about z [rad], shape (b, 3); -inf for none.
        upper: Greatest, shape (b, 3).

    Raises:
        InputError: Shapes do not fit, or an upper end is not above its lower one.
    """

    owner: str
    bodies: Sequence[int]
    neutral: Array
    lower: Array
    upper: Array

    def __post_init__(self) -> None:
        count = len(self.bodies)
        shapes = [np.shape(each) for each in (self.neutral, self.lower, self.upper)]
        if shapes != [(count, 4), (count, 3), (count, 3)] or not np.all(np.less(self.lower, self.upper)):
            raise InputError(
                f"ranges of {count} balls need neutral ({count}, 4), lower and upper ({count}, 3), lower below upper; "
                f"got {', '.join(map(str, shapes))}",
                source=self.owner,
            )


@dataclass(eq=False)
class KeptRange:
    """Ranges at work.

    Attributes:
        angles: At the last `refresh` [rad], shape (b, 3).
        rows: Of low <= rows x qdd <= high, shape (3 b, n).
        gains: Frozen damping factors, shape (b, 3, 2).
    """

    range: TurnRange
    dofs: NDArray[np.int64]
    size: int
    gains: Array = field(init=False)

    @classmethod
    def of(cls, each: TurnRange, system: Mechanism) -> KeptRange:
        """Find the balls; raises `InputError` where there are none of that owner, or not so many."""
        turns, dofs = system.turns(each.owner)
        if not all(0 < body < len(turns) for body in each.bodies):
            raise InputError(f"balls are bodies 1 to {len(turns) - 1}", source=each.owner)
        return cls(each, np.ascontiguousarray(dofs[list(each.bodies)]), system.size)

    def __post_init__(self) -> None:
        count = len(self.dofs)
        self._which = np.asarray(self.range.bodies, dtype=np.int64)
        self._neutral = np.ascontiguousarray(self.range.neutral)
        self._ends = (np.ascontiguousarray(self.range.lower), np.ascontiguousarray(self.range.upper))
        self.gains = np.zeros((count, 3, 2))
        self.angles, self.rows = np.zeros((count, 3)), np.zeros((3 * count, self.size))
        self.low, self.high = np.full(3 * count, -np.inf), np.full(3 * count, np.inf)

    def refresh(self, system: Mechanism, step: float) -> None:
        """The rows and their bounds for a step [s]."""
        turns = np.ascontiguousarray(system.turns(self.range.owner)[0][self._which])
        zone = (step, BRAKING, _KEPT, _OFFSET, _HARDEST, _LONGEST)
        out = (self.angles, self.rows, self.low, self.high)
        _turns.range_rows(turns, self._neutral, self._ends, self.dofs, system.velocities, zone, self.gains, out)

    def labels(self, owners: Mapping[int, str]) -> list[str]:
        """Which angle each row is of, by the names of degrees of freedom, `<character>/<body>/<axis>`."""
        bodies = [owners[int(dof)].rpartition("/")[0] for dof in self.dofs[:, 0]]
        return [f"{body} {angle}" for body in bodies for angle in _ANGLES]
