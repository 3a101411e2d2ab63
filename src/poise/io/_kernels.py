"""Compiled loops of `euler` and `bvh_motion`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math._compile import njit

Array = NDArray[np.float64]

LOCKED = 1e-7
"""Below this the two outer axes count as parallel: what only one of them would say is then rounding noise."""


@njit(cache=True)
def _near(angle: float, goal: float, period: float) -> float:
    """`angle` plus the multiple of `period` that brings it nearest to `goal`."""
    nearest: float = angle + period * np.rint((goal - angle) / period)
    return nearest


@njit(cache=True)
def continuous_angles(
    rotations: Array, i: int, j: int, k: int, sign: float, known: NDArray[np.bool_], given: Array, out: Array
) -> None:
    """Angles (T, J, 3) about axes i, j, k of rotations (T, J, 4), each frame's nearest to the frame before.

    `sign` is +1 where (i, j, k) is cyclic and -1 otherwise; it turns the second case into the first. The first frame's are
    nearest to `given`, and where `known` (T, J) they are those.
    """
    for joint in range(rotations.shape[1]):
        a0, b0, c0 = given[0, joint, 0], given[0, joint, 1], sign * given[0, joint, 2]
        for t in range(rotations.shape[0]):
            if known[t, joint]:
                a0, b0, c0 = given[t, joint, 0], given[t, joint, 1], sign * given[t, joint, 2]
                out[t, joint, 0], out[t, joint, 1], out[t, joint, 2] = a0, b0, given[t, joint, 2]
                continue
            w, qi = rotations[t, joint, 0], rotations[t, joint, 1 + i]
            qj, qk = rotations[t, joint, 1 + j], sign * rotations[t, joint, 1 + k]
            plus, minus = np.hypot(w + qj, qi + qk), np.hypot(w - qj, qi - qk)
            b = 2.0 * np.arctan2(plus, minus) - 0.5 * np.pi
            total = np.arctan2(qi + qk, w + qj)  # (a + c) / 2
            differ = np.arctan2(qi - qk, w - qj)  # (a - c) / 2
            if plus < LOCKED or minus < LOCKED:
                if plus < LOCKED:
                    total = 0.5 * (a0 + c0)
                    differ = _near(differ, 0.5 * (a0 - c0), np.pi)
                else:
                    total = _near(total, 0.5 * (a0 + c0), np.pi)
                    differ = 0.5 * (a0 - c0)
                a0, b0, c0 = total + differ, _near(b, b0, 2.0 * np.pi), total - differ
            else:
                a, c = _near(total + differ, a0, 2.0 * np.pi), _near(total - differ, c0, 2.0 * np.pi)
                a2, c2 = _near(a + np.pi, a0, 2.0 * np.pi), _near(c + np.pi, c0, 2.0 * np.pi)
                b2 = _near(np.pi - b, b0, 2.0 * np.pi)
                b = _near(b, b0, 2.0 * np.pi)
                first = (a - a0) ** 2 + (b - b0) ** 2 + (c - c0) ** 2
                second = (a2 - a0) ** 2 + (b2 - b0) ** 2 + (c2 - c0) ** 2
                a0, b0, c0 = (a, b, c) if first <= second else (a2, b2, c2)
            out[t, joint, 0], out[t, joint, 1], out[t, joint, 2] = a0, b0, sign * c0


_SPACE, _NEWLINE, _PLUS, _MINUS, _POINT, _ZERO, _NINE = 32, 10, 43, 45, 46, 48, 57
_MOST_DIGITS = 18
"""So many digits fit a whole number of 64 bits."""
_EXACT = 1 << 53
"""Whole numbers up to this are exact as floats, and so are the powers below: one division of the two rounds as it should."""
_POWERS = tuple(float(10**k) for k in range(23))


@njit(cache=True)
def _is_space(byte: int) -> bool:
    return byte == _SPACE or byte == 9 or byte == 11 or byte == 12 or 28 <= byte <= 31


@njit(cache=True)
def plain_numbers(
    text: NDArray[np.uint8], width: int, values: Array, left: NDArray[np.int64], where: NDArray[np.int64]
) -> int:
    """Read lines of `width` words each as decimal numbers into `values` (N,), rounded as Python rounds them.

    Words that are no plain decimal number of at most 18 digits are left to the caller.

    Args:
        text: The lines.
        width: Words of a line.
        values: Gets the numbers; longer than there can be words.
        left: Gets, of each word that is left, which of the values it is, shape (N,).
        where: Gets where that word begins and ends, shape (N, 2).

    Returns:
        How many words are left, or -1 where a line has another number of words.
    """
    size, at, count, unread, first = len(text), 0, 0, 0, 0
    while at <= size:
        byte = text[at] if at < size else _NEWLINE
        if byte == _NEWLINE:
            if count != first and count - first != width:
                return -1
            first = count
            at += 1
            continue
        if _is_space(byte):
            at += 1
            continue
        start, sign, mantissa, digits, shift, point = at, 1.0, 0, 0, 0, False
        if byte in (_MINUS, _PLUS):
            sign = -1.0 if byte == _MINUS else 1.0
            at += 1
        while at < size and digits <= _MOST_DIGITS:
            byte = text[at]
            if _ZERO <= byte <= _NINE:
                mantissa = 10 * mantissa + (byte - _ZERO)
                digits += 1
                shift -= 1 if point else 0
            elif byte == _POINT and not point:
                point = True
            else:
                break
            at += 1
        plain = 0 < digits <= _MOST_DIGITS
        if plain and at < size and (text[at] == 69 or text[at] == 101):  # E, e
            at += 1
            negative = at < size and text[at] == _MINUS
            if at < size and text[at] in (_MINUS, _PLUS):
                at += 1
            begins, exponent = at, 0
            while at < size and at - begins < 4 and _ZERO <= text[at] <= _NINE:
                exponent = 10 * exponent + (text[at] - _ZERO)
                at += 1
            plain = at > begins
            shift += -exponent if negative else exponent
        ends = at >= size or text[at] == _NEWLINE or _is_space(text[at])
        if plain and ends and mantissa <= _EXACT and -22 <= shift <= 22:
            power = _POWERS[abs(shift)]
            values[count] = sign * (mantissa / power if shift < 0 else mantissa * power)
        else:
            while at < size and text[at] != _NEWLINE and not _is_space(text[at]):
                at += 1
            left[unread], where[unread, 0], where[unread, 1] = count, start, at
            unread += 1
        count += 1
    return unread
