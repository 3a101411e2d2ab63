"""Somebody wading, tick by tick: fluid, body, steps, pose (Bermudez 2018, Secs. 3 to 5)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.fluid import FLUIDS, GRAVITY, FluidVolume, submerged_part
from poise.locomotion.abstract_body import AbstractBody, Load, step_body
from poise.locomotion.steps import Placement, StepController
from poise.motion.skin import SkinnedMesh
from poise.signals import Ground
from poise.wading.gait import Gait
from poise.wading.loads import FluidLoad, SkinMotion, fluid_load
from poise.wading.options import WadingOptions, default_servo
from poise.wading.posture import Posture
from poise.wading.record import Moment
from poise.wading.skin import BodySkin

__all__ = ["Wader"]

Array = NDArray[np.float64]

_DENSITY = 1010.0
"""Of a person with half-filled lungs [kg/m³]."""
_EVERYWHERE = FluidVolume(fluid=FLUIDS["water"], level=1e4)
_STILL = 0.15
"""About this speed a clip's steps turn from being counted by way to being counted by time [m/s]."""
_SLOWEST, _FASTEST = 0.05, 3.0
"""Least and greatest pace of a clip."""
_BEARS = 0.1
"""Share of the weight that always stands on the ground: a floating body still touches it with its toes."""
_SOAKS, _DRIPS, _STRIDES = 1.0, 6.0, 1.5
"""Times in which clothes take up and lose fluid, and in which a body counts as come out of it [s]."""
_HOLDS, _CLINGS = 0.08, 0.08
"""What soaked clothes weigh, and how they hold back the limbs in them, as shares of the body's weight."""
_FROUDE = 0.5
"""Square of the speed over gravity and a leg's length at which walkers leave the ground, whatever gravity is (Kram 1997)."""
_STEP_OVER, _TOO_DEEP = 0.25, 0.35
"""Fluid up to the first share of a leg's length is stepped over, beyond the second it is waded through."""
_CLEAR = 0.05
"""A foot that is lifted out clears the surface by this [m]."""
_PACK_BEHIND, _PACK_ABOVE = 0.10, 0.25
"""Where a pack lies behind and over the hips, in statures."""


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
        self.servo = options.servo or default_servo(plan, gait.speed)
        self.skin = BodySkin(plan, gait.character.clip, mesh)
        self.posture = Posture(gait)
        self.now, self.clip_time, self.pace = 0.0, 0.0, 1.0
        self.wet, self.under = 0.0, 0.0
        velocity = gait.travel.velocity(0.0)
        self.body = AbstractBody(gait.travel.place(0.0), velocity, np.zeros(2), np.zeros(2))
        self.ahead = np.array([1.0, 0.0])
        self._head_for(velocity)
        self.steps = StepController(gait.steps, options.profile, Placement(0.0, np.zeros(2)), step)
        self.sunk = 0.0
        none = np.zeros((len(mesh), 3))
        self.motion = SkinMotion(self.skin.triangles, none, none, step)
        self.row, self.frames = self._pose()
        now = self.skin.vertices(self.frames)
        whole = submerged_part(now, self.skin.triangles, _EVERYWHERE).volume
        body = plan.total_mass / _DENSITY
        # A skin with holes or turned inside out has no volume to tell: then it bears nothing.
        self.motion = self.motion._replace(fullness=body / whole if whole > 0.2 * body else 0.0)
        # Before the first tick it moved as its clip does.
        ways = [self.skin.vertices(self.posture.clip(min(time, gait.duration)).frames) for time in (0.0, step)]
        self.motion = self.motion._replace(vertices=now, before=now - (ways[1] - ways[0]))

    @property
    def done(self) -> bool:
        """Whether the clip has come to its end."""
        return self.clip_time >= self.gait.duration - 1e-9

    def advance(self) -> Moment:
        """Go on by one tick."""
        hips = self.posture.hips(self.frames)
        options = self.options
        fluid = fluid_load(
            self.motion, options.volumes, hips, self.now, form=options.form, drags=options.drag, bears=options.buoyancy
        )
        load = self._load(fluid)
        if options.soaks:
            load = self._dripping(load, fluid)
        turned = Placement(float(self.body.angles[0]), np.zeros(2))
        intended = turned.turned(self.gait.travel.velocity(self.clip_time))
        self._head_for(intended)
        weight = (self.servo.mass + options.pack) * GRAVITY
        standing = max(weight - fluid.lift, _BEARS * weight)
        servo = replace(self.servo, force=self.servo.force * standing / (self.servo.mass * GRAVITY))
        wanted = intended * self._footing(intended, standing / weight)
        self.body = step_body(servo, self.body, load, wanted, self.step, self._lean())
        self._go_on(intended)
        self.now += self.step
        self.row, self.frames = self._pose()
        self.motion = self.motion._replace(vertices=self.skin.vertices(self.frames), before=self.motion.vertices)
        return Moment(
            time=self.now,
            clip_time=self.clip_time,
            position=self.body.position,
            velocity=self.body.velocity,
            intended=intended,
            angles=self.body.angles,
            force=fluid.force,
            center=fluid.center,
            hips=hips,
            torque=load.torque,
            volume=fluid.volume,
            feet=np.array([[*goal.place, goal.share] for goal in self.steps.goals]),
            sunk=self.sunk,
        )

    def _head_for(self, velocity: Array) -> None:
        speed = float(np.linalg.norm(velocity))
        if speed > _STILL:
            self.ahead = velocity / speed

    def _load(self, fluid: FluidLoad) -> Load:
        """All that acts on the abstract body in this tick."""
        planar = fluid.force[:2].copy()
        for push in self.options.pushes:
            ends = min(self.now + self.step, push.time + push.duration)
            planar += max(ends - max(self.now, push.time), 0.0) / self.step * np.array(push.force)
        mass = self.servo.mass + self.options.pack
        normal = self.ground.normal(self.body.position, self.now)
        planar += self.options.slope * mass * GRAVITY * normal[:2] * normal[2]
        left = np.array([-self.ahead[1], self.ahead[0], 0.0])
        torque = np.array([fluid.torque[2], fluid.torque @ left])
        return Load(planar, fluid.damping[:2, :2], torque, fluid.along + self.options.pack)

    def _dripping(self, load: Load, fluid: FluidLoad) -> Load:
        """Wet clothes hold back what of the body is out of the fluid, and drip."""
        # Legs that swing out of the fluid and in again stay wet and do not count as come out.
        under = min(fluid.volume * _DENSITY / self.servo.mass, 1.0)
        self.under = max(under, self.under * (1.0 - min(self.step / _STRIDES, 1.0)))
        rate = 1.0 / (_SOAKS if self.under > self.wet else _DRIPS)
        self.wet += (self.under - self.wet) * min(rate * self.step, 1.0)
        out = max(self.wet - self.under, 0.0)
        speed = float(np.linalg.norm(self.body.velocity))
        back = -_CLINGS * out * self.servo.mass * GRAVITY * self.body.velocity / max(speed, _STILL)
        return load._replace(force=load.force + back, mass=load.mass + _HOLDS * out * self.servo.mass)

    def _footing(self, intended: Array, standing: float) -> float:
        """Share of a walk's speed at which its feet keep on the ground with a share of the weight (Froude number)."""
        fastest = np.sqrt(_FROUDE * standing * GRAVITY * self.posture.leg)
        return min(1.0, float(fastest) / max(float(np.linalg.norm(intended)), 1e-9)) if self.gait.walks else 1.0

    def _lean(self) -> float:
        """The pitch that brings body and pack together over the feet [rad]."""
        pack = self.options.pack
        return float(np.arctan2(pack * _PACK_BEHIND, (self.servo.mass + pack) * _PACK_ABOVE)) if pack else 0.0

    def _go_on(self, intended: Array) -> None:
        """The clip goes on as far as the body went: slower bodies make slower steps (Eq. 5)."""
        wanted = float(np.linalg.norm(intended))
        along = max(float(self.body.velocity @ self.ahead), 0.0)
        aside = float(self.body.velocity @ np.array([-self.ahead[1], self.ahead[0]]))
        speed = float(np.hypot(along, aside))
        pace = (speed * wanted + _STILL**2) / (wanted**2 + _STILL**2)
        pace = float(np.clip(pace, _SLOWEST, _FASTEST))
        reaction = self.options.reaction
        self.pace = pace if reaction == 0.0 else self.pace + (pace - self.pace) * min(self.step / reaction, 1.0)
        self.clip_time = min(self.clip_time + self.pace * self.step, self.gait.duration)

    def _pose(self) -> tuple[Array, BodyFrames]:
        """The pose at this moment: generalized positions (nq,) and body frames."""
        own, options = self.posture.clip(self.clip_time), self.options
        turned = Placement(float(self.body.angles[0]), np.zeros(2))
        placement = turned._replace(shift=self.body.position - turned.turned(self.gait.travel.place(self.clip_time)))
        feet = self.steps.advance(self.clip_time, self.body, placement, self.ahead)
        row = self.posture.carried(own, self.body, placement, self.ahead)
        if options.steps:
            rise = self.posture.rise(own, feet, self.ground, self.now)
            lifts = np.array([self._lift(foot.share) for foot in feet])
            row[0, 2] += float(rise.mean())
            row, self.sunk = self.posture.standing(row, own, feet, rise, lifts)
        if options.arms and options.volumes:
            self.posture.lift_hands(row, self._level(), self.ahead)
        return row[0], self.posture.frames(row)

    def _level(self) -> float:
        """The highest surface at the body [m]; very low where there is none."""
        place = np.array([*self.body.position, 0.0])
        return max(float(volume.depths(place, self.now)) for volume in self.options.volumes)

    def _lift(self, share: float) -> float:
        """How much higher than in the clip a swinging foot is held, to come out of shallow fluid [m]."""
        if not self.options.high_step or not self.options.volumes or share >= 1.0:
            return 0.0
        leg = self.posture.leg
        floor = float(np.nan_to_num(self.ground.height(self.body.position, self.now)))
        depth = self._level() - floor
        if depth <= 0.0:
            return 0.0
        over = np.clip((_TOO_DEEP - depth / leg) / (_TOO_DEEP - _STEP_OVER), 0.0, 1.0)
        # Up at once and down late, so that the foot is out of the fluid for most of its way.
        shape = (1.0 - (2.0 * share - 1.0) ** 4) * np.sin(np.pi * share) ** 0.5
        return float(over * (depth + _CLEAR) * shape)
