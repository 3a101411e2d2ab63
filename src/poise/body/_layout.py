"""Where the numbers of a plan's bodies begin, for compiled loops: `poise.body.layout` says the same of Python."""

from __future__ import annotations

from poise.math._compile import njit


@njit(cache=True, forceinline=True)
def turn_at(body):
    """Where the quaternion of a body begins in the positions."""
    return 3 + 4 * body


@njit(cache=True, forceinline=True)
def spin_at(body):
    """Where the angular velocity of a body begins in the velocities."""
    return 3 + 3 * body
