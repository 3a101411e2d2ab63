"""Standing by the paper's law alone, on legs that hang on springs (`poise.world.sprung`): no steps, and no muscles to pose.

What a crowd's members do, all at once, by `poise.control.balance.StandingRows`; this is one of them in a session.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance.options import BalanceOptions
from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.reference import Reference
from poise.control.balance import CarriedBody, PublishedBalance, StandingRows
from poise.world.view import WorldView

__all__ = ["SpringBalance", "SpringBalanceState"]

Array = NDArray[np.float64]


@dataclass
class SpringBalanceState:
    """What it remembers.

    Args:
        positions: How it stood at the beginning of the last tick, shape (nq,): what the law goes by, as a crowd has it.
        velocities: How it moved then, shape (nv,).
        lost: Whether the law has let go for good, shape (1,).
        fallen: Whether that, or lying down, was told.
    """

    positions: Array
    velocities: Array
    lost: NDArray[np.bool_]
    fallen: bool


class SpringBalance(Behavior[SpringBalanceState]):
    """Stands; see the module.

    Args:
        options: How stiffly (`multiplier`), and when it counts as fallen (`recovery.lowest`); its law is the published one.
    """

    claims = frozenset[Part]({"pelvis"})

    def __init__(self, options: BalanceOptions) -> None:
        self.options = options

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Take note of who stands."""
        self._body = CarriedBody(reference.plan, view.gravity)
        self._rows = StandingRows(PublishedBalance(self._body, self.options.multiplier), 1)
        self._joints, self._ankles = self._rows.law.joints, self._body.legs[:, 2]
        self._carried = np.zeros((1, 4, 3))
        positions, velocities = view.positions(reference.name), view.velocities(reference.name)
        self._height = float(positions[2])
        self.state = SpringBalanceState(positions.copy(), velocities.copy(), self._rows.lost, False)
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: SpringBalanceState) -> Contribution:
        """The law's torques."""
        wanted, name = Contribution(reference), reference.name
        carriage = self._body.measure(state.positions, state.velocities)
        state.positions[:], state.velocities[:] = view.positions(name), view.velocities(name)
        self._carried[0, :2], self._carried[0, 2:] = carriage.positions[self._ankles], carriage.whole[:2]
        torques = self._rows.act(self._carried, carriage.rotations[self._joints][None])
        force = np.zeros(reference.plan.velocity_count)
        force[6:].reshape(-1, 3)[self._joints - 1] = torques[0]
        wanted.force = force
        up = state.positions[2] > self.options.recovery.lowest * self._height and not state.lost[0]
        if not up and not state.fallen:
            state.fallen = True
            wanted.tell(reference.time, "fell", name)
        return wanted
