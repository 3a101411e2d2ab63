"""Coupling modes: what a floating or standing trunk does when its kinematic arms swing."""

from __future__ import annotations

from functools import cache

import mujoco as mj
import numpy as np
import pytest

from poise.assets import clip_path
from poise.body import BodyPlan, build_body
from poise.body.fold import fold
from poise.controllers.coupler import Coupler
from poise.errors import InputError
from poise.hybrid.coupling import Coupling, CouplingOptions, kinematic_roots
from poise.io import read_clip
from poise.math import quat
from poise.motion.roles import guess_roles
from poise.signals import Drive, Mode
from poise.world import Divergence, SceneSpec, World, build_world

ALL = list(Coupling)


@cache
def whole() -> BodyPlan:
    clip = read_clip(clip_path("walk"))
    return build_body(clip, guess_roles(clip.skeleton))


@cache
def block() -> BodyPlan:
    """The character with everything but its arms in one piece."""
    plan = whole()
    return fold(plan, [0, *(b for b, role in enumerate(plan.body_roles) if str(role).endswith(("arm", "hand")))])


def floating(plan: BodyPlan, h: float, gravity: float = 0.0) -> World:
    apart = [(a, b) for a in plan.names for b in plan.names if a < b]
    world = build_world({"c": plan}, SceneSpec(floor=None, gravity=gravity, apart={"c": apart}, sleep=False), h)
    modes = np.full(len(plan), int(Mode.PASSIVE))
    for side in ("left", "right"):
        modes[list(plan.subtree(plan.with_role(f"{side}_upper_arm")[0]))] = int(Mode.MOTION)
    world.cut.assign(world.layout("c").joints, modes)
    world.place("c", neutral(plan))
    return world


def neutral(plan: BodyPlan) -> np.ndarray:
    positions = np.zeros(plan.position_count)
    positions[3::4] = 1.0
    positions[3:7] = plan.neutral[0]
    return positions


def swung(plan: BodyPlan, time: float, amount: float = 0.3) -> np.ndarray:
    """Arms swing forward and back to rest within a second, a little outwards on the way."""
    row, ease = neutral(plan), amount * (1.0 - np.cos(2.0 * np.pi * min(time, 1.0)))
    for body in (*plan.with_role("left_upper_arm"), *plan.with_role("right_upper_arm")):
        row[3 + 4 * body : 7 + 4 * body] = quat.exp(ease * np.array([0.2, -1.0, 0.1]))
    return row


def momentum(plan: BodyPlan, state_of: World, h: float) -> np.ndarray:
    """Linear and angular momentum of the whole body, with all of its mass."""
    true = floating(plan, h)
    true.data.qpos[:], true.data.qvel[:] = state_of.data.qpos, state_of.data.qvel
    for update in (mj.mj_kinematics, mj.mj_comPos, mj.mj_comVel, mj.mj_subtreeVel):
        update(true.model, true.data)
    return np.concatenate([plan.total_mass * true.data.subtree_linvel[1], true.data.subtree_angmom[1]])


def play(
    mode: Coupling, h: float, k: float = 1.0, seconds: float = 1.2, amount: float = 0.3
) -> tuple[World, np.ndarray, float]:
    """The world at the end, the pelvis' path (n, 7) and the worst error of the arms [rad]."""
    plan = block()
    world = floating(plan, h)
    if mode is not Coupling.EXACT:
        world.before_substep.append(Coupler(world, "c", CouplingOptions(mode=mode, k=k)))
    path, worst = [], 0.0
    for step in range(round(seconds / h)):
        row = swung(plan, (step + 1) * h, amount)
        world.step(Drive(row[None]))
        path.append(world.data.qpos[:7].copy())
        turns = (array[7:].reshape(-1, 4) for array in (row, world.data.qpos))
        worst = max(worst, float(quat.angle_between(*turns).max()))
    return world, np.array(path), worst


@pytest.mark.parametrize("mode", ALL)
def test_arms_are_where_their_drive_is_whatever_the_coupling(mode: Coupling) -> None:
    assert play(mode, 0.002, seconds=0.5)[2] < 1e-9


