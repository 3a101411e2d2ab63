"""A walk captured on flat ground goes over irregular ground: A as it is, B set onto it (Figs. 22, 23)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from poise.assets import clip_path
from poise.body.coordinates import generalized_from_clip
from poise.io import read_clip
from poise.motion.edit import loop
from poise.reproductions.hu2024.film import Line, write_film
from poise.reproductions.hu2024.footing import Footing, footing, rough_ground
from poise.reproductions.row import Row
from poise.runtime import Character
from poise.runtime.ground import on_ground, phases_of
from poise.world import TerrainGround
from poise.world.render import Camera
from poise.world.scene import SceneSpec

__all__ = ["CHECKS", "picture"]

_AMPLITUDE, _SEED = 0.12, 1
"""Half the height between valleys and hills [m]."""


@cache
def experiment() -> tuple[Character, Character, TerrainGround]:
    """A, B and the ground. Four cycles of the shipped walk; the paper's lasts 2.8 s."""
    a = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    ground = rough_ground(a, _AMPLITUDE, _SEED)
    return a, on_ground(a, ground), ground


@cache
def measured() -> tuple[Footing, Footing]:
    """A's and B's figures. Both stand when A's clip says so."""
    a, b, ground = experiment()
    mask = phases_of(a).mask
    return footing(a, mask, ground), footing(b, mask, ground)


def a_penetrates() -> Row:
    """How deep the feet of the motion as it is go into the ground."""
    deep = 1e3 * measured()[0].deepest
    return Row(
        "hu2024/terrain-a-penetration",
        "The motion as it is (A) continuously penetrates irregular ground (Fig. 23): deepest heel or ball, over 1 cm",
        None,
        deep,
        "mm",
        deep > 10.0,
    )


def b_penetrates() -> Row:
    """How deep the feet of the adapted motion go into the ground."""
    deep = 1e3 * measured()[1].deepest
    return Row(
        "hu2024/terrain-b-penetration",
        "The adapted motion (B) stays on the ground (Fig. 23): deepest heel or ball below 5 mm",
        None,
        deep,
        "mm",
        deep < 5.0,
    )


def b_hovers() -> Row:
    """How far a standing sole is over the ground."""
    away = 1e3 * measured()[1].hover
    return Row(
        "hu2024/terrain-b-grounded",
        "B remains grounded (Fig. 23): a standing foot is within 1 cm of the ground",
        None,
        away,
        "mm",
        away < 10.0,
    )


def b_slides() -> Row:
    """How far a standing foot moves in a frame."""
    moved = 1e3 * measured()[1].slide
    return Row(
        "hu2024/terrain-b-slide",
        "B's feet stay where they stand: heel or ball moves less than 1 mm a frame",
        None,
        moved,
        "mm",
        moved < 1.0,
    )


def b_knees() -> Row:
    """Least flexion of B's knees."""
    least = float(measured()[1].knees.min())
    return Row(
        "hu2024/terrain-b-knees",
        "B adjusts as people do (Fig. 23): its knees never bend backwards; least flexion",
        None,
        least,
        "°",
        least >= 0.0,
    )


def b_flips() -> Row:
    """Largest change of B's knees in a frame beyond A's."""
    a, b = (float(np.abs(np.diff(one.knees, axis=0)).max()) for one in measured())
    return Row(
        "hu2024/terrain-b-knee-flips",
        "No knee flips: B's fastest change of flexion in a frame, less than 20° beyond A's",
        None,
        b - a,
        "°",
        b - a < 20.0,
    )


def b_jerk() -> Row:
    """Jerk of B's pelvis over A's."""
    ratio = measured()[1].jerk / measured()[0].jerk
    return Row(
        "hu2024/terrain-b-jerk",
        "B moves smoothly: mean jerk of its pelvis over the clip's, at most 1.5",
        None,
        ratio,
        "×",
        ratio <= 1.5,
    )


CHECKS = (a_penetrates, b_penetrates, b_hovers, b_slides, b_knees, b_flips, b_jerk)


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
