"""Frames of many states at once against MuJoCo's own of one."""

import mujoco as mj
import numpy as np
import pytest

from poise.math import quat
from poise.world.kinematics import world_frames

XML = """
<mujoco>
  <worldbody>
    <body name="free" pos="1 2 3"><freejoint/><geom size="0.1"/>
      <body name="ball" pos="0.1 0.2 0.3" quat="0.8 0.6 0 0"><joint type="ball" pos="0.05 0 0.02"/><geom size="0.1"/>
        <body name="hinge" pos="0 0.4 0"><joint type="hinge" axis="0 0.6 0.8" pos="0 0.1 0" ref="20"/><geom size="0.1"/>
          <body name="both" pos="0.2 0 0"><joint type="slide" axis="1 0 0" ref="0.3"/>
            <joint type="hinge" axis="0 0 1" pos="0.1 0 0"/><geom size="0.1"/></body></body></body></body>
    <body name="drawer" pos="0 0 1" quat="0.6 0 0.8 0"><joint type="slide" axis="0 1 0"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


def test_frames_of_every_kind_of_joint_are_mujocos(rng: np.random.Generator) -> None:
    model = mj.MjModel.from_xml_string(XML)
    data, rows = mj.MjData(model), np.zeros((20, model.nq))
    for row in rows:
        row[:] = model.qpos0
        mj.mj_integratePos(model, row, rng.normal(size=model.nv), 1.0)
    places, turns = world_frames(model, rows)
    for row, place, turn in zip(rows, places, turns, strict=True):
        data.qpos[:] = row
        mj.mj_kinematics(model, data)
        np.testing.assert_allclose(place, data.xpos, atol=1e-12)
        assert quat.angle_between(turn, data.xquat).max() == pytest.approx(0.0, abs=1e-7)
