"""What there is to tell and to keep of somebody's wading."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root import VelocityRoot
from poise.io import write_bytes
from poise.io.gltf.shapes import write_shapes
from poise.io.usd import write_usd_shapes
from poise.runtime.session import Session
from poise.signals import FluidSheet
from poise.wading import Waded, WadingLaw, WadingOptions, WadingRecord

__all__ = ["live_stories", "live_waders", "wading_story", "write_sheet", "write_wading"]

Array = NDArray[np.float64]

_MOST_NODES, _MOST_MOMENTS = 2500, 100
_RATE = 8.0
"""Of an exported surface: nodes, moments, and moments per second."""


def wading_story(name: str, waded: Waded) -> str:
    """One line: how fast, against what, leaning how far."""
    return _story(name, waded.record, waded.options, waded.source.floor, waded.servo.mass)


def live_waders(session: Session) -> dict[str, WadingRecord]:
    """The ways of those who waded while a session ran, by name."""
    laws = {name: root.law for name, root in session.roots.items() if isinstance(root, VelocityRoot)}
    records = {name: law.record for name, law in laws.items() if isinstance(law, WadingLaw)}
    return {name: record for name, record in records.items() if record is not None}


def live_stories(session: Session) -> list[str]:
    """A line about each who waded while a session ran, and about each whom its fluids do nothing to."""
    if session.fluids is None:
        return []
    lines, records = [], live_waders(session)
    for name, who in session.characters.items():
        root = session.roots.get(name)
        if root is None:
            lines.append(f"{name} has no compliant root: the fluids do nothing to it")
        elif not isinstance(root, VelocityRoot):
            lines.append(f"{name} shows no steps: the fluids do nothing to it")
        elif name in records and isinstance(root.law, WadingLaw):
            wader = root.law.wader
            lines.append(_story(name, records[name], wader.options, who.floor, wader.servo.mass))
    return lines


def _story(name: str, record: WadingRecord, options: WadingOptions, floor: float, mass: float) -> str:
    wet = np.flatnonzero(record.volume > 0.0)
    counted = wet[len(wet) // 2 :] if len(wet) else np.arange(len(record) // 2, len(record))
    speed, wanted = float(record.speed[counted].mean()), float(np.linalg.norm(record.intended[counted], axis=1).mean())
    fluids = " and ".join(
        f"{volume.fluid.name} {100.0 * (volume.level - floor):.0f} cm deep" for volume in options.volumes
    )
    drag = float(np.linalg.norm(record.force[counted], axis=1).mean())
    how = f"wades in {fluids}" if fluids else f"goes with {options.pack:g} kg on its back"
    against = f"against {drag:.0f} N" if fluids else f"weighing {mass:.0f} kg"
    shoves = "".join(
        f", shoved with {np.hypot(*push.force) * push.duration:.0f} N s at {push.time:.1f} s" for push in options.pushes
    )
    return (
        f"{name} {how}: {speed:.2f} m/s, {100.0 * speed / max(wanted, 1e-9):.0f} % of the speed intended, {against}, "
        f"leaning {np.degrees(record.angles[counted, 1].mean()):.0f}° forward{shoves}"
    )


def write_wading(path: Path, record: WadingRecord) -> None:
    """Write a wader's way as a table, a line per tick; angles in degrees, everything else in SI units.

    Raises:
        InputError: The file cannot be written.
    """
    columns = {
        "time": record.time,
        "clip_time": record.clip_time,
        **_split("position", record.position),
        **_split("velocity", record.velocity),
        "speed": record.speed,
        "intended_speed": np.linalg.norm(record.intended, axis=1),
        "yaw": np.degrees(record.angles[:, 0]),
        "behind_in_turns": np.degrees(record.behind),
        "pitch": np.degrees(record.angles[:, 1]),
        **_split("drag", record.force),
        **_split("center_of_pressure", record.center),
        "torque_yaw": record.torque[:, 0],
        "torque_pitch": record.torque[:, 1],
        "submerged_volume": record.volume,
        "left_step": record.feet[:, 0, 2],
        "right_step": record.feet[:, 1, 2],
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow("" if np.isnan(value) else f"{value:.6g}" for value in row)
    write_bytes(path, text.getvalue().encode())


def write_sheet(path: Path, sheet: FluidSheet, codes: float | None = None) -> None:
    """Write a fluid's surface as a GLB or USD whose mesh changes its shape, with fewer nodes and moments than it has.

    Args:
        path: How it ends says which.
        sheet: The surface.
        codes: Of a USD, time codes per second; see `write_usd_shapes`.

    Raises:
        InputError: The file cannot be written.
    """
    frames, rows, columns = sheet.heights.shape
    thin = max(1, int(np.ceil(np.sqrt(rows * columns / _MOST_NODES))))
    every = max(1, round(sheet.rate / _RATE), -(-frames // _MOST_MOMENTS))
    few = replace(
        sheet, heights=sheet.heights[::every, ::thin, ::thin], cell=sheet.cell * thin, rate=sheet.rate / every
    )
    shapes = np.array([few.vertices(moment / few.rate) for moment in range(len(few.heights))])
    looks = (*sheet.color, sheet.opacity)
    if path.suffix == ".glb":
        write_shapes(path, sheet.name, shapes, few.triangles(), few.rate, looks)
    else:
        write_usd_shapes(path, sheet.name, shapes, few.triangles(), few.rate, looks, codes)


def _split(name: str, values: Array) -> dict[str, Array]:
    return {f"{name}_{axis}": values[:, number] for number, axis in enumerate("xyz"[: values.shape[1]])}
