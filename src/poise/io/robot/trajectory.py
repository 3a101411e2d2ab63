"""Trajectories of a robot's joints, as MuJoCo's generalized positions in .npz or .csv."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.files import write_bytes

__all__ = ["TRAJECTORY_SUFFIXES", "RobotTrajectory", "write_robot_trajectory"]

Array = NDArray[np.float64]

TRAJECTORY_SUFFIXES = (".csv", ".npz")
"""How names of trajectory files end."""
SCHEMA = "poise-robot-trajectory"
VERSION = 1
_FREE = ("x", "y", "z", "qw", "qx", "qy", "qz")


@dataclass(frozen=True, eq=False)
class RobotTrajectory:
    """Generalized positions over time, in MuJoCo's convention.

    Args:
        rate: Frames per second [Hz].
        joints: Names of the joints in model order.
        free: Name of the free joint, "" where the robot has none; its columns come first: the base's position [m] in a world
            with z up and its orientation as a quaternion w x y z.
        qpos: Of a hinge its angle [rad], of a slide its way [m], shape (T, nq).
        robot: File of the robot.
        source: File of the motion.
    """

    rate: float
    joints: tuple[str, ...]
    free: str
    qpos: Array
    robot: str
    source: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Name of each column of `qpos`."""
        head = tuple(f"{self.free}.{part}" for part in _FREE) if self.free else ()
        return head + tuple(name for name in self.joints if name != self.free)


def write_robot_trajectory(path: Path, trajectory: RobotTrajectory) -> None:
    """Write a trajectory, whole or not at all; the name's extension says whether as .csv or .npz.

    Raises:
        InputError: The extension is another, or the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in TRAJECTORY_SUFFIXES:
        raise InputError(
            f"a robot's trajectory is written as {' or '.join(TRAJECTORY_SUFFIXES)}, not {path.suffix!r}", source=path
        )
    write_bytes(path, _csv(trajectory) if suffix == ".csv" else _npz(trajectory))


def _npz(trajectory: RobotTrajectory) -> bytes:
    content = io.BytesIO()
    np.savez(
        content,
        schema=np.array(SCHEMA),
        version=np.array(VERSION),
        rate=np.array(trajectory.rate),
        joint_names=np.array(trajectory.joints),
        columns=np.array(trajectory.columns),
        qpos=trajectory.qpos,
        robot=np.array(trajectory.robot),
        source=np.array(trajectory.source),
        allow_pickle=False,
    )
    return content.getvalue()


def _csv(trajectory: RobotTrajectory) -> bytes:
    text = io.StringIO()
    free = f"; {trajectory.free}: position x y z, then orientation qw qx qy qz, z up" if trajectory.free else ""
    for line in (
        f"rate_hz: {trajectory.rate!r}",
        f"robot: {_one_line(trajectory.robot)}",
        f"source: {_one_line(trajectory.source)}",
        f"qpos of MuJoCo, one frame a row, metres and radians{free}",
    ):
        text.write(f"# {line}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(trajectory.columns)
    writer.writerows([repr(value + 0.0) for value in row] for row in trajectory.qpos.tolist())
    return text.getvalue().encode()


def _one_line(text: str) -> str:
    return " ".join(text.split())
