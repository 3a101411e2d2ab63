"""A body that breathes, and sways over its feet while it stands.

In a breath the upper spine straightens, the neck keeps the head level and the shoulders rise. Who stands sways as a pendulum
over the ankles and shifts the weight from leg to leg now and then; inverse kinematics of the legs keeps the feet where the clip
has them, and hands that touch something or are fixed to it are kept where they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Behavior, Contribution
from poise.behaviors.breathing.options import BreathingOptions
from poise.behaviors.breathing.rhythm import Breath, Shift, Sway
from poise.behaviors.breathing.standing import Standing
from poise.behaviors.breathing.touching import Touching
from poise.behaviors.reference import Reference
from poise.body.coordinates import body_frames, turn_joint
from poise.math.easing import minimum_jerk
from poise.world.view import WorldView

__all__ = ["Breathing", "BreathingState"]

Array = NDArray[np.float64]


@dataclass
class BreathingState:
    """What a body that breathes remembers.

    Args:
        breath: The breath it takes.
        shift: Which leg bears more.
        stands: How much of the sway there is, 0…1, before easing.
        held: How much each hand is kept where it is, 0…1, shape (2,).
    """

    breath: Breath
    shift: Shift
    stands: float
    held: Array


class Breathing(Behavior[BreathingState]):
    """Lets a character breathe and, while its clip stands still, sway; see the module.

        Session({"who": who}, behaviors={"who": [Breathing()]})

    It belongs before what else acts on the character, for which the body that breathes is the motion there is.

    Args:
        options: How.
    """

    is_motion = True

    def __init__(self, options: BreathingOptions | None = None) -> None:
        self.options = options or BreathingOptions()

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        plan = reference.plan
        self._seed = (self.options.seed, crc32(reference.name.encode()))
        spine, neck = plan.with_role("spine"), plan.with_role("neck") or plan.with_role("head")
        self._chest, self._neck = max(spine, default=None), next(iter(neck), None)
        self._shoulders = [
            (clavicle, arm, sign)
            for side, sign in (("left", 1.0), ("right", -1.0))
            for clavicle, arm in zip(
                plan.with_role(f"{side}_clavicle"), plan.with_role(f"{side}_upper_arm"), strict=False
            )
        ]
        self._high = _below_neck(plan.offsets, self._neck) if self._neck is not None else 0.0
        self._depth = plan.size * self.options.depth
        self._sway = Sway(plan.size * self.options.sway, self.options.swaying, self._seed)
        self._standing = (
            Standing.of(reference, self.options.standing) if self.options.sway or self.options.shift else None
        )
        self._touching = Touching(view, reference, self.options.keeps)
        self.state = BreathingState(Breath.first(self.options, self._seed), Shift(), 0.0, np.zeros(2))
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: BreathingState) -> Contribution:
        """See `Behavior.step`."""
        wanted, times = Contribution(reference), reference.times
        full = self._depth * state.breath.at(times, self.options, self._seed)
        last, state.held = state.held, self._touching.held(view, state.held, reference.tick)
        shares = self._shares(reference, state)
        if not (full.any() or shares.any()):
            return wanted
        before = body_frames(reference.plan, reference.rows)
        rows = wanted.edit_pose(moves=False)
        if self._standing is not None and shares.any():
            self._standing.carry(rows, before, shares[:, None] * self._aside(reference, state), shares)
        self._breathe(reference, rows, full)
        if last.any() or state.held.any():
            passed = ((times - reference.time) / reference.tick)[:, None]
            self._touching.keep(rows, before, minimum_jerk(last + passed * (state.held - last)))
        return wanted

    def _shares(self, reference: Reference, state: BreathingState) -> Array:
        """How much of the sway there is, 0…1, shape (n,)."""
        if self._standing is None:
            return np.zeros(len(reference.times))
        last, state.stands = state.stands, self._standing.share(reference, state.stands)
        return minimum_jerk(last + (state.stands - last) * (reference.times - reference.time) / reference.tick)

    def _aside(self, reference: Reference, state: BreathingState) -> Array:
        """How far sway takes the pelvis ahead and to the left, and shifts of weight to the left [m], shape (n, 3)."""
        shift = reference.plan.size * self.options.shift * state.shift.at(reference.times, self.options, self._seed)
        return np.column_stack([self._sway.at(reference.times), shift])

    def _breathe(self, reference: Reference, rows: Array, full: Array) -> None:
        """The trunk with lungs that are full by so much [m], shape (n,)."""
        plan, sideways = reference.plan, np.array([0.0, 1.0, 0.0])
        if self._chest is not None and self._neck is not None and self._high > 0.0:
            back = -full[:, None] / self._high * sideways
            turn_joint(plan, rows, self._chest, back)
            turn_joint(plan, rows, self._neck, -back)
        for clavicle, arm, sign in self._shoulders:
            rise = sign * full[:, None] / float(np.linalg.norm(plan.offsets[arm])) * np.array([1.0, 0.0, 0.0])
            turn_joint(plan, rows, clavicle, rise)
            turn_joint(plan, rows, arm, -rise)


def _below_neck(offsets: Array, neck: int) -> float:
    """How far the neck is above the joint it hangs on [m]."""
    return float(np.linalg.norm(offsets[neck]))
