"""Clips of ten producers walk, run and turn through seventy plants."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames
from poise.io import read_clip
from poise.metrics import pair_penetration
from poise.motion import trim
from poise.runtime import Character
from poise.scenes.upper_body_figures import garden
from poise.signals import Mode

CLIPS = {
    "bandai-namco/dataset-2_walk-turn-left_normal_001.bvh": 9.0,
    "bvh-toolbox/walk01.bvh": 9.0,
    "deep-motion-editing/neutral_01_000.bvh": 9.0,
    "hello-avatar/jog_lsw.bvh": 4.0,
    "mocap-project/03_01.bvh": 9.0,
    "mocapnet/CMU_Sample_05_01.bvh": 6.0,
    "motion-viewer/cmu_run_filtered.bvh": 9.0,
    "pybvh/cmu_12_01_walk.bvh": 9.0,
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh": 5.0,
    "assimp/01_01.bvh": 5.0,
}
"""File and how much of it [s]."""


@pytest.mark.shared
@pytest.mark.slow
def test_clips_walk_the_garden_without_divergence_and_arms_stay_out_of_the_body(shared_data: Path) -> None:
    depths = sorted(sunk_most(shared_data, name) for name in CLIPS)
    assert depths[7] < 0.01, "eight of ten"
    assert depths[-1] < 0.03, "an upper arm meets the head as a hand goes along overhead"


def sunk_most(shared_data: Path, name: str) -> float:
    """How much deeper arms get into their own body than the clip has them [m], through seventy plants."""
    clip = read_clip(shared_data / name)
    clip = trim(clip, 0, min(len(clip), int(CLIPS[name] * clip.rate)))
    session = garden(Character.from_clip(clip)).session()
    recording = session.run()
    assert len(recording) == session.tick_count
    assert np.isfinite(recording.positions).all()
    assert any(event.kind == "reach" for event in recording.events)
    columns = session.layouts[0].positions
    who = session.characters["walker"]
    deeper = own_depths(who, recording.positions[:, columns]) - own_depths(who, recording.source[:, columns])
    return float(deeper.max())


def own_depths(who: Character, rows: np.ndarray) -> np.ndarray:
    """How deep pairs of parts of which one is physical get into one another at most [m], neighbors left out; shape (P,)."""
    plan, capsules = who.plan, body_capsules(who.plan, body_frames(who.plan, rows))
    physical, apart = who.modes != Mode.MOTION, {frozenset(pair) for pair in who.apart}
    pairs = [
        (i, j)
        for i, j in combinations(range(len(capsules.radii)), 2)
        for a, b in [(int(capsules.bodies[i]), int(capsules.bodies[j]))]
        if a != b and (physical[a] or physical[b]) and frozenset((plan.names[a], plan.names[b])) not in apart
    ]
    depths = pair_penetration(capsules.starts, capsules.ends, capsules.radii, np.array(pairs))
    return np.asarray(depths.max(axis=0))
