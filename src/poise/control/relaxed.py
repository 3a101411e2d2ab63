"""Muscles that do not carry all they could: what is left of a target when a share of it is let go.

Tension alone moves no undisturbed limb, since the load of the intended motion is carried at any stiffness. A limb hangs and
drags when it is not: then the weight bends it and its inertia keeps it back. A spring of 3 Hz without its load would still
hold an arm to within five degrees, so stiffness, damping and the wish to move go with the load, down to what tissue without
any muscle has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.math import quat
from poise.signals import Target

__all__ = ["ahead", "relaxed", "tissue"]

Array = NDArray[np.float64]

_TISSUE, _DAMPS = 0.3, 0.8
"""A joint without muscles: frequency without weight [Hz] and damping ratio. An arm (5 rad/s by its weight) then swings out
within two periods, at a damping ratio of 0.3."""
_WRIST = 1.0 / 15.0
"""Stiffness of a wrist without muscles, in strengths of its muscles per rad: 1 N m/rad for 15 N m (measured passive wrists have
about that, Formica et al. 2012), which is much for what hangs on it; a hand with a spring of 0.3 Hz whips past its range."""


def tissue(plan: BodyPlan, inertias: Array) -> Array:
    """Stiffness of each joint without muscles [N m/rad], shape (B-1,).

    Args:
        plan: The body.
        inertias: Moment of inertia of what hangs on each joint [kg m²], shape (B-1,).
    """
    stiffness = (2.0 * np.pi * _TISSUE) ** 2 * inertias
    hands = np.array(
        [body for hand in plan.with_role("left_hand", "right_hand") for body in plan.subtree(hand)], dtype=int
    )
    stiffness[hands - 1] = np.maximum(stiffness, _WRIST * plan.strengths[1:])[hands - 1]
    return stiffness


def relaxed(target: Target, shares: Array, inertias: Array, passive: Array) -> Target:
    """What muscles aim at that let a share of it go; between the two the frequency changes evenly.

    Args:
        target: Of fully working muscles.
        shares: Of the load that each does not carry, 0 to 1, shape (B-1,).
        inertias: Moment of inertia of what hangs on each joint [kg m²], shape (B-1,).
        passive: Stiffness without muscles [N m/rad], shape (B-1,).
    """
    works = 1.0 - shares
    root = works * np.sqrt(target.stiffness) + shares * np.sqrt(passive)
    return target._replace(
        velocity=works[:, None] * target.velocity,
        stiffness=root**2,
        damping=works * target.damping + shares * 2.0 * _DAMPS * np.sqrt(passive * inertias),
        load=works[:, None] * target.load,
    )


def ahead(coordinates: Array, speeds: Array, which: NDArray[np.bool_], time: float) -> Array:
    """Joint coordinates some time later, as fast as they turn now, shape (B-1, 4).

    What a limp limb reaches within a tick, its stop has to know at its beginning: no muscle slows it before.

    Args:
        coordinates: Now, shape (B-1, 4).
        speeds: Angular velocities in the bodies' frames [rad/s], shape (B-1, 3).
        which: Joints that are looked ahead for, shape (B-1,).
        time: How far [s].
    """
    later = coordinates.copy()
    later[which] = quat.mul(coordinates[which], quat.exp(time * speeds[which]))
    return later
