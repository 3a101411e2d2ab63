"""Gestures on a skeleton: hand goals become arms, as a clip, live in a session, or as a loop for a crowd."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames, body_frames, clip_from_generalized, generalized_from_clip, turn_joint
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.gesture import Arms, Gesture, HandGoals, LiveConducting, Style, conduct
from poise.gesture.arms import OUTWARD, SIDES
from poise.ik import LimbGoals, LimbSolver, relaxed_positions
from poise.math import quat
from poise.motion.clip import Clip
from poise.runtime.character import Character
from poise.runtime.frame import Event
from poise.runtime.standing import Movement, standing_clip

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["Gesticulator", "GestureStage", "conducting_turns", "gesture_clip", "gesturing", "loop_turns"]

Array = NDArray[np.float64]

_ELBOW = np.array([-0.3, 0.4, -1.0])
"""Where elbows point to, from the shoulder: forward, outward, up [arm lengths]."""


class Gesticulator:
    """Moves the arms of one plan as hand goals say, on top of the pose there is.

    Args:
        plan: The character.

    Raises:
        InputError: It has no two arms with hands.
    """

    def __init__(self, plan: BodyPlan) -> None:
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
                solved[:, _at(body)] = self._base[_at(body)]
        frames = body_frames(plan, solved)
        chest = quat.mul(frames.rotations[:, self._chest], quat.conj(plan.neutral[self._chest]))
        shoulders = frames.positions[:, [chain[0] for chain in self._chains]]
        middle = shoulders.mean(axis=1)
        asked = LimbGoals.none(len(rows), len(self._solver.names))
        asked.positions[:] = np.nan
        for side, limb in enumerate(self._limbs):
            reach = self.arms.lengths[side] * _ELBOW * np.array([1.0, OUTWARD[side], 1.0])
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
                rows[:, _at(body)] = quat.slerp(rows[:, _at(body)], solved[:, _at(body)], share)

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
        rows[:, _at(forearm)] = quat.mul(quat.conj(base), quat.mul(turn, frames.rotations[:, forearm]))
        rows[:, _at(hand)] = quat.mul(quat.mul(quat.conj(neutral), quat.exp(bend)), neutral)


def gesture_clip(
    gesture: Gesture, source: Clip, seconds: float | None = None, rate: float = 60.0, *, over: bool = False
) -> Clip:
    """A clip of someone who makes a gesture.

    Args:
        gesture: What the hands do.
        source: Whose skeleton and proportions.
        seconds: How long; by default as long as `source`.
        rate: Frames per second, where the figure stands.
        over: Whether the rest of the body does what `source` does, at its rate; otherwise it stands at ease at the origin.

    Raises:
        InputError: The skeleton lacks arms, or a clip cannot be that long.
    """
    if not over:
        return standing_clip(source, source.duration if seconds is None else seconds, rate, gesturing(gesture))
    plan = Character.from_clip(source).plan
    rows, base = generalized_from_clip(plan, source), source
    if seconds is not None:
        rows = rows[: round(seconds * source.rate) + 1]
        base = source.with_motion(source.rotations[: len(rows)], source.translations[: len(rows)])
    gesturing(gesture)(plan, rows, np.arange(len(rows)) / base.rate)
    return clip_from_generalized(plan, rows, base)


def gesturing(gesture: Gesture) -> Movement:
    """A gesture as what someone who stands does."""

    def movement(plan: BodyPlan, rows: Array, times: Array) -> None:
        hands = Gesticulator(plan)
        hands.apply(rows, gesture.goals(times, hands.arms))

    return movement


class GestureStage:
    """Makes a gesture over what the clip does, while a session runs.

    Args:
        gesture: What the hands do, over the session's time; a `LiveConducting` may be changed while it runs.
    """

    def __init__(self, gesture: Gesture) -> None:
        self.gesture = gesture

    def begin(self, session: Session, actor: Actor) -> None:
        """Take note of whose arms these are."""
        self._actor, self._tick = actor, session.clock.tick
        self._hands = Gesticulator(actor.character.plan)

    def act(self, begin: float) -> tuple[Event, ...]:
        """Write the arms of this tick."""
        rows = self._actor.rows
        times = begin + self._tick * np.arange(1, len(rows) + 1) / len(rows)
        self._hands.apply(rows, self.gesture.goals(times, self._hands.arms))
        self._actor.changed = True
        return ()

    def save(self) -> Any:
        """What a live gesture remembers; others remember nothing."""
        return self.gesture.save() if isinstance(self.gesture, LiveConducting) else None

    def restore(self, saved: Any) -> None:
        """Go back to what `save` gave."""
        if isinstance(self.gesture, LiveConducting):
            self.gesture.restore(saved)


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
    moved = [body for body in range(1, len(plan)) if np.abs(rows[:, _at(body)] - still[:, _at(body)]).max() > 1e-9]
    return np.array(moved, dtype=np.int64), np.stack([rows[:, _at(body)] for body in moved], axis=1)


def conducting_turns(plan: BodyPlan, beats: int = 4, samples: int = 96) -> tuple[NDArray[np.int64], Array]:
    """A bar of conducting with both hands, as `loop_turns` gives it."""
    phases = beats * np.arange(samples) / samples
    styles = [Style()] * (beats + 3)
    return loop_turns(plan, lambda arms: conduct(beats, phases, styles, -1, arms, left="mirror"))


def _at(body: int) -> slice:
    return slice(3 + 4 * body, 7 + 4 * body)


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
