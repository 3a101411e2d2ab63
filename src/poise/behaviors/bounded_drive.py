"""A bounded drive: a body that reaches for goals with limited strength, so that its surroundings have the last word (Hu 2024).

Every tick the goals of hands, feet and hips become a pose by inverse kinematics that starts from where pelvis and trunk really
are; the pose becomes the target of the muscles, and of a wrench on the pelvis where that is free (Eq. 5 of the paper). Of that
wrench the legs carry what their feet can push out of the ground.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.leaning import Leaning, LeaningState
from poise.behaviors.reference import Reference
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.body.trajectory import mean_velocities
from poise.control.bearing import Carrying
from poise.control.bounded import HipDrive, Pace, hip_wrench, next_targets
from poise.errors import InputError
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions
from poise.ik.goals import steady
from poise.math import quat
from poise.signals import Mode
from poise.world.command import Attach, OwnState, Soften
from poise.world.view import WorldView

__all__ = ["Bounded", "BoundedState"]

Array = NDArray[np.float64]

_NO_BODIES = np.zeros(0, dtype=np.int64)


@dataclass
class BoundedState:
    """What a bounded drive remembers.

    Args:
        solver: How the body reaches, with what it remembers of elbows and knees.
        base: The motion without the drive at the end of the last tick, shape (nq,).
        lost: Goals that are no numbers.
        pelvis: The last good goal of the pelvis.
        leaning: How its body leans on its feet.
    """

    solver: BodySolver
    base: Array
    lost: frozenset[str]
    pelvis: Goal | None
    leaning: LeaningState


class Bounded(Behavior[BoundedState]):
    """Drives a body towards goals with limited forces.

        Character.from_clip(clip, CharacterOptions(anchors=("pelvis",)))        # every joint has muscles, the hips are free
        Session({"walker": walker}, behaviors={"walker": [Bounded()]})  # follows hands, feet and hips of its clip
        Session({"walker": walker}, behaviors={"walker": [Bounded(lambda time: Goals({"left_hand": Goal(...)}))]})

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
        carrying: How the legs of a free pelvis carry what it weighs, of which the hips' wrench is then spared as much; None
            leaves all of it to that wrench, as does a body without two feet that have soles.
    """

    claims = frozenset[Part]({"pelvis", "hands"})

    def __init__(
        self,
        goals: Callable[[float], Goals] | None = None,
        *,
        hips: HipDrive | None = None,
        pace: Pace | None = None,
        solver: SolverOptions | None = None,
        brace: float | None = 0.15,
        carrying: Carrying | None = Carrying(),  # noqa: B008 it is frozen
    ) -> None:
        if brace is not None and not brace > 0.0:
            raise InputError(f"brace must be a positive angle [rad] or None; got {brace}")
        self._brace, self._carrying = brace, carrying
        self._goals, self._hips, self._pace = goals, hips or HipDrive(), pace or Pace()
        self._options = solver or SolverOptions(poles=None if goals is None else ElasticPole())

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        plan, wanted = reference.plan, Contribution(reference)
        self._reference, self._substep = reference, view.substep
        solver, leaning = BodySolver(plan, self._options), LeaningState()
        self.state = BoundedState(solver, reference.source.copy(), frozenset(), None, leaning)
        limbs = self.state.solver.limbs
        self._ends = {name: int(b[2]) for name, b in zip(limbs.names, limbs.bodies, strict=True)}
        below = [b for root in limbs.bodies[:, 0] for b in plan.subtree(int(root))]
        self._trunk = np.setdiff1d(np.arange(1, len(plan)), below) - 1
        if self._goals is not None and reference.tension.load != "gravity":
            wanted.tension = replace(reference.tension, load="gravity")
        self._legs = (
            np.array([b for root in plan.with_role("left_thigh", "right_thigh") for b in plan.subtree(root)]) - 1
        )
        matrix = reference.dynamics.mass_matrix(reference.source)
        self._drive = self._hips.on(plan.total_mass, float(np.linalg.eigvalsh(matrix[3:6, 3:6])[-1]))
        self._leaning = _leaning_of(reference, self._carrying, foresees=self._goals is None)
        if self._leaning is not None:
            self.state.leaning = self._leaning.begin()
        self._load, self._velocity = np.zeros(6), np.zeros(plan.velocity_count)
        self._wrench, self._damping = np.zeros(6), np.zeros(6)
        wanted.commands += [Attach(reference.name, self._pull), Soften(reference.name, _flesh(plan), _NO_BODIES)]
        return wanted

    def step(self, view: WorldView, reference: Reference, state: BoundedState) -> Contribution:
        """Where the targets go in this tick."""
        wanted, tick = Contribution(reference), reference.tick
        given = self._goals is not None
        # Without goals of its own the drive stays on the clip, whose velocity and load are known exactly.
        rows, base = wanted.edit_pose(moves=given), reference.rows[-1].copy()
        real = view.positions(reference.name)
        goals = self._goals_of(base) if self._goals is None else self._goals(reference.time + tick)
        self._tell_lost(goals, wanted, state)
        leaning = None if reference.modes[0] == Mode.MOTION else self._leaning
        if leaning is not None:
            goals = leaning.plant(view, goals, base, state.leaning)
        else:
            state.leaning.firm[:] = 0.0
        if goals.pelvis is not None and reference.modes[0] != Mode.MOTION:
            self._move_pelvis(rows, goals.pelvis, state)
        seed = self._seed(real, base, rows[-1], state.base)
        aims = _turns(state.solver.solve(seed, Goals(goals.ends, None, goals.look_at), tick))
        if "head" not in goals.ends:
            # The trunk returns to the motion; only what was leant after hands is added.
            trunk = self._trunk
            aims[trunk] = _carried(_turns(base)[trunk], _turns(seed)[trunk], aims[trunk])
        own, before = reference.modes[1:] == Mode.TORQUE, _turns(reference.before)
        aim = next_targets(before, _turns(real), aims, self._pace, tick)
        _shift(rows, _turns(state.base)[own], _turns(base)[own], before[own], aim[own], own)
        state.base[:] = base
        self._tense_legs(wanted)
        self._prepare_pull(wanted)
        if leaning is not None:
            leaning.bear(view, wanted, state.leaning, self._load)
        return wanted

    def _goals_of(self, row: Array) -> Goals:
        """The ends of a pose as goals."""
        frames = body_frames(self._reference.plan, row)
        ends = {name: Goal(frames.positions[0, b], frames.rotations[0, b]) for name, b in self._ends.items() if b >= 0}
        return Goals(ends)

    def _tell_lost(self, goals: Goals, wanted: Contribution, state: BoundedState) -> None:
        known = {**goals.ends, **({} if goals.pelvis is None else {"pelvis": goals.pelvis})}
        lost = frozenset(name for name, goal in known.items() if not np.isfinite(goal.position).all())
        new, state.lost = sorted(lost - state.lost), lost
        for name in new:
            wanted.tell(wanted.reference.time, "goal lost", f"{wanted.reference.name}/{name}")

    def _seed(self, real: Array, base: Array, after: Array, base_before: Array) -> Array:
        """Pelvis and trunk where they really are and as much further as the motion goes on; on them the motion's limbs."""
        before, seed = self._reference.before, base.copy()
        seed[:3] = real[:3] + after[:3] - before[:3]
        seed[3:7] = _carried(real[3:7], before[3:7], after[3:7])
        trunk = self._trunk
        _turns(seed)[trunk] = _carried(_turns(real)[trunk], _turns(base_before)[trunk], _turns(base)[trunk])
        return seed

    def _move_pelvis(self, rows: Array, goal: Goal, state: BoundedState) -> None:
        """Write the way of the pelvis' target towards its goal, at a limited speed."""
        state.pelvis = steady(goal, state.pelvis, rows[-1, :3])
        if state.pelvis is None:
            return
        start, step = self._reference.before, self._pace.hips * self._reference.tick
        way = state.pelvis.position - start[:3]
        way *= min(1.0, step / max(float(np.linalg.norm(way)), 1e-12))
        turn = quat.log(_between(start[3:7], rows[-1, 3:7] if state.pelvis.rotation is None else state.pelvis.rotation))
        turn *= min(1.0, 2.0 * step / max(float(np.linalg.norm(turn)), 1e-12))
        share = (np.arange(1, len(rows) + 1) / len(rows))[:, None]
        rows[:, :3] = start[:3] + share * way
        rows[:, 3:7] = quat.mul(start[3:7], quat.exp(share * turn))

    def _tense_legs(self, wanted: Contribution) -> None:
        """Raise the gains of the legs' muscles to what bears weight."""
        if self._brace is None:
            return
        reference, legs = self._reference, self._legs
        stiffness, damping = wanted.edit_gains()
        strong = reference.plan.strengths[1:][legs] / self._brace
        stiffer = strong > stiffness[legs]
        at, strong = legs[stiffer], strong[stiffer]
        stiffness[at] = strong
        damping[at] = 2.0 * reference.tension.damping_ratio * np.sqrt(strong * reference.inertias[at])

    def _prepare_pull(self, wanted: Contribution) -> None:
        """What the wrench on the pelvis carries and how fast the pelvis shall be, in the middle of the tick."""
        reference, tick = self._reference, self._reference.tick
        if reference.modes[0] == Mode.MOTION:
            return
        mean_velocities(reference.before, wanted.rows[-1], tick, self._velocity)
        if reference.changed or wanted.moves or reference.tension.load == "gravity":
            self._load[:] = reference.dynamics.load(wanted.rows[-1])[:6]
        else:
            self._load[:] = reference.dynamics.inverse(*reference.clip_moment(reference.time + 0.5 * tick))[:6]

    def _pull(self, own: OwnState, target: Array) -> None:
        """Before each substep: the wrench on a free pelvis."""
        if self._reference.modes[0] == Mode.MOTION:
            own.damping[:6] = 0.0
            return
        hip_wrench(
            self._drive,
            (own.positions[:7], own.velocities[:6]),
            (target[:7], self._velocity),
            self._load,
            self._substep,
            self._wrench,
            self._damping,
        )
        own.applied[:6] += self._wrench
        own.damping[:6] = self._damping


def _leaning_of(reference: Reference, carrying: Carrying | None, *, foresees: bool) -> Leaning | None:
    """How a body leans on its feet; None for one that shall not or cannot."""
    try:
        return None if carrying is None else Leaning(reference, carrying, foresees=foresees)
    except InputError:
        return None


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


def _flesh(plan: BodyPlan) -> NDArray[np.int64]:
    """Bodies that touch as flesh does: all but the legs, which are as firm as the scene says; they stand on things."""
    legs = [body for leg in plan.with_role("left_thigh", "right_thigh") for body in plan.subtree(leg)]
    return np.setdiff1d(np.arange(len(plan)), legs)
