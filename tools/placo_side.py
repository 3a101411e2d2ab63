"""The other side of `tools/against_placo.py`, run by a Python that has placo: the same person, tasks and states solved there.

Reads `problem.json` in the folder named as argument, and writes `answer.json`.
"""

import json
import sys
from pathlib import Path
from time import process_time

import numpy as np
import placo


def solver_of(robot: placo.RobotWrapper, said: dict) -> tuple[placo.DynamicsSolver, object, list]:
    """The solver, its center of mass task, and what else has to stay alive."""
    solver = placo.DynamicsSolver(robot)
    solver.dt = said["step"]
    solver.damping = said["small"]
    # Torques cost nothing with us: forces, which cost a little, are in their place.
    solver.torque_cost = 0.0
    solver.enable_torque_limits(True)
    kept = []
    for sole in said["soles"]:
        foot = solver.add_frame_task(sole["frame"], robot.get_T_world_frame(sole["frame"]))
        foot.configure(sole["frame"], "hard", 1.0, 1.0)
        for part in (foot.position(), foot.orientation()):
            part.kp, part.kd = said["drift"] / said["step"] ** 2, 1.0 / said["step"]
        contact = solver.add_planar_contact(foot)
        contact.length, contact.width, contact.mu = sole["length"], sole["width"], said["friction"]
        contact.weight_forces = contact.weight_moments = 1e-6
        kept += [foot, contact]
    center = solver.add_com_task(np.zeros(3))
    center.configure("com", "soft", said["center"]["weight"])
    center.kp, center.kd = said["center"]["stiffness"], 2.0 * said["center"]["stiffness"] ** 0.5
    posture = solver.add_joints_task()
    posture.set_joints(said["posture"]["target"])
    posture.configure("posture", "soft", said["posture"]["weight"])
    posture.kp, posture.kd = said["posture"]["stiffness"], 2.0 * said["posture"]["stiffness"] ** 0.5
    return solver, center, [*kept, posture]


def put(robot: placo.RobotWrapper, state: dict) -> None:
    """Bring the robot into a state."""
    base = np.eye(4)
    base[:3, :3], base[:3, 3] = state["turn"], state["place"]
    robot.set_T_world_fbase(base)
    for name, angle in state["angles"].items():
        robot.set_joint(name, angle)
    for name, rate in state["rates"].items():
        robot.set_joint_velocity(name, rate)
    # Velocities of the floating base are in its own frame, linear first.
    velocities = robot.state.qd
    velocities[:3] = base[:3, :3].T @ np.array(state["velocity"])
    velocities[3:6] = state["spin"]
    robot.state.qd = velocities


def main(folder: Path) -> None:
    """Solve everything, and time it."""
    said = json.loads((folder / "problem.json").read_text())
    robot = placo.RobotWrapper(str(folder / "person.urdf"), placo.Flags.ignore_collisions)
    put(robot, said["states"][0])
    robot.update_kinematics()
    solver, center, kept = solver_of(robot, said)
    order = [robot.get_joint_v_offset(name) for name in said["joints"]]
    accelerations, torques, spent = [], [], []
    for state in said["states"]:
        put(robot, state)
        robot.update_kinematics()
        center.target_world = np.array(state["center"])
        begin = process_time()
        robot.update_kinematics()
        result = solver.solve(False)
        spent.append(process_time() - begin)
        if not result.success:
            sys.exit("placo found no solution")
        accelerations.append([float(result.qdd[at]) for at in order])
        torques.append([float(result.tau[at]) for at in order])
    del kept
    (folder / "answer.json").write_text(
        json.dumps({"accelerations": accelerations, "torques": torques, "spent": spent})
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
