"""What a character's motion costs it: torques of all joints, loads and fatigue every tick, and events to react to.

Van Welbergen 2009 (Sec. 4) means to use the kinematic joints' torques "to drop a load if it is too heavy, or to show an angry
facial expression when some motion costs more effort than anticipated".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.metrics.effort import Fatigue, fatigue_rates, joint_loads, rested, tire
from poise.runtime.frame import Event
from poise.signals import Mode

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["EffortMeter", "EffortOptions"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EffortOptions:
    """When to speak up.

    Args:
        heavy_at: Load, as a share of a joint's strength, that is too heavy.
        heavy_for: How long it must last [s]: a jerk is no weight.
        tired_at: Fatigued share of a joint's muscle that counts as tired.
        pace: How many seconds of fatigue pass in one; above 1 to see in a short scene what takes minutes.

    Raises:
        InputError: A number is out of range.
    """

    heavy_at: float = 1.0
    heavy_for: float = 0.1
    tired_at: float = 0.3
    pace: float = 1.0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("heavy_at", 0.01, 10.0),
            ("heavy_for", 0.0, 60.0),
            ("tired_at", 0.01, 1.0),
            ("pace", 0.0, 1e4),
        ):
            if not low <= getattr(self, name) <= high:
                raise InputError(f"{name} must lie between {low:g} and {high:g}; got {getattr(self, name):g}")


class EffortMeter:
    """A stage that changes nothing: it measures the motion as it came out and tells "too heavy" and "tired".

        meter = EffortMeter()
        session = Session({"conductor": who}, stages={"conductor": [meter]})

    Torques are by inverse dynamics of the tick before, which is what kinematic joints had to give as long as nothing touches
    the limb below them. An event is told once, and again only after the joint was well below the mark (by a fifth).

    Args:
        options: When to speak up.
        joints: Modes whose joints are watched; all are measured.
    """

    def __init__(self, options: EffortOptions | None = None, joints: tuple[Mode, ...] = (Mode.MOTION,)) -> None:
        self.options, self._watched = options or EffortOptions(), joints

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        self._session, self._actor = session, actor
        plan = actor.character.plan
        self._rates = fatigue_rates(plan.body_roles[1:])
        self.torques: Array = np.zeros((len(plan) - 1, 3))
        """Of each joint below the pelvis in its body's frame over the last tick [N m], shape (B-1, 3)."""
        self.loads: Array = np.zeros(len(plan) - 1)
        """The same as shares of the joints' strengths, shape (B-1,)."""
        self.fatigue: Fatigue = rested(len(plan) - 1)
        """Of each joint's muscle."""
        self._before: Array | None = None
        self._heavy_since = np.full(len(plan) - 1, np.inf)
        self._told = np.zeros((2, len(plan) - 1), dtype=bool)

    def of(self, role: str) -> tuple[float, float]:
        """Largest load and largest fatigued share of the limb that begins at `role`."""
        plan = self._actor.character.plan
        bodies = plan.with_role(role)
        if not bodies:
            raise InputError(f"this character has no {role!r}")
        joints = [body - 1 for body in plan.subtree(bodies[0]) if body]
        return float(self.loads[joints].max()), float(self.fatigue.fatigued[joints].max())

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        layout, data = self._actor.layout, self._session.world.data
        positions, velocities = data.qpos[layout.positions], data.qvel[layout.velocities]
        before, self._before = self._before, velocities.copy()
        if before is None:
            return ()
        tick = self._session.clock.tick
        needed = self._actor.dynamics.inverse(positions, velocities, (velocities - before) / tick)
        self.torques = needed[6:].reshape(-1, 3)
        self.loads = joint_loads(self.torques, self._actor.character.plan.strengths[1:])
        self.fatigue = tire(self.fatigue, self.loads, self._rates, self.options.pace * tick)
        return self._tell(begin)

    def _tell(self, time: float) -> tuple[Event, ...]:
        options, watched = self.options, np.isin(self._actor.modes[1:], self._watched)
        heavy = self.loads >= options.heavy_at
        self._heavy_since = np.where(heavy, np.minimum(self._heavy_since, time), np.inf)
        lasting = heavy & (time - self._heavy_since >= options.heavy_for)
        marks = (
            ("too heavy", lasting, self.loads < 0.8 * options.heavy_at),
            ("tired", self.fatigue.fatigued >= options.tired_at, self.fatigue.fatigued < 0.8 * options.tired_at),
        )
        events: tuple[Event, ...] = ()
        for told, (kind, now, over) in zip(self._told, marks, strict=True):
            names = self._actor.character.plan.names
            new = now & watched & ~told
            events += tuple(Event(time, kind, f"{self._actor.layout.name}/{names[j + 1]}") for j in np.flatnonzero(new))
            told |= new
            told &= ~over
        return events

    def save(self) -> tuple[Array, Array, Fatigue, Array | None, Array, Array]:
        """See `Stage.save`."""
        before = None if self._before is None else self._before.copy()
        return self.torques.copy(), self.loads.copy(), self.fatigue, before, self._heavy_since.copy(), self._told.copy()

    def restore(self, saved: tuple[Array, Array, Fatigue, Array | None, Array, Array]) -> None:
        """See `Stage.restore`."""
        self.torques, self.loads, self.fatigue, self._before, since, told = saved
        self._heavy_since, self._told = since.copy(), told.copy()
