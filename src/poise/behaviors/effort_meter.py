"""What a character's motion costs it: torques of all joints, loads and fatigue every tick, and events to react to.

Van Welbergen 2009 (Sec. 4) means to use the kinematic joints' torques "to drop a load if it is too heavy, or to show an angry
facial expression when some motion costs more effort than anticipated".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.behaviors.behavior import Behavior, Contribution
from poise.behaviors.reference import Reference
from poise.errors import InputError
from poise.metrics.effort import Fatigue, fatigue_rates, joint_loads, rested, tire
from poise.signals import Mode
from poise.world.view import WorldView

__all__ = ["EffortMeter", "EffortOptions", "EffortState"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EffortOptions:
    """When to speak up.

    Raises:
        InputError: A number is out of range.
    """

    heavy_at: float = parameters.number(
        1.0, 0.01, 10.0, says="load, as a share of a joint's strength, that is too heavy", live=True
    )
    heavy_for: float = parameters.number(
        0.1, 0.0, 60.0, "s", says="how long it must last: a jerk is no weight", live=True
    )
    tired_at: float = parameters.number(
        0.3, 0.01, 1.0, says="fatigued share of a joint's muscle that counts as tired", live=True
    )
    pace: float = parameters.number(
        1.0, 0.0, 1e4, says="seconds of fatigue that pass in one: above 1, minutes are seen in a short scene", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "effort")


@dataclass
class EffortState:
    """What was measured and told.

    Args:
        torques: Of each joint below the pelvis in its body's frame over the last tick [N m], shape (B-1, 3).
        loads: The same as shares of the joints' strengths, shape (B-1,).
        fatigue: Of each joint's muscle.
        before: Generalized velocities at the beginning of the last tick, shape (nv,); None at first.
        heavy_since: Since when each joint's load is too heavy [s], shape (B-1,).
        reported: Whether "too heavy" and "tired" were told of each, shape (2, B-1).
    """

    torques: Array
    loads: Array
    fatigue: Fatigue
    before: Array | None
    heavy_since: Array
    reported: NDArray[np.bool_]


class EffortMeter(Behavior[EffortState]):
    """A behavior that changes nothing: it measures the motion as it came out and tells "too heavy" and "tired".

        meter = EffortMeter()
        session = Session({"conductor": who}, behaviors={"conductor": [meter]})
        session.run()
        meter.state.loads

    Torques are by inverse dynamics of the tick before, which is what kinematic joints had to give as long as nothing touches
    the limb below them. An event is told once, and again only after the joint was well below the mark (by a fifth).

    Args:
        options: When to speak up.
        joints: Modes whose joints are watched; all are measured.
    """

    called = "effort"
    options: EffortOptions

    def __init__(self, options: EffortOptions | None = None, joints: tuple[Mode, ...] = (Mode.MOTION,)) -> None:
        self.options, self._watched = options or EffortOptions(), joints

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        self._plan, count = reference.plan, len(reference.plan) - 1
        self._rates = fatigue_rates(reference.plan.body_roles[1:])
        self.state = EffortState(
            torques=np.zeros((count, 3)),
            loads=np.zeros(count),
            fatigue=rested(count),
            before=None,
            heavy_since=np.full(count, np.inf),
            reported=np.zeros((2, count), dtype=bool),
        )
        return Contribution(reference)

    def of(self, role: str) -> tuple[float, float]:
        """Largest load and largest fatigued share of the limb that begins at `role`."""
        bodies = self._plan.with_role(role)
        if not bodies:
            raise InputError(f"this character has no {role!r}")
        joints = [body - 1 for body in self._plan.subtree(bodies[0]) if body]
        return float(self.state.loads[joints].max()), float(self.state.fatigue.fatigued[joints].max())

    def step(self, view: WorldView, reference: Reference, state: EffortState) -> Contribution:
        """Measure the tick that was played."""
        wanted, name = Contribution(reference), reference.name
        positions, velocities = view.positions(name), view.velocities(name)
        before, state.before = state.before, velocities.copy()
        if before is None:
            return wanted
        tick = reference.tick
        needed = reference.dynamics.inverse(positions, velocities, (velocities - before) / tick)
        state.torques = needed[6:].reshape(-1, 3)
        state.loads = joint_loads(state.torques, reference.plan.strengths[1:])
        state.fatigue = tire(state.fatigue, state.loads, self._rates, self.options.pace * tick)
        self._tell(wanted, state)
        return wanted

    def _tell(self, wanted: Contribution, state: EffortState) -> None:
        options, reference, time = self.options, wanted.reference, wanted.reference.time
        watched = np.isin(reference.modes[1:], self._watched)
        heavy = state.loads >= options.heavy_at
        state.heavy_since = np.where(heavy, np.minimum(state.heavy_since, time), np.inf)
        lasting = heavy & (time - state.heavy_since >= options.heavy_for)
        marks = (
            ("too heavy", lasting, state.loads < 0.8 * options.heavy_at),
            ("tired", state.fatigue.fatigued >= options.tired_at, state.fatigue.fatigued < 0.8 * options.tired_at),
        )
        for reported, (kind, now, over) in zip(state.reported, marks, strict=True):
            new = now & watched & ~reported
            for joint in np.flatnonzero(new):
                wanted.tell(time, kind, f"{reference.name}/{reference.plan.names[joint + 1]}")
            reported |= new
            reported &= ~over
