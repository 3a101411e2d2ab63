"""Handing joints over between their clip and physics while they move (van Welbergen 2009, Secs. 1 and 4).

Positions and velocities are the same numbers before and after: the cut is an array. Towards physics the muscles begin with the
torque of the motion under way, by inverse dynamics, and let go of it in a set time, so the rest of the body feels no jolt.
Towards the clip the joints are led onto it from the physical position, velocity and acceleration (a quintic: C2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Behavior, Contribution
from poise.behaviors.handover import Handover
from poise.behaviors.reference import Reference
from poise.body.layout import spin_slice, turn_slice
from poise.hybrid.partition import find_bodies
from poise.ik import relaxed_positions
from poise.math import quat
from poise.math.easing import minimum_jerk, rest_curve
from poise.signals import Mode
from poise.world.view import WorldView

__all__ = ["Handover", "Switching", "SwitchingState"]

Array = NDArray[np.float64]

_STEP = 1e-3
"""Between instants whose difference gives velocity and acceleration relative to the clip [s]."""


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


@dataclass
class SwitchingState:
    """Orders whose time has not come, the next one first, and handovers under way."""

    waiting: list[Handover]
    active: list[_Active]


class Switching(Behavior[SwitchingState]):
    """Hands joints over at their times; put it after the behaviors that pose them.

    Args:
        orders: What to hand over, and when. More may be asked for by `ask` while it runs.
    """

    def __init__(self, orders: Sequence[Handover] = ()) -> None:
        self.state = SwitchingState(sorted(orders, key=lambda order: order.time), [])

    def ask(self, order: Handover) -> None:
        """Hand over as soon as its time has come."""
        self.state.waiting = sorted([*self.state.waiting, order], key=lambda each: each.time)

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Names are checked here.

        Raises:
            InputError: A joint is unknown.
        """
        self._rest = relaxed_positions(reference.plan)
        for order in self.state.waiting:
            find_bodies(reference.plan, order.joints)
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: SwitchingState) -> Contribution:
        """Begin what is due and carry on what is under way."""
        wanted, begin, times = Contribution(reference), reference.time, reference.times
        while state.waiting and state.waiting[0].time <= begin + 1e-9:
            order = state.waiting.pop(0)
            self._begin(order, view, wanted, state)
            kind = "follows the clip" if order.to == "motion" else "released"
            wanted.tell(begin, kind, f"{reference.name}/{order.joints[0]}")
        for active in state.active:
            if active.order.to == "motion":
                _lead(active, wanted)
            else:
                self._let_go(active, view, wanted)
        state.active = [a for a in state.active if a.order.to == "muscles" or times[-1] < a.begin + a.order.fade]
        return wanted

    def _begin(self, order: Handover, view: WorldView, wanted: Contribution, state: SwitchingState) -> None:
        reference, plan = wanted.reference, wanted.reference.plan
        bodies = np.array(sorted({b for root in find_bodies(plan, order.joints) for b in plan.subtree(root)}))
        curves, shift = np.zeros(0), np.zeros(0)
        if order.to == "motion":
            curves, shift = _paths(bodies, view, reference, order.fade)
        wanted.edit_modes()[bodies] = int(Mode.MOTION if order.to == "motion" else Mode.TORQUE)
        others = [a._replace(bodies=np.setdiff1d(a.bodies, bodies)) for a in state.active if a.order.to == "muscles"]
        active = _Active(order, bodies, reference.time, curves, shift)
        state.active = [a for a in others if len(a.bodies)] + [active]

    def _let_go(self, active: _Active, view: WorldView, wanted: Contribution) -> None:
        """From the torque of the clip's motion alone to the springs of a limb at ease."""
        reference, order, times = wanted.reference, active.order, wanted.reference.times
        share = minimum_jerk((times - active.begin) / order.fade)
        if order.pose == "rest":
            rows = wanted.edit_pose()
            for body in active.bodies[active.bodies > 0]:
                at = turn_slice(body)
                rest = np.broadcast_to(self._rest[at], (len(times), 4))
                rows[:, at] = quat.slerp(rows[:, at], rest, share)
        held = 1.0 - float(minimum_jerk((times[0] - active.begin) / order.fade))
        muscles = active.bodies[active.bodies > 0] - 1
        goal = order.tension.gains(reference.inertias[muscles])
        stiffness, damping = wanted.edit_gains()
        stiffness[muscles] = (1.0 - held) * goal.stiffness
        damping[muscles] = (1.0 - held) * goal.damping
        _carry(active.bodies, view, wanted)
        if held > 0.0 and reference.tension.load == "gravity":
            needed = _motion_torques(active.bodies, view, reference, float(times.mean()))
            wanted.edit_load()[muscles] += held * needed[muscles]


