"""A free body that leans on its own feet: what legs carry of its weight, and when."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.bounded_drive import Bounded
from poise.behaviors.feet_down import FeetDown
from poise.behaviors.switching import Handover, Switching
from poise.body.coordinates import body_frames
from poise.body.layout import turn_slice
from poise.control.bearing import Carrying, LegBearing, StandingFeet
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.reproductions.hu2024.weight import pressed
from poise.runtime import Character, Recording, Session
from poise.scenes import Scene, named_scene
from poise.scenes.bounded import at_ease, physical_legs
from poise.scenes.bounded.person import body
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec

Array = NDArray[np.float64]

GROUND = TerrainGround((), 0.0)
PLAN = body()
FEET = FeetDown(PLAN, "who", StandingFeet())


def taken(load: Array, firm: tuple[float, float] = (1.0, 1.0), options: Carrying | None = None) -> tuple[Array, Array]:
    """What legs at ease leave of a wrench on the pelvis (6,), and their joints' torques (B-1, 3)."""
    bearing, left = LegBearing(PLAN, options or Carrying()), load.copy()
    bearing.take(at_ease(), FEET.soles(FEET.of(at_ease()), (GROUND, 0.0)), np.array(firm), left)
    return left, bearing.torques.copy()


def weight(ahead: float = 0.0) -> Array:
    """Of a body whose centre of mass is so far ahead of the middle of its soles, as a wrench on its pelvis."""
    force = PLAN.total_mass * 9.81
    middle = FEET.soles(FEET.of(at_ease()), (GROUND, 0.0)).middles.mean(axis=0)
    arm = middle + np.array([ahead, 0.0, 0.0]) - at_ease()[:3]
    turn = quat.rotate(quat.conj(at_ease()[3:7]), np.cross(arm, (0.0, 0.0, force)))
    return np.append((0.0, 0.0, force), turn)


def test_over_its_feet_legs_carry_all_of_a_body() -> None:
    left, torques = taken(weight())
    np.testing.assert_allclose(left, 0.0, atol=1e-6)
    row, step = at_ease(), 1e-6
    sole = FEET.soles(FEET.of(row), (GROUND, 0.0)).middles[0]
    foot = PLAN.with_role("left_foot")[0]
    frames = body_frames(PLAN, row)
    own = quat.rotate(quat.conj(frames.rotations[0, foot]), sole - frames.positions[0, foot])
    for joint in PLAN.with_role("left_thigh", "left_shank", "left_foot"):
        for axis in range(3):
            bent = row.copy()
            bent[turn_slice(joint)] = quat.mul(bent[turn_slice(joint)], quat.exp(step * np.eye(3)[axis]))
            there = body_frames(PLAN, bent)
            moved = there.positions[0, foot] + quat.rotate(there.rotations[0, foot], own) - sole
            work = 0.5 * PLAN.total_mass * 9.81 * moved[2] / step
            assert torques[joint - 1, axis] == pytest.approx(-work, abs=1e-3), (
                "virtual work of half the weight at the sole"
            )


def test_it_leans_on_the_foot_that_stands() -> None:
    left, torques = taken(weight(), (0.0, 1.0))
    assert left[2] == pytest.approx(0.0, abs=1e-6)
    assert np.abs(left[3:]).max() > 10.0, "its mass is beside that foot: others have to hold it up"
    legs = [PLAN.with_role(f"{side}_thigh")[0] - 1 for side in ("left", "right")]
    np.testing.assert_array_equal(torques[legs[0]], 0.0)
    assert taken(weight(), (0.3, 0.3))[0][2] == pytest.approx(0.7 * PLAN.total_mass * 9.81)
    np.testing.assert_array_equal(taken(weight(), (0.0, 0.0))[0], weight())
    np.testing.assert_array_equal(taken(-weight())[0], -weight())


