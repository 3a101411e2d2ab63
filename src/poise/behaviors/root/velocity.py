"""The root's second law: where a body is held back by what it goes through, velocity is served, and place is not.

The position law of `CompliantRoot` pulls a body that is held back home again: in a river that would be a rail. A body that
stands in fluid is therefore led by Eq. 1 of Bermudez 2018 instead, m dv/dt = k (v_d - v) + F, with no brace and no pull home.
Which steps come of it, and how the body leans, the law itself says (`poise.wading`). Meanwhile pelvis and legs follow it, the
trunk does by its muscles and gives way to what hits it, and what touches or pushes the body is part of F from the next tick on.
Out of the fluid the position law has the root again, from the very places where feet and pelvis then are, and brings the body
home step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.between import alike, between
from poise.behaviors.reference import Reference
from poise.behaviors.root import _kernels
from poise.behaviors.root.pushed import Pushed
from poise.behaviors.root.root import CompliantRoot
from poise.behaviors.root.state import RootState
from poise.behaviors.state import Keeper
from poise.body.coordinates import body_frames
from poise.body.layout import turn_columns
from poise.control.root import RootDrive
from poise.locomotion.gait import Gait
from poise.locomotion.stepping import StepOptions
from poise.math import quat
from poise.math.easing import minimum_jerk
from poise.signals import Mode
from poise.world.view import WorldView

__all__ = ["Begin", "Order", "VelocityLaw", "VelocityRoot", "VelocityState"]

Array = NDArray[np.float64]


class Begin(NamedTuple):
    """A body at the moment in which its velocity begins to be served.

    Args:
        time: Of the session [s].
        clip_time: Of its clip [s].
        pace: How fast that runs.
        motion: By what motion of the plane (x, y, yaw) the body is carried from its clip's ground, shape (3,).
        speed: How fast the body goes beside its clip [m/s], shape (2,).
        feet: Places of both feet's joints [m], shape (2, 3), and their orientations (2, 4).
    """

    time: float
    clip_time: float
    pace: float
    motion: Array
    speed: Array
    feet: tuple[Array, Array]


class Order(NamedTuple):
    """What is asked of the law for a tick.

    Args:
        clip_time: Of the clip at its end [s].
        pushed: What pushes the body along the ground [N] (2) and turns it about its pelvis [N m] (3), shape (5,).
        pace: How fast others let the body go, as a share of what its clip does.
        aside: Velocity beside the clip's that others want [m/s], shape (2,).
    """

    clip_time: float
    pushed: Array
    pace: float
    aside: Array


class VelocityLaw(Keeper, Protocol):
    """Serves the velocity of one body and says what pose comes of it."""

    @property
    def row(self) -> Array:
        """The pose at the end of the last tick, shape (nq,)."""
        ...

    @property
    def pace(self) -> float:
        """How fast the body lets its clip's time run."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nothing holds the body back any more."""
        ...

    def meets(self, row: Array, time: float) -> bool:
        """Whether a body at generalized positions (nq,) is held back at a time [s]."""
        ...

    def begin(self, start: Begin) -> None:
        """Take over from where a body is."""
        ...

    def advance(self, order: Order) -> Array:
        """Go on by one tick: the pose at its end, shape (nq,)."""
        ...

    def shares(self) -> tuple[float, float]:
        """How far the step of each foot is done, 1 where it stands."""
        ...


