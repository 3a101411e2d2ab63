"""Hu 2024, where physics has the last word: what its checks measure with is right; a long run on the blocks."""

import numpy as np
import pytest

from poise.reproductions.hu2024 import drags
from poise.reproductions.hu2024.played import play
from poise.scenes.bounded import DRAG_RADIUS, LEGS
from poise.scenes.bounded import blocks as blocks_scene


def test_distance_to_shapes_is_that_of_the_simulation() -> None:
    played = drags.run("shank")
    state = int(np.argmax(played.away("left_foot")))
    assert drags.overlaps(played, "shank")[state] > -1e-3, "the ball touches while the leg is pushed"
    plan = played.plan
    foot = plan.with_role("left_foot")[0]
    (box,) = plan.colliders[foot]
    assert drags._distance(plan, foot, box.position[None])[0] == pytest.approx(-min(box.size))
    assert DRAG_RADIUS > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("course", ["triangle", "cosine"])
def test_a_minute_on_the_fastest_blocks(course) -> None:
    # Ten minutes were played once for each course: worst 0.28 cm, 0.7 degrees beyond the range, no divergence.
    played = play(blocks_scene(0.1, course, seconds=60.0))
    assert not played.diverged
    assert np.isfinite(played.recording.positions).all()
    assert played.depth.max() < 0.01
    assert played.excess(played.below(*LEGS)) < 3.0
