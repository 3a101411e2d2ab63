"""`poise demo` and `poise run`: play a clip or a scene and write what came out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.markup import escape

from poise.cli import options
from poise.cli.terminal import compiling, complain, print_json, progress_bar, say
from poise.errors import InputError, likeliest
from poise.io import FORMATS, read_character
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh
from poise.report.clip_warnings import clip_warnings
from poise.report.outputs import Outputs, protect_sources, write_outputs
from poise.report.page import write_report
from poise.report.run_summary import summarize_run
from poise.report.strip import write_strip
from poise.report.video import NoEncoder, write_video
from poise.report.wading import wading_story, write_wading
from poise.runtime.budget import LIMIT, check_budget, estimate
from poise.runtime.character import Character
from poise.runtime.retarget import retarget_onto
from poise.runtime.session import Session
from poise.runtime.warm import timed_run
from poise.scenes import (
    CLIPS,
    SCENE_SUFFIXES,
    SCENES,
    WADE,
    Scene,
    anticipating,
    clip_scene,
    named_scene,
    read_scene,
    rooted,
    shipped_walk,
    wade_scene,
)
from poise.world.render import NoRenderer

__all__ = ["STRIP_MOMENTS", "demo", "run"]

STRIP_MOMENTS = 8
_LONG = 20.0
"""A run that takes longer says so before it begins [s]."""
_ORCHESTRA = "orchestra"

Out = Annotated[Path | None, typer.Option("--out", help="Folder for the results.")]
Strip = Annotated[
    int, typer.Option("--strip", help="Draw a contact sheet of this many moments (8 without a number).", metavar="[N]")
]


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for the results.")] = Path("out/forest"),
    json: options.Json = False,
) -> None:
    """Walk the shipped clip through a forest; results in out/forest/."""
    _play(rooted(named_scene("forest")), out, STRIP_MOMENTS, json)


_FOR_CLIPS = (
    *("anchor", "tension", "damping", "mass", "stature", "table", "filter_"),
    *("roles", "unit", "up", "animation", "rate", "mirror", "keep_glitches", "level", "props"),
)
"""Options that a scene states itself."""


def run(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            help=f"A clip, a scene file (.yaml) or the name of a scene: {', '.join(sorted((*SCENES, WADE, _ORCHESTRA)))}.",
            metavar="CLIP|SCENE",
        ),
    ],
    walk: Annotated[
        Path | None,
        typer.Argument(help="With wade: the walk or run that wades, the shipped walk by default.", metavar="CLIP"),
    ] = None,
    out: Out = None,
    strip: Strip = 0,
    anchor: options.Anchors = None,
    tension: options.TensionHz = 3.0,
    damping: options.Damping = 0.8,
    mass: options.Mass = None,
    stature: options.Stature = None,
    table: options.Table = "deleva_male",
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
    video: Annotated[bool, typer.Option("--video", help="Write an mp4 film (extra 'video').")] = False,
    character: Annotated[
        Path | None,
        typer.Option("--character", help="Who moves: a skinned glTF file; --unit, --up and --roles are then about it."),
    ] = None,
    anticipate: Annotated[
        bool,
        typer.Option("--anticipate", help="Let everybody see what comes and answer it with hands, trunk and pace."),
    ] = False,
    root: options.Root = None,
    props: Annotated[bool, typer.Option("--props/--no-props", help="Whether to furnish a clip's surroundings.")] = True,
    count: Annotated[int, typer.Option("--count", min=1, help="How many conductors the orchestra has.")] = 300,
    seconds: Annotated[float, typer.Option("--seconds", help="How long the orchestra plays.")] = 20.0,
    fluid: options.FluidName = None,
    depth: options.Depth = None,
    limit: Annotated[
        float, typer.Option("--limit", min=0.0, help="Memory [GB] the run may take; what would take more is refused.")
    ] = LIMIT,
    json: options.Json = False,
) -> None:
    """Play a clip or a scene with its physics; motion, recording and metrics go into a folder.

    Options about the body and its muscles are for clips; a scene file states its own.
    """
    if strip < 0 or strip > 60:
        raise InputError(f"--strip takes 1 to 60 moments; got {strip}")
    if what == _ORCHESTRA:
        # Imported here: its kernels have signatures, so that they would be loaded at every start of the command line.
        from poise.cli.orchestra import play_orchestra

        play_orchestra(out or Path("out") / _ORCHESTRA, count, seconds, seed, json)
        return
    if what != WADE and (walk or fluid or depth):
        raise InputError(f"a second clip, --fluid and --depth go with wade; got them with {what}")
    path = Path(what) if what != WADE else walk or Path(WADE)
    if character is not None and what not in (*CLIPS, WADE) and path.suffix.lower() in (*SCENE_SUFFIXES, ""):
        raise InputError(f"--character goes with a clip or one of the scenes {', '.join(sorted(CLIPS))}; got {what}")
    if character is None and (what in SCENES or path.suffix.lower() in SCENE_SUFFIXES):
        _refuse_clip_options(context, what)
    if path.suffix.lower() in SCENE_SUFFIXES:
        scene = read_scene(path)
    elif what in SCENES and character is None:
        scene = named_scene(what)
    elif what != WADE and character is None and not path.suffix and not path.exists():
        scenes = sorted([*SCENES, WADE, _ORCHESTRA])
        raise InputError(
            f"is neither a file nor a scene{likeliest(what, scenes)}; scenes: {', '.join(scenes)}; clips end in "
            f"{', '.join(FORMATS)}, scene files in .yaml",
            source=what,
        )
    else:
        chosen = options.character_options(
            anchors=anchor,
            tension=tension,
            damping=damping,
            mass=mass,
            stature=stature,
            table=table,
            cutoff=filter_,
            roles=roles,
            mending=not keep_glitches,
            level=level,
        )
        named = path.stem if animation is None else f"{path.stem}_{animation}"
        given = _Given(options.parse_unit(unit), up, animation, rate, mirror)
        own = CLIPS[what]() if what in CLIPS else shipped_walk() if path == Path(WADE) else None
        clip, mesh = _mover(path, own, given, character, roles)
        named = named if character is None else f"{named}_{character.stem}"
        clip = replace(clip, name=named)
        if what == WADE:
            scene = wade_scene(clip, chosen, mesh=mesh, fluid=fluid or "water", depth=depth or "knee")
        else:
            scene = clip_scene(clip, chosen, mesh=mesh, seed=seed, props=props)
    if anticipate:
        scene = _looking_ahead(scene)
    # A wader's root is led by what wades; a scene file states its own.
    if root is not None or not (scene.wading or path.suffix.lower() in SCENE_SUFFIXES):
        scene = rooted(scene, options.parse_root(root))
    _play(scene, out or Path("out") / scene.name, strip, json, video=video, limit=limit)


def _looking_ahead(scene: Scene) -> Scene:
    """The scene with everybody anticipating; raises `InputError` where somebody does more than follow a clip already."""
    if any(scene.behaviors.values()):
        raise InputError(
            "--anticipate goes with a clip, or a scene in which all just follow their clips (forest, jog, rough, a file "
            "without 'anticipation')",
            source=scene.name,
        )
    return anticipating(scene)


def _refuse_clip_options(context: typer.Context, scene: str) -> None:
    """Raise `InputError` for options that were given beside a scene, which states what they say itself."""
    sources = {name: context.get_parameter_source(name) for name in _FOR_CLIPS}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if given:
        listed = ", ".join(f"--{name.rstrip('_').replace('_', '-')}" for name in given)
        raise InputError(f"{listed} goes with a clip; a scene states its own (see docs/scene-files.md)", source=scene)


class _Given(NamedTuple):
    """What was said about a file."""

    unit: str | float | None
    up: str | None
    animation: str | None
    rate: float | None
    mirrored: bool | None


def _mover(
    path: Path, own: Clip | None, given: _Given, character: Path | None, roles: Path | None
) -> tuple[Clip, SkinnedMesh | None]:
    """A motion and a skin: those of a file, or the motion on the skeleton of a character's file and its skin.

    With a character, unit and up axis are said of its file.
    """
    if character is None:
        return (own, None) if own else read_character(path, **given._asdict())
    source = own or read_character(path, **given._replace(unit=None, up=None)._asdict()).clip
    body, mesh = read_character(character, unit=given.unit, up=given.up)
    return retarget_onto(source, body, mesh, target_roles=options.role_overrides(roles)), mesh


def _play(scene: Scene, folder: Path, strip: int, quiet: bool, *, video: bool = False, limit: float = LIMIT) -> None:
    protect_sources(folder, scene.name, scene.characters)
    budget = estimate(scene.characters, scene.setting, scene.substep)
    check_budget(budget, limit)
    if budget.work > _LONG:
        say(f"[dim]{escape(str(budget))}[/]", quiet=quiet)
    with compiling(quiet=quiet):
        session = scene.session()
        with progress_bar(scene.name, quiet=quiet) as progress:
            run = timed_run(session, progress)
        _write(scene, folder, session, run.seconds, strip, quiet, video, run.failure)


def _write(
    scene: Scene,
    folder: Path,
    session: Session,
    elapsed: float,
    strip: int,
    quiet: bool,
    video: bool,
    failure: str,
) -> None:
    """Write what came out of a run, and tell it."""
    outputs = write_outputs(folder, scene.name, session, elapsed)
    files = list(outputs.files)
    notes = [note for who in scene.characters.values() for note in _notes(who)]
    notes += [*outputs.notes, *scene.notes]
    for name, waded in scene.wading.items():
        files.append(folder / f"{name}_wading.csv")
        write_wading(files[-1], waded.record)
        notes.append(wading_story(name, waded))
    if strip:
        files += _draw(folder / f"{scene.name}.png", session, strip, scene.name, outputs, notes)
    files += _report(folder / "report.html", session, scene.name, outputs, files, notes)
    if video:
        files += _film(folder / f"{scene.name}.mp4", session, notes, quiet)
    _tell(scene, session, outputs, files, notes, quiet)
    if failure:
        complain(f"{failure}; the {len(session.recording())} good ticks before it were saved in {folder}")
        raise typer.Exit(1)


def _notes(who: Character) -> list[str]:
    """What there is to say about a character's clip."""
    return [*who.clip.source.notes, *who.prepared.notes, *clip_warnings(who.plan, who.clip, who.floor)]


