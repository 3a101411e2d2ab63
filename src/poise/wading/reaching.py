"""How legs reach for their footholds: how far they are stretched, and what the pelvis and a swinging foot do about it."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.errors import InputError

__all__ = ["ReachOptions"]


@dataclass(frozen=True, kw_only=True)
class ReachOptions:
    """How a wader's legs reach; `poise.wading._kernels.stand` goes by these numbers in this order."""

    deepest: float = parameters.number(
        0.15,
        0.0,
        0.5,
        says="share of a leg's length by which the pelvis sinks at most; beyond, the foot does not reach",
        source="a deep lunge",
    )
    stands: float = parameters.number(
        0.992,
        0.8,
        1.0,
        says="share of its length to which a standing leg is stretched, or as far as in the clip",
        source="a knee that is nearly straight turns by 17 degrees for a centimeter",
    )
    swings: float = parameters.number(
        0.985,
        0.8,
        1.0,
        says="share of its length to which a swinging leg is stretched likewise",
        source="it is on its way",
    )
    own: float = parameters.number(
        0.9985,
        0.8,
        1.0,
        says="to which legs are stretched at most, however straight the clip has them",
        source="chosen",
    )
    sinks: float = parameters.number(
        0.03,
        0.001,
        0.5,
        says="over what way, in lengths of the leg, the pelvis begins to sink before a leg is stretched",
        source="without a kink in the knee",
    )
    draws: float = parameters.number(
        0.1,
        0.001,
        0.5,
        says="and a swinging foot to be drawn up along its leg",
        source="without a kink in the knee",
    )
    leaves: float = parameters.number(
        0.2,
        0.01,
        0.5,
        says="share of a step after which the pelvis no longer minds the foot that left",
        source="chosen",
    )
    lands: float = parameters.number(
        0.7, 0.5, 0.99, says="and from which it begins to mind where that will land", source="chosen"
    )
    drawn: float = parameters.number(
        0.75, 0.5, 0.99, says="and from which that goes straight to where it will stand", source="chosen"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "reach")
        for less, more in (("stands", "own"), ("swings", "own")):
            if not getattr(self, less) < getattr(self, more):
                raise InputError(f"{less} must be less than {more}; got {self}", place="reach")

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All of them, shape (9,)."""
        return np.array(astuple(self))
