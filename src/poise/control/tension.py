"""Tension: how stiffly a body holds its pose, as a frequency that means the same on every limb and character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.lazy import LazyModule

if TYPE_CHECKING:
    from poise.control import _kernels
else:
    _kernels = LazyModule("poise.control._kernels")

__all__ = ["Gains", "Tension", "keep_upright", "let_go", "ramped", "tense"]

Array = NDArray[np.float64]

_MARGIN = 1.5
"""Stiffness over what just does not tip: at 1 the slightest push would take for ever to come back."""
_RAMP = 25.0
"""How fast tension changes [Hz/s]."""
_LETS_GO = 2.0
"""How fast the share changes that muscles let go [1/s]: a person lets an arm sink within half a second."""


class Gains(NamedTuple):
    """Stiffness [N m/rad] and damping [N m s/rad] per joint, shape (joints,)."""

    stiffness: Array
    damping: Array


@dataclass(frozen=True, kw_only=True)
class Tension:
    """How tense muscles are.

    A joint that carries the effective inertia I gets the stiffness K = (2 pi f)² I and the damping 2 zeta sqrt(K I). The
    pose reached does not depend on it, since the load is carried separately (method of Alvarado 2022, in the form
    K (target - angle) - kd (velocity - target velocity) - load, to which its Eqs. 1 to 3 are equal).

    Raises:
        InputError: A number is out of range.
    """

    frequency: float = parameters.number(
        3.0,
        0.01,
        50.0,
        "Hz",
        says="tension as the natural frequency of each joint with what hangs on it: 1 gives way easily, 10 is tense",
        live=True,
    )
    damping_ratio: float = parameters.number(
        0.8, 0.0, 10.0, says="damping ratio of the muscles: 1 returns fastest without overshoot", live=True
    )
    load: Literal["motion", "gravity", "none"] = parameters.choice(
        "motion",
        "motion",
        "gravity",
        "none",
        says="what is carried besides the spring: the torque of the whole intended motion, the weight alone, or nothing",
        source="`gravity` is Alvarado 2022",
        live=True,
    )
    """With the torque of the whole motion an undisturbed limb follows its clip at any tension; a plain spring sags."""
    relax: float = parameters.number(
        0.0,
        0.0,
        1.0,
        says="share of its load that an arm's muscles do not carry: it hangs and drags instead",
        live=True,
    )
    """At 1 no muscle works and an arm swings by its weight alone: stiffness falls with the load (`poise.control.relaxed`)."""
    muscles: Literal["springs", "pairs"] = parameters.choice(
        "springs",
        "springs",
        "pairs",
        says="what tension fixes: how stiff each joint is, or the gain of the one of each pair of muscles that pulls to the "
        "lower end of its range",
        source="`pairs` is Alvarado 2022, Eqs. 1 to 3",
        live=True,
    )
    """With pairs, stiffness goes with the pose, and a left arm differs from the right one (`poise.control.pairs`)."""
    upright: bool = parameters.switch(
        True, says="whether stiffness is raised to what keeps what stands on a joint from tipping over", live=True
    )
    """An equilibrium that is carried exactly is still none that lasts where a relaxed neck bears a head. The event `stiffened`
    tells it."""
    rises: float = parameters.number(
        0.2,
        0.001,
        10.0,
        "s",
        says="how long it takes to rise in a muscle that begins to work",
        source="a muscle reaches its force within a fifth of a second",
        live=True,
    )

    def __post_init__(self) -> None:
        parameters.check(self, "tension")

    def gains(self, inertias: Array) -> Gains:
        """Gains of joints with effective `inertias` [kg m²], shape (joints,)."""
        stiffness = (2.0 * np.pi * self.frequency) ** 2 * inertias
        return Gains(stiffness, 2.0 * self.damping_ratio * np.sqrt(stiffness * inertias))


def ramped(frequency: float, wanted: float, time: float) -> float:
    """A frequency on its way to the wanted one, `time` [s] later [Hz]: it changes by 25 Hz/s, so that no joint jolts."""
    step = _RAMP * time
    return frequency + min(max(wanted - frequency, -step), step)


def let_go(share: float, wanted: float, time: float) -> float:
    """A relaxed share on its way to the wanted one, `time` [s] later: it changes by 2 a second."""
    step = _LETS_GO * time
    return share + min(max(wanted - share, -step), step)


def tense(stiffness: Array, damping: Array, groups: NDArray[np.int64], ratios: tuple[float, ...]) -> None:
    """Make muscles of some groups of joints tenser, in place.

    Args:
        stiffness: Of all joints [N m/rad], shape (B-1,).
        damping: Of them [N m s/rad], shape (B-1,).
        groups: Joints of each group, shape (g, n).
        ratios: By which the frequencies of each group rise.
    """
    _kernels.tense(stiffness, damping, groups, ratios)


def keep_upright(
    tipping: Array,
    parents: NDArray[np.int64],
    active: NDArray[np.bool_],
    shares: Array,
    gains: tuple[Array, Array],
    least: Array,
    raised: NDArray[np.bool_],
) -> None:
    """Raise stiffness and, with its root, damping to what keeps a body from tipping over, where muscles are at work at all.

    Gravity takes up to `tipping` from the stiffness about a joint (m g h for what stands on it), and couples the joints of one
    chain by the same amount: the whole is stable where K exceeds the sum of a joint's row (Gershgorin). Alvarado 2022
    asks that neither muscle pushes, K >= max(load / (target - low), -load / (high - target)); an upright neck carries next to
    no load, so that bound alone lets it fall.

    Args:
        tipping: Of each body [N m/rad], see `CharacterDynamics.tipping`, shape (B,).
        parents: Of the bodies, shape (B,).
        active: Whether a joint's muscles are at work, shape (B-1,).
        shares: Share of its frequency that each muscle has, shape (B-1,).
        gains: Stiffness [N m/rad] and damping [N m s/rad], shape (B-1,) both; written.
        least: Stiffness that each needs [N m/rad], shape (B-1,); written.
        raised: Where the stiffness had to be more than doubled, which is worth telling, shape (B-1,); written.
    """
    _kernels.keep_upright(tipping, parents, active, _MARGIN, shares, gains, least, raised)