@pytest.mark.parametrize("margin", [0.0, 0.25, 0.6])
def test_beyond_its_soles_it_leans_on_their_edge(margin: float) -> None:
    half = FEET.soles(FEET.of(at_ease()), (GROUND, 0.0)).halves[0, 0]
    left, _ = taken(weight(0.3), options=Carrying(margin=margin))
    about = quat.rotate(at_ease()[3:7], left[3:])
    assert about[1] == pytest.approx(-(0.3 - (1.0 - margin) * half) * PLAN.total_mass * 9.81, rel=1e-3)


def test_it_pushes_along_the_ground_as_friction_lets_it() -> None:
    load = weight()
    load[0] = load[2]
    assert taken(load, options=Carrying(friction=0.4))[0][0] == pytest.approx(0.6 * load[2])


def test_feet_are_leant_on_and_relieved_by_and_by() -> None:
    firm, both, none = np.zeros(2), np.array([True, True]), np.array([False, False])
    for _ in range(3):
        Carrying(takes=0.1).lean(firm, both, both, 0.02)
    np.testing.assert_allclose(firm, 0.6)
    Carrying(takes=0.1).lean(firm, none, both, 0.02)
    np.testing.assert_allclose(firm, 0.4)
    Carrying(gives=0.05).lean(firm, both, np.array([True, False]), 0.02)
    np.testing.assert_allclose(firm, [0.6, 0.0], atol=1e-12)
    Carrying(takes=0.0).lean(firm, both, both, 0.02)
    np.testing.assert_allclose(firm, 1.0)


@pytest.mark.parametrize("bad", [{"takes": -1.0}, {"gives": np.nan}, {"margin": 1.0}, {"friction": 0.0}])
def test_numbers_out_of_range_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        Carrying(**bad)


def test_a_foot_stands_that_is_low_and_slow() -> None:
    here, on = FEET.of(at_ease()), (GROUND, 0.0)

    def stands(up: float = 0.0, speed: float = 0.0, pitch: float = 0.0) -> bool:
        there = here.copy()
        there[:, :3] += (speed / 60.0, 0.0, up)
        there[:, 3:] = quat.mul(quat.exp([0.0, pitch, 0.0]), there[:, 3:])
        return bool(FEET.stand(here + np.array([0.0, 0.0, up, 0, 0, 0, 0]), there, 1.0 / 60.0, on).all())

    assert stands()
    assert stands(0.015)
    assert not stands(0.03)
    assert stands(speed=0.3)
    assert not stands(speed=0.6)
    assert not FEET.stand(here, here, 1.0 / 60.0, (TerrainGround((), None), 0.0)).any(), "over a hole"


def test_when_a_foot_stands_is_as_low_and_slow_as_stated() -> None:
    here, on = FEET.of(at_ease()), (GROUND, 0.0)
    there = here + np.array([0.3 / 60.0, 0.0, 0.015, 0, 0, 0, 0])
    for options, stands in (({}, True), ({"low": 0.01}, False), ({"slow": 0.2}, False)):
        feet = FeetDown(PLAN, "who", StandingFeet(**options))
        assert feet.stand(here, there, 1.0 / 60.0, on).all() == stands


def test_of_a_tilted_sole_more_presses_where_flesh_gives_more() -> None:
    tilted = FEET.of(at_ease())
    tilted[:, 3:] = quat.mul(quat.exp([0.0, 0.1, 0.0]), tilted[:, 3:])
    hard, soft = (
        FeetDown(PLAN, "who", StandingFeet(presses=presses)).soles(tilted, (GROUND, 0.0)).halves[0, 0]
        for presses in (0.001, 0.05)
    )
    assert soft > 3.0 * hard


@pytest.mark.parametrize(("upward", "stands"), [(60.0, True), (30.0, False)])
def test_a_foot_stands_on_slopes_up_to_the_one_stated(upward: float, stands: bool) -> None:
    contact = SimpleNamespace(
        pairs=np.array([[0, 1]]),
        normal=np.array([[np.sin(np.radians(45.0)), 0.0, np.cos(np.radians(45.0))]]),
        impulse=np.ones(1),
    )
    foot = int(FEET.bodies[0])
    view = SimpleNamespace(
        contacts=contact,
        body_numbers=lambda name: np.arange(len(PLAN)) + 1,
        geoms=SimpleNamespace(bodies=np.array([0, 1 + foot])),
    )
    feet = FeetDown(PLAN, "who", StandingFeet(upward=np.radians(upward)))
    assert feet.touch(view).tolist() == [stands, False]


