"""Muscles at work: a person's arms, moved by limited muscles against gravity in a world of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from _builders import human_clip, human_plan, standing
from poise.behaviors.reference import effective_inertias
from poise.body import BodyPlan, JointLimits
from poise.body.limits import anatomical, swing_twist_angles
from poise.control import MuscleState, Tension, limit_muscles
from poise.hybrid import anchored
from poise.math import quat
from poise.signals import Drive, Effort, Mode, Target
from poise.world import CharacterDynamics, SceneSpec, World, build_world

STEP = 1.0 / 480.0
SUBSTEPS = 8
ARM = ("LeftArm", "LeftForeArm", "LeftHand")
SHARE = np.array([1.0, 0.5, 0.1])
"""Of the shoulder's stiffness, at shoulder, elbow and wrist."""


def boundless(plan: BodyPlan) -> BodyPlan:
    free = JointLimits(np.full(3, -np.pi), np.full(3, np.pi))
    return replace(plan, limits=tuple(free for _ in plan.limits))


class Rig:
    """A person held in the air whose named joints have muscles; nothing touches anything."""

    def __init__(self, plan: BodyPlan, anchor: str, *, ranges: bool = False) -> None:
        self.plan = plan if ranges else boundless(plan)
        names = self.plan.names
        apart = {"p": [(a, b) for a in names for b in names if a < b]}
        self.world: World = build_world({"p": self.plan}, SceneSpec(floor=None, apart=apart), STEP)
        self.dynamics = CharacterDynamics(self.plan)
        self.modes = anchored(self.plan, (anchor,))
        self.active = self.modes[1:] == Mode.TORQUE
        self.muscles = MuscleState.of(self.plan)
        self.inertias = effective_inertias(self.dynamics, len(self.plan))
        self.stops = Tension(frequency=25.0, damping_ratio=1.0).gains(self.inertias).stiffness * (
            1.0 if ranges else 0.0
        )
        self.world.cut.assign(self.world.layout("p").joints, self.modes)

    def neutral(self) -> np.ndarray:
        positions = np.zeros(self.plan.position_count)
        positions[3::4] = 1.0
        positions[3:7] = self.plan.neutral[0]
        return positions

    def turned(self, turns: dict[str, np.ndarray]) -> np.ndarray:
        """The neutral pose with joints turned by rotation vectors."""
        positions = self.neutral()
        for name, vector in turns.items():
            at = 3 + 4 * self.plan.index(name)
            positions[at : at + 4] = quat.exp(vector)
        return positions

    def flexed(self, name: str, angle: float) -> np.ndarray:
        """The neutral pose with one joint turned about the left-right axis, negative forwards [rad]."""
        axis = quat.rotate(quat.conj(self.plan.neutral[self.plan.index(name)]), [0.0, 1.0, 0.0])
        return self.turned({name: angle * axis})

    def play(
        self,
        target: np.ndarray,
        stiffness: np.ndarray,
        seconds: float,
        *,
        damping: np.ndarray | None = None,
        limit: np.ndarray | float = np.inf,
        extra: dict[str, np.ndarray] | None = None,
    ) -> np.ndarray:
        """Hold `target` (nq,); returns spring and load torque of every muscle at every substep, shape (s, B-1, 3)."""
        world, muscles, count = self.world, self.muscles, len(self.plan) - 1
        goal = target[7:].reshape(-1, 4)
        kd = 1.6 * np.sqrt(stiffness * self.inertias) if damping is None else damping
        load = np.array(self.dynamics.load(target))[6:].reshape(-1, 3)
        torques = []
        rows = Drive(target[None].copy())
        push = np.zeros(world.model.nv)
        for name, torque in (extra or {}).items():
            push[3 + 3 * self.plan.index(name) : 6 + 3 * self.plan.index(name)] = torque
        for _ in range(round(seconds / STEP / SUBSTEPS)):
            aim = Target(
                np.tile(goal, (SUBSTEPS, 1, 1)),
                np.zeros((count, 3)),
                stiffness,
                kd,
                load,
                np.broadcast_to(limit, count),
            )
            limit_muscles(muscles, self.active, world.data.qpos[7:].reshape(-1, 4), aim, self.stops)
            for row in range(SUBSTEPS):
                way = quat.log(quat.mul(quat.conj(world.data.qpos[7:].reshape(-1, 4)), aim.rotations[row]))
                torques.append(muscles.stiffness[:, None] * way + muscles.applied)
                controls = aim.rotations[row].reshape(1, -1)
                applied = push.copy()
                applied[6:] += muscles.applied.ravel()
                world.step(rows, Effort(muscles.stiffness, muscles.damping, controls, applied))
        return np.array(torques)

    def away(self, target: np.ndarray) -> np.ndarray:
        """Angle of each joint from the target [deg], shape (B-1,)."""
        now, goal = (p[7:].reshape(-1, 4) for p in (self.world.data.qpos, target))
        return np.degrees(quat.angle_between(now, goal))

    def gains(self, shoulder: float) -> np.ndarray:
        stiffness = np.full(len(self.plan) - 1, shoulder)
        for name, share in zip(ARM, SHARE, strict=True):
            stiffness[self.plan.index(name) - 1] = share * shoulder
        return stiffness


