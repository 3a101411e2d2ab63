"""Who comes to rest lets other behaviors have what is theirs."""

from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.balance import Balance, BalanceOptions
from poise.behaviors.switching import Handover, Switching
from poise.body.layout import turn_slice
from poise.characters.gesture_clips import gesturing
from poise.characters.standing import standing_clip
from poise.gesture import Conducting, TempoMap
from poise.io import read_clip
from poise.math import quat
from poise.motion.edit import loop
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes import read_scene
from poise.world.scene import SceneSpec


def turns(session: Session, role: str, ticks: int) -> np.ndarray:
    """A joint's wanted coordinate after each tick, shape (ticks, 4)."""
    who = next(iter(session.characters))
    at = turn_slice(session.characters[who].plan.with_role(role)[0])
    rows = []
    for _ in range(ticks):
        session.tick()
        rows.append(session.reference(who).rows[-1, at].copy())
    return np.array(rows)


def steps(rows: np.ndarray) -> np.ndarray:
    """How far it turns from tick to tick [degrees]."""
    return np.degrees(np.linalg.norm(quat.log(quat.mul(quat.conj(rows[:-1]), rows[1:])), axis=1))


@pytest.mark.parametrize("start", [0.9, 1.2, 1.5])
def test_who_conducts_comes_to_rest_conducting(tmp_path: Path, start: float) -> None:
    """Arms hung over what conducts jumped by 93° in a tick; arms half at ease, joint by joint, had the body fall."""
    file = tmp_path / "scene.yaml"
    who = f"{{clip: 'shipped:walk', cycles: 3, conducting: {{beats: [1.5, 2, 2.5, 3]}}, balance: {{start: {start}}}}}"
    file.write_text(f"characters:\n  who: {who}\n", encoding="utf-8")
    session = read_scene(file).session()
    rows = turns(session, "right_forearm", 200)
    assert steps(rows).max() < 8.0
    assert np.ptp(rows[120:], axis=0).max() > 0.1
    assert not any(event.kind == "fell" for event in session.recording().events)


@pytest.mark.parametrize("role", ["left_forearm", "left_upper_arm"])
def test_an_arm_that_is_switched_does_not_jump_to_rest_afterwards(role: str) -> None:
    walker = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    orders = [
        Handover(time=2.4, joints=("left_upper_arm",), to="muscles"),
        Handover(time=2.8, joints=("left_upper_arm",), to="motion", fade=0.3),
    ]
    session = Session(
        {"walker": walker},
        SceneSpec(floor=walker.floor),
        behaviors={"walker": [Balance(BalanceOptions(start=1.1)), Switching(orders)]},
    )
    assert steps(turns(session, role, 220))[180:].max() < 8.0


@pytest.mark.parametrize("start", [1.2, 1.5])
def test_arms_come_to_rest_beside_the_trunk_and_not_in_it(start: float) -> None:
    """Driven arms that hung straight down pressed a trunk between them with 13 kN."""
    beats = TempoMap.from_beats(0.6 + 0.625 * np.arange(6))
    walk = read_clip(clip_path("walk"))
    clip = standing_clip(walk, 4.0, movement=gesturing(Conducting(tempo=beats, count=6)))
    who = Character.from_clip(clip, CharacterOptions(anchors=()))
    session = Session(
        {"who": who}, SceneSpec(floor=who.floor), behaviors={"who": [Balance(BalanceOptions(start=start))]}
    )
    recording = session.run(200)
    names = np.array(recording.geom_names)
    mine = np.array([name.startswith("who/") for name in names])
    own = mine[recording.contacts.pairs].all(axis=1)
    assert recording.contacts.peak[own].max(initial=0.0) < 200.0
