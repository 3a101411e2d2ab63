"""Saving and going on to the bit, and stopping when the simulation runs away."""

from __future__ import annotations

from pathlib import Path

import mujoco as mj
import numpy as np
import pytest

from _builders import human_clip, human_plan
from poise.body.trajectory import Trajectory
from poise.errors import InputError
from poise.hybrid import anchored
from poise.signals import Drive, Effort, Mode
from poise.world import Ball, Box, Divergence, Gate, Hanging, Plant, SceneSpec, World, build_world

STEP = 1.0 / 480.0
PROPS = (
    Ball(name="ball", position=(0.4, 0.3, 1.2), velocity=(0.0, 0.0, 0.0)),
    Box(name="box", position=(0.3, -0.3, 0.4), size=(0.1, 0.1, 0.1), mass=2.0),
    Plant(name="plant", position=(0.45, 0.3, 0.0), length=1.0, links=3, mass=1.0, stiffness=30.0, damping=1.0),
    Gate(name="gate", position=(1.0, 0.0, 0.0)),
    Hanging(name="fruit", position=(0.5, -0.4, 1.6), rope=0.3, size=(0.06, 0.0, 0.0), mass=0.5),
)


class Scene:
    """A walker with limp arms among props, driven by hand."""

    def __init__(self) -> None:
        self.clip = human_clip()
        self.plan = human_plan(self.clip)
        self.world = build_world({"walker": self.plan}, SceneSpec(props=PROPS), STEP)
        self.curve = Trajectory(self.plan, self.clip)
        layout = self.world.layout("walker")
        self.world.place("walker", self.curve.keys[0])
        self.world.cut.assign(layout.joints, anchored(self.plan, ("left_upper_arm",), Mode.PASSIVE))
        self.world.throw("ball", np.array([-2.0, 0.0, 1.0]))
        self.tick = 0

    def play(self, ticks: int) -> list[np.ndarray]:
        rows = np.tile(self.world.data.qpos, (8, 1))
        out = []
        for _ in range(ticks):
            times = STEP * (8 * self.tick + np.arange(1.0, 9.0))
            self.curve.rows(times, rows[:, self.world.layout("walker").positions])
            contacts = self.world.step(Drive(rows))
            self.tick += 1
            state = self.world.state()
            out.append(np.concatenate([[state.time], state.positions, state.velocities, *map(np.ravel, contacts)]))
        return out


def same(a: list[np.ndarray], b: list[np.ndarray]) -> bool:
    return len(a) == len(b) and all(x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))


def disturbed(scene: Scene) -> list[np.ndarray]:
    """Played with all that may be changed between two ticks."""
    world, layout = scene.world, scene.world.layout("walker")
    out = scene.play(10)
    world.cut.assign(layout.joints, anchored(scene.plan, ("right_upper_arm",), Mode.PASSIVE))
    out += scene.play(10)
    world.data.qvel[world.model.joint("fruit").dofadr[0]] = 3.0
    out += scene.play(10)
    saved, tick = world.save(), scene.tick
    scene.play(5)
    world.restore(saved)
    scene.tick = tick
    world.cut.set("ball", Mode.MOTION)
    return out + scene.play(10)


def test_half_a_step_kept_from_tick_to_tick_changes_nothing() -> None:
    kept, plain = Scene(), Scene()
    kept.world.refresh()
    plain.world.before_substep.append(lambda row: None)  # With a hook every step is a whole one.
    assert same(disturbed(kept), disturbed(plain))


@pytest.mark.parametrize("hooked", [False, True])
def test_places_are_those_of_the_state_after_a_refresh(hooked: bool) -> None:
    scene = Scene()
    world, layout = scene.world, scene.world.layout("walker")
    world.before_substep.extend([lambda row: None] * hooked)  # With a hook nothing is worked out at the end of a tick.
    saved = world.save()

    def put(up: float) -> None:
        positions = world.positions[layout.positions].copy()
        positions[2] += up
        world.place("walker", positions)

    def there_and_back() -> None:
        before = world.positions.copy(), world.velocities.copy()
        put(1e-3)
        world.positions[:], world.velocities[:] = before

    changes = (
        lambda: None,
        lambda: world.cut.set("ball", Mode.MOTION),
        lambda: put(1e-3),
        there_and_back,
        lambda: world.set_mass("walker/Head", 9.0),
        lambda: world.restore(saved),
    )
    for change in changes:
        scene.play(5)
        world.refresh()
        change()
        for _ in range(2):
            world.refresh()
            own = mj.MjData(world.model)
            own.qpos[:], own.qvel[:] = world.data.qpos, world.data.qvel
            mj.mj_forward(world.model, own)
            assert np.array_equal(world.data.geom_xpos, own.geom_xpos)
            assert np.array_equal(world.data.subtree_com, own.subtree_com)
            assert np.array_equal(world.data.cvel, own.cvel)


def test_what_follows_a_restored_state_is_the_same_to_the_bit() -> None:
    scene = Scene()
    scene.play(15)
    saved, tick = scene.world.save(), scene.tick
    first = scene.play(30)
    assert max(len(row) for row in first) > min(len(row) for row in first), "there were contacts"
    scene.world.cut.set("ball", Mode.MOTION)
    scene.play(5)
    scene.world.restore(saved)
    scene.tick = tick
    assert same(scene.play(30), first)


