"""Frame times that are no seconds: a rate in Hz, or milliseconds, where the file should say seconds per frame."""

from __future__ import annotations

__all__ = ["SLOWEST", "guess_rate"]

SLOWEST = 2.0
"""Frame rate below which nobody records motion [Hz]."""
_USUAL = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 150.0, 180.0, 200.0, 240.0, 250.0, 300.0)
"""Rates that motion is recorded at [Hz]."""
_NEAR = 0.01


def guess_rate(frame_time: float) -> tuple[float, str]:
    """Frames per second [Hz], and a line where the value is not taken for the seconds it should be, else "".

    A frame time of half a second and more is a usual rate (30), or milliseconds of one (33.3), or left as it is.
    """
    if frame_time <= 1.0 / SLOWEST:
        return 1.0 / frame_time, ""
    for rate, meaning in ((frame_time, "a rate in Hz"), (1e3 / frame_time, "milliseconds")):
        near = min(_USUAL, key=lambda usual: abs(rate - usual))
        if abs(rate - near) <= _NEAR * near:
            return near if meaning == "milliseconds" else rate, (
                f"Frame Time is {frame_time:g}, which as seconds would be {1.0 / frame_time:.3g} Hz; taken for {meaning}: "
                f"{rate:.4g} Hz (--rate says otherwise)"
            )
    return 1.0 / frame_time, (
        f"Frame Time is {frame_time:g} s, {1.0 / frame_time:.3g} Hz, which nobody records motion at; --rate says what it is"
    )
