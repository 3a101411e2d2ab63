"""A robot from its file: what it is built of and which part of it is which part of a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise.errors import InputError
from poise.io.robot import RobotDescription, read_robot_description
from poise.robots.figure import RobotFigure, figure_of
from poise.robots.naming import NamedBodies, name_bodies
from poise.world.robot import RobotModel

__all__ = ["Robot", "read_robot"]


@dataclass(frozen=True, eq=False)
class Robot:
    """A humanoid robot.

    Args:
        description: Its file.
        model: Its bodies and joints.
        named: Its bodies with roles.
        figure: Its segments.
        notes: What was found odd and how it was taken, one line each.
    """

    description: RobotDescription
    model: RobotModel
    named: NamedBodies
    figure: RobotFigure
    notes: tuple[str, ...]

    @property
    def mass(self) -> float:
        """[kg]."""
        return float(self.model.masses[self.model.inside].sum())

    @property
    def roles(self) -> tuple[str | None, ...]:
        """Role of each body, where a segment ends for those that hinges part."""
        found = {segment.body: segment.role for segment in self.figure.segments}
        return tuple(found.get(int(body)) for body in self.named.bodies)

    @property
    def height(self) -> float:
        """From the soles to the highest of its shapes, joints and centres of mass in its zero pose [m]."""
        return self.figure.height


def read_robot(path: Path, roles: Mapping[str, str | None] | None = None) -> Robot:
    """Read a humanoid robot's MJCF or URDF.

    Args:
        path: The file.
        roles: Body name to role, or to None for no role, where the guess is wrong.

    Raises:
        InputError: The file is not acceptable, has no hinges, or is no humanoid.
    """
    return make_robot(read_robot_description(path), roles)


def make_robot(description: RobotDescription, roles: Mapping[str, str | None] | None = None) -> Robot:
    """The same of a robot that is read already.

    Raises:
        InputError: It has no hinges, or is no humanoid.
    """
    path = description.path
    model = RobotModel(description.xml, path, floats=description.kind == "urdf")
    model.place(model.zero)
    named = name_bodies(model, path, roles)
    try:
        figure = figure_of(model, named, path)
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None
    return Robot(description, model, named, figure, tuple(_notes(description, model, figure)))


def _notes(description: RobotDescription, model: RobotModel, figure: RobotFigure) -> list[str]:
    notes = []
    if description.meshes:
        notes.append(f"{description.meshes} meshes are not read; motion needs joints and simple shapes only")
    if description.kind == "urdf":
        notes.append(
            f"a URDF does not say whether its base floats; it does, by a free joint {model.free_name!r} in front"
        )
    elif not model.floats:
        notes.append(
            "the base is fixed by its file: the way through the world is left out, only the joints are written"
        )
    weightless = [name for name, mass in zip(model.body_names, model.masses, strict=True) if mass == 0.0]
    moved = set(map(int, model.bend_bodies))
    weightless = [name for name in weightless if model.body_names.index(name) in moved]
    if weightless:
        notes.append(
            f"{len(weightless)} moving bodies have no mass that is said without their meshes: {weightless[0]}, …"
        )
    if not all(sole.known for sole in figure.soles):
        notes.append(
            "the feet have no shape but meshes: soles are taken to be a person's of this size; they may sink or float"
        )
    free = np.isinf(model.lower)
    if free.any():
        notes.append(f"{int(free.sum())} joints have no range")
    return notes
