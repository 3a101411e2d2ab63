"""The model behind a `System`: every character with hinges or balls, every thing, no contacts and no rotor inertia."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import mujoco as mj
import numpy as np

from poise.body.hinges import hinges_of
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.world.character import add_collider, set_inertia
from poise.world.masks import Surface
from poise.world.things import Thing, add_thing

__all__ = ["AXES", "build_system", "system_spec"]

AXES = {"x": np.array([1.0, 0.0, 0.0]), "y": np.array([0.0, 1.0, 0.0]), "z": np.array([0.0, 0.0, 1.0])}


def build_system(
    plans: Mapping[str, BodyPlan], things: Sequence[Thing], gravity: float, balls: Collection[str] = ()
) -> mj.MjModel:
    """Compile the twin of a scene: hinges `<character>/<body>/<axis>`, shapes `<character>/<body>/<number>`.

    Of the characters in `balls` every joint is a ball, `<character>/<body>`.
    """
    model = system_spec(plans, things, gravity, balls).compile()
    # Contacts are the controller's; the rotor inertia that steadies a simulated world is no part of anybody.
    model.opt.disableflags |= int(mj.mjtDisableBit.mjDSBL_CONTACT)
    model.dof_armature[:] = 0.0
    return model


def system_spec(
    plans: Mapping[str, BodyPlan], things: Sequence[Thing], gravity: float, balls: Collection[str] = ()
) -> mj.MjSpec:
    """What the twin is compiled from."""
    spec = mj.MjSpec()
    spec.option.gravity = [0.0, 0.0, -gravity]
    for name, plan in plans.items():
        _add_person(spec, name, plan, name in balls)
    for thing in things:
        add_thing(spec, thing)
    ground = spec.worldbody.add_geom(name="ground", type=mj.mjtGeom.mjGEOM_BOX, size=[50.0, 50.0, 0.5])
    ground.pos = [0.0, 0.0, -0.5]
    return spec


def _add_person(spec: mj.MjSpec, name: str, plan: BodyPlan, balls: bool) -> None:
    made: list[mj.MjsBody] = []
    for index, (label, hinges) in enumerate(zip(plan.names, hinges_of(plan), strict=True)):
        parent = spec.worldbody if index == 0 else made[plan.parents[index]]
        body = parent.add_body(name=f"{name}/{label}", pos=plan.offsets[index], quat=plan.bind_rotations[index])
        if index == 0:
            body.add_freejoint(name=body.name)
        elif balls:
            body.add_joint(name=body.name, type=mj.mjtJoint.mjJNT_BALL)
        inward = quat.conj(plan.neutral[index])
        for hinge in () if balls else hinges:
            joint = body.add_joint(name=f"{body.name}/{hinge.axis}", type=mj.mjtJoint.mjJNT_HINGE)
            joint.axis = quat.rotate(inward, AXES[hinge.axis])
            joint.limited = mj.mjtLimited.mjLIMITED_TRUE
            joint.range = np.degrees([hinge.lower, hinge.upper])
        set_inertia(body, plan, index)
        for number, collider in enumerate(plan.colliders[index]):
            add_collider(body, collider, Surface.BODY).name = f"{body.name}/{number}"
        made.append(body)
