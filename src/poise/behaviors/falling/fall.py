"""A body that its feet do not catch any more falls: it gets its hands out and its head away, and is down.

Whose trunk topples gets the hands out first, and back where it does not fall. Falling begins when the root's force would be at
its limit for half a second, which no step comes under, or when the body is down already: the pelvis under 60 % of its height or
the trunk more than 60° off. From then on nothing holds it up: pelvis and legs are physical, muscles aim at a posture that
protects, and no clip is followed any more. Who is down lies as it came to lie.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.falling.blame import Blame
from poise.behaviors.falling.pose import FallingPose
from poise.behaviors.reference import Reference
from poise.body.coordinates import body_frames
from poise.body.layout import turn_columns, turn_slice
from poise.control.falling import Falling
from poise.math import quat
from poise.math.easing import eased, minimum_jerk
from poise.signals import Mode
from poise.world.view import WorldView

__all__ = ["Fall", "FallState"]

Array = NDArray[np.float64]


@dataclass
class FallState:
    """What a body remembers that may fall.

    Args:
        over: Since when its root would not catch it [s], infinite while it would.
        begin: When it began to fall [s], infinite before.
        down: When it was down [s], infinite before.
        lies: When it lay [s], infinite before.
        course: Where it falls, level, of length 1, shape (2,).
        pose: Where it was when it began, and where it came to lie, shape (nq,).
        pusher: What pushed it last; empty for nothing.
        pushed: When that was [s].
        topples: When its trunk was last far over [s].
        out: How long the hands have been on their way out, as a share of the time it takes.
    """

    pose: Array
    over: float = np.inf
    begin: float = np.inf
    down: float = np.inf
    lies: float = np.inf
    course: Array = field(default_factory=lambda: np.array([1.0, 0.0]))
    pusher: str = ""
    pushed: float = -np.inf
    topples: float = -np.inf
    out: float = 0.0


class Fall:
    """Looks after whether one character falls, and lets it.

    Args:
        view: The world.
        reference: The character.
        falling: When it falls, and how.
        catches: How fast the root's force slows the body down that goes beside its motion [m/s²].
    """

    def __init__(self, view: WorldView, reference: Reference, falling: Falling, catches: float) -> None:
        plan = reference.plan
        self._plan, self._falling, self._catches = plan, falling, catches
        self._upright = float(np.cos(0.5 * falling.upright))
        self._blame, self._poses = Blame(view, reference, falling.pushes), FallingPose(plan, falling)
        self._chest = max(plan.with_role("spine"), default=0)
        self._arms = turn_columns(self._poses.arms)
        self._there = int(view.body_numbers(reference.name)[self._chest])
        self.state = FallState(reference.source.copy())

    @property
    def falls(self) -> bool:
        """Whether it falls, or lies."""
        return self.state.begin < np.inf

    def watch(self, view: WorldView, reference: Reference, beside: Array) -> float:
        """Take note of what pushes it, and of where it would fall; see `begins`. How fast it goes there [m/s]."""
        state, speed = self.state, float(np.hypot(*beside))
        last = self._blame.pusher(view, "")
        if last:
            state.pusher, state.pushed = last, reference.time
        if speed > 0.0:
            state.course[:] = self._course(view, beside)
        return speed

    def _course(self, view: WorldView, beside: Array) -> Array:
        """Where it would fall, level, of length 1, shape (2,): where the trunk goes, or where it was pushed to."""
        bodies, chest = view.bodies, self._there
        arm = bodies.positions[chest] - bodies.centers[bodies.roots[chest]]
        goes = (bodies.twists[chest, 3:] + np.cross(bodies.twists[chest, :3], arm))[:2]
        speed = float(np.hypot(*goes))
        course, size = (goes, speed) if speed > self._falling.goes else (beside, float(np.hypot(*beside)))
        return np.asarray(course / max(size, 1e-9))

    def begins(self, view: WorldView, reference: Reference, beside: Array) -> bool:
        """Whether it begins to fall.

        Args:
            view: The world.
            reference: What it is meant to do.
            beside: How fast the pelvis goes beside its motion, level [m/s], shape (2,).
        """
        state, now = self.state, reference.time
        speed = self.watch(view, reference, beside)
        sways = bool(np.count_nonzero(reference.displacement))
        over = not sways and speed > self._falling.saturated * self._catches
        state.over = min(state.over, now) if over else np.inf
        sure = now - state.over >= self._falling.sure - 1e-9
        return sure or (not sways and self._is_down(view, reference))

    def brace(self, view: WorldView, wanted: Contribution, speed: float) -> None:
        """Get the hands out of somebody who topples and has not fallen yet, or back.

        Args:
            view: The world.
            wanted: What this tick shall be; changed.
            speed: How fast the pelvis goes beside its motion [m/s]; 0 of a body that may not fall.
        """
        reference = wanted.reference
        state, falling, tick, now = self.state, self._falling, reference.tick, reference.time
        throws = speed >= falling.goes
        if not throws and state.out == 0.0:
            return
        real = np.array(view.positions(reference.name))
        if throws and self._leans(real, wanted.rows[-1]) and not np.count_nonzero(reference.displacement):
            state.topples = now
        comes = now - state.topples < falling.hands
        state.out = min(max(state.out + (tick if comes else -0.5 * tick) / falling.hands, 0.0), 1.0)
        if state.out > 0.0:
            # From where arms hang: from where they swing they would be led by themselves.
            real[self._arms] = self._poses.rest[self._arms]
            self._reach(reference, wanted, self._poses.at(real, state.course, self._floor(view, real)))

    def _leans(self, real: Array, meant: Array) -> bool:
        """Whether the trunk is far from where it was meant to be, in poses (nq,)."""
        turns = body_frames(self._plan, np.stack([real, meant])).rotations[:, self._chest]
        return float(quat.angle_between(turns[0], turns[1])) > self._falling.leans

    def _reach(self, reference: Reference, wanted: Contribution, aim: Array) -> None:
        """Bring arms that are not let go yet to where they are in a pose (nq,)."""
        rows, share, arms = wanted.edit_pose(), eased(self.state.out), self._poses.arms
        for body in arms:
            at = turn_slice(body)
            rows[:, at] = quat.slerp(rows[:, at], np.broadcast_to(aim[at], rows[:, at].shape), share)
        stiffness, damping = wanted.edit_gains()
        own = (2.0 * np.pi * self._falling.arms) ** 2 * reference.inertias[arms - 1]
        stiffness[arms - 1] = np.maximum(stiffness[arms - 1], share * own)
        critical = 2.0 * reference.tension.damping_ratio * np.sqrt(stiffness[arms - 1] * reference.inertias[arms - 1])
        damping[arms - 1] = np.maximum(damping[arms - 1], critical)

    def _is_down(self, view: WorldView, reference: Reference) -> bool:
        real = view.positions(reference.name)
        floor = self._floor(view, real)
        high = float((real[2] - floor) / max(reference.source[2] - floor, 1e-3))
        if high > self._falling.stands and abs(float(real[3:7] @ reference.source[3:7])) > self._upright:
            return False
        turns = body_frames(self._plan, np.stack([real, reference.source])).rotations[:, self._chest]
        return high < self._falling.low or float(quat.angle_between(turns[0], turns[1])) > self._falling.over

    @staticmethod
    def _floor(view: WorldView, real: Array) -> float:
        if not view.terrain:
            return view.floor or 0.0
        height = float(view.ground.height(np.array(real[:2])))
        return (view.floor or 0.0) if math.isnan(height) else height

    def begin(self, view: WorldView, reference: Reference, wanted: Contribution) -> None:
        """Let go of everything that holds the body up."""
        state, name = self.state, reference.name
        state.begin, state.pose[:] = reference.time, view.positions(name)
        modes = wanted.edit_modes()
        modes[:] = int(Mode.TORQUE)
        modes[0] = int(Mode.PASSIVE)
        wanted.tension = replace(reference.tension, load="none", upright=False)
        wanted.leaves_clip = True
        if reference.time - state.pushed < self._falling.remembered:
            wanted.tell(reference.time, "falls", f"{name} {state.pusher}")
        else:
            wanted.tell(reference.time, "loses balance", name)

    def act(self, view: WorldView, reference: Reference, wanted: Contribution) -> None:
        """Aim every muscle at a posture that protects, from where the body is."""
        state = self.state
        real = np.array(view.positions(reference.name))
        if state.down == np.inf and self._is_down(view, reference):
            state.down = reference.time
            wanted.tell(reference.time, "down", reference.name)
        if state.lies == np.inf and reference.time - state.down > self._falling.lands:
            state.lies, state.pose[:] = reference.time, real
        lies = state.lies < np.inf
        aim = state.pose if lies else self._poses.at(real, state.course, self._floor(view, real))
        rows, wanted.pace = wanted.edit_pose(), 0.0
        out = np.tile(
            minimum_jerk(reference.times, state.begin, state.begin + self._falling.hands), (len(self._plan) - 1, 1)
        ).T
        ahead = state.begin - state.out * self._falling.hands
        out[:, self._poses.arms - 1] = minimum_jerk(reference.times, ahead, ahead + self._falling.hands)[:, None]
        turns, start, end = (each[..., 7:].reshape(*each.shape[:-1], -1, 4) for each in (rows, state.pose, aim))
        turns[:] = quat.slerp(np.broadcast_to(start, turns.shape), np.broadcast_to(end, turns.shape), out)
        rows[:, :7] = real[:7]
        self._tense(reference, wanted)

    def _tense(self, reference: Reference, wanted: Contribution) -> None:
        calm = float(minimum_jerk(max(reference.time - self.state.lies, 0.0) / self._falling.calms))
        frequencies = np.full(len(self._plan) - 1, self._falling.body)
        frequencies[self._poses.arms - 1] = self._falling.arms
        frequencies += calm * (self._falling.lying - frequencies)
        stiffness, damping = wanted.edit_gains()
        stiffness[:] = (2.0 * np.pi * frequencies) ** 2 * reference.inertias
        damping[:] = 2.0 * reference.tension.damping_ratio * np.sqrt(stiffness * reference.inertias)
