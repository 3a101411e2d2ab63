"""Robots of our own for tests: a humanoid MJCF that faces y with several hinges a body, and a URDF with one hinge a link."""

from __future__ import annotations

__all__ = ["humanoid_mjcf", "humanoid_urdf"]


def _leg(side: str, y: float, shape: str) -> str:
    return f"""
    <body name="{side}_thigh" pos="0.01 {y} -0.08">
      <joint name="{side}_hip_yaw" axis="0 0 1" range="-60 60"/>
      <joint name="{side}_hip_roll" axis="1 0 0" range="-40 40"/>
      <joint name="{side}_hip_pitch" axis="0 1 0" range="-110 60"/>
      <geom type="capsule" fromto="0 0 0 0.01 0 -0.42" size="0.06" mass="6"/>
      <body name="{side}_shin" pos="0.01 0 -0.42">
        <joint name="{side}_knee" axis="0 -1 0" range="-140 2"/>
        <geom type="capsule" fromto="0 0 0 -0.01 0 -0.38" size="0.045" mass="3"/>
        <body name="{side}_ankle" pos="-0.01 0 -0.38">
          <joint name="{side}_ankle_pitch" axis="0 1 0" range="-50 45"/>
          <inertial pos="0 0 0" mass="0.2" diaginertia="0.001 0.001 0.001"/>
          <body name="{side}_foot" pos="0 0 -0.01">
            <joint name="{side}_ankle_roll" axis="1 0 0" range="-25 25"/>
            {shape}
          </body>
        </body>
      </body>
    </body>"""


def _arm(side: str, sign: float) -> str:
    return f"""
    <body name="{side}_upper_arm" pos="0 {0.2 * sign} 0.28">
      <joint name="{side}_shoulder_pitch" axis="0 1 0" range="-170 90"/>
      <joint name="{side}_shoulder_roll" axis="1 0 0" range="-170 170"/>
      <joint name="{side}_shoulder_yaw" axis="0 0 1" range="-150 150"/>
      <geom type="capsule" fromto="0 0 0 0 {0.02 * sign} -0.24" size="0.04" mass="2"/>
      <body name="{side}_forearm" pos="0 {0.02 * sign} -0.24">
        <joint name="{side}_elbow" axis="0 -1 0" range="-92 50"/>
        <geom type="capsule" fromto="0 0 0 0.22 0 0" size="0.035" mass="1"/>
        <body name="{side}_hand" pos="0.22 0 0">
          <joint name="{side}_wrist" axis="1 0 0" range="-90 90"/>
          <geom type="sphere" pos="0.06 0 0" size="0.04" mass="0.4"/>
        </body>
      </body>
    </body>"""


_FOOT = '<geom type="box" pos="0.05 0 -0.06" size="0.12 0.05 0.02" mass="1"/>'
_MESH_FOOT = (
    '<inertial pos="0.05 0 -0.06" mass="1" diaginertia="0.01 0.01 0.01"/><geom type="mesh" mesh="foot" class="looks"/>'
)


def humanoid_mjcf(*, free: bool = True, meshes: bool = False, head: bool = True) -> str:
    """A robot of 1.6 m that faces y in its zero pose, its elbows bent by a right angle; its meshes are not there."""
    base = '<freejoint name="root"/>' if free else ""
    shape = _MESH_FOOT if meshes else _FOOT
    neck = (
        """<body name="head" pos="0 0 0.35"><joint name="neck" axis="0 0 1" range="-60 60"/>
        <geom type="sphere" pos="0 0 0.1" size="0.1" mass="3"/></body>"""
        if head
        else ""
    )
    return f"""<mujoco model="of our own">
  <compiler angle="degree" meshdir="nowhere"/>
  <default><default class="looks"><geom type="mesh" contype="0" conaffinity="0" material="grey"/></default></default>
  <asset><mesh name="foot" file="foot.stl"/><material name="grey" rgba="0.5 0.5 0.5 1"/></asset>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <light pos="0 0 3"/>
    <body name="pelvis" pos="0 0 0.95" euler="0 0 90">{base}
      <geom type="box" size="0.08 0.12 0.06" mass="8"/>
      <site name="imu"/>
      {_leg("left", 0.1, shape)}{_leg("right", -0.1, shape)}
      <body name="torso" pos="0 0 0.1">
        <joint name="waist_yaw" axis="0 0 1" range="-70 70"/>
        <joint name="waist_pitch" axis="0 1 0" range="-30 60"/>
        <geom type="box" pos="0 0 0.15" size="0.09 0.15 0.15" mass="14"/>
        {_arm("left", 1.0)}{_arm("right", -1.0)}{neck}
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="left_knee" ctrlrange="-100 100" ctrllimited="true"/></actuator>
</mujoco>"""


