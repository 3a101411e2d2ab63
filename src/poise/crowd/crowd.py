"""A crowd of conductors: kinematic arms and head, physical trunk and legs, exact coupling, at 200 Hz."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance import BalanceOptions
from poise.behaviors.looping import GestureLoop, LoopRows
from poise.body.plan import BodyPlan
from poise.control.balance import CarriedBody, PublishedBalance, StandingRows
from poise.crowd import _kernels
from poise.crowd.stance import STANDING, sprung
from poise.errors import InputError
from poise.world.cut import ARMATURE
from poise.world.sprung import CrowdWorld, SprungModel

__all__ = ["STEP", "Crowd", "Member"]

Array = NDArray[np.float64]

STEP = 0.005
"""Length of a physics step [s], the paper's 200 Hz."""


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

    What a member does are the behaviors `Looping` and `SpringBalance`, of all rows at once. It goes through the same numbers to
    the bit, whoever else there is, and alone in a session (`poise.scenes.orchestra.soloist`) to rounding.

    Args:
        plan: The character all of them are.
        gesture: What their kinematic joints do.
        members: Who they are.
        balance: How they stand; its law is the published one.
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
        balance: BalanceOptions = STANDING,
        threads: int | None = None,
    ) -> None:
        if not members:
            raise InputError("a crowd needs at least one member")
        self.plan, self.gesture, self.members = plan, gesture, tuple(members)
        self.balance, body = balance, CarriedBody(plan)
        self.made = SprungModel(plan, sprung(plan, gesture.bodies, balance), STEP)
        self.world = CrowdWorld(self.made, len(members), threads)
        each = ([getattr(member, name) for member in members] for name in ("rate", "size", "phase"))
        self._loop = LoopRows(gesture, *(np.array(values) for values in each))
        self._rows = StandingRows(PublishedBalance(body, balance.multiplier), len(members))
        self._ankles, self._targets = body.legs[:, 2], np.zeros(self.world.positions.shape)
        self._compiled = self._laid_out()
        self.steps = 0
        self._take_up()

    def _laid_out(self) -> tuple[tuple[Any, ...], ...]:
        """What the compiled loop of `control` is given, but for the world and the time."""
        made, world, loop, rows = self.made, self.world, self._loop, self._rows
        count = len(self.members)
        turning, places, speeds = rows.law.joints.ravel(), world.positions.shape, world.velocities.shape
        legs = made.bodies[self._ankles], made.bodies[turning], int(made.bodies[0]), turning
        kept = self._targets, rows.lost
        scratch = (
            np.zeros(places),
            np.zeros(speeds),
            np.zeros(speeds),
            np.zeros((count, 4, 3)),
            np.zeros((count, 2, 2, 4)),
            rows.torques,
        )
        return (
            (made.driven_columns, *loop.compiled),
            (*made.drives, ARMATURE, made.timestep),
            rows.compiled,
            legs,
            made.joints,
            (*kept, *scratch),
        )

    def _take_up(self) -> None:
        """Put every member's driven joints where its gesture has them, moving as they will in the first step."""
        world, columns = self.world, self.made.driven_columns
        np.copyto(self._targets, world.positions)
        self._loop.write(columns, 0.0, self._targets)
        world.positions[:] = self._targets
        world.velocities[:] = 0.0
        self._loop.write(columns, STEP, self._targets)
        world.move_to(self._targets)
        world.refresh()
        self._lowest = self.balance.recovery.lowest * self.made.start[2]
        # What has to be compiled is compiled now, before anybody's clock starts; it changes nothing.
        self.control()

    def __len__(self) -> int:
        return len(self.members)

    @property
    def time(self) -> float:
        """[s]."""
        return self.steps * STEP

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Who lost their balance for good, shape (N,); their law has let go."""
        return self._rows.lost

    def control(self) -> None:
        """Write the forces of the next step: what the gestures need, and the balance law."""
        world, (*laws, scratch) = self.world, self._compiled
        now = world.positions, world.velocities, *world.seen, world.applied
        _kernels.control(*laws, now, self.time + STEP, scratch)

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

    def keepsake(self) -> Any:
        """Everything needed to go on from here to the same bit; a copy (see `poise.behaviors.state.Keeper`)."""
        return self.steps, self.lost.copy(), self._targets.copy(), self.world.keepsake()

    def take_back(self, saved: Any) -> None:
        """Go back to what `keepsake` gave."""
        self.steps, self.lost[:], self._targets[:], world = saved
        self.world.take_back(world)

    @property
    def standing(self) -> NDArray[np.bool_]:
        """Who is on their feet, shape (N,)."""
        up: NDArray[np.bool_] = self.world.positions[:, 2] > self._lowest
        return up & ~self.lost

    @property
    def feet(self) -> Array:
        """Where everybody's ankles are over the ground [m], left and right, shape (N, 2, 2)."""
        return self.world.places(self._ankles)[..., :2]

    def places(self) -> Array:
        """Generalized positions of the plan of everybody, shape (N, nq of the plan)."""
        return self.made.to_plan(self.world.positions, self.world.velocities)[0]
