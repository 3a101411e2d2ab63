"""What `poise run` is asked for, and the scene that makes of one of its clips or scenes.

What reads, builds and furnishes is imported where it is first needed (docs/architecture.md, decision 12), so that what is
refused is refused at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from poise.body.options import BodyOptions
from poise.cli import options
from poise.cli.acting import ACTING, acting, checked, coupled
from poise.control.tension import Tension
from poise.errors import InputError, likeliest
from poise.scenes.budget import LIMIT, check_cycles
from poise.scenes.named import CLIPS, SCENE_SUFFIXES, SCENES, WADE, clip_scene, named_scene

if TYPE_CHECKING:
    from poise.characters.options import CharacterOptions
    from poise.motion.clip import Clip
    from poise.motion.markers import Markers
    from poise.motion.skin import SkinnedMesh
    from poise.scenes import Scene

__all__ = ["ORCHESTRA", "RunRequest", "is_scene", "scene_for"]

ORCHESTRA = "orchestra"

_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
"""What a file name cannot have on one system or another; animations are often called `Rig|Walk`."""


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """The options of `poise run`, by the names of its parameters; `given` are those that stand on the command line."""

    given: frozenset[str] = frozenset()
    out: Path | None = None
    strip: int = 0
    video: bool = False
    json: bool = False
    limit: float = LIMIT
    anchor: list[str] | None = None
    tension: float = Tension.frequency
    relax: float = Tension.relax
    muscles: str = Tension.muscles
    damping: float = Tension.damping_ratio
    mass: float | None = BodyOptions.mass
    stature: float | None = BodyOptions.stature
    table: str = BodyOptions.table
    axes: str = BodyOptions.axes
    filter_: str = "12"
    roles: Path | None = None
    unit: str | None = None
    up: str | None = None
    animation: str | None = None
    rate: float | None = None
    mirror: bool | None = None
    keep_glitches: bool = False
    level: bool = False
    seed: int = 0
    character: Path | None = None
    anticipate: bool = False
    breathe: bool = False
    balance: str | None = None
    conducting: str | None = None
    reaching: str | None = None
    switching: str | None = None
    coupling: str | None = None
    root: str | None = None
    props: bool = True
    cycles: int = 1
    floor: float | None = None
    count: int = 300
    seconds: float = 20.0
    soloist: list[int] | None = None
    fluid: str | None = None
    depth: str | None = None
    markers: Path | None = None
    markers_up: str | None = None

    @property
    def acting(self) -> dict[str, str]:
        """What is said in the words of a scene file, by option."""
        return {key: text for key in ACTING if (text := getattr(self, key)) is not None}


def is_scene(what: str) -> bool:
    """Whether this is a scene with a name, or the file of one."""
    return what in (*SCENES, WADE, ORCHESTRA) or Path(what).suffix.lower() in SCENE_SUFFIXES


def scene_for(request: RunRequest, what: str, walk: Path | None = None) -> Scene:
    """The scene to be played.

    Args:
        request: How.
        what: A clip, a scene file or a scene's name.
        walk: The clip that wades, where `what` is that.

    Raises:
        InputError: There is no such thing, or the options do not go with it.
    """
    stated = Path(what).suffix.lower() in SCENE_SUFFIXES
    if stated:
        from poise.scenes import read_scene

        scene = read_scene(Path(what), limit=request.limit)
    elif what == ORCHESTRA:
        from poise.scenes.orchestra import orchestra_scene

        return orchestra_scene(request.count, request.seconds, request.seed, request.soloist or [0])
    elif what in SCENES and request.character is None:
        scene = named_scene(what)
    else:
        scene = _scene_of_clip(request, what, walk)
    if request.anticipate:
        scene = _looking_ahead(scene)
    if request.breathe:
        from poise.scenes import breathing

        scene = breathing(scene)
    if request.acting:
        scene = acting(scene, checked(request.acting))
    # A wader's root is led by what wades; a scene file states its own.
    if request.root is not None or not (scene.wading or scene.groups or stated):
        from poise.scenes import rooted

        scene = rooted(scene, options.parse_root(request.root))
    return scene


def _scene_of_clip(request: RunRequest, what: str, walk: Path | None) -> Scene:
    path = options.clip_file(what) if what != WADE else walk or Path(WADE)
    if what not in (*CLIPS, WADE) and not path.suffix and not path.exists():
        from poise.io import FORMATS

        scenes = sorted([*SCENES, WADE, ORCHESTRA])
        raise InputError(
            f"is neither a file nor a scene{likeliest(what, scenes)}; scenes: {', '.join(scenes)}; clips end in "
            f"{', '.join(FORMATS)}, scene files in .yaml",
            source=what,
        )
    shipped = CLIPS[what]() if what in CLIPS else _shipped_walk() if path == Path(WADE) else None
    clip, mesh = _moving(request, path, shipped)
    markers = _markers(request)
    clip, notes = _repeated(clip, request)
    chosen = _character_options(request)
    if what == WADE:
        from poise.scenes import wade_scene

        fluid, depth = request.fluid or "water", request.depth or "knee"
        scene = wade_scene(clip, chosen, mesh=mesh, fluid=fluid, depth=depth)
    elif what == "trail":
        from poise.scenes import trail

        scene = replace(trail(clip, chosen, mesh=mesh), name=clip.name)
    else:
        scene = clip_scene(
            clip,
            chosen,
            mesh=mesh,
            seed=request.seed,
            props=request.props,
            floor=request.floor,
            limit=request.limit,
        )
    if markers is not None:
        from poise.motion.marker_match import match_markers

        matched = match_markers(markers, clip)
        scene = replace(scene, setting=replace(scene.setting, markers=matched.markers))
        notes += [*matched.markers.notes, *matched.notes]
    return replace(scene, notes=(*scene.notes, *notes))


def _markers(request: RunRequest) -> Markers | None:
    if request.markers is None:
        return None
    from poise.io import read_markers

    return read_markers(request.markers, up=request.markers_up)


def _character_options(request: RunRequest) -> CharacterOptions:
    """What is said about the character.

    Raises:
        InputError: Something of it is out of range.
    """
    from poise.characters.options import ARMS, CharacterOptions

    axes = cast(Literal["motion", "rest"], request.axes)
    return CharacterOptions(
        anchors=tuple(request.anchor) if request.anchor else ARMS,
        tension=Tension(
            frequency=request.tension,
            damping_ratio=request.damping,
            relax=request.relax,
            muscles=cast(Literal["springs", "pairs"], request.muscles),
        ),
        coupling=coupled(checked(request.acting)),
        body=BodyOptions(table=request.table, mass=request.mass, stature=request.stature, axes=axes),
        cutoff=options.parse_cutoff(request.filter_),
        roles=options.role_overrides(request.roles),
        mending=not request.keep_glitches,
        level=request.level,
    )


def _shipped_walk() -> Clip:
    from poise.scenes import shipped_walk

    return shipped_walk()


class _Timing(TypedDict):
    """What is said of a motion, whoever moves."""

    animation: str | None
    rate: float | None
    mirrored: bool | None


def _moving(request: RunRequest, path: Path, shipped: Clip | None) -> tuple[Clip, SkinnedMesh | None]:
    """The clip, on the character's skeleton where one is asked for, with the name of its results, and its skin."""
    from poise.io import read_character

    unit, up, animation, character = options.parse_unit(request.unit), request.up, request.animation, request.character
    timing: _Timing = {"animation": animation, "rate": request.rate, "mirrored": request.mirror}
    name = path.stem if animation is None else _UNSAFE.sub("_", f"{path.stem}_{animation}")
    if character is None:
        clip, mesh = (shipped, None) if shipped else read_character(path, unit=unit, up=up, **timing)
        return replace(clip, name=name), mesh
    source = shipped or read_character(path, **timing).clip
    own, mesh = read_character(character, unit=unit, up=up)
    from poise.characters.retarget import retarget_onto

    clip = retarget_onto(source, own, mesh, target_roles=options.role_overrides(request.roles))
    return replace(clip, name=f"{name}_{character.stem}"), mesh


def _repeated(clip: Clip, request: RunRequest) -> tuple[Clip, list[str]]:
    """The clip as often as asked for; one that was made in place gets its way back."""
    if "cycles" not in request.given:
        return clip, []
    check_cycles(len(clip.skeleton), len(clip), request.cycles)
    from poise.characters.in_place import cycled

    # On a character's own skeleton the roles of the file are about that.
    return cycled(clip, request.cycles, options.role_overrides(request.roles))


def _looking_ahead(scene: Scene) -> Scene:
    """The scene with everybody anticipating; raises `InputError` where somebody does more than follow a clip already."""
    if any(scene.behaviors.values()):
        raise InputError(
            "--anticipate goes with a clip, or a scene in which all just follow their clips (forest, jog, rough, a file "
            "without 'anticipation')",
            source=scene.name,
        )
    from poise.scenes import anticipating

    return anticipating(scene)
