"""Handing joints over between their clip and physics while they move (van Welbergen 2009, Secs. 1 and 4).

Positions and velocities are the same numbers before and after: the cut is an array. Towards physics the muscles begin with the
torque of the motion under way, by inverse dynamics, and let go of it in a set time, so the rest of the body feels no jolt.
Towards the clip the joints are led onto it from the physical position, velocity and acceleration (a quintic: C2).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.control.tension import Tension
from poise.errors import InputError
from poise.hybrid.partition import find_bodies
from poise.ik import relaxed_positions
from poise.math import quat
from poise.math.easing import minimum_jerk
from poise.runtime.frame import Event
from poise.signals import Mode

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["Handover", "Switching"]

Array = NDArray[np.float64]

_LOOSE = Tension(frequency=1.2, damping_ratio=0.5)
_STEP = 1e-3
"""Between instants whose difference gives velocity and acceleration relative to the clip [s]."""


@dataclass(frozen=True, kw_only=True)
class Handover:
    """Who takes joints over, and when.

    Raises:
        InputError: A number is out of range, or nobody is named.
    """

    time: float
    """When [s]; it happens at the beginning of the next tick."""
    joints: tuple[str, ...]
    """Joints or roles; everything below them goes along."""
    to: Literal["motion", "muscles"]
    """The clip, or physics."""
    pose: Literal["clip", "rest"] = "rest"
    """What muscles aim at: the clip, or hanging at ease."""
    fade: float = 0.5
    """How long the change takes [s]."""
    tension: Tension = field(default_factory=lambda: _LOOSE)
    """Of the muscles once the change is over."""

    def __post_init__(self) -> None:
        if not 1e-3 <= self.fade <= 60.0:
            raise InputError(f"fade must lie between 0.001 and 60 s; got {self.fade:g}")
        if not self.joints:
            raise InputError("a handover needs joints")
        if self.to not in ("motion", "muscles") or self.pose not in ("clip", "rest"):
            raise InputError(
                f"a handover is to 'motion' or 'muscles' with a pose 'clip' or 'rest'; got {self.to!r}, {self.pose!r}"
            )


class _Active(NamedTuple):
    """A handover under way.

    Args:
        order: What was asked for.
        bodies: Whom it concerns, shape (n,).
        begin: When it began [s].
        curves: Towards the clip: for each body the rotation vector from the clip to it as a polynomial, shape (n, 6, 3).
        shift: The same for the pelvis' position, shape (6, 3).
    """

    order: Handover
    bodies: NDArray[np.int64]
    begin: float
    curves: Array
    shift: Array


class Switching:
    """Hands joints over at their times; put it after the stages that pose them.

    Args:
        orders: What to hand over, and when. More may be asked for by `ask` while it runs.
    """

    def __init__(self, orders: Sequence[Handover] = ()) -> None:
        self._waiting = sorted(orders, key=lambda order: order.time)
        self._active: list[_Active] = []

    def ask(self, order: Handover) -> None:
        """Hand over as soon as its time has come."""
        self._waiting = sorted([*self._waiting, order], key=lambda each: each.time)

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`; names are checked here.

        Raises:
            InputError: A joint is unknown.
        """
        self._session, self._actor = session, actor
        self._rest = relaxed_positions(actor.character.plan)
        for order in self._waiting:
            find_bodies(actor.character.plan, order.joints)

    def act(self, begin: float) -> tuple[Event, ...]:
        """Begin what is due and carry on what is under way."""
        events: tuple[Event, ...] = ()
        while self._waiting and self._waiting[0].time <= begin + 1e-9:
            order = self._waiting.pop(0)
            self._begin(order, begin)
            kind = "follows the clip" if order.to == "motion" else "released"
            events += (Event(begin, kind, f"{self._actor.layout.name}/{order.joints[0]}"),)
        times = begin + self._session.substep_times
        for active in self._active:
            if active.order.to == "motion":
                self._lead(active, times)
            else:
                self._let_go(active, times)
        self._active = [a for a in self._active if a.order.to == "muscles" or times[-1] < a.begin + a.order.fade]
        return events

    def _begin(self, order: Handover, begin: float) -> None:
        actor, plan = self._actor, self._actor.character.plan
        bodies = np.array(sorted({b for root in find_bodies(plan, order.joints) for b in plan.subtree(root)}))
        modes = actor.modes.copy()
        modes[bodies] = int(Mode.MOTION if order.to == "motion" else Mode.TORQUE)
        curves, shift = self._paths(bodies, begin, order.fade) if order.to == "motion" else (np.zeros(0), np.zeros(0))
        self._session.assign_modes(actor, modes)
        others = [a._replace(bodies=np.setdiff1d(a.bodies, bodies)) for a in self._active if a.order.to == "muscles"]
        self._active = [a for a in others if len(a.bodies)] + [_Active(order, bodies, begin, curves, shift)]

    def _paths(self, bodies: NDArray[np.int64], begin: float, fade: float) -> tuple[Array, Array]:
        """Ways from where physics has the bodies onto the clip, as coefficients of powers of time."""
        layout, data = self._actor.layout, self._session.world.data
        now, pull = data.qpos[layout.positions], data.qacc[layout.velocities]
        # A world's velocity is that of the substep just played, whose middle lies half a substep back.
        speed = data.qvel[layout.velocities] + 0.5 * self._session.clock.substep * pull
        steps = _STEP * np.array([-1.0, 0.0, 1.0])
        clip = np.zeros((3, len(now)))
        self._actor.trajectory.rows(self._actor.clock.at(begin + steps), clip)
        curves = np.zeros((len(bodies), 6, 3))
        for number, body in enumerate(bodies):
            at, w = slice(3 + 4 * body, 7 + 4 * body), slice(3 + 3 * body, 6 + 3 * body)
            turns = steps[:, None] * speed[w] + 0.5 * steps[:, None] ** 2 * pull[w]
            own = quat.mul(now[at], quat.exp(turns))
            curves[number] = _quintic(quat.log(quat.mul(quat.conj(clip[:, at]), own)), fade)
        along = now[:3] + steps[:, None] * speed[:3] + 0.5 * steps[:, None] ** 2 * pull[:3]
        return curves, _quintic(along - clip[:, :3], fade)

    def _lead(self, active: _Active, times: Array) -> None:
        """Rows between where physics left the joints and the clip."""
        rows, actor = self._actor.rows, self._actor
        clip = np.zeros_like(rows)
        actor.trajectory.rows(actor.clock.at(times), clip)
        powers = (np.minimum(times - active.begin, active.order.fade)[:, None]) ** np.arange(6)
        for body, curve in zip(active.bodies, active.curves, strict=True):
            at = slice(3 + 4 * body, 7 + 4 * body)
            rows[:, at] = quat.mul(clip[:, at], quat.exp(powers @ curve))
        if active.bodies[0] == 0:
            rows[:, :3] = clip[:, :3] + powers @ active.shift
        actor.changed = True

    def _let_go(self, active: _Active, times: Array) -> None:
        """From the torque of the clip's motion alone to the springs of a limb at ease."""
        actor, order = self._actor, active.order
        share = minimum_jerk((times - active.begin) / order.fade)
        if order.pose == "rest":
            for body in active.bodies[active.bodies > 0]:
                at = slice(3 + 4 * body, 7 + 4 * body)
                rest = np.broadcast_to(self._rest[at], (len(times), 4))
                actor.rows[:, at] = quat.slerp(actor.rows[:, at], rest, share)
            actor.changed = True
        held = 1.0 - float(minimum_jerk((times[0] - active.begin) / order.fade))
        muscles = active.bodies[active.bodies > 0] - 1
        goal = order.tension.gains(actor.inertias[muscles])
        actor.stiffness[muscles] = (1.0 - held) * goal.stiffness
        actor.damping[muscles] = (1.0 - held) * goal.damping
        self._carry(active.bodies)
        if held > 0.0 and actor.tension.load == "gravity":
            actor.load[muscles] += held * self._motion_torques(active.bodies, float(times.mean()))[muscles]

    def _carry(self, bodies: NDArray[np.int64]) -> None:
        """Let the rest of the body carry released joints where they are, not where their muscles aim."""
        actor = self._actor
        meant = actor.rows[(len(actor.rows) - 1) // 2]
        there = meant.copy()
        columns = (4 * bodies[bodies > 0][:, None] + np.arange(3, 7)).ravel()
        there[columns] = self._session.world.data.qpos[actor.layout.positions][columns]
        more = actor.dynamics.load(there).copy() - actor.dynamics.load(meant)
        others = np.setdiff1d(np.arange(1, len(actor.modes)), bodies) - 1
        actor.load[others] += more[6:].reshape(-1, 3)[others]

    def _motion_torques(self, bodies: NDArray[np.int64], time: float) -> Array:
        """Joint torques beyond the weight's that the clip's motion asks for on the body as it moves now [N m], (B-1, 3)."""
        actor, layout, data = self._actor, self._actor.layout, self._session.world.data
        moment = actor.clip_moment(time)
        positions = np.array(data.qpos[layout.positions])
        velocities, accelerations = np.array(data.qvel[layout.velocities]), np.array(data.qacc[layout.velocities])
        for body in bodies[bodies > 0]:
            at, w = slice(3 + 4 * body, 7 + 4 * body), slice(3 + 3 * body, 6 + 3 * body)
            positions[at] = moment.positions[at]
            velocities[w], accelerations[w] = moment.velocities[w], moment.accelerations[w]
        whole = actor.dynamics.inverse(positions, velocities, accelerations)
        return np.asarray((whole - actor.dynamics.load(positions))[6:].reshape(-1, 3))

    def save(self) -> tuple[list[Handover], list[_Active]]:
        """See `Stage.save`."""
        return copy.deepcopy((self._waiting, self._active))

    def restore(self, saved: tuple[list[Handover], list[_Active]]) -> None:
        """See `Stage.restore`."""
        self._waiting, self._active = copy.deepcopy(saved)


def _quintic(samples: Array, duration: float) -> Array:
    """Polynomial that begins with the value, slope and curvature of three samples (3, n) and ends at rest at zero; (6, n)."""
    value, slope = samples[1], (samples[2] - samples[0]) / (2.0 * _STEP)
    curvature = (samples[2] - 2.0 * samples[1] + samples[0]) / _STEP**2
    t = duration
    powers = np.array([[t**3, t**4, t**5], [3 * t**2, 4 * t**3, 5 * t**4], [6 * t, 12 * t**2, 20 * t**3]])
    ends = -np.array([value + slope * t + 0.5 * curvature * t * t, slope + curvature * t, curvature])
    return np.vstack([value, slope, 0.5 * curvature, np.linalg.solve(powers, ends)])
