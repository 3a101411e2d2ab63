"""Muscles as pairs, the paper's own form, against Eqs. 1 and 3 in closed form, and in sessions of a clip."""

from pathlib import Path

import numpy as np
import pytest

from poise.control.antagonistic import antagonist_from_low_gain, antagonist_torque
from poise.control.pairs._kernels import pull_in_pairs as compiled
from poise.control.tension import Tension
from poise.errors import InputError
from poise.math import quat
from poise.reproductions.alvarado2022.pairs import isoline_error
from poise.runtime import Session
from poise.scenes import named_scene, read_scene
from poise.signals import Target

BEYOND = np.radians(10.0)
LOWER, UPPER = np.radians([-80.0, -30.0, -60.0]), np.radians([110.0, 90.0, 45.0])


def pulled(now: np.ndarray, wanted: np.ndarray, load: np.ndarray, stiffness: float, least: float = 0.0) -> tuple:
    """Torque beside the load (3,), kL and kH (3,) and whether kL was raised, for one joint whose neutral turn is none."""
    rows = np.tile(wanted, (3, 1, 1))
    target = Target(rows, np.zeros((1, 3)), np.array([stiffness]), np.ones(1), load[None], np.full(1, 1e9))
    neutral = (np.array([[1.0, 0.0, 0.0, 0.0]]), LOWER[None], UPPER[None])
    out = (np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1, dtype=bool))
    compiled(np.ones(1, dtype=bool), now[None], tuple(target), (wanted[None], np.array([least])), neutral, out)
    torque = target.stiffness[0] * quat.log(quat.mul(quat.conj(now), target.rotations[-1, 0]))
    return torque, out[0][0], out[1][0], bool(out[2][0])


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize(("wanted", "now", "load"), [(0.3, 0.5, 0.0), (0.6, 0.1, -3.0), (-0.4, 0.2, 4.0)])
def test_about_one_axis_it_is_the_papers_law(axis: int, wanted: float, now: float, load: float) -> None:
    """Eq. 1 with kH of Eq. 3, less what carries the load at the target, which is applied beside."""
    unit = np.eye(3)[axis]
    torque, low, high, raised = pulled(quat.exp(now * unit), quat.exp(wanted * unit), load * unit, 60.0)
    ends = LOWER[axis] - BEYOND, UPPER[axis] + BEYOND
    closed = antagonist_from_low_gain(30.0, *ends, wanted, -load)
    assert low[axis] == 30.0
    assert high[axis] == pytest.approx(float(closed.high), rel=1e-6)
    assert torque[axis] + load == pytest.approx(float(antagonist_torque(closed, *ends, now, 0.0, 0.0)), rel=1e-4)
    assert not raised


def test_at_the_target_it_pulls_nowhere_and_moves_on_with_it() -> None:
    rng = np.random.default_rng(3)
    here, later = quat.exp(np.array([0.3, 0.2, -0.1])), quat.exp(np.array([0.35, 0.2, -0.1]))
    rows, load = np.array([[here], [later]]), rng.normal(size=(1, 3))
    target = Target(rows, np.zeros((1, 3)), np.full(1, 40.0), np.ones(1), load, np.ones(1))
    neutral = (np.array([[1.0, 0.0, 0.0, 0.0]]), LOWER[None], UPPER[None])
    out = (np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1, dtype=bool))
    compiled(np.ones(1, dtype=bool), here[None], tuple(target), (here[None], np.zeros(1)), neutral, out)
    np.testing.assert_allclose(target.rotations[:, 0], [here, later], atol=1e-12)


def test_no_muscle_pushes_and_what_must_not_tip_over_does_not() -> None:
    still = quat.exp(np.array([-0.9, 0.0, 0.0]))
    _, low, high, raised = pulled(still, still, np.array([-20.0, 0.0, 0.0]), 10.0)
    assert raised
    assert high[0] == pytest.approx(0.0, abs=1e-9)
    assert low[0] == pytest.approx(20.0 / (-0.9 - LOWER[0] + BEYOND), rel=1e-3)
    _, low, high, raised = pulled(still, still, np.zeros(3), 10.0, least=200.0)
    assert raised
    assert (low + high).min() == pytest.approx(200.0)


def test_a_mirrored_joint_is_not_as_stiff() -> None:
    """A consequence of giving kL that the usual form does not share."""
    one, other = (pulled(quat.exp(turn), quat.exp(turn), np.zeros(3), 50.0) for turn in np.diag([0.8, -0.8, 0.0])[:2])
    assert (one[1] + one[2])[0] > 2.0 * 25.0 * 1.2
    assert (other[1] + other[2])[1] < 2.0 * 25.0


SCENE = """
characters:
  walker: {clip: "shipped:walk", anchors: [left_upper_arm, right_upper_arm], tension: {frequency: 2, muscles: MUSCLES}}
"""


def session_of(folder: Path, muscles: str) -> Session:
    """A walk by a scene file."""
    file = folder / "walk.yaml"
    file.write_text(SCENE.replace("MUSCLES", muscles))
    return read_scene(file).session()


def test_in_a_session_of_a_clip_gains_lie_on_the_isoline(tmp_path: Path) -> None:
    session = session_of(tmp_path, "pairs")
    (reference,) = session.references
    for _ in range(40):
        wanted = reference.kinematic[7:].reshape(-1, 4).copy()
        session.tick()
        assert isoline_error(session, wanted) < 1e-3
    assert np.count_nonzero(session.cast.controller.characters[0].pairs.low) == 3 * np.count_nonzero(reference.active)


def test_arms_that_nothing_touches_follow_their_clip_in_both_forms(tmp_path: Path) -> None:
    ways = []
    for muscles in ("springs", "pairs"):
        recording = session_of(tmp_path, muscles).run(60)
        ways.append(recording.positions[:, 7:])
    assert np.abs(ways[0] - ways[1]).max() < 2e-3


def test_springs_are_the_default_and_pairs_may_come_while_a_session_runs() -> None:
    assert Tension().muscles == "springs"
    session = named_scene("forest").session()
    (name,) = session.characters
    (muscles,) = session.cast.controller.characters
    session.run(30)
    assert not muscles.pairs.low.any()
    session.set(name, "tension.muscles", "pairs")
    session.run(30)
    assert muscles.pairs.low.any()
    with pytest.raises(InputError, match="springs or pairs"):
        Tension(muscles="pair")  # type: ignore[arg-type]
