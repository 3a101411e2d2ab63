"""Whatever behaviors remember is saved and brought back: another future in between leaves no trace, to the bit."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors import restore_state, saved_state
from poise.behaviors.effort_meter import EffortMeter
from poise.behaviors.gesturing import Gesturing
from poise.behaviors.push import Push
from poise.characters.standing import standing_clip
from poise.gesture import LiveConducting, LiveTempo
from poise.io import read_clip
from poise.runtime import Character, Session
from poise.scenes import named_scene, rooted
from poise.scenes.people import stander
from poise.world import SceneSpec

SCENES = {
    "gate": 215,
    "garden": 90,
    "shoved": 40,
    "duck": 55,
    "log": 60,
    "stop": 110,
    "lean": 90,
    "wall_stick": 70,
    "apple": 50,
    "apple_unseen": 74,
    "drag": 60,
    "climb": 30,
    "conductor": 65,
    "halt": 80,
    "swing": 40,
    "rough": 30,
}
"""Named scenes that have every behavior at work, and a tick at which it is."""


def scene(name: str) -> Session:
    return named_scene(name).session()


def yielding(name: str) -> Session:
    return rooted(named_scene(name)).session()


def conducting() -> Session:
    who = Character.from_clip(standing_clip(read_clip(clip_path("walk")), 3.0))
    return Session({"who": who}, behaviors={"who": [Gesturing(LiveConducting(LiveTempo(100.0))), EffortMeter()]})


def stepping() -> Session:
    session = named_scene("arm_swing").session()
    session.add_behavior("swinger", Push((0.0, 400.0, 0.0), 0.2))
    return session


CASES: dict[str, tuple[Callable[[], Session], int]] = {name: (partial(scene, name), at) for name, at in SCENES.items()}
CASES |= {
    f"{name}, yielding": (partial(yielding, name), at) for name, at in (("gate", 215), ("shoved", 50), ("forest", 120))
}
CASES["door"] = (partial(scene, "door"), 40)


def breathing() -> Session:
    session = yielding("ball")
    session.add_behavior("person", Push((0.0, 400.0, 0.0), 1.0, body="spine"))
    return session


CASES |= {"live conducting": (conducting, 30), "a step under way": (stepping, 25)}


def falling() -> Session:
    session = yielding("ball")
    session.add_behavior("person", Push((1300.0, 0.0, 0.0), 0.2, body="spine"))
    return session


def by_own_strength(push: float) -> Session:
    who = replace(stander(4.0), options=replace(stander(4.0).options, root="physical"))
    pushes = [Push((-push, 0.0, 0.0), 1.9, body="spine")]
    return Session({"who": who}, SceneSpec(floor=who.floor), behaviors={"who": pushes})


CASES |= {"breathing, pushed": (breathing, 70), "falling": (falling, 40)}
CASES |= {
    "becoming physical": (partial(by_own_strength, 0.0), 20),
    "a physical step": (partial(by_own_strength, 300.0), 125),
}


def another_future(session: Session) -> None:
    """Go on differently: tenser, shoved, at another tempo, with another blend."""
    for name, who in session.characters.items():
        session.set(name, "tension.frequency", 9.0)
        session.set_blend(name, {who.plan.names[0]: 0.5})
        session.reference(name).clock.pace = 0.6
    for behavior in session.behaviors:
        if isinstance(behavior, Gesturing) and isinstance(behavior.gesture, LiveConducting):
            behavior.gesture.tempo.ask(180.0)
            behavior.gesture.cues.append(3)
    positions, velocities = session.world.positions.copy(), session.world.velocities.copy()
    velocities[0] += 0.5
    session.world.set_state(positions, velocities)
    session.run(25)


@pytest.mark.parametrize("name", CASES)
def test_another_future_leaves_no_trace(name: str) -> None:
    make, at = CASES[name]
    session = make()
    session.run(at)
    saved = session.save()
    first = session.run(25)
    session.restore(saved)
    another_future(session)
    session.restore(saved)
    again = session.run(25)
    for part in ("positions", "velocities", "kinematic", "source", "torques", "stiffness", "modes", "output"):
        assert np.array_equal(getattr(first, part), getattr(again, part)), part
    assert [event for event in first.events] == [event for event in again.events]


@pytest.mark.parametrize("name", ["conductor", "arm_swing", "swing"])
def test_a_recording_begins_where_behaviors_put_the_body(name: str) -> None:
    session = scene(name)
    start = session.world.positions.copy()
    recording = session.run(3)
    assert np.array_equal(recording.positions[0], start)
    columns = session.layouts[0].positions
    assert np.abs(recording.positions[1, columns][:3] - start[columns][:3]).max() < 1e-2


def test_a_saved_state_can_be_gone_back_to_again_and_again() -> None:
    session = scene("gate")
    session.run(40)
    saved = session.save()
    runs = []
    for _ in range(3):
        session.restore(saved)
        runs.append(session.run(15).positions)
    assert np.array_equal(runs[0], runs[1])
    assert np.array_equal(runs[0], runs[2])


@dataclass
class Part:
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(3))


@dataclass
class Whole:
    part: Part = field(default_factory=Part)
    parts: list[Part] = field(default_factory=lambda: [Part(), Part()])
    names: tuple[str, ...] = ()
    grown: np.ndarray = field(default_factory=lambda: np.zeros(2))


def test_parts_that_others_hold_on_to_stay_the_same_objects() -> None:
    state = Whole()
    held, array = state.parts[1], state.parts[1].numbers
    saved = saved_state(state)
    held.numbers[:] = 7.0
    state.names, state.grown = ("x",), np.ones(5)
    restore_state(state, saved)
    assert state.parts[1] is held
    assert held.numbers is array
    assert (array == 0.0).all()
    assert state.names == ()
    assert state.grown.shape == (2,)
    held.numbers[:] = 1.0
    assert (saved.parts[1].numbers == 0.0).all()


def test_states_of_different_kinds_are_told_apart() -> None:
    with pytest.raises(TypeError, match="Part"):
        restore_state(Whole(), Part())
