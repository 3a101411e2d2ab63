"""Read the markers of a C3D file. What else it holds (analog channels, force plates, events, angles of a model) is left.

The package c3d does it: pure Python, so a damaged file ends as an exception and never as a crash. What it would believe of such
a file (counts that no file of that size can hold) is looked at before it begins.
"""

from __future__ import annotations

import io
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown
from poise.io.axes import UNITS, UP_AXES, Axes, check_unit, check_up
from poise.io.bvh_text import unique_names
from poise.io.files import read_bytes
from poise.motion.markers import Markers

__all__ = ["is_c3d", "read_markers"]

Array = NDArray[np.float64]

MOST_MARKERS = 4096
_MOST_VALUES = 1 << 27
"""Numbers that all frames together may have."""
_FARTHEST = 1e4
"""Farther from the origin no marker is [m]."""
_MODELLED = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")
"""Lists, in the group POINT, of what a program computed and wrote among the markers."""
_PERSON = 1.5
"""Height of the markers on a standing person [m]."""
_TALLER = 1.25
"""How much taller than wide a cloud must be along an axis for that to be up."""


def is_c3d(path: Path) -> bool:
    """Whether the name says that this is a C3D file."""
    return path.suffix.lower() == ".c3d"


def read_markers(path: str | Path, *, unit: str | float | None = None, up: str | None = None) -> Markers:
    """Read the markers of a C3D file, of any of its number formats.

    Args:
        path: The file.
        unit: A name in `UNITS` or metres per unit; by default what the file says.
        up: The file's up axis, "x", "y" or "z"; by default the one that its SCREEN parameters say, else told from the cloud.

    Returns:
        The markers in Poise's frame; nan where a marker was not seen (residual below zero).

    Raises:
        InputError: With the file, what was wrong and what is allowed.
    """
    file = Path(path)
    metres, axis = None if unit is None else check_unit(unit), None if up is None else check_up(up)
    content = read_bytes(file)
    if find_spec("c3d") is None:
        raise InputError(
            "C3D files need the extra 'c3d', which is not installed: pip install 'poise[c3d]'", source=file
        )
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return _read(content, file, metres, axis)
    except InputError as error:
        raise InputError(error.problem, source=file, place=error.place) from None
    except Exception as error:  # What the package raises on a damaged file has no end.
        raise InputError(f"the C3D file is damaged ({type(error).__name__})", source=file) from None


def _read(content: bytes, file: Path, metres: float | None, up: str | None) -> Markers:
    import c3d

    if content[1] != 0x50:
        raise InputError("this is no C3D file: its second byte is not 0x50")
    reader = c3d.Reader(io.BytesIO(content))
    declared, most = _checked_size(reader, len(content))
    positions = _positions(reader, min(declared, most))
    names, kept, notes = _names(reader)
    if len(positions) < declared:
        notes.append(f"the file declares {declared} frames and has {len(positions)}; those are kept")
    positions = positions[:, kept]
    size = _size(positions)
    metres, unit_reason = (metres, "given by the user") if metres is not None else _unit(reader, size)
    up, up_reason = (up, "given by the user") if up is not None else _up(reader, size)
    placed = Axes(up, metres).lengths_in(positions)
    if np.isnan(placed).all():
        raise InputError("no marker is seen in any frame")
    farthest = float(np.nanmax(np.abs(placed)))
    if farthest > _FARTHEST:
        raise InputError(f"a marker is {farthest:.3g} m away; at most {_FARTHEST:g} m are taken: is the unit right?")
    return Markers(names, _rate(reader), placed, str(file), metres, unit_reason, up, up_reason, tuple(notes))


def _positions(reader: Any, most: int) -> Array:
    """Points (T, M, 3) as the file has them, nan where they were not seen, of at most so many frames."""
    positions = np.full((most, int(reader.point_used), 3), np.nan)
    frames = 0
    for _, points, _ in reader.read_frames(copy=False, analog_transform=False):
        seen = points[:, 3] >= 0.0
        positions[frames, seen] = points[seen, :3]
        frames += 1
        if frames == most:
            break
    if not frames:
        raise InputError("the C3D file has no frame")
    return positions[:frames]


