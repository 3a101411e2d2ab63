"""A crowd of conductors: kinematic arms and head, physical trunk and legs, exact coupling, at 200 Hz."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.crowd import _kernels
from poise.crowd.gesture import GestureLoop
from poise.crowd.stance import STIFFNESS, Stance, standing
from poise.errors import InputError
from poise.world.crowd import CrowdWorld
from poise.world.cut import ARMATURE

__all__ = ["STEP", "Crowd", "Member"]

Array = NDArray[np.float64]

STEP = 0.005
"""Length of a physics step [s], the paper's 200 Hz."""
_UPRIGHT = 0.8
"""Share of its height at the start that a standing pelvis keeps."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """One of a crowd.

    Args:
        rate: Cycles of the gesture per second; a bar of four beats at 90 beats per minute takes 0.375.
        size: Factor on the gesture.
        phase: Where in its cycle it starts, in cycles.

    Raises:
        InputError: The rate is not between 0 and 5, or the size not between 0 and 2.
    """

    rate: float = 0.375
    size: float = 1.0
    phase: float = 0.0

    def __post_init__(self) -> None:
        for name, value, high in (("rate", self.rate, 5.0), ("size", self.size, 2.0)):
            if not 0.0 <= value <= high:
                raise InputError(f"a member's {name} must lie between 0 and {high:g}; got {value:g}")


class Crowd:
    """Members that conduct, each by itself, each on its own two feet.

        crowd = Crowd(fifteen_bodies(plan), conducting_loop(plan), [Member(rate=0.4), Member(size=0.7)])
        crowd.run(60.0)
        print(crowd.standing.sum())

    A member goes through the same numbers to the bit, whoever else there is.

    Args:
        plan: The character all of them are.
        gesture: What their kinematic joints do.
        members: Who they are.
        stiffness: Of the balance law, `poise.crowd.stance.standing`.
        threads: How many cores work; None for all.

    Raises:
        InputError: There is nobody, or the character has no legs.
    """

    def __init__(
        self,
        plan: BodyPlan,
        gesture: GestureLoop,
        members: Sequence[Member],
        *,
        stiffness: float = STIFFNESS,
        threads: int | None = None,
    ) -> None:
        if not members:
            raise InputError("a crowd needs at least one member")
        self.plan, self.gesture, self.members = plan, gesture, tuple(members)
        self.stance = stance = standing(plan, stiffness)
        self.world = world = CrowdWorld(
            plan,
            gesture.bodies,
            stance.hinges,
            stance.rest,
            (stance.stiffness, stance.damping),
            len(members),
            STEP,
            threads,
        )
        self._phases, self._rates, self._sizes = (
            np.array([getattr(member, name) for member in members]) for name in ("phase", "rate", "size")
        )
        at = (world.position_at[gesture.bodies], world.velocity_at[gesture.bodies])
        self._loop = (*at, gesture.middle, gesture.curves, self._phases, self._rates, self._sizes, STEP)
        self._law = (*_shares(world, stance), world.body_at[stance.feet], stance.toes, stance.pull, stance.ahead, STEP)
        _kernels.take_up(self._loop, world.positions, world.velocities)
        world.refresh()
        self._last = np.array(world.centres[:, 1, :2])
        self.lost: NDArray[np.bool_] = np.zeros(len(members), dtype=np.bool_)
        """Who lost their balance for good, shape (N,); their law has let go."""
        self.steps = 0

    def __len__(self) -> int:
        return len(self.members)

    @property
    def time(self) -> float:
        """[s]."""
        return self.steps * STEP

    def control(self) -> None:
        """Write the forces of the next step: what the gestures need, and the balance law."""
        world = self.world
        _kernels.conduct(self._loop, ARMATURE, world.positions, world.velocities, world.applied)
        _kernels.balance(self._law, world.centres, world.places, world.frames, self._last, self.lost, world.applied)

    def step(self) -> None:
        """One step of everybody."""
        self.control()
        self.world.step()
        self.steps += 1

    def run(self, seconds: float, watch: Callable[[], None] | None = None, every: int = 1) -> None:
        """Play on for `seconds`; `watch` is called after every `every` steps."""
        for number in range(round(seconds / STEP)):
            self.step()
            if watch is not None and number % every == every - 1:
                watch()

    @property
    def standing(self) -> NDArray[np.bool_]:
        """Who is on their feet, shape (N,)."""
        up: NDArray[np.bool_] = self.world.positions[:, 2] > _UPRIGHT * self.stance.rest[2]
        return up & ~self.lost

    @property
    def feet(self) -> Array:
        """Where everybody's ankles are over the ground [m], left and right, shape (N, 2, 2)."""
        return np.array(self.world.places[:, self.world.body_at[self.stance.feet], :2])


def _shares(world: CrowdWorld, stance: Stance) -> tuple[NDArray[np.int64], Array]:
    """Velocities that balance acts on, (D,), and the torque of each per sideways and per forward pull, (D, 2)."""
    freedoms, shares = [], []
    for body in range(1, len(world.plan)):
        torque = stance.torques[body - 1]
        if not torque.any():
            continue
        axes = stance.hinges.get(body, np.eye(3))
        freedoms += [int(world.velocity_at[body]) + number for number in range(len(axes))]
        shares += list(axes @ torque.T)
    return np.array(freedoms, dtype=np.int64), np.array(shares)
