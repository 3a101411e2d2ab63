"""How the kinematic limbs of a character act on its physical part: modes by name.

`EXACT` is the cut of `poise.world.cut`: hybrid dynamics solved in one piece. The others are the paper's and serve comparison;
`poise.world.weightless_limbs` plays them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.plan import BodyPlan
from poise.errors import InputError
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

    Raises:
        InputError: There is no such mode, k is out of range, or `EXACT` is given a k.
    """

    mode: Coupling = parameters.choice(
        Coupling.EXACT,
        *(str(mode) for mode in Coupling),
        says="what the physical part feels of limbs that follow the clip",
        source="van Welbergen 2009, Sec. 2; `exact` is ours",
    )
    k: float = parameters.number(
        1.0,
        0.0,
        10.0,
        says="factor on the dynamic part of the wrench: less than 1 calms, more exaggerates; not for `exact`",
    )
    form: Form = parameters.choice(
        "dynamic", "dynamic", "published", says="what k scales: the dynamic part, or all as printed"
    )
    check: bool = parameters.switch(
        True, says="whether a lagged coupling that would run away is refused", source="in Python alone"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "coupling")
        object.__setattr__(self, "mode", Coupling(self.mode))
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
