"""Gestures on a skeleton: hand goals become arms, live in a session or as a loop for a crowd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.behaviors.behavior import Behavior, Contribution
from poise.behaviors.reference import Reference
from poise.body.coordinates import BodyFrames, body_frames, turn_joint
from poise.body.layout import turn_slice
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.gesture import Arms, Gesture, HandGoals, LiveConducting, LiveTempo, Style, conduct
from poise.gesture.arms import OUTWARD, SIDES
from poise.ik import LimbGoals, LimbSolver, relaxed_positions
from poise.math import quat
from poise.world.view import WorldView

__all__ = ["Elbows", "Gesticulator", "Gesturing", "GesturingState", "conducting_live", "conducting_turns", "loop_turns"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Elbows:
    """Where elbows point to while hands gesture, from the shoulder.

    Raises:
        InputError: A number is out of range.
    """

    behind: float = parameters.number(0.3, -2.0, 2.0, "arm lengths", says="how far behind the shoulder elbows point")
    outward: float = parameters.number(
        0.4, -2.0, 2.0, "arm lengths", says="how far outward", source="elbows of conductors are off the body"
    )
    below: float = parameters.number(1.0, -2.0, 2.0, "arm lengths", says="how far below", source="they hang")

    def __post_init__(self) -> None:
        parameters.check(self, "elbows")


class Gesticulator:
    """Moves the arms of one plan as hand goals say, on top of the pose there is.

    Args:
        plan: The character.
        elbows: Where they point to.

    Raises:
        InputError: It has no two arms with hands.
    """

    def __init__(self, plan: BodyPlan, elbows: Elbows | None = None) -> None:
        elbows = elbows or Elbows()
        self._elbow = np.array([-elbows.behind, elbows.outward, -elbows.below])
        self.plan, self.arms = plan, Arms.of(plan)
        self._solver = LimbSolver(plan)
        self._limbs = [self._solver.names.index(f"{side}_hand") for side in SIDES]
        self._chains = [[int(body) for body in self._solver.bodies[limb]] for limb in self._limbs]
        self._chest = _common(plan, *(chain[0] for chain in self._chains))
        self._head = next(iter(plan.with_role("neck") + plan.with_role("head")), None)
        self._base = relaxed_positions(plan)

    def apply(self, rows: Array, goals: HandGoals) -> None:
        """Change generalized positions (T, nq) in place; where a weight is 0 that arm stays as it is."""
        plan = self.plan
        if self._head is not None:
            turn_joint(plan, rows, self._head, goals.nods[:, None] * np.array([0.0, 1.0, 0.0]))
        solved = rows.copy()
        for chain in self._chains:
            for body in chain:
                solved[:, turn_slice(body)] = self._base[turn_slice(body)]
        frames = body_frames(plan, solved)
        chest = quat.mul(frames.rotations[:, self._chest], quat.conj(plan.neutral[self._chest]))
        shoulders = frames.positions[:, [chain[0] for chain in self._chains]]
        middle = shoulders.mean(axis=1)
        asked = LimbGoals.none(len(rows), len(self._solver.names))
        asked.positions[:] = np.nan
        for side, limb in enumerate(self._limbs):
            reach = self.arms.lengths[side] * self._elbow * np.array([1.0, OUTWARD[side], 1.0])
            asked.positions[:, limb] = middle + quat.rotate(chest, goals.positions[:, side])
            asked.poles[:, limb] = shoulders[:, side] + quat.rotate(chest, reach)
            asked.weights[:, limb] = 1.0, 0.0, 1.0
        self._solver.solve(solved, asked)
        frames = body_frames(plan, solved)
        for side, chain in enumerate(self._chains):
            wanted = quat.mul(quat.mul(chest, goals.rotations[:, side]), plan.neutral[chain[2]])
            self._turn_hand(solved, frames, chain, wanted)
            for body in chain:
                share = goals.weights[:, side]
                rows[:, turn_slice(body)] = quat.slerp(rows[:, turn_slice(body)], solved[:, turn_slice(body)], share)

    def _turn_hand(self, rows: Array, frames: BodyFrames, chain: list[int], wanted: Array) -> None:
        """Turn a hand as `wanted` in the world (T, 4): the forearm turns about its bone, the wrist bends, in place.

        Both come to the ends of their ranges softly, since a hand that must stop there would pass a jolt to the body.
        """
        plan, (_, forearm, hand) = self.plan, chain
        above = frames.rotations[:, plan.parents[hand]]
        neutral = plan.neutral[hand]
        before = quat.mul(above, plan.bind_rotations[hand])
        bend = swing_twist_angles(anatomical(quat.mul(quat.conj(before), wanted), neutral))
        twist = _softly(bend[:, 2], _range(plan, forearm)[2])
        bend[:, :2], bend[:, 2] = _softly(bend[:, :2], _range(plan, hand)[:2]), 0.0
        bone = frames.positions[:, hand] - frames.positions[:, forearm]
        turn = quat.exp(-twist[:, None] * bone / np.linalg.norm(bone, axis=1, keepdims=True))
        base = quat.mul(frames.rotations[:, plan.parents[forearm]], plan.bind_rotations[forearm])
        rows[:, turn_slice(forearm)] = quat.mul(quat.conj(base), quat.mul(turn, frames.rotations[:, forearm]))
        rows[:, turn_slice(hand)] = quat.mul(quat.mul(quat.conj(neutral), quat.exp(bend)), neutral)


@dataclass
class GesturingState:
    """What a live gesture remembers; others remember nothing."""

    live: LiveConducting | None


class Gesturing(Behavior[GesturingState]):
    """Makes a gesture over what the clip does, while a session runs.

    Args:
        gesture: What the hands do, over the session's time; a `LiveConducting` may be changed while it runs.
        elbows: Where elbows point to.
    """

    def __init__(self, gesture: Gesture, elbows: Elbows | None = None) -> None:
        self.gesture, self.elbows = gesture, elbows
        self.state = GesturingState(gesture if isinstance(gesture, LiveConducting) else None)

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Take note of whose arms these are."""
        self._hands = Gesticulator(reference.plan, self.elbows)
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: GesturingState) -> Contribution:
        """The arms of this tick."""
        wanted, parts = Contribution(reference), len(reference.rows)
        times = reference.time + reference.tick * np.arange(1, parts + 1) / parts
        self._hands.apply(wanted.edit_pose(), self.gesture.goals(times, self._hands.arms))
        return wanted


