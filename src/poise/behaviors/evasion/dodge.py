"""Getting out of the way of what cannot be stopped, and where hands go where that does not help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.evasion import Evasion, least_effort
from poise.behaviors.evasion import _kernels
from poise.behaviors.evasion.bending import Bending
from poise.behaviors.evasion.candidates import Candidates, candidates, on_chosen_way
from poise.behaviors.perception.senses import Percept
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.signals import Surroundings

__all__ = ["Dodge", "DodgeState", "Shield"]

Array = NDArray[np.float64]

_SAMPLES = 15
"""Places along the way of what comes that are looked at."""


class Shield(NamedTuple):
    """Where a hand goes to guard the face.

    Args:
        hand: 0 for the left, 1 for the right.
        palm: Place of the palm in the world at the end of the tick [m], shape (3,).
        normal: Out of the palm, shape (3,).
    """

    hand: int
    palm: Array
    normal: Array


@dataclass
class DodgeState:
    """What a dodge remembers.

    Args:
        at: What is dodged, `NOTHING` for none.
        until: How long [s].
        goal: How far to bend about forward, left and up [rad], shape (3,).
        shift: Where the pelvis goes beside its motion, level and up [m], shape (3,).
        arrives: When it is to be there [s].
        own: The body's own speed over a while [m/s], shape (3,).
        first: Whether nothing was seen yet.
        exposed: Whether the head is in the way of what is dodged.
    """

    at: int
    until: float
    goal: Array
    shift: Array
    arrives: float
    own: Array
    first: bool
    exposed: bool


class _Coming(NamedTuple):
    """What comes.

    Args:
        which: Which obstacle.
        relative: How fast it goes as seen from the body [m/s], shape (3,).
        soon: In what time it is there [s].
        row: The motion's pose now, shape (nq,).
        away: How far the pelvis is beside the motion on purpose [m], shape (3,).
    """

    which: int
    relative: Array
    soon: float
    row: Array
    away: Array


class _Way(NamedTuple):
    """One way out.

    Args:
        bend: How the trunk bends, shape (3,).
        shift: Where legs carry the pelvis [m], shape (3,).
        effort: How much trouble that is.
        clear: How far what comes passes the head then [m].
        unless: How far it passes where nothing, or no more than now, is done [m].
        head: Where the head is then [m], shape (3,).
    """

    bend: Array
    shift: Array
    effort: float
    clear: float
    unless: float
    head: Array


class Dodge:
    """Decides where trunk and neck of one character bend to, and where its legs carry it.

    Args:
        plan: Its body.
        surroundings: What stands around.
        evasion: How it evades.
        heaviest: The heaviest thing its hands handle [kg].
        masses: Of the obstacles, as they seem [kg], shape (P,).
        tick: Length of a tick [s].

    Attributes:
        shields: Where hands go before the face in this tick.
    """

    def __init__(
        self,
        plan: BodyPlan,
        surroundings: Surroundings,
        evasion: Evasion,
        heaviest: float,
        masses: Array,
        tick: float,
    ) -> None:
        self._tick, self._share = tick, min(tick / evasion.dodging.own, 1.0)
        self.state = DodgeState(NOTHING, -np.inf, np.zeros(3), np.zeros(3), 0.0, np.zeros(3), True, False)
        self._which, self._speeds = np.zeros(len(masses), dtype=np.int64), np.zeros(len(masses))
        self._plan, self._bending = plan, Bending(plan, evasion.dodging.spine)
        self._surroundings, self._evasion, self._dodging = surroundings, evasion, evasion.dodging
        self._heaviest, self._masses = heaviest, masses.tolist()
        head, shoulders = plan.with_role("head"), plan.with_role("left_upper_arm", "right_upper_arm")
        chest = max(plan.with_role("spine"), default=0)
        self._bodies = np.array([*head[:1], chest, *shoulders], dtype=np.int64)
        shapes = [next(iter(plan.colliders[body]), None) for body in self._bodies]
        self._centres = np.array([np.zeros(3) if shape is None else shape.position for shape in shapes])
        self._radii = np.array([0.1 if shape is None else float(shape.size[0]) for shape in shapes])
        self._works = bool(head) and max(evasion.bend, evasion.duck, evasion.sidestep) > 0.0
        self.shields: tuple[Shield, ...] = ()

    def act(self, begin: float, rows: Array, percept: Percept, away: Array | None) -> list[tuple[str, int]]:
        """Bring goal and shields up to date.

        Args:
            begin: Time at the beginning of the tick [s].
            rows: Generalized positions at the end of each substep, as the motion has them, shape (n, nq).
            percept: What is perceived.
            away: How far the pelvis is beside its motion on purpose, level and up [m], shape (3,); None where legs do not
                carry it anywhere.

        Returns:
            What is worth telling: kind and obstacle.
        """
        self.shields = ()
        if not self._works:
            return []
        which = self._coming(rows, percept)
        happened = self._give_way(which, begin, rows[-1], percept, away) if which != NOTHING else []
        if self.state.at != NOTHING and begin >= self.state.until:
            self.state.at, self.state.goal, self.state.shift = NOTHING, np.zeros(3), np.zeros(3)
        return happened

    def _coming(self, rows: Array, percept: Percept) -> int:
        """The most urgent thing that comes and cannot be stopped."""
        urgency, spots = percept.threats.urgency, percept.threats.spot
        share, self.state.first = 1.0 if self.state.first else self._share, False
        span = self._tick * max(len(rows) - 1, 1) / len(rows)
        velocity, out = percept.nearest.velocity, (self._which, self._speeds)
        best, evasion = NOTHING, self._evasion
        count = _kernels.coming(rows, span, share, self.state.own, (urgency, spots), velocity, evasion.still, out)
        for which, speed in zip(self._which[:count].tolist(), self._speeds[:count].tolist(), strict=True):
            if evasion.evades(self._masses[which], speed, self._heaviest, evasion.momentum):
                best = which if best == NOTHING or urgency[which] < urgency[best] else best
        return best

    def _give_way(
        self, which: int, begin: float, row: Array, percept: Percept, away: Array | None
    ) -> list[tuple[str, int]]:
        relative = percept.nearest.velocity[percept.threats.spot[which], which] - self.state.own
        speed = float(np.linalg.norm(relative))
        spot = percept.nearest.point[percept.threats.spot[which], which]
        soon = -float((spot - self._middle(row)) @ relative) / speed**2
        if soon < -0.1 or soon - self._radii[0] / speed > self._dodging.lead:
            return []
        coming = _Coming(which, relative, soon, row, np.zeros(3) if away is None else away)
        best, anew = self._choose(coming, percept.faces, 0.0 if away is None else self._plan.size)
        if best.effort == 0.0 and self.state.at != which:
            return []
        surprised = self.state.at != which and soon < self._dodging.sudden and best.unless < self._dodging.margin
        self.state.exposed = self.state.at == which and self.state.exposed
        self.state.exposed |= soon > self._dodging.late and bool(surprised or best.clear < 0.0)
        if self.state.exposed and self._evasion.shield:
            self.shields = self._before_face(best.head, relative / speed)
        self.state.until = begin + max(soon, 0.0) + self._dodging.hold
        happened = [("dodge", which)] if self.state.at != which else []
        if anew or best.effort > self._effort():
            self.state.at, self.state.goal, self.state.shift = which, best.bend, best.shift
            self.state.arrives = begin + max(soon, 0.0)
        return happened

    def _effort(self) -> float:
        return float(Candidates(self.state.goal[None], self.state.shift[None]).efforts(self._dodging.trouble)[0])

    def _middle(self, row: Array) -> Array:
        """Middle of the head in a pose [m], shape (3,)."""
        frames, head = body_frames(self._plan, row), self._bodies[0]
        return np.asarray(frames.positions[0, head] + quat.rotate(frames.rotations[0, head], self._centres[0]))

    def _choose(self, coming: _Coming, faces: Array, size: float) -> tuple[_Way, bool]:
        """What to do, and whether that is another way than before: more or less of what is done, while that spares the head."""
        dodging, state = self._dodging, self.state
        if state.at != coming.which or not (state.goal.any() or state.shift.any()):
            return self._best(self._ways(coming, faces, size), coming), state.at != coming.which
        same = self._best(on_chosen_way(state.goal, state.shift, self._evasion, self._plan.size), coming)
        if same.clear < dodging.margin and coming.soon > dodging.late:
            other = self._best(self._ways(coming, faces, size), coming)
            if other.clear >= dodging.margin:
                return other, True
        return same, False

    def _best(self, ways: Candidates, coming: _Coming) -> _Way:
        """The best of some ways."""
        parts = self._parts(coming.row, ways, coming.away)
        clear = self._clearances(parts, coming.relative, coming.soon, coming.which)
        efforts = ways.efforts(self._dodging.trouble)
        best = least_effort(efforts, clear, self._dodging.margin, steps=bool(ways.shifts[:, :2].any()))
        return _Way(
            ways.bends[best],
            ways.shifts[best],
            float(efforts[best]),
            float(clear[best, 0]),
            float(clear[0, 0]),
            parts[best, 0],
        )

    def _ways(self, coming: _Coming, faces: Array, size: float) -> Candidates:
        """What may be done."""
        across = np.array([-coming.relative[1], coming.relative[0], 0.0])
        if np.linalg.norm(across) < 0.3 * np.linalg.norm(coming.relative):
            across = np.array([-faces[1], faces[0], 0.0])
        return candidates(across, faces, self._evasion, size, coming.soon)

    def _parts(self, row: Array, ways: Candidates, away: Array) -> Array:
        """Middles of head, chest and shoulders with each way out [m], shape (C, k, 3)."""
        rows = np.repeat(row[None], len(ways.bends), axis=0)
        rows[:, :3] += ways.shifts
        rows[:, :2] -= away[:2]  # other behaviors are shown where the body is, but its height as the motion has it
        self._bending.bend(rows, ways.bends[:, None])
        frames = body_frames(self._plan, rows)
        turned = quat.rotate(frames.rotations[:, self._bodies], self._centres)
        return np.asarray(frames.positions[:, self._bodies] + turned)

    def _clearances(self, parts: Array, relative: Array, soon: float, which: int) -> Array:
        """How far what comes passes each part with each bend by [m], shape (C, k): it is taken to go straight on."""
        around = 0.5 / float(np.linalg.norm(relative))
        times = np.linspace(max(soon - around, 0.0), max(soon, 0.0) + around, _SAMPLES)
        spots = parts[:, :, None] - times[:, None] * relative
        flat = spots.reshape(-1, 3)
        distance = self._surroundings.nearest(flat, np.ones(len(flat))).distance[:, which]
        least = np.minimum(distance, 1.0).reshape(spots.shape[:3]).min(axis=2)
        return np.asarray(least - self._radii)

    def _before_face(self, head: Array, course: Array) -> tuple[Shield, ...]:
        """Both palms between the face and what comes."""
        left = np.cross([0.0, 0.0, 1.0], -course)
        left = left / max(float(np.linalg.norm(left)), 1e-9)
        before = head - (self._radii[0] + self._dodging.before) * course
        return tuple(
            Shield(hand, before + side * self._dodging.aside * left, -course) for hand, side in enumerate((1.0, -1.0))
        )
