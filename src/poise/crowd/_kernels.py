"""Compiled loop of a crowd's control: the laws of its behaviors for everybody in one pass; plain arrays in, written in place.

Each law is the very kernel that its behavior calls for one character. One call instead of six saves a lone member half of its
step.
"""

from __future__ import annotations

import numpy as np

from poise.behaviors.looping._kernels import write_loop
from poise.control.balance._kernels import published_rows
from poise.math._compile import njit
from poise.world.sprung._kernels import add_torques, drive_rows


@njit(cache=True)
def control(gesture, drives, law, legs, joints, world, time, scratch):
    """Write the forces of everybody's next step: what gestures need, and the balance law.

    Args:
        gesture: Where driven quaternions begin in a row (K,), middles (K, 4) and curves (4, P, K, 3) of `write_loop`; cycles
            per second, sizes and first phases of everybody, (N,) each.
        drives: Kinds, columns of positions and of velocities of the driven joints (K,), their rotor inertia and length of a
            step [s].
        law: Of `published_rows`: forward and sole in the frames of the feet, gains, and how far is beyond help [m].
        legs: The model's numbers of the ankles' bodies (2,), of thighs and feet (4,) and of the pelvis; the plan's of thighs
            and feet (4,).
        joints: See `poise.world.sprung._kernels`.
        world: The batch's positions (N, nq), velocities (N, nv), places (N, B, 3) and orientations (N, B, 4) of bodies, centres
            of mass (N, B, 3), velocity of the whole one (N, 3), and applied forces (N, nv), which are written.
        time: At the end of the step [s].
        scratch: Targets (N, nq) and who is lost (N,), both kept; places (N, nq), velocities and forces (N, nv), what is carried
            (N, 4, 3), turns (N, 2, 2, 4) and torques (N, 2, 2, 3).
    """
    (columns, middles, curves, rates, sizes, begins), (kinds, to, at, armature, h) = gesture, drives
    (ahead, stood, gains, beyond), (ankles, turning, pelvis, bodies) = law, legs
    positions, velocities, there, turned, centres, moving, applied = world
    targets, lost, places, speeds, forces, carried, turns, torques = scratch
    phases = np.empty(rates.shape[0])
    for row in range(positions.shape[0]):
        phases[row] = begins[row] + rates[row] * time
        for k in range(positions.shape[1]):
            places[row, k] = positions[row, k]
        for k in range(velocities.shape[1]):
            speeds[row, k], forces[row, k] = velocities[row, k], 0.0
        for axis in range(3):
            carried[row, 0, axis], carried[row, 1, axis] = there[row, ankles[0], axis], there[row, ankles[1], axis]
            carried[row, 2, axis], carried[row, 3, axis] = centres[row, pelvis, axis], moving[row, axis]
        for m in range(4):
            for part in range(4):
                turns[row, m // 2, m % 2, part] = turned[row, turning[m], part]
    write_loop(columns, middles, curves, phases, sizes, targets)
    drive_rows((kinds, to, at), armature, h, places, speeds, targets, forces)
    published_rows((ahead, stood), gains, beyond, carried, turns, lost, torques)
    add_torques(joints, bodies, torques.reshape(-1, 4, 3), places, forces)
    for row in range(positions.shape[0]):
        for k in range(velocities.shape[1]):
            applied[row, k] = forces[row, k]