def conducting_live(tempos: Sequence[tuple[float, float]], *, beats: int, left: Literal["mirror", "rest"]) -> Gesturing:
    """Somebody who conducts at tempos that are asked for as time comes: each call makes another.

    Args:
        tempos: From when [s], the first from the start, and beats per minute.
        beats: Of a bar.
        left: What the left hand does.
    """
    (_, first), *later = tempos
    return Gesturing(LiveConducting(LiveTempo(first), beats=beats, left=left, asks=later))


def loop_turns(plan: BodyPlan, goals: Callable[[Arms], HandGoals]) -> tuple[NDArray[np.int64], Array]:
    """Joints (K,) that a periodic gesture turns and their rotations (P, K, 4) over one cycle, evenly spaced.

    Args:
        plan: The character.
        goals: The hands over one cycle, evenly spaced, without its end.
    """
    hands = Gesticulator(plan)
    asked = goals(hands.arms)
    rows = np.tile(relaxed_positions(plan), (len(asked.nods), 1))
    still = rows.copy()
    hands.apply(rows, asked)
    away = np.abs(rows - still)
    moved = [body for body in range(1, len(plan)) if away[:, turn_slice(body)].max() > 1e-9]
    return np.array(moved, dtype=np.int64), np.stack([rows[:, turn_slice(body)] for body in moved], axis=1)


def conducting_turns(plan: BodyPlan, beats: int = 4, samples: int = 96) -> tuple[NDArray[np.int64], Array]:
    """A bar of conducting with both hands, as `loop_turns` gives it."""
    phases = beats * np.arange(samples) / samples
    styles = [Style()] * (beats + 3)
    return loop_turns(plan, lambda arms: conduct(beats, phases, styles, -1, arms, left="mirror"))


def _range(plan: BodyPlan, body: int) -> Array:
    """How far a joint goes either way about x, y and z [rad], shape (3,)."""
    limits = plan.limits[body]
    return np.maximum(np.minimum(-limits.lower, limits.upper), 0.05)


def _softly(angles: Array, most: Array) -> Array:
    """Angles that come softly to `most` either way [rad]."""
    return np.asarray(most * np.tanh(angles / most))


def _common(plan: BodyPlan, first: int, second: int) -> int:
    """The lowest body that both hang on."""
    while second not in plan.subtree(first):
        first = int(plan.parents[first])
    return first
