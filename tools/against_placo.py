"""Beside placo (https://github.com/Rhoban/placo), a whole-body solver in C++: one person on two feet, in the same states.

    python -m venv /tmp/placo && /tmp/placo/bin/pip install placo
    python tools/against_placo.py /tmp/placo/bin/python

placo asks for a NumPy of its own, so it runs in the Python that is named. Both have the same 36 degrees of freedom, soles,
posture and center of mass, torque limits and states; each solves them one after the other, and its processor time counts
from the state to accelerations.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from time import process_time
from typing import Any

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.groups import Group, Person
from poise.math import quat
from poise.qp import CenterOfMassTask, posture
from poise.qp.contacts import DRIFT_SHARE, FRICTION
from poise.qp.forming import SMALL_ACCELERATION
from poise.world.system import System

Array = NDArray[np.float64]

STEP, COUNT, ROUNDS = 0.005, 400, 5
"""Of time [s], how many states, and how often both are timed in turn."""
NAME = "anna"


def urdf_of(system: System, soles: dict[str, Array]) -> str:
    """The person as URDF: a chain of hinges per joint, as MuJoCo has them, and a frame in the middle of each sole."""
    model, limits = system.model, dict(zip(system.joints.names, system.joints.torque, strict=True))
    root = ET.Element("robot", name=NAME)
    for body in range(1, model.nbody):
        name, parent = model.body(body).name, model.body(int(model.body_parentid[body])).name
        hinges = [j for j in np.flatnonzero(model.jnt_bodyid == body) if model.jnt_type[j] == mj.mjtJoint.mjJNT_HINGE]
        origin = (model.body_pos[body], model.body_quat[body])
        for number, hinge in enumerate(hinges):
            child, joint = name if number == len(hinges) - 1 else f"{name}#{number}", model.joint(int(hinge)).name
            if child != name:
                ET.SubElement(root, "link", name=child)
            _joint(root, joint, (parent, child), origin, model.jnt_axis[hinge], limits[joint])
            parent, origin = child, (np.zeros(3), quat.IDENTITY)
        _link(root, name, model, body)
    for foot, middle in soles.items():
        ET.SubElement(root, "link", name=f"{foot} sole")
        _joint(root, f"{foot} sole joint", (foot, f"{foot} sole"), (middle, quat.IDENTITY), None, 0.0)
    return ET.tostring(root, encoding="unicode")


def _joint(
    root: ET.Element,
    name: str,
    links: tuple[str, str],
    origin: tuple[Array, Array],
    axis: Array | None,
    torque: float,
) -> None:
    joint = ET.SubElement(root, "joint", name=name, type="fixed" if axis is None else "revolute")
    ET.SubElement(joint, "parent", link=links[0])
    ET.SubElement(joint, "child", link=links[1])
    _origin(joint, *origin)
    if axis is not None:
        ET.SubElement(joint, "axis", xyz=_text(axis))
        ET.SubElement(joint, "limit", lower="-3.2", upper="3.2", velocity="100", effort=repr(float(torque)))


def _link(root: ET.Element, name: str, model: Any, body: int) -> None:
    link = ET.SubElement(root, "link", name=name)
    inertial = ET.SubElement(link, "inertial")
    _origin(inertial, model.body_ipos[body], model.body_iquat[body])
    ET.SubElement(inertial, "mass", value=repr(float(model.body_mass[body])))
    x, y, z = (repr(float(value)) for value in model.body_inertia[body])
    ET.SubElement(inertial, "inertia", ixx=x, iyy=y, izz=z, ixy="0", ixz="0", iyz="0")


def _origin(parent: ET.Element, place: Array, turn: Array) -> None:
    matrix = quat.to_matrix(np.asarray(turn))
    pitch = -np.arcsin(np.clip(matrix[2, 0], -1.0, 1.0))
    angles = np.array([np.arctan2(matrix[2, 1], matrix[2, 2]), pitch, np.arctan2(matrix[1, 0], matrix[0, 0])])
    ET.SubElement(parent, "origin", xyz=_text(place), rpy=_text(angles))


def _text(numbers: Array) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def standing() -> Group:
    """Somebody on two feet, whose posture and center of mass are wanted."""
    group = Group({NAME: Person(pose={"thigh/y": -0.3, "shank/y": 0.6, "foot/y": -0.3})}, step=STEP, idle=False)
    for side in ("left", "right"):
        group.controller.touch(group.sole(NAME, side))
    group.controller.want("posture", posture(group.system, NAME, weight=1.0, stiffness=4.0))
    center = group.center_of_mass(NAME)
    group.controller.want("center", CenterOfMassTask(owners=[NAME], target=center, weight=100.0, stiffness=10.0))
    return group


def play(group: Group) -> tuple[list[dict[str, Any]], Array, Array, Array]:
    """States, our accelerations and torques of the hinges, and processor time of each step [s]."""
    system, controller = group.system, group.controller
    center: Any = controller.tasks["center"]
    start = np.array(center.target)
    driven = controller.former.muscled
    states, accelerations, torques, spent = [], [], [], []
    for count in range(COUNT):
        phase = 2.0 * np.pi * count * STEP / 1.1
        away = (0.03 * np.sin(phase), 0.04 * np.sin(0.7 * phase), 0.05 * np.cos(phase) - 0.05)
        center.target = start + np.array(away)
        states.append(_state(system, center.target))
        begin = process_time()
        system.refresh()
        step = controller.solve()
        spent.append(process_time() - begin)
        assert not step.relaxations
        accelerations.append(step.accelerations[driven])
        torques.append(step.torques)
        system.advance(step.accelerations, STEP)
    return states, np.array(accelerations), np.array(torques), np.array(spent)


def _state(system: System, center: Array) -> dict[str, Any]:
    joints, data = system.joints, system.data
    return {
        "place": data.qpos[:3].tolist(),
        "turn": quat.to_matrix(data.qpos[3:7]).tolist(),
        "velocity": data.qvel[:3].tolist(),
        "spin": data.qvel[3:6].tolist(),
        "angles": dict(zip(joints.names, system.joint_positions.tolist(), strict=True)),
        "rates": dict(zip(joints.names, data.qvel[joints.dofs].tolist(), strict=True)),
        "center": center.tolist(),
    }


def problem_of(group: Group, states: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """What placo is told, and the person as URDF."""
    soles = {side: group.sole(NAME, side) for side in ("left", "right")}
    tasks: Any = group.controller.tasks
    said: dict[str, Any] = {
        "step": STEP,
        "small": SMALL_ACCELERATION,
        "drift": DRIFT_SHARE,
        "friction": FRICTION,
        "joints": [group.system.joints.names[which] for which in group.controller.former.driven],
        "states": states,
        "soles": [
            {
                "frame": f"{sole.second} sole",
                **dict(zip(("length", "width"), np.ptp(sole.points, axis=0)[:2].tolist(), strict=True)),
            }
            for sole in soles.values()
        ],
        "center": {"weight": tasks["center"].weight, "stiffness": tasks["center"].stiffness},
        "posture": {
            "weight": tasks["posture"].weight,
            "stiffness": tasks["posture"].stiffness,
            "target": dict(zip(tasks["posture"].joints, np.asarray(tasks["posture"].target).tolist(), strict=True)),
        },
    }
    return said, urdf_of(group.system, {sole.second: sole.middle for sole in soles.values()})


def theirs(python: str, said: dict[str, Any], urdf: str) -> dict[str, Array]:
    """Placo's accelerations, torques and times."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "person.urdf").write_text(urdf)
        (folder / "problem.json").write_text(json.dumps(said))
        subprocess.run([python, str(Path(__file__).with_name("placo_side.py")), name], check=True)
        return {key: np.array(values) for key, values in json.loads((folder / "answer.json").read_text()).items()}


def main() -> None:
    """Compare, and tell."""
    parser = argparse.ArgumentParser(description="placo's dynamics solver beside ours")
    parser.add_argument("python", help="a Python interpreter that has placo")
    python = parser.parse_args().python
    ours, others = [], []
    for _ in range(ROUNDS):
        group = standing()
        states, accelerations, torques, spent = play(group)
        answer = theirs(python, *problem_of(group, states))
        ours.append(spent[20:])
        others.append(answer["spent"][20:])
    miss = np.abs(accelerations - answer["accelerations"]).max() / np.abs(accelerations).max()
    print(
        f"accelerations differ by {miss:.2g} of the largest, torques by {np.abs(torques - answer['torques']).max():.2g} N m"
    )
    for name, times in (("poise", ours), ("placo", others)):
        print(f"{name}: median {1e3 * np.median(times):.3f} ms, 99 % {1e3 * np.percentile(times, 99):.3f} ms")
    print(f"ratio of the medians {np.median(ours) / np.median(others):.2f}")


if __name__ == "__main__":
    main()
