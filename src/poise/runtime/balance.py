"""Standing on one's own legs: a stage that lets the lower body balance what the rest of it does (van Welbergen 2009).

The pelvis is free, legs and trunk have muscles, arms and head follow the clip exactly. Every tick the legs' targets are solved
for feet that stay where they stand and a centre of mass that is over them, and the balance law's torques are carried on top.
Where the capture point leaves the feet, one of them steps after it; where that is hopeless, the muscles let go.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.control.balance import Aim, BalanceLaw, CaptureBalance, Carriage, CarriedBody, PrintedBalance, Reading
from poise.errors import InputError
from poise.hybrid.partition import whole
from poise.math import quat
from poise.runtime.footing import Footing
from poise.runtime.foresight import Foresight
from poise.runtime.frame import Event
from poise.runtime.stepping import Swing, plan_swing
from poise.signals import Mode

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["BEND", "KINEMATIC", "Balance", "BalanceMemory", "BalanceOptions", "standing_modes"]

Array = NDArray[np.float64]

KINEMATIC = ("left_clavicle", "right_clavicle", "left_upper_arm", "right_upper_arm", "neck", "head")
"""Roles from which everything below follows the clip, unless said otherwise."""
BEND = 0.02
"""Share of the leg's length by which hips are lower than with straight knees, unless said otherwise."""
_SETTLING = 4.0
"""How fast the pose comes back over the feet after a step [1/s]."""
_STEP_AT = 0.01
"""How far outside the feet the capture point may be before one of them steps [m]."""
_STEP_AGAIN, _PATIENCE = 0.08, 0.5
"""How far outside it may be for how long after a step before there is another [m], [s]."""
_TAKING_NOTE = 2.0
"""How fast feet that slipped are taken to stand where they are [1/s]."""
_IN_THE_AIR = 0.03
"""Height of a foot over where it would stand at which it does not carry [m]."""
_FIRM = 12.0
"""How much stiffer the legs are in a step."""
_LOST, _LOST_IN_STEP = 0.5, 0.9
"""How far outside there is no use in stepping, or in ending a step on one foot [m]."""
_LOWEST, _MOST_TILT = 0.6, np.radians(60.0)
"""Hip height as a share of the standing one, and tilt of the pelvis, at which a body counts as fallen."""


