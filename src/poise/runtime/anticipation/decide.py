"""What the hands do: which obstacle, when, where to, how firmly; one call per tick."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, assign_hands, hermite_hop
from poise.anticipation import _kernels as seeing
from poise.body.coordinates import BodyFrames
from poise.runtime.anticipation import _kernels
from poise.runtime.anticipation.hands import Arms, HandState
from poise.runtime.anticipation.options import AnticipationOptions
from poise.runtime.anticipation.posture import held_hand
from poise.runtime.anticipation.senses import Percept, Senses

__all__ = ["Decisions", "Moment"]

Array = NDArray[np.float64]

_REACH = 0.97
"""Farthest a wrist goes from its shoulder, as a share of the arm."""
_AHEAD = 0.02
"""A hand on what can be moved stays so far before the shoulders [m]: what passes is let go."""
_STAYS = 0.4
"""A hand that touched something stays with it this long [s]."""
_GRASP = 0.95
"""A palm stays where it is put up to this share of the arm from the shoulder."""
_MOST = 6
"""So many of the most urgent obstacles are looked at."""
_PACES = np.array([4.0, 15.0])
_PACES_BALL = np.array([8.0, 15.0])
"""How fast a hand is meant to move [m/s] and to turn [rad/s] at most; and against what flies."""
_APART = 0.12
"""Palms that are about the same thing are no nearer to one another [m]."""
_PRESSED = 0.002
"""How far behind the surface of what cannot be moved a palm is meant to be, so that it rests on it [m]."""
_LEANT = 0.01
"""And of what can be moved, while it is touched [m]."""
_STEADY = {"slide": 2.5, "stick": 5.0}
"""Tension against what cannot be moved, where the hand slides and where it holds on [Hz]."""
_HOP = 0.4
"""Least time from hold to hold [s]."""
_LANDS = (0.6, 0.3)
"""Where a hop lands: ahead of the shoulder and below it, shares of the arm."""
_RETURN = 0.6
"""Time a hand takes back to the clip [s]."""
_JERK, _JERK_BALL = 500.0, 2e4
"""A hand that has time takes so long that its way has no larger jerk [m/s³]; and against what flies."""
_LEAST = 0.25
"""An obstacle is not let go of sooner [s]."""
_FOLLOWS, _FOLLOWS_AT_ONCE = (10.0, 25.0), 60.0
"""How quickly a hand follows its goal, least and most, and against what flies or is fixed [1/s]."""
_STILL = np.zeros(3)


class Moment(NamedTuple):
    """What a decision is made from.

    Args:
        time: Beginning of the tick [s].
        tick: Its length [s].
        before: Kinematic skeleton without anticipation at its beginning (one row).
        after: The same at its end.
        hands: Where both hands were meant to be at the beginning, shape (2, 3).
        faces: Where the chest faces at the end, level, shape (3,).
        touching: For either hand, whether each obstacle is touched by its arm, shape (2, P).
        percept: What is perceived.
    """

    time: float
    tick: float
    before: BodyFrames
    after: BodyFrames
    hands: Array
    faces: Array
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
        self._holds = options.hold * senses.regions.radii
        self._meetings, self._aim, self._goals = np.zeros((_MOST, 9)), np.zeros((3, 3)), np.zeros((2, 7))

    def decide(self, states: list[HandState], moment: Moment) -> tuple[Array, list[tuple[str, int]]]:
        """Bring both hands' states up to date.

        Returns:
            Place and turn of either hand's joint at the end of the tick, shape (2, 7), and what is worth telling, as kind
            and hand. Of hands that are not busy the goal says nothing.
        """
        told: list[tuple[str, int]] = []
        self._together = states[0].obstacle == states[1].obstacle != NOTHING
        self._roots = moment.after.positions[0, self._shoulders]
        chosen = self._choose(states, moment) if moment.percept.urgent else (NOTHING, NOTHING)
        for hand, state in enumerate(states):
            told += [(kind, hand) for kind in self._take(state, chosen[hand], hand, moment)]
        if any(state.busy for state in states):
            self.arms.trunk.place(moment.after)
        for hand, state in enumerate(states):
            if state.busy:
                told += [(kind, hand) for kind in self._progress(state, hand, moment)]
            if state.busy:
                self._lead(state, hand, moment)
        return self._goals, told

    def _near(self, percept: Percept) -> tuple[object, ...]:
        """What kernels aim by."""
        senses = self.senses
        return (
            tuple(percept.nearest),
            percept.spots,
            percept.velocities,
            self._holds,
            senses.raised,
            senses.flies,
            senses.fixed,
            self._roots,
        )

    def _choose(self, states: list[HandState], moment: Moment) -> tuple[int, int]:
        percept, table = moment.percept, self._meetings
        count = seeing.find_meetings(
            *self._near(percept),
            moment.hands,
            self.arms.lengths,
            percept.faces,
            percept.threats.urgency,
            percept.threats.spot,
            np.array([state.obstacle for state in states]),
            table,
        )
        if count == 0:
            return NOTHING, NOTHING
        found = table[:count]
        which = found[:, 0].astype(np.int64)
        current = np.array([_index(which, state.obstacle) for state in states])
        masses, heaviest = self.senses.masses, self.options.heaviest
        left, right = assign_hands(
            percept.threats.urgency[which],
            found[:, 1:9:4],
            found[:, 3:9:4] > 0.0,
            found[:, 4:9:4] > 0.0,
            current,
            lambda n: self.options.rules.both_hands(found[n, 2], found[n, 6], float(masses[which[n]]), heaviest),
        )
        return (NOTHING if left < 0 else int(which[left])), (NOTHING if right < 0 else int(which[right]))

    def _take(self, state: HandState, chosen: int, hand: int, moment: Moment) -> list[str]:
        """Turn to what was chosen, or away from what there was."""
        if chosen == state.obstacle or (chosen == NOTHING and moment.time - state.touched < _STAYS):
            return []
        keeps = state.obstacle != NOTHING and moment.time - state.since < _LEAST
        if keeps or (chosen == NOTHING and state.phase in ("idle", "return")):
            return []
        if chosen == NOTHING:
            _begin(state, "return", _RETURN, moment)
            state.obstacle, state.touched = NOTHING, float("nan")
            return ["release"]
        percept, spot = moment.percept, int(moment.percept.threats.spot[chosen])
        bounds = self.senses.bounds[spot][chosen]
        state.obstacle, state.spot, state.touched = chosen, spot, float("nan")
        state.reaction = self.options.rules.reaction_time(
            float(percept.nearest.distance[spot, chosen]),
            float(self.senses.regions.radii[spot]),
            float(percept.threats.closing[chosen]),
            bounds,
        )
        if self.options.adapt:
            mass = float(self.senses.masses[chosen])
            steady = (
                _STEADY[self.options.contact]
                if np.isinf(mass)
                else self.options.rules.tension(mass, self.options.heaviest, bounds)
            )
            state.tension = steady
        way = float(np.linalg.norm(self._surface(state, hand, moment)[0] - moment.hands[hand]))
        calm = (60.0 * way / (_JERK_BALL if self.senses.flies[chosen] else _JERK)) ** (1.0 / 3.0)
        needed = float(percept.threats.urgency[chosen])
        _begin(state, "reach", max(state.reaction, min(calm, needed)), moment)
        return ["reach"]

    def _progress(self, state: HandState, hand: int, moment: Moment) -> list[str]:
        """Go on to the next phase where this one is over."""
        time, told = moment.time, list[str]()
        done = time >= state.until
        if state.phase == "return":
            if done and state.pole == 0.0:
                state.phase = "idle"
            return []
        touching = bool(moment.touching[hand, state.obstacle])
        if touching and np.isnan(state.touched):
            state.touched = time
            told.append("contact")
        if state.phase == "reach" and (touching or done):
            state.phase, state.since = self.options.contact, time
            state.stuck, state.held = self._surface(state, hand, moment)[0], np.full(4, np.nan)
        elif state.phase == "replant" and done:
            state.phase = "stick"
        elif state.phase == "stick" and not self._within(state.stuck, hand, moment):
            duration = max(state.reaction, _HOP)
            stuck, normal = self._landing(state, hand, duration, moment)
            state.normals = np.stack([state.normals[1] if state.normals[1].any() else normal, normal])
            state.stuck, state.held = stuck, np.full(4, np.nan)
            _begin(state, "replant", duration, moment)
            told.append("replant")
        return told

    def _landing(self, state: HandState, hand: int, duration: float, moment: Moment) -> tuple[Array, Array]:
        """Where a hand that hops lands, as far ahead of its shoulder by then as it holds on well, and the normal there."""
        senses, size = self.senses, self.arms.lengths[hand]
        drift = (moment.after.positions[0] - moment.before.positions[0])[self._shoulders[hand]] / moment.tick
        spot = self._roots[hand] + duration * drift + size * _LANDS[0] * moment.faces
        spot[2] -= size * _LANDS[1]
        found = senses.surroundings.nearest(spot[None], np.array([1.6 * size]))
        if not np.isfinite(found.distance[0, state.obstacle]):
            return self._surface(state, hand, moment)
        normal = found.normal[0, state.obstacle].copy()
        return found.point[0, state.obstacle] - _PRESSED * normal, normal

    def _within(self, point: Array, hand: int, moment: Moment) -> bool:
        away = point - self._roots[hand]
        length = float(np.linalg.norm(away))
        return length < _GRASP * self.arms.lengths[hand] and float(away @ moment.percept.faces) > -0.35 * length

    def _surface(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array]:
        """Where a hand meets what it is about, and the surface's normal there."""
        apart = None
        if self._together:
            apart = self._aimed(state, 1 - hand, moment)[0].copy()
        aim = self._aimed(state, hand, moment)
        point, normal = aim[0].copy(), aim[1].copy()
        if self.senses.fixed[state.obstacle]:
            point -= _PRESSED * normal
        elif moment.touching[hand, state.obstacle]:
            point -= _LEANT * normal
        if apart is not None:
            left, side = np.array([-moment.faces[1], moment.faces[0], 0.0]), 1.0 if hand == 0 else -1.0
            point += side * 0.5 * max(_APART - side * float((point - apart) @ left), 0.0) * left
        return point, normal

    def _aimed(self, state: HandState, hand: int, moment: Moment) -> Array:
        """Point, normal and drift of where a hand would meet what `state` is about, shape (3, 3); overwritten."""
        seeing.aim_hand(*self._near(moment.percept), hand, state.obstacle, state.spot, self._aim)
        return self._aim

    def _lead(self, state: HandState, hand: int, moment: Moment) -> None:
        """Write where the hand's joint shall be at the end of the tick."""
        flies = state.obstacle != NOTHING and bool(self.senses.flies[state.obstacle])
        stays_put = state.obstacle == NOTHING or bool(self.senses.fixed[state.obstacle])
        clip = self._hands[hand]
        hop, rate, palm = _STILL, _STILL, _STILL
        stays = state.phase in ("stick", "replant")
        if state.phase == "return":
            point, turn = moment.after.positions[0, clip], moment.after.rotations[0, clip]
            rate = self._clip_rate(hand, moment)
        else:
            point, turn = self._contact(state, hand, moment)
            palm = self.arms.palms[hand].middle
            rate = self._aim[2] if not stays else _STILL
            if state.phase == "replant":
                begun = moment.time if state.begins else state.since
                share = (moment.time + moment.tick - begun) / (state.until - begun)
                hop = hermite_hop(share, self.options.hop, *state.normals)
        least, most = _FOLLOWS
        trunk = self.arms.trunk
        _kernels.lead_hand(
            self.arms.tracks[hand],
            point,
            turn,
            palm,
            rate,
            hop,
            self._roots,
            moment.faces,
            hand,
            _REACH * self.arms.lengths[hand],
            -np.inf if stays_put else _AHEAD,
            state.begins,
            state.phase == "return",
            _FOLLOWS_AT_ONCE if flies or stays_put else min(max(6.0 / max(state.reaction, 1e-3), least), most),
            _PACES_BALL if flies else _PACES,
            moment.time + moment.tick,
            moment.tick,
            (trunk.starts, trunk.ends, trunk.wanted, self.arms.palms[hand].tip, self._clips(clip, moment), state.ease),
            self._goals[hand],
        )
        state.begins = 0.0

    def _clips(self, hand: int, moment: Moment) -> Array:
        """Place and turn of a hand in the clip, shape (7,)."""
        return np.concatenate([moment.after.positions[0, hand], moment.after.rotations[0, hand]])

    def _clip_rate(self, hand: int, moment: Moment) -> Array:
        """How the clip's hand moves in the frame of the body [m/s], shape (3,)."""
        rate = np.empty(3)
        _kernels.rate_in_body(
            moment.before.positions[0],
            moment.after.positions[0],
            self._shoulders,
            self._hands[hand],
            moment.percept.faces,
            moment.faces,
            moment.tick,
            rate,
        )
        return rate

    def _contact(self, state: HandState, hand: int, moment: Moment) -> tuple[Array, Array]:
        """Where the palm shall be at the end of the tick, and how the hand is turned."""
        point, normal = self._surface(state, hand, moment)
        stays = state.phase in ("stick", "replant")
        if stays:
            near = moment.percept.nearest.velocity
            state.stuck = state.stuck + moment.tick * near[len(near) - 2 + hand, state.obstacle]
            point = state.stuck
            if np.isfinite(state.held[0]):
                return point, state.held
        palm = self.arms.palms[hand]
        leant, fingers = held_hand(point, normal, self._roots[hand], moment.faces, stays=stays)
        turn = self.options.rules.palm_turn(leant, fingers, palm.out, palm.along)
        if stays:
            state.held = turn.copy()
        return point, turn


def _index(which: NDArray[np.int64], obstacle: int) -> int:
    found = np.flatnonzero(which == obstacle)
    return int(found[0]) if len(found) else NOTHING


def _begin(state: HandState, phase: str, duration: float, moment: Moment) -> None:
    """Start a phase whose glide leads from where the hand is to its goal."""
    state.phase, state.since = phase, moment.time
    state.until, state.begins = moment.time + duration, duration
