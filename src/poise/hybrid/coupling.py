"""How the kinematic limbs of a character act on its physical part: modes by name.

`EXACT` is the cut of `poise.world.cut`: hybrid dynamics solved in one piece. The others are the paper's and serve comparison;
`poise.world.coupling` plays them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.hybrid.reaction import Form
from poise.signals import Mode

__all__ = ["Coupling", "CouplingOptions", "kinematic_roots"]


class Coupling(StrEnum):
    """What the physical part feels of the kinematic limbs."""

    EXACT = "exact"
    """Everything, at the instant it happens."""
    LAGGED = "lagged"
    """The reaction wrench worked out with the connector's acceleration one substep ago (van Welbergen 2009, Sec. 2)."""
    COMPOSITE = "composite"
    """The limbs' mass, frozen to the connector, and the wrench of their own motion (the paper's alternative)."""
    TORQUE_ONLY = "torque_only"
    """The torque of the lagged wrench without its force, as the paper's text has it: nothing carries the limbs' weight."""
    NONE = "none"
    """Nothing: the limbs weigh nothing."""


@dataclass(frozen=True, kw_only=True)
class CouplingOptions:
    """How limbs are coupled.

    Args:
        mode: By name.
        k: Factor on the dynamic part of the wrench: 1 is true, less calms, more exaggerates. Not for `EXACT`.
        form: What k scales: the "dynamic" part, or everything as "printed".
        check: Whether a lagged coupling that would run away is refused.

    Raises:
        InputError: There is no such mode, k is out of range, or `EXACT` is given a k.
    """

    mode: Coupling = Coupling.EXACT
    k: float = 1.0
    form: Form = "dynamic"
    check: bool = True

    def __post_init__(self) -> None:
        if self.mode not in list(Coupling):
            raise unknown_name("coupling", str(self.mode), [str(mode) for mode in Coupling])
        object.__setattr__(self, "mode", Coupling(self.mode))
        if self.form not in ("dynamic", "printed"):
            raise unknown_name("form of k", str(self.form), ["dynamic", "printed"])
        if not 0.0 <= self.k <= 10.0:
            raise InputError(f"k must lie between 0 and 10; got {self.k:g}")
        if self.mode in (Coupling.EXACT, Coupling.NONE) and self.k != 1.0:
            raise InputError(f"the coupling {str(self.mode)!r} has no k; lagged, composite and torque_only do")


def kinematic_roots(plan: BodyPlan, modes: NDArray[np.int64]) -> list[int]:
    """First body of every kinematic limb that hangs on a physical body, in body order.

    Args:
        plan: The character.
        modes: Who moves each joint, shape (B,).

    Raises:
        InputError: A physical body hangs on a kinematic limb; only the exact coupling can carry one.
    """
    driven = modes == Mode.MOTION
    roots = [b for b in range(1, len(plan)) if driven[b] and not driven[plan.parents[b]]]
    for root in roots:
        loose = [plan.names[b] for b in plan.subtree(root) if not driven[b]]
        if loose:
            raise InputError(
                f"{loose[0]!r} is physical and hangs on the kinematic limb of {plan.names[root]!r}; "
                "only the exact coupling can carry that"
            )
    return roots
