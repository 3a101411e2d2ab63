"""A root that may be physical: no force holds the pelvis, and the body stands on the ground by the torques of its own joints.

On the way there the root yields, as ever: the clip comes to rest at its next moment on both feet and ends standing, and the
soles are laid on the ground. Then pelvis, trunk and legs are given to physics where they are and as fast as they are, and the
balance of `behaviors.balance` keeps them up, steps, or gives up. On the way back the legs are led again from where they stand,
and the clip goes on as after any stop. A clip whose own feet stand does not stop: trunk, head and arms go on meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.pacing import Pace
from poise.behaviors.balance.behavior import Balance, BalanceState
from poise.behaviors.balance.options import BEND, BalanceOptions
from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.behaviors.root import _kernels
from poise.behaviors.root.halt import Halt
from poise.behaviors.root.root import CompliantRoot
from poise.behaviors.root.soles import Soles
from poise.behaviors.root.standing_feet import carrier
from poise.behaviors.root.state import RootState
from poise.body.coordinates import body_frames
from poise.body.layout import turn_columns
from poise.control.root import Root
from poise.errors import InputError
from poise.math import quat
from poise.math.easing import minimum_jerk
from poise.signals import Mode
from poise.world.command import Soften
from poise.world.view import WorldView

__all__ = ["PhysicalRoot", "PhysicalState"]

Array = NDArray[np.float64]


@dataclass
class PhysicalState(RootState):
    """What a root remembers that may be physical; see `RootState`.

    Args:
        wants: What it is to be.
        stands: The balance of its body while it is physical.
        halt: How fast it lets its clip's time run on that account.
        load: What its muscles carry where it is not physical.
        soles: How far the soles are laid on the ground, 0 to 1.
        over: How far its pelvis is meant to be beside where it would stand, for its mass to be over its feet and for legs to
            reach the ground [m], shape (3,).
        kept: Rotation vectors by which the legs' joints were beside what they are led to when it yielded again, shape (n, 3).
        hung: The same of joints between the pelvis and the legs beside their motion, shape (m, 3).
        tilted: How much higher its pelvis was then than it is meant to be [m], and how far turned from that [rad], shape (4,).
        since: When that was [s].
    """

    wants: Root = "compliant"
    stands: BalanceState | None = None
    halt: Pace = field(default_factory=Pace)
    load: Literal["motion", "gravity", "none"] = "motion"
    soles: float = 0.0
    over: Array = field(default_factory=lambda: np.zeros(3))
    kept: Array = field(default_factory=lambda: np.zeros((0, 3)))
    hung: Array = field(default_factory=lambda: np.zeros((0, 3)))
    tilted: Array = field(default_factory=lambda: np.zeros(4))
    since: float = -np.inf


class PhysicalRoot(CompliantRoot):
    """The root of one character; see the module, and `CompliantRoot` for what it is made of."""

    state: PhysicalState

    def start(self, view: WorldView, reference: Reference) -> None:
        """See `CompliantRoot.start`."""
        super().start(view, reference)
        base = self.state
        self.state = PhysicalState(**{each.name: getattr(base, each.name) for each in fields(base)})
        self.state.kept, self.state.hung = (np.zeros((len(b), 3)) for b in (self._legs.bodies, self._legs.between))
        self._balance = Balance(BalanceOptions(kinematic=(), start=1.0))
        self._own = np.append(np.arange(7), turn_columns(self._legs.bodies))
        self.refusal = self._refused(view, reference)
        if not self.refusal:
            floor = (view.floor or 0.0) - self._drive.standing.presses
            self._soles = Soles(self._balance.body, self._legs, floor)
            self._halt = Halt(self._plan, self._keys, self._gait, self._drive.standing)

    def _refused(self, view: WorldView, reference: Reference) -> str:
        """Why it cannot be physical; empty where it can."""
        if view.terrain or view.floor is None:
            return "a physical root stands on a level floor, and this scene has none"
        try:
            self._balance.start(view, reference)
        except InputError as error:
            return error.problem
        return ""

    def become(self, root: Root) -> None:
        """See `CompliantRoot.become`."""
        super().become(root)
        self.state.wants = root

    @property
    def lost(self) -> bool:
        """Whether it is physical and nothing can keep it up any more."""
        return self.state.stands is not None and self.state.stands.phase == "fallen"

    @property
    def is_physical(self) -> bool:
        """Whether nothing holds the pelvis."""
        return self.state.stands is not None

    @property
    def may_fall(self) -> bool:
        """See `CompliantRoot.may_fall`; one who ends a walk goes beside the clip on purpose."""
        return super().may_fall and not 0.0 < self.planner.state.stop[1] < 1.0

    # In front of other behaviors

    def look(self, view: WorldView, reference: Reference) -> Contribution:
        """See `CompliantRoot.look`."""
        state, wanted = self.state, Contribution(reference)
        if state.stands is None and not self._may_stand():
            return super().look(view, reference)
        self._see(view)
        self._clip[:] = reference.rows
        if state.stands is not None and state.wants != "physical" and self._is_calm():
            self._yield_again(wanted)
            return wanted
        wanted.carries = False
        self.planner.ease(stands=state.halt.value == 0.0)
        self._stand_at_ease(wanted)
        self._led = wanted.rows[:, self._own].copy()
        if state.stands is None:
            self._give_to_physics(view, wanted)
        else:
            self._balance.state = state.stands
            self._balance.keep_up(view, wanted)
        self.beside = self._speeds[:2].copy()
        return Contribution(reference) if self.lost else wanted

    def _called(self) -> bool:
        return self.state.wants == "physical" or super()._called()

    def _is_calm(self) -> bool:
        """Whether the body stands on both feet and hardly moves."""
        state, slow = self.state, float(np.linalg.norm(self._speeds[:3])) < self._drive.standing.calm
        return slow and (state.stands is None or state.stands.phase == "standing")

    def _stands(self) -> bool:
        """Whether the clip, as it is led, stands on both feet."""
        state, steps = self.state, self.planner.state
        if steps.kind.any():
            return False
        return steps.stop[1] == 1.0 if state.halt.stops else not steps.swing[2].any()

    def _may_stand(self) -> bool:
        state = self.state
        if not (
            state.wants == "physical"
            and state.awake
            and state.soles == 1.0
            and self._stands()
            and state.recovery.is_still
        ):
            return False
        self._see(self._view)
        away, standing = self._lacks(), self._drive.standing
        near = float(np.hypot(away[0], away[1])) < standing.over
        return near and -away[2] < standing.reaches * float(self._legs.bones.mean()) and self._is_calm()

    def _lacks(self) -> Array:
        """The way that mass lacks to be over the feet, level, and down to where legs reach the ground [m], shape (3,)."""
        body, legs = self._balance.body, self._legs
        carriage = body.measure(self._here, self._speeds)
        feet, hips = legs.goals[-1, 0], carriage.positions[legs.hips]
        middle = feet[:, :2].mean(axis=0) + self._soles.lead(carriage.rotations[legs.feet])
        short = np.linalg.norm(hips - feet, axis=1) - (1.0 - BEND) * legs.bones
        return np.append(middle - carriage.centre[:2], -max(float(short.max()), 0.0))

    def _beside(self) -> tuple[Array, float]:
        level, height = super()._beside()
        state, rate = self.state, self._drive.standing.shifts * self._tick
        if state.wants == "physical" and state.soles > 0.0:
            state.over += rate * self._lacks()
            most = self._drive.standing.shifted
            state.over[:2] *= min(1.0, most / max(float(np.hypot(*state.over[:2])), 1e-9))
            state.over[2] = min(max(state.over[2], -self._drive.bearing.lowest), 0.0)
        else:
            state.over *= max(1.0 - rate, 0.0)
        return level + state.over[:2], height + float(state.over[2])

    def _give_to_physics(self, view: WorldView, wanted: Contribution) -> None:
        """Nothing holds pelvis and legs from now on."""
        state, modes = self.state, wanted.reference.modes.copy()
        state.awake = False
        self._take_over(wanted)
        bodies, sunk = self.flesh
        wanted.commands.append(Soften(wanted.reference.name, bodies, np.setdiff1d(sunk, self._legs.feet)))
        self._balance.take_over(view, wanted)
        state.stands = self._balance.state
        modes[self._legs.bodies] = int(Mode.TORQUE)
        wanted.modes = modes
        # The pose that a balance aims at is no motion whose inertia could be carried: at a landing it jumps.
        state.load = self._reference.tension.load
        wanted.tension = replace(self._reference.tension, load="gravity")

    def _plan_feet(self, wanted: Contribution) -> None:
        super()._plan_feet(wanted)
        state, count = self.state, len(self._clip)
        before, lasts = state.soles, self._drive.resting.feet
        rate = self._tick / lasts if state.wants == "physical" and self._stands() else -self._tick / lasts
        state.soles = min(max(before + rate, 0.0), 1.0)
        if before > 0.0 or state.soles > 0.0:
            share = (np.arange(count) + 1.0) / count
            lifts = np.outer(share, self.planner.state.swing[1])
            self._soles.lay(minimum_jerk(before + share * (state.soles - before)), lifts)
        since = self._reference.time - state.since
        if since < lasts:
            self._come_up(wanted, since, lasts)

    def _come_up(self, wanted: Contribution, since: float, lasts: float) -> None:
        """Lead pelvis and legs from where they stood on their own, `since` seconds ago, to where they yield."""
        state, count = self.state, len(self._clip)
        times = since + self._h * np.arange(1.0, count + 1)
        left = 1.0 - minimum_jerk(times, 0.0, lasts)
        self._legs.beside += left[:, None, None] * state.kept
        if len(state.hung):
            rows = wanted.edit_pose(moves=False)
            turns = rows[:, self._legs.carriers].reshape(count, -1, 4)
            rows[:, self._legs.carriers] = quat.mul(turns, quat.exp(left[:, None, None] * state.hung)).reshape(
                count, -1
            )
        self._root[:, 2] += left * state.tilted[0]
        self._root[:, 3:] = quat.mul(self._root[:, 3:], quat.exp(left[:, None] * state.tilted[1:]))

    # Behind them

    def lead(self, view: WorldView, reference: Reference) -> Contribution:
        """See `CompliantRoot.lead`."""
        state = self.state
        if state.stands is None:
            wanted = super().lead(view, reference)
        else:
            wanted = Contribution(reference)
            rows = wanted.rows.copy()
            # As while it yields: what moves pelvis and legs is no part of the intended motion, which would jump.
            rows[:, self._own] = self._led
            self._note(rows)
            self._stiffen_trunk(wanted)
            state.clip[:] = self._clip[-1]
        halts = state.wants == "physical" or state.stands is not None
        if halts or state.halt.stops or state.halt.value != 1.0:
            now = reference.clock.now(float(reference.times[-1]))
            pace = self._halt.advance(state.halt, now, self._tick, halts=halts)
            wanted.pace = pace if wanted.pace is None else min(pace, wanted.pace)
        return wanted

    # The root yields again

    def _yield_again(self, wanted: Contribution) -> None:
        """Lead the legs from where they stand."""
        state, reference, legs = self.state, self._reference, self._legs
        stop = self.planner.state.stop.copy()
        state.stands, state.soles = None, 1.0
        state.over[:] = 0.0
        wanted.tension = replace(reference.tension, load=state.load)
        modes = wanted.edit_modes()
        modes[legs.bodies] = int(Mode.MOTION)
        modes[state.freed[1:]] = int(Mode.MOTION)
        wanted.carries = state.may
        self._wake(wanted)
        state.woke = -np.inf
        wanted.commands.append(Soften(reference.name, *self.flesh))
        state.since = reference.time
        wanted.tell(reference.time, "yields", reference.name)
        self._start_from_here(stop)
        # The kinematic skeleton's pelvis and legs were a balance's: what they are now is not where those went.
        wanted.edit_before()[self._own] = np.append(state.target, self._clip[0, self._own[7:]])
        state.kept[:], state.hung[:] = 0.0, 0.0
        self._plan_feet(wanted)
        row = self._here.copy()
        row[self._own[7:]] = self._clip[0, self._own[7:]]
        state.kept[:] = self._turned(legs.reach(row), legs.bodies)
        legs.beside[:] = state.kept
        state.hung[:] = self._turned(wanted.rows[0], legs.between)
        wanted.edit_pose(moves=False)[:, legs.carriers] = self._here[legs.carriers]

    def _turned(self, row: Array, bodies: NDArray[np.int64]) -> Array:
        """How far joints of bodies (n,) are from a pose (nq,), rotation vectors [rad], shape (n, 3)."""
        away, speed = np.zeros((1 + len(bodies), 3)), np.zeros((1 + len(bodies), 3))
        _kernels.apart(self._here, row, row, self._speeds, bodies, self._h, away, speed)
        return away[1:]

    def _start_from_here(self, stop: Array) -> None:
        """The planner goes on from where the body and its feet are, its clip as far at its end as it was."""
        state, plan, steps, here = self.state, self._plan, self.planner.state, self._here
        row = state.clip.copy()
        _kernels.relax(row[None], self._upper, self._rest, plan.neutral[0], minimum_jerk(stop[1:2]))
        clip, real = body_frames(plan, state.clip[None]), body_frames(plan, here[None])
        swings = np.isfinite(self._gait.lifts[self._gait.row(self._reference.clock.now(self._reference.time))])
        for foot, body in enumerate(self._legs.feet):
            own, there = clip.positions[0, body], real.positions[0, body]
            yaw = self._soles.yaw(real.rotations[0, body], foot) - self._soles.yaw(clip.rotations[0, body], foot)
            motion = carrier(there[:2], float(yaw), own[:2])
            steps.placed[foot] = steps.landing[foot] = steps.led[foot] = motion
            steps.places[foot] = there
        # The clip goes on: that it stood is over.
        steps.swing[2], steps.stop[:] = swings, (0.0, *stop[1:])
        _kernels.planar_offset(row, here, plan.neutral[0], self._away, self._heading)
        # A clip that ended standing is as high as legs reach; one that goes on is as high as it says, by and by.
        height = float(minimum_jerk(stop[1])) * float(here[2] - row[2])
        steps.offset[:] = *self._away, height
        motion, target = carrier(here[:2], float(self._away[2]), row[:2]), np.empty((1, 7))
        state.moved[:] = *motion, height
        _kernels.carry(motion, row[None, :7], target)
        turned = quat.log(quat.mul(quat.conj(target[0, 3:]), here[3:7]))
        state.target[:], state.tilted[:] = here[:7], (here[2] - target[0, 2] - height, *turned)
        meant = state.motions[1][3]
        meant[2], meant[3:7] = here[2] - height, quat.mul(row[3:7], quat.exp(turned))
        c, s = np.cos(self._away[2]), np.sin(self._away[2])
        moment = self._reference.clip_moment(self._reference.time).velocities
        state.speed[:] = moment[:6]
        state.speed[:2] = c * moment[0] - s * moment[1], s * moment[0] + c * moment[1]
