"""Legs that give way to what they meet: a leg that is hit is moved by its muscles until it is back where it is led."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.behaviors.root import _kernels
from poise.behaviors.root.leg_contacts import LegContacts
from poise.behaviors.root.legs import Legs
from poise.behaviors.root.strength import moments
from poise.body.layout import spin_columns, turn_columns
from poise.control.root import Yielding
from poise.control.tension import Tension
from poise.math import quat
from poise.signals import Mode
from poise.world.command import Command, LeadLimbs, Soften

__all__ = ["YieldState", "YieldingLegs"]

Array = NDArray[np.float64]


@dataclass
class YieldState:
    """What two legs remember from tick to tick.

    Args:
        yields: Whether each is moved by its muscles, shape (2,).
        strays: Whether each has been off its way since then, shape (2,).
        met: When each met something last [s], shape (2,).
        back: When its return began [s], shape (2,).
        away: How far the legs' joints were from where they are led then, rotation vectors [rad], shape (n, 3).
        speed: How fast that changed [rad/s], shape (n, 3).
        ways: Where they were led to in the last substep and how fast, shape (n, 7).
    """

    away: Array
    speed: Array
    ways: Array
    yields: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(2, dtype=bool))
    strays: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(2, dtype=bool))
    met: Array = field(default_factory=lambda: np.full(2, -np.inf))
    back: Array = field(default_factory=lambda: np.full(2, -np.inf))

    @classmethod
    def at_rest(cls) -> YieldState:
        """Of nobody's legs."""
        return cls(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 7)))


