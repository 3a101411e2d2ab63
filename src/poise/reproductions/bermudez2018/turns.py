"""How wide somebody turns in fluid that leaves little weight on the feet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.characters.character import Character
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import travelling_joint, trim
from poise.reproductions.bermudez2018.clips import CALIBRATED, WALKS, fluid_around, walker
from poise.reproductions.bermudez2018.gait import drift
from poise.reproductions.check import Trial, claim
from poise.reproductions.motion.clips import data_folder
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.wading import Waded, WadingOptions, wade

__all__ = ["CHECKS"]

Array = NDArray[np.float64]

TURNS = (
    "bandai-namco/dataset-2_walk-turn-right_normal_001.bvh",
    "hello-avatar/walk_hurt_rl.bvh",
    "hello-avatar/jog_lsw.bvh",
    *(f"hello-avatar/LocomotionFlat01_000.bvh#{begin}" for begin in (0, 14, 28, 42, 54)),
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "pybullet/turn_left0.txt",
)
"""Ways that turn by 100 degrees and more and that nothing was set on, in one of 68 s five of them, from there on [s]; the other
turning walk of the first producer was looked at while the law was written."""
_SHORT = ("example_crlf", "old_13_000", "motion-viewer/walk")
"""Walks of under 3.5 s, of which the bend takes nearly all: it is over in three steps, and legs do not reach round it."""
BENT = (*(file for file in WALKS if not any(name in file for name in _SHORT)), CALIBRATED)
"""Straight walks that are bent, the last of them the shipped one."""
_LONGEST = 14.0
"""So much of a clip is waded [s]."""
_BENT, _ANGLE = 1.0, 2.0
"""Radius [m] and angle [rad] of the bend that is put into a straight walk."""
_EVERY, _SMOOTH = 0.05, 0.3
"""Spacing of the points that tell a way's bends, and over what it is smoothed [m]."""
_WIDER, _SAME = 1.10, 1.01


def bent(clip: Clip) -> Clip:
    """A straight walk whose middle goes round a bend to the left."""
    places, turns = clip.translations.copy(), clip.rotations.copy()
    travels = clip.world()[1][:, travelling_joint(clip), :2]
    way = travels - travels[0]
    ahead = way[-1] / np.linalg.norm(way[-1])
    left = np.array([-ahead[1], ahead[0]])
    along, aside = way @ ahead, way @ left
    begins = 0.5 * (along[-1] - _ANGLE * _BENT)
    angle = np.clip((along - begins) / _BENT, 0.0, _ANGLE)
    straight = along - _BENT * angle
    before, behind = np.minimum(straight, begins), np.maximum(straight - begins, 0.0)
    fore = before + _BENT * np.sin(angle) + behind * np.cos(_ANGLE) - aside * np.sin(angle)
    side = _BENT * (1.0 - np.cos(angle)) + behind * np.sin(_ANGLE) + aside * np.cos(angle)
    heading = np.stack([np.cos(0.5 * angle), 0.0 * angle, 0.0 * angle, np.sin(0.5 * angle)], axis=1)
    # In some files the root stays where it is and the hips below it travel: it goes round with them.
    away = places[:, 0] - np.pad(travels, ((0, 0), (0, 1)))
    there = travels[0] + np.outer(fore, ahead) + np.outer(side, left)
    places[:, 0] = np.pad(there, ((0, 0), (0, 1))) + quat.rotate(heading, away)
    turns[:, 0] = quat.mul(heading, turns[:, 0])
    return replace(clip, translations=places, rotations=turns)


@cache
def _turner(file: str) -> Character:
    file, _, begin = file.partition("#")
    who = walker(file)
    clip = who.prepared.source
    first = round(float(begin or 0.0) * clip.rate)
    clip = bent(clip) if file in BENT else trim(clip, first, min(len(clip), first + round(_LONGEST * clip.rate) + 1))
    return Character.from_clip(clip, None, who.mesh)


@once
def _turned(file: str, fluid: str | None, depth: str, wide: bool) -> Waded:
    who = _turner(file)
    volumes = () if fluid is None else (fluid_around(who, fluid, depth),)
    return wade(who, WadingOptions(volumes=volumes, wide=wide))


def radius(places: Array) -> float:
    """Radius of a way's bends [m]: the mean over them, weighted by how much they turn; places (N, 2)."""
    from scipy.ndimage import gaussian_filter1d  # Slow to import (docs/architecture.md, decision 12).

    moved = np.linalg.norm(np.diff(places, axis=0), axis=1)
    along = np.append(0.0, np.cumsum(moved))
    kept = np.append(True, moved > 1e-6)
    at = np.arange(0.0, along[-1], _EVERY)
    even = np.stack([np.interp(at, along[kept], places[kept, axis]) for axis in (0, 1)], axis=1)
    way = gaussian_filter1d(even, _SMOOTH / _EVERY, axis=0)
    x, y = np.gradient(way, _EVERY, axis=0).T
    bends = np.abs(np.gradient(np.unwrap(np.arctan2(y, x)), _EVERY))[int(_SMOOTH / _EVERY) : -int(_SMOOTH / _EVERY)]
    return float(bends.sum() / (bends**2).sum())


@claim("turns that need weight on the feet", off="WadingOptions(wide=False)", cases=len(TURNS) + len(BENT) - 1)
def turns(trial: Trial) -> Row:
    """How many times as wide as without the law turns are in mud to the waist, in the middle of clips."""
    files = (CALIBRATED,) if trial.quick or data_folder() is None else (*TURNS, *BENT)
    wider, shallow, slides = [], 0.0, 0.0
    for file in files:
        deep, plain = _turned(file, "mud", "waist", trial.on), _turned(file, "mud", "waist", False)
        wider.append(radius(deep.record.position) / radius(plain.record.position))
        slides = max(slides, drift(deep))
        knee = [radius(_turned(file, "water", "knee", wide).record.position) for wide in (trial.on, False)]
        shallow = max(shallow, abs(knee[0] / knee[1] - 1.0))
    middle = float(np.median(wider))
    return Row(
        "bermudez2018/turns",
        "Who wades turns wide where fluid leaves little weight on the feet: in mud to the waist bends are at least "
        f"{100.0 * (_WIDER - 1.0):.0f} % wider in the middle of {len(files)} clips that turn, standing feet move less than "
        "1 mm; in water to the knee, where the weight stands on the feet and the body is slow, they are as wide as the clip's",
        None,
        middle,
        "×",
        middle > _WIDER and shallow < _SAME - 1.0 and slides < 1e-3,
    )


CHECKS = (turns,)