def test_of_a_raised_heel_the_ball_presses() -> None:
    row = at_ease()
    foot = PLAN.with_role("left_foot")[0]
    at = turn_slice(foot)
    flat = FEET.soles(FEET.of(row), (GROUND, 0.0))
    row[at] = quat.mul(
        row[at], quat.exp(quat.rotate(quat.conj(body_frames(PLAN, row).rotations[0, foot]), [0.0, 0.5, 0.0]))
    )
    raised = FEET.soles(FEET.of(row), (GROUND, 0.0))
    assert raised.halves[0, 0] < 0.2 * flat.halves[0, 0]
    assert raised.middles[0, 0] > flat.middles[0, 0] + 0.03
    np.testing.assert_allclose(raised.middles[1], flat.middles[1])


def played(scene: Scene, seconds: float, carrying: Carrying | None) -> tuple[Session, Recording]:
    """The scene with everybody's legs carrying so."""
    made = {
        name: [lambda maker=maker: replace_carrying(maker(), carrying) for maker in makers]
        for name, makers in scene.behaviors.items()
    }
    session = replace(scene, behaviors=made).session()
    return session, session.run(round(seconds / session.clock.tick))


def replace_carrying(behavior: object, carrying: Carrying | None) -> object:
    if isinstance(behavior, Bounded):
        behavior._carrying = carrying
    return behavior


@pytest.mark.parametrize("carries", [True, False])
def test_on_blocks_the_straight_leg_bears(carries: bool) -> None:
    force = pressed(*played(named_scene("blocks"), 6.0, Carrying() if carries else None))[60:]
    whole = force.sum(axis=1)
    # The right block is low at 2 s, the left one at 4 s.
    bent, straight = force[[60, 180], [0, 1]], force[[60, 180], [1, 0]]
    if carries:
        assert 0.9 < whole.min() < whole.max() < 1.15
        assert straight.min() > 0.7
        assert bent.max() < 0.35
    else:
        assert np.median(whole) < 0.5


@pytest.mark.parametrize("carries", [True, False])
def test_who_walks_on_rough_ground_bears_its_weight(carries: bool) -> None:
    session, recording = played(named_scene("rough_physical"), 5.0, Carrying() if carries else None)
    force = pressed(session, recording)
    alone = force.sum(axis=1)[(force > 0.02).sum(axis=1) == 1]
    middle = float(np.median(alone))
    if carries:
        assert 0.75 < middle < 1.25
        assert np.percentile(alone, 95) < 1.5
        assert force.max() < 2.0
        away = recording.positions - recording.source
        assert np.linalg.norm(away[:, session.layouts[0].positions][:, :3], axis=1).max() < 0.04
    else:
        assert middle < 0.5


def test_a_pelvis_that_comes_back_from_its_clip_leans_on_nothing_it_stood_on_before() -> None:
    """Feet that stood when the pelvis was handed to the clip are a stride farther when it is handed back."""
    walker = Character.from_clip(read_clip(clip_path("walk")))
    orders = [
        Handover(time=0.5, joints=("pelvis",), to="motion", fade=0.1),
        Handover(time=1.2, joints=("pelvis",), to="muscles"),
    ]
    scene = physical_legs(Scene("w", {"w": walker}, SceneSpec(floor=walker.floor)))
    bounded = scene.behaviors["w"]
    session = replace(scene, behaviors={"w": [*bounded, lambda: Switching(orders)]}).session()
    leaning = next(each for each in session.behaviors if isinstance(each, Bounded)).state.leaning
    stood, firm = 0.0, []
    while session.count * session.clock.tick < 1.15:
        session.tick()
        stood = max(stood, float(leaning.firm.max()))
        firm.append(float(leaning.firm.max()))
    assert stood > 0.5
    assert max(firm[-20:]) == 0.0
