"""A push gives its impulse, wherever in a tick it begins and ends, and however long ticks are."""

from dataclasses import replace

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.behavior import Contribution
from poise.behaviors.push import Push
from poise.behaviors.reference import Reference
from poise.errors import InputError
from poise.io import read_clip
from poise.runtime import Character, Session
from poise.world.command import Press
from poise.world.view import WorldView

FORCE = np.array([120.0, -40.0, 10.0])


class Noted(Push):
    """A push that keeps the forces it asked for, and for how long each."""

    given: list[tuple[float, np.ndarray]]

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        wanted = super().step(view, reference, state)
        asked = [order.force for order in wanted.commands if isinstance(order, Press)]
        if wanted.force is not None:
            asked.append(wanted.force[:3].copy())
        # What is pressed lasts until something else is ordered.
        self.given.append((reference.tick, np.sum(asked, axis=0) if asked else np.zeros(3)))
        return wanted


@pytest.mark.parametrize("body", [None, "spine"])
@pytest.mark.parametrize(("begin", "duration", "rate"), [(0.1, 0.1, 60.0), (0.107, 0.061, 60.0), (0.033, 0.005, 120.0)])
def test_a_push_gives_its_impulse(body: str | None, begin: float, duration: float, rate: float) -> None:
    clip = replace(read_clip(clip_path("walk")), rate=rate)
    push = Noted(FORCE, begin, duration, body)
    push.given = []
    session = Session({"who": Character.from_clip(clip)}, behaviors={"who": [push]})
    session.run(round(0.35 * rate))
    impulse = np.sum([tick * force for tick, force in push.given], axis=0)
    np.testing.assert_allclose(impulse, duration * FORCE, rtol=1e-9)
    assert not push.given[-1][1].any()
    assert [event.kind for event in session.recording().events].count("pushed") == 1


@pytest.mark.parametrize(("force", "duration"), [([1.0, 2.0], 0.1), ([np.nan, 0.0, 0.0], 0.1), (FORCE, 0.0)])
def test_what_is_no_push_is_refused(force: object, duration: float) -> None:
    with pytest.raises(InputError, match="push"):
        Push(force, 0.0, duration)  # type: ignore[arg-type]
