"""What the hands do: which obstacle, when, where to, how firmly; one call per tick."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, Glide, assign_hands, hermite_hop, hold_off, meeting_point
from poise.body.coordinates import BodyFrames
from poise.math import quat
from poise.runtime.anticipation.hands import SIDES, Arms, HandState
from poise.runtime.anticipation.options import AnticipationOptions
from poise.runtime.anticipation.senses import Percept, Senses

__all__ = ["Decisions", "Moment"]

Array = NDArray[np.float64]

_REACH = 0.97
"""Farthest a wrist goes from its shoulder, as a share of the arm."""
_REACHABLE = 1.25
"""An obstacle is worth a hand up to this share of the arm away from its shoulder, when it gets there."""
_ASIDE = 0.1
"""What is farther to the other side of the chest than this is across [m]."""
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
        count = len(urgency)
        ways, across = np.full((2, count), np.inf), np.zeros((2, count), dtype=bool)
        reachable = np.zeros((2, count), dtype=bool)
        left = np.array([-percept.faces[1], percept.faces[0], 0.0])
        for which in urgent:
            point = self._meeting(int(which), int(percept.threats.spot[which]), self._lead(int(which), moment), moment)
            for hand in range(2):
                shoulder = moment.before.positions[0, self._shoulders[hand]]
                away = point - shoulder
                ways[hand, which] = np.linalg.norm(point - moment.hands[0][hand])
                across[hand, which] = float(away @ left) * (1.0 if hand == 0 else -1.0) < -_ASIDE
                behind = float(away @ percept.faces) < -0.3 * float(np.linalg.norm(away))
                reachable[hand, which] = np.linalg.norm(away) < _REACHABLE * self.arms.lengths[hand] and not behind
        masses, heaviest = self.senses.masses, self.options.heaviest
        return assign_hands(
            urgency,
            ways,
            across,
            reachable,
            (states[0].obstacle, states[1].obstacle),
            lambda which: self.options.rules.both_hands(
                float(ways[0, which]), float(ways[1, which]), float(masses[which]), heaviest
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
        if chosen == state.obstacle:
            return []
        keeps = state.obstacle != NOTHING and moment.time - state.since < _LEAST
        if keeps or (chosen == NOTHING and state.phase in ("idle", "return")):
            return []
        if chosen == NOTHING:
            self._begin(state, "return", _RETURN, hand, moment)
            state.obstacle, state.touched, state.felt = NOTHING, float("nan"), float("nan")
            return ["release"]
        percept, spot = moment.percept, int(moment.percept.threats.spot[chosen])
        bounds = self.senses.bounds[spot][chosen]
        state.obstacle, state.spot, state.touched, state.felt = chosen, spot, float("nan"), float("nan")
        state.reaction = self.options.rules.reaction_time(
            float(percept.nearest.distance[spot, chosen]),
            float(self.senses.spots.radii[spot]),
            float(percept.threats.closing[chosen]),
            bounds,
        )
        if self.options.adapt:
            mass = float(self.senses.masses[chosen])
            state.tension = self.options.rules.tension(mass, self.options.heaviest, bounds)
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
        shoulder = moment.after.positions[0, self._shoulders[hand]]
        away = point - shoulder
        length = float(np.linalg.norm(away))
        behind = float(away @ moment.percept.faces) < -0.45 * length
        return length < _REACH * self.arms.lengths[hand] and not behind

    def _surface(self, state: HandState, moment: Moment) -> tuple[Array, Array, Array]:
        """Closest point of what a hand is about at the end of the tick, normal and velocity there."""
        nearest = moment.percept.nearest
        at = (state.spot, state.obstacle)
        if not np.isfinite(nearest.distance[at]):
            return state.goal, np.array([-1.0, 0.0, 0.0]), np.zeros(3)
        return nearest.point[at] + moment.tick * nearest.velocity[at], nearest.normal[at], nearest.velocity[at]

    def _goal(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array, Array]:
        """Wrist and turn of the hand's goal at the end of the tick, and how fast the goal moves."""
        body = self._hands[hand]
        if state.phase == "return":
            place, turn = moment.after.positions[0, body], moment.after.rotations[0, body]
            return place, turn, (place - moment.before.positions[0, body]) / moment.tick
        percept = moment.percept
        centre = percept.spots[state.spot] + moment.tick * percept.velocities[state.spot]
        hold = self.options.hold * float(self.senses.spots.radii[state.spot])
        point, normal, speed = self._surface(state, moment)
        if state.phase == "reach":
            left = max(state.since + state.reaction - moment.time, 0.0)
            point = (
                self._meeting(state.obstacle, state.spot, left, moment) + moment.tick * percept.velocities[state.spot]
            )
            speed = percept.velocities[state.spot]
        elif state.phase in ("stick", "replant"):
            state.stuck = state.stuck + moment.tick * speed
            point = state.stuck
        point = hold_off(point, centre, hold)
        palm = self.arms.palms[hand]
        turn = self.options.rules.palm_turn(normal, self.arms.forearm(moment.after, hand), palm.out, palm.along)
        return self._near(palm.wrist(point, turn), hand, moment), turn, speed

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
        return place + left[:3], quat.mul(turn, quat.exp(left[3:]))


def side_of(hand: int) -> str:
    """Name of a hand's side."""
    return SIDES[hand]
