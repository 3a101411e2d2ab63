"""Where fluid presses and how it turns a body (Fig. 4), and drag against closed forms."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.mannequin import cache_folder, mannequin
from poise.fluid import DragForm, Fluid, FluidVolume, drag_on, named_fluid, polygon_coefficients
from poise.reproductions.bermudez2018.clips import (
    CALIBRATED,
    DEPTHS,
    FLUID_NAMES,
    RUNNERS,
    WALKS,
    late,
    mean_force,
    runners,
    waded,
    walker,
    walks,
)
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.wading import Waded
from poise.wading.skin import BodySkin

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_STEP = 1.0 / 60.0
_DEEP = ("knee", "waist", "chest")
_LONG = 9.0
"""Runs change their speed: they are watched for longer [s]."""


def _center(result: Waded) -> tuple[float, float, float]:
    """Mean height of the center of pressure over the floor, of the hips over it [m], and mean torque forward [N m]."""
    record = result.record
    half = late(record)
    center = record.center[half]
    known = np.isfinite(center[:, 2])
    arm = record.mass_center[half][known, 2] - center[known, 2]
    return float(center[known, 2].mean()), float(arm.mean()), float(record.torque[half, 1].mean())


@claim("the center of pressure of what is submerged", off="WadingOptions(drag=False)", cases=len(WALKS))
def center(trial: Trial) -> Row:
    """On how many walks the center rises and its arm falls."""
    files, holds = walks(trial), 0
    for file in files:
        results = [waded(file, "water", deep, drag=trial.on) for deep in _DEEP]
        if any(mean_force(result.record) <= 0.0 for result in results):
            continue
        measured = np.array([_center(result) for result in results])
        holds += bool((np.diff(measured[:, 0]) > 0.0).all() and (np.diff(measured[:, 1]) < 0.0).all())
    return Row(
        "bermudez2018/center-of-pressure",
        "Deeper water presses higher, with a shorter arm to the hips (Fig. 4): from knee to waist to chest, on all of "
        f"{len(files)} walks",
        None,
        holds / len(files),
        "of the walks",
        holds == len(files),
    )


@claim("torque about the body's own center of mass", off="WadingOptions(hips=True)", cases=len(WALKS))
def torque_by_depth(trial: Trial) -> Row:
    """How much the mean torque differs between depths, on the walk where it does most."""
    spreads = []
    for file in walks(trial):
        torques = np.array([_center(waded(file, "water", deep, hips=trial.off))[2] for deep in _DEEP])
        spreads.append(float(np.ptp(torques) / torques.max()))
    return Row(
        "bermudez2018/torque-by-depth",
        "As the arm falls and the force grows the torque stays nearly the same between water levels: median over the walks of "
        "(largest - smallest) / largest from knee to chest below 30 %, about the center of mass (about the hips, which the "
        "paper takes for it, the arm is a third shorter in deep water)",
        None,
        100.0 * float(np.median(spreads)),
        "%",
        float(np.median(spreads)) < 0.3,
    )


@claim("torque of the force at the center of pressure (Eq. 7)", off="WadingOptions(drag=False)", cases=len(WALKS))
def torque_by_fluid(trial: Trial) -> Row:
    """How far torque is from being in proportion to force across fluids."""
    worst = 0.0
    for file in walks(trial):
        records = [waded(file, fluid, drag=trial.on) for fluid in FLUID_NAMES]
        forces = np.array([mean_force(result.record) for result in records])
        torques = np.array(
            [_center(result)[2] if force > 0.0 else 0.0 for result, force in zip(records, forces, strict=True)]
        )
        arms = torques / np.maximum(forces, 1e-9)
        worst = max(worst, float(np.ptp(arms) / arms.max()) if arms.max() > 0.0 else np.inf)
    return Row(
        "bermudez2018/torque-by-fluid",
        "Torque grows with the fluid's density in proportion to the force: the arm, torque over force, differs between water, "
        "mud and goo by less than 20 % on every walk",
        None,
        100.0 * worst,
        "%",
        worst < 0.2,
    )


@claim(
    "velocity of every triangle, limbs' own included",
    off="drag_on with the body's velocity for all triangles",
    cases=len(WALKS),
)
def swing_side(trial: Trial) -> Row:
    """How often the center lies on the side of the swinging leg."""
    shares = [_towards_swing(waded(file), trial.on) for file in walks(trial)]
    share = float(np.median(shares))
    return Row(
        "bermudez2018/swing-side",
        "The center of pressure goes to and fro between the legs, closer to the one that swings: in the middle of a swing it "
        "lies on that leg's side, in more than 80 % of the time, in the middle of "
        "walks (on two of sixteen in less than half)",
        None,
        100.0 * share,
        "%",
        share > 0.8,
    )


def _towards_swing(result: Waded, limbs: bool) -> float:
    """Share of the time in the middle of swings in which the center of pressure lies on the side of the leg that swings."""
    record, plan = result.record, result.source.plan
    mesh = result.source.skin
    skin = BodySkin(plan, result.source.clip, mesh)
    single = (record.feet[:, :, 2] < 1.0).sum(axis=1) == 1
    number = np.argmin(record.feet[:, :, 2], axis=1)
    middle = np.abs(record.feet[np.arange(len(record)), number, 2] - 0.5) < 0.2
    picked = np.flatnonzero(single & middle & (np.arange(len(record)) > len(record) // 2))[::3]
    right = 0
    for tick in picked:
        frames = body_frames(plan, record.rows[tick : tick + 2])
        before, after = (
            skin.vertices(type(frames)(frames.positions[k : k + 1], frames.rotations[k : k + 1])) for k in (0, 1)
        )
        if not limbs:
            before = after - np.append(record.velocity[tick], 0.0) * record.step
        drag = drag_on(
            after, before, skin.triangles, result.options.volumes[0], record.step, time=float(record.time[tick])
        )
        ahead = record.intended[tick] / np.linalg.norm(record.intended[tick])
        left = np.array([-ahead[1], ahead[0]])
        legs = record.feet[tick, :, :2] @ left
        swings = number[tick]
        side = np.sign(legs[swings] - legs[1 - swings])
        right += bool(side * (float(drag.center[:2] @ left) - legs.mean()) > 0.0)
    return right / max(len(picked), 1)


@claim("drag's torque on the body's pitch", off="WadingOptions(drag=False)", cases=len(WALKS))
def pitch(trial: Trial) -> Row:
    """On how many walks the lean is forward and grows with density."""
    files, holds, least = walks(trial), 0, np.inf
    for file in files:
        leans = []
        for fluid in FLUID_NAMES:
            record = waded(file, fluid, drag=trial.on).record
            leans.append(float(np.degrees(record.angles[late(record), 1].mean())))
        least = min(least, leans[0])
        holds += bool(leans[0] > 0.0 and all(more > less for less, more in pairwise(leans)))
    return Row(
        "bermudez2018/pitch",
        "Who wades leans forward, in denser fluid farther: least lean in water, and the order on every walk",
        None,
        float(least),
        "°",
        holds == len(files),
    )


@claim("drag's torque on the body's pitch", off="WadingOptions(drag=False)", cases=len(RUNNERS))
def pitch_of_runs(trial: Trial) -> Row:
    """On how many runs the lean grows with density where feet push as hard as they are asked to."""
    files, holds = runners(trial), 0
    for file in files:
        servo = replace(waded(file, None).servo, force=1e6)
        records = [waded(file, fluid, seconds=_LONG, servo=servo, drag=trial.on).record for fluid in FLUID_NAMES]
        leans = [float(record.angles[late(record), 1].mean()) for record in records]
        holds += bool(leans[0] > 0.0 and all(more > less for less, more in pairwise(leans)))
    return Row(
        "bermudez2018/pitch-of-runs",
        f"Who runs, too, leans farther in denser fluid, every one of {len(files)}, as long as feet push as hard as they are "
        "asked to. With the friction of shoes they do not: in mud to the knee most runs push with all of it already, and the "
        "fluid bears, so that in goo drag and lean are no more than in mud",
        None,
        holds / len(files),
        "of the runs",
        holds == len(files),
    )


def _subdivided(file: str, form: DragForm) -> float:
    """How much a mesh four times as fine changes the drag of somebody in mud at most."""
    who, result = walker(file), waded(file, "mud")
    mesh = mannequin(who.prepared.source, who.plan, folder=cache_folder())
    skin, changed = BodySkin(who.plan, result.source.clip, mesh), []
    volume, step = result.options.volumes[0], result.record.step
    for tick in range(len(result.record) - 40, len(result.record), 8):
        then, now = (skin.vertices(body_frames(who.plan, row[None])) for row in result.record.rows[tick : tick + 2])
        finer = [trimesh.Trimesh(place, skin.triangles, process=False).subdivide() for place in (now, then)]
        fine = (np.array(finer[0].vertices), np.array(finer[1].vertices), np.array(finer[0].faces, dtype=np.int64))
        coarse = (now, then, skin.triangles)
        forces = [
            drag_on(after, before, faces, volume, step, form=form).force for after, before, faces in (coarse, fine)
        ]
        changed.append(float(np.linalg.norm(forces[1] - forces[0]) / np.linalg.norm(forces[0])))
    return max(changed)


@claim("offset per area, triangles cut at the surface", off="DragForm.PUBLISHED", cases=len(WALKS))
def subdivision(trial: Trial) -> Row:
    """How much a mesh four times as fine changes the drag of a walker in mud, of whom it does most."""
    form = DragForm.YIELD if trial.on else DragForm.PUBLISHED
    changed = max(_subdivided(file, form) for file in walks(trial))
    return Row(
        "bermudez2018/tessellation",
        "Drag does not depend on how fine the mesh is: four triangles for each change every walker's by less than 1 % (as "
        "printed, Eq. 8 adds B for every triangle)",
        None,
        100.0 * changed,
        "%",
        changed < 0.01,
    )


@invariant("Eq. 6", broken="back sides counted as well")
def closed_forms(trial: Trial) -> Row:
    """Sphere, plate and cylinder against ½ ρ C_D A u²."""
    fluid = Fluid(name="plain", density=1000.0, coefficient=1.08)
    volume, speed, worst = FluidVolume(fluid=fluid, level=9.0), 1.5, 0.0
    for mesh, area in (
        (trimesh.creation.icosphere(4, radius=0.2), np.pi * 0.04),
        (trimesh.creation.box((1e-4, 0.3, 0.5)), 0.15),
        (trimesh.creation.cylinder(0.06, 0.45, sections=64), 0.12 * 0.45),
    ):
        vertices, faces = np.array(mesh.vertices), np.array(mesh.faces, dtype=np.int64)
        if trial.off:
            faces = np.concatenate([faces, faces[:, ::-1]])
        force = drag_on(vertices, vertices - [speed * _STEP, 0.0, 0.0], faces, volume, _STEP).force
        worst = max(worst, abs(float(-force[0]) / (0.5 * 1000.0 * 1.08 * area * speed**2) - 1.0))
    return Row(
        "bermudez2018/closed-forms",
        "The drag of a sphere, a plate and a cylinder is the closed form's within 2 %",
        None,
        100.0 * worst,
        "%",
        worst < 0.02,
    )


def _median_coefficients(file: str, offset: bool) -> Array:
    """Median coefficient of a walker's triangles in each fluid, with the fluids' offset or without, shape (fluids,)."""
    who, medians = walker(file), []
    mesh = mannequin(who.prepared.source, who.plan, folder=cache_folder())
    for name in FLUID_NAMES:
        fluid = named_fluid(name) if offset else replace(named_fluid(name), offset=0.0)
        result = waded(file, name)
        skin = BodySkin(who.plan, result.source.clip, mesh)
        volume = replace(result.options.volumes[0], fluid=fluid)
        measured = []
        for tick in range(len(result.record) - 40, len(result.record), 8):
            rows = result.record.rows[tick : tick + 2]
            before, after = (skin.vertices(body_frames(who.plan, row[None])) for row in rows)
            measured.append(polygon_coefficients(after, before, skin.triangles, volume, result.record.step))
        medians.append(float(np.median(np.concatenate(measured))))
    return np.array(medians)


@claim("Eq. 8's offset", off="Fluid(offset=0)", cases=len(WALKS))
def median_coefficients(trial: Trial) -> Row:
    """How much the median coefficient grows from each fluid to the next at least, on any walk."""
    medians = np.array([_median_coefficients(file, trial.on) for file in walks(trial)])
    growth = float((medians[:, 1:] / medians[:, :-1]).min())
    middle = ", ".join(f"{value:.3g}" for value in np.median(medians, axis=0))
    return Row(
        "bermudez2018/median-coefficient",
        "The median C_D of the triangles grows from water to mud to goo (Table 1: 1.08, 38.9, 370, medians over slow and small "
        f"triangles; here {middle} in the middle of walks): at least twofold each time, on every walk",
        "1.08, 38.9, 370",
        growth,
        "×",
        growth > 2.0,
    )


CHECKS = (
    *(center, torque_by_depth, torque_by_fluid, swing_side, pitch, pitch_of_runs),
    *(subdivision, closed_forms, median_coefficients),
)


def picture(folder: Path) -> Path:
    """The way of the center of pressure by depth, as Fig. 4, and its torque."""
    sheet, axes = figure("Center of pressure (Bermudez 2018, Fig. 4)", 1, 2, size=(11.0, 4.2))
    for deep in DEPTHS:
        record = waded(CALIBRATED, "water", deep).record
        half = late(record)
        ahead = record.intended[half] / np.linalg.norm(record.intended[half], axis=1, keepdims=True)
        away = np.sum((record.center[half, :2] - record.mass_center[half, :2]) * ahead, axis=1)
        axes[0, 0].plot(away, record.center[half, 2], label=deep)
        axes[0, 1].plot(record.time[half], record.torque[half, 1], label=deep)
    axes[0, 0].set(xlabel="before the center of mass [m]", ylabel="height [m]", title="its way over the cycles")
    axes[0, 1].set(xlabel="time [s]", ylabel="forward torque [N m]", title="torque about the center of mass")
    for axis in axes.flat:
        axis.legend()
    return save_figure(sheet, folder, "bermudez2018_pressure")
