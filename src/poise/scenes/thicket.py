"""The seventy obstacles of Alvarado 2022, Fig. 14: everything in its Table 3, and reeds, along both sides of a way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.characters.character import Character
from poise.scenes.catalog import make_asset
from poise.scenes.layout import Path, is_clear, is_free_at_start, start_places, walked_path
from poise.world.props import Plant, Prop

__all__ = ["thicket"]

Array = NDArray[np.float64]

_COUNT = 70
_ROW = (
    *("sunflower_large", "bush", "fruit", "reed", "branch", "sunflower_small", "reed", "fence", "reed"),
    *("sunflower_large", "swing", "bush", "banana_tree", "bucket", "sunflower_small", "fence_door", "reed", "fruit"),
)
"""What stands along one side, in turn; the other side begins in the middle of it. Slender things grow before fences."""


class _Stand(NamedTuple):
    """How something stands beside the way, for a stature of 1.75 m."""

    near: float = 0.25
    """Least distance from the way [m]."""
    far: float = 0.5
    """Largest distance [m]."""
    size: float = 1.0
    raised: float = 0.0
    """How much higher it hangs than usual [m]."""
    firm: bool = False
    """Whether nobody walks through it."""


_STANDS = {
    "branch": _Stand(1.25, 1.35),
    "bush": _Stand(0.5, 0.6),
    "banana_tree": _Stand(0.65, 0.72, firm=True),
    "fence": _Stand(0.5, 0.58, size=1.2, firm=True),
    "fence_door": _Stand(0.88, 0.94, size=1.2, firm=True),
    "bucket": _Stand(0.4, 0.5, raised=0.2, firm=True),
    "swing": _Stand(0.5, 0.6, raised=0.35, firm=True),
}
_TURNS = {"fence": 0.0, "swing": 0.0, "fence_door": 0.42}
"""How far something is turned from along the way to it [rad]; what is not named, all the way. A door stands ajar."""
_LENGTH = {"fence": (-0.65, 0.0, 0.65), "fence_door": (0.0, 0.5, 1.0)}
"""Places along what is long that must be clear of the way [m]."""


def thicket(character: Character, *, seed: int = 0) -> tuple[Prop, ...]:
    """Obstacles on both sides of a character's way, so near that its arms meet them.

    Where the way itself comes by again, and where the character stands at first, reeds grow instead of what is firm.

    Args:
        character: Who walks there.
        seed: Of the places.
    """
    path, start, rng = walked_path(character), start_places(character), np.random.default_rng(seed)
    size, floor = character.plan.size, character.floor
    props: list[Prop] = []
    for number, along in enumerate(np.linspace(0.08, 1.0, _COUNT) * path.length):
        side = 1.0 if number % 2 == 0 else -1.0
        asset = _ROW[(number // 2 + (0 if side > 0.0 else len(_ROW) // 2)) % len(_ROW)]
        stand = _STANDS.get(asset, _Stand())
        middle, ahead = path.at(float(along))
        left = np.array([-ahead[1], ahead[0]])
        place = middle + side * size * rng.uniform(stand.near, stand.far) * left
        clear = _has_room(asset, path, float(along), place, ahead, size * stand.near)
        if stand.firm and not (clear and is_free_at_start(start, place, asset, size)):
            asset = "reed"
        name, at = f"{asset}_{number + 1}", (float(place[0]), float(place[1]))
        if asset == "reed":
            length = float(rng.uniform(1.1, 1.4)) * size
            props.append(_reed(name, (*at, floor), length))
        else:
            heading = float(np.arctan2(ahead[1], ahead[0]))
            yaw = heading - side * _TURNS.get(asset, 0.5 * np.pi)
            ground = floor + size * stand.raised
            props.append(make_asset(asset, name, at, ground=ground, yaw=yaw, size=size * stand.size))
    return tuple(props)


def _has_room(asset: str, path: Path, along: float, place: Array, ahead: Array, room: float) -> bool:
    """Whether no other part of the way comes nearer to something than the one it stands at."""
    ends = (place + reach * ahead for reach in _LENGTH.get(asset, (0.0,)))
    return all(is_clear(path, end, along, 0.8 * room) for end in ends)


def _reed(name: str, place: tuple[float, float, float], length: float) -> Plant:
    return Plant(name=name, position=place, length=length, links=3, mass=0.06, stiffness=2.0, damping=0.25)