@dataclass(frozen=True, kw_only=True)
class BalanceOptions:
    """How a character stands.

    Raises:
        InputError: A number is out of range.
    """

    law: Literal["capture", "printed"] = "capture"
    """Through the ground (`CaptureBalance`), or as the paper has it (`PrintedBalance`)."""
    multiplier: float = 1.0
    """The paper's stiffness multiplier."""
    kinematic: tuple[str, ...] = (
        "left_clavicle",
        "right_clavicle",
        "left_upper_arm",
        "right_upper_arm",
        "neck",
        "head",
    )
    """Roles from which everything below follows the clip exactly; those the character lacks are left out."""
    feet: Literal["friction", "glued", "planted"] = "friction"
    """What holds them: friction; welds that never let go; or welds that let go of a foot for its step."""
    steps: int = 3
    """Most steps in a row; 0 for a body that never steps."""
    preview: float = 0.0
    """How far ahead the coming motion of the clip is felt [s]; 0 for a balance that only reacts."""
    start: float = 0.0
    """When it takes over from the clip [s]; 0 for a body that stands on its feet from the beginning."""
    bend: float = BEND
    """Share of the leg's length by which the hips are lower than with straight knees."""
    relax: float = 0.4
    """Time in which muscles go slack after a fall has begun [s]."""

    def __post_init__(self) -> None:
        for name, low, high in (
            ("multiplier", 0.05, 20.0),
            ("steps", 0, 100),
            ("preview", 0.0, 5.0),
            ("start", 0.0, 1e6),
            ("bend", 0.0, 0.3),
            ("relax", 0.01, 10.0),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(f"{name} must lie between {low:g} and {high:g}; got {value:g}")
        if self.law not in ("capture", "printed"):
            raise InputError(f"law must be 'capture' or 'printed'; got {self.law!r}")
        if self.feet not in ("friction", "glued", "planted"):
            raise InputError(f"feet must be 'friction', 'glued' or 'planted'; got {self.feet!r}")


@dataclass
class BalanceMemory:
    """What a balance remembers from tick to tick.

    Args:
        state: "following" its clip, "standing", "stepping" or "fallen".
        steps: Steps since it last stood still.
        away: How far the pose's pelvis still is from where it belongs [m], shape (3,).
        swing: The step under way.
        since: When the present state began [s].
    """

    state: Literal["following", "standing", "stepping", "fallen"]
    steps: int
    away: Array
    swing: Swing | None
    since: float


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


class Balance:
    """Stands; see the module.

    Args:
        options: How.

    Attributes:
        memory: What is remembered.
        reading: What the law made of the last tick.
        carriage: How the body was carried at the beginning of the last tick.
    """

    law: BalanceLaw
    reading: Reading
    carriage: Carriage

    def __init__(self, options: BalanceOptions | None = None) -> None:
        self.options = options or BalanceOptions()
        self.memory = BalanceMemory("standing", 0, np.zeros(3), None, 0.0)

    def begin(self, session: Session, actor: Actor) -> None:
        """Free the pelvis, wake legs and trunk, and put the body on its feet."""
        self._session, self._actor = session, actor
        plan, options = actor.character.plan, self.options
        self.body = CarriedBody(plan, session.setting.gravity)
        self.law = (
            CaptureBalance(self.body) if options.law == "capture" else PrintedBalance(self.body, options.multiplier)
        )
        self._torques = np.zeros((len(plan) - 1, 3))
        self._set_gains()
        self._floor = session.setting.floor or 0.0
        row = actor.rows[-1].copy()
        self.footing = Footing(self.body, row, self._floor, options.bend)
        self.foresight = Foresight(actor, self.body, row, actor.modes, 0.0, session.clock.tick)
        if options.start > 0.0:
            self.memory.state = "following"
            return
        self.footing.pose(row)
        self._stand_by(row)
        session.world.place(actor.layout.name, row)
        actor.rows[:] = row

    def _stand_by(self, row: Array) -> None:
        """Give pelvis, legs and trunk to physics, in a pose (nq,)."""
        session, actor, options = self._session, self._actor, self.options
        session.assign_modes(actor, standing_modes(self.body.plan, options.kinematic))
        self.foresight = Foresight(actor, self.body, row, actor.modes, options.preview, session.clock.tick)
        self._weld(*self.carrying)

    def _take_over(self, begin: float) -> tuple[Event, ...]:
        """Balance a body that followed its clip so far, from how it moves now; a foot in the air steps."""
        memory, body = self.memory, self.body
        row = self._positions.copy()
        self.footing = Footing(body, row, self._floor, self.options.bend)
        self.carriage = body.measure(self._positions, self._session.world.data.qvel[self._actor.layout.velocities])
        heights = self.carriage.positions[body.legs[:, 2], 2] - self.footing.places[:, 2]
        self.footing.pose(row)
        memory.away, memory.state, memory.since = self._positions[:3] - row[:3], "standing", begin
        if heights.max() > _IN_THE_AIR:
            foot = int(heights.argmax())
            standing = np.array([foot != 0, foot != 1])
            lean = self.law.torques(self.carriage, standing, Aim.at(self.footing.centre), self._torques)
            memory.swing = plan_swing(body, self.carriage, lean, self.footing, begin, foot)
            memory.state, memory.steps = "stepping", 1
        self._stand_by(row)
        return (Event(begin, "balances", self._actor.layout.name),)

    def _set_gains(self) -> None:
        plan, springs = self._actor.character.plan, self.law.springs
        legs = [body for leg in self.body.legs for body in plan.subtree(int(leg[0]))]
        gains = [getattr(springs, (plan.body_roles[body] or "_foot").split("_")[-1], springs.foot) for body in legs]
        self._leg = np.array(legs)
        carried = {0, *legs, *plan.with_role("spine")}
        others = np.array([body for body in range(len(plan)) if body not in carried])
        self._others = (4 * others[:, None] + np.arange(3, 7)).ravel()
        self._stiffness, self._damping = np.array(gains).T
        self._columns = (4 * self._leg[:, None] + np.arange(3, 7)).ravel()

    def _weld(self, *feet: bool) -> None:
        if self.options.feet != "friction":
            name, plan = self._actor.layout.name, self._actor.character.plan
            for foot, held in zip(self.body.legs[:, 2], feet, strict=True):
                self._session.world.weld(f"{name}/{plan.names[foot]}", held)

    @property
    def state(self) -> str:
        """What the body does: see `BalanceMemory.state`."""
        return self.memory.state

    def act(self, begin: float) -> tuple[Event, ...]:
        """Pose the legs, set their muscles and carry the law's torques."""
        layout, data = self._actor.layout, self._session.world.data
        self._positions = data.qpos[layout.positions]
        self.carriage = self.body.measure(self._positions, data.qvel[layout.velocities])
        if self.state == "fallen":
            return self._relax(begin)
        events: tuple[Event, ...] = ()
        if self.state == "following":
            if begin < self.options.start - 1e-9:
                return ()
            events = self._take_over(begin)
        elif self._actor.modes[0] == Mode.MOTION:
            return ()
        self._balance(begin)
        swing = self.memory.swing
        events += self._react(begin)
        if self.state == "fallen":
            return events + self._relax(begin)
        if self.memory.swing is not swing:
            self._balance(begin)
        self._pose(begin, self.memory.swing is not swing)
        actor = self._actor
        actor.load += self._torques
        firm = 1.0 if self.memory.swing is None else _FIRM
        actor.stiffness[self._leg - 1] = firm * self._stiffness
        actor.damping[self._leg - 1] = np.sqrt(firm) * self._damping
        return events

    def _balance(self, begin: float) -> None:
        """Ask the law what the legs shall do."""
        pressure, momentum = self.foresight.at(begin)
        aim = Aim(self.footing.centre, np.zeros(3), pressure, momentum)
        self.reading = self.law.torques(self.carriage, self.carrying, aim, self._torques)

    @property
    def carrying(self) -> NDArray[np.bool_]:
        """Which feet stand, left and right, shape (2,)."""
        standing = np.array([True, True])
        if self.memory.swing is not None:
            standing[self.memory.swing.foot] = False
        return standing

    def _pose(self, begin: float, changed: bool) -> None:
        """Write pelvis and legs of this tick into the actor's rows; at lift-off and landing they have `changed`."""
        actor, memory, tick = self._actor, self.memory, self._session.clock.tick
        row = actor.rows[-1].copy()
        # Arms and head count where they are: whoever has them, and without a jump where they change hands.
        row[self._others] = self._positions[self._others]
        if memory.swing is None:
            memory.away *= np.exp(-_SETTLING * tick)
            if self.options.feet == "friction":
                self.footing.settle(self.carriage.positions[self.body.legs[:, 2]], _TAKING_NOTE * tick)
            self.footing.pose(row, memory.away)
        else:
            velocity = self._session.world.data.qvel[actor.layout.velocities][:3]
            self.footing.follow(row, self._positions[:3] + tick * velocity)
            place = memory.swing.place(begin + tick)
            self.footing.reach(row, memory.swing.foot, place)
            self.footing.level(row, memory.swing.foot, self.carriage, tick)
        if changed:
            # The old targets led elsewhere: the way from them to the new ones in one tick would be a kick by the dampers.
            moving = self._session.world.data.qvel[actor.layout.velocities][3:].reshape(-1, 3)[self._leg]
            after = row[self._columns].reshape(-1, 4)
            actor.before[self._columns] = quat.mul(after, quat.exp(-tick * moving)).ravel()
        share = np.arange(1.0, len(actor.rows) + 1)[:, None] / len(actor.rows)
        actor.rows[:, :7] = row[:7]
        before, after = (each[self._columns].reshape(-1, 4) for each in (actor.before, row))
        after = np.where(np.sum(before * after, axis=1, keepdims=True) < 0.0, -after, after)
        path = quat.normalize(before + share[:, :, None] * (after - before))
        actor.rows[:, self._columns] = path.reshape(len(actor.rows), -1)
        actor.changed = True

    def _react(self, begin: float) -> tuple[Event, ...]:
        """Begin or end a step, or give up."""
        memory, name = self.memory, self._actor.layout.name
        up = quat.rotate(quat.mul(self.carriage.rotations[0], quat.conj(self.body.plan.neutral[0])), [0.0, 0.0, 1.0])
        lean = self.reading
        feet = self.body.legs[:, 2][self.carrying]
        height = (
            self.carriage.positions[0, 2] - self.carriage.positions[feet, 2].mean() + self.body.ankle_heights.mean()
        )
        lost = _LOST if memory.swing is None else _LOST_IN_STEP
        if up[2] < np.cos(_MOST_TILT) or height < _LOWEST * self.footing.height or lean.outside > lost:
            return self._fall(begin, name)
        if memory.state == "stepping" and memory.swing is not None:
            return self._swing(begin, lean, memory.swing, name)
        if lean.outside < 1e-6 and begin > memory.since + 1.0:
            memory.steps = 0
        settling = memory.steps > 0 and begin < memory.since + _PATIENCE
        needed = lean.outside > (_STEP_AGAIN if settling else _STEP_AT)
        if needed and self.options.steps and self.options.feet != "glued":
            if memory.steps >= self.options.steps:
                return self._fall(begin, name)
            memory.swing = plan_swing(self.body, self.carriage, lean, self.footing, begin)
            memory.state, memory.steps, memory.since = "stepping", memory.steps + 1, begin
            self._weld(*self.carrying)
            return (Event(begin, "stepped", name),)
        return ()

    def _swing(self, begin: float, lean: Reading, swing: Swing, name: str) -> tuple[Event, ...]:
        """Lead a step under way, or put the foot down."""
        memory = self.memory
        swing.lead(self.body, self.carriage, lean, self.footing, begin)
        late = begin >= swing.begin + 1.5 * swing.duration
        if begin < swing.begin + 0.5 * swing.duration or not (late or self._touches(swing.foot)):
            return ()
        foot = self.body.legs[swing.foot, 2]
        self.footing.plant(swing.foot, self.carriage.positions[foot])
        row = self._actor.rows[-1].copy()
        self.footing.pose(row)
        memory.away = self._positions[:3] - row[:3]
        memory.swing, memory.state, memory.since = None, "standing", begin
        self._weld(True, True)
        return (Event(begin, "landed", name),)

    def _touches(self, foot: int) -> bool:
        """Whether a foot touched something in the last tick."""
        world, layout = self._session.world, self._actor.layout
        bodies = world.model.geom_bodyid[self._session.contacts.pairs]
        return bool((bodies == layout.bodies[self.body.legs[foot, 2]]).any())

    def _fall(self, begin: float, name: str) -> tuple[Event, ...]:
        """Give up: everything below the pelvis becomes muscle, which lets go in time."""
        memory = self.memory
        memory.state, memory.swing, memory.since = "fallen", None, begin
        modes = np.full(len(self.body.plan), int(Mode.TORQUE))
        modes[0] = int(Mode.PASSIVE)
        self._session.assign_modes(self._actor, modes)
        self._weld(False, False)
        return (Event(begin, "fell", name),)

    def _relax(self, begin: float) -> tuple[Event, ...]:
        """Muscles let go: from what they held to a slack body in the set time."""
        actor = self._actor
        actor.rows[:, :7] = self._positions[:7]
        actor.changed = True
        share = float(np.clip((begin - self.memory.since) / self.options.relax, 0.0, 1.0))
        held = (1.0 - share) ** 2
        actor.stiffness *= 0.02 + 0.98 * held
        actor.damping *= 0.15 + 0.85 * held
        actor.load -= (1.0 - held) * actor.dynamics.load(actor.rows[-1])[6:].reshape(-1, 3)
        return ()

    def save(self) -> tuple[BalanceMemory, Footing, Foresight]:
        """See `Stage.save`."""
        return copy.deepcopy(self.memory), self.footing.copied(), self.foresight

    def restore(self, saved: tuple[BalanceMemory, Footing, Foresight]) -> None:
        """See `Stage.restore`."""
        self.memory, self.footing, self.foresight = copy.deepcopy(saved[0]), saved[1].copied(), saved[2]
