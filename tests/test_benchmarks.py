"""The benchmarks measure what they say; how fast it is, `poise bench` tells."""

import json
from pathlib import Path

import numpy as np
import pytest

from poise.benchmarks import (
    Result,
    goals,
    readers,
    reading,
    run,
    run_benchmarks,
    wading_session,
)
from poise.benchmarks import (
    bare_step as yardstick,
)
from poise.benchmarks.bare import Comparison, compare, play_bare, play_session, record
from poise.benchmarks.bare_step import asked, bare_step, beside_bare_steps
from poise.benchmarks.realtime import real_time_factor
from poise.benchmarks.result import at_least, at_most, noted, skipped
from poise.benchmarks.start import start_up
from poise.benchmarks.walkers import walkers_session
from poise.io import read_clip
from poise.runtime import Session
from poise.scenes.layout import walked_path
from poise.world import Plant


@pytest.fixture(scope="module")
def session() -> Session:
    return wading_session()


def test_bare_steps_pass_through_the_same_states_as_the_session(session: Session) -> None:
    tape = record(session, 60)
    end = session.world.state()
    assert session.world.data.ncon > 0
    for play in (play_bare, play_session, play_bare):
        times = play(session, tape)
        state = session.world.state()
        assert times.shape == (60,)
        np.testing.assert_array_equal(state.positions, end.positions)
        np.testing.assert_array_equal(state.velocities, end.velocities)
    assert len(play_session(session, tape)) == 60
    assert len(session.recording()) == session.count
    session.restore(tape.start)


def test_comparison_times_every_tick(session: Session) -> None:
    start = session.save()
    times = compare(session, 5, 2)
    session.restore(start)
    assert times.tick.shape == times.bare.shape == (5,)
    assert (times.bare > 0.0).all()
    assert Comparison(np.array([3.0, 5.0]), np.array([2.0, 2.0])).ratio == 2.0


