"""`poise demo` and `poise run`: play clips or scenes and write what comes out."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from poise.body.options import BodyOptions
from poise.cli import options
from poise.cli.preflight import check_run, free_folder
from poise.cli.request import ORCHESTRA, RunRequest, is_scene, scene_for
from poise.cli.terminal import working
from poise.control.tension import Tension
from poise.errors import InputError
from poise.scenes.budget import LIMIT
from poise.scenes.named import SCENES, WADE, named_scene

__all__ = ["EXAMPLES", "STRIP_MOMENTS", "demo", "run"]

STRIP_MOMENTS = 8
_RESULTS = Path("out")
_NAMED = sorted((*SCENES, WADE, ORCHESTRA))

EXAMPLES = """\b
Examples:
  poise run dance.bvh --strip                 a report, the motion, and a contact sheet in out/dance/
  poise run dance.bvh --tension 8             arms that hardly give way; at 1 Hz they give way easily
  poise run dance.bvh --relax 0.8             arms that hang and drag
  poise run walk.bvh --cycles 6               a cycle that was made in place gets its way back
  poise run knight.glb --animation Walking_A  a skinned character in its own skin
  poise run take.bvh --markers take.c3d       the capture's markers beside the character
  poise run takes/*.bvh --out results         many clips, each into its own folder, and a summary
  poise run garden                            a scene that comes with Poise
  poise run my_scene.yaml                     a scene of your own (docs/scene-files.md)
"""


def _complete(incomplete: str) -> list[str]:
    """Names of scenes that begin so; files are completed by the shell."""
    return [name for name in _NAMED if name.startswith(incomplete)]


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for the results.")] = _RESULTS / "forest",
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Walk the shipped clip through a forest; results in out/forest/."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.cli.play import Wanted, play
    from poise.scenes import rooted

    _ended(play(rooted(named_scene("forest")), out, Wanted(STRIP_MOMENTS, json=json)).failure)


def run(
    context: typer.Context,
    what: Annotated[
        list[str],
        typer.Argument(
            help=f"Clips, scene files (.yaml), or names of scenes: {', '.join(_NAMED)}. With wade, the clip that wades.",
            metavar="CLIP|SCENE…",
            autocompletion=_complete,
        ),
    ],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the results; out/NAME without it.")] = None,
    strip: Annotated[
        int,
        typer.Option("--strip", help="Draw a contact sheet of this many moments (8 without a number).", metavar="[N]"),
    ] = 0,
    cycles: Annotated[
        int,
        typer.Option("--cycles", min=1, help="Play a cyclic clip so often; one made in place gets its way back."),
    ] = 1,
    anchor: options.Anchors = None,
    tension: options.TensionHz = Tension.frequency,
    relax: options.Relax = Tension.relax,
    muscles: options.Muscles = Tension.muscles,
    damping: options.Damping = Tension.damping_ratio,
    mass: options.Mass = BodyOptions.mass,
    stature: options.Stature = BodyOptions.stature,
    table: options.Table = BodyOptions.table,
    axes: options.BoneAxes = BodyOptions.axes,
    filter_: options.Filter = "12",
    roles: options.RoleMap = None,
    unit: options.Unit = None,
    up: options.Up = None,
    animation: options.Animation = None,
    rate: options.Rate = None,
    mirror: options.Mirrored = None,
    keep_glitches: options.KeepGlitches = False,
    level: options.Level = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Varies the surroundings made for a clip.")] = 0,
    floor: Annotated[
        float | None,
        typer.Option("--floor", min=-1e4, max=1e4, help="Height of the ground [m]; found from the feet without it."),
    ] = None,
    video: Annotated[bool, typer.Option("--video", help="Write an mp4 film (extra 'video').")] = False,
    character: Annotated[
        Path | None,
        typer.Option(
            "--character",
            help="Who moves: a skinned glTF, FBX or USD file; --unit, --up and --roles are then about it.",
        ),
    ] = None,
    anticipate: Annotated[
        bool,
        typer.Option("--anticipate", help="Let everybody see what comes and answer it with hands, trunk and pace."),
    ] = False,
    breathe: Annotated[
        bool,
        typer.Option("--breathe", help="Let everybody breathe, and sway over their feet while they stand."),
    ] = False,
    balance: options.Balance = None,
    conducting: options.Conducting = None,
    reaching: options.Reaching = None,
    switching: options.Switching = None,
    coupling: options.Coupling = None,
    root: options.Root = None,
    markers: Annotated[
        Path | None,
        typer.Option(
            "--markers", help="Markers of the same take (.c3d), to be shown and kept beside the clip (extra 'c3d')."
        ),
    ] = None,
    markers_up: Annotated[
        str | None, typer.Option("--markers-up", help="Up axis of the markers' file: x, y or z.")
    ] = None,
    props: Annotated[bool, typer.Option("--props/--no-props", help="Whether to furnish a clip's surroundings.")] = True,
    count: Annotated[int, typer.Option("--count", min=1, help="How many conductors the orchestra has.")] = 300,
    seconds: Annotated[float, typer.Option("--seconds", help="How long the orchestra plays.")] = 20.0,
    soloist: Annotated[
        list[int] | None,
        typer.Option(
            "--soloist",
            min=0,
            help="Which of the orchestra's conductors is watched, from 0; 0 without it, may be repeated.",
        ),
    ] = None,
    fluid: options.FluidName = None,
    depth: options.Depth = None,
    limit: Annotated[
        float, typer.Option("--limit", min=0.0, help="Memory [GB] the run may take; what would take more is refused.")
    ] = LIMIT,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Play clips or scenes with their physics; motion, recording, metrics and a report go into a folder.

    Options about the body and its muscles are for clips; a scene file states its own. Of several clips each gets a folder of
    its own; a bad one does not stop the rest.
    """
    values = dict(locals())
    known = {field.name for field in fields(RunRequest)}
    sources = {name: context.get_parameter_source(name) for name in context.params if name != "what"}
    given = frozenset(name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE")
    request = RunRequest(given=given, **{name: value for name, value in values.items() if name in known})
    wades = what[0] == WADE
    check_run(request, what[:1] if wades else what)
    if len(what) == 1 or wades:
        _one(request, what)
    elif ORCHESTRA in what or WADE in what:
        raise InputError(f"{ORCHESTRA} and {WADE} are played alone; got {len(what)} things to play")
    else:
        from poise.cli.batch import play_all

        _ended(play_all(request, what, out or _RESULTS))


def _one(request: RunRequest, what: list[str]) -> None:
    """One clip or scene; with wade the second is the clip that wades."""
    if len(what) > 2:
        raise InputError(f"{WADE} takes one clip; got {len(what) - 1}")
    first, walk = what[0], options.clip_file(what[1]) if len(what) > 1 else None
    with working(f"reading {walk or first}", quiet=request.json):
        scene = scene_for(request, first, walk)
    source = walk if first == WADE else None if is_scene(first) else options.clip_file(first)
    folder = request.out or free_folder(_RESULTS, scene.name, source)
    # Slow to import (docs/architecture.md, decision 12).
    from poise.cli.play import Wanted, play

    wanted = Wanted(request.strip, request.video, request.json, request.limit)
    _ended(play(scene, folder, wanted).failure)


def _ended(problem: str | int) -> None:
    """End with an exit code where something went wrong: 1 for a run that broke off."""
    if problem:
        raise typer.Exit(problem if isinstance(problem, int) else 1)
