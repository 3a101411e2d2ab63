"""`poise inspect`: what is in a clip, a robot's file or a file of markers, and how Poise understands it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from poise.body.options import BodyOptions
from poise.cli import options
from poise.cli.preflight import check_options
from poise.cli.terminal import working

__all__ = ["EXAMPLES", "inspect"]

EXAMPLES = """\b
Examples:
  poise inspect dance.bvh                              skeleton, roles, units, path and quality
  poise inspect dance.bvh --unit inch --up z           say yourself what was guessed wrong
  poise inspect knight.glb --animation Walking_A       one animation of a skinned character
  poise inspect g1.xml                                 a robot (MJCF, URDF): bodies, hinges, roles, height, mass
  poise inspect take.c3d                               markers of a capture: rate, unit, gaps (extra 'c3d')
"""

_NOT_OF_MARKERS = ("roles", "animation", "rate", "mirror")


def inspect(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(parser=options.clip_file, help="Clip, robot or markers to look into; or shipped:walk."),
    ],
    roles: options.RoleMap = None,
    unit: options.Unit = None,
    up: options.Up = None,
    animation: options.Animation = None,
    rate: options.Rate = None,
    mirror: options.Mirrored = None,
    axes: options.BoneAxes = BodyOptions.axes,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Show a clip's skeleton, the roles guessed, units, axes, the body it gives and quality numbers.

    Of a robot's file (MJCF, URDF): its bodies, hinges and their ranges, roles, height and mass. Of markers (C3D): names, rate,
    unit and gaps.
    """
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import is_c3d, read_clip
    from poise.io.robot import is_robot, read_robot_description

    if is_robot(file):
        clips_only = ("unit", "up", "animation", "rate", "mirror")
        given = [name for name in clips_only if context.params[name] is not None]
        given += ["axes"] if axes != BodyOptions.axes else []
        check_options(given, str(file), "goes with a clip")
        robot, named = read_robot_description(file), options.role_overrides(roles)
        # Slow to import (docs/architecture.md, decision 12).
        from poise.cli.robot import inspect_robot

        inspect_robot(robot, named, json=json)
        return
    if is_c3d(file):
        given = [name for name in _NOT_OF_MARKERS if context.params[name] is not None]
        given += ["axes"] if axes != BodyOptions.axes else []
        check_options(given, str(file), "goes with a clip")
        from poise.cli.markers import inspect_markers

        inspect_markers(file, options.parse_unit(unit), up, json=json)
        return
    with working(f"reading {file}", quiet=json):
        clip = read_clip(file, **options.reading(unit, up, animation, rate, mirror))
    from poise.cli.inspection import inspect_clip

    inspect_clip(clip, options.role_overrides(roles), axes=cast(Literal["motion", "rest"], axes), json=json)
