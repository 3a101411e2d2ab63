"""Safety regions: what a character keeps free of obstacles with its hands (Alvarado 2022, section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.anticipation.bounds import Bounds
from poise.body.plan import BodyPlan
from poise.errors import InputError

__all__ = ["REGIONS", "Region", "Spots", "spots_of"]

Array = NDArray[np.float64]

_ALONG = 3
"""Spheres a capsule is looked after by."""


@dataclass(frozen=True, kw_only=True)
class Region:
    """A sphere about a joint, or a capsule from one joint to another.

    Raises:
        InputError: The radius or the priority is out of range.
    """

    part: str = parameters.word(says="role of the body at whose joint it sits")
    to: str | None = parameters.word(None, none="a sphere", says="role of the body at whose joint a capsule ends")
    radius: float = parameters.number(0.5, 0.001, 10.0, "m", says="for a stature of 1.75 m", source="section 5.1")
    priority: float = parameters.number(
        1.0, 0.001, 1e3, says="how much sooner than for others something is done about what threatens it"
    )
    bounds: Bounds | None = parameters.group(
        Bounds, lambda: None, none="as the kind of obstacle has them", says="reaction time and tension for this region"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "region")


REGIONS: tuple[Region, ...] = (
    Region(part="left_upper_arm"),
    Region(part="right_upper_arm"),
    Region(part="head", radius=0.4, priority=2.0, bounds=Bounds(quickest=0.12, slowest=0.5, softest=3.0, firmest=9.0)),
)
"""The paper's two shoulders (its r = 0.5 m), and the head, which is looked after sooner and more quickly."""


class Spots(NamedTuple):
    """The spheres that all regions of a character consist of.

    Args:
        regions: Region of each, shape (S,).
        first: Body each is at, shape (S,).
        second: Body it leans towards, shape (S,).
        share: How far it does, shape (S,).
        radii: [m], shape (S,).
    """

    regions: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    share: Array
    radii: Array


def spots_of(plan: BodyPlan, regions: tuple[Region, ...]) -> Spots:
    """Where on a body its regions are.

    Raises:
        InputError: A region names a part the character lacks.
    """
    rows = []
    for number, region in enumerate(regions):
        ends = [_body(plan, region.part), _body(plan, region.to or region.part)]
        radius = region.radius * plan.size
        shares = np.linspace(0.0, 1.0, _ALONG) if region.to else [0.0]
        rows += [(number, *ends, share, radius) for share in shares]
    columns = list(zip(*rows, strict=True))
    whole = [np.array(column, dtype=np.int64) for column in columns[:3]]
    return Spots(whole[0], whole[1], whole[2], np.array(columns[3]), np.array(columns[4]))


def _body(plan: BodyPlan, role: str) -> int:
    found = plan.with_role(role)
    if not found:
        known = ", ".join(sorted({r for r in plan.body_roles if r}))
        raise InputError(f"a safety region needs {role!r}, which this character has not; its roles: {known}")
    return found[0]
