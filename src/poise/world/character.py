"""A body plan as a MuJoCo tree: bodies, ball joints, muscles and shapes."""

from __future__ import annotations

import mujoco as mj
import numpy as np

from poise.body.plan import BodyPlan, Collider
from poise.world.masks import Surface, paint

__all__ = ["add_character"]

_GEOMS = {
    "capsule": mj.mjtGeom.mjGEOM_CAPSULE,
    "box": mj.mjtGeom.mjGEOM_BOX,
    "sphere": mj.mjtGeom.mjGEOM_SPHERE,
}
_FRICTION = (0.7, 0.005, 0.0001)
_ARMATURE = 1e-3
"""Rotor inertia of a free joint [kg m²], so that wrists and other light links stay well conditioned."""
_HARD_STOP = np.radians(10.0)
"""How far beyond its soft limits a joint meets MuJoCo's hard cone."""
_HARD_STOP_TIME = 0.005
"""Time constant of the cone [s]; with MuJoCo's own 20 ms a limb at 4 rad/s would pass it by 3 degrees."""


def add_character(spec: mj.MjSpec, name: str, plan: BodyPlan) -> None:
    """Add the plan's bodies under the world, each called `<name>/<body>`, with one muscle per ball joint."""
    made: list[mj.MjsBody] = []
    for index, label in enumerate(plan.names):
        parent = spec.worldbody if index == 0 else made[plan.parents[index]]
        body = parent.add_body(name=f"{name}/{label}", pos=plan.offsets[index], quat=plan.bind_rotations[index])
        if index == 0:
            body.sleep = mj.mjtSleepPolicy.mjSLEEP_NEVER
            body.add_freejoint(name=f"{name}/{label}")
        else:
            _add_ball(spec, body, plan, index)
        set_inertia(body, plan, index)
        for collider in plan.colliders[index]:
            add_collider(body, collider, Surface.BODY)
        made.append(body)


def _add_ball(spec: mj.MjSpec, body: mj.MjsBody, plan: BodyPlan, index: int) -> None:
    limits = plan.limits[index]
    swing = np.linalg.norm(np.maximum(np.abs(limits.lower), np.abs(limits.upper))[:2])
    twist = max(abs(limits.lower[2]), abs(limits.upper[2]))
    cone = float(np.hypot(swing, twist)) + _HARD_STOP
    joint = body.add_joint(name=body.name, type=mj.mjtJoint.mjJNT_BALL, armature=_ARMATURE)
    if cone < np.pi:
        joint.limited = mj.mjtLimited.mjLIMITED_TRUE
        joint.range = [0.0, np.degrees(cone)]  # MjSpec takes degrees
        joint.solref_limit = [_HARD_STOP_TIME, 1.0]
    muscle = spec.add_actuator(name=body.name, target=body.name, trntype=mj.mjtTrn.mjTRN_JOINT)
    muscle.set_to_orientation(kp=0.0, kv=0.0, ctrlspec=int(mj.mjtCtrlChart.mjCHART_QUAT))


def set_inertia(body: mj.MjsBody, plan: BodyPlan, index: int) -> None:
    tensor = plan.inertias[index]
    body.explicitinertial = True
    body.mass = plan.masses[index]
    body.ipos = plan.centres[index]
    body.fullinertia = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]]


def add_collider(body: mj.MjsBody, collider: Collider, surface: Surface) -> mj.MjsGeom:
    """Add a shape to a body; it has no mass of its own."""
    geom = body.add_geom(
        type=_GEOMS[collider.kind], size=collider.size, pos=collider.position, quat=collider.rotation, mass=0.0
    )
    geom.friction = _FRICTION
    paint(geom, surface)
    return geom