@pytest.fixture(scope="module")
def plan() -> BodyPlan:
    return human_plan(human_clip(motion=standing, seconds=0.1), mass=70.0)


@pytest.fixture(scope="module")
def arm(plan: BodyPlan) -> Rig:
    return Rig(plan, "left_upper_arm")


def swings(generator: np.random.Generator, most: float) -> dict[str, np.ndarray]:
    """A rotation vector of random direction and up to `most` degrees for each joint of the arm."""
    axes = generator.normal(size=(3, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return dict(zip(ARM, axes * np.radians(generator.uniform(0.2 * most, most, size=(3, 1))), strict=True))


def test_the_settled_pose_does_not_depend_on_tension(arm: Rig) -> None:
    generator, worst, spread = np.random.default_rng(5), 0.0, 0.0
    for _ in range(20):
        target, start = arm.turned(swings(generator, 150.0)), arm.turned(swings(generator, 75.0))
        settled = []
        for tension in (20.0, 200.0, 2000.0):
            arm.world.place("p", start)
            arm.play(target, arm.gains(tension), 4.0)
            settled.append(arm.world.data.qpos[7:].reshape(-1, 4).copy())
            worst = max(worst, float(arm.away(target).max()))
        for other in settled[1:]:
            spread = max(spread, float(np.degrees(quat.angle_between(settled[0], other)).max()))
    assert worst < 0.1
    assert spread < 0.1


def test_deflection_under_an_extra_torque_is_inverse_to_tension(arm: Rig) -> None:
    target, body = arm.turned(swings(np.random.default_rng(2), 60.0)), arm.plan.index("LeftArm") - 1
    products = []
    for tension in (100.0, 200.0, 400.0, 1000.0, 2000.0):
        arm.world.place("p", target)
        arm.play(target, np.full(len(arm.plan) - 1, tension), 3.0, extra={"LeftArm": np.array([0.0, 1.0, 0.0])})
        products.append(np.radians(arm.away(target)[body]) * tension)
    assert np.all(np.abs(np.array(products) / products[-1] - 1.0) < 0.05)
    assert products[-1] == pytest.approx(1.0, abs=0.05)


def test_mirrored_poses_give_mirrored_torques(plan: BodyPlan) -> None:
    flip = np.array([1.0, -1.0, 1.0, -1.0])
    left, right = Rig(plan, "left_upper_arm"), Rig(plan, "right_upper_arm")
    generator = np.random.default_rng(3)
    for _ in range(5):
        goal, start = swings(generator, 100.0), swings(generator, 60.0)
        torques = []
        for rig, side in ((left, "Left"), (right, "Right")):
            sign = 1.0 if side == "Left" else -1.0
            poses = []
            for turns in (goal, start):
                mirrored = {n.replace("Left", side): v * [sign, 1.0, sign] for n, v in turns.items()}
                poses.append(rig.turned(mirrored))
            rig.world.place("p", poses[1])
            bodies = [rig.plan.index(name.replace("Left", side)) - 1 for name in ARM]
            torques.append(rig.play(poses[0], np.full(len(plan) - 1, 150.0), 0.3)[:, bodies])
        assert np.abs(torques[0]).max() > 10.0
        assert np.abs(torques[0] - torques[1] * [-1.0, 1.0, -1.0]).max() < 1e-6
    assert np.allclose(left.neutral()[3:7], left.neutral()[3:7] * flip, atol=1e-9)


LIMITS = {"LeftArm": 60.0, "LeftForeArm": 30.0, "LeftHand": 5.0}


@pytest.mark.parametrize("tension", [20.0, 200.0, 2000.0, 20000.0])
def test_spring_and_load_stay_within_the_torque_limit(arm: Rig, tension: float) -> None:
    generator = np.random.default_rng(7)
    limit = np.full(len(arm.plan) - 1, 200.0)
    bodies = [arm.plan.index(name) - 1 for name in ARM]
    limit[bodies] = list(LIMITS.values())
    stiffness = np.full(len(arm.plan) - 1, tension)
    for _ in range(3):
        turns = {
            name: vector * np.radians(90.0) / np.linalg.norm(vector) for name, vector in swings(generator, 90.0).items()
        }
        target = arm.turned(turns)
        arm.world.place("p", arm.neutral())
        torques = np.linalg.norm(arm.play(target, stiffness, 4.0, limit=limit)[:, bodies], axis=-1)
        assert np.all(torques.max(axis=0) <= 1.01 * limit[bodies])
        if tension >= 2000.0:
            assert torques[:, 0].max() > 0.9 * limit[bodies[0]], "the limit was met"
        assert np.abs(arm.world.data.qvel).max() < 1e-2
        assert arm.away(target).max() < 0.1


def test_saturation_is_reported_and_ends(arm: Rig) -> None:
    target = arm.flexed("LeftArm", -1.5)
    stiffness, body = np.full(len(arm.plan) - 1, 2000.0), arm.plan.index("LeftArm") - 1
    arm.world.place("p", arm.neutral())
    arm.play(target, stiffness, SUBSTEPS * STEP, limit=60.0)
    assert arm.muscles.saturated[body]
    assert arm.muscles.stiffness[body] < 100.0
    arm.play(target, stiffness, 3.0, limit=60.0)
    assert not arm.muscles.saturated.any()
    assert arm.muscles.stiffness[body] == 2000.0


def test_a_load_beyond_the_limit_is_capped_and_the_limb_sinks(arm: Rig) -> None:
    target, body = arm.flexed("LeftArm", -1.5), arm.plan.index("LeftArm") - 1
    arm.world.place("p", target)
    torques = arm.play(target, np.full(len(arm.plan) - 1, 500.0), 2.0, limit=3.0)[:, body]
    assert np.linalg.norm(torques, axis=-1).max() <= 3.03
    assert arm.muscles.saturated[body]
    assert arm.away(target)[body] > 20.0


def formula(e: np.ndarray, load: np.ndarray, stiffness: float, limit: float) -> float:
    """The largest stiffness up to K for which |k e + load| stays within the limit, by bisection."""
    low, high = 0.0, stiffness
    if np.linalg.norm(high * e + load) <= limit:
        return stiffness
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if np.linalg.norm(middle * e + load) <= limit else (low, middle)
    return low


def test_secant_stiffness_is_the_largest_the_limit_allows(plan: BodyPlan, rng: np.random.Generator) -> None:
    count = len(plan) - 1
    muscles = MuscleState.of(boundless(plan))
    for _ in range(20):
        way, load = rng.normal(size=(count, 3)), 8.0 * rng.normal(size=(count, 3))
        velocity, stiffness = rng.normal(size=(count, 3)), rng.uniform(5.0, 500.0, count)
        damping, limit = rng.uniform(0.0, 5.0, count), rng.uniform(1.0, 60.0, count)
        now = quat.exp(rng.normal(size=(count, 3)))
        target = Target(quat.mul(now, quat.exp(way))[None], velocity, stiffness, damping, load, limit)
        limit_muscles(muscles, np.arange(count) % 5 != 0, now, target, np.zeros(count))
        for j in range(count):
            if j % 5 == 0:
                assert muscles.stiffness[j] == muscles.damping[j] == 0.0
                assert not muscles.applied[j].any()
                assert not muscles.saturated[j]
                continue
            carried = load[j] * min(1.0, limit[j] / np.linalg.norm(load[j]))
            expected = formula(
                quat.log(quat.mul(quat.conj(now[j]), target.rotations[0, j])), carried, stiffness[j], limit[j]
            )
            assert muscles.stiffness[j] == pytest.approx(expected, rel=1e-6, abs=1e-4)
            kd = damping[j] * np.sqrt(max(muscles.stiffness[j] / stiffness[j], 1e-4))
            assert muscles.damping[j] == pytest.approx(kd)
            assert np.allclose(muscles.applied[j], carried + kd * velocity[j])
            eased = muscles.stiffness[j] < stiffness[j] or np.linalg.norm(load[j]) > limit[j]
            assert muscles.saturated[j] == eased


def hard_cone(rig: Rig, name: str) -> float:
    joint = rig.world.model.joint(f"p/{name}")
    assert rig.world.model.jnt_limited[joint.id]
    return float(joint.range[1])


def beyond(rig: Rig, name: str) -> float:
    """How far a joint is outside its soft limits on its worst axis [rad]; negative inside."""
    body = rig.plan.index(name)
    coordinates = rig.world.data.qpos[3:].reshape(1, -1, 4)
    angles = swing_twist_angles(anatomical(coordinates, rig.plan.neutral))[0, body]
    limits = rig.plan.limits[body]
    return float(np.maximum(angles - limits.upper, limits.lower - angles).max())


@pytest.mark.parametrize(
    ("name", "anchor", "axis", "outwards"),
    [
        ("LeftHand", "left_forearm", 1, 1.0),
        ("LeftForeArm", "left_upper_arm", 1, 1.0),
        ("LeftFoot", "left_foot", 1, 1.0),
        ("LeftLeg", "left_thigh", 1, -1.0),
        ("RightUpLeg", "right_thigh", 0, 1.0),
        ("Head", "neck", 2, -1.0),
    ],
)
def test_a_joint_pushed_beyond_its_range_is_brought_back(
    plan: BodyPlan, name: str, anchor: str, axis: int, outwards: float
) -> None:
    rig = Rig(plan, anchor, ranges=True)
    body, limits = rig.plan.index(name), rig.plan.limits[rig.plan.index(name)]
    edge = limits.upper[axis] if outwards > 0 else limits.lower[axis]
    neutral = rig.plan.neutral[body]
    vector = quat.rotate(quat.conj(neutral), (edge + outwards * np.radians(6.0)) * np.eye(3)[axis])
    rig.world.place("p", rig.turned({name: vector}))
    assert np.degrees(beyond(rig, name)) == pytest.approx(6.0, abs=0.1)
    at = 3 + 3 * body
    rig.world.data.qvel[at : at + 3] = 4.0 * outwards * quat.rotate(quat.conj(neutral), np.eye(3)[axis])
    limited = bool(rig.world.model.jnt_limited[rig.world.model.joint(f"p/{name}").id])
    stiffness, furthest = 400.0 * rig.inertias, 0.0
    rig.play(rig.neutral(), stiffness, SUBSTEPS * STEP)
    assert rig.muscles.beyond[body - 1]
    for _ in range(120):
        rig.play(rig.neutral(), stiffness, SUBSTEPS * STEP)
        furthest = max(
            furthest, float(quat.angle_between(rig.world.data.qpos[7:].reshape(-1, 4)[body - 1], quat.IDENTITY))
        )
    assert np.degrees(beyond(rig, name)) < 0.5
    assert not rig.muscles.beyond[body - 1]
    assert np.degrees(furthest) < np.degrees(np.linalg.norm(vector)) + 3.0
    if limited:
        assert np.degrees(furthest - hard_cone(rig, name)) < 1.0


@pytest.mark.parametrize(
    ("name", "anchor"),
    [("LeftHand", "left_hand"), ("LeftFoot", "left_foot"), ("Head", "head"), ("LeftLeg", "left_shank")],
)
def test_the_hard_cone_stops_a_limp_limb(plan: BodyPlan, name: str, anchor: str) -> None:
    rig = Rig(plan, anchor, ranges=True)
    rig.active[:] = False
    body, cone, furthest = rig.plan.index(name), hard_cone(rig, name), 0.0
    soft = np.linalg.norm(np.maximum(np.abs(rig.plan.limits[body].lower), np.abs(rig.plan.limits[body].upper)))
    assert np.degrees(cone - soft) == pytest.approx(10.0, abs=1e-6)
    rig.world.place("p", rig.flexed(name, cone - 0.05))
    axis = quat.rotate(quat.conj(rig.plan.neutral[body]), [0.0, 1.0, 0.0])
    rig.world.data.qvel[3 + 3 * body : 6 + 3 * body] = 4.0 * axis
    for _ in range(300):
        rig.play(rig.neutral(), np.ones(len(plan) - 1), STEP * SUBSTEPS)
        turn = rig.world.data.qpos[3 + 4 * body : 7 + 4 * body]
        furthest = max(furthest, float(quat.angle_between(turn, quat.IDENTITY)))
    assert 0.0 < np.degrees(furthest - cone) < 1.0


def test_a_stop_stiffens_like_a_ligament(plan: BodyPlan) -> None:
    rig = Rig(plan, "left_forearm", ranges=True)
    body = rig.plan.index("LeftForeArm")
    edge = rig.plan.limits[body].upper[1] * np.eye(3)[1]
    found = []
    for excess in (0.02, 0.1, 0.19, 0.3):
        vector = quat.rotate(quat.conj(rig.plan.neutral[body]), edge + excess * np.eye(3)[1])
        rig.world.place("p", rig.turned({"LeftForeArm": vector}))
        rig.play(rig.neutral(), np.zeros(len(plan) - 1), SUBSTEPS * STEP)
        found.append(rig.muscles.stiffness[body - 1] / rig.stops[body - 1])
    np.testing.assert_allclose(found, [0.1, 0.5, 0.95, 1.0], atol=0.05)


@pytest.mark.parametrize("excess", [0.3, 1.0, 2.0])
def test_a_stop_bears_no_more_than_twice_the_strength(plan: BodyPlan, excess: float) -> None:
    rig, strength = Rig(plan, "left_forearm", ranges=True), 40.0
    body = rig.plan.index("LeftForeArm")
    edge = (rig.plan.limits[body].upper[1] + excess) * np.eye(3)[1]
    rig.world.place("p", rig.turned({"LeftForeArm": quat.rotate(quat.conj(rig.plan.neutral[body]), edge)}))
    slack = np.full(len(plan) - 1, 1e-9)
    torque = rig.play(rig.neutral(), slack, SUBSTEPS * STEP, limit=strength)[0, body - 1]
    spring = torque - rig.muscles.applied[body - 1]
    assert np.linalg.norm(spring) == pytest.approx(2.0 * strength, rel=1e-3)
    assert rig.stops[body - 1] * excess > 2.0 * strength, "unbounded, it would bear more"


def test_a_raised_arm_that_goes_on_backwards_is_stopped_where_it_passed_its_limit(plan: BodyPlan) -> None:
    """Its swing past half a turn is read as one from the other side, whose limit is a way round the whole body off."""
    rig = Rig(plan, "left_upper_arm", ranges=True)
    body = rig.plan.index("LeftArm")
    least = rig.plan.limits[body].lower[1]
    beyond = min(least, -np.pi) - 0.15
    across = quat.rotate(quat.conj(rig.plan.neutral[body]), beyond * np.eye(3)[1])
    rig.world.place("p", rig.turned({"LeftArm": across}))
    slack = np.full(len(plan) - 1, 1e-9)
    torque = rig.play(rig.neutral(), slack, SUBSTEPS * STEP)[0, body - 1] - rig.muscles.applied[body - 1]
    assert torque @ quat.rotate(quat.conj(rig.plan.neutral[body]), np.eye(3)[1]) > 0.0, "back the way it came"
