"""Low things in the way: feet that are seen to come down on them come down elsewhere, and go over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.behaviors.evasion.underfoot import Underfoot
from poise.behaviors.perception import Expectation
from poise.behaviors.root.hurdles import _SHIFTS, Hurdles, _Swing
from poise.body.coordinates import body_frames
from poise.body.trajectory import Trajectory
from poise.characters.character import Character
from poise.locomotion.stepping import Over, StepOptions
from poise.motion.edit import place
from poise.runtime.record import Recording
from poise.runtime.session import Session
from poise.scenes.people import walker
from poise.world.props import Box, Prop, Wall
from poise.world.scene import SceneSpec
from poise.world.terrain import Block, Terrain

AT, HALF = 2.0, 0.06
"""Where along the walk things lie [m], and half their thickness [m]."""


class Walked(NamedTuple):
    recording: Recording
    overs: list[Over]


def low(height: float = 0.2, thick: float = HALF) -> Wall:
    x, y = _start()[:2].tolist()
    return Wall(name="low", position=(x + AT, y, who().floor + 0.5 * height), size=(thick, 1.0, 0.5 * height))


@cache
def who() -> Character:
    return walker(3)


@cache
def _start() -> np.ndarray:
    return body_frames(who().plan, _rows()[:1]).positions[0, 0]


def _rows() -> np.ndarray:
    return Trajectory(who().plan, who().clip).keys


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Walked]:
    overs: list[Over] = []
    plain = Hurdles.over

    def spied(self: Hurdles, *args: object) -> Over:
        overs.append(plain(self, *args))  # type: ignore[arg-type]
        return overs[-1]

    monkeypatch.setattr(Hurdles, "over", spied)

    def walk(thing: Prop, lasts: float = 3.0, sees: AnticipationOptions | None = None, **numbers: float) -> Walked:
        overs.clear()
        options = replace(who().options, root="compliant", stepping=StepOptions(**numbers))  # type: ignore[arg-type]
        scene = SceneSpec(props=(thing,), floor=who().floor)
        session = Session(
            {"p": replace(who(), options=options)},
            scene,
            behaviors={"p": [Anticipation(sees or AnticipationOptions())]},
        )
        return Walked(session.run(round(lasts / session.clock.tick)), list(overs))

    return walk


def pressed(recording: Recording) -> float:
    """Impulse that the thing exerted [N s]."""
    names = np.array(recording.geom_names)
    theirs = np.array([name.split("/")[0] == "low" for name in names])
    table = recording.contacts
    return float(table.impulse[theirs[table.pairs].any(axis=1)].sum()) if len(table.pairs) else 0.0


def highest(overs: list[Over]) -> float:
    return max(float(over.lifts.max()) for over in overs)


def shifted(overs: list[Over]) -> float:
    """Longest way that a foot comes down beside where it would [m]."""
    return max(float(np.linalg.norm(over.shifts, axis=1).max()) for over in overs)


def test_who_sees_it_steps_over_it_and_who_does_not_is_stopped(walked: Callable[..., Walked]) -> None:
    over, never = walked(low()), walked(low(), over=0.0)
    unseen = AnticipationOptions(expectations={"low": Expectation(seen=False)})
    blind = walked(low(), sees=unseen)
    goes = [float(each.recording.positions[-1, 0]) - _start()[0] for each in (over, never, blind)]
    assert goes[0] > AT + 0.3
    assert max(goes[1:]) < AT + 0.1
    assert pressed(over.recording) < 0.2 * min(pressed(never.recording), pressed(blind.recording))
    assert highest(over.overs) > 0.1
    assert highest(never.overs) == highest(blind.overs) == 0.0


def test_feet_come_up_and_down_without_a_jump(walked: Callable[..., Walked]) -> None:
    found = walked(low())
    lifts = np.array([over.lifts for over in found.overs])
    assert np.abs(np.diff(lifts, axis=0)).max() < 0.06


def test_what_lies_beside_the_way_or_is_too_high_changes_nothing(walked: Callable[..., Walked]) -> None:
    x, y = _start()[:2].tolist()
    beside = Wall(name="low", position=(x + AT, y + 1.2, who().floor + 0.1), size=(HALF, 0.3, 0.1))
    assert highest(walked(beside, 2.3).overs) == 0.0
    assert highest(walked(low(0.6), 2.3).overs) == 0.0
    assert highest(walked(low(0.3), 2.3).overs) > highest(walked(low(0.3), 2.3, over=0.3).overs) == 0.0


def test_who_has_nothing_to_step_over_waits_and_is_caught_as_ever(walked: Callable[..., Walked]) -> None:
    for thing, numbers in ((low(0.6), {}), (low(), {"over": 0.0}), (low(), {"steps": False})):
        overs = walked(thing, 2.3, **numbers).overs
        assert not any(over.apart or over.shifts.any() or over.lifts.any() for over in overs)
    assert any(over.apart for over in walked(low(), 2.3).overs)


def test_a_thing_that_moves_now_and_then_does_not_shake_feet(
    walked: Callable[..., Walked], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, count = Hurdles.note, [0]

    def now_and_then(self: Hurdles, known: np.ndarray | None) -> None:
        count[0] += 1
        plain(self, None if count[0] // 5 % 2 else known)

    monkeypatch.setattr(Hurdles, "note", now_and_then)
    lifts = np.array([over.lifts for over in walked(low(), 2.6).overs])
    assert lifts.max() > 0.05
    assert np.abs(np.diff(lifts, axis=0)).max() < 0.08


def test_it_is_the_same_anywhere() -> None:
    def shifts(away: float) -> np.ndarray:
        hurdles = started({}, replace(low(thick=0.1), position=(away + AT, 0.0, who().floor + 0.1)), away=away)
        root = np.array([away, 0.0])
        return np.array([hurdles.over(time, root, np.zeros(3)).shifts for time in np.arange(1.0, 2.2, 0.05)])

    found = shifts(0.0)
    assert np.abs(found).max() > 0.04
    np.testing.assert_allclose(shifts(50.0), found, atol=1e-6)


def test_it_passes_as_high_over_as_asked(walked: Callable[..., Walked]) -> None:
    heights = [highest(walked(low(), 2.3, clears=clears).overs) for clears in (0.05, 0.15)]
    assert 0.07 < heights[1] - heights[0] < 0.11


def test_steps_change_by_no_more_than_asked(walked: Callable[..., Walked]) -> None:
    assert shifted(walked(low(thick=0.12), 2.3).overs) > 0.12
    assert shifted(walked(low(thick=0.12), 2.3, longer=0.1).overs) <= 0.1 + 1e-9


def started(
    numbers: dict[str, float], thing: Prop | None = None, terrain: tuple[Terrain, ...] = (), away: float = 0.0
) -> Hurdles:
    """Of somebody before a low thing that is known, somewhere along the way."""
    walks = who() if away == 0.0 else Character.from_clip(place(who().clip, (away, 0.0)))
    options = replace(who().options, root="compliant", stepping=StepOptions(**numbers))  # type: ignore[arg-type]
    found: list[Hurdles] = []
    plain = Hurdles.note

    def note(self: Hurdles, known: np.ndarray | None) -> None:
        found.append(self)
        plain(self, known)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Hurdles, "note", note)
        scene = SceneSpec(props=(thing or low(),), floor=who().floor, terrain=terrain)
        Session({"p": replace(walks, options=options)}, scene).run(1)
    found[-1].state.known[:] = True
    return found[-1]


def costs(numbers: dict[str, float], middle: float) -> tuple[np.ndarray, np.ndarray]:
    """What it costs to come down at places ahead of a thing's middle [m], from a foot that would come down at one."""
    hurdles = started(numbers)
    x, y = _start()[:2].tolist()
    way = np.tile([x + AT + middle, y], (13, 1))
    swing = _Swing(way - [0.6, 0.0], way, np.zeros(13), np.array([1.0, 0.0]))
    return hurdles._costs(swing)[0], hurdles._planner.options.longer * _SHIFTS + middle


