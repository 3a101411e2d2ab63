"""A motion onto a robot's own hinges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from poise.characters.prepare import prepare
from poise.io.robot import RobotTrajectory
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.robots.goals import Goals, goals_of
from poise.robots.robot import Robot
from poise.robots.solve import solve
from poise.robots.tasks import SolveOptions

__all__ = ["OntoRobot", "onto_robot"]


class OntoRobot(NamedTuple):
    """A motion on a robot: its trajectory, the goals it was solved for, and notes, one line each."""

    trajectory: RobotTrajectory
    goals: Goals
    notes: tuple[str, ...]


def onto_robot(
    source: Clip,
    robot: Robot,
    *,
    roles: Mapping[str, str | None] | None = None,
    options: SolveOptions | None = None,
) -> OntoRobot:
    """The source's motion as angles of a robot's hinges.

    Bones point where the source's do as far as ranges of joints allow, feet stand while the source's do, and the way over the
    ground goes with the length of the legs. The source is mended and filtered first, as it is for physics.

    Args:
        source: The motion.
        robot: Whose hinges.
        roles: Joint names of the source whose role is given rather than guessed.
        options: Weights of the goals.

    Raises:
        InputError: The source's skeleton lacks the roles that a body needs.
    """
    prepared = prepare(source)
    goals = goals_of(prepared.clip, robot.figure, guess_roles(source.skeleton, roles))
    rows = solve(robot.model, robot.figure, goals, options)
    model = robot.model
    trajectory = RobotTrajectory(
        rate=prepared.clip.rate,
        joints=model.joint_names,
        free=model.free_name if model.floats else "",
        qpos=model.described(rows),
        robot=str(robot.description.path),
        source=source.source.path or source.name,
    )
    return OntoRobot(trajectory, goals, (*robot.notes, *prepared.notes))
