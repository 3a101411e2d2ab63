"""Contact logs written by hand."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.metrics import ContactLog, contact_summary


def log(ticks: list[int], pairs: list[int], impulses: list[float], peaks: list[float]) -> ContactLog:
    array = np.array
    return ContactLog(
        ("foot/floor", "hand/branch", "never"),
        array(ticks),
        array(pairs),
        array(impulses),
        array(peaks),
        array(ticks) / 60,
    )


def test_impulses_peaks_and_hits() -> None:
    #                 foot: ticks 3, 4 and (twice) 7; hand: tick 5
    total, pairs = contact_summary(
        log([3, 4, 5, 7, 7], [0, 0, 1, 0, 0], [1.0, 2.0, 0.5, 1.5, 0.5], [60.0, 90.0, 200.0, 80.0, 20.0])
    )
    assert list(pairs) == ["foot/floor", "hand/branch"]
    assert (total.impulse_n_s, total.peak_n, total.hits) == (5.5, 200.0, 3)
    foot, hand = pairs["foot/floor"], pairs["hand/branch"]
    assert (foot.impulse_n_s, foot.peak_n, foot.hits, foot.first_s) == (5.0, 90.0, 2, 0.05)
    assert (hand.impulse_n_s, hand.peak_n, hand.hits) == (0.5, 200.0, 1)


def test_order_does_not_matter_and_no_contact_is_zero() -> None:
    forward = log([3, 4, 7], [0, 0, 0], [1.0, 2.0, 1.5], [60.0, 90.0, 80.0])
    backward = log([7, 4, 3], [0, 0, 0], [1.5, 2.0, 1.0], [80.0, 90.0, 60.0])
    assert contact_summary(forward) == contact_summary(backward)
    total, pairs = contact_summary(log([], [], [], []))
    assert (total.impulse_n_s, total.peak_n, total.hits, pairs) == (0.0, 0.0, 0, {})
    assert np.isnan(total.first_s)


def test_bad_input() -> None:
    for ticks, pairs, impulses in (([-1], [0], [1.0]), ([1], [3], [1.0]), ([1], [0], [1.0, 2.0])):
        with pytest.raises(InputError):
            log(ticks, pairs, impulses, [1.0])
    empty = np.zeros(0)
    with pytest.raises(InputError, match="unique"):
        ContactLog(("a", "a"), empty, empty, empty, empty, empty)
