"""Balance laws: measured bodies against MuJoCo, statics against the weight, where the feet can push, and looking ahead."""

import mujoco as mj
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from poise.assets import clip_path
from poise.body.coordinates import generalized_from_clip
from poise.body.plan import BodyPlan
from poise.characters.standing import standing_clip
from poise.control.balance import Aim, CaptureBalance, CaptureOptions, CarriedBody, PublishedBalance
from poise.control.balance.body import Soles, capture_point, outside
from poise.control.balance.preview import preview_weights, previewed
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.scenes.mixed import mixed_character
from poise.world import SceneSpec, build_world

BOTH = np.array([True, True])


@pytest.fixture(scope="module")
def plan() -> BodyPlan:
    return mixed_character(standing_clip(read_clip(clip_path("walk")), 1.0)).plan


@pytest.fixture(scope="module")
def pose() -> np.ndarray:
    clip = standing_clip(read_clip(clip_path("walk")), 1.0)
    return generalized_from_clip(mixed_character(clip).plan, clip)[0]


def at_rest(plan: BodyPlan) -> np.ndarray:
    return np.zeros(plan.velocity_count)


def test_the_whole_body_is_measured_as_mujoco_does(plan: BodyPlan) -> None:
    rng = np.random.default_rng(3)
    row = np.concatenate([rng.normal(size=3), quat.normalize(rng.normal(size=(len(plan), 4))).ravel()])
    velocities = rng.normal(size=plan.velocity_count)
    world = build_world({"body": plan}, SceneSpec(floor=None), 0.002)
    world.place("body", row, velocities)
    mj.mj_subtreeVel(world.model, world.data)
    root = int(world.layout("body").bodies[0])
    carriage = CarriedBody(plan).measure(row, velocities)
    assert np.allclose(carriage.centre, world.data.subtree_com[root], atol=1e-12)
    assert np.allclose(carriage.velocity, world.data.subtree_linvel[root], atol=1e-12)
    assert np.allclose(carriage.whole[2], world.data.subtree_angmom[root], atol=1e-10)
    assert np.allclose(carriage.positions, world.data.xpos[world.layout("body").bodies], atol=1e-12)


def test_standing_legs_carry_the_weight(plan: BodyPlan, pose: np.ndarray) -> None:
    body = CarriedBody(plan)
    carriage = body.measure(pose, at_rest(plan))
    torques = np.zeros((len(plan) - 1, 3))
    law = CaptureBalance(body)
    reading = law.torques(carriage, BOTH, Aim.at(carriage.centre.copy()), torques)
    assert np.allclose(reading.pressure, carriage.centre[:2], atol=1e-6)
    # The work of the joint torques on a small change of the legs is that of half the weight at each sole.
    foot, h, rng = body.legs[0, 2], 1e-6, np.random.default_rng(0)
    moved, work = pose.copy(), 0.0
    for joint in body.legs[0]:
        turn = rng.normal(size=3)
        at = slice(3 + 4 * joint, 7 + 4 * joint)
        moved[at] = quat.mul(pose[at], quat.exp(h * turn))
        work += h * float(torques[joint - 1] @ turn)
    before = body.measure(pose, at_rest(plan))
    point, start = np.array([*reading.pressure, body.soles(before).middles[0, 2]]), before.positions[foot].copy()
    point[1] = body.soles(before).middles[0, 1]
    held = quat.rotate(quat.conj(before.rotations[foot]), point - start)
    after = body.measure(moved, at_rest(plan))
    rise = (after.positions[foot] + quat.rotate(after.rotations[foot], held) - point)[2]
    assert work == pytest.approx(-0.5 * body.mass * body.gravity * rise, rel=0.02)


def test_pressure_stays_inside_the_soles(plan: BodyPlan, pose: np.ndarray) -> None:
    body = CarriedBody(plan)
    law, torques = CaptureBalance(body), np.zeros((len(plan) - 1, 3))
    for way in ([1.0, 0.0], [-1.0, 0.3], [0.0, 1.0], [0.4, -1.0]):
        velocities = at_rest(plan)
        velocities[:2] = np.array(way) * 3.0
        carriage = body.measure(pose, velocities)
        reading = law.torques(carriage, BOTH, Aim.at(carriage.centre.copy()), torques)
        assert outside(reading.pressure, body.soles(carriage), BOTH) < 1e-9
        assert reading.outside > 0.3
        assert np.dot(reading.pressure - carriage.centre[:2], way) > 0.0


def _hull_distance(place: np.ndarray, corners: np.ndarray) -> float:
    """Of a place (2,) from the convex hull of corners (n, 2)."""
    hull = ConvexHull(corners)
    if (hull.equations[:, :2] @ place + hull.equations[:, 2] <= 0.0).all():
        return 0.0
    starts, ends = corners[hull.vertices], corners[np.roll(hull.vertices, -1)]
    along = np.sum((place - starts) * (ends - starts), axis=1) / np.sum((ends - starts) ** 2, axis=1)
    nearest = starts + np.clip(along, 0.0, 1.0)[:, None] * (ends - starts)
    return float(np.linalg.norm(place - nearest, axis=1).min())


