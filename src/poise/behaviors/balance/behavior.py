"""Standing on one's own legs: a behavior that lets the lower body balance what the rest of it does (van Welbergen 2009).

The pelvis is free, legs and trunk have muscles, arms and head follow the clip exactly. Every tick the legs' targets are solved
for feet that stay where they stand and a centre of mass that is over them, and the balance law's torques are carried on top.
Where the capture point leaves the feet, one of them steps after it; where that is hopeless, the muscles let go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance.footing import Footing
from poise.behaviors.balance.foresight import Foresight
from poise.behaviors.balance.options import KINEMATIC, BalanceOptions
from poise.behaviors.balance.resting import Resting
from poise.behaviors.balance.stepping import Swing, plan_swing
from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.reference import Reference
from poise.body.layout import spin_columns, turn_columns
from poise.body.plan import BodyPlan
from poise.control.balance import Aim, BalanceLaw, CaptureBalance, Carriage, CarriedBody, PublishedBalance, Reading
from poise.hybrid.partition import whole
from poise.math import quat
from poise.signals import Mode
from poise.world.command import Place, Weld
from poise.world.view import WorldView

__all__ = ["Balance", "BalanceState", "standing_modes"]

Array = NDArray[np.float64]


@dataclass
class BalanceState:
    """What a balance remembers from tick to tick.

    Args:
        phase: "following" its clip, "standing", "stepping" or "fallen".
        steps: Steps since it last stood still.
        away: How far the pose's pelvis still is from where it belongs [m], and turned [rad], shape (6,).
        swing: The step under way.
        since: When the present phase began [s].
        footing: Where the feet stand.
        foresight: What arms and head will do.
        resting: Their way to rest, of a body that was taken over from its clip.
    """

    phase: Literal["following", "standing", "stepping", "fallen"]
    steps: int
    away: Array
    swing: Swing | None
    since: float
    footing: Footing
    foresight: Foresight
    resting: Resting | None = None


def standing_modes(plan: BodyPlan, kinematic: Iterable[str] = KINEMATIC) -> NDArray[np.int64]:
    """Who moves each joint of a body that balances, shape (B,): nobody the pelvis, muscles what is not kinematic.

    Args:
        plan: The character.
        kinematic: Roles from which everything below follows the clip; those the character lacks are left out.
    """
    modes = whole(plan, Mode.TORQUE)
    modes[0] = int(Mode.PASSIVE)
    for body in plan.with_role(*kinematic):
        modes[list(plan.subtree(body))] = int(Mode.MOTION)
    return modes


class Balance(Behavior[BalanceState]):
    """Stands; see the module.

    Args:
        options: How.

    Attributes:
        reading: What the law made of the last tick.
        carriage: How the body was carried at the beginning of the last tick.
    """

    claims = frozenset[Part]({"pelvis"})
    called = "balance"
    options: BalanceOptions
    law: BalanceLaw
    reading: Reading
    carriage: Carriage

    def __init__(self, options: BalanceOptions | None = None) -> None:
        self.options = options or BalanceOptions()

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Free the pelvis, wake legs and trunk, and put the body on its feet."""
        plan, options = reference.plan, self.options
        self.body = CarriedBody(plan, view.gravity)
        self.law = (
            CaptureBalance(self.body) if options.law == "capture" else PublishedBalance(self.body, options.multiplier)
        )
        self._torques = np.zeros((len(plan) - 1, 3))
        self._set_gains(plan)
        self._floor, self._tick = view.floor or 0.0, reference.tick
        row, wanted = reference.rows[-1].copy(), Contribution(reference)
        footing = Footing(self.body, row, self._floor, options.bend)
        foresight = Foresight(reference, self.body, row, reference.modes, 0.0, self._tick)
        phase: Literal["following", "standing"] = "following" if options.start > 0.0 else "standing"
        self.state = BalanceState(phase, 0, np.zeros(6), None, 0.0, footing, foresight)
        if phase == "standing":
            footing.stand(row)
            self._stand_by(row, wanted, self.state)
            # Feet stand; trunk, arms and head are in the middle of what the clip has them do.
            speeds = np.zeros(plan.velocity_count)
            columns = spin_columns(self._hung)
            speeds[columns] = reference.clip_moment(reference.time).velocities[columns]
            wanted.commands.append(Place(reference.name, row, speeds))
            wanted.edit_pose()[:] = row
        return wanted

    def _stand_by(self, row: Array, wanted: Contribution, state: BalanceState) -> None:
        """Give pelvis, legs and trunk to physics, in a pose (nq,)."""
        wanted.modes = standing_modes(self.body.plan, self.options.kinematic)
        state.foresight = Foresight(
            wanted.reference, self.body, row, wanted.modes, self.options.preview, wanted.reference.tick
        )
        self._weld(wanted, *self.carrying)

    def take_over(self, view: WorldView, wanted: Contribution, *, walking: bool = False) -> None:
        """Balance a body that something else moved so far, from how it moves now; a foot in the air steps.

        Args:
            view: The world.
            wanted: Written.
            walking: Whether it has just finished a step: the foot behind comes after.
        """
        self._see(view, wanted.reference.name)
        self._begin(wanted, self.state, walking)
        self._stand(view, wanted, self.state, begins=True)

    def _begin(self, wanted: Contribution, state: BalanceState, walking: bool) -> None:
        body, begin = self.body, wanted.reference.time
        row = self._positions.copy()
        footing = state.footing = Footing(body, row, self._floor, self.options.bend)
        # A measurement lasts until the next one, and the footing took one.
        self.carriage = body.measure(self._positions, self._velocities)
        heights = self.carriage.positions[body.legs[:, 2], 2] - footing.places[:, 2]
        footing.pose(row)
        turn = quat.log(quat.mul(quat.conj(row[3:7]), self._positions[3:7]))
        state.away = np.append(self._positions[:3] - row[:3], turn)
        state.phase, state.since = "standing", begin
        goes = walking and float(np.linalg.norm(self.carriage.velocity[:2])) > self.options.recovery.walks
        if goes or heights.max() > self.options.recovery.air:
            foot = 1 - self._ahead() if goes else int(heights.argmax())
            standing = np.array([foot != 0, foot != 1])
            lean = self.law.torques(self.carriage, standing, Aim.at(footing.centre), self._torques)
            state.swing = plan_swing((body, self.carriage, lean, footing), begin, self.options.recovery, foot)
            if goes:
                way = float(np.linalg.norm(state.swing.end - state.swing.start))
                state.swing.duration = max(state.swing.duration, way / self.options.recovery.swift)
            state.phase, state.steps = "stepping", 1
        self._stand_by(row, wanted, state)
        wanted.tell(begin, "balances", wanted.reference.name)

    def _set_gains(self, plan: BodyPlan) -> None:
        springs = self.law.springs
        legs = [body for leg in self.body.legs for body in plan.subtree(int(leg[0]))]
        gains = [getattr(springs, (plan.body_roles[body] or "_foot").split("_")[-1], springs.foot) for body in legs]
        self._leg = np.array(legs)
        carried = {0, *legs, *plan.with_role("spine")}
        others = np.array([body for body in range(len(plan)) if body not in carried])
        self._others = turn_columns(others)
        self._hung = np.array([body for body in range(1, len(plan)) if body not in legs])
        self._stiffness, self._damping = np.array(gains).T
        self._columns = turn_columns(self._leg)

    def _weld(self, wanted: Contribution, *feet: bool) -> None:
        if self.options.feet != "friction":
            name, plan = wanted.reference.name, self.body.plan
            for foot, held in zip(self.body.legs[:, 2], feet, strict=True):
                wanted.commands.append(Weld(f"{name}/{plan.names[foot]}", bool(held)))

    @property
    def phase(self) -> str:
        """What the body does: see `BalanceState.phase`."""
        return self.state.phase

    def step(self, view: WorldView, reference: Reference, state: BalanceState) -> Contribution:
        """Pose the legs, set their muscles and carry the law's torques."""
        wanted = Contribution(reference)
        if reference.modes[0] == Mode.MOTION:
            state.resting = None
        if state.resting is not None:
            state.resting = state.resting.without_switched(reference.modes)
            state.resting.pose(wanted)
        if state.phase == "following":
            if self._takes_over(view, reference):
                state.resting = Resting.of(reference, self._hung, self.options.rests)
                state.resting.pose(wanted)
                self.take_over(view, wanted, walking=True)
                state.resting = state.resting.from_now(wanted.wanted_modes)
        elif state.phase == "fallen":
            self._see(view, reference.name)
            self._relax(wanted, state)
        elif reference.modes[0] != Mode.MOTION:
            self.keep_up(view, wanted)
        return wanted

    def _takes_over(self, view: WorldView, reference: Reference) -> bool:
        """Whether it is time, and the step that is under way is finished."""
        late = reference.time - self.options.start
        if late < -1e-9 or late >= self.options.waits - 1e-9:
            return late >= 0.0
        self._see(view, reference.name)
        own, feet = self.options.recovery, self.body.legs[:, 2]
        heights = self.carriage.positions[feet, 2] - self._floor - self.body.ankle_heights
        speeds = np.linalg.norm(self.carriage.velocities[feet], axis=1)
        ahead = self._ahead()
        down = own.down * max(float(np.linalg.norm(self.carriage.velocity[:2])), own.walks)
        return bool(heights[ahead] < own.air and speeds[ahead] < down and speeds.max() < 2.0 * down)

    def _ahead(self) -> int:
        """The foot that is further along the way of the body."""
        feet = self.body.legs[:, 2]
        return int(np.argmax(self.carriage.positions[feet, :2] @ self.carriage.velocity[:2]))

    def _see(self, view: WorldView, name: str) -> None:
        self._positions, self._velocities = view.positions(name), view.velocities(name)
        self.carriage = self.body.measure(self._positions, self._velocities)

    def keep_up(self, view: WorldView, wanted: Contribution) -> None:
        """Stand for a tick, in the pose that `wanted` has so far but for pelvis and legs."""
        self._see(view, wanted.reference.name)
        self._stand(view, wanted, self.state)
        if self.state.phase == "fallen":
            self._relax(wanted, self.state)

    def _stand(self, view: WorldView, wanted: Contribution, state: BalanceState, *, begins: bool = False) -> None:
        begin = wanted.reference.time
        self._balance(begin, state)
        swing = state.swing
        self._react(view, wanted, state)
        if state.phase == "fallen":
            return
        changed = state.swing is not swing
        if changed:
            self._balance(begin, state)
        # Who is caught in a step swings on towards where the foot shall land: calmed there, a leg comes late.
        caught = begins and state.swing is not None and not changed
        self._pose(wanted, state, 1 - state.swing.foot if caught and state.swing else None, changed or begins)
        wanted.edit_load()[:] += self._torques
        firm = 1.0 if state.swing is None else self.options.recovery.firm
        stiffness, damping = wanted.edit_gains()
        stiffness[self._leg - 1] = firm * self._stiffness
        damping[self._leg - 1] = np.sqrt(firm) * self._damping

    def _balance(self, begin: float, state: BalanceState) -> None:
        """Ask the law what the legs shall do."""
        pressure, momentum = state.foresight.at(begin)
        aim = Aim(state.footing.centre, np.zeros(3), pressure, momentum)
        self.reading = self.law.torques(self.carriage, self.carrying, aim, self._torques)

    @property
    def carrying(self) -> NDArray[np.bool_]:
        """Which feet stand, left and right, shape (2,)."""
        standing = np.array([True, True])
        if self.state.swing is not None:
            standing[self.state.swing.foot] = False
        return standing

    def _pose(self, wanted: Contribution, state: BalanceState, only: int | None, changed: bool) -> None:
        """Write pelvis and legs of this tick; at lift-off and landing they have `changed`, or one of them `only`."""
        tick, begin, footing = self._tick, wanted.reference.time, state.footing
        rows = wanted.edit_pose()
        row = rows[-1].copy()
        # Arms and head count where they are: whoever has them, and without a jump where they change hands.
        row[self._others] = self._positions[self._others]
        if state.swing is None:
            state.away *= np.exp(-self.options.recovery.settling * tick)
            if self.options.feet == "friction":
                footing.settle(self.carriage.positions[self.body.legs[:, 2]], self.options.recovery.note * tick)
            footing.pose(row, state.away)
        else:
            footing.follow(row, self._positions[:3] + tick * self._velocities[:3])
            footing.reach(row, state.swing.foot, state.swing.place(begin + tick, self.options.recovery))
            footing.level(row, state.swing.foot, self.carriage, tick)
        if changed:
            # The old targets led elsewhere: the way from them to the new ones in one tick would be a kick by the dampers.
            legs = self._leg if only is None else np.array(list(self.body.plan.subtree(int(self.body.legs[only, 0]))))
            moving = self._velocities[3:].reshape(-1, 3)[legs]
            columns = turn_columns(legs)
            after = row[columns].reshape(-1, 4)
            wanted.edit_before()[columns] = quat.mul(after, quat.exp(-tick * moving)).ravel()
        share = np.arange(1.0, len(rows) + 1)[:, None] / len(rows)
        rows[:, :7] = row[:7]
        before, after = (each[self._columns].reshape(-1, 4) for each in (wanted.starts, row))
        after = np.where(np.sum(before * after, axis=1, keepdims=True) < 0.0, -after, after)
        path = quat.normalize(before + share[:, :, None] * (after - before))
        rows[:, self._columns] = path.reshape(len(rows), -1)

    def _react(self, view: WorldView, wanted: Contribution, state: BalanceState) -> None:
        """Begin or end a step, or give up."""
        begin = wanted.reference.time
        up = quat.rotate(quat.mul(self.carriage.rotations[0], quat.conj(self.body.plan.neutral[0])), [0.0, 0.0, 1.0])
        lean = self.reading
        feet = self.body.legs[:, 2][self.carrying]
        height = (
            self.carriage.positions[0, 2] - self.carriage.positions[feet, 2].mean() + self.body.ankle_heights.mean()
        )
        own = self.options.recovery
        lost = own.lost if state.swing is None else own.lost_in_step
        if up[2] < np.cos(own.tilt) or height < own.lowest * state.footing.height or lean.outside > lost:
            self._fall(wanted, state)
        elif state.swing is not None:
            self._swing(view, wanted, state, state.swing)
        else:
            self._step_if_needed(begin, wanted, state)

    def _step_if_needed(self, begin: float, wanted: Contribution, state: BalanceState) -> None:
        lean = self.reading
        if lean.outside < 1e-6 and begin > state.since + 1.0:
            state.steps = 0
        own = self.options.recovery
        settling = state.steps > 0 and begin < state.since + own.patience
        needed = lean.outside > (own.again if settling else own.outside)
        if not needed or not self.options.steps or self.options.feet == "glued":
            return
        if state.steps >= self.options.steps:
            self._fall(wanted, state)
            return
        state.swing = plan_swing((self.body, self.carriage, lean, state.footing), begin, self.options.recovery)
        state.phase, state.steps, state.since = "stepping", state.steps + 1, begin
        self._weld(wanted, *self.carrying)
        wanted.tell(begin, "stepped", wanted.reference.name)

    def _swing(self, view: WorldView, wanted: Contribution, state: BalanceState, swing: Swing) -> None:
        """Lead a step under way, or put the foot down."""
        begin = wanted.reference.time
        swing.lead((self.body, self.carriage, self.reading, state.footing), begin, self.options.recovery)
        late = begin >= swing.begin + self.options.recovery.late * swing.duration
        touches = late or self._touches(view, wanted.reference.name, swing.foot)
        if begin < swing.begin + 0.5 * swing.duration or not touches:
            return
        foot = self.body.legs[swing.foot, 2]
        state.footing.plant(swing.foot, self.carriage.positions[foot])
        row = wanted.rows[-1].copy()
        state.footing.pose(row)
        state.away = np.append(self._positions[:3] - row[:3], np.zeros(3))
        state.swing, state.phase, state.since = None, "standing", begin
        self._weld(wanted, True, True)
        wanted.tell(begin, "landed", wanted.reference.name)

    def _touches(self, view: WorldView, name: str, foot: int) -> bool:
        """Whether a foot touched something in the last tick."""
        touched = view.geoms.bodies[view.contacts.pairs]
        return bool((touched == view.body_numbers(name)[self.body.legs[foot, 2]]).any())

    def _fall(self, wanted: Contribution, state: BalanceState) -> None:
        """Give up: everything below the pelvis becomes muscle, which lets go in time."""
        state.phase, state.swing, state.since = "fallen", None, wanted.reference.time
        wanted.modes = np.full(len(self.body.plan), int(Mode.TORQUE))
        wanted.modes[0] = int(Mode.PASSIVE)
        self._weld(wanted, False, False)
        wanted.tell(wanted.reference.time, "fell", wanted.reference.name)

    def _relax(self, wanted: Contribution, state: BalanceState) -> None:
        """Muscles let go: from what they held to a slack body in the set time."""
        reference, rows = wanted.reference, wanted.edit_pose()
        rows[:, :7] = self._positions[:7]
        share = float(np.clip((reference.time - state.since) / self.options.relax, 0.0, 1.0))
        held = (1.0 - share) ** 2
        stiffness, damping = wanted.edit_gains()
        slack, damped = self.options.recovery.slack, self.options.recovery.slack_damping
        stiffness *= slack + (1.0 - slack) * held
        damping *= damped + (1.0 - damped) * held
        wanted.edit_load()[:] -= (1.0 - held) * reference.dynamics.load(rows[-1])[6:].reshape(-1, 3)
