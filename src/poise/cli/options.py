"""Command-line options that several commands share, and what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypedDict, cast

import typer

from poise.body.options import BodyOptions
from poise.cli import terminal
from poise.control.root import ROOTS
from poise.control.root import Root as RootName
from poise.control.tension import Tension
from poise.errors import InputError, unknown_name
from poise.fluid import FLUIDS
from poise.parameters import Parameter, declared
from poise.wading import DEPTHS

__all__ = [
    "Anchors",
    "Animation",
    "Balance",
    "BoneAxes",
    "Conducting",
    "Coupling",
    "Damping",
    "Depth",
    "Filter",
    "FluidName",
    "Json",
    "KeepGlitches",
    "Level",
    "Mass",
    "Mirrored",
    "Muscles",
    "Quiet",
    "Rate",
    "Reaching",
    "Reading",
    "RoleMap",
    "Root",
    "Stature",
    "Switching",
    "Table",
    "TensionHz",
    "Unit",
    "Up",
    "Verbose",
    "clip_file",
    "parse_cutoff",
    "parse_root",
    "parse_unit",
    "reading",
    "role_overrides",
]


SHIPPED = "shipped:"


def clip_file(text: str) -> Path:
    """The file that a command names; `shipped:walk` is a clip that comes with Poise, as in scene files."""
    if not text.startswith(SHIPPED):
        return Path(text)
    # Slow to import (docs/architecture.md, decision 12).
    from poise.assets import clip_path

    return clip_path(text.removeprefix(SHIPPED))


def _quiet(wanted: bool) -> None:
    if wanted:
        terminal.set_level(terminal.Level.QUIET)


def _verbose(wanted: bool) -> None:
    if wanted:
        terminal.set_level(terminal.Level.VERBOSE)


def _taken(flag: str, parameter: Parameter, stated: Any) -> Any:
    try:
        return parameter.taken(stated)
    except InputError as error:
        raise InputError(error.problem, source=flag) from error


def _declared(flag: str, kind: type[Any], name: str) -> Any:
    """An option that is a declared parameter: its help and its range are the parameter's."""
    parameter = declared(kind)[name]
    default = f"; {parameter.none} without it" if parameter.none else ""
    help_text = f"{parameter.says[:1].upper()}{parameter.says[1:]}{default} ({parameter.allowed})."

    def taken(stated: Any) -> Any:
        return _taken(flag, parameter, stated)

    return typer.Option(flag, help=help_text, callback=taken)


Json = Annotated[bool, typer.Option("--json", help="Print machine-readable JSON and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", callback=_quiet, help="Say nothing but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", callback=_verbose, help="Say everything.")]
Unit = Annotated[
    str | None, typer.Option("--unit", help="Unit of the file: m, dm, cm, mm, inch, ft, cmu or metres per unit.")
]
Up = Annotated[str | None, typer.Option("--up", help="Up axis of the file: x, y or z.")]
RoleMap = Annotated[Path | None, typer.Option("--roles", help="YAML file that maps joint names to roles.")]
Anchors = Annotated[
    list[str] | None,
    typer.Option("--anchor", help="Joint or role from which everything below is physical; may be repeated."),
]
Animation = Annotated[
    str | None, typer.Option("--animation", help="Which animation of a glTF file; the first without.")
]
Rate = Annotated[float | None, typer.Option("--rate", help="Frames per second [Hz], where the file says it wrongly.")]
Mirrored = Annotated[
    bool | None,
    typer.Option(
        "--mirror/--no-mirror",
        help="Read the file as left-handed data, or as it is; told from toes and knees without the option.",
    ),
]
KeepGlitches = Annotated[
    bool,
    typer.Option(
        "--keep-glitches", help="Play what tracking lost (teleports, pops), and a rest pose in front, as it is."
    ),
]
Level = Annotated[
    bool, typer.Option("--level", help="Take out a steady drift of the level that feet stand at, of the output too.")
]
TensionHz = Annotated[float, _declared("--tension", Tension, "frequency")]
Relax = Annotated[float, _declared("--relax", Tension, "relax")]
Muscles = Annotated[str, _declared("--muscles", Tension, "muscles")]
Damping = Annotated[float, _declared("--damping", Tension, "damping_ratio")]
Mass = Annotated[float | None, _declared("--mass", BodyOptions, "mass")]
Stature = Annotated[float | None, _declared("--stature", BodyOptions, "stature")]
Table = Annotated[str, _declared("--table", BodyOptions, "table")]
BoneAxes = Annotated[str, _declared("--axes", BodyOptions, "axes")]


