"""What every metric does with its arrays: check the shape, and reduce without warnings where nothing is left."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def numbers(name: str, value: ArrayLike) -> Array:
    """`value` as float64 of any shape; raises `InputError` where it is not made of numbers."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be an array of numbers") from None


def checked(name: str, value: ArrayLike, *shape: int | None) -> Array:
    """`value` as float64 of the given shape, where None stands for any length.

    Raises:
        InputError: The shape is another one, or the value is not made of numbers.
    """
    array = numbers(name, value)
    _check_shape(name, array.shape, shape)
    return array


def checked_mask(name: str, value: ArrayLike, *shape: int | None) -> Mask:
    """`value` as booleans of the given shape, where None stands for any length."""
    array = np.asarray(value)
    if array.dtype != np.bool_:
        raise InputError(f"{name} must be booleans; got {array.dtype}")
    _check_shape(name, array.shape, shape)
    return array


def checked_rate(rate: float) -> float:
    """`rate` as a float, which must be positive and finite."""
    if not (np.isfinite(rate) and rate > 0):
        raise InputError(f"the frame rate must be positive; got {rate}")
    return float(rate)


def checked_indices(name: str, value: ArrayLike, count: int, *shape: int | None) -> NDArray[np.int64]:
    """`value` as integers of the given shape that lie in 0…count-1."""
    array = np.asarray(value)
    _check_shape(name, array.shape, shape)
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"{name} must be integers; got {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= count):
        raise InputError(f"{name} must lie in 0…{count - 1}; got {array.min()}…{array.max()}")
    return array.astype(np.int64)


def _check_shape(name: str, got: tuple[int, ...], wanted: tuple[int | None, ...]) -> None:
    fits = len(got) == len(wanted) and all(w is None or w == g for g, w in zip(got, wanted, strict=True))
    if not fits:
        listed = ", ".join("any" if each is None else str(each) for each in wanted)
        raise InputError(f"{name} must have shape ({listed}); got {got}")


def mean(values: ArrayLike) -> float:
    """Mean of all values, of booleans the share that is true; NaN where there are none."""
    array = np.asarray(values, dtype=np.float64)
    return float(array.mean()) if array.size else float("nan")


def largest(values: Array) -> float:
    """Largest of all values; NaN where there are none."""
    return float(np.max(values)) if values.size else float("nan")


def percentile(values: Array, percent: float) -> float:
    """Percentile of all values; NaN where there are none."""
    return float(np.percentile(values, percent)) if values.size else float("nan")
