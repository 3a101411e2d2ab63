"""`poise convert`: a clip from one format to another, onto another character, or onto a robot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poise.cli import options
from poise.cli.preflight import check_options, check_writable
from poise.cli.terminal import escape, print_json, say, working
from poise.errors import InputError

if TYPE_CHECKING:
    from poise.motion.clip import Clip
    from poise.motion.skin import SkinnedMesh

__all__ = ["EXAMPLES", "convert"]

EXAMPLES = """\b
Examples:
  poise convert shipped:walk take.bvh                         a clip that comes with Poise, to try things with
  poise convert take.bvh take.glb                             the same motion as glTF
  poise convert knight.glb walk.bvh --animation Walking_A     one animation as BVH
  poise convert ybot.fbx ybot.glb                             a character as glTF: skin, materials, images, motion
  poise convert knight.vrm motion.glb --no-skin               its skeleton and motion alone
  poise convert take.bvh knight_walks.glb --onto Knight.glb   onto another character, in its own skin
  poise convert knight.glb knight.usdz                        as USD: skeleton, animation and skin
  poise convert take.bvh g1_walks.csv --onto g1.xml           onto a robot's own hinges (MJCF, URDF), as .csv or .npz
"""


def convert(
    context: typer.Context,
    source: Annotated[
        Path, typer.Argument(parser=options.clip_file, help="Clip to read; or shipped:walk, shipped:run.")
    ],
    target: Annotated[Path, typer.Argument(help="Clip to write; its extension says the format.")],
    onto: Annotated[
        Path | None,
        typer.Option(
            "--onto",
            help="Character whose skeleton gets the motion, as .glb or USD in its own skin; or a robot (.xml, .urdf) whose "
            "hinges get it, as .csv or .npz.",
        ),
    ] = None,
    unit: options.Unit = None,
    up: options.Up = None,
    animation: options.Animation = None,
    rate: options.Rate = None,
    mirror: options.Mirrored = None,
    onto_unit: Annotated[str | None, typer.Option("--onto-unit", help="Unit of the character's file.")] = None,
    roles: options.RoleMap = None,
    skin: Annotated[
        bool,
        typer.Option("--skin/--no-skin", help="Whether a .glb or USD gets the skin, or skeleton and motion alone."),
    ] = True,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Convert a clip; names, order, channels, units, axes and rate are kept, in a .glb or USD the whole character too.

    A .glb made of a .glb, .gltf or .vrm is a copy of that file in which the motion comes first among the animations.

    With --onto the motion goes to another character's skeleton, by the anatomical roles of the joints, or to a robot's own
    hinges: their angles over time (MuJoCo's qpos) with rate and names, within every range, feet where they stand.
    """
    if onto is None:
        given = [name for name in ("onto_unit", "roles") if context.params[name] is not None]
        check_options(given, str(source), "goes with --onto")
    check_writable(target.parent)
    for other in (source, onto):
        if other is not None and other.resolve() == target.resolve():
            raise InputError("source and target are the same file", source=target)
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import read_character, read_clip, write_character, write_clip
    from poise.io.formats import format_of
    from poise.io.robot import is_robot, read_robot_description
    from poise.io.usd import SUFFIXES as USD

    if onto is None or not is_robot(onto):
        format_of(target, writing=True)
    if not skin and target.suffix.lower() not in (".glb", *USD):
        check_options(["no_skin"], str(target), f"goes with .glb, {', '.join(USD)}")
    with_skin = skin and target.suffix.lower() in (".glb", *USD)
    said = options.reading(unit, up, animation, rate, mirror)
    with working(f"reading {source}", quiet=json):
        clip, mesh = read_character(source, **said) if with_skin and onto is None else (read_clip(source, **said), None)
    notes = [*clip.source.notes]
    if onto is not None and is_robot(onto):
        check_options(["onto_unit"] if onto_unit else [], str(onto), "goes with a character; robots are in metres")
        robot, named = read_robot_description(onto), options.role_overrides(roles)
        # Slow to import (docs/architecture.md, decision 12).
        from poise.cli.robot import put_onto_robot

        put_onto_robot(clip, target, robot, named, json=json)
        return
    with working(f"writing {target}", quiet=json):
        if onto is None:
            notes += write_character(target, clip, mesh, as_own=True) if with_skin else write_clip(target, clip)
        else:
            own, mesh = read_character(onto, unit=options.parse_unit(onto_unit))
            named = options.role_overrides(roles)
            # Slow to import (docs/architecture.md, decision 12).
            from poise.characters.retarget import retarget_onto

            clip = retarget_onto(clip, own, mesh, target_roles=named)
            notes += _write_moved(target, clip, mesh) if with_skin else write_clip(target, clip)
    if json:
        print_json(
            {"source": str(source), "target": str(target), "frames": len(clip), "rate_hz": clip.rate, "notes": notes}
        )
        return
    say(f"{escape(str(target))}: {len(clip)} frames of {len(clip.skeleton)} joints at {clip.rate:g} Hz")
    for note in notes:
        say(f"  [dim]{escape(note)}[/]")


def _write_moved(target: Path, clip: Clip, mesh: SkinnedMesh | None) -> list[str]:
    """Write a motion in the skin of the character that it was put onto; returns notes."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import write_character
    from poise.io.gltf import read_gltf

    notes = write_character(target, clip, mesh)
    if target.suffix.lower() != ".glb":
        return notes
    *others, added = read_gltf(target).animations
    return notes + ([f"the motion is the animation {added!r}; play it with --animation {added}"] if others else [])