def _paths(bodies: NDArray[np.int64], view: WorldView, reference: Reference, fade: float) -> tuple[Array, Array]:
    """Ways from where physics has the bodies onto the clip, as coefficients of powers of time."""
    now, pull = view.positions(reference.name), view.accelerations(reference.name)
    # A world's velocity is that of the substep just played, whose middle lies half a substep back.
    speed = view.velocities(reference.name) + 0.5 * view.substep * pull
    steps = _STEP * np.array([-1.0, 0.0, 1.0])
    clip = reference.clip_rows(reference.time + steps)
    curves = np.zeros((len(bodies), 6, 3))
    for number, body in enumerate(bodies):
        at, w = turn_slice(body), spin_slice(body)
        turns = steps[:, None] * speed[w] + 0.5 * steps[:, None] ** 2 * pull[w]
        own = quat.mul(now[at], quat.exp(turns))
        curves[number] = rest_curve(quat.log(quat.mul(quat.conj(clip[:, at]), own)), _STEP, fade)
    along = now[:3] + steps[:, None] * speed[:3] + 0.5 * steps[:, None] ** 2 * pull[:3]
    return curves, rest_curve(along - clip[:, :3], _STEP, fade)


def _lead(active: _Active, wanted: Contribution) -> None:
    """Rows between where physics left the joints and the clip."""
    times = wanted.reference.times
    rows, clip = wanted.edit_pose(), wanted.reference.clip_rows(times)
    powers = (np.minimum(times - active.begin, active.order.fade)[:, None]) ** np.arange(6)
    for body, curve in zip(active.bodies, active.curves, strict=True):
        at = turn_slice(body)
        rows[:, at] = quat.mul(clip[:, at], quat.exp(powers @ curve))
    if active.bodies[0] == 0:
        rows[:, :3] = clip[:, :3] + powers @ active.shift


def _carry(bodies: NDArray[np.int64], view: WorldView, wanted: Contribution) -> None:
    """Let the rest of the body carry released joints where they are, not where their muscles aim."""
    reference = wanted.reference
    meant = wanted.rows[(len(wanted.rows) - 1) // 2]
    there = meant.copy()
    columns = (4 * bodies[bodies > 0][:, None] + np.arange(3, 7)).ravel()
    there[columns] = view.positions(reference.name)[columns]
    more = reference.dynamics.load(there).copy() - reference.dynamics.load(meant)
    others = np.setdiff1d(np.arange(1, len(reference.modes)), bodies) - 1
    wanted.edit_load()[others] += more[6:].reshape(-1, 3)[others]


def _motion_torques(bodies: NDArray[np.int64], view: WorldView, reference: Reference, time: float) -> Array:
    """Joint torques beyond the weight's that the clip's motion asks for on the body as it moves now [N m], (B-1, 3)."""
    moment, name = reference.clip_moment(time), reference.name
    positions = np.array(view.positions(name))
    velocities, accelerations = np.array(view.velocities(name)), np.array(view.accelerations(name))
    for body in bodies[bodies > 0]:
        at, w = turn_slice(body), spin_slice(body)
        positions[at] = moment.positions[at]
        velocities[w], accelerations[w] = moment.velocities[w], moment.accelerations[w]
    whole = reference.dynamics.inverse(positions, velocities, accelerations)
    return np.asarray((whole - reference.dynamics.load(positions))[6:].reshape(-1, 3))
