"""The reaction of a kinematic limb (Eqs. 2 to 7): recursive Newton-Euler against MuJoCo's, and the weight of a limb at rest."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body import BodyPlan, build_body
from poise.body.coordinates import body_frames
from poise.hybrid import Connector, Limb, LimbMotion, reaction
from poise.io import read_clip
from poise.math import quat
from poise.motion import guess_roles
from poise.reproductions.check import Trial, invariant
from poise.reproductions.row import Row
from poise.world import CharacterDynamics, SceneSpec, build_world

__all__ = ["CHECKS", "cost", "newton_euler", "static_weight", "walker"]

Array = NDArray[np.float64]

_STATES = 50
_UP = np.array([0.0, 0.0, 9.81])


def walker() -> BodyPlan:
    """The shipped walk's character, 19 bodies."""
    clip = read_clip(clip_path("walk"))
    return build_body(clip, guess_roles(clip.skeleton))


def _known_plan(plan: BodyPlan, trial: Trial) -> BodyPlan:
    """The plan, or one that is a hundredth too heavy."""
    return plan if trial.on else replace(plan, masses=1.01 * plan.masses, inertias=1.01 * plan.inertias)


def _random_state(plan: BodyPlan, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    turns = quat.normalize(rng.normal(size=(len(plan), 4)))
    positions = np.concatenate([rng.normal(size=3), turns.ravel()])
    velocities, accelerations = rng.normal(size=(2, plan.velocity_count)) * [[2.0], [20.0]]
    return positions, velocities, accelerations


def _motion(limb: list[int], positions: Array, velocities: Array, accelerations: Array) -> LimbMotion:
    turns = positions[3:].reshape(-1, 4)
    return LimbMotion.of(turns[limb], velocities[3:].reshape(-1, 3)[limb], accelerations[3:].reshape(-1, 3)[limb])


@invariant("recursive Newton-Euler", broken="what the limbs weigh is told a hundredth too much", cases=_STATES)
def newton_euler(trial: Trial) -> Row:
    """A pelvis that moves anyhow with trunk and legs as limbs: the wrenches on it, and all joint torques."""
    plan = walker()
    roots = [body for body in range(1, len(plan)) if plan.parents[body] == 0]
    dynamics, rng, worst = CharacterDynamics(plan), np.random.default_rng(1), 0.0
    for _ in range(_STATES):
        positions, velocities, accelerations = _random_state(plan, rng)
        needed = dynamics.inverse(positions, velocities, accelerations)
        turn = positions[3:7]
        connector = Connector(turn, velocities[3:6], accelerations[3:6], accelerations[:3])
        force, torque = _own(plan, connector)
        for root in roots:
            limb = list(plan.subtree(root))
            answer = reaction(
                Limb.from_plan(_known_plan(plan, trial), root),
                connector,
                _motion(limb, positions, velocities, accelerations),
            )
            wrench = answer.wrench()
            about = wrench.torque + np.cross(quat.rotate(turn, plan.offsets[root]), wrench.force)
            force, torque = force - wrench.force, torque - quat.rotate(quat.conj(turn), about)
            worst = max(worst, float(np.abs(answer.torques - needed[3:].reshape(-1, 3)[limb]).max()))
        worst = max(worst, *(float(np.abs(part).max()) for part in (force - needed[:3], torque - needed[3:6])))
    return Row(
        "vanwelbergen2009/newton-euler",
        "Recursive Newton-Euler gives the wrench on the connector and the torques of all joints (Eqs. 2 to 7): 50 random "
        "states of trunk, arms, head and legs on a moving pelvis against MuJoCo's inverse dynamics, within 1e-8",
        None,
        worst,
        "N, N m",
        worst < 1e-8,
    )


def _own(plan: BodyPlan, motion: Connector) -> tuple[Array, Array]:
    """Force in the world and torque about its origin in its own frame that the pelvis alone needs."""
    turn, spin, turning, push = (np.asarray(part) for part in motion)
    arm = plan.centres[0]
    lift = quat.rotate(quat.conj(turn), push + _UP) + np.cross(turning, arm) + np.cross(spin, np.cross(spin, arm))
    force = plan.masses[0] * lift
    inertia = plan.inertias[0]
    torque = inertia @ turning + np.cross(spin, inertia @ spin) + np.cross(arm, force)
    return quat.rotate(turn, force), torque


@invariant("recursive Newton-Euler", broken="what the limbs weigh is told a hundredth too much", cases=_STATES)
def static_weight(trial: Trial) -> Row:
    """An arm held still in random poses: its weight, and the moment of that about the shoulder."""
    plan, rng, worst = walker(), np.random.default_rng(2), 0.0
    root = plan.with_role("left_upper_arm")[0]
    limb = list(plan.subtree(root))
    arm = Limb.from_plan(_known_plan(plan, trial), root)
    for _ in range(_STATES):
        positions, still, _ = _random_state(plan, rng)
        still = np.zeros_like(still)
        places, turns = (part[0] for part in body_frames(plan, positions))
        centres = (places + quat.rotate(turns, plan.centres))[limb]
        connector = Connector(turns[plan.parents[root]])
        static = reaction(arm, connector, _motion(limb, positions, still, still)).wrench()
        moment = np.cross(centres - places[root], -plan.masses[limb][:, None] * _UP).sum(axis=0)
        worst = max(
            worst,
            float(np.abs(static.force + plan.masses[limb].sum() * _UP).max()),
            float(np.abs(static.torque - moment).max()),
        )
    return Row(
        "vanwelbergen2009/static-weight",
        "A limb at rest weighs on its connector with the sum of its bodies' weights and their moments (the force is part of "
        "the reaction, though the text speaks of torque alone): 50 poses, within 1e-9",
        None,
        worst,
        "N, N m",
        worst < 1e-9,
    )


@invariant("recursive Newton-Euler in one compiled pass", broken="every reaction is worked out ten times")
def cost(trial: Trial) -> Row:
    """Time of one call for an arm of three bodies over that of a bare physics step of the body, taken in turns; the fastest."""
    plan = walker()
    arm = Limb.from_plan(plan, plan.with_role("left_upper_arm")[0])
    connector = Connector(*(np.array(part) for part in Connector()))
    motion = LimbMotion.of(np.tile(quat.IDENTITY, (3, 1)), np.ones((3, 3)), np.ones((3, 3)))
    down = np.array([0.0, 0.0, -9.81])
    reaction(arm, connector, motion, down)
    world = build_world({"body": plan}, SceneSpec(floor=None), 0.002)
    drive, calls = world.rest_drive(100), 200 if trial.on else 2000
    times, steps = [], []
    for _ in range(20):
        begin = perf_counter()
        for _ in range(calls):
            reaction(arm, connector, motion, down)
        middle = perf_counter()
        world.step(drive)
        times.append((middle - begin) / 200)
        steps.append((perf_counter() - middle) / 100)
    share = min(times) / min(steps)
    return Row(
        "vanwelbergen2009/reaction-cost",
        "The reaction of an isolated limb is cheap (Sec. 2, O(n)): one call for an arm costs at most half of a bare "
        "step of the body's physics, both taken in the same seconds",
        None,
        share,
        "",
        share < 0.5,
    )


CHECKS = (newton_euler, static_weight, cost)
