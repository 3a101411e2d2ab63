"""What can be known to be wrong before any work: folders that cannot be written, options without effect, files in the way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

from poise.cli import options
from poise.cli.acting import ACTING, checked
from poise.cli.request import ORCHESTRA, RunRequest, is_scene
from poise.errors import InputError
from poise.fluid import named_fluid
from poise.scenes.named import CLIPS, SCENE_SUFFIXES, WADE
from poise.wading.depth import check_depth

__all__ = ["check_options", "check_run", "check_writable", "free_folder"]

_ABOUT_MARKERS = ("markers", "markers_up")
_ABOUT_CLIPS = frozenset(
    (
        *("anchor", "tension", "relax", "muscles", "damping", "mass", "stature", "table", "axes", "filter_"),
        *("roles", "unit", "up", "animation", "rate", "mirror", "keep_glitches", "level"),
        *("props", "seed", "cycles", "floor"),
        *ACTING,
        *_ABOUT_MARKERS,
    )
)
_ABOUT_CROWDS = frozenset(("count", "seconds", "soloist"))
_ABOUT_WADING = frozenset(("fluid", "depth"))
_OF_CROWDS = _ABOUT_CROWDS | {"seed", "out", "strip", "video", "limit", "json", "quiet", "verbose"}
_NOT_WADING = frozenset(ACTING)
_WITHOUT_SURROUNDINGS = frozenset(("props", "seed", "floor"))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"--{name.rstrip('_').replace('_', '-')}" for name in sorted(names))


def check_run(request: RunRequest, whats: Sequence[str]) -> None:
    """Check what a run is asked for.

    Raises:
        InputError: An option is none there is, would have no effect, or needs an extra that is not installed; or the results
            cannot be written where they shall be.
    """
    if not ("strip" in request.given) <= request.strip <= 60:
        raise InputError(f"--strip takes 1 to 60 moments; got {request.strip}")
    if request.video and find_spec("imageio_ffmpeg") is None:
        raise InputError("--video needs the extra 'video', which is not installed: pip install 'poise[video]'")
    if request.markers is not None:
        _check_markers(request, whats)
    elif request.markers_up is not None:
        raise InputError("--markers-up goes with --markers")
    for what in whats:
        _check_what(request, what)
    options.parse_root(request.root)
    checked(request.acting)
    if request.fluid is not None:
        named_fluid(request.fluid)
    if request.depth is not None:
        check_depth(request.depth)
    if request.out is not None:
        check_writable(request.out)


def _check_markers(request: RunRequest, whats: Sequence[str]) -> None:
    """Markers belong to one clip as it is: on another skeleton, or several times over, they would lie elsewhere."""
    if len(whats) > 1 or is_scene(whats[0]):
        raise InputError("--markers goes with one clip, that of the same take", source=request.markers)
    others = request.given & {"character", "cycles"}
    check_options(others, str(request.markers), "does not go with --markers, which lie where the clip itself is")


def _check_what(request: RunRequest, what: str) -> None:
    if what == ORCHESTRA:
        check_options(request.given - _OF_CROWDS, what, "has no effect on the orchestra, which is a crowd")
        return
    check_options(request.given & _ABOUT_CROWDS, what, "goes with the orchestra")
    if what != WADE:
        check_options(request.given & _ABOUT_WADING, what, "goes with wade")
    else:
        check_options(request.given & _WITHOUT_SURROUNDINGS, what, "has no effect on wade, which makes its own ground")
        check_options(
            request.given & _NOT_WADING, what, "has no effect on who wades: all of it is led through the fluid"
        )
    named = what not in (*CLIPS, WADE) and (
        is_scene(what) or not (Path(what).suffix or what.startswith(options.SHIPPED))
    )
    if request.character is not None and (named or Path(what).suffix.lower() in SCENE_SUFFIXES):
        raise InputError(f"--character goes with a clip or one of the scenes {', '.join(sorted(CLIPS))}; got {what}")
    if is_scene(what) and what != WADE and request.character is None:
        given = request.given & _ABOUT_CLIPS
        check_options(given, what, "goes with a clip; a scene states its own (see docs/scene-files.md)")


def check_options(given: Iterable[str], what: str, why: str) -> None:
    """Raise `InputError` where options were given that have no effect, naming them."""
    if names := set(given):
        raise InputError(f"{_listed(names)} {why}", source=what)


def check_writable(folder: Path) -> None:
    """Raise `InputError` unless a folder is there and can be written, or can be made."""
    if folder.exists() and not folder.is_dir():
        raise InputError("is no folder to write results into", source=folder)
    above = next((each for each in (folder, *folder.parents) if each.exists()), Path())
    if not above.is_dir():
        raise InputError(f"cannot be made: {above} is no folder", source=folder)
    try:  # What permissions allow a file system may still refuse.
        with TemporaryFile(dir=above):
            pass
    except OSError as error:
        reason = (error.strerror or "permission denied").lower()
        raise InputError(f"cannot be written: {reason}", source=folder if above == folder else above) from None


def free_folder(base: Path, name: str, source: Path | None, taken: Iterable[Path] = ()) -> Path:
    """Where the results of a clip go when nothing is said: a folder with its name that no other clip has.

    Args:
        base: Folder of all results.
        name: Of the clip or scene.
        source: The clip's file.
        taken: Folders that this run uses already.
    """
    folders = set(taken)
    names = [name]
    if source is not None and source.resolve().parent.name:
        names.append(f"{source.resolve().parent.name}_{name}")
    names += [f"{name}_{number}" for number in range(2, 1000)]
    for each in names:
        folder = base / each
        if folder not in folders and _belongs(folder, source):
            return folder
    return base / name


def _belongs(folder: Path, source: Path | None) -> bool:
    """Whether a folder is free, or has earlier results of the same source."""
    try:
        run = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["run"]
        sources = [Path(text).resolve() for text in run["sources"]]
    except (OSError, ValueError, KeyError, TypeError):
        return True
    return source is None or not sources or source.resolve() in sources
