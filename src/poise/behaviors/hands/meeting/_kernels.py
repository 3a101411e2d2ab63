"""Compiled loops: what hands are to touch, how they are held against it, and what they touched; plain arrays in."""

from __future__ import annotations

import numpy as np

from poise.anticipation._kernels import aim
from poise.math._compile import njit
from poise.math._tuples import add, dot, length, put, scale, subtract, triple, unit, vector


@njit(cache=True, error_model="numpy")
def hold_hand(contact, shoulder, faces, stays, lean):
    """How a person holds a hand against something: fingers up or ahead, and first on the surface.

    Args:
        contact: Where the palm shall be [m], the normal of the surface there, and drift, shape (5, 3). The last two rows are
            written: the normal that the palm answers to, leant a little so that fingertips touch before the wrist, and where
            fingers point: away from the shoulder, up, and a little ahead, as when one pushes.
        shoulder: Of its arm [m].
        faces: Where the chest faces, shape (3,).
        stays: Whether the hand stays there: then fingers do not follow the way from the shoulder.
        lean: How much the palm is leant [rad].
    """
    n = vector(contact, 1)
    away = unit(subtract(vector(contact, 0), shoulder), (0.0, 0.0, 0.0))
    along = (0.7 * faces[0], 0.7 * faces[1], 1.0)
    if not stays:
        along = (away[0] + 0.4 * faces[0], away[1] + 0.4 * faces[1], away[2] + 0.8)
    flat = subtract(along, scale(n, dot(along, n)))
    far = length(flat)
    put(contact, 3, unit(add(n, scale(flat, lean / far)), n) if far > 0.1 else n)
    put(contact, 4, along)


@njit(cache=True, error_model="numpy")
def meet(near, faces, hand, about, touch, out):
    """Where a hand meets an obstacle, the surface's normal there, and how that drifts against the body.

    Args:
        near: As in `anticipation._kernels.aim`.
        faces: Ahead, shape (3,).
        hand: Which hand it is.
        about: What it is about, the spot of the safety regions that it protects, whether it is there and slides along, and
            whether the other hand is about the same.
        touch: The numbers of `anticipation.guiding.Touching`, and how far behind the surface of what is fixed it is [m].
        out: Point [m], normal, drift [m/s], and what `hold_hand` writes, shape (5, 3); written.

    Returns:
        When the obstacle gets there, if both go on as they do [s]; 0 for what is fixed.
    """
    obstacle, threatened, slides, together = about
    (apart, beside, slopes, leant, leant_fixed, lean, lean_fixed), pressed = touch
    flies, fixed = near[5][obstacle], near[6][obstacle]
    point, normal, drift, time = aim(near, hand, obstacle, threatened)
    ahead, left = triple(faces, 0), (-faces[1], faces[0], 0.0)
    if flies:
        normal = subtract(normal, scale(ahead, slopes))
        normal = scale(normal, 1.0 / length(normal))
    if slides:
        point = subtract(point, scale(normal, leant_fixed if fixed else leant))
    elif fixed:
        point = subtract(point, scale(normal, pressed))
    if together:
        other, _, _, _ = aim(near, 1 - hand, obstacle, threatened)
        side = 1.0 if hand == 0 else -1.0
        short = side * dot(subtract(point, other), left)
        if flies:
            # One palm in the way of it, the other beside: what is small would slip through between them.
            point = add(point, scale(left, max(beside - short, 0.0) if hand == 0 else 0.0))
        else:
            point = add(point, scale(left, side * 0.5 * max(apart - short, 0.0)))
    put(out, 0, point)
    put(out, 1, normal)
    put(out, 2, drift)
    hold_hand(out, vector(near[7], hand), faces, False, lean_fixed if fixed else lean)
    return time


@njit(cache=True, error_model="numpy")
def meet_both(near, faces, obstacles, threatened, slide, touch, out):
    """`meet` for either hand that is about an obstacle, shape (2, 5, 3)."""
    together = obstacles[0] == obstacles[1]
    for hand in range(2):
        if obstacles[hand] >= 0:
            about = obstacles[hand], threatened[hand], slide[hand], together
            meet(near, faces, hand, about, touch, out[hand])


@njit(cache=True)
def touching(contacts, table, about, tick, out, push, felt):
    """What either arm touched in the last tick, and the forces on it.

    Args:
        contacts: Geoms that touched (c, 2), impulses [N s] (c,), and the directions of the force on the second one (c, 3).
        table: Of each geom, the arm and the obstacle it belongs to, or -1, shape (geoms, 2).
        about: What either hand is about, shape (2,).
        tick: [s].
        out: Whether either arm touched each obstacle, shape (2, P); written.
        push: Mean force on both arms, the level part [N], shape (3,); written.
        felt: Mean force on either arm that comes from what its hand is about [N], shape (2, 3); written.
    """
    pairs, impulse, normal = contacts
    out[:] = False
    forces = np.zeros((2, 3))
    felt[:] = 0.0
    for c in range(pairs.shape[0]):
        for k in range(2):
            arm, obstacle = table[pairs[c, k], 0], table[pairs[c, 1 - k], 1]
            if arm >= 0 and obstacle >= 0:
                out[arm, obstacle] = True
                side = impulse[c] / tick * (1.0 if k == 1 else -1.0)
                for axis in range(3):
                    forces[arm, axis] += side * normal[c, axis]
                    if obstacle == about[arm]:
                        felt[arm, axis] += side * normal[c, axis]
    push[0], push[1], push[2] = forces[0, 0] + forces[1, 0], forces[0, 1] + forces[1, 1], 0.0