class YieldingLegs:
    """The legs of one character.

    A leg in the air that something heavy or flying comes near is let go, any leg that is pressed harder than it would bear, and
    any that comes near to somebody else or to what is fixed. Its joints then have the inertia of what hangs on them as that of
    a rotor, and are pulled to where they are led as far as the tension of their muscles and their strength allow; what presses
    them they hand on to the pelvis. A foot that comes down stops where it is.

    Args:
        reference: Whose they are.
        legs: How they are led.
        contacts: What they meet.
        weighs: How much the body weighs [N]; factor on the mass of each of its parts while legs are led, shape (B,).
        yielding: When they give way.
    """

    def __init__(
        self, reference: Reference, legs: Legs, contacts: LegContacts, weighs: tuple[float, Array], yielding: Yielding
    ) -> None:
        weight, self._shares = weighs
        self._legs, self._contacts, self._yielding = legs, contacts, yielding
        self._name, self._inertias = reference.name, reference.inertias[legs.bodies - 1]
        self._parts = [np.isin(legs.bodies, reference.plan.subtree(int(hip))) for hip in legs.hips]
        self._muscles, self._h = legs.bodies - 1, reference.tick / len(reference.rows)
        self._firm = [
            np.column_stack(Tension(frequency=least).gains(self._inertias))
            for least in (yielding.stands, yielding.steps)
        ]
        """Least stiffness and damping of legs that stand, and that are in the air, shape (n, 2) each."""
        self._needs: Array | None = None
        self._roomy = yielding.roomy
        self._holds, self._swings = yielding.holds * weight, yielding.swings * weight
        self._spins, self._turns = spin_columns(legs.bodies).reshape(-1, 3), turn_columns(legs.bodies).reshape(-1, 4)
        self.state = YieldState(np.zeros((len(legs.bodies), 3)), np.zeros((len(legs.bodies), 3)), legs.ways)

    def commands(self, flesh: NDArray[np.int64], sunk: NDArray[np.int64]) -> list[Command]:
        """What makes them what they are: those that yield obey physics, those that stray are stopped by the ground.

        The ground lets the others through: the toes of many a clip would catch in it.

        Args:
            flesh: Bodies that touch as flesh does.
            sunk: Those that the clip has in the ground.
        """
        state, bodies, rotors = self.state, self._legs.bodies, np.zeros(len(self._shares))
        loose = self._of(state.yields)
        rotors[bodies[loose]] = self._inertias[loose]
        lets_through = np.union1d(sunk, bodies[self._of(state.yields & ~state.strays)])
        return [
            Soften(self._name, flesh, lets_through),
            LeadLimbs(self._name, bodies[~loose], self._shares, rotors),
        ]

    @property
    def led_geoms(self) -> NDArray[np.bool_]:
        """Which geoms are of legs that do not yield, shape (geoms,)."""
        return np.asarray((self._contacts.geoms & ~self.state.yields[:, None]).any(axis=0))

    def rests(self, now: float) -> bool:
        """Whether both are led and where they are led."""
        state = self.state
        return not state.yields.any() and bool((now - state.back >= self._yielding.returns).all())

    def _of(self, legs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the legs' bodies are of some legs (2,), shape (n,)."""
        found = np.zeros(len(self._legs.bodies), dtype=bool)
        for leg in np.flatnonzero(legs):
            found |= self._parts[leg]
        return found

    def _off(self, here: Array) -> NDArray[np.bool_]:
        """Whether any joint of each leg is off its way by more than one that may be led, shape (2,)."""
        turns = quat.angle_between(here[self._turns], self.state.ways[:, :4])
        return np.array([turns[part].max() > self._yielding.turned for part in self._parts])

    def astray(self, now: float, stands: NDArray[np.bool_], lands: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Which feet stand where they are, and not where they were sent: those that come down, or were pushed away.

        Args:
            now: [s].
            stands: Whether each stands, shape (2,).
            lands: Whether it has just come down, shape (2,).
        """
        return np.flatnonzero(self.state.yields & stands & (lands | self._calm(now)))

    def stops_at(self, foot: int) -> Array:
        """Where a foot comes to rest whose sole brakes it, seen from above [m], shape (2,)."""
        place, speed = self._contacts.foot(foot)
        return np.asarray((place + self._yielding.stops * speed)[:2])

    def _calm(self, now: float) -> NDArray[np.bool_]:
        """Whether each leg met nothing for a while."""
        return np.asarray(now - self.state.met > self._yielding.calm)

    def forget(self, wanted: Contribution) -> bool:
        """Nobody's way is theirs to give from now on; whether any of them gave way."""
        loose = bool(self.state.yields.any())
        if loose:
            self.state.yields[:] = False
            self._hand_over(wanted)
        self.state.strays[:], self.state.met[:], self.state.back[:] = False, -np.inf, -np.inf
        return loose

    def act(self, wanted: Contribution, here: Array, speeds: Array, clip: Array, aloft: NDArray[np.bool_]) -> bool:
        """Let go of legs, or lead them again.

        Args:
            wanted: What this tick shall be.
            here: Generalized positions, shape (nq,).
            speeds: Generalized velocities, shape (nv,).
            clip: The clip's pose at the end of the first substep, shape (nq,).
            aloft: Which feet are in the air, shape (2,).

        Returns:
            Whether other legs yield, or stray, than before.
        """
        state, now = self.state, wanted.reference.time
        before = state.yields.copy()
        if not (before.any() or (self._yielding.legs and self._contacts.matter())):
            self._come_back(now)
            return False
        pressed = self._contacts.pressed(wanted.reference.tick)
        things, firm = self._contacts.near()
        met = (pressed > 0.0) | firm | (aloft & things)
        state.met[met] = now
        lets_go = ~before & (firm | (aloft & things) | (pressed > np.where(aloft, self._swings, self._holds)))
        for leg in np.flatnonzero(lets_go):
            part = self._parts[leg]
            state.ways[part, :4], state.ways[part, 4:] = here[self._turns[part]], speeds[self._spins[part]]
        if before.any():
            bears = ~aloft & ~firm & (pressed < self._swings)
            self._lead_again(bears | self._calm(now), now, (here, speeds, clip))
        state.yields |= lets_go
        strays = state.yields & state.strays
        if before.any():
            strays |= state.yields & before & self._off(here)
        changed = bool(((state.yields != before) | (state.strays != strays)).any())
        state.strays[:] = strays
        if changed:
            self._hand_over(wanted)
        if state.yields.any() or np.count_nonzero(self._legs.strengths):
            self._pull(wanted, aloft)
        self._come_back(now)
        return changed

    def _lead_again(self, free: NDArray[np.bool_], now: float, moving: tuple[Array, Array, Array]) -> None:
        """Lead legs that are free to be led once they are nearly where they would be; see `act` for how they move."""
        state, yielding, (here, speeds, clip) = self.state, self._yielding, moving
        free &= state.yields
        if not free.any():
            return
        turns = self._legs.beyond(onward(here, speeds, self._h), clip)
        spins = speeds[self._spins] - state.ways[:, 4:]
        for leg in np.flatnonzero(free):
            part = self._parts[leg]
            near = np.abs(turns[part]).max() < yielding.turned and np.abs(spins[part]).max() < yielding.spins
            if near or now - state.met[leg] > yielding.most:
                state.yields[leg], state.back[leg] = False, now + self._h
                state.away[part], state.speed[part] = turns[part], spins[part]

    def _hand_over(self, wanted: Contribution) -> None:
        """Who moves them from now on."""
        loose, bodies = self._of(self.state.yields), self._legs.bodies
        modes = wanted.edit_modes()
        theirs = np.isin(modes[bodies], (int(Mode.MOTION), int(Mode.PASSIVE)))
        modes[bodies[theirs]] = np.where(loose, int(Mode.PASSIVE), int(Mode.MOTION))[theirs]

    def _pull(self, wanted: Contribution, aloft: NDArray[np.bool_]) -> None:
        """How hard muscles of legs that yield pull: the ground holds one that stands, and one that swings is no ram."""
        reference, muscles, strengths = wanted.reference, self._muscles, self._legs.strengths
        if not self.state.yields.any():
            strengths[:] = 0.0
            return
        strengths[:, 0] = np.where(self._of(self.state.yields), self._inertias, 0.0)
        strengths[:, 1], strengths[:, 2] = reference.stiffness[muscles], reference.damping[muscles]
        strengths[:, 3] = reference.strengths[self._legs.bodies]
        strengths[:, 5] = self._yielding.apart
        strengths[:, 4] = np.maximum(self._own_needs(reference), strengths[:, 3])
        for leg in np.flatnonzero(self.state.yields):
            part = self._parts[leg]
            strengths[part, 1:3] = np.maximum(strengths[part, 1:3], self._firm[int(aloft[leg])][part])
            if aloft[leg]:
                strengths[part, 3] *= self._yielding.presses

    def _own_needs(self, reference: Reference) -> Array:
        """The torque that the clip's own motion takes of each joint at most, and some more [N m], shape (n,)."""
        if self._needs is None:
            peak = np.zeros(len(self._inertias))
            for moment in moments(reference):
                np.maximum(peak, np.linalg.norm(moment.accelerations[self._spins], axis=1), out=peak)
            self._needs = self._roomy * peak * self._inertias
        return self._needs

    def _come_back(self, now: float) -> None:
        """What is left between legs that are led again and where they are led gets less."""
        lasts, state = self._yielding.returns, self.state
        for leg, back in enumerate(state.back.tolist()):
            if now - back >= lasts:
                continue
            rows = np.flatnonzero(self._parts[leg])
            times = now - state.back[leg] + self._h * np.arange(1.0, len(self._legs.beside) + 1)
            _kernels.add_rest(self._legs.beside, rows, state.away, state.speed, times, lasts)


def onward(row: Array, speeds: Array, lasts: float) -> Array:
    """A pose (nq,) that has moved on for a time [s] as it does, at generalized velocities (nv,), shape (nq,)."""
    moved = row.copy()
    moved[:3] += lasts * speeds[:3]
    moved[3:] = quat.mul(row[3:].reshape(-1, 4), quat.exp(lasts * speeds[3:].reshape(-1, 3))).ravel()
    return moved