def test_feet_push_anywhere_in_the_support_polygon_however_they_stand() -> None:
    rng = np.random.default_rng(0)
    halves = np.array([[0.12, 0.04], [0.12, 0.04]])
    signs = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]])
    for _ in range(300):
        yaw = rng.uniform(-0.4, 0.4, 2)
        axes = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
        middles = np.array([[rng.uniform(-0.4, 0.4), rng.uniform(0.06, 0.2), 0.0], [0.0, -0.09, 0.0]])
        aside = np.stack([-axes[:, 1], axes[:, 0]], axis=1)
        left, right = middles[:, None, :2] + 0.12 * signs[:, :1] * axes[:, None] + 0.04 * signs[:, 1:] * aside[:, None]
        place = middles[:, :2].mean(axis=0) + rng.uniform(-0.3, 0.3, 2)
        # Each foot keeps a fiftieth of the weight.
        reach = [s * left[:, None] + (1.0 - s) * right[None] for s in (0.02, 0.98)]
        expected = _hull_distance(place, np.reshape(reach, (-1, 2)))
        assert outside(place, Soles(middles, axes, halves), BOTH) == pytest.approx(expected, abs=0.005)


def test_one_foot_carries_alone(plan: BodyPlan, pose: np.ndarray) -> None:
    body = CarriedBody(plan)
    carriage, torques = body.measure(pose, at_rest(plan)), np.zeros((len(plan) - 1, 3))
    CaptureBalance(body).torques(carriage, np.array([True, False]), Aim.at(carriage.centre.copy()), torques)
    assert np.abs(torques[body.legs[1] - 1]).max() == 0.0 < np.abs(torques[body.legs[0] - 1]).max()


def test_the_capture_point_is_where_the_pendulum_stops(plan: BodyPlan, pose: np.ndarray) -> None:
    body, velocities = CarriedBody(plan), at_rest(plan)
    velocities[0] = 0.4
    carriage = body.measure(pose, velocities)
    soles = body.soles(carriage)
    capture = capture_point(body, carriage, soles, BOTH)
    frequency, h = np.sqrt(body.gravity / (carriage.centre[2] - soles.middles[0, 2])), 1e-4
    place, speed = carriage.centre[0], carriage.velocity[0]
    start = capture[0] - place
    for _ in range(5000):
        speed += h * frequency**2 * (place - capture[0])
        place += h * speed
    assert capture[0] - place == pytest.approx(start * np.exp(-0.5 * frequency), rel=0.02)
    assert start > 0.1


@pytest.mark.parametrize("ahead", [1.0, -1.0])
def test_the_papers_law_pushes_back_and_scales(plan: BodyPlan, pose: np.ndarray, ahead: float) -> None:
    body = CarriedBody(plan)
    carriage = body.measure(pose, at_rest(plan))
    once, twice = np.zeros((len(plan) - 1, 3)), np.zeros((len(plan) - 1, 3))
    aim = Aim.at(carriage.centre + np.array([0.05 * ahead, 0.0, 0.0]))
    PublishedBalance(body).torques(carriage, BOTH, aim, once)
    PublishedBalance(body, 2.0).torques(carriage, BOTH, aim, twice)
    assert np.allclose(twice, 2.0 * once)
    left = quat.rotate(carriage.rotations[body.legs[0, 2]], once[body.legs[0, 2] - 1])[1]
    # To go forward the shank is pulled forward, which turns the foot's toes up: about left, negative.
    assert left == pytest.approx(-3.0 * 280.0 * 0.05 * ahead)


def test_preview_acts_before_the_disturbance_and_against_it() -> None:
    frequency, tick = 3.3, 0.01
    weights = preview_weights(frequency, 1.0, tick)
    assert len(weights) == 100
    assert np.all(np.diff(weights[:50]) < 0.0)
    assert np.abs(weights[50:]).max() < 0.1 * weights[0]
    disturbance = np.zeros((400, 1))
    disturbance[200:220] = 0.05
    shift = previewed(disturbance, weights)[:, 0]
    assert np.all(shift[:100] == 0.0)
    assert shift[185] > 0.01
    sways = []
    for push in (shift, 0.0 * shift):
        place, speed, way = 0.0, 0.0, []
        for k in range(400):
            pressure = 2.0 * (place + speed / frequency) + push[k]
            speed += tick * frequency**2 * (place - pressure + disturbance[k, 0])
            place += tick * speed
            way.append(place)
        sways.append(np.abs(way).max())
    assert sways[0] < 0.7 * sways[1]


def test_out_of_range_options_are_refused(plan: BodyPlan) -> None:
    with pytest.raises(InputError, match="margin"):
        CaptureOptions(margin=1.0)
