"""Along a wall the hand slides; the forearm, which is thicker, does not drag it along."""

from __future__ import annotations

import pytest

from poise.reproductions.alvarado2022.wall import walked


@pytest.mark.parametrize("seed", [101, 102, 103])
def test_at_least_a_third_of_the_push_is_the_hands(seed: int) -> None:
    played = walked("slide", seed)
    hand, forearm = (played.impulse(f"left_{part}", prop="wall") for part in ("hand", "forearm"))
    assert hand > 0.33 * (hand + forearm)