def test_momentum_is_conserved_by_the_cut() -> None:
    """A swing from rest to rest leaves none behind; what is left falls with the square of the step."""
    left = [np.abs(momentum(block(), play(Coupling.EXACT, h)[0], h)).max() for h in (0.002, 0.001)]
    assert left[1] < 1e-6
    assert left[0] / left[1] == pytest.approx(4.0, rel=0.05)


def test_the_lag_costs_an_error_linear_in_the_step_and_the_composite_none() -> None:
    exact = {h: play(Coupling.EXACT, h)[1] for h in (0.002, 0.001)}
    lag = {h: np.abs(play(Coupling.LAGGED, h)[1] - exact[h]).max() for h in exact}
    assert lag[0.002] / lag[0.001] == pytest.approx(2.0, rel=0.05)
    assert np.abs(play(Coupling.COMPOSITE, 0.002)[1] - exact[0.002]).max() < 1e-8


@pytest.mark.parametrize("mode", [Coupling.EXACT, Coupling.LAGGED, Coupling.COMPOSITE])
def test_the_trunk_goes_against_the_arms(mode: Coupling) -> None:
    """Arms that are thrown forward push the trunk back: their accelerations are opposite throughout."""
    h = 0.002
    path = play(mode, h)[1]
    trunk = np.diff(path[:, 0], 2)[:490]
    arms = np.diff([1.0 - np.cos(2.0 * np.pi * (step + 1) * h) for step in range(492)], 2)
    assert np.corrcoef(trunk, arms)[0, 1] < -0.95
    assert np.ptp(path[:, 0]) > 0.01


@pytest.mark.parametrize("mode", [Coupling.LAGGED, Coupling.COMPOSITE])
def test_the_trunk_moves_more_with_a_greater_k(mode: Coupling) -> None:
    sway = [np.ptp(play(mode, 0.002, k, amount=0.2)[1][:, 0]) for k in (0.0, 0.3, 0.6, 1.0, 1.5)]
    assert sway[0] < 1e-6
    assert np.all(np.diff(sway) > 1e-3)


def test_weight_is_carried_by_the_lagged_form_and_not_by_torque_alone() -> None:
    plan = block()
    fallen = {}
    for mode in (Coupling.EXACT, Coupling.LAGGED, Coupling.TORQUE_ONLY, Coupling.NONE):
        world = floating(plan, 0.002, gravity=9.81)
        # A scale under the pelvis: what holds it up at rest is the weight it feels.
        world.model.dof_damping[:3] = 1e4
        if mode is not Coupling.EXACT:
            world.before_substep.append(Coupler(world, "c", CouplingOptions(mode=mode)))
        for _ in range(100):
            world.step(Drive(neutral(plan)[None]))
        fallen[mode] = -1e4 * float(world.data.qvel[2])
    arms = sum(plan.masses[b] for b in range(1, len(plan)))
    assert fallen[Coupling.EXACT] == pytest.approx(9.81 * plan.total_mass, rel=1e-3)
    assert fallen[Coupling.LAGGED] == pytest.approx(fallen[Coupling.EXACT], rel=1e-3)
    for mode in (Coupling.TORQUE_ONLY, Coupling.NONE):
        assert fallen[mode] == pytest.approx(9.81 * (plan.total_mass - arms), rel=1e-3)


def test_limbs_that_outweigh_their_carrier_are_refused() -> None:
    world, plan = floating(whole(), 0.002), whole()
    own = world.model.body_mass.copy()
    with pytest.raises(InputError, match=r"unstable at 'c/.*Shoulder'.*must be less than 1; take k = 0\.00"):
        Coupler(world, "c", CouplingOptions(mode=Coupling.LAGGED))
    assert np.array_equal(world.model.body_mass, own)
    # And so it is: unchecked, it runs away within a few steps.
    world.before_substep.append(Coupler(world, "c", CouplingOptions(mode=Coupling.LAGGED, check=False)))
    rows = np.array([swung(plan, step * 0.002) for step in range(100)])
    with pytest.raises(Divergence):
        world.step(Drive(rows))


