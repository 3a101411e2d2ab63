"""Contacts that no body would survive are told once, with what they are between."""

from __future__ import annotations

import numpy as np
import pytest

from poise.runtime.plausibility import Plausibility, PlausibilityState
from poise.runtime.session import Session
from poise.scenes.people import stander
from poise.scenes.thrown import thrown
from poise.signals import Contacts
from poise.world.scene import SceneSpec

ROLES = ("left_foot", "right_foot", "left_hand")


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


def test_feet_may_land_as_hard_as_they_do_and_nothing_else_may() -> None:
    session = hit(0.4, 0.1)
    view, (person,) = session.view, session.references
    watch, geoms = Plausibility(person, view), list(view.geoms.names)
    role = {name: geoms.index(f"person/{person.plan.names[person.plan.with_role(name)[0]]}") for name in ROLES}
    ground, ball = int(np.flatnonzero(view.geoms.bodies == 0)[0]), geoms.index("ball")
    pairs = {
        "a foot lands": (ground, role["left_foot"]),
        "a hand lands": (ground, role["left_hand"]),
        "a foot kicks": (role["right_foot"], ball),
        "feet meet": (role["left_foot"], role["right_foot"]),
    }
    hard = 6.0 * person.plan.total_mass * view.gravity
    for what, pair in pairs.items():
        watch.state = PlausibilityState()
        view.contacts = Contacts(
            np.array([pair]), np.full(1, hard), np.full(1, hard), np.ones(1), np.zeros((1, 3)), np.zeros((1, 3))
        )
        assert bool(watch.notice(0.1)) == (what != "a foot lands"), what
