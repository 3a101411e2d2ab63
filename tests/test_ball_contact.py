"""A ball that is thrown at somebody gives way by itself, however soft is what it meets."""

from __future__ import annotations

import pytest

from poise.reproductions.motion.runs import play
from poise.scenes import named_scene, rooted


@pytest.mark.parametrize(("name", "most"), [("ball", 0.05), ("shoved", 0.05)])
def test_a_ball_does_not_sink_into_who_is_hit(name: str, most: float) -> None:
    """It comes at 4 to 5 m/s, has a radius of 10 cm and went 7 cm into hands and trunk that touch as flesh does."""
    _, found = play(rooted(named_scene(name)))
    (person,) = found.values()
    assert 0.01 < float(person.depths.max()) < most
