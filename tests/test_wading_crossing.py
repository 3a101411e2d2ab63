"""Somebody meets fluid in the midst of a walk while a session runs, wades, and comes out of it again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.behavior import Contribution, Stateless
from poise.behaviors.push import Push
from poise.behaviors.reference import Reference
from poise.behaviors.root import VelocityRoot
from poise.body.coordinates import body_frames
from poise.characters.character import Character, CharacterOptions
from poise.errors import InputError
from poise.fluid import FluidVolume, named_fluid
from poise.io import read_clip
from poise.locomotion.contacts import runs
from poise.locomotion.soles import BALL, FEET, HEEL, find_sole
from poise.math import quat
from poise.math.easing import minimum_jerk
from poise.motion.edit import loop
from poise.report.wading import live_stories, live_waders
from poise.runtime import Session
from poise.scenes import read_scene
from poise.scenes.people import stander
from poise.scenes.roots import with_root
from poise.wading import Fluids, WadingLaw, WadingOptions, depth_against
from poise.world.scene import SceneSpec
from poise.world.view import WorldView

POOL = (1.6, 3.4)


@cache
def walker(cycles: int = 10) -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), cycles), CharacterOptions(root="compliant"))


def pool(fluid: str = "water", depth: str = "knee", **more: object) -> FluidVolume:
    """Across the shipped walk, which goes along x."""
    deep = depth_against(walker(), depth)
    middle = (0.5 * (POOL[0] + POOL[1]), 0.0)
    where = {"center": middle, "size": (POOL[1] - POOL[0], 8.0), **more}
    return FluidVolume(fluid=named_fluid(fluid), level=walker().floor + deep, depth=deep, **where)  # type: ignore[arg-type]


def session_of(*volumes: FluidVolume, who: Character | None = None, pushes: tuple[Push, ...] = ()) -> Session:
    person = who or walker()
    return Session(
        {"who": person}, SceneSpec(floor=person.floor), fluids=Fluids(*volumes), behaviors={"who": list(pushes)}
    )


@cache
def crossed(fluid: str = "water", depth: str = "knee") -> Session:
    session = session_of(pool(fluid, depth))
    session.run(round(10.5 / session.clock.tick))
    return session


def told(session: Session, kind: str) -> float:
    return next(event.time for event in session.recording().events if event.kind == kind)


def speeds(session: Session) -> tuple[float, float, float]:
    """Of the pelvis along x: over a stride each before the pool and late in it, and over three after the law is done [m/s]."""
    recording = session.recording()
    x = recording.positions[:, session.world.layout("who").positions][:, 0]
    stride = round(1.0667 / recording.tick)
    out = int(np.argmax(x > POOL[1]))
    begin, end = round(told(session, "wades") / recording.tick), round(told(session, "waded") / recording.tick)
    rates = [x[at] - x[at - stride] for at in (begin, out)]
    return (rates[0] / 1.0667, rates[1] / 1.0667, (x[end + 3 * stride] - x[end]) / (3.0 * 1.0667))


@pytest.mark.slow
def test_a_walker_slows_down_in_water_and_has_the_speed_back_behind_it():
    before, inside, after = speeds(crossed())
    assert inside < 0.8 * before
    assert after == pytest.approx(before, rel=0.04)


def test_mud_is_slower_than_water():
    assert speeds(crossed("mud"))[1] < speeds(crossed())[1] - 0.05


def test_until_the_water_it_has_the_clips_values():
    session = crossed()
    recording, columns = session.recording(), session.world.layout("who").positions
    ticks = round(told(session, "wades") / recording.tick)
    own, clip = recording.positions[: ticks + 1, columns], recording.source[: ticks + 1, columns]
    legs = [3 + 4 * body for body in session.roots["who"]._legs.bodies]
    np.testing.assert_allclose(own[:, :7], clip[:, :7], atol=1e-9)
    np.testing.assert_allclose(own[:, legs], clip[:, legs], atol=1e-9)


def test_behind_it_the_root_sleeps_on_the_clip_again():
    session = crossed()
    root = session.roots["who"]
    assert isinstance(root, VelocityRoot)
    assert not root.state.serves
    assert not root.awake
    recording, columns = session.recording(), session.world.layout("who").positions
    np.testing.assert_allclose(recording.positions[-1, columns][:3], recording.source[-1, columns][:3], atol=2e-3)


def test_nothing_jumps_where_the_law_changes():
    session = crossed()
    recording, layout = session.recording(), session.world.layout("who")
    places = body_frames(layout.plan, recording.positions[:, layout.positions]).positions
    jolts = np.linalg.norm(np.diff(places, 2, axis=0), axis=2) / recording.tick**2
    clip = body_frames(layout.plan, recording.source[:, layout.positions]).positions
    own = np.linalg.norm(np.diff(clip, 2, axis=0), axis=2).max(axis=0) / recording.tick**2
    for kind in ("wades", "waded"):
        tick = round(told(session, kind) / recording.tick)
        around = jolts[tick - 3 : tick + 4].max(axis=0)
        assert around[0] < own[0] + 10.0
        assert around.max() < own.max() + 100.0


def test_feet_stay_where_they_stand():
    session = crossed()
    recording, layout = session.recording(), session.world.layout("who")
    record = live_waders(session)["who"]
    states = np.round(record.time / recording.tick).astype(int)
    frames = body_frames(layout.plan, recording.positions[states][:, layout.positions])
    slides = []
    for foot, role in enumerate(FEET):
        sole = find_sole(layout.plan, role)
        ends = [
            frames.positions[:, sole.body] + quat.rotate(frames.rotations[:, sole.body], point)
            for point in sole.points(np.array([HEEL, BALL]), np.zeros(2))
        ]
        for first, last in runs(record.feet[:, foot, 2] == 1.0):
            stances = [end[first : last + 1] for end in ends]
            # What stands of a foot is what is lowest of it.
            low = [stance[stance[:, 2] < stance[:, 2].min() + 0.004] for stance in stances]
            slides.append(min(float(np.ptp(stood[:, :2], axis=0).max()) for stood in low))
    assert len(slides) >= 8
    assert max(slides) < 1e-3


def test_the_surface_shows_a_wake_where_the_walker_was():
    session = crossed()
    (sheet,) = session.sheets()
    assert session.sheets()[0] is sheet, "worked out once"
    assert sheet.name == "water"
    inner = slice(6, -6)
    assert np.abs(sheet.at(1.0)[inner, inner]).max() < 1e-3, "calm before anybody comes"
    assert np.abs(sheet.at(4.5)[inner, inner]).max() > 0.01
    assert (sheet.at(1.0)[:, 0] < -pool().depth).all(), "what has no banks has sides"


def test_a_push_in_the_water_is_answered_by_the_body():
    at = 3.0
    plain, shoved = (session_of(pool(), pushes=push) for push in ((), (Push((0.0, 600.0, 0.0), at),)))
    ways = []
    for session in (plain, shoved):
        session.run(round((at + 0.6) / session.clock.tick))
        ways.append(session.view.positions("who")[1])
    assert ways[1] - ways[0] > 0.1


def test_a_current_carries_the_walker_aside_and_it_steps_home_behind_it():
    session = session_of(pool(current=(0.0, 0.9, 0.0)), who=walker(12))
    recording = session.run(round(12.5 / session.clock.tick))
    columns = session.world.layout("who").positions
    aside = recording.positions[:, columns][:, 1] - recording.source[:, columns][:, 1]
    assert aside.max() > 0.15
    assert abs(aside[-1]) < 0.25 * aside.max()


class Wish(Stateless):
    """Wants the pelvis elsewhere from 2.0 to 3.5 s, as who dodges does."""

    def __init__(self, away: tuple[float, float, float]) -> None:
        self.away = np.array(away)

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        wanted, time = Contribution(reference), float(reference.times[-1])
        wanted.displacement = float(minimum_jerk(time, 2.0, 2.4) - minimum_jerk(time, 3.0, 3.5)) * self.away
        return wanted


def test_who_wades_ducks_and_steps_aside_as_asked():
    ways = []
    for away in ((0.0, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, -0.2)):
        person = walker()
        setting, fluids = SceneSpec(floor=person.floor), Fluids(pool(size=(6.0, 8.0)))
        session = Session({"who": person}, setting, fluids=fluids, behaviors={"who": [Wish(away)]})
        ways.append(session.run(round(4.5 / session.clock.tick)).positions[:, :3])
    plain, aside, low = ways
    during, after = round(2.9 / session.clock.tick), -1
    assert aside[during, 1] - plain[during, 1] > 0.15
    assert low[during, 2] - plain[during, 2] == pytest.approx(-0.2, abs=0.01)
    assert abs(aside[after, 1] - plain[after, 1]) < 0.1
    assert abs(low[after, 2] - plain[after, 2]) < 0.01


def test_goo_to_the_chest_stops_a_walker_and_nothing_runs_away():
    session = crossed("goo", "chest")
    record = live_waders(session)["who"]
    assert np.isfinite(session.recording().positions).all()
    assert record.speed[-60:].mean() < 0.15
    assert np.abs(record.velocity).max() < 2.0


def test_a_moment_in_the_water_is_saved_and_brought_back():
    session = session_of(pool())
    session.run(round(2.5 / session.clock.tick))
    saved, count = session.save(), len(live_waders(session)["who"])
    first = session.run(60).positions[-1]
    session.restore(saved)
    assert len(live_waders(session)["who"]) == count
    np.testing.assert_array_equal(session.run(60).positions[-1], first)


def test_who_shows_no_steps_or_has_no_compliant_root_does_not_wade():
    stands = with_root(stander(1.0), "compliant")
    session = session_of(pool(center=(0.0, 0.0)), who=stands)
    assert not isinstance(session.roots["who"], VelocityRoot)
    assert live_stories(session) == ["who shows no steps: the fluids do nothing to it"]
    session = session_of(pool(), who=with_root(walker(1), "kinematic"))
    assert live_stories(session) == ["who has no compliant root: the fluids do nothing to it"]
    assert WadingLaw.for_walker(stands, WadingOptions(), session.ground, session.clock.tick) is None


SCENE = """
characters:
  walker: {clip: "shipped:walk", cycles: 3}
  other: {clip: "shipped:walk", cycles: 3, at: [0, 1.5]}