def test_toes_stay_as_far_before_it_and_heels_as_far_beyond_as_asked() -> None:
    near = {"before": 0.05, "beyond": 0.02, "leans": 0.0}
    plain, places = costs(near, 0.0)
    before, _ = costs({**near, "before": 0.3}, 0.0)
    beyond, _ = costs({**near, "beyond": 0.2}, 0.0)
    leans, _ = costs({**near, "leans": 1.0}, 0.0)
    hit = plain > 100.0
    ahead = places > 0.0
    assert hit[np.abs(places) < HALF].all()
    assert not hit.all()
    for other, here in ((before, ~ahead), (beyond, ahead), (leans, ahead)):
        assert (other[~hit & here] > plain[~hit & here] + 1e-6).any()
        np.testing.assert_allclose(other[~hit & ~here], plain[~hit & ~here])


def test_it_is_settled_where_a_foot_comes_down(walked: Callable[..., Walked]) -> None:
    never = walked(low(thick=0.12), 2.3, settled=0.0)
    assert shifted(never.overs) == 0.0


def test_steps_are_no_longer_than_legs_are_good_for() -> None:
    hurdles, bones = started({}), started({})._bones
    cost = hurdles._too_far(bones * np.array([0.5, 0.79, 0.9, 1.0]))
    assert (cost[:2] == 0.0).all()
    assert (np.diff(cost[1:]) > 0.0).all()
    assert (started({"strides": 1.1})._too_far(bones * np.array([0.9, 1.0])) == 0.0).all()


def test_what_is_light_is_kicked_and_what_is_far_is_not_looked_for() -> None:
    def known(mass: float, at: float, **numbers: float) -> bool:
        x, y = _start()[:2].tolist()
        box = Box(name="low", position=(x + at, y, who().floor + 0.08), size=(0.05, 0.4, 0.08), mass=mass)
        options = AnticipationOptions(evasion=Evasion(**numbers))  # type: ignore[arg-type]
        session = Session(
            {"p": who()}, SceneSpec(props=(box,), floor=who().floor), behaviors={"p": [Anticipation(options)]}
        )
        found: list[bool] = []
        plain = Underfoot.known

        def spied(self: Underfoot, row: np.ndarray) -> np.ndarray | None:
            answer = plain(self, row)
            found.append(answer is not None)
            return answer

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Underfoot, "known", spied)
            session.run(3)
        return found[-1]

    assert known(20.0, 1.5)
    assert not known(1.0, 1.5)
    assert known(1.0, 1.5, kicked=0.5)
    assert not known(20.0, 1.5, kicked=50.0)
    assert not known(20.0, 4.0)
    assert known(20.0, 4.0, looked=5.0)


def test_on_raised_ground_it_is_as_low_as_it_is_above_that() -> None:
    x, y = _start()[:2].tolist()
    block = Block(name="block", position=(x + AT, y, who().floor + 0.5), size=(1.0, 4.0))
    raised = replace(low(), position=(x + AT, y, who().floor + 0.6))
    for thing, pieces in ((low(), ()), (raised, (block,))):
        found = started({}, thing, pieces)
        tops, _, which = found._tops(np.array([[x + AT, y]]))
        assert which.tolist() == [True]
        np.testing.assert_allclose(tops, 0.2, atol=1e-9)
