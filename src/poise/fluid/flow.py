"""How a fluid moves by itself: waves on its surface and turbulence in it, as sums of moving cosines.

Waves are linear (Airy) waves over a bottom of even depth: their surface, and the orbital velocity below it. Turbulence is a sum
of divergence-free cosines of random direction (Kraichnan 1970), reproducible by its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.errors import InputError

__all__ = ["GRAVITY", "Turbulence", "Wave", "flow_modes"]

Array = NDArray[np.float64]

GRAVITY = 9.81
"""[m/s²]."""
_COLUMNS = 10


@dataclass(frozen=True, kw_only=True)
class Wave:
    """One train of waves.

    Raises:
        InputError: A number is out of range, or the waves would break.
    """

    amplitude: float = parameters.number(low=0.0, high=10.0, unit="m", says="half the height of the waves")
    length: float = parameters.number(low=0.05, high=1e4, unit="m", says="from crest to crest")
    heading: float = parameters.angle(0.0, -1e4, 1e4, says="where they go to, from x towards y")
    phase: float = parameters.angle(0.0, -1e4, 1e4, says="of the crest at the origin at time 0")

    def __post_init__(self) -> None:
        parameters.check(self, "wave")
        if self.amplitude > 0.1 * self.length:
            raise InputError(
                "a wave has an amplitude of at most a tenth of its length; "
                f"got amplitude {self.amplitude:g} m, length {self.length:g} m"
            )


@dataclass(frozen=True, kw_only=True)
class Turbulence:
    """Eddies.

    Raises:
        InputError: A number is out of range.
    """

    speed: float = parameters.number(
        low=0.0, high=10.0, unit="m/s", says="root mean square of each component of their velocity"
    )
    size: float = parameters.number(0.6, 0.01, 100.0, "m", says="of the largest; the smallest are a fifth of it")
    seed: int = parameters.whole(0, 0, 2**31, says="varies their directions and phases")
    count: int = parameters.whole(24, 1, 400, says="how many cosines they are made of")

    def __post_init__(self) -> None:
        parameters.check(self, "eddies")


def flow_modes(waves: Sequence[Wave], turbulence: Turbulence | None, depth: float) -> Array:
    """Every wave and eddy as one row of numbers for the compiled loops.

    Args:
        waves: The waves.
        turbulence: The eddies, or None.
        depth: From the calm surface to the bottom [m].

    Returns:
        Shape (M, 10): wave vector (3) [1/m], angular frequency [rad/s], phase [rad], velocity amplitude (3) [m/s]; of waves
        then wave number [1/m] and depth [m], of eddies zeros.
    """
    rows = [_wave_row(wave, depth) for wave in waves]
    if turbulence is not None and turbulence.speed > 0.0:
        rows += list(_eddies(turbulence))
    return np.array(rows, dtype=np.float64).reshape(-1, _COLUMNS)


def _wave_row(wave: Wave, depth: float) -> Array:
    number = 2.0 * np.pi / wave.length
    pulse = np.sqrt(GRAVITY * number * np.tanh(number * depth))
    ahead = np.array([np.cos(wave.heading), np.sin(wave.heading), 0.0])
    return np.array([*(number * ahead), pulse, wave.phase, *(wave.amplitude * pulse * ahead), number, depth])


def _eddies(turbulence: Turbulence) -> Array:
    rng = np.random.default_rng(turbulence.seed)
    sizes = turbulence.size * rng.uniform(0.2, 1.0, turbulence.count)
    ways = rng.normal(size=(turbulence.count, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    vectors = 2.0 * np.pi / sizes[:, None] * ways
    across = np.cross(ways, rng.normal(size=(turbulence.count, 3)))
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    # Each cosine has half its squared amplitude, spread over three components of which one lies along its way.
    amplitude = turbulence.speed * np.sqrt(6.0 / turbulence.count)
    pulses = np.linalg.norm(vectors, axis=1) * turbulence.speed * rng.normal(size=turbulence.count)
    phases = rng.uniform(0.0, 2.0 * np.pi, turbulence.count)
    rest = np.zeros((turbulence.count, 2))
    return np.column_stack([vectors, pulses, phases, amplitude * across, rest])
