"""Contacts of a model made as firm as the settings say, and what they press with."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.world.contact_settings import CONTACTS, ContactSettings
from poise.world.layout import CharacterLayout

__all__ = ["GIVING", "pressing", "set_contacts"]


Array = NDArray[np.float64]


GIVING: tuple[Array, Array] = (np.array([-3.0, -6.7]), np.array([0.01, 0.01, 0.001, 0.5, 2.0]))
"""MuJoCo's `solref` (stiffness and damping, directly) and `solimp` of legs that are led to their places whatever is there: a
contact that could never be satisfied has to stay a weak one, of about 300 N at 5 cm."""
_BALL = 0.6
"""Where the ball of the foot is, as a share of half the sole's length from its middle forward."""


def set_contacts(model: mj.MjModel, layouts: Mapping[str, CharacterLayout], settings: ContactSettings) -> None:
    """Make every contact of a model as the settings say."""
    if settings == CONTACTS["soft"]:
        return  # MuJoCo's own, which a geom may have been given others than.
    model.geom_solref[:] = (settings.time_constant, settings.damping_ratio)
    model.geom_solimp[:] = settings.impedance
    for layout in layouts.values():
        feet = layout.bodies[list(layout.plan.with_role("left_foot", "right_foot"))]
        geoms = np.flatnonzero(np.isin(model.geom_bodyid, feet))
        model.geom_margin[geoms] = settings.foot_margin
        for geom in () if settings.toes else geoms[model.geom_type[geoms] == mj.mjtGeom.mjGEOM_BOX]:
            _end_at_ball(model, int(geom))


def _end_at_ball(model: mj.MjModel, geom: int) -> None:
    """Shorten a foot's box, which has forward for its x axis, so that it ends at the ball."""
    half = float(model.geom_size[geom, 0])
    ahead = np.zeros(3)
    mj.mju_rotVecQuat(ahead, np.array([1.0, 0.0, 0.0]), model.geom_quat[geom])
    model.geom_size[geom, 0] = 0.5 * (1.0 + _BALL) * half
    model.geom_pos[geom] -= 0.5 * (1.0 - _BALL) * half * ahead


def pressing(
    model: mj.MjModel, data: mj.MjData, parts: NDArray[np.bool_], own: NDArray[np.bool_], about: Array
) -> Array:
    """Force and torque about a place that others put on parts of a body by the contacts of the last substep, in the world.

    Args:
        model: The world's.
        data: Its state after a substep.
        parts: Which geoms, shape (ngeom,).
        own: All geoms of the body, shape (ngeom,).
        about: The place [m], shape (3,).

    Returns:
        [N, N m], shape (6,).
    """
    total = np.zeros(6)
    if not data.ncon:
        return total
    pairs = np.array(data.contact.geom)
    mine, force = parts[pairs], np.zeros(6)
    for number in np.flatnonzero(mine.any(axis=1) & ~own[pairs].all(axis=1)):
        contact = data.contact[int(number)]
        mj.mj_contactForce(model, data, int(number), force)
        there = contact.frame.reshape(3, 3).T @ force[:3]
        there = there if mine[number, 1] else -there
        total[:3] += there
        total[3:] += np.cross(contact.pos - about, there)
    return total
