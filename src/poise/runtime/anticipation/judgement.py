"""Decisions that look after the body: hands stay before it, at a person's pace, and take a wall where a person would."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, assign_hands, hold_off
from poise.math import quat
from poise.runtime.anticipation.decide import Decisions, Moment
from poise.runtime.anticipation.hands import HandState

__all__ = ["Judgement"]

Array = NDArray[np.float64]

_REACHABLE, _KEPT = 1.25, 1.5
"""An obstacle is worth a hand up to this share of the arm away from its shoulder; one that it has, up to that."""
_ASIDE, _ASIDE_KEPT = 0.22, 0.35
"""What is farther to the other side of the shoulder than this is across [m]."""
_STAYS = 0.4
"""A hand that touched something stays with it this long [s]."""
_GRASP = 0.95
"""A palm stays where it is put up to this share of the arm from the shoulder."""
_MOST = 6
"""So many of the most urgent obstacles are looked at."""
_FASTEST, _FASTEST_BALL, _FASTEST_TURN = 4.0, 8.0, 15.0
"""How fast a hand is meant to move [m/s], against what flies, and to turn [rad/s]."""
_BEFORE, _TRUNK = 0.2, 0.28
"""A wrist is at least so far before the shoulders while it is within that of the middle [m]."""
_APART = 0.05
"""How far either palm is to its side of what both hands hold [m]."""
_LEAN = 0.06
"""The palm leans to its fingers [rad], so that they touch before the wrist, which is thicker."""
_PRESSED = 0.002
"""How far behind the surface of what cannot be moved a palm is meant to be, so that it rests on it [m]."""
_STEADY = 2.5
"""Tension against what cannot be moved [Hz]."""


class Judgement(Decisions):
    """See `Decisions`."""

    def decide(self, states: list[HandState], moment: Moment) -> tuple[Array, Array, list[tuple[str, int]]]:
        """See `Decisions.decide`."""
        self._states = states
        return super().decide(states, moment)

    def _choose(self, states: list[HandState], moment: Moment) -> tuple[int, int]:
        percept = moment.percept
        urgency = percept.threats.urgency
        urgent = np.flatnonzero(np.isfinite(urgency))
        if not len(urgent):
            return NOTHING, NOTHING
        ways, ties = np.full((2, len(urgency)), np.inf), np.full((2, len(urgency)), np.inf)
        across, reachable = np.zeros_like(ways, dtype=bool), np.zeros_like(ways, dtype=bool)
        for which in urgent[np.argsort(urgency[urgent], kind="stable")][:_MOST]:
            meeting = self._meeting(
                int(which), int(percept.threats.spot[which]), self._lead(int(which), moment), moment
            )
            for hand, state in enumerate(states):
                fixed = self._held_at(int(which), hand, moment)
                point, has = meeting if fixed is None else fixed[0], state.obstacle == which
                away = point - moment.before.positions[0, self._shoulders[hand]]
                length = float(np.linalg.norm(away))
                side = float(away @ _left(percept.faces)) * (1.0 if hand == 0 else -1.0)
                ways[hand, which], ties[hand, which] = np.linalg.norm(point - moment.hands[0][hand]), length
                across[hand, which] = side < -(_ASIDE_KEPT if has else _ASIDE)
                behind = float(away @ percept.faces) < -(0.5 if has else 0.3) * length
                near = length < (_KEPT if has else _REACHABLE) * self.arms.lengths[hand]
                reachable[hand, which] = near and not behind and not (across[hand, which] and fixed is not None)
        masses, heaviest = self.senses.masses, self.options.heaviest
        has_now = states[0].obstacle, states[1].obstacle
        return assign_hands(
            urgency,
            ways,
            across,
            reachable,
            has_now,
            lambda which: self.options.rules.both_hands(
                float(ties[0, which]), float(ties[1, which]), float(masses[which]), heaviest
            ),
        )

    def _held_at(self, which: int, hand: int, moment: Moment) -> tuple[Array, Array] | None:
        """Point and normal where a person holds on to what is fixed, ahead of the shoulder and below it; else None."""
        if not np.isinf(self.senses.masses[which]):
            return None
        size = self.arms.lengths[hand]
        spot = moment.after.positions[0, self._shoulders[hand]] + 0.5 * size * moment.percept.faces
        spot = spot - np.array([0.0, 0.0, 0.25 * size])
        near = self.senses.surroundings.nearest(np.stack([spot, spot]), np.ones(2))
        if not np.isfinite(near.distance[0, which]):
            return None
        return near.point[0, which].copy(), near.normal[0, which].copy()

    def _take(self, state: HandState, chosen: int, hand: int, moment: Moment) -> list[str]:
        if chosen == NOTHING and moment.time - state.touched < _STAYS:
            return []
        told = super()._take(state, chosen, hand, moment)
        if told == ["reach"] and self.options.adapt and np.isinf(self.senses.masses[chosen]):
            state.tension = _STEADY
        return told

    def _together(self) -> bool:
        return self._states[0].obstacle == self._states[1].obstacle != NOTHING

    def _surface(self, state: HandState, moment: Moment) -> tuple[Array, Array, Array]:
        hand = 0 if self._states[0] is state else 1
        fixed = self._held_at(state.obstacle, hand, moment)
        if fixed is not None:
            return fixed[0] - _PRESSED * fixed[1], fixed[1], np.zeros(3)
        point, normal, velocity = super()._surface(state, moment)
        if self._together():
            point = point + (_APART if hand == 0 else -_APART) * _left(moment.percept.faces)
        return point, normal, velocity

    def _goal(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array, Array]:
        if state.phase == "return":
            return super()._goal(state, hand, moment)
        percept, fixed = moment.percept, np.isinf(self.senses.masses[state.obstacle])
        centre = percept.spots[state.spot] + moment.tick * percept.velocities[state.spot]
        hold = self.options.hold * float(self.senses.spots.radii[state.spot])
        point, normal, speed = self._surface(state, moment)
        waits = state.phase == "slide" and not moment.touching[hand, state.obstacle]
        if not fixed and (state.phase == "reach" or (waits and np.linalg.norm(point - centre) > hold + 0.05)):
            speed = percept.velocities[state.spot]
            point = self._meeting(state.obstacle, state.spot, 3.0, moment) + moment.tick * speed
            if self._together():
                point = point + (_APART if hand == 0 else -_APART) * _left(percept.faces)
        elif state.phase in ("stick", "replant"):
            state.stuck = state.stuck + moment.tick * speed
            point = state.stuck
        if not fixed:
            point = hold_off(point, centre, hold)
        palm = self.arms.palms[hand]
        stays = state.phase in ("stick", "replant")
        fingers = np.array([0.0, 0.0, 1.0]) + 0.5 * percept.faces if stays else self._fingers(hand, point, moment)
        turn = self.options.rules.palm_turn(_leaning(normal, fingers), fingers, palm.out, palm.along)
        return self._near(self._before(palm.wrist(point, turn), moment), hand, moment), turn, speed

    def _within(self, point: Array, hand: int, moment: Moment) -> bool:
        away = point - moment.after.positions[0, self._shoulders[hand]]
        length = float(np.linalg.norm(away))
        return length < _GRASP * self.arms.lengths[hand] and float(away @ moment.percept.faces) > -0.35 * length

    def _fingers(self, hand: int, point: Array, moment: Moment) -> Array:
        """Where fingers point: away from the shoulder, up, and a little ahead, as when one pushes."""
        away = point - moment.after.positions[0, self._shoulders[hand]]
        ahead = 0.4 * moment.percept.faces
        return np.asarray(away / max(float(np.linalg.norm(away)), 1e-6) + np.array([0.0, 0.0, 0.8]) + ahead)

    def _before(self, place: Array, moment: Moment) -> Array:
        """The place, moved ahead out of the trunk."""
        faces = moment.percept.faces
        away = place - moment.after.positions[0, self._shoulders].mean(axis=0)
        if abs(float(away @ _left(faces))) >= _TRUNK:
            return place
        return np.asarray(place + max(_BEFORE - float(away @ faces), 0.0) * faces)

    def _pose(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array]:
        place, turn = super()._pose(state, hand, moment)
        kinds = self.senses.surroundings.kinds
        flies = state.obstacle != NOTHING and kinds[state.obstacle] == "ball"
        shoulder = self._shoulders[hand]
        carried = moment.after.positions[0, shoulder] - moment.before.positions[0, shoulder]
        was = moment.hands[0][hand] + carried
        place = was + _shortened(place - was, (_FASTEST_BALL if flies else _FASTEST) * moment.tick)
        twist = quat.log(quat.mul(quat.conj(moment.hands[1][hand]), turn))
        return place, quat.mul(moment.hands[1][hand], quat.exp(_shortened(twist, _FASTEST_TURN * moment.tick)))


def _left(faces: Array) -> Array:
    return np.array([-faces[1], faces[0], 0.0])


def _shortened(way: Array, most: float) -> Array:
    length = float(np.linalg.norm(way))
    return way if length <= most else np.asarray(way * (most / length))


def _leaning(normal: Array, fingers: Array) -> Array:
    """The normal, turned a little so that fingertips are nearer to the surface than the wrist."""
    flat = fingers - (fingers @ normal) * normal
    length = float(np.linalg.norm(flat))
    if length < 0.1:
        return normal
    leant = normal + _LEAN * flat / length
    return np.asarray(leant / np.linalg.norm(leant))