@dataclass
class VelocityState(RootState):
    """What a root with two laws remembers; see `RootState`.

    Args:
        serves: Whether velocity is served now.
        law: What that remembers.
        row: The pose it had at the end of the last tick, shape (nq,).
        way: How far that went over the tick, shape (nq,).
        since: When the law last changed [s].
        kept: How far pelvis and trunk were from the pose of the law then and how fast they came nearer, (n, 3) each; the same
            of the legs' joints.
        pushed: What pushed the body along the ground in the last tick beside contacts [N], shape (2,).
        allowed: How fast others let the clip's time run.
        displaced: Displacement that others wanted at the end of the last tick [m], and how fast it changed [m/s], (2, 3).
        beside: How far feet are beside where the position law has them since it has the root again: height [m] and rotation
            vector [rad], shape (2, 4).
    """

    serves: bool = False
    law: Any = None
    row: Array = field(default_factory=lambda: np.zeros(0))
    way: Array = field(default_factory=lambda: np.zeros(0))
    since: float = -np.inf
    kept: tuple[Array, ...] = ()
    pushed: Array = field(default_factory=lambda: np.zeros(2))
    allowed: float = 1.0
    displaced: Array = field(default_factory=lambda: np.zeros((2, 3)))
    beside: Array = field(default_factory=lambda: np.zeros((2, 4)))