@pytest.mark.parametrize("slower", [1.0, 1.48, 20.0])
@pytest.mark.parametrize("hiccups", [(1.0, 3.0), (3.0, 1.0)])
def test_a_machine_that_is_slower_throughout_is_on_the_same_side_of_a_limit(
    slower: float, hiccups: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(2.0e-3) == 2.0 * asked(1.0e-3)
    there = 1.0e-3 / asked(1.0e-3)
    told = iter(slower * there * np.array(hiccups))
    monkeypatch.setattr(yardstick, "bare_step", lambda: next(told))
    found, step = beside_bare_steps(lambda: slower * 0.9e-3)
    assert step == slower * there
    assert at_most("x", found / step, "bare steps", asked(1.0e-3)).holds
    assert not at_most("x", found / step, "bare steps", asked(0.8e-3)).holds


def test_a_bare_step_is_told_of_the_same_walk_each_time() -> None:
    session, _ = yardstick._walker()
    assert bare_step() > 0.0
    played = session.world.state()
    assert bare_step() > 0.0
    np.testing.assert_array_equal(session.world.state().positions, played.positions)


def test_thicket_stands_within_reach_of_the_path(session: Session) -> None:
    plants = [prop for prop in session.setting.props if isinstance(prop, Plant)]
    path = walked_path(session.characters["walker"])
    apart = [np.linalg.norm(path.points - plant.position[:2], axis=1).min() for plant in plants]
    assert len(plants) == 70
    assert {plant.links for plant in plants} == {1, 2, 3}
    assert min(apart) > 0.03
    assert max(apart) <= 0.5 + 1e-9
    assert session.world.model.nv == session.references[0].plan.velocity_count + 2 * sum(
        plant.links for plant in plants
    )


def test_thicket_is_the_same_every_time(session: Session) -> None:
    assert wading_session().setting.props == session.setting.props
    assert wading_session(plants=3, seed=1).setting.props != session.setting.props[:3]


@pytest.mark.parametrize(("apart", "awake"), [(4.0, 0), (0.8, 3)])
def test_walkers_of_a_scene_file_sleep_until_somebody_is_near(apart: float, awake: int) -> None:
    walkers = walkers_session(apart, 3)
    walkers.run(5)
    assert sum(root.awake for root in walkers.roots.values()) == awake
    assert len(walkers.roots) == 3


def test_real_time_plays_to_the_end() -> None:
    short = wading_session(plants=2)
    assert real_time_factor(short, 1) > 0.0
    assert short.count == short.tick_count


def test_limits_have_a_right_side() -> None:
    assert at_most("x", 1.0, "s", 1.0).holds
    assert not at_most("x", 1.1, "s", 1.0).holds
    assert at_least("x", 20.0, "×", 20.0).holds
    assert not at_least("x", np.float64(19.0), "×", 20.0).holds
    assert noted("x", 5.0, "s") == Result("x", 5.0, "s", None, True)


def test_limbs_are_timed_alone_in_a_batch_and_beside_mink_or_say_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    one, many, _ = goals.limb_goals(1)
    assert one.value is not None
    assert many.value is not None
    assert 0.0 < many.value < 3.0 * one.value, "about a third of it, but for other work on the machine"
    monkeypatch.setattr(goals, "find_spec", lambda name: None)
    ratio = goals.limb_goals(1)[2]
    assert ratio == skipped(
        "a step of differential IK (mink) over our four limbs", "mink is not installed (pip install mink)"
    )
    assert ratio.holds
    json.dumps(ratio._asdict())


def test_results_are_collected_and_written_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    repetitions = []

    def fake(count: int) -> list[Result]:
        repetitions.append(count)
        return [at_most("fake", np.float64(2.0), "s", 1.0)]

    monkeypatch.setattr(run, "_BENCHMARKS", (fake, fake))
    seen: list[tuple[int, int]] = []
    results = run_benchmarks(quick=True, progress=lambda done, total: seen.append((done, total)))
    run_benchmarks(quick=False)
    assert seen == [(0, 2), (1, 2), (2, 2)]
    assert repetitions[0] < repetitions[2]
    written = json.loads(json.dumps([result._asdict() for result in results]))
    assert written[0] == {"name": "fake, at most", "value": 2.0, "unit": "s", "limit": 1.0, "holds": False}


def test_reading_is_compared_with_those_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def timed(names: list[str], repetitions: int) -> dict[str, tuple[float, float]]:
        asked.append(list(names))
        return {name: (0.2, 0.9) if name == "poise" else (0.1 * len(name), 1.0) for name in names}

    monkeypatch.setattr(reading, "read_times", timed)
    there = {name: reader._replace(package="json") for name, reader in reading.READERS.items()}
    monkeypatch.setattr(reading, "READERS", there)
    results = reading.reading_files(1)
    assert asked == [["poise", "pybvh", "upc-pymotion", "bvhio"]]
    assert [(result.value, result.holds) for result in results[:3]] == [
        (200.0, True),
        (pytest.approx(0.4), True),
        (pytest.approx(0.9), True),
    ]
    assert "pybvh" in results[1].name
    missing = {name: each if name == "poise" else each._replace(package="none_such") for name, each in there.items()}
    monkeypatch.setattr(reading, "READERS", missing)
    results = reading.reading_files(1)
    assert asked[1] == ["poise"]
    assert [result.value for result in results[1:3]] == [None, None]
    assert "pip install" in results[1].name
    assert results[3].value is not None


def test_our_reader_places_joints_as_the_clip_does(tmp_path: Path) -> None:
    path = readers.long_walk(tmp_path)
    clip = read_clip(path, unit=1.0, up="z", mirrored=False)
    assert len(clip) == 1000
    places = readers.READERS["poise"].positions(path, 7)
    assert list(places) == list(clip.skeleton.names)
    np.testing.assert_array_equal(np.stack(list(places.values()), axis=1), clip.world_positions()[0][:7])


def test_start_up_is_told_beside_a_bare_start() -> None:
    ratios = {result.name: result.value for result in start_up(1) if result.unit == "×"}
    assert len(ratios) in (0, 2)
    assert all(value is not None and value > 1.0 for value in ratios.values())
