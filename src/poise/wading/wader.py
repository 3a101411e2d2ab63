"""Somebody wading, tick by tick: fluid, body, steps, pose (Bermudez 2018, Secs. 3 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.fluid import FLUIDS, GRAVITY, FluidVolume, submerged_part
from poise.locomotion.abstract_body import AbstractBody, BodyServo, Load, step_body
from poise.locomotion.steps import FootGoal, Placement, StepController, StepPlan
from poise.motion.skin import SkinnedMesh
from poise.signals import Ground
from poise.wading.balance import LeaningTrunk, center_of_mass, felt_grade, surefooted
from poise.wading.entering import Asked, Entry, FootCorrection, carried_on, footing_now
from poise.wading.gait import Gait
from poise.wading.lifted_hands import LiftedHands
from poise.wading.loads import FluidLoad, SkinMotion, fluid_load
from poise.wading.manner import manner_at, manners_of
from poise.wading.options import WadingOptions
from poise.wading.pacing import paced
from poise.wading.posture import Posture
from poise.wading.record import WadingMoment
from poise.wading.skin import BodySkin
from poise.wading.soaking import soaked
from poise.wading.swinging import swing_lift
from poise.wading.turning import Footing, Turning

__all__ = ["Wader"]

Array = NDArray[np.float64]

_DENSITY = 1010.0
"""Of a person with half-filled lungs [kg/m³]."""
_EVERYWHERE = FluidVolume(fluid=FLUIDS["water"], level=1e4)
_NOWHERE = np.zeros(2)
_CLEAR = 1e-6
"""What is so far over the highest surface is over it for all that rounding does [m]."""
_HALVINGS = 12
"""How often the speed of who begins in the midst of a fluid is halved in."""

_REMEMBERS = (
    *("now", "clip_time", "pace", "wet", "under", "moment", "rise", "floor", "sunk", "level", "felt", "footings"),
    *("body", "ahead", "behind", "motion", "row", "frames", "_manner"),
)
"""What changes from tick to tick; each is replaced, never written into."""


class Wader:
    """One character on its way through fluid.

    Args:
        gait: Its clip.
        mesh: Its skin, bound to its skeleton.
        ground: What it walks on; the gait was set onto it.
        options: How it wades.
        step: Length of a tick [s].
    """

    def __init__(self, gait: Gait, mesh: SkinnedMesh, ground: Ground, options: WadingOptions, step: float) -> None:
        self.gait, self.ground, self.options, self.step = gait, ground, options, step
        plan = gait.character.plan
        self.skin = BodySkin(plan, gait.character.clip, mesh)
        self.posture, self.hands = (
            Posture(gait, options.balance, options.reach),
            LiftedHands(plan, options.hands, self.skin),
        )
        self._manners = manners_of(gait, options, self.posture.leg)
        self._manner = self._manners[0]
        self.now, self.clip_time, self.pace = 0.0, 0.0, 1.0
        self.wet, self.under, self.moment, self.rise = 0.0, 0.0, 0.0, 0.0
        self.floor = 0.0
        self.level: tuple[float, float] | None = None
        self.felt: Array | None = None
        self.footings: tuple[FootCorrection | None, FootCorrection | None] = (None, None)
        self.turning, self.behind = Turning(gait.travel, options.turning), 0.0
        velocity = gait.travel.velocity(0.0)
        self.body = AbstractBody(gait.travel.place(0.0), velocity, np.zeros(2), np.zeros(2))
        self.ahead = np.array([1.0, 0.0])
        self._head_for(velocity)
        self.steps = StepController(gait.steps, options.profile, Placement(0.0, np.zeros(2)), step, options.footholds)
        self.sunk, self.heights = 0.0, [0.0, 0.0]
        none = np.zeros((len(mesh), 3))
        self._surface = max((volume.level + volume.surge for volume in options.volumes), default=-np.inf) + _CLEAR
        self.row, self.frames = self._pose()
        self.motion = SkinMotion(self.skin.triangles, none, none, step, self.skin.places(self.frames))
        self.trunk = LeaningTrunk(plan, self.frames, options.balance)
        now = self.skin.vertices(self.frames)
        whole = submerged_part(now, self.skin.triangles, _EVERYWHERE).volume
        body = plan.total_mass / _DENSITY
        # A skin with holes or turned inside out has no volume to tell: then it bears nothing.
        self.motion = self.motion._replace(fullness=body / whole if whole > 0.2 * body else 0.0)
        # Before the first tick it moved as its clip does.
        ways = [self.skin.vertices(self.posture.clip(min(time, gait.duration)).frames) for time in (0.0, step)]
        self.pace = self._settled(now, ways[1] - ways[0], velocity)
        self.motion = self.motion._replace(vertices=now, before=now - self.pace * (ways[1] - ways[0]))
        self.body = self.body._replace(velocity=self.pace * velocity)

    def _settled(self, now: Array, way: Array, velocity: Array) -> float:
        """At what share of its speed a body has come that was in the fluid all along.

        There the legs' push is what the fluid asks; found by halving. At the clip's own speed it would be thrown back at once.

        Args:
            now: Places of its skin's vertices [m], shape (V, 3).
            way: How far they move in a step of the clip [m], shape (V, 3).
            velocity: That the clip intends [m/s], shape (2,).
        """
        servo, speed = self.servo, float(np.hypot(velocity[0], velocity[1]))
        slow, fast = 0.0, 1.0
        for number in range(_HALVINGS):
            pace = 1.0 if number == 0 else 0.5 * (slow + fast)
            fluid, _ = self._fluid(self.motion._replace(vertices=now, before=now - pace * way))
            against = -float(fluid.force[:2] @ self.ahead)
            if number == 0 and against <= 0.0:
                return 1.0
            standing = self._standing(fluid)
            wanted = self._wanted(velocity, pace * velocity, standing)
            most = standing / (servo.mass * GRAVITY) * servo.force
            push = min(servo.k * (float(np.hypot(wanted[0], wanted[1])) - pace * speed), most)
            slow, fast = (pace, fast) if push > against else (slow, pace)
        return slow

    @property
    def servo(self) -> BodyServo:
        """What moves the body now."""
        return self._manner.servo

    @property
    def done(self) -> bool:
        """Whether the clip has come to its end."""
        return self.clip_time >= self.gait.duration - 1e-9

    def keepsake(self) -> dict[str, Any]:
        """Everything that changes from tick to tick."""
        return {name: getattr(self, name) for name in _REMEMBERS} | {
            "plans": list(self.steps.plans),
            "goals": list(self.steps.goals),
        }

    def take_back(self, saved: dict[str, Any]) -> None:
        """Go back to what `keepsake` gave."""
        for name in _REMEMBERS:
            setattr(self, name, saved[name])
        self.steps.plans, self.steps.goals = list(saved["plans"]), list(saved["goals"])

    def enter(self, entry: Entry) -> None:
        """Begin in the midst of a motion, dry, with feet where they are."""
        gait, placement = self.gait, entry.placement
        self.now, self.clip_time, self.pace = entry.time, min(entry.clip_time, gait.duration), entry.pace
        self.wet, self.under, self.moment, self.rise, self.behind = 0.0, 0.0, 0.0, 0.0, 0.0
        place = placement.laid(gait.travel.place(self.clip_time))
        self.floor = float(np.nan_to_num(self.ground.height(place, self.now)))
        self.level, self.felt = (self.floor, 0.0), None
        self.body = AbstractBody(place, entry.velocity, np.array([placement.yaw, 0.0]), np.zeros(2))
        self._head_for(placement.turned(gait.travel.velocity(self.clip_time)))
        self.steps.enter(self.clip_time, placement)
        self.footings = (None, None)
        self._pose()
        both, own = [], self.posture.clip(self.clip_time)
        for number, plan in enumerate(self.steps.plans):
            meant = self.posture.meant(own, number, self.steps.goals[number], self.heights[number])
            real = self.posture.ball(number, entry.feet[number], entry.turns[number])
            both.append(carried_on(entry.time, plan, self.steps.goals[number], meant, real))
        self.footings = both[0], both[1]
        self.row, self.frames = self._pose()
        now = self.skin.vertices(self.frames)
        earlier = max(self.clip_time - entry.pace * self.step, 0.0)
        ways = [self.skin.vertices(self.posture.clip(time).frames) for time in (earlier, self.clip_time)]
        places = self.skin.places(self.frames)
        whole = self.motion._replace(triangles=self.skin.triangles, vertices=now, places=places)
        self.motion = whole._replace(before=now - (ways[1] - ways[0]))

    def advance(self, pressed: Array | None = None, asked: Asked | None = None) -> WadingMoment:
        """Go on by one tick.

        Args:
            pressed: What pushes the body along the ground beside fluid and the options' pushes [N] (2) and turns it about its
                pelvis [N m] (3), shape (5,).
            asked: What else is asked of it while a session runs; the clip as it is where None.
        """
        options = self.options
        fluid, center = self._fluid(self.motion)
        load = self._load(fluid)
        if pressed is not None:
            load = self._pressed(load, pressed)
        if options.soaks:
            load = self._dripping(load, fluid)
        own = intended = Placement(self._yaw(), _NOWHERE).turned(self.gait.travel.velocity(self.clip_time))
        self._head_for(intended)
        if asked is not None:
            intended = asked.pace * intended + asked.aside
        standing = self._standing(fluid)
        hold = standing / (self.servo.mass * GRAVITY)
        wanted = self._wanted(intended, self.body.velocity, standing)
        self._feel(fluid)
        if options.wide:
            self._turn(load, standing, hold)
        self.body = step_body(self.servo, self.body, load, wanted, self.step, self._lean(standing), hold)
        self._go_on(own, None if asked is None else asked.clip_time)
        self.now += self.step
        self.row, self.frames = self._pose()
        before, places = self.motion, self.skin.places(self.frames)
        # What comes down to the surface now gets the place it had: not in the array that a moment that was kept holds.
        earlier = before.vertices.copy()
        vertices, triangles = self.skin.low(places, self._surface, before.places, earlier)
        self.motion = SkinMotion(triangles, vertices, earlier, self.step, places, before.fullness)
        return WadingMoment(
            time=self.now,
            clip_time=self.clip_time,
            position=self.body.position,
            velocity=self.body.velocity,
            intended=intended,
            angles=self.body.angles,
            behind=self.behind,
            force=fluid.force,
            center=fluid.center,
            mass_center=center,
            torque=load.torque,
            volume=fluid.volume,
            feet=np.array([[*goal.place.tolist(), goal.share] for goal in self.steps.goals]),
            sunk=self.sunk,
        )

    def _fluid(self, motion: SkinMotion) -> tuple[FluidLoad, Array]:
        """What the fluids do to the skin in the pose there is, and the point about which torque is taken [m], shape (3,)."""
        options = self.options
        center = self.posture.hips(self.frames) if options.hips else center_of_mass(self.posture.plan, self.frames)
        fluid = fluid_load(
            motion, options.volumes, center, self.now, form=options.form, drags=options.drag, bears=options.buoyancy
        )
        return fluid, center

    def _weight(self) -> float:
        return (self.servo.mass + self.options.pack) * GRAVITY

    def _standing(self, fluid: FluidLoad) -> float:
        """Weight that the ground bears [N]."""
        weight = self._weight()
        return max(weight - fluid.lift, self.options.balance.bears * weight)

    def _wanted(self, intended: Array, velocity: Array, standing: float) -> Array:
        """The velocity aimed at [m/s], shape (2,), with a weight on the feet [N]."""
        if not self._manner.walks:
            return intended
        return surefooted(intended, velocity, standing / self._weight(), self.posture.leg, self.options.balance)

    def _head_for(self, velocity: Array) -> None:
        speed = hypot(*velocity.tolist())
        if speed > self.options.pace.still:
            self.ahead = velocity / speed

    def _load(self, fluid: FluidLoad) -> Load:
        """All that acts on the abstract body in this tick."""
        x, y, _ = fluid.force.tolist()
        for push in self.options.pushes:
            ends = min(self.now + self.step, push.time + push.duration)
            share = max(ends - max(self.now, push.time), 0.0) / self.step
            x, y = x + share * push.force[0], y + share * push.force[1]
        mass = self.servo.mass + self.options.pack
        # Number by number: arrays of two and three take several times as long.
        (fore, side), (east, north, up) = self.ahead.tolist(), self.ground.normal(self.body.position, self.now).tolist()
        rise = -(east * fore + north * side) / up
        braked, weighs = (
            (rise - felt_grade(rise, self.options.balance.easiest)) * up,
            self.options.slope * mass * GRAVITY * up,
        )
        planar = np.array([x + weighs * (east + braked * fore), y + weighs * (north + braked * side)])
        self.rise += (rise - self.rise) * min(self.step / self.options.balance.feels, 1.0)
        roll, pitch, yaw = fluid.torque.tolist()
        torque = np.array([yaw, pitch * fore - roll * side])
        return Load(planar, fluid.damping[:2, :2], torque, fluid.along + self.options.pack, fluid.turning)

    def _pressed(self, load: Load, pressed: Array) -> Load:
        """A load with what else pushes the body; see `advance`."""
        (east, north, roll, pitch, yaw), (fore, side), (x, y) = (
            pressed.tolist(),
            self.ahead.tolist(),
            load.force.tolist(),
        )
        about_up, across = load.torque.tolist()
        torque = np.array([about_up + yaw, across + pitch * fore - roll * side])
        return load._replace(force=np.array([x + east, y + north]), torque=torque)

    def _dripping(self, load: Load, fluid: FluidLoad) -> Load:
        """Wet clothes hold back what of the body is out of the fluid, and drip."""
        clothes, mass = self.options.soaking, self.servo.mass
        share = min(fluid.volume * _DENSITY / mass, 1.0)
        self.wet, self.under = soaked(clothes, self.wet, self.under, share, self.step)
        out = max(self.wet - self.under, 0.0)
        speed = hypot(*self.body.velocity.tolist())
        back = -clothes.clings * out * mass * GRAVITY * self.body.velocity / max(speed, self.options.pace.still)
        return load._replace(force=load.force + back, mass=load.mass + clothes.holds * out * mass)

    def _yaw(self) -> float:
        """By how much the clip is turned to the left [rad]."""
        return float(self.body.angles[0]) - self.behind

    def _turn(self, load: Load, standing: float, hold: float) -> None:
        """Fall behind in a turn that is tighter than the feet can push for, and make it good behind it."""
        taken = hypot(*load.force.tolist())
        footing = Footing(standing, hold * self.servo.force, taken, self.servo.mass + load.mass)
        self.behind = self.turning.behind(self.behind, self.clip_time, self.pace, footing, self.step)

    def _feel(self, fluid: FluidLoad) -> None:
        """Take note of what drag does about the ground under the body, a step's time of it."""
        moment = 0.0
        height = float(fluid.center[2])
        if isfinite(height):
            moment = -float(fluid.force[:2] @ self.ahead) * max(height - self.floor, 0.0)
        self.moment += (moment - self.moment) * min(self.step / self.options.balance.feels, 1.0)

    def _lean(self, standing: float) -> float:
        """The pitch that brings body and pack together over the feet, and leans into drag [rad]."""
        options, lean = self.options, 0.0
        if options.lean:
            lean = self.trunk.lean(self.moment, standing) + self.trunk.lean_uphill(self.rise)
        if options.pack:
            over = (self.servo.mass + options.pack) * options.pack_above
            lean += float(np.arctan2(options.pack * options.pack_behind, over))
        return lean

    def _go_on(self, intended: Array, clip_time: float | None) -> None:
        """The clip goes on as far as the body went: slower bodies make slower steps (Eq. 5).

        Where a session keeps the clip's time, that comes to follow the pace.
        """
        wanted, (fore, side), (vx, vy) = hypot(*intended.tolist()), self.ahead.tolist(), self.body.velocity.tolist()
        speed = hypot(max(vx * fore + vy * side, 0.0), vy * fore - vx * side)
        beside = None
        if clip_time is not None:
            # The clip keeps to where the body is on its way: behind the fluid it goes on from there.
            beside = float((self.body.position - self.gait.travel.place(self.clip_time)) @ self.ahead)
        pace = paced(speed, wanted, self.options.pace, beside)
        reaction = self.options.reaction
        self.pace = pace if reaction == 0.0 else self.pace + (pace - self.pace) * min(self.step / reaction, 1.0)
        reached = self.clip_time + self.pace * self.step if clip_time is None else clip_time
        self.clip_time = min(reached, self.gait.duration)
        self._manner = manner_at(self._manners, self.clip_time)

    def _pose(self) -> tuple[Array, BodyFrames]:
        """The pose at this moment: generalized positions (nq,) and body frames."""
        own, options = self.posture.clip(self.clip_time), self.options
        floor = float(self.ground.height(self.body.position, self.now))
        self.floor = floor if isfinite(floor) else 0.0
        level = self._level()
        yaw = self._yaw()
        x, y = Placement(yaw, _NOWHERE).way(*self.gait.travel.place(self.clip_time).tolist())
        here, there = self.body.position.tolist()
        placement = Placement(yaw, np.array([here - x, there - y]))
        feet = self.steps.advance(self.clip_time, self.body, placement, self.ahead)
        row = self.posture.carried(own, self.body, placement, self.ahead)
        if options.steps:
            rise, high, own_height = self.posture.rise(own, feet, self.ground, self.now)
            lifts = self._lifts(feet, high, level)
            heights = self.heights = [sum(parts) for parts in zip(own_height, rise, lifts, strict=True)]
            row[0, 2] += 0.5 * (rise[0] + rise[1])
            left, right = self.footings
            self.footings = _kept(left, self.steps.plans[0]), _kept(right, self.steps.plans[1])
            begun = zip(self.footings, self.steps.plans, feet, strict=True)
            beside = [footing_now(*each, self.now, self.options.crossing) for each in begun]
            row, self.sunk = self.posture.standing(row, own, feet, heights, beside)
        if not (options.arms and options.volumes):
            return row[0], self.posture.frames(row)
        self.felt, frames = self.hands.lift(row, level, self.ahead, self.felt, self.step)
        return row[0], frames

    def _level(self) -> float:
        """The highest surface at the body [m]; very low where there is none.

        For who came into it in the midst of a motion it rises from the ground by and by.
        """
        place = np.array([*self.body.position.tolist(), 0.0])
        there = max((float(volume.depths(place, self.now)) for volume in self.options.volumes), default=-np.inf)
        if self.level is None:
            return there
        level, rate = self.level
        fast = 1.0 / self.options.hands.takes
        rate = (rate + self.step * fast**2 * (max(there, self.floor) - level)) / (1.0 + fast * self.step) ** 2
        self.level = level + self.step * rate, rate
        return self.level[0]

    def _lifts(self, feet: tuple[FootGoal, FootGoal], high: Sequence[float], level: float) -> list[float]:
        """How much higher than in the clip each foot is held, which the clip has so `high` over the ground [m]."""
        if not self.options.high_step:
            return [0.0, 0.0]
        depth, both = level - self.floor, zip(feet, high, strict=True)
        leg, swing = self.posture.leg, self.options.swing
        lifts = [swing_lift(foot.share, foot.period, own, depth, leg, swing) for foot, own in both]
        # Who runs splashes through what is shallow.
        return [min(lift, 0.0) for lift in lifts] if self._manner.splashes else lifts


def _kept(footing: FootCorrection | None, plan: StepPlan) -> FootCorrection | None:
    return footing if footing is not None and footing.stance == plan.stance else None
