"""A walk captured on flat ground goes over irregular ground: A as it is, B set onto it (Figs. 22, 23)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.coordinates import generalized_from_clip
from poise.characters.ground import on_ground, phases_of
from poise.io import read_clip
from poise.math import quat
from poise.motion.edit import loop
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.hu2024.film import Line, write_film
from poise.reproductions.hu2024.footing import FootQuality, footing, rough_ground
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character
from poise.world import TerrainGround
from poise.world.render import Camera
from poise.world.scene import SceneSpec

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_GROUNDS = 100
_AMPLITUDE, _SEED = 0.12, 1
"""Half the height between valleys and hills [m]."""


@once
def experiment(seed: int = _SEED) -> tuple[Character, Character, TerrainGround]:
    """A, B and the ground. Four cycles of the shipped walk; the paper's lasts 2.8 s."""
    a = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    ground = rough_ground(a, _AMPLITUDE, seed)
    return a, on_ground(a, ground), ground


@once
def measured(seed: int) -> tuple[FootQuality, FootQuality, FootQuality]:
    """A's and B's figures on a ground, and those of a B of which every tenth frame is A's. All stand when A's clip says so."""
    a = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    ground = rough_ground(a, _AMPLITUDE, seed)
    b, mask = on_ground(a, ground), phases_of(a).mask
    rotations, translations = b.clip.rotations.copy(), b.clip.translations.copy()
    rotations[5::10], translations[5::10] = a.clip.rotations[5::10], a.clip.translations[5::10]
    for shank in b.plan.joints[list(b.plan.with_role("left_shank", "right_shank"))]:
        rotations[5::10, shank] = quat.mul(rotations[5::10, shank], _bent_back(b, int(shank)))
    jumping = replace(b, prepared=replace(b.prepared, clip=b.clip.with_motion(rotations, translations)))
    found = [footing(who, mask, ground) for who in (a, b, jumping)]
    return found[0], found[1], found[2]


def _bent_back(who: Character, joint: int) -> Array:
    """A turn of a shank by 30° to the front about the body's left, in the shank's own frame."""
    left = np.array([0.0, 1.0, 0.0])
    own = who.plan.neutral[list(who.plan.joints).index(joint)]
    return np.asarray(quat.exp(np.radians(-30.0) * quat.rotate(quat.conj(own), left)))


def _worst(trial: Trial, number: Callable[[FootQuality, FootQuality], float], *, broken: bool = False) -> float:
    """Largest of a number over grounds that nothing was tuned on, of A and B; if off B is A, or with `broken` jumps to A."""
    found = []
    for seed in trial.seeds(_GROUNDS):
        a, b, jumping = measured(_SEED + 1 + seed)
        found.append(number(a, b if trial.on else jumping if broken else a))
    return max(found)


@claim("legs set onto the ground", off="CharacterOptions(terrain=False)", cases=_GROUNDS)
def b_penetrates(trial: Trial) -> Row:
    """How deep the feet of the adapted motion go into the ground."""
    deep = 1e3 * _worst(trial, lambda a, b: b.deepest)
    return Row(
        "hu2024/terrain-b-penetration",
        "On grounds that the motion as it is (A) goes into, the adapted one (B) stays (Fig. 23): deepest sole below 5 mm",
        None,
        deep,
        "mm",
        deep < 5.0,
    )


@claim("legs set onto the ground", off="CharacterOptions(terrain=False)", cases=_GROUNDS)
def b_hovers(trial: Trial) -> Row:
    """How far a standing sole is over the ground."""
    away = 1e3 * _worst(trial, lambda a, b: b.hover)
    return Row(
        "hu2024/terrain-b-grounded",
        "B remains grounded (Fig. 23): a standing foot is within 1 cm of the ground",
        None,
        away,
        "mm",
        away < 10.0,
    )


@invariant("legs set onto the ground", broken="every tenth frame is the clip's own", cases=_GROUNDS)
def b_slides(trial: Trial) -> Row:
    """How far a standing foot moves in a frame."""
    moved = 1e3 * _worst(trial, lambda a, b: b.slide, broken=True)
    return Row(
        "hu2024/terrain-b-slide",
        "B's feet stay where they stand: heel or ball moves less than 1 mm a frame",
        None,
        moved,
        "mm",
        moved < 1.0,
    )


@invariant("legs set onto the ground", broken="every tenth frame's shanks are bent back by 30°", cases=_GROUNDS)
def b_knees(trial: Trial) -> Row:
    """Least flexion of B's knees."""
    least = -_worst(trial, lambda a, b: -float(b.knees.min()), broken=True)
    return Row(
        "hu2024/terrain-b-knees",
        "B adjusts as people do (Fig. 23): its knees never bend backwards; least flexion",
        None,
        least,
        "°",
        least >= 0.0,
    )


@invariant("legs set onto the ground", broken="every tenth frame is the clip's own", cases=_GROUNDS)
def b_flips(trial: Trial) -> Row:
    """Largest change of B's knees in a frame beyond A's."""
    beyond = _worst(trial, lambda a, b: _fastest(b) - _fastest(a), broken=True)
    return Row(
        "hu2024/terrain-b-knee-flips",
        "No knee flips: B's fastest change of flexion in a frame, less than 20° beyond A's",
        None,
        beyond,
        "°",
        beyond < 20.0,
    )


@invariant("legs set onto the ground", broken="every tenth frame is the clip's own", cases=_GROUNDS)
def b_jerk(trial: Trial) -> Row:
    """Jerk of B's pelvis over A's."""
    ratio = _worst(trial, lambda a, b: b.jerk / a.jerk, broken=True)
    return Row(
        "hu2024/terrain-b-jerk",
        "B moves smoothly: mean jerk of its pelvis over the clip's, at most 1.5",
        None,
        ratio,
        "×",
        ratio <= 1.5,
    )


def _fastest(one: FootQuality) -> float:
    """Largest change of a knee in a frame [degrees]."""
    return float(np.abs(np.diff(one.knees, axis=0)).max())


CHECKS = (b_penetrates, b_hovers, b_slides, b_knees, b_flips, b_jerk)


def picture(folder: Path) -> Path:
    """A and B at the same moments over the same ground, every 0.4 s."""
    a, b, ground = experiment()
    frames = np.arange(0, len(a.clip), round(0.4 * a.clip.rate))[:8]
    rows = [generalized_from_clip(who.plan, who.clip)[frames] for who in (a, b)]
    cameras = [
        Camera(target=place - np.array([0.0, 0.0, 0.1]), azimuth=np.radians(115.0), elevation=-0.12, distance=4.7)
        for place in rows[0][:, :3]
    ]
    captions = [f"{frame / a.clip.rate:.1f} s" for frame in frames]
    lines = [Line("A, as captured on flat ground", rows[0], captions, cameras)]
    lines.append(Line("B, set onto the ground", rows[1], captions, cameras))
    title = f"A flat walk over hills and valleys {2.0 * _AMPLITUDE:.2f} m apart in height (Hu 2024, Figs. 22, 23)"
    return write_film(folder, "terrain", title, a.plan, lines, SceneSpec(floor=None, terrain=ground.pieces))
