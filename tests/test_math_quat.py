import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from poise.math import quat


def samples(rng: np.random.Generator, kind: str, count: int = 200) -> np.ndarray:
    vectors = rng.normal(size=(count, 3))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    angles = {"any": rng.uniform(0, np.pi, count), "near identity": rng.uniform(0, 1e-9, count)}
    angles["near half turn"] = np.pi - rng.uniform(1e-6, 1e-4, count)
    return quat.exp(vectors * angles[kind][:, None])


def scipy(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


@pytest.fixture(params=["any", "near identity", "near half turn"])
def q(request: pytest.FixtureRequest, rng: np.random.Generator) -> np.ndarray:
    return samples(rng, request.param)


def test_product_and_rotation_agree_with_scipy(q: np.ndarray, rng: np.random.Generator) -> None:
    other, v = samples(rng, "any"), rng.normal(size=(200, 3))
    same = (scipy(q) * scipy(other)).inv() * scipy(quat.mul(q, other))
    assert same.magnitude().max() < 1e-14
    assert np.allclose(quat.rotate(q, v), scipy(q).apply(v), atol=1e-14)
    assert np.allclose(quat.rotate(quat.conj(q), quat.rotate(q, v)), v, atol=1e-14)


def test_log_inverts_exp(q: np.ndarray) -> None:
    assert np.allclose(quat.log(q), scipy(q).as_rotvec(), atol=1e-9)
    assert np.allclose(quat.exp(quat.log(q)), np.where(q[:, :1] < 0, -q, q), atol=1e-14)


def test_matrix_round_trip(q: np.ndarray) -> None:
    assert np.allclose(quat.to_matrix(q), scipy(q).as_matrix(), atol=1e-14)
    assert quat.angle_between(quat.from_matrix(quat.to_matrix(q)), q).max() < 1e-7


def test_matrices_become_the_very_bits_that_scipy_makes_of_them(rng: np.random.Generator) -> None:
    turns = quat.to_matrix(quat.normalize(np.round(2.0 * rng.normal(size=(400, 4)))))
    skewed = quat.to_matrix(samples(rng, "any")) + 1e-3 * rng.normal(size=(200, 3, 3))
    for matrices in (turns, skewed, quat.to_matrix(samples(rng, "near half turn"))):
        expected = Rotation.from_matrix(matrices).as_quat(canonical=True, scalar_first=True)
        np.testing.assert_array_equal(quat.from_matrix(matrices), expected)
    for wrong in (np.diag([1.0, 1.0, -1.0]), np.zeros((3, 3))):
        with pytest.raises(ValueError, match="determinant"):
            quat.from_matrix(wrong)


def test_between_takes_one_direction_to_the_other(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 100, 3))
    a[:3], b[:3] = np.eye(3), -np.eye(3)
    turned = quat.rotate(quat.between(a, b), a)
    assert np.allclose(turned / np.linalg.norm(a, axis=1)[:, None], b / np.linalg.norm(b, axis=1)[:, None], atol=1e-7)


def test_slerp_turns_at_constant_rate(rng: np.random.Generator) -> None:
    a, b = samples(rng, "any"), samples(rng, "any")
    part = quat.slerp(a, b, np.full(200, 0.25))
    assert np.allclose(quat.angle_between(a, part), 0.25 * quat.angle_between(a, b), atol=1e-9)


def test_swing_twist_recomposes(q: np.ndarray, rng: np.random.Generator) -> None:
    axis = rng.normal(size=(200, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    swing, twist = quat.swing_twist(q, axis)
    assert np.allclose(quat.mul(swing, twist), q, atol=1e-12)
    assert np.abs(np.sum(swing[:, 1:] * axis, axis=1)).max() < 1e-9, "a swing has no turn about the axis"
    assert np.abs(np.cross(twist[:, 1:], axis)).max() < 1e-12


def test_continuous_keeps_the_rotation(rng: np.random.Generator) -> None:
    smooth = quat.exp(np.linspace(0, 9.0, 50)[:, None] * np.array([0.6, 0.0, 0.8]))
    flipped = smooth * rng.choice([-1.0, 1.0], size=(50, 1))
    again = quat.continuous(flipped)
    assert np.sum(again[1:] * again[:-1], axis=1).min() > 0.9
    assert quat.angle_between(again, smooth).max() < 1e-7
