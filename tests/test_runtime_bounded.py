"""The bounded stage: undisturbed it follows, blocked it gives way and comes back, and no goal makes it lose its numbers."""

from dataclasses import replace

import mujoco as mj
import numpy as np
import pytest

from _builders import assign_modes
from poise.assets import clip_path
from poise.behaviors.bounded_drive import Bounded
from poise.body.coordinates import body_frames
from poise.control.bearing import Carrying
from poise.control.tension import Tension
from poise.errors import InputError
from poise.ik import Goal, Goals
from poise.io import read_clip
from poise.math import quat
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes import named_scene, read_scene
from poise.scenes.bounded import LEGS, at_ease, feet_on, physical_legs, standing
from poise.signals import Mode
from poise.world import CONTACTS, ContactSettings, Platform, SceneSpec, Slope, TerrainGround

STEADY = Tension(frequency=5.0, load="gravity")


def stander(seconds: float = 1.0, anchors: tuple[str, ...] = ("pelvis",)) -> Character:
    return standing(at_ease(), seconds, CharacterOptions(anchors=anchors, tension=STEADY))


def rows(session: Session) -> np.ndarray:
    return session.recording().positions[:, session.layouts[0].positions]


def place(session: Session, role: str) -> np.ndarray:
    plan = session.layouts[0].plan
    return body_frames(plan, rows(session)).positions[:, plan.with_role(role)[0]]


@pytest.fixture(scope="module")
def walker() -> Character:
    options = CharacterOptions(anchors=("pelvis",), tension=Tension(frequency=6.0))
    return Character.from_clip(read_clip(clip_path("walk")), options)


@pytest.mark.parametrize("carries", [True, False])
def test_undisturbed_a_free_body_follows_its_clip(walker: Character, carries: bool) -> None:
    setting = SceneSpec(floor=walker.floor, contact=ContactSettings(toes=False))
    session = Session({"w": walker}, setting, behaviors={"w": [Bounded(carrying=Carrying() if carries else None)]})
    session.run()
    plan, recording = walker.plan, session.recording()
    real, source = (body_frames(plan, each).positions for each in (recording.positions, recording.source))
    # Feet that bear weight stay where they stand, however those of the clip slide, and the body sinks until they bear.
    legs = [b for leg in plan.with_role(*LEGS) for b in plan.subtree(leg)]
    bodies = np.setdiff1d(np.arange(len(plan)), legs if carries else [])
    assert np.linalg.norm(real - source, axis=2)[:, bodies].max() < (0.035 if carries else 0.02)


def test_without_the_stage_it_would_fall(walker: Character) -> None:
    session = Session({"w": walker})
    session.run()
    assert np.linalg.norm(rows(session)[-1, :3] - session.recording().source[-1, :3]) > 0.1


def test_a_hand_goes_to_its_goal_at_a_limited_speed() -> None:
    start = body_frames(stander().plan, at_ease()).positions[0]
    plan = stander().plan
    goal = start[plan.with_role("left_hand")[0]] + (0.3, 0.05, 0.3)
    session = Session({"w": stander(2.0)}, behaviors={"w": [Bounded(lambda time: Goals({"left_hand": Goal(goal)}))]})
    session.run()
    hand = place(session, "left_hand")
    assert np.linalg.norm(hand[-1] - goal) < 0.02
    assert np.linalg.norm(np.diff(hand, axis=0), axis=1).max() < 0.15, "nothing teleports"


def test_the_hips_go_to_their_goal() -> None:
    row = at_ease()
    goal = Goal(row[:3] + np.array([0.1, 0.0, -0.1]), quat.mul(row[3:7], quat.exp([0.0, 0.0, 0.2])))
    feet = feet_on(TerrainGround((), 0.0), row)
    session = Session({"w": stander(2.0)}, behaviors={"w": [Bounded(lambda time: Goals(feet(time).ends, goal))]})
    session.run()
    assert np.linalg.norm(rows(session)[-1, :3] - goal.position) < 0.02
    assert quat.angle_between(rows(session)[-1, 3:7], goal.rotation) < 0.05
    assert np.linalg.norm(place(session, "left_foot")[-1] - place(session, "left_foot")[0]) < 0.02