def test_the_share_that_is_advised_is_stable_and_a_fifth_more_is_not() -> None:
    with pytest.raises(InputError, match="unstable") as refused:
        Coupler(floating(whole(), 0.002), "c", CouplingOptions(mode=Coupling.LAGGED))
    advised = float(str(refused.value).split("take k = ")[1].split()[0])
    Coupler(floating(whole(), 0.002), "c", CouplingOptions(mode=Coupling.LAGGED, k=advised))
    with pytest.raises(InputError, match="unstable"):
        Coupler(floating(whole(), 0.002), "c", CouplingOptions(mode=Coupling.LAGGED, k=1.2 * advised))


def test_two_characters_do_not_disturb_each_other() -> None:
    plan = block()
    world = build_world({"a": plan, "b": plan}, SceneSpec(floor=None, sleep=False), 0.002)
    modes = np.full(len(plan), int(Mode.PASSIVE))
    modes[1:] = int(Mode.MOTION)
    true = world.model.body_mass.copy()
    couplers = []
    for name, shift in (("a", -2.0), ("b", 2.0)):
        world.cut.assign(world.layout(name).joints, modes)
        positions = neutral(plan)
        positions[0] = shift
        world.place(name, positions)
        couplers.append(Coupler(world, name, CouplingOptions(mode=Coupling.LAGGED, k=0.5)))
    light = world.model.body_mass.copy()
    couplers[0].refresh()
    assert np.array_equal(world.model.body_mass, light)
    assert light.sum() < 0.95 * true.sum()
    for coupler in couplers:
        coupler.close()
    assert np.array_equal(world.model.body_mass, true)
    assert world.model.body_subtreemass[0] == pytest.approx(true.sum())


def test_arms_that_are_raised_are_refused_on_the_way() -> None:
    plan, h = block(), 0.002
    world = floating(plan, h)
    world.before_substep.append(Coupler(world, "c", CouplingOptions(mode=Coupling.LAGGED)))
    rows = np.tile(neutral(plan), (500, 1))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        at = 3 + 4 * plan.with_role(f"{side}_upper_arm")[0]
        rows[:, at : at + 4] = quat.exp(np.outer(np.linspace(0.0, 1.5, 500), [sign, 0.0, 0.0]))
    with pytest.raises(InputError, match="unstable"):
        world.step(Drive(rows))
    assert np.abs(world.data.qvel).max() < 10.0


def test_stability_is_looked_at_every_20_ms_and_not_at_every_substep(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, looked = block(), list[float]()
    world, check = floating(plan, 0.002), Coupler.check

    def noted(self: Coupler) -> None:
        looked.append(round(world.data.time, 6))
        check(self)

    monkeypatch.setattr(Coupler, "check", noted)
    world.before_substep.append(Coupler(world, "c", CouplingOptions(mode=Coupling.LAGGED)))
    world.step(Drive(np.tile(neutral(plan), (50, 1))))
    assert looked == [0.0, 0.02, 0.04, 0.06, 0.08]


def test_options_and_limbs_are_checked() -> None:
    with pytest.raises(InputError, match=r"mode: must be exact, lagged, .* got 'loose'"):
        CouplingOptions(mode="loose")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="has no k"):
        CouplingOptions(k=0.5)
    with pytest.raises(InputError, match="k: must be a number from 0 to 10; got -1"):
        CouplingOptions(mode=Coupling.LAGGED, k=-1.0)
    with pytest.raises(InputError, match="needs no coupler"):
        Coupler(floating(block(), 0.002), "c", CouplingOptions())
    plan = block()
    modes = np.full(len(plan), int(Mode.PASSIVE))
    modes[plan.with_role("left_upper_arm")[0]] = int(Mode.MOTION)
    with pytest.raises(InputError, match="only the exact coupling"):
        kinematic_roots(plan, modes)
