"""What legs carry of the wrench that a motion needs at its pelvis: as much as feet that stand can push out of the ground.

Inverse dynamics says what wrench the pelvis needs if nothing else holds the body. A walker has it from the ground: the force
acts at the centre of pressure that leaves no moment about the level axes, or as near to it as the soles reach, and is shared by
the feet that stand. Their legs stand up to it by the transposed Jacobian, and what they carry nothing else has to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.plan import BodyPlan
from poise.control.balance import CarriedBody, Soles, _kernels
from poise.control.balance.body import level_of
from poise.math import quat

__all__ = ["Carrying", "LegBearing", "StandingFeet"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class StandingFeet:
    """When a foot stands, and what of its sole does."""

    presses: float = parameters.number(
        0.01,
        0.0,
        0.2,
        "m",
        says="parts of a sole that are less than this higher above the ground than its lowest one press on it",
        source="flesh and shoes give as much",
    )
    low: float = parameters.number(
        0.02,
        0.0,
        0.5,
        "m",
        says="a foot is meant to stand while its sole is nearer to the ground",
        source="of clips whose feet stand to a centimeter or two",
    )
    slow: float = parameters.number(
        0.4,
        0.0,
        10.0,
        "m/s",
        says="and while some part of it goes slower along the ground",
        source="a foot that rolls off turns about a part that stays; one that swings goes at twice the walk's speed",
    )
    upward: float = parameters.angle(
        60.0,
        0.0,
        90.0,
        says="a contact bears whose normal is no farther off the vertical",
        source="steeper ones are walls",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "feet")


@dataclass(frozen=True, kw_only=True)
class Carrying:
    """How legs take over what a pelvis that is held by a wrench weighs."""

    takes: float = parameters.number(
        0.1,
        0.0,
        2.0,
        "s",
        says="until a foot that came down bears all that it can",
        source="of a walker's step it is so long",
    )
    gives: float = parameters.number(0.05, 0.0, 2.0, "s", says="in which it is relieved before it is lifted")
    margin: float = parameters.number(
        0.25,
        0.0,
        0.9,
        says="share of a sole's half length and width that is kept free",
        source="who leans on an edge tips over it",
    )
    friction: float = parameters.number(0.6, 0.05, 2.0, says="largest ratio of level to upright force")
    feet: StandingFeet = parameters.group(StandingFeet, says="when a foot stands")

    def __post_init__(self) -> None:
        parameters.check(self, "carrying")

    def lean(self, firm: Array, touches: NDArray[np.bool_], meant: NDArray[np.bool_], tick: float) -> None:
        """Let the body lean more or less on each foot, in place.

        Args:
            firm: How far it leans on each, 0 (not at all) to 1, shape (2,); written.
            touches: Which stand on something, shape (2,).
            meant: Which are meant to, shape (2,).
            tick: Time that passes [s].
        """
        up, down = (tick / max(time, tick) for time in (self.takes, self.gives))
        firm += np.where(meant, np.where(touches, up, -up), -down)
        np.clip(firm, 0.0, 1.0, out=firm)


class LegBearing:
    """Shares a wrench on the pelvis of one body among its feet.

    Args:
        plan: The body.
        options: How.

    Raises:
        InputError: It has no two feet with soles.
    """

    def __init__(self, plan: BodyPlan, options: Carrying) -> None:
        self._body, self._options = CarriedBody(plan), options
        self.torques: Array = np.zeros((len(plan) - 1, 3))
        """What joints carry after `take`, in the children's frames [N m], shape (B-1, 3)."""
        self._still = np.zeros(plan.velocity_count)
        self._points, self._shares = np.zeros((2, 2)), np.zeros(2)

    def take(self, positions: Array, soles: Soles, firm: Array, load: Array) -> None:
        """Take from a wrench what legs can carry, and say what torques they do it with.

        Args:
            positions: Generalized positions, shape (nq,).
            soles: The part of each sole that stands.
            firm: How far the body leans on each foot, 0 (not at all) to 1, shape (2,).
            load: Force in the world [N] and torque in the pelvis' own frame [N m] that the pelvis needs, shape (6,); what is
                left for others to carry is written.
        """
        self.torques[:] = 0.0
        stands = firm > 0.0
        if not stands.any() or load[2] <= 0.0:
            return
        carriage = self._body.measure(positions, self._still)
        pelvis, force, moment = positions[:3], load[:3].copy(), quat.rotate(positions[3:7], load[3:])
        down = level_of(soles, stands) - pelvis[2]
        wanted = pelvis[:2] + np.array([down * force[0] - moment[1], down * force[1] + moment[0]]) / force[2]
        halves, middles = (1.0 - self._options.margin) * soles.halves, soles.middles[:, :2].copy()
        _kernels.spread(wanted, middles, soles.axes, halves, stands, self._points, self._shares)
        level = float(np.hypot(force[0], force[1]))
        force[:2] *= min(1.0, self._options.friction * force[2] / max(level, 1e-9))
        for number, foot in enumerate(self._body.legs[:, 2]):
            share = firm[number] * self._shares[number] * force
            point = np.array([*self._points[number], soles.middles[number, 2]])
            _kernels.leg_torques(
                self._body.table, foot, share, np.zeros(3), point, carriage.rotations, carriage.positions, self.torques
            )
            load[:3] -= share
            load[3:] -= quat.rotate(quat.conj(positions[3:7]), np.cross(point - pelvis, share))