def test_the_force_on_the_hips_stays_within_two_body_weights() -> None:
    who = stander(0.6)
    session = Session({"w": who}, SceneSpec(floor=None, gravity=9.81), behaviors={"w": [Bounded()]})
    session.world.data.xfrc_applied[session.layouts[0].bodies[0], 0] = 5000.0
    forces, hip = [], session.layouts[0].velocities.start

    def watch(target: np.ndarray) -> None:
        data, model = session.world.data, session.world.model
        damper = model.dof_damping[hip : hip + 3] * data.qvel[hip : hip + 3]
        forces.append(np.linalg.norm(data.qfrc_applied[hip : hip + 3] - damper))

    session.world.before_substep.append(watch)
    session.run(20)
    weight = who.plan.total_mass * 9.81
    assert max(forces) == pytest.approx(2.0 * weight, rel=1e-6), "at its limit, not beyond it"


BAD = {
    "nan": np.full(3, np.nan),
    "kilometres": np.array([3e4, 0.0, 1.0]),
    "huge": np.array([1e300, 0.0, -1e300]),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_goals_never_lose_the_numbers(bad: str) -> None:
    def goals(time: float) -> Goals:
        away = Goal(BAD[bad], np.full(4, np.nan)) if time > 0.3 else Goal(np.array([0.3, 0.3, 1.2]))
        return Goals({"left_hand": away, "right_foot": Goal(BAD[bad])}, Goal(BAD[bad]) if bad == "nan" else None)

    session = Session({"w": stander()}, behaviors={"w": [Bounded(goals)]})
    recording = session.run()
    assert np.isfinite(recording.positions).all()
    assert np.isfinite(recording.kinematic).all()
    assert np.abs(rows(session)[:, :3]).max() < 2.0
    lost = {event.subject for event in recording.events if event.kind == "goal lost"}
    assert lost == ({"w/left_hand", "w/right_foot", "w/pelvis"} if bad == "nan" else set())
    if bad == "nan":
        assert np.linalg.norm(place(session, "left_hand")[-1] - [0.3, 0.3, 1.2]) < 0.2, "the last good goal holds"


def test_over_a_hole_the_last_good_goal_holds() -> None:
    lid = Platform(name="lid", position=(0.0, 0.0, 0.0), size=(1.0, 1.0), travel=0.1, period=1.0)
    ground, hole = TerrainGround((lid,), None), TerrainGround((), None)
    row = at_ease()

    def goals(time: float) -> Goals:
        return feet_on(ground if time < 0.5 else hole, row)(time)

    setting = SceneSpec(floor=None, terrain=[lid])
    options = CharacterOptions(anchors=LEGS, tension=STEADY, terrain=False)
    session = Session({"w": standing(row, 1.0, options)}, setting, behaviors={"w": [Bounded(goals)]})
    recording = session.run()
    assert np.isfinite(recording.positions).all()
    assert {event.kind for event in recording.events} >= {"goal lost"}


def test_legs_walk_off_the_end_of_the_ground_with_numbers() -> None:
    base = named_scene("rough")
    slope = Slope(name="slope", position=(0.3, 0.0, 0.0), angle=0.1, length=1.0)
    scene = physical_legs(replace(base, setting=SceneSpec(floor=None, terrain=[slope])))
    recording = scene.session().run(120)
    assert np.isfinite(recording.positions).all()


def test_going_back_plays_the_same_again() -> None:
    feet = feet_on(TerrainGround((), 0.0), at_ease())
    session = Session({"w": stander()}, behaviors={"w": [Bounded(feet)]})
    session.world.data.xfrc_applied[session.layouts[0].bodies[0], 0] = 300.0
    session.run(10)
    saved = session.save()
    first = session.run(15).positions.copy()
    for _ in range(2):
        session.restore(saved)
        np.testing.assert_array_equal(session.run(15).positions, first)


def test_a_pelvis_that_is_given_back_to_the_motion_follows_it(walker: Character) -> None:
    session = Session({"w": walker}, behaviors={"w": [Bounded()]})
    session.run(10)
    assign_modes(session, np.full(len(walker.plan), int(Mode.MOTION)))
    session.run(10)
    np.testing.assert_allclose(rows(session)[-1], session.recording().source[-1], atol=1e-6)


@pytest.mark.parametrize("brace", [0.0, -1.0, float("nan")])
def test_a_brace_must_be_an_angle(brace: float) -> None:
    with pytest.raises(InputError, match="brace"):
        Bounded(brace=brace)


def test_firm_contacts_reach_every_geom_and_the_margin_the_feet() -> None:
    contact = replace(CONTACTS["stiff"], foot_margin=0.004, toes=False)
    who = stander()
    soft, firm = (Session({"w": who}, SceneSpec(contact=each)).world.model for each in (ContactSettings(), contact))
    np.testing.assert_array_equal(firm.geom_solref[:, 0], 0.002)
    feet = [who.plan.names[b] for b in who.plan.with_role("left_foot", "right_foot")]
    named = [firm.body(int(firm.geom_bodyid[geom])).name for geom in np.flatnonzero(firm.geom_margin)]
    assert sorted(named) == sorted(f"w/{name}" for name in feet)
    for geom in np.flatnonzero(firm.geom_margin):
        ends = []
        for model in (soft, firm):
            ahead = np.zeros(3)
            mj.mju_rotVecQuat(ahead, np.array([1.0, 0.0, 0.0]), model.geom_quat[geom])
            middle, half = float(model.geom_pos[geom] @ ahead), float(model.geom_size[geom, 0])
            ends.append((middle - half, middle + half, half))
        assert ends[1][0] == pytest.approx(ends[0][0]), "the heel stays"
        assert ends[1][1] == pytest.approx(ends[0][1] - 0.4 * ends[0][2]), "the front is at the ball"


@pytest.mark.parametrize("bad", [{"foot_margin": 0.02}, {"time_constant": 0.0}, {"damping_ratio": float("nan")}])
def test_contacts_out_of_range_are_refused(bad: dict) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        ContactSettings(**bad)


def test_contacts_and_stops_are_in_scene_files(tmp_path) -> None:
    file = tmp_path / "firm.yaml"
    file.write_text(
        "characters:\n  walker: {clip: 'shipped:walk'}\nsubstep: 0.001\n"
        "contact: {firmness: stiff, foot_margin: 0.005, toes: false}\n"
        "terrain:\n  - {platform: lift, position: [3, 0, 0], size: [1, 1], travel: 0.2, period: 1, until: 2.25}\n"
    )
    scene = read_scene(file)
    assert scene.setting.contact == replace(CONTACTS["stiff"], foot_margin=0.005, toes=False)
    (lift,) = scene.setting.terrain
    assert isinstance(lift, Platform)
    np.testing.assert_allclose(lift.rise([2.25, 9.0]), 0.1)
    file.write_text("characters:\n  walker: {clip: 'shipped:walk'}\ncontact: {firmness: hard}\n")
    with pytest.raises(InputError, match=r"contact.firmness"):
        read_scene(file)


def test_legs_on_rough_ground_stay_on_it() -> None:
    scene = physical_legs(named_scene("rough"))
    session = scene.session()
    depth, contacts = [0.0], session.world.data.contact
    session.world.before_substep.append(
        lambda target: depth.append(-contacts.dist.min() if len(contacts.dist) else 0.0)
    )
    recording = session.run(180)
    at = session.layouts[0].positions
    plan = session.layouts[0].plan
    real, source = (body_frames(plan, each[:, at]).positions for each in (recording.positions, recording.source))
    feet = list(plan.with_role("left_foot", "right_foot"))
    assert max(depth) < 0.005
    assert np.linalg.norm(real[:, feet] - source[:, feet], axis=2).max() < 0.06
