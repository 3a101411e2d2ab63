"""How fast a wader's clip goes on: as far as the body goes (Bermudez 2018, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters
from poise.errors import InputError

__all__ = ["PaceOptions", "paced"]


@dataclass(frozen=True, kw_only=True)
class PaceOptions:
    """How a clip's time follows the body."""

    still: float = parameters.number(
        0.15,
        0.01,
        1.0,
        "m/s",
        says="about this speed a clip's steps turn from being counted by way to being counted by time",
        source="who stands still in the clip goes on in time",
    )
    slowest: float = parameters.number(
        0.05, 0.0, 1.0, says="least pace of a clip", source="who hardly gets on still moves"
    )
    fastest: float = parameters.number(
        3.0, 1.0, 20.0, says="greatest pace of a clip", source="who is carried off by a current takes quick steps"
    )
    keeps: float = parameters.number(
        0.5,
        0.0,
        10.0,
        "1/s",
        says="how fast a clip that a session plays comes to where the body is on its way",
        source="over a stride or two",
    )
    most: float = parameters.number(
        0.1, 0.0, 1.0, says="and by how much its pace is changed for that at most", source="nobody sees a tenth"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "pace")
        if not self.slowest < self.fastest:
            raise InputError(f"slowest must be less than fastest; got {self}", place="pace")


def paced(speed: float, wanted: float, options: PaceOptions, beside: float | None = None) -> float:
    """The pace of a clip whose body goes at a speed.

    Args:
        speed: Of the body along its way, and aside [m/s].
        wanted: That of the clip [m/s].
        options: How it follows.
        beside: How far the body is ahead of where the clip has it [m], where a session keeps the clip's time.
    """
    still = options.still
    pace = (speed * wanted + still**2) / (wanted**2 + still**2)
    if beside is not None:
        pace += min(max(options.keeps * beside / max(wanted, still), -options.most), options.most)
    return min(max(pace, options.slowest), options.fastest)
