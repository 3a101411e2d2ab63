"""Legs that begin to carry a body do so from where its clip has them, however straight those are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.behaviors.push import Push
from poise.behaviors.root.legs import Legs
from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.ik import relaxed_positions
from poise.io import read_character
from poise.motion.edit import trim
from poise.runtime.session import Session
from poise.scenes.people import stander
from poise.world.scene import SceneSpec

TICK = 1.0 / 60.0


@pytest.mark.shared
@pytest.mark.parametrize(
    "file", ["animated-drawings/dab.bvh", "animated-drawings/jumping_jacks.bvh", "bvh-toolbox/test_freebvh.bvh"]
)
@pytest.mark.parametrize("begin", [0.0, 0.7])
def test_knees_do_not_pop_when_a_root_wakes(shared_data: Path, file: str, begin: float) -> None:
    """Kept as soft as inverse kinematics keeps knees, those of `dab` were 4.5 mm off after a tick."""
    clip, _ = read_character(shared_data / file)
    who = Character.from_clip(trim(clip, 0, min(len(clip), round(2.0 * clip.rate))))
    who = replace(who, options=replace(who.options, root="compliant"))
    touch = Push([0.0, 0.0, 1e-6], begin, TICK)
    session = Session({"p": who}, SceneSpec(floor=who.floor), behaviors={"p": [touch]})
    recording = session.run(80)
    real, meant = (body_frames(who.plan, rows).positions for rows in (recording.positions, recording.source))
    legs = [
        body
        for side in ("left", "right")
        for part in ("shank", "foot")
        for body in who.plan.with_role(f"{side}_{part}")
    ]
    beside = np.linalg.norm(real - meant, axis=2)[:, legs]
    woke = round(begin / TICK)
    assert beside[woke : woke + 2].max() < 1e-3
    assert np.abs(np.diff(beside, axis=0)).max() < 2.5e-3, "nor do they come there in a jump"


def test_what_straight_knees_lack_is_what_bends_them() -> None:
    plan = stander(1.0).plan
    legs, row = Legs(plan, 4), relaxed_positions(plan)
    straight = row.copy()
    straight[7:].reshape(-1, 4)[legs.bodies - 1] = 1.0, 0.0, 0.0, 0.0
    for pose in (row, straight):
        frames = body_frames(plan, pose[None])
        legs.goals[:, 0], legs.turns[:, 0] = frames.positions[0, legs.feet], frames.rotations[0, legs.feet]
        lack = np.abs(legs.lack(pose)).max()
        assert lack < 1e-6 if pose is row else 1e-3 < lack < 0.5
    bent = legs.lack(straight)
    legs.bend(bent, np.array([0.0, 0.5, 1.0, np.inf]))
    np.testing.assert_allclose(legs.beside, np.array([1.0, 0.5, 0.0, 0.0])[:, None, None] * bent)
