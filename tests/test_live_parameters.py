"""Parameters that change while a session runs: one door, which knows what makes no sense."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from poise.behaviors import Behavior
from poise.behaviors.anticipation import Anticipation
from poise.behaviors.balance import Balance
from poise.behaviors.effort_meter import EffortMeter
from poise.errors import InputError
from poise.math import quat
from poise.parameters import Choice, Group, Parameter, declared
from poise.runtime import Session
from poise.scenes import Scene, named_scene, rooted


@cache
def scene(name: str) -> Scene:
    return rooted(named_scene(name))


def played(name: str, ticks: int, at: int, changes: dict[str, Any]) -> tuple[bytes, Session]:
    session = scene(name).session()
    session.run(at)
    (character,) = session.characters
    for parameter, value in changes.items():
        session.set(character, parameter, value)
    session.run(ticks - at)
    return session.recording().positions.tobytes(), session


def behavior(session: Session, kind: type[Behavior[Any]]) -> Behavior[Any]:
    return next(each for each in session.behaviors if isinstance(each, kind))


# In the middle of a reach and a lean at the gate, of a dodge, of giving way to what nobody saw.
@pytest.mark.parametrize(
    ("name", "ticks", "at"), [("gate", 260, 215), ("duck", 160, 55), ("shoved", 160, 80), ("stop", 200, 165)]
)
def test_a_change_to_the_same_value_changes_no_bit(name: str, ticks: int, at: int) -> None:
    undisturbed, session = played(name, ticks, at, {})
    assert np.ptp(session.recording().positions, axis=0).max() > 0.1
    options = behavior(session, Anticipation).options
    same = {"anticipation.hold": options.hold, "anticipation.evasion.duck": options.evasion.duck}
    assert played(name, ticks, at, same)[0] == undisturbed


def test_a_change_before_the_first_tick_is_as_if_it_had_been_made_so() -> None:
    changes = {"anticipation.hold": 0.5, "anticipation.evasion.lean": 5.0, "anticipation.bounds.firmest": 12.0}
    changed, session = played("gate", 240, 0, changes)
    options = behavior(session, Anticipation).options
    who, given = scene("gate").characters, scene("gate").setting
    made = Session(who, given, behaviors={name: [Anticipation(options)] for name in who})
    assert made.run(240).positions.tobytes() == changed
    assert changed != played("gate", 240, 0, {})[0]


def test_what_is_changed_counts_from_the_next_tick_on() -> None:
    usual, _ = played("gate", 240, 0, {})
    changed, session = played("gate", 240, 200, {"anticipation.hold": 0.5})
    width = session.recording().positions[0].nbytes
    assert changed[: 200 * width] == usual[: 200 * width]
    assert changed != usual


@pytest.mark.parametrize(
    ("name", "at", "parameter", "value"),
    [
        ("duck", 78, "evasion.duck", 0.3),
        ("duck", 78, "evasion.dodging.arms_ahead", 20.0),
        ("duck", 78, "evasion.dodging.elbows", 20.0),
        ("duck", 78, "evasion.dodging.palms", 10.0),
        ("duck", 78, "evasion.dodging.spine", 0.5),
        ("sidestep", 85, "evasion.sidestep", 0.3),
        ("sidestep", 85, "evasion.dodging.arms_out", 15.0),
    ],
)
def test_a_change_in_the_middle_of_a_dodge_makes_no_jump(name: str, at: int, parameter: str, value: float) -> None:
    """An arm jumped by 7 degrees where a duck was 4 cm less deep from one tick to the next."""

    def jerky(changes: dict[str, Any]) -> float:
        """Largest change of a joint's turn from tick to tick [degrees]."""
        _, session = played(name, at + 20, at, changes)
        rows = session.recording().kinematic[at - 2 :, session.layouts[0].positions]
        turns = rows[:, 7:].reshape(len(rows), -1, 4)
        steps = quat.log(quat.mul(quat.conj(turns[:-1]), turns[1:]))
        return float(np.degrees(np.linalg.norm(np.diff(steps, axis=0), axis=2).max()))

    assert jerky({f"anticipation.{parameter}": value}) < jerky({}) + 1.0


