"""An animation of a file as a clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, unknown_name
from poise.io.bvh_text import unique_names
from poise.io.gltf.channels import Channel, read_channels
from poise.io.gltf.container import Document
from poise.io.gltf.entry import Entry
from poise.io.gltf.nodes import Nodes
from poise.io.gltf.rest import Rest
from poise.io.gltf.timing import DEFAULT_RATE, Grid, choose_grid
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["FRAME_RATE", "animation_names", "read_animation"]

Array = NDArray[np.float64]

FRAME_RATE = "frame_rate"
"""What an animation's `extras` call the exact rate [Hz]; key times have 32 bits."""
MOVES = 1e-6
"""A joint is translated where it leaves its place at rest by more than this [m]."""
STIRS = 1e-4
"""An animation moves something where a turn (as quaternion) or a place, in the file's unit, changes by more than this."""
RESCALED = 1e-3


def animation_names(root: Entry) -> tuple[str, ...]:
    """A unique name for each animation."""
    names = [each.text("name") or f"animation_{at}" for at, each in enumerate(root.objects("animations"))]
    return unique_names(names)[0]


def _stated_rate(animation: Entry) -> float | None:
    extras = animation.value.get("extras")
    rate = extras.get(FRAME_RATE) if isinstance(extras, dict) else None
    return float(rate) if isinstance(rate, int | float) and 1e-3 <= rate <= 1e4 else None


def _sampled(channels: list[Channel], grid: Grid, nodes: Nodes, rest: Rest, notes: list[str]) -> tuple[Array, Array]:
    """Local rotations (T, J, 4) and positions (T, J, 3) of the file."""
    joints = list(rest.joints)
    place = {node: joint for joint, node in enumerate(joints)}
    rotations = np.tile(nodes.rotations[joints], (len(grid.times), 1, 1))
    positions = np.tile(nodes.translations[joints], (len(grid.times), 1, 1))
    rescaled = []
    for channel in channels:
        values = channel.at(grid.times, 0.02 / grid.rate)
        if channel.path == "rotation":
            rotations[:, place[channel.node]] = values
        elif channel.path == "translation":
            positions[:, place[channel.node]] = values
        elif np.abs(values / nodes.scales[channel.node] - 1.0).max() > RESCALED:
            rescaled.append(repr(nodes.names[channel.node]))
    if rescaled:
        listed = ", ".join(rescaled[:5]) + (f", … ({len(rescaled)} in all)" if len(rescaled) > 5 else "")
        notes.append(f"the animation changes the scale of {listed}; the scale at rest is kept")
    return rotations, positions


def _moves(channels: list[Channel]) -> bool:
    kept = [channel for channel in channels if channel.path != "scale"]  # scales stay as they are at rest
    return any(np.ptp(channel.values, axis=0).max(initial=0.0) > STIRS for channel in kept)


def _choose(
    name: str | None, names: tuple[str, ...], read: Callable[[str], list[Channel]], notes: list[str]
) -> str | None:
    """The animation to read, by default the first that moves something; None where there is none."""
    if name is not None:
        if name not in names:
            raise unknown_name("animation", name, names)
        return name
    if not names:
        notes.append("the file has no animation; its rest pose is one frame")
        return None
    if len(names) == 1:
        return names[0]
    chosen = next((each for each in names if _moves(read(each))), names[0])
    rest = [each for each in names if each != chosen]
    others = ", ".join(rest[:8]) + (f", … ({len(names)} in all)" if len(names) > 9 else "")
    notes.append(f"animation {chosen!r} is read; choose another with --animation NAME: {others}")
    return chosen


def read_animation(
    document: Document, nodes: Nodes, rest: Rest, skeleton: Skeleton, source: Source, name: str | None
) -> Clip:
    """The animation called `name`, by default the first that moves, as a clip; the rest pose where there is none.

    Raises:
        InputError: With the JSON path where something is wrong; with the known names where `name` is none of them.
    """
    notes: list[str] = []
    names = animation_names(document.root)
    inside = {*nodes.path(rest.joints[0]), *rest.joints}

    def read(animation: str) -> list[Channel]:
        return read_channels(document, document.root.item("animations", names.index(animation)), inside)

    chosen = _choose(name, names, read, notes)
    channels, grid = list[Channel](), Grid(np.zeros(1), DEFAULT_RATE)
    if chosen is not None:
        animation = document.root.item("animations", names.index(chosen))
        channels = read(chosen)
        try:
            times = [channel.times for channel in channels]
            grid = choose_grid(times, _stated_rate(animation), len(skeleton))
        except InputError as error:
            raise animation.bad(error.problem) from None
    rotations, positions = _sampled(channels, grid, nodes, rest, notes)
    positions = rest.positions_in(positions, np.arange(len(skeleton)))
    moved = np.abs(positions - skeleton.offsets).max(axis=(0, 2)) > MOVES
    moved[0] = True
    translated = np.flatnonzero(moved)
    return Clip(
        skeleton=skeleton,
        rate=grid.rate,
        rotations=rest.rotations_in(rotations),
        translations=positions[:, translated],
        translated=translated,
        source=replace(source, notes=(*source.notes, *notes, *grid.notes)),
        name=chosen or document.path.stem,
    )
