"""Where each character's numbers sit in the world's arrays; the only address arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan

__all__ = ["CharacterLayout", "character_layout"]

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CharacterLayout:
    """One character's part of the world.

    Args:
        name: The character.
        plan: Its body plan.
        positions: Its generalized positions in (nq,).
        velocities: Its generalized velocities in (nv,).
        muscles: Its actuators, one per body below the pelvis.
        controls: Its controls in (nu,), four per muscle.
        bodies: MuJoCo body of each of its bodies, shape (B,).
        joints: MuJoCo joint of each of its bodies, shape (B,).
        root: First body of the tree, for subtree queries.
    """

    name: str
    plan: BodyPlan
    positions: slice
    velocities: slice
    muscles: slice
    controls: slice
    bodies: Indices
    joints: Indices


def character_layout(model: mj.MjModel, name: str, plan: BodyPlan) -> CharacterLayout:
    """Find a character in a compiled model."""
    bodies = np.array([model.body(f"{name}/{label}").id for label in plan.names], dtype=np.int64)
    joints = np.array([model.joint(f"{name}/{label}").id for label in plan.names], dtype=np.int64)
    first_position, first_velocity = int(model.jnt_qposadr[joints[0]]), int(model.jnt_dofadr[joints[0]])
    count = len(plan) - 1
    muscle = int(model.actuator(f"{name}/{plan.names[1]}").id)
    control = int(model.actuator_ctrladr[muscle])
    return CharacterLayout(
        name=name,
        plan=plan,
        positions=slice(first_position, first_position + plan.position_count),
        velocities=slice(first_velocity, first_velocity + plan.velocity_count),
        muscles=slice(muscle, muscle + count),
        controls=slice(control, control + 4 * count),
        bodies=bodies,
        joints=joints,
    )