_PARTS: tuple[tuple[str, str, str, str, str], ...] = (
    # Link, what it hangs on, origin, axis, range.
    ("waist_yaw_link", "base_link", "0 0 0.05", "0 0 1", "-1.5 1.5"),
    *(
        each
        for side, sign in (("left", 1), ("right", -1))
        for each in (
            (f"{side}_hip_pitch_link", "base_link", f"0 {0.08 * sign} -0.05", "0 1 0", "-2 1"),
            (f"{side}_hip_roll_link", f"{side}_hip_pitch_link", "0 0 -0.02", "1 0 0", "-0.8 0.8"),
            (f"{side}_hip_yaw_link", f"{side}_hip_roll_link", "0 0 -0.06", "0 0 1", "-1 1"),
            (f"{side}_knee_link", f"{side}_hip_yaw_link", "0 0 -0.2", "0 1 0", "0 2.3"),
            (f"{side}_ankle_pitch_link", f"{side}_knee_link", "0 0 -0.26", "0 1 0", "-1 1"),
            (f"{side}_ankle_roll_link", f"{side}_ankle_pitch_link", "0 0 0", "1 0 0", "-0.4 0.4"),
            (f"{side}_shoulder_pitch_link", "waist_yaw_link", f"0 {0.12 * sign} 0.25", "0 1 0", "-3 3"),
            (f"{side}_shoulder_roll_link", f"{side}_shoulder_pitch_link", f"0 {0.03 * sign} 0", "1 0 0", "-2 2"),
            (f"{side}_shoulder_yaw_link", f"{side}_shoulder_roll_link", "0 0 -0.05", "0 0 1", "-2 2"),
            (f"{side}_elbow_link", f"{side}_shoulder_yaw_link", "0 0 -0.12", "0 1 0", "-2.4 0.1"),
        )
    ),
)


def humanoid_urdf() -> str:
    """A robot of about 1 m with one hinge a link, no hands and no head; its visual meshes are not there."""
    names = ["base_link", *(part[0] for part in _PARTS)]
    links = ""
    for name in names:
        box = ""
        if name.endswith("ankle_roll_link"):
            box = '<collision><origin xyz="0.03 0 -0.04"/><geometry><box size="0.18 0.07 0.02"/></geometry></collision>'
        links += f"""<link name="{name}"><inertial><origin xyz="0 0 -0.05"/><mass value="1.5"/>
        <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><geometry><mesh filename="package://own/meshes/{name}.dae"/></geometry></visual>{box}</link>"""
    joints = ""
    for link, parent, origin, axis, limits in _PARTS:
        low, high = limits.split()
        joints += f"""<joint name="{link.replace("_link", "_joint")}" type="revolute"><parent link="{parent}"/>
        <child link="{link}"/><origin xyz="{origin}"/><axis xyz="{axis}"/>
        <limit lower="{low}" upper="{high}" effort="10" velocity="10"/></joint>"""
    return f'<robot name="own">{links}{joints}<gazebo reference="base_link"/></robot>'
