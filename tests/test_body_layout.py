"""Where joints have their numbers: as MuJoCo counts them, in Python and in compiled loops."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.assets import clip_path
from poise.body import _layout, layout
from poise.body.build import build_body
from poise.body.layout import JointKind, joint_layout
from poise.io import read_clip
from poise.motion.roles import guess_roles
from poise.world.scene import SceneSpec, build_world


def test_every_kind_of_joint_is_counted_as_mujoco_does() -> None:
    kinds = ["free", "ball", "hinge", "slide", "ball", "slide", "hinge", "free", "hinge"]
    spec, above = mujoco.MjSpec(), None
    for number, kind in enumerate(kinds):
        parent = spec.worldbody if kind == "free" or above is None else above
        above = parent.add_body(name=f"b{number}", mass=1.0, inertia=[1.0, 1.0, 1.0], explicitinertial=True)
        above.add_joint(type=getattr(mujoco.mjtJoint, f"mjJNT_{kind.upper()}"))
    model = spec.compile()
    made = joint_layout([int(JointKind[kind.upper()]) for kind in kinds])
    assert np.array_equal(made.kinds, model.jnt_type)
    assert np.array_equal(made.position_at, model.jnt_qposadr)
    assert np.array_equal(made.velocity_at, model.jnt_dofadr)
    assert (made.position_count, made.velocity_count) == (model.nq, model.nv)
    for joint in range(len(kinds)):
        for number in range(model.nq)[made.positions(joint)]:
            assert made.joint_of_position(number) == joint
        for number in range(model.nv)[made.velocities(joint)]:
            assert made.joint_of_velocity(number) == joint == model.dof_jntid[number]
    assert joint_layout([]).position_count == 0


def test_a_plan_is_counted_as_its_world_is() -> None:
    clip = read_clip(clip_path("walk"))
    plan = build_body(clip, guess_roles(clip.skeleton))
    model = build_world({"who": plan}, SceneSpec(floor=None), 0.002).model
    assert (plan.position_count, plan.velocity_count) == (model.nq, model.nv)
    joints = model.body_jntadr[1:]
    for body in range(1, len(plan)):
        assert layout.turn_at(body) == _layout.turn_at(body) == model.jnt_qposadr[joints[body]]
        assert layout.spin_at(body) == _layout.spin_at(body) == model.jnt_dofadr[joints[body]]
        assert layout.turn_slice(body) == plan.layout.positions(body)
        assert layout.spin_slice(body) == plan.layout.velocities(body)


@pytest.mark.parametrize("bodies", [[], [4], [2, 0, 5]])
def test_columns_of_several_bodies_follow_one_another(bodies: list[int]) -> None:
    columns = np.arange(40)
    assert layout.turn_columns(bodies).tolist() == [n for body in bodies for n in columns[layout.turn_slice(body)]]
    assert layout.spin_columns(bodies).tolist() == [n for body in bodies for n in columns[layout.spin_slice(body)]]