class VelocityRoot(CompliantRoot):
    """A compliant root whose velocity is served where something holds the body back.

    Args:
        law: How.
        drive: See `CompliantRoot`, and so for the rest.
        stepping: How it steps elsewhere.
        gait: Of the clip.
        floor: Height of the ground that the clip was made on [m].
    """

    state: VelocityState
    refusal = "a root in a scene with fluids is led through them"

    def __init__(self, law: VelocityLaw, drive: RootDrive, stepping: StepOptions, gait: Gait, floor: float) -> None:
        super().__init__(drive, stepping, gait, floor)
        self.law = law

    def start(self, view: WorldView, reference: Reference) -> None:
        """See `CompliantRoot.start`."""
        super().start(view, reference)
        base = self.state
        self.state = VelocityState(**{each.name: getattr(base, each.name) for each in fields(base)})
        self.state.law = self.law
        self._pushes = Pushed(view, reference, self._drive.bearing.pushed * self._weight)
        self._followers = np.setdiff1d(np.arange(1, len(self._plan)), self._legs.bodies)

    # In front of other behaviors

    def look(self, view: WorldView, reference: Reference) -> Contribution:
        """See `CompliantRoot.look`."""
        state = self.state
        if state.serves:
            if not self.law.is_over:
                return self._serve(view, reference, Contribution(reference))
            return self._hand_back(view, reference)
        if state.may and self._meets(reference):
            return self._begin(view, reference)
        return super().look(view, reference)

    def _meets(self, reference: Reference) -> bool:
        return self.law.meets(reference.rows[-1], float(reference.times[-1]))

    def _begin(self, view: WorldView, reference: Reference) -> Contribution:
        """The law takes over from where the body is."""
        wanted, state, begin = Contribution(reference), self.state, reference.time
        self._see(view)
        here, speeds = self._here.copy(), self._speeds.copy()
        _kernels.planar_offset(state.clip, here, self._plan.neutral[0], self._away, self._heading)
        clip = reference.clip_moment(begin).velocities[:2].copy()
        c, s = np.cos(self._away[2]), np.sin(self._away[2])
        speed = speeds[:2] - np.array([c * clip[0] - s * clip[1], s * clip[0] + c * clip[1]])
        if not state.awake:
            # What follows its motion has its velocity from it; a clip's first ticks have none yet.
            speed = np.zeros(2)
        frames = body_frames(self._plan, here[None])
        feet = frames.positions[0, self._legs.feet], frames.rotations[0, self._legs.feet]
        time, pace = reference.clock.now(begin), reference.clock.rates(begin)[0]
        self.law.begin(Begin(begin, time, pace, _carrier(self._away, state.clip), speed, feet))
        followers = self._take_root(wanted)
        state.serves, state.since, state.allowed = True, begin, 1.0
        state.row, state.way = self.law.row.copy(), np.zeros(0)
        state.pushed[:], state.displaced[:] = 0.0, 0.0
        wanted.tell(begin, "wades", reference.name)
        columns = np.concatenate([np.arange(3), turn_columns(np.append(followers, self._legs.bodies))])
        wanted.edit_before()[columns] = here[columns]
        return self._serve(view, reference, wanted, followers)

    def _take_root(self, wanted: Contribution) -> NDArray[np.int64]:
        """Let the pelvis follow the law, and the trunk on it by its muscles; which bodies beside the legs do."""
        state, modes = self.state, wanted.edit_modes()
        if state.awake:
            modes[state.freed] = int(Mode.MOTION)
            state.awake = False
            self._take_over(wanted)
        state.back = -np.inf
        wanted.leaves_clip = True
        followers = self._followers[modes[self._followers] == Mode.MOTION]
        modes[np.intersect1d(followers, self._trunk)] = int(Mode.TORQUE)
        self._strength.strengthen(wanted)
        return np.append(0, followers)

    def _serve(
        self, view: WorldView, reference: Reference, wanted: Contribution, followers: NDArray[np.int64] | None = None
    ) -> Contribution:
        """A tick of the law."""
        state = self.state
        self._see(view)
        self._clip[:] = reference.rows
        wanted.carries = True
        pushed = self._pushes.felt(state.pushed, self._here[:3])
        end = reference.clock.now(float(reference.times[-1]))
        row = alike(self.law.advance(Order(end, pushed, state.allowed, state.displaced[1, :2])), state.row)
        way = row - state.row
        rows = wanted.edit_pose()
        between(state.row, state.way if len(state.way) else way, row, way, rows)
        if followers is not None:
            state.freed = followers
            self._keep(wanted.starts, rows)
        state.row, state.way = row, way
        self._come_into_step(rows)
        # The slowest that is asked for counts; what others ask is seen behind them.
        wanted.pace = 1.0
        return wanted

    def _keep(self, before: Array, rows: Array) -> None:
        """Take note of how far pelvis and trunk, then the legs on it, are from the pose of the law."""
        state = self.state
        kept = [np.zeros((1 + len(bodies), 3)) for bodies in (state.freed, self._legs.bodies) for _ in range(2)]
        _kernels.apart(before, state.row, rows[0], self._speeds, state.freed, self._h, kept[0], kept[1])
        stood = np.stack([state.row, rows[0]])
        stands = body_frames(self._plan, stood)
        stood[0, :7], stood[1, :7] = before[:7], rows[0, :7]
        _kernels.come_back(stood[1:], state.freed, kept[0], kept[1], np.array([self._h]), self._drive.resting.returns)
        self._legs.stand(stood, stands, straight=True)
        _kernels.apart(before, stood[0], stood[1], self._speeds, self._legs.bodies, self._h, kept[2], kept[3])
        # Legs go as fast as the law has them at once: carried on at a speed of their own, feet would leave their ways.
        kept[2][0], kept[3][:] = 0.0, 0.0
        state.kept = kept[0], kept[1], kept[2], kept[3]

    def _come_into_step(self, rows: Array) -> None:
        """Lead what waded otherwise onto the pose of the law."""
        state, since, lasts = self.state, self._reference.time - self.state.since, self._drive.resting.returns
        if since < lasts:
            times = since + self._h * np.arange(1.0, len(rows) + 1)
            stands = body_frames(self._plan, rows)
            _kernels.come_back(rows, state.freed, state.kept[0], state.kept[1], times, lasts)
            self._legs.stand(rows, stands, straight=True)
            # Knees that the clip bends backwards, or further than a knee goes, come round by and by.
            _kernels.come_back(rows, self._legs.bodies, state.kept[2], state.kept[3], times, lasts)

    # Behind them

    def lead(self, view: WorldView, reference: Reference) -> Contribution:
        """See `CompliantRoot.lead`."""
        state = self.state
        if not state.serves:
            return super().lead(view, reference)
        wanted = Contribution(reference)
        self._see(view)
        state.pushed[:] = reference.force[:2]
        state.allowed = reference.clock.pace
        state.displaced[1] = (reference.displacement - state.displaced[0]) / self._tick
        down = state.displaced[0, 2], float(reference.displacement[2])
        state.displaced[0] = reference.displacement
        if min(down) < 0.0 or max(down) > 0.0:
            self._lower(wanted.edit_pose(), *down)
        self._note(wanted.rows)
        self._stiffen_trunk(wanted)
        state.clip[:] = self._clip[-1]
        wanted.pace = min(self.law.pace, 1.0)
        return wanted

    def _lower(self, rows: Array, start: float, end: float) -> None:
        """Let the pelvis down on its feet, as who ducks."""
        stands = body_frames(self._plan, rows)
        rows[:, 2] += start + np.arange(1, len(rows) + 1) / len(rows) * (end - start)
        self._legs.stand(rows, stands)

    # The position law has the root again

    def _hand_back(self, view: WorldView, reference: Reference) -> Contribution:
        """The position law takes over, feet and pelvis where they are."""
        wanted, state, begin = Contribution(reference), self.state, reference.time
        state.serves, state.since, state.way = False, begin, np.zeros(0)
        # What the position law lets go it takes from what follows a motion.
        wanted.edit_modes()[np.intersect1d(state.freed, self._trunk)] = int(Mode.MOTION)
        self._see(view)
        self._clip[:] = reference.rows
        wanted.carries = state.may
        self._wake(wanted)
        state.woke = -np.inf
        _kernels.planar_offset(state.clip, self._here, self._plan.neutral[0], self._away, self._heading)
        self._start_displaced(reference)
        wanted.tell(begin, "waded", reference.name)
        self._plan_feet(wanted)
        return wanted

    def _start_displaced(self, reference: Reference) -> None:
        """The planner goes on from where the body and its feet are."""
        state, plan = self.state, self._plan
        clip, real = body_frames(plan, state.clip[None]), body_frames(plan, self._here[None])
        shares, steps = self.law.shares(), state.steps
        for foot, body in enumerate(self._legs.feet):
            own, there = clip.positions[0, body], real.positions[0, body]
            motion = np.append(there[:2] - own[:2], 0.0)
            steps.placed[foot] = steps.landing[foot] = steps.led[foot] = motion
            swings = shares[foot] < 1.0
            steps.swing[0, foot], steps.swing[2, foot] = float(minimum_jerk(shares[foot])) * swings, float(swings)
            state.beside[foot, 0] = there[2] - own[2]
            state.beside[foot, 1:] = quat.log(quat.mul(real.rotations[0, body], quat.conj(clip.rotations[0, body])))
            steps.places[foot] = there
        height = float(self._here[2] - state.clip[2])
        steps.offset[:] = *self._away, height
        motion = _carrier(self._away, state.clip)
        state.moved[:] = *motion, height
        target = np.empty((1, 7))
        _kernels.carry(motion, state.clip[None, :7], target)
        target[0, 2] += height
        state.target[:] = target[0]
        c, s = np.cos(self._away[2]), np.sin(self._away[2])
        moment = reference.clip_moment(reference.time).velocities
        state.speed[:] = moment[:6]
        state.speed[:2] = c * moment[0] - s * moment[1], s * moment[0] + c * moment[1]

    def _plan_feet(self, wanted: Contribution) -> None:
        super()._plan_feet(wanted)
        state, since, lasts = self.state, self._reference.time - self.state.since, self._drive.resting.feet
        if not state.serves and since < lasts:
            times = since + self._h * np.arange(1.0, len(self._clip) + 1)
            left = 1.0 - minimum_jerk(times, 0.0, lasts)
            for foot in range(2):
                self._legs.goals[:, 0, foot, 2] += left * state.beside[foot, 0]
                turns = quat.exp(left[:, None] * state.beside[foot, 1:])
                self._legs.turns[:, 0, foot] = quat.mul(turns, self._legs.turns[:, 0, foot])


def _carrier(away: Array, place: Sequence[float] | Array) -> Array:
    """The motion of the plane (x, y, yaw) that displaces a place by `away`, its last number the turn, shape (3,)."""
    x, y = float(place[0]), float(place[1])
    c, s = np.cos(away[2]), np.sin(away[2])
    return np.array([away[0] + x - (c * x - s * y), away[1] + y - (s * x + c * y), away[2]])
