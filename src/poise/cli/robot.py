"""What the command line says and does about robots: `poise inspect robot.xml` and `poise convert … --onto robot.xml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from poise.cli.terminal import console, escape, print_json, say
from poise.errors import InputError
from poise.io.robot import TRAJECTORY_SUFFIXES, RobotDescription, write_robot_trajectory
from poise.motion.clip import Clip
from poise.robots import Robot, make_robot, onto_robot

__all__ = ["inspect_robot", "put_onto_robot"]


def put_onto_robot(
    clip: Clip, target: Path, robot: RobotDescription, roles: dict[str, str | None] | None, *, json: bool = False
) -> None:
    """Write a clip as a robot's joint trajectory and say so.

    Raises:
        InputError: The robot is not acceptable, or the file cannot be written.
    """
    if target.suffix.lower() not in TRAJECTORY_SUFFIXES:
        allowed = " or ".join(TRAJECTORY_SUFFIXES)
        raise InputError(f"a robot's trajectory is written as {allowed}, not {target.suffix!r}", source=target)
    moved = onto_robot(clip, make_robot(robot, roles))
    trajectory, notes = moved.trajectory, [*clip.source.notes, *moved.notes]
    write_robot_trajectory(target, trajectory)
    if json:
        print_json(
            {
                "source": str(clip.source.path),
                "target": str(target),
                "robot": str(robot.path),
                "frames": len(trajectory.qpos),
                "rate_hz": trajectory.rate,
                "columns": trajectory.columns,
                "scale": moved.goals.scale,
                "notes": notes,
            }
        )
        return
    say(
        f"{escape(str(target))}: {len(trajectory.qpos)} frames of {trajectory.qpos.shape[1]} positions at "
        f"{trajectory.rate:g} Hz, scaled by {moved.goals.scale:.3f}"
    )
    for note in notes:
        say(f"  [dim]{escape(note)}[/]")


def inspect_robot(description: RobotDescription, roles: dict[str, str | None] | None, *, json: bool = False) -> None:
    """Say what is seen in a robot's file: bodies, hinges and their ranges, roles, height and mass.

    Raises:
        InputError: The robot is not acceptable.
    """
    robot, file = make_robot(description, roles), description.path
    if json:
        print_json(_facts(robot))
        return
    model = robot.model
    say(
        f"[bold]{escape(str(file))}[/]: a humanoid robot ({robot.description.kind.upper()}) of {len(model.inside)} bodies and "
        f"{len(model.bends)} hinges, {robot.mass:.1f} kg, {robot.height:.2f} m tall, legs of {robot.figure.leg:.2f} m"
    )
    for note in robot.notes:
        say(f"  [dim]{escape(note)}[/]")
    console().print(_table(robot))


def _facts(robot: Robot) -> dict[str, Any]:
    model, named = robot.model, robot.named
    return {
        "file": str(robot.description.path),
        "format": robot.description.kind,
        "floating_base": model.floats,
        "joints": model.joint_names,
        "mass_kg": robot.mass,
        "height_m": robot.height,
        "leg_m": robot.figure.leg,
        "notes": robot.notes,
        "bodies": [
            {
                "name": name,
                "parent": model.body_names[model.parents[body]],
                "role": role,
                "role_reason": reason,
                "mass_kg": float(model.masses[body]),
                "hinges": [
                    {"name": model.bend_names[hinge], "range_rad": _range(robot, hinge)}
                    for hinge in map(int, np.flatnonzero(model.bend_bodies == body))
                ],
            }
            for name, body, role, reason in zip(named.names, named.bodies, robot.roles, named.reasons, strict=True)
        ],
    }


def _range(robot: Robot, hinge: int) -> tuple[float, float] | None:
    low, high = float(robot.model.lower[hinge]), float(robot.model.upper[hinge])
    return (low, high) if np.isfinite(low) else None


def _table(robot: Robot) -> Table:
    model, table = robot.model, Table(box=None, pad_edge=False)
    depth = {0: -1}
    for body in map(int, model.inside):
        depth[body] = depth.get(int(model.parents[body]), -1) + 1
    names = [
        "  " * depth[body] + escape(name) for name, body in zip(robot.named.names, map(int, model.inside), strict=True)
    ]
    table.add_column("body", overflow="fold", min_width=max(map(len, names)))
    table.add_column("role", overflow="fold")
    table.add_column("hinges", overflow="fold", min_width=max(map(len, model.bend_names)))
    table.add_column("range (°)", overflow="fold", min_width=8)
    table.add_column("kg", justify="right")
    for name, body, role in zip(names, map(int, model.inside), robot.roles, strict=True):
        hinges = list(map(int, np.flatnonzero(model.bend_bodies == body)))
        ranges = [_range(robot, hinge) for hinge in hinges]
        table.add_row(
            name,
            role or "",
            "\n".join(escape(model.bend_names[hinge]) for hinge in hinges),
            "\n".join("any" if each is None else "{:.0f}…{:.0f}".format(*np.degrees(each)) for each in ranges),
            f"{model.masses[body]:.2f}",
        )
    return table