def _checked_size(reader: Any, size: int) -> tuple[int, int]:
    """Frames that are declared and that there can be; raises `InputError` where the file's numbers cannot be."""
    points, frames = int(reader.point_used), int(reader.last_frame) - int(reader.first_frame) + 1
    if not 1 <= points <= MOST_MARKERS:
        raise InputError(f"the C3D file has {points} markers; 1 to {MOST_MARKERS} can be read")
    if frames < 1:
        raise InputError(f"the C3D file declares {frames} frames; at least 1 is needed")
    word = 4 if reader.point_scale < 0 else 2
    most = size // (4 * word * points) + 1
    if min(frames, most) * points * 3 > _MOST_VALUES:
        raise InputError(f"the C3D file has {frames} frames of {points} markers; that is more than can be read at once")
    return frames, most


def _rate(reader: Any) -> float:
    rate = float(reader.point_rate)
    if not 1e-3 <= rate <= 1e5:
        raise InputError(f"the C3D file says {rate:g} frames per second; 0.001 to 100000 are allowed")
    return rate


def _words(reader: Any, name: str) -> list[str]:
    """The texts of a parameter of the group POINT, and of its continuations (LABELS2, …)."""
    group, words = reader.get("POINT"), list[str]()
    for number in ("", *map(str, range(2, 20))):
        parameter = group.get(f"{name}{number}") if group is not None else None
        if parameter is None:
            if number:
                break
            continue
        content = np.atleast_1d(parameter.string_array if len(parameter.dimensions) > 1 else parameter.string_value)
        words += [str(word).replace("\0", "").strip() for word in content.ravel()]
    return words


def _names(reader: Any) -> tuple[tuple[str, ...], list[int], list[str]]:
    """Names of the markers, which of the points they are, and notes."""
    count = int(reader.point_used)
    labels = _words(reader, "LABELS")[:count]
    labels += [""] * (count - len(labels))
    modelled = {word for kind in _MODELLED for word in _words(reader, kind) if word}
    kept = [index for index, label in enumerate(labels) if label not in modelled]
    if not kept:
        raise InputError("the C3D file holds no markers, only what a model computed (angles, forces)")
    names, notes = unique_names([labels[index] or f"marker_{index + 1}" for index in kept])
    notes = [note.replace("joint", "marker") for note in notes]
    if len(kept) < count:
        notes.append(f"{count - len(kept)} points are no markers but what a model computed (angles, forces); left out")
    return names, kept, notes


def _size(positions: Array) -> Array:
    """Extents (3,) of the cloud along the file's axes in an ordinary frame, in its unit."""
    seen = positions[~np.isnan(positions[..., 0]).all(axis=1)]
    if not len(seen):
        return np.zeros(3)
    return np.asarray(np.median(np.nanmax(seen, axis=1) - np.nanmin(seen, axis=1), axis=0))


def _unit(reader: Any, size: Array) -> tuple[float, str]:
    said = next(iter(_words(reader, "UNITS")), "")
    known = {**UNITS, "in": UNITS["inch"], "meters": 1.0, "metres": 1.0, "millimeters": 1e-3, "millimetres": 1e-3}
    if said.lower() in known:
        return known[said.lower()], "the file says it"
    if said:
        raise InputError(
            f"the unit of length is {shown(said)}; known: {', '.join(UNITS)} (--unit says it)",
            place="parameter POINT:UNITS",
        )
    tall = max(float(size.max()), 1e-9)
    best = min(("mm", "cm", "m"), key=lambda name: abs(np.log(tall * UNITS[name] / _PERSON)))
    return UNITS[best], f"{best}: the file does not say; the cloud is {tall:.4g} units long"


def _up(reader: Any, size: Array) -> tuple[str, str]:
    said = next(iter(_words(reader, "Y_SCREEN")), "").upper()
    if said.startswith("+") and said[1:].lower() in UP_AXES:
        return said[1:].lower(), "the file says it (Y_SCREEN)"
    second, first = np.argsort(size)[-2:]
    if size[first] > _TALLER * size[second]:
        return "xyz"[first], f"{'xyz'[first]}: the file does not say; the cloud is longest along it"
    return "z", "z by default: neither the file nor the cloud tells"
