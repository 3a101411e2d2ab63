"""C3D files written by ezc3d, which shares no line with the reader that Poise uses."""

from pathlib import Path
from typing import Any

import ezc3d
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def save(
    path: Path,
    places: Array,
    *,
    rate: float = 100.0,
    names: list[str] | None = None,
    unit: str | None = "mm",
    point: dict[str, Any] | None = None,
    analog: int = 0,
) -> Path:
    """Write points (T, M, 3) in the file's own unit and axes; nan where a marker is not seen."""
    frames, count = places.shape[:2]
    file = ezc3d.c3d()
    parameters = file["parameters"]["POINT"]
    parameters["RATE"]["value"] = [rate]
    parameters["LABELS"]["value"] = names or [f"m{number}" for number in range(count)]
    parameters["UNITS"]["value"] = [] if unit is None else [unit]
    for name, value in (point or {}).items():
        file.add_parameter("POINT", name, value)
    points = np.ones((4, count, frames))
    points[:3] = places.transpose(2, 1, 0)
    file["data"]["points"] = points
    file["data"]["meta_points"]["residuals"] = np.where(np.isnan(points[:1]), -1.0, 0.0)
    if analog:
        file["parameters"]["ANALOG"]["RATE"]["value"] = [10.0 * rate]
        file["parameters"]["ANALOG"]["LABELS"]["value"] = [f"force{number}" for number in range(analog)]
        file["data"]["analogs"] = np.random.default_rng(1).normal(size=(1, analog, 10 * frames))
    file.write(str(path))
    return path


def cloud(frames: int = 20, count: int = 6, seed: int = 0) -> Array:
    """Points that move a little, 1.5 m tall along z and half as wide, in millimetres."""
    random = np.random.default_rng(seed)
    still = random.uniform(0.0, 1.0, (count, 3)) * [700.0, 600.0, 1500.0]
    still[:2, 2] = 0.0, 1500.0
    return np.asarray(still + np.cumsum(random.normal(0.0, 2.0, (frames, count, 3)), axis=0))
