"""The cut's traps, asserted on the models that sessions build, not on models made for tests."""

import copy

import mujoco as mj
import numpy as np
import pytest

from poise.runtime import Session
from poise.scenes import named_scene, rooted
from poise.signals import Mode

SCENES = {"arm_swing": 40, "gate": 270}
"""Scenes with contacts under driven joints, and a tick at which something touches."""


def played(name: str) -> Session:
    session = named_scene(name).session()
    session.run(SCENES.get(name, 65))
    return session


def accelerations(session: Session, tolerance: float) -> np.ndarray:
    """Generalized accelerations of the present state, the solver stopping at a tolerance, without a warm start."""
    model, data = session.world.model, mj.MjData(session.world.model)
    mj.mj_copyData(data, model, session.world.data)
    data.qacc_warmstart[:] = 0.0
    before = model.opt.tolerance, model.opt.iterations
    model.opt.tolerance, model.opt.iterations = tolerance, max(before[1], 400)
    mj.mj_forward(model, data)
    model.opt.tolerance, model.opt.iterations = before
    assert data.nefc > 0
    return data.qacc.copy()


@pytest.mark.parametrize("name", SCENES)
def test_the_contact_solver_does_not_stop_early_beside_the_armature(name: str) -> None:
    session = played(name)
    exact = accelerations(session, 1e-20)
    size = np.abs(exact).max()
    assert np.abs(accelerations(session, session.world.model.opt.tolerance) - exact).max() < 1e-6 * size
    assert np.abs(accelerations(session, 1e-8) - exact).max() > 1e-2 * size, "MuJoCo's own tolerance would not do"


@pytest.mark.parametrize("name", [*SCENES, "conductor"])
def test_constants_are_those_of_the_body_without_the_armature(name: str) -> None:
    """`mj_setConst` after the armature was written would make contacts against driven bodies a million times stiffer."""
    session = played(name)
    model = session.world.model
    own = model.dof_invweight0.copy()
    assert (session.world.cut.modes == Mode.MOTION).any()
    driven = model.dof_armature > 1e6
    assert driven.any()
    assert (own[driven] > 1e-6).all(), "a driven coordinate weighs what its body does"
    spoiled = copy.copy(model)
    mj.mj_setConst(spoiled, mj.MjData(spoiled))
    assert (spoiled.dof_invweight0[driven] < 1e-6).all(), "the trap is there"


def test_what_is_driven_follows_to_rounding_in_a_session() -> None:
    session = played("gate")
    recording, layout = session.recording(), session.layouts[0]
    driven = np.flatnonzero(session.references[0].modes == Mode.MOTION)
    for body in driven[driven > 0]:
        columns = slice(layout.positions.start + 3 + 4 * body, layout.positions.start + 7 + 4 * body)
        real, meant = recording.positions[1:, columns], recording.kinematic[1:, columns]
        assert np.abs(np.abs((real * meant).sum(axis=1)) - 1.0).max() < 1e-9
    place = slice(layout.positions.start, layout.positions.start + 3)
    assert np.abs(recording.positions[1:, place] - recording.kinematic[1:, place]).max() < 1e-9


def test_a_held_ball_follows_its_drive_though_its_joint_is_simple() -> None:
    session = named_scene("drag").session()
    session.run(60)
    model = session.world.model
    simple = np.flatnonzero(model.dof_simplenum > 0)
    held = [dof for dof in simple if model.dof_armature[dof] > 1e6]
    assert held
    assert np.allclose(model.dof_M0[held], model.dof_armature[held], rtol=1e-6)


def test_a_bad_state_is_not_started_afresh_in_silence() -> None:
    model = played("gate").world.model
    assert model.opt.disableflags & mj.mjtDisableBit.mjDSBL_AUTORESET
    assert model.opt.integrator == mj.mjtIntegrator.mjINT_DISCRETE


def test_a_root_that_woke_keeps_what_its_legs_weigh_apart() -> None:
    """Led legs lose mass in the world, never the constants that contacts are made of."""
    session = rooted(named_scene("shoved")).session()
    model = session.world.model
    constants = model.body_invweight0.copy(), model.body_mass.copy()
    session.run(50)
    assert (session.recording().modes[:, 0] == Mode.PASSIVE).any()
    assert np.array_equal(model.body_invweight0, constants[0])
    assert (model.body_mass < constants[1]).any()
    assert model.body_mass.sum() == pytest.approx(constants[1].sum(), rel=0.35)
