"""A bounded drive: a body that reaches for goals with limited strength, so that its surroundings have the last word (Hu 2024).

Every tick the goals of hands, feet and hips become a pose by inverse kinematics that starts from where pelvis and trunk really
are; the pose becomes the target of the muscles, and of a wrench on the pelvis where that is free (Eq. 5 of the paper).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.trajectory import mean_velocities
from poise.control.bounded import HipDrive, Pace, hip_wrench, next_targets
from poise.errors import InputError
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions
from poise.ik.goals import steady
from poise.math import quat
from poise.runtime.actor import Actor
from poise.runtime.frame import Event
from poise.runtime.session import Session
from poise.signals import Mode

__all__ = ["Bounded"]

Array = NDArray[np.float64]


class Bounded:
    """A stage that drives a body towards goals with limited forces.

        Character.from_clip(clip, CharacterOptions(anchors=("pelvis",)))        # every joint has muscles, the hips are free
        Session({"walker": walker}, stages={"walker": [Bounded()]})             # follows the hands, feet and hips of its clip
        Session({"walker": walker}, stages={"walker": [Bounded(lambda time: Goals({"left_hand": Goal(...)}))]})

    Legs that walk need feet that end at the ball, as bending toes do: `SceneSpec(contact=ContactSettings(toes=False))`.

    Only joints in mode `TORQUE` are driven; a pelvis in mode `MOTION` follows its clip. Where goals are the caller's own the
    muscles carry the weight alone, since the motion to come is not known. Goals that are no numbers leave the last good ones
    in force, and goals out of reach straighten the limb towards them.

    Args:
        goals: Goals at a time [s]. Without it the clip's own hands, feet and hips are the goals. A goal of the pelvis acts
            where the pelvis is free; what has no goal follows the clip.
        hips: What holds a free pelvis.
        pace: How fast targets move.
        solver: How the body reaches; by default in the clip's own bend planes, with elastic poles where goals are given.
        brace: Error at which the legs' muscles are at full strength [rad], where the tension would have them softer: what
            swings a foot through the air does not stand on it. None leaves legs at their tension.
    """

    def __init__(
        self,
        goals: Callable[[float], Goals] | None = None,
        *,
        hips: HipDrive | None = None,
        pace: Pace | None = None,
        solver: SolverOptions | None = None,
        brace: float | None = 0.15,
    ) -> None:
        if brace is not None and not brace > 0.0:
            raise InputError(f"brace must be a positive angle [rad] or None; got {brace}")
        self._brace = brace
        self._goals, self._hips, self._pace = goals, hips or HipDrive(), pace or Pace()
        self._options = solver or SolverOptions(poles=None if goals is None else ElasticPole())

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`."""
        plan, layout = actor.character.plan, actor.layout
        self._actor, self._world, self._clock = actor, session.world, session.clock
        self._solver = BodySolver(plan, self._options)
        self._ends = {
            name: int(b[2]) for name, b in zip(self._solver.limbs.names, self._solver.limbs.bodies, strict=True)
        }
        limbs = [b for root in self._solver.limbs.bodies[:, 0] for b in plan.subtree(int(root))]
        self._trunk = np.setdiff1d(np.arange(1, len(plan)), limbs) - 1
        self._base, self._lost = actor.source.copy(), frozenset[str]()
        self._pelvis: Goal | None = None
        if self._goals is not None and actor.tension.load != "gravity":
            actor.set_tension(replace(actor.tension, load="gravity"))
        self._legs = (
            np.array([b for root in plan.with_role("left_thigh", "right_thigh") for b in plan.subtree(root)]) - 1
        )
        matrix = actor.dynamics.mass_matrix(self._base)
        self._drive = self._hips.on(plan.total_mass, float(np.linalg.eigvalsh(matrix[3:6, 3:6])[-1]))
        first = layout.velocities.start
        self._hip = slice(first, first + 6)
        self._load, self._velocity = np.zeros(6), np.zeros(plan.velocity_count)
        self._wrench, self._damping = np.zeros(6), np.zeros(6)
        self._world.before_substep.append(self._pull)

    def act(self, begin: float) -> tuple[Event, ...]:
        """See `Stage.act`."""
        actor, tick = self._actor, self._clock.tick
        rows, base = actor.rows, actor.rows[-1].copy()
        real = self._world.data.qpos[actor.layout.positions]
        goals = self._goals_of(base) if self._goals is None else self._goals(begin + tick)
        events = self._tell_lost(goals, begin)
        if goals.pelvis is not None and actor.modes[0] != Mode.MOTION:
            self._move_pelvis(rows, goals.pelvis)
        seed = self._seed(real, base)
        wanted = _turns(self._solver.solve(seed, Goals(goals.ends, None, goals.look_at), tick))
        if "head" not in goals.ends:
            # The trunk returns to the motion; only what was leant after hands is added.
            trunk = self._trunk
            wanted[trunk] = _carried(_turns(base)[trunk], _turns(seed)[trunk], wanted[trunk])
        own = actor.modes[1:] == Mode.TORQUE
        aim = next_targets(_turns(actor.before), _turns(real), wanted, self._pace, tick)
        _shift(rows, _turns(self._base)[own], _turns(base)[own], _turns(actor.before)[own], aim[own], own)
        self._base = base
        self._tense_legs()
        actor.changed |= self._goals is not None
        self._prepare_pull(begin)
        return events

    def save(self) -> Any:
        """See `Stage.save`."""
        shared = {id(part): part for part in (self._solver.plan, self._solver.limbs, self._solver.options)}
        return copy.deepcopy(self._solver, shared), self._base.copy(), self._lost, self._pelvis

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        self._solver, self._base, self._lost, self._pelvis = saved
        self._solver = self.save()[0]

    def _goals_of(self, row: Array) -> Goals:
        """The ends of a pose as goals."""
        frames = body_frames(self._actor.character.plan, row)
        ends = {name: Goal(frames.positions[0, b], frames.rotations[0, b]) for name, b in self._ends.items() if b >= 0}
        return Goals(ends)

    def _tell_lost(self, goals: Goals, begin: float) -> tuple[Event, ...]:
        known = {**goals.ends, **({} if goals.pelvis is None else {"pelvis": goals.pelvis})}
        lost = frozenset(name for name, goal in known.items() if not np.isfinite(goal.position).all())
        new, self._lost = sorted(lost - self._lost), lost
        return tuple(Event(begin, "goal lost", f"{self._actor.layout.name}/{name}") for name in new)

    def _seed(self, real: Array, base: Array) -> Array:
        """Pelvis and trunk where they really are and as much further as the motion goes on; on them the motion's limbs."""
        before, after = self._base, self._actor.rows[-1]
        seed = base.copy()
        seed[:3] = real[:3] + after[:3] - self._actor.before[:3]
        seed[3:7] = _carried(real[3:7], self._actor.before[3:7], after[3:7])
        trunk = self._trunk
        _turns(seed)[trunk] = _carried(_turns(real)[trunk], _turns(before)[trunk], _turns(base)[trunk])
        return seed

    def _move_pelvis(self, rows: Array, goal: Goal) -> None:
        """Write the way of the pelvis' target towards its goal, at a limited speed."""
        self._pelvis = steady(goal, self._pelvis, rows[-1, :3])
        if self._pelvis is None:
            return
        start, step = self._actor.before, self._pace.hips * self._clock.tick
        way = self._pelvis.position - start[:3]
        way *= min(1.0, step / max(float(np.linalg.norm(way)), 1e-12))
        turn = quat.log(_between(start[3:7], rows[-1, 3:7] if self._pelvis.rotation is None else self._pelvis.rotation))
        turn *= min(1.0, 2.0 * step / max(float(np.linalg.norm(turn)), 1e-12))
        share = (np.arange(1, len(rows) + 1) / len(rows))[:, None]
        rows[:, :3] = start[:3] + share * way
        rows[:, 3:7] = quat.mul(start[3:7], quat.exp(share * turn))

    def _tense_legs(self) -> None:
        """Raise the gains of the legs' muscles to what bears weight."""
        if self._brace is None:
            return
        actor, legs = self._actor, self._legs
        strong = actor.character.plan.strengths[1:][legs] / self._brace
        stiffer = strong > actor.stiffness[legs]
        at, stiffness = legs[stiffer], strong[stiffer]
        actor.stiffness[at] = stiffness
        actor.damping[at] = 2.0 * actor.tension.damping_ratio * np.sqrt(stiffness * actor.inertias[at])

    def _prepare_pull(self, begin: float) -> None:
        """What the wrench on the pelvis carries and how fast the pelvis shall be, in the middle of the tick."""
        actor, tick = self._actor, self._clock.tick
        if actor.modes[0] == Mode.MOTION:
            return
        mean_velocities(actor.before, actor.rows[-1], tick, self._velocity)
        if actor.changed or actor.tension.load == "gravity":
            self._load[:] = actor.dynamics.load(actor.rows[-1])[:6]
        else:
            self._load[:] = actor.dynamics.inverse(*actor.clip_moment(begin + 0.5 * tick))[:6]

    def _pull(self, target: Array) -> None:
        """Before each substep: the wrench on a free pelvis."""
        hip, data = self._hip, self._world.data
        if self._actor.modes[0] == Mode.MOTION:
            self._world.model.dof_damping[hip] = 0.0
            return
        at = self._actor.layout.positions.start
        place = slice(at, at + 7)
        hip_wrench(
            self._drive,
            data.qpos[place],
            data.qvel[hip],
            target[place],
            self._velocity,
            self._load,
            self._clock.substep,
            self._wrench,
            self._damping,
        )
        data.qfrc_applied[hip] += self._wrench
        self._world.model.dof_damping[hip] = self._damping


def _turns(row: Array) -> Array:
    """The joint coordinates in generalized positions (nq,), as a view (B-1, 4)."""
    return row[7:].reshape(-1, 4)


def _between(start: Array, end: Array) -> Array:
    return quat.mul(quat.conj(start), end)


def _carried(real: Array, before: Array, after: Array) -> Array:
    return quat.mul(real, _between(before, after))


def _shift(rows: Array, base_before: Array, base: Array, before: Array, aim: Array, own: NDArray[np.bool_]) -> None:
    """Turn the motion's rows (n, nq) so that their `own` joints go from `before` to `aim` (k, 4), in place.

    What the motion itself does within the tick is kept: only the turn away from it goes evenly from one to the other.
    """
    first, last = _between(base_before, before), _between(base, aim)
    last *= np.where(np.sum(first * last, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    if np.abs(first[:, 1:]).max(initial=0.0) < 1e-12 and np.abs(last[:, 1:]).max(initial=0.0) < 1e-12:
        return
    share = (np.arange(1, len(rows) + 1) / len(rows))[:, None, None]
    turns = rows[:, 7:].reshape(len(rows), -1, 4)
    turns[:, own] = quat.mul(turns[:, own], quat.normalize(first + share * (last - first)))