floor: 0.1
fluids:
  - {fluid: water, depth: knee, position: [2.5, 0.5], size: [2, 8], yaw: 90, current: [0.1, 0.4],
     waves: [{amplitude: 0.03, length: 2, heading: 180}], eddies: {speed: 0.1, seed: 3}}
  - {fluid: custard, density: 1500, depth: 0.3}
"""


def scene_file(folder: Path, text: str) -> Path:
    file = folder / "scene.yaml"
    file.write_text(text)
    return file


def test_fluids_stand_in_a_scene_file(tmp_path: Path):
    scene = read_scene(scene_file(tmp_path, SCENE))
    water, custard = scene.fluids
    assert water.depth == pytest.approx(depth_against(scene.characters["walker"], "knee"))
    assert water.level == pytest.approx(0.1 + water.depth)
    assert water.yaw == pytest.approx(np.pi / 2)
    assert (water.center, water.size, water.current) == ((2.5, 0.5), (2.0, 8.0), (0.1, 0.4, 0.0))
    assert water.waves[0].heading == pytest.approx(np.pi)
    assert water.turbulence is not None
    assert water.turbulence.seed == 3
    assert custard.size is None
    assert 0.0 < custard.fluid.offset < named_fluid("mud").offset
    session = scene.session()
    session.run(20)
    assert {event.subject for event in session.recording().events if event.kind == "wades"} == {"walker", "other"}
    assert [sheet.name for sheet in session.sheets()] == ["water", "custard1"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("fluid: water", "fluid: watter"), r"fluids\.0\.fluid: .*'watter'.*did you mean 'water'"),
        (("depth: knee", "depth: knees"), r"fluids\.0\.depth: .*knees.*knee"),
        (("depth: 0.3", "depth: -1"), r"fluids\.1\.depth: .*between 0 and"),
        (("current: [0.1, 0.4]", "current: [0.1, 0.4, 1]"), r"fluids\.0\.current: .*2 numbers"),
        (("eddies:", "eddy:"), r"fluids\.0\.eddy: .*did you mean 'eddies'"),
        (("size: [2, 8], ", ""), r"fluids\.0: .*both 'position' and 'size'"),
        (("density: 1500", "density: 0"), r"fluids\.1\.density: must be a number from 0\.001 to 20000 kg/m³; got 0"),
        (("amplitude: 0.03", "amplitude: 1.0"), r"fluids\.0: .*amplitude of at most a tenth"),
    ],
)
def test_what_is_wrong_with_a_fluid_is_told_with_its_place(tmp_path: Path, change: tuple[str, str], problem: str):
    file = scene_file(tmp_path, SCENE.replace(*change))
    with pytest.raises(InputError, match=problem) as caught:
        read_scene(file)
    assert "scene.yaml" in str(caught.value)


def chest_pushed(force: tuple[float, float, float]) -> tuple[Session, np.ndarray]:
    """A wader who is pushed at the chest for a tenth of a second at 3 s, and how far its spine is off what it means to do."""
    plan = walker().plan
    pushes = (Push(force, 3.0, 0.1, plan.names[plan.with_role("spine")[-1]]),) if any(force) else ()
    session = session_of(pool(size=(30.0, 8.0), center=(16.0, 0.0)), pushes=pushes)
    session.run(round(4.5 / session.clock.tick))
    recording, columns = session.recording(), session.world.layout("who").positions
    turns = [slice(3 + 4 * body, 7 + 4 * body) for body in plan.with_role("spine")]
    real, meant = recording.output[:, columns], recording.kinematic[:, columns]
    return session, np.degrees([quat.angle_between(real[:, turn], meant[:, turn]) for turn in turns]).max(axis=0)


def test_a_waders_trunk_gives_way_to_a_shove_and_comes_back():
    _, calm = chest_pushed((0.0, 0.0, 0.0))
    assert calm.max() < 0.5
    session, shoved = chest_pushed((0.0, 600.0, 0.0))
    assert 1.0 < shoved[round(3.0 / session.clock.tick) :].max() < 20.0
    assert shoved[-10:].max() < 0.3


def test_who_is_shoved_at_the_chest_from_the_front_leans_back():
    leans = []
    for force in ((0.0, 0.0, 0.0), (-600.0, 0.0, 0.0)):
        session, _ = chest_pushed(force)
        record = live_waders(session)["who"]
        leans.append(record.angles[record.time > 3.0, 1].min())
    assert leans[1] < leans[0] - np.radians(2.0)