def test_a_saved_moment_has_its_parameters() -> None:
    session = scene("gate").session()
    (name,) = session.characters
    session.run(200)
    session.set(name, "anticipation.hold", 0.6)
    checkpoint = session.save()
    whole = session.run(100).positions.tobytes()
    session.set(name, "anticipation.hold", 0.9)
    session.set(name, "tension.frequency", 9.0)
    session.run(5)
    session.restore(checkpoint)
    assert behavior(session, Anticipation).options.hold == 0.6
    assert session.run(100).positions.tobytes() == whole


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("anticipation.evasion.duck", 0.7, "anticipation.evasion.duck: must be a number from 0 to 0.6 m; got 0.7"),
        ("anticipation.hodl", 0.5, "anticipation: unknown parameter 'hodl', did you mean 'hold'"),
        ("anticipation.seed", 1, "anticipation.seed: is settled when a session begins and cannot change while it runs"),
        ("anticipation.kinds.ball.quickest", 0.3, "anticipation.kinds: is no single value"),
        ("tension.frequency", 99, "tension.frequency: must be a number from 0.01 to 50 Hz; got 99"),
        ("body.mass", 80.0, "body.mass: is settled when a session begins and cannot change while it runs"),
        ("root_drive.planar", 0.5, "root_drive.planar: is settled when a session begins"),
        ("cutoff", 5.0, "cutoff: is settled when a session begins"),
        ("balance.steps", 2, "unknown parameter 'balance'"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(parameter: str, value: Any, message: str) -> None:
    session = scene("gate").session()
    (name,) = session.characters
    before = session.save().options
    with pytest.raises(InputError) as caught:
        session.set(name, parameter, value)
    assert str(caught.value).startswith(name)
    assert message in str(caught.value)
    assert session.save().options == before


def live(kind: type[Any], before: str = "") -> list[str]:
    names = []
    for name, each in declared(kind).items():
        if isinstance(each, Group):
            names += live(each.kind, f"{before}{name}.") if each.many == "one" else []
        elif each.live:
            names.append(before + name)
    return names


@pytest.mark.parametrize(
    ("name", "kind"),
    [("gate", Anticipation), ("arm_swing", Balance), ("gate", EffortMeter)],
    ids=lambda each: str(each),
)
def test_whatever_is_live_of_a_behavior_reaches_its_options(name: str, kind: type[Behavior[Any]]) -> None:
    session = scene(name).session()
    (who,) = session.characters
    if kind is EffortMeter:
        session.add_behavior(who, EffortMeter())
    own = behavior(session, kind)
    names = live(type(own.options))
    assert names
    for each in names:
        parameter, now = _found(own.options, each)
        other = _other(parameter, now)
        session.set(who, f"{own.called}.{each}", parameter.stated(other))
        reached = _found(own.options, each)[1]
        assert reached != now
        assert reached == (pytest.approx(other, rel=1e-9) if isinstance(other, float) else other)
    session.run(2)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("fastest_ball", 0.5), ("spare", 0.5), ("touching.slopes", 4.0), ("calming.turns", 2.0), ("approach.newer", 0.9)],
)
def test_how_hands_are_led_changes_while_a_ball_comes(parameter: str, value: float) -> None:
    session = scene("ball").session()
    (who,) = session.characters
    while not any(event.kind == "reach" for event in session.tick().events):
        assert session.count < session.tick_count
    session.run(6)
    kept = session.save()
    session.run(20)
    as_it_was = session.world.positions.copy()
    session.restore(kept)
    session.set(who, f"anticipation.leading.{parameter}", value)
    session.run(20)
    assert np.abs(session.world.positions - as_it_was).max() > 1e-3


def _found(options: Any, name: str) -> tuple[Parameter, Any]:
    first, _, rest = name.partition(".")
    inner = getattr(options, first)
    return _found(inner, rest) if rest else (declared(type(options))[first], inner)


def _other(parameter: Parameter, value: Any) -> Any:
    """An allowed value that is another."""
    if isinstance(parameter, Choice):
        return next(each for each in parameter.choices if each != value)
    if isinstance(value, bool):
        return not value
    return value - 1 if isinstance(value, int) else 0.9 * value
