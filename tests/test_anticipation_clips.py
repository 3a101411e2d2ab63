"""Clips of ten producers walk, run and turn through seventy plants."""

from pathlib import Path

import numpy as np
import pytest

from poise.io import read_clip
from poise.motion import trim
from poise.runtime import Character
from poise.scenes.upper_body_figures import garden

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
@pytest.mark.parametrize("name", CLIPS)
def test_clips_walk_the_garden_without_divergence(name: str, shared_data: Path) -> None:
    clip = read_clip(shared_data / name)
    clip = trim(clip, 0, min(len(clip), int(CLIPS[name] * clip.rate)))
    session = garden(Character.from_clip(clip)).session()
    recording = session.run()
    assert len(recording) == session.tick_count
    assert np.isfinite(recording.positions).all()
    assert any(event.kind == "reach" for event in recording.events)