def test_a_saved_state_serves_twice_and_in_another_world() -> None:
    scene, other = Scene(), Scene()
    scene.play(10)
    saved = scene.world.save()
    first = scene.play(10)
    for world in (scene, other):
        world.world.restore(saved)
        world.tick = 10
        assert same(world.play(10), first)


def test_two_fresh_worlds_give_the_same_bits() -> None:
    assert same(Scene().play(40), Scene().play(40))


def test_restoring_brings_modes_and_muscle_gains_back() -> None:
    scene = Scene()
    world, layout = scene.world, scene.world.layout("walker")
    effort = Effort(
        np.full(world.model.nu // 4, 30.0),
        np.full(world.model.nu // 4, 2.0),
        np.zeros((8, world.model.nu)),
        np.zeros(world.model.nv),
    )
    effort.controls[:, 0::4] = 1.0
    rows = Drive(np.tile(world.data.qpos, (8, 1)))
    world.step(rows, effort)
    saved = world.save()
    world.cut.assign(layout.joints, np.full(len(layout.joints), int(Mode.MOTION)))
    world.step(rows, effort._replace(stiffness=effort.stiffness * 9.0))
    assert world.model.actuator_gainprm[0, 0] == 270.0
    world.restore(saved)
    assert world.model.actuator_gainprm[0, 0] == 30.0
    assert world.cut.mode("walker/LeftArm") is Mode.PASSIVE
    assert world.model.dof_armature[layout.velocities].max() > 1e9


def run_away(force: float, body: str) -> World:
    balls = [Ball(name=name, position=(x, 0.0, 2.0), velocity=(0, 0, 0)) for name, x in (("calm", 0.0), ("wild", 1.0))]
    world = build_world({}, SceneSpec(props=balls), STEP)
    for name in ("calm", "wild"):
        world.throw(name, np.zeros(3))
    applied = np.zeros(world.model.nv)
    applied[int(world.model.jnt_dofadr[world.model.joint(body).id])] = force
    effort = Effort(np.zeros(0), np.zeros(0), np.zeros((8, 0)), applied)
    world.step(Drive(np.tile(world.data.qpos, (8, 1))), effort)
    return world


@pytest.mark.parametrize("force", [1e7, -1e9, 1e16, float("nan"), float("inf")])
@pytest.mark.parametrize("body", ["calm", "wild"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_runaway_stops_and_names_the_body(
    force: float, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Divergence, match=rf"diverged at 0\.017 s: body '{body}'") as caught:
        run_away(force, body)
    assert caught.value.body == body
    assert caught.value.time == pytest.approx(8 * STEP)
    # MuJoCo would also write a log file into the user's folder and a line to the terminal.
    assert list(tmp_path.iterdir()) == []
    assert "".join(capfd.readouterr()) == ""


def test_a_calm_force_is_no_divergence() -> None:
    assert abs(run_away(10.0, "wild").data.qvel).max() < 1.0


def test_a_built_world_is_set_up_as_the_cut_needs_it() -> None:
    option = build_world({}, SceneSpec(), STEP).model.opt
    assert option.tolerance == 1e-14
    assert option.integrator == mj.mjtIntegrator.mjINT_DISCRETE
    assert option.disableflags & mj.mjtDisableBit.mjDSBL_AUTORESET
    assert option.timestep == STEP


def test_a_world_knows_its_characters() -> None:
    world = build_world({"walker": human_plan()}, SceneSpec(), STEP)
    with pytest.raises(InputError, match="unknown character 'dog'; known: walker"):
        world.layout("dog")


def test_two_characters_have_places_of_their_own() -> None:
    plan = human_plan()
    world = build_world({"a": plan, "b": plan}, SceneSpec(props=PROPS), STEP)
    one, two = np.zeros(plan.position_count), np.zeros(plan.position_count)
    one[3::4] = two[3::4] = 1.0
    one[0], two[0] = 3.0, -3.0
    world.place("a", one)
    world.place("b", two, np.arange(float(plan.velocity_count)))
    assert np.array_equal(world.data.qpos[world.layout("a").positions], one)
    assert np.array_equal(world.data.qpos[world.layout("b").positions], two)
    assert not world.data.qvel[world.layout("a").velocities].any()
    assert np.array_equal(world.data.qvel[world.layout("b").velocities], np.arange(float(plan.velocity_count)))
    for name in ("a", "b"):
        layout = world.layout(name)
        assert [world.model.body(b).name for b in layout.bodies] == [f"{name}/{body}" for body in plan.names]
        assert [world.model.joint(j).name for j in layout.joints] == [f"{name}/{body}" for body in plan.names]
        first = world.model.actuator(layout.muscles.start)
        assert first.name == f"{name}/{plan.names[1]}"
        assert layout.muscles.stop - layout.muscles.start == len(plan) - 1
        assert layout.controls.stop - layout.controls.start == 4 * (len(plan) - 1)
