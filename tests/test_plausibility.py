"""Contacts that no body would survive are told once, with what they are between."""

from __future__ import annotations

import numpy as np
import pytest

from poise.runtime.session import Session
from poise.scenes.people import stander
from poise.scenes.thrown import thrown
from poise.world.scene import SceneSpec


def hit(mass: float, speed: float) -> Session:
    """A ball at the chest of someone whose trunk follows the clip whatever the forces."""
    who = stander(2.0)
    ball = thrown("ball", np.array([0.0, 0.0, 1.2]), np.array([-speed, 0.0, 0.0]), 0.4, time=0.1, mass=mass)
    return Session({"person": who}, SceneSpec(props=(ball,), floor=who.floor))


@pytest.mark.parametrize(("mass", "speed", "told"), [(0.4, 4.0, 0), (40.0, 10.0, 1)])
def test_what_is_too_hard_is_told_with_what_it_is_between(mass: float, speed: float, told: int) -> None:
    recording = hit(mass, speed).run()
    found = [event for event in recording.events if event.kind == "implausible"]
    assert bool(found) == bool(told)
    for event in found:
        assert event.subject.startswith("person/")
        assert event.subject.endswith(" ball")
    subjects = [event.subject for event in found]
    assert len(set(subjects)) == len(subjects), "once for as long as it presses"


def test_it_is_saved_and_restored_while_it_presses() -> None:
    session = hit(40.0, 10.0)
    while not any(event.kind == "implausible" for event in session.tick().events):
        pass
    saved = session.save()
    first = session.run(10).events
    session.restore(saved)
    assert session.run(10).events == first
