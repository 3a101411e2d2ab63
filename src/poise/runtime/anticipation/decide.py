"""What the hands do: which obstacle, when, where to, how firmly; one call per tick."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Glide, assign_hands, hermite_hop, hold_off, meeting_point
from poise.body.coordinates import BodyFrames
from poise.math import quat
from poise.runtime.anticipation.hands import Arms, HandState
from poise.runtime.anticipation.options import AnticipationOptions
from poise.runtime.anticipation.posture import before_trunk, leaning, left_of, pushing_fingers, shortened
from poise.runtime.anticipation.senses import Percept, Senses

__all__ = ["Decisions", "Moment"]

Array = NDArray[np.float64]

_REACH = 0.97
"""Farthest a wrist goes from its shoulder, as a share of the arm."""
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
_APART = 0.05
"""How far either palm is to its side of what both hands hold [m]."""
_PRESSED = 0.002
"""How far behind the surface of what cannot be moved a palm is meant to be, so that it rests on it [m]."""
_STEADY = 2.5
"""Tension against what cannot be moved [Hz]."""
_RETURN = 0.5
"""Time a hand takes back to the clip [s]."""
_GAP = 0.01
"""A palm this near to a surface touches it [m]."""
_LEAST = 0.25
"""An obstacle is not let go of sooner [s]."""


class Moment(NamedTuple):
    """What a decision is made from.

    Args:
        time: Beginning of the tick [s].
        tick: Its length [s].
        before: Input skeleton at its beginning (one row).
        after: Input skeleton at its end.
        hands: Places and turns of both hands as they were meant to be at the beginning, (2, 3) and (2, 4).
        speeds: How they moved, linear and angular in the world [m/s, rad/s], shape (2, 6).
        touching: For either hand, whether each obstacle is touched by its arm, shape (2, P).
        percept: What is perceived.
    """

    time: float
    tick: float
    before: BodyFrames
    after: BodyFrames
    hands: tuple[Array, Array]
    speeds: Array
    touching: NDArray[np.bool_]
    percept: Percept


class Decisions:
    """Decides for the two hands of one character.

    Args:
        senses: What it perceives with.
        arms: What it acts with.
        options: How it decides.
    """

    def __init__(self, senses: Senses, arms: Arms, options: AnticipationOptions) -> None:
        self.senses, self.arms, self.options = senses, arms, options
        self._shoulders, self._hands = arms.bodies[:, 0], arms.bodies[:, 2]

    def decide(self, states: list[HandState], moment: Moment) -> tuple[Array, Array, list[tuple[str, int]]]:
        """Bring both hands' states up to date.

        Returns:
            Where the wrists shall be at the end of the tick (2, 3), how the hands shall be turned (2, 4), and what is worth
            telling, as kind and hand.
        """
        told: list[tuple[str, int]] = []
        self._states = states
        chosen = self._choose(states, moment)
        places, turns = np.zeros((2, 3)), np.tile(quat.IDENTITY, (2, 1))
        for hand, state in enumerate(states):
            told += [(kind, hand) for kind in self._take(state, chosen[hand], hand, moment)]
            if not state.busy:
                continue
            told += [(kind, hand) for kind in self._progress(state, hand, moment)]
            places[hand], turns[hand] = self._pose(state, hand, moment)
            state.goal = places[hand].copy()
        return places, turns, told

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
                side = float(away @ left_of(percept.faces)) * (1.0 if hand == 0 else -1.0)
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

    def _lead(self, which: int, moment: Moment) -> float:
        return self.senses.bounds[int(moment.percept.threats.spot[which])][which].slowest

    def _meeting(self, which: int, spot: int, horizon: float, moment: Moment) -> Array:
        percept = moment.percept
        relative = percept.nearest.velocity[spot, which] - percept.velocities[spot]
        hold = self.options.hold * float(self.senses.spots.radii[spot])
        return meeting_point(percept.nearest.point[spot, which], percept.spots[spot], relative, hold, horizon)

    def _take(self, state: HandState, chosen: int, hand: int, moment: Moment) -> list[str]:
        """Turn to what was chosen, or away from what there was."""
        if chosen == state.obstacle or (chosen == NOTHING and moment.time - state.touched < _STAYS):
            return []
        keeps = state.obstacle != NOTHING and moment.time - state.since < _LEAST
        if keeps or (chosen == NOTHING and state.phase in ("idle", "return")):
            return []
        if chosen == NOTHING:
            self._begin(state, "return", _RETURN, hand, moment)
            state.obstacle, state.touched = NOTHING, float("nan")
            return ["release"]
        percept, spot = moment.percept, int(moment.percept.threats.spot[chosen])
        bounds = self.senses.bounds[spot][chosen]
        state.obstacle, state.spot, state.touched = chosen, spot, float("nan")
        state.reaction = self.options.rules.reaction_time(
            float(percept.nearest.distance[spot, chosen]),
            float(self.senses.spots.radii[spot]),
            float(percept.threats.closing[chosen]),
            bounds,
        )
        if self.options.adapt:
            mass = float(self.senses.masses[chosen])
            steady = _STEADY if np.isinf(mass) else self.options.rules.tension(mass, self.options.heaviest, bounds)
            state.tension = steady
        self._begin(state, "reach", state.reaction, hand, moment)
        return ["reach"]

    def _begin(self, state: HandState, phase: str, duration: float, hand: int, moment: Moment) -> None:
        """Start a phase: what is left of the way is the difference between the hand and its new goal."""
        state.phase, state.since = phase, moment.time
        place, turn, speed = self._goal(state, hand, moment)
        offset = moment.hands[0][hand] - (place - moment.tick * speed)
        twist = quat.log(quat.mul(quat.conj(turn), moment.hands[1][hand]))
        spin = quat.rotate(quat.conj(turn), moment.speeds[hand, 3:])
        rate = np.concatenate([moment.speeds[hand, :3] - speed, spin])
        state.glide = Glide(moment.time, duration, np.concatenate([offset, twist]), rate)

    def _progress(self, state: HandState, hand: int, moment: Moment) -> list[str]:
        """Go on to the next phase where this one is over."""
        time, told = moment.time, []
        if state.phase == "return":
            if state.glide.done(time) and state.pole == 0.0:
                state.phase = "idle"
            return []
        touching = bool(moment.touching[hand, state.obstacle])
        if touching and np.isnan(state.touched):
            state.touched = time
            told.append("contact")
        if state.phase == "reach" and (touching or state.glide.done(time)):
            state.phase, state.since = self.options.contact, time
            state.stuck = self._surface(state, moment)[0].copy()
        elif state.phase == "replant" and state.glide.done(time):
            state.phase = "stick"
        elif state.phase == "stick" and not self._within(state.stuck, hand, moment):
            normal = self._surface(state, moment)[1]
            state.normals = np.stack([state.normals[1] if state.normals[1].any() else normal, normal])
            state.stuck = self._surface(state, moment)[0].copy()
            self._begin(state, "replant", max(state.reaction, 0.3), hand, moment)
            told.append("replant")
        return told

    def _within(self, point: Array, hand: int, moment: Moment) -> bool:
        away = point - moment.after.positions[0, self._shoulders[hand]]
        length = float(np.linalg.norm(away))
        return length < _GRASP * self.arms.lengths[hand] and float(away @ moment.percept.faces) > -0.35 * length

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

    def _together(self) -> bool:
        return self._states[0].obstacle == self._states[1].obstacle != NOTHING

    def _surface(self, state: HandState, moment: Moment) -> tuple[Array, Array, Array]:
        """Where a hand meets what it is about at the end of the tick, normal and velocity there."""
        hand = 0 if self._states[0] is state else 1
        fixed = self._held_at(state.obstacle, hand, moment)
        if fixed is not None:
            return fixed[0] - _PRESSED * fixed[1], fixed[1], np.zeros(3)
        nearest = moment.percept.nearest
        at = (state.spot, state.obstacle)
        point, normal, velocity = state.goal, np.array([-1.0, 0.0, 0.0]), np.zeros(3)
        if np.isfinite(nearest.distance[at]):
            velocity = nearest.velocity[at]
            point, normal = nearest.point[at] + moment.tick * velocity, nearest.normal[at]
        return point + self._own_side(hand, moment), normal, velocity

    def _own_side(self, hand: int, moment: Moment) -> Array:
        """How far a palm is aside of the middle of what both hands hold [m], shape (3,)."""
        if not self._together():
            return np.zeros(3)
        return (_APART if hand == 0 else -_APART) * left_of(moment.percept.faces)

    def _goal(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array, Array]:
        """Wrist and turn of the hand's goal at the end of the tick, and how fast the goal moves."""
        if state.phase == "return":
            body = self._hands[hand]
            place, turn = moment.after.positions[0, body], moment.after.rotations[0, body]
            return place, turn, (place - moment.before.positions[0, body]) / moment.tick
        faces, shoulders = moment.percept.faces, moment.after.positions[0, self._shoulders]
        point, normal, speed = self._contact(state, hand, moment)
        palm = self.arms.palms[hand]
        stays = state.phase in ("stick", "replant")
        fingers = np.array([0.0, 0.0, 1.0]) + 0.5 * faces if stays else pushing_fingers(point - shoulders[hand], faces)
        turn = self.options.rules.palm_turn(leaning(normal, fingers), fingers, palm.out, palm.along)
        wrist = before_trunk(palm.wrist(point, turn), shoulders.mean(axis=0), faces)
        return self._near(wrist, hand, moment), turn, speed

    def _contact(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array, Array]:
        """Where the palm shall be at the end of the tick, the surface's normal, and how fast the place moves."""
        percept, fixed = moment.percept, np.isinf(self.senses.masses[state.obstacle])
        centre = percept.spots[state.spot] + moment.tick * percept.velocities[state.spot]
        hold = self.options.hold * float(self.senses.spots.radii[state.spot])
        point, normal, speed = self._surface(state, moment)
        waits = state.phase == "slide" and not moment.touching[hand, state.obstacle]
        if not fixed and (state.phase == "reach" or (waits and np.linalg.norm(point - centre) > hold + 0.05)):
            speed = percept.velocities[state.spot]
            point = self._meeting(state.obstacle, state.spot, 3.0, moment) + moment.tick * speed
            point = point + self._own_side(hand, moment)
        elif state.phase in ("stick", "replant"):
            state.stuck = state.stuck + moment.tick * speed
            point = state.stuck
        return (point if fixed else hold_off(point, centre, hold)), normal, speed

    def _near(self, wrist: Array, hand: int, moment: Moment) -> Array:
        """The wrist's goal, or the nearest place to it that the arm reaches."""
        shoulder = moment.after.positions[0, self._shoulders[hand]]
        away, most = wrist - shoulder, _REACH * self.arms.lengths[hand]
        length = float(np.linalg.norm(away))
        return wrist if length <= most else np.asarray(shoulder + away * (most / length))

    def _pose(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array]:
        place, turn, _ = self._goal(state, hand, moment)
        end = moment.time + moment.tick
        left = state.glide.at(end)
        if state.phase == "replant":
            share = (end - state.glide.start) / state.glide.duration
            place = place + hermite_hop(share, self.options.hop, *state.normals)
        return self._paced(place + left[:3], quat.mul(turn, quat.exp(left[3:])), state, hand, moment)

    def _paced(self, place: Array, turn: Array, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array]:
        """No faster than a person moves a hand, seen from its shoulder."""
        kinds = self.senses.surroundings.kinds
        flies = state.obstacle != NOTHING and kinds[state.obstacle] == "ball"
        shoulder = self._shoulders[hand]
        was = moment.hands[0][hand] + moment.after.positions[0, shoulder] - moment.before.positions[0, shoulder]
        place = was + shortened(place - was, (_FASTEST_BALL if flies else _FASTEST) * moment.tick)
        twist = quat.log(quat.mul(quat.conj(moment.hands[1][hand]), turn))
        return place, quat.mul(moment.hands[1][hand], quat.exp(shortened(twist, _FASTEST_TURN * moment.tick)))