def _draw(path: Path, session: Session, moments: int, title: str, outputs: Outputs, notes: list[str]) -> list[Path]:
    if not len(session.recording()):
        notes.append("no contact sheet: a clip of one frame has nothing to play")
        return []
    try:
        speed = outputs.metrics["run"]["real_time_factor"]
        write_strip(path, session, moments=moments, title=title, speed=speed)
    except NoRenderer as error:
        notes.append(f"no contact sheet: {error}")
        return []
    return [path]


def _report(
    path: Path, session: Session, title: str, outputs: Outputs, files: list[Path], notes: list[str]
) -> list[Path]:
    if not len(session.recording()):
        notes.append("no report: a clip of one frame has nothing to play")
        return []
    sheet = next((file for file in files if file.suffix == ".png"), None)
    write_report(path, session, outputs.metrics, sheet, title=title, notes=notes)
    return [path]


def _film(path: Path, session: Session, notes: list[str], quiet: bool) -> list[Path]:
    try:
        with progress_bar("film", quiet=quiet) as progress:
            write_video(path, session, progress)
    except (NoRenderer, NoEncoder) as error:
        notes.append(f"no film: {error}")
        return []
    return [path]


def _tell(scene: Scene, session: Session, outputs: Outputs, files: list[Path], notes: list[str], quiet: bool) -> None:
    if quiet:
        result: dict[str, Any] = {
            "scene": scene.name,
            **outputs.metrics,
            "notes": notes,
            "files": [str(f) for f in files],
        }
        print_json(result)
        return
    for line in summarize_run(scene.name, session, outputs.metrics):
        say(line)
    for note in notes:
        say(f"  [dim]{escape(note)}[/]")
    say("Written:")
    for file in files:
        say(f"  {escape(str(file))}")
