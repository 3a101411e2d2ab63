"""A session's ticks beside the bare physics steps they contain.

A session is played once and what each tick gave to the world is kept: its drive and its effort. Then, several times in
turn, the session plays the ticks again from the same saved state, whole, with recording; and a plain loop plays the same
rows of generalized forces and the same controls with one `mj_step` per substep and nothing else. Both pass through the same
states to the bit (a test compares the last), so the quotient of their times is what the tick costs over its physics. The
time of a tick, whole and bare, is processor time, the least over the repetitions: whatever else the machine does makes it
longer only.
"""

from __future__ import annotations

from time import process_time
from typing import NamedTuple

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.runtime.session import Session
from poise.runtime.state import Checkpoint
from poise.signals import Effort

__all__ = ["Comparison", "Tape", "compare", "play_bare", "play_session", "record"]

Array = NDArray[np.float64]


class Tape(NamedTuple):
    """What each tick gave to the world: drive positions (ticks, n, nq) and efforts; and the state it started from."""

    start: Checkpoint
    drives: list[Array]
    efforts: list[Effort]


class Comparison(NamedTuple):
    """Time [s] of each tick, whole and bare, shape (ticks,), the least over repetitions."""

    tick: Array
    bare: Array

    @property
    def ratio(self) -> float:
        """Time of all ticks over that of the bare steps in them."""
        return float(self.tick.sum() / self.bare.sum())


def record(session: Session, ticks: int) -> Tape:
    """Play `ticks` ticks and keep what the world was given."""
    tape = Tape(session.save(), [], [])
    for _ in range(ticks):
        session.tick()
        tape.drives.append(session.cast.drive.positions.copy())
        tape.efforts.append(Effort(*(part.copy() for part in session.cast.effort)))
    return tape


def play_session(session: Session, tape: Tape) -> Array:
    """Play the tape's ticks as they are; time of each [s]."""
    session.restore(tape.start)
    times = np.zeros(len(tape.drives))
    for number in range(len(times)):
        begin = process_time()
        session.tick()
        times[number] = process_time() - begin
    return times


def play_bare(session: Session, tape: Tape) -> Array:
    """Play the physics steps of the tape's ticks and nothing else; time of each tick's steps [s].

    Forces are worked out and muscle parameters set between the timed loops.
    """
    session.restore(tape.start)
    world, model, data = session.world, session.world.model, session.world.data
    applied, controls = data.qfrc_applied, data.ctrl
    times = np.zeros(len(tape.drives))
    for number, (drive, effort) in enumerate(zip(tape.drives, tape.efforts, strict=True)):
        forces = np.tile(effort.applied, (len(drive), 1))
        world.cut.drive_forces(data.qpos, data.qvel, drive, forces)
        model.actuator_gainprm[:, 0] = effort.stiffness
        model.actuator_biasprm[:, 1] = -effort.stiffness
        model.actuator_biasprm[:, 2] = -effort.damping
        begin = process_time()
        for force, control in zip(forces, effort.controls, strict=True):
            applied[:] = force
            controls[:] = control
            mj.mj_step(model, data)
        times[number] = process_time() - begin
    return times


def compare(session: Session, ticks: int, repetitions: int) -> Comparison:
    """Time `ticks` ticks whole and bare, in turn, `repetitions` times each."""
    tape = record(session, ticks)
    pairs = [(play_session(session, tape), play_bare(session, tape)) for _ in range(repetitions)]
    whole, bare = np.min(np.array(pairs), axis=0)
    return Comparison(whole, bare)
