"""One step by depth and by fluid with its speed as a bar (Fig. 5), and the surface a wader drives (Fig. 9)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from poise.body.coordinates import body_frames
from poise.fluid import Wetting
from poise.reproductions.bermudez2018.clips import CALIBRATED, DEPTHS, FLUID_NAMES, late, waded, walks
from poise.reproductions.check import Trial, invariant
from poise.reproductions.once import once
from poise.reproductions.pictures import Strip, figure, painter, save_figure, save_strips, shrunk
from poise.reproductions.row import Row
from poise.signals import Coat, FluidSheet, Mode
from poise.wading import Waded, fluid_sheet
from poise.wading.skin import BodySkin
from poise.world.render import Camera, Overlay
from poise.world.scene import SceneSpec, build_world

__all__ = ["CHECKS", "strip", "surface"]

Array = NDArray[np.float64]

_WHO = "wader"
_TURN = np.radians(180.0 - 55.0)
"""The camera looks at the way from this far aside [rad]."""
_BAR = (24, 96, 214)
_NEAR, _FAR = 0.5, 1.6
"""Behind and before a wader the surface is looked at between these distances [m]."""
_WIDE = 0.5
_TIMES = (2.0, 3.5, 5.0)
_EVERY = 4
"""Ticks from one look at what got wet to the next."""


@once
def _sheet(file: str, fluid: str, depth: str) -> FluidSheet:
    result = waded(file, fluid, depth)
    return fluid_sheet(fluid, result.source, result.source.skin, result.record, result.options.volumes[0])


def _ahead(result: Waded, tick: int) -> Array:
    way = result.record.intended[tick]
    return np.asarray(way / np.linalg.norm(way))


def _moment(result: Waded) -> int:
    """The last tick in which the left foot is in the middle of its swing."""
    shares = result.record.feet[:, 0, 2]
    swings = np.flatnonzero((shares[:-1] < 0.55) & (shares[1:] >= 0.55))
    return int(swings[-1]) if len(swings) else len(shares) - 1


def _picture(fluid: str, depth: str) -> tuple[Image.Image, str]:
    """A wader in mid-swing, its mean speed as a bar beside the whole one, and what it is."""
    result = waded(CALIBRATED, fluid, depth)
    tick, plan, record = _moment(result), result.source.plan, result.record
    row = record.rows[tick + 1]
    skin = BodySkin(plan, result.source.clip, result.source.skin)
    sheet = _sheet(CALIBRATED, fluid, depth)
    world = build_world({_WHO: plan}, SceneSpec(floor=result.source.floor), 0.002)
    world.cut.set([f"{_WHO}/{body}" for body in plan.names], Mode.MOTION)
    whole = world.state().positions
    whole[world.layout(_WHO).positions] = row
    ahead = _ahead(result, tick)
    target = np.array([*record.position[tick], result.source.floor + 0.52 * plan.stature])
    camera = Camera(target=target, azimuth=float(np.arctan2(ahead[1], ahead[0])) + _TURN, elevation=-0.22, distance=4.9)
    vertices = {_WHO: skin.vertices(body_frames(plan, row[None]))}
    coat = _coat(result, skin, sheet, tick)
    overlay = Overlay(coats={} if coat is None else {_WHO: coat})
    with painter(world, {_WHO: result.source.skin}, (sheet,)) as paints:
        pixels = paints.paint(whole, camera, overlay=overlay, vertices=vertices, time=float(record.time[tick]))
    picture = shrunk(pixels)
    draw, (wide, tall) = ImageDraw.Draw(picture), picture.size
    long = wide - 20
    draw.rectangle((10, tall - 18, 10 + long, tall - 8), fill="white", outline=_BAR)
    draw.rectangle((10, tall - 18, 10 + round(long * min(record.remaining, 1.0)), tall - 8), fill=_BAR)
    speed = float(record.speed[late(record)].mean())
    return picture, f"{fluid}, {depth}: {speed:.2f} m/s, {100.0 * record.remaining:.0f} %"


def _coat(result: Waded, skin: BodySkin, sheet: FluidSheet, tick: int) -> Coat | None:
    """What of the skin is wet after a tick."""
    wetting, record = Wetting((sheet,), len(result.source.skin)), result.record
    for number in range(tick % _EVERY, tick + 1, _EVERY):
        frames = body_frames(result.source.plan, record.rows[number + 1][None])
        wetting.advance(skin.vertices(frames), float(record.time[number]))
    return wetting.coat()


def strip(folder: Path) -> Path:
    """The shipped walk by depth and by fluid at the same moment of its step, as Fig. 5."""
    lines = []
    for label, cases in (
        ("by depth", [("water", depth) for depth in DEPTHS]),
        ("by fluid", [(fluid, "knee") for fluid in FLUID_NAMES]),
    ):
        pictures, captions = zip(*(_picture(*case) for case in cases), strict=True)
        lines.append(Strip(f"{label}; bar: speed, of the speed intended", pictures, captions))
    return save_strips(folder, "bermudez2018_strip", "One moment of a step (Bermudez 2018, Fig. 5)", lines)


def surface(folder: Path) -> Path:
    """The surface that a wader to the waist drives, seen from above, as Fig. 9."""
    result, sheet = waded(CALIBRATED, "water", "waist"), _sheet(CALIBRATED, "water", "waist")
    chart, axes = figure("The surface a wader drives (Bermudez 2018, Fig. 9)", len(_TIMES), 1, size=(9.0, 9.5))
    rows, columns = sheet.heights.shape[1:]
    left, bottom = sheet.origin[:2]
    extent = (left, left + sheet.cell * (columns - 1), bottom, bottom + sheet.cell * (rows - 1))
    for axis, time in zip(axes[:, 0], _TIMES, strict=True):
        tick = min(round(time / result.record.step), len(result.record) - 1)
        frame = min(round(time * sheet.rate), len(sheet.heights) - 1)
        image = axis.imshow(
            100.0 * sheet.heights[frame], origin="lower", extent=extent, cmap="RdBu_r", vmin=-4.0, vmax=4.0
        )
        place = result.record.position[tick]
        axis.plot(*place, "k.")
        axis.set(title=f"{time:g} s", ylabel="[m]", xlim=place[0] + [-3.5, 2.0], ylim=place[1] + [-1.6, 1.6])
        chart.colorbar(image, ax=axis, label="height [cm]")
    axes[-1, 0].set(xlabel="[m]")
    return save_figure(chart, folder, "bermudez2018_surface")


@invariant(
    "a surface driven by the body's motion",
    broken="a body that is carried through without displacing anything new",
    cases=9,
)
def wake(trial: Trial) -> Row:
    """How much rougher the surface is behind a wader than before it, on the walk where it is least."""
    ratios = []
    for file in walks(trial):
        result = waded(file, "water", "waist")
        mesh, record = result.source.skin, result.record
        if trial.off:
            record = replace(record, rows=np.repeat(record.rows[:1], len(record.rows), axis=0))
        sheet = fluid_sheet("water", result.source, mesh, record, result.options.volumes[0])
        tick = len(record) - 1
        ahead = _ahead(result, tick)
        ratios.append(
            _roughness(sheet, result.record.position[tick], -ahead)
            / _roughness(sheet, result.record.position[tick], ahead)
        )
    return Row(
        "bermudez2018/wake",
        "A wader to the waist leaves a wake (Fig. 9): behind it the surface is more than twice as rough as before it, on every "
        "walk; the least",
        None,
        float(min(ratios)),
        "times",
        min(ratios) > 2.0,
    )


def _roughness(sheet: FluidSheet, place: Array, way: Array) -> float:
    """Root mean square height of the last surface in a strip that begins beside a place [m]."""
    rows, columns = sheet.heights.shape[1:]
    x = sheet.origin[0] + sheet.cell * np.arange(columns) - place[0]
    y = sheet.origin[1] + sheet.cell * np.arange(rows)[:, None] - place[1]
    along, aside = x * way[0] + y * way[1], y * way[0] - x * way[1]
    part = (along > _NEAR) & (along < _FAR) & (np.abs(aside) < _WIDE)
    return float(np.sqrt(np.mean(np.square(sheet.heights[-1][part])))) + 1e-6


CHECKS = (wake,)
