"""Readers of BVH that others made, called as their users call them: a file, and where its joints are."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.io import read_clip, write_clip
from poise.io.bvh_text import unique_names
from poise.motion import loop, trim

__all__ = ["READERS", "Reader", "long_walk", "read_times"]

Array = NDArray[np.float64]

_FRAMES = 1000
"""Of the file that is timed."""
_SLOW = 2.0
"""What takes longer is timed once [s]."""


class Reader(NamedTuple):
    """A reader.

    Args:
        package: Its module.
        read: What it makes of a file.
        place: World positions of that, by joint (T, 3), of at most so many frames.
    """

    package: str
    read: Callable[[Path], Any]
    place: Callable[[Any, int], dict[str, Array]]

    def installed(self) -> bool:
        """Whether it can be called."""
        return find_spec(self.package) is not None

    def positions(self, path: Path, most: int) -> dict[str, Array]:
        """World positions of a file by joint (T, 3) [its units], of at most `most` frames."""
        return self.place(self.read(path), most)


def _by_name(names: Sequence[str], places: Array) -> dict[str, Array]:
    return {name: places[:, joint] for joint, name in enumerate(unique_names(list(names))[0])}


def _own_place(clip: Any, most: int) -> dict[str, Array]:
    # In the unit and axes of the file, whatever those are.
    return _by_name(clip.skeleton.names, clip.world_positions()[0][:most])


def _pybvh(path: Path) -> Any:
    import pybvh

    return pybvh.read_bvh_file(path)


def _pybvh_place(motion: Any, most: int) -> dict[str, Array]:
    return _by_name(motion.joint_names, motion.joint_positions()[:most])


def _pymotion(path: Path) -> Any:
    from pymotion.io.bvh import BVH

    motion = BVH()
    motion.load(str(path))
    return motion


def _pymotion_place(motion: Any, most: int) -> dict[str, Array]:
    from pymotion.ops.skeleton import fk

    rotations, positions, parents, offsets, _, _ = motion.get_data()
    return _by_name(motion.data["names"], fk(rotations[:most], positions[:most, 0], offsets, parents)[0])


def _bvhio(path: Path) -> Any:
    import bvhio

    return bvhio.readAsHierarchy(str(path))


def _bvhio_place(root: Any, most: int) -> dict[str, Array]:
    first, last = root.getKeyframeRange()
    joints = [joint for joint, _, _ in root.layout()]
    frames = []
    for frame in range(first, min(last + 1, first + most)):
        root.loadPose(frame)
        frames.append([list(joint.PositionWorld) for joint in joints])
    return _by_name([joint.Name for joint in joints], np.array(frames))


READERS: dict[str, Reader] = {
    "poise": Reader("poise", lambda path: read_clip(path, unit=1.0, up="z", mirrored=False), _own_place),
    "pybvh": Reader("pybvh", _pybvh, _pybvh_place),
    "upc-pymotion": Reader("pymotion", _pymotion, _pymotion_place),
    "bvhio": Reader("bvhio", _bvhio, _bvhio_place),
}
"""By the name of the package, ours first."""


def read_times(names: Sequence[str], repetitions: int) -> dict[str, tuple[float, float]]:
    """Time to read a file, and to read it and place all its joints in the world [s], the shortest of some, by reader.

    The file is the shipped walk over and over, `_FRAMES` frames of it. Ours is timed as a user calls it, guesses of unit, axes
    and side of the body included. Readers take turns, so that all see the same machine.
    """
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = long_walk(Path(folder))
        for name in names:
            import_module(READERS[name].package)
        read_clip(path).world_positions()  # compiles
        for number in range(repetitions + 1):
            for name in names:
                if number and times[name] and times[name][0][1] > _SLOW:
                    continue
                reader = READERS[name]._replace(read=read_clip) if name == "poise" else READERS[name]
                begin = perf_counter()
                motion = reader.read(path)
                between = perf_counter()
                reader.place(motion, _FRAMES)
                done = perf_counter()
                # The first is for what is loaded later still, which is nothing to a slow one.
                if number or done - begin > _SLOW:
                    times[name].append((between - begin, done - begin))
    return {name: (min(row[0] for row in rows), min(row[1] for row in rows)) for name, rows in times.items()}


def long_walk(folder: Path) -> Path:
    """The shipped walk as a BVH file of a thousand frames."""
    cycle = read_clip(clip_path("walk"))
    path = folder / "walk.bvh"
    write_clip(path, trim(loop(cycle, -(-_FRAMES // len(cycle)) + 1), 0, _FRAMES))
    return path
