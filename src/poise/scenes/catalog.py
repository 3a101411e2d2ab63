"""The obstacles of Alvarado 2022, Table 3, by name: its masses, stiffness and damping, with sizes of our own.

The table's one deviation: with 50 N m/rad a banana tree of 10 kg topples once its centre of mass is above 0.51 m, so it
gets 150 N m/rad. Fruit, bucket and swing hang on ropes and have no spring in the paper either.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.errors import unknown_name
from poise.world.props import Fence, Gate, Hanging, Plant, Prop

__all__ = ["ASSETS", "make_asset"]


def _sunflower_large(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Plant(
        name=name,
        position=(x, y, z),
        length=1.35 * size,
        mass=1.25,
        stiffness=20.0,
        damping=10.0,
        crown_radius=0.13 * size,
        crown_share=0.35,
    )


def _sunflower_small(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Plant(
        name=name,
        position=(x, y, z),
        length=1.0 * size,
        mass=1.0,
        stiffness=20.0,
        damping=10.0,
        crown_radius=0.1 * size,
        crown_share=0.35,
    )


def _bush(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Plant(
        name=name,
        position=(x, y, z),
        length=0.7 * size,
        mass=0.2,
        stiffness=200.0,
        damping=10.0,
        crown_radius=0.26 * size,
        crown_share=0.8,
        crown_color=(0.3, 0.5, 0.2),
    )


def _banana_tree(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Plant(
        name=name,
        position=(x, y, z),
        length=1.9 * size,
        links=2,
        mass=10.0,
        stiffness=150.0,
        damping=1.0,
        stem_radius=0.06,
        crown_radius=0.2 * size,
        crown_share=0.1,
        crown_color=(0.45, 0.65, 0.25),
    )


def _branch(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Plant(
        name=name,
        position=(x, y, z + 1.15 * size),
        direction=(float(np.cos(yaw)), float(np.sin(yaw)), 0.1),
        length=1.0 * size,
        links=2,
        mass=3.0,
        stiffness=500.0,
        damping=15.0,
        stem_radius=0.025,
        trunk=True,
        color=(0.45, 0.34, 0.22),
    )


def _fence(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Fence(name=name, position=(x, y, z + 0.02), yaw=yaw, width=1.1 * size, height=1.0 * size)


def _fence_door(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Gate(name=name, position=(x, y, z + 0.05), yaw=yaw, width=0.8 * size, height=1.0 * size)


def _bucket(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    half = 0.11 * size
    return Hanging(
        name=name,
        position=(x, y, z + 2.1 * size),
        rope=1.1 * size,
        size=(half, half, 1.2 * half),
        shape="box",
        mass=1.0,
        color=(0.45, 0.5, 0.55),
    )


def _swing(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Hanging(
        name=name,
        position=(x, y, z + 2.4 * size),
        rope=1.6 * size,
        size=(0.25 * size, 0.1 * size, 0.02),
        shape="box",
        mass=2.0,
        yaw=yaw,
        ropes=2,
        color=(0.5, 0.36, 0.2),
    )


def _fruit(name: str, x: float, y: float, z: float, yaw: float, size: float) -> Prop:
    return Hanging(name=name, position=(x, y, z + 2.1 * size), rope=0.9 * size, size=(0.08 * size, 0.0, 0.0), mass=0.5)


ASSETS: dict[str, Callable[[str, float, float, float, float, float], Prop]] = {
    "sunflower_large": _sunflower_large,
    "sunflower_small": _sunflower_small,
    "bush": _bush,
    "banana_tree": _banana_tree,
    "branch": _branch,
    "fence": _fence,
    "fence_door": _fence_door,
    "bucket": _bucket,
    "swing": _swing,
    "fruit": _fruit,
}
"""Asset name to a maker of (prop name, x, y, ground height, yaw, size factor)."""


def make_asset(
    asset: str, name: str, position: tuple[float, float], *, ground: float = 0.0, yaw: float = 0.0, size: float = 1.0
) -> Prop:
    """An obstacle of Table 3.

    Args:
        asset: Its name in `ASSETS`.
        name: What to call this one in the scene.
        position: Where it stands, or what it hangs above, x and y [m].
        ground: Height of the ground [m].
        yaw: Heading [rad]: of a branch from its trunk, of a fence's length, of a swing's board.
        size: Scales lengths (1 suits a stature of 1.75 m), not masses.

    Raises:
        InputError: There is no such asset.
    """
    if asset not in ASSETS:
        raise unknown_name("asset", asset, ASSETS)
    return ASSETS[asset](name, position[0], position[1], ground, yaw, size)