def _stated(flag: str, says: str, example: str) -> Any:
    """An option whose value is that of a character's key in a scene file."""
    return typer.Option(flag, metavar="YAML", help=f"{says}, as in a scene file, such as '{example}'.")


Balance = Annotated[
    str | None,
    _stated(
        "--balance", "Let the clip's character stand on its own feet, from the beginning or a time on", "{start: 2}"
    ),
]
Conducting = Annotated[
    str | None,
    _stated(
        "--conducting",
        "Let its arms conduct over what the clip does: beats, a text or MIDI file of them, or tempos asked for as time comes",
        "{tempo: [[0, 90], [4, 140]]}",
    ),
]
Reaching = Annotated[
    str | None,
    _stated(
        "--reaching",
        "Let what is physical reach with limited strength: [] for the clip's own hands, feet and hips, or goals",
        "[{part: right_hand, at: [0.4, -0.3, 1.4], during: [1, 2]}]",
    ),
]
Switching = Annotated[
    str | None,
    _stated(
        "--switching",
        "Let joints change hands between clip and physics",
        "[{time: 2, joints: [left_upper_arm], to: motion}]",
    ),
]
Coupling = Annotated[
    str | None,
    _stated(
        "--coupling",
        "What its physical part feels of limbs that follow the clip, where its root does",
        "{mode: composite}",
    ),
]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        help="How pelvis, trunk and legs follow the clip: compliant, with finite force and on feet that step (whoever can, "
        "without the option), kinematic, whatever the forces, or physical, not at all: it comes to stand by its own strength.",
    ),
]
FluidName = Annotated[str | None, typer.Option("--fluid", help=f"With wade, what stands there: {', '.join(FLUIDS)}.")]
Depth = Annotated[str | None, typer.Option("--depth", help=f"With wade, how deep: {', '.join(DEPTHS)}, or meters.")]
Filter = Annotated[str, typer.Option("--filter", help="Low-pass cut-off for the clip [Hz], or off.")]


def parse_root(text: str | None) -> RootName | None:
    """How a root follows its clip, if anything was said.

    Raises:
        InputError: It is none of the ways there are.
    """
    if text is None:
        return None
    for root in ROOTS:
        if text == root:
            return root
    raise unknown_name("root", text, ROOTS)


def parse_unit(text: str | None) -> str | float | None:
    """A unit's name, or a number of metres per unit."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def parse_cutoff(text: str) -> float | None:
    """A frequency [Hz], or None for "off".

    Raises:
        InputError: It is neither, or out of range.
    """
    if text == "off":
        return None
    # Slow to import (docs/architecture.md, decision 12).
    from poise.characters.character import CharacterOptions

    try:
        frequency = float(text)
    except ValueError:
        raise InputError(f"--filter takes a frequency in Hz or 'off'; got {text!r}") from None
    return cast(float, _taken("--filter", declared(CharacterOptions)["cutoff"], frequency))


def role_overrides(roles: Path | None) -> dict[str, str | None] | None:
    """The content of a role map, if one was given."""
    if roles is None:
        return None
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io import read_role_map

    return read_role_map(roles)


class Reading(TypedDict):
    """What the command line says about a file: the arguments of `poise.io.read_clip` and `read_character`."""

    unit: str | float | None
    up: str | None
    animation: str | None
    rate: float | None
    mirrored: bool | None


def reading(
    unit: str | None, up: str | None, animation: str | None, rate: float | None, mirror: bool | None
) -> Reading:
    """How a file is to be read."""
    return {"unit": parse_unit(unit), "up": up, "animation": animation, "rate": rate, "mirrored": mirror}
