"""How hands are turned that hold something: their frame has x to the thumb and z from the fingers to the wrist."""

from __future__ import annotations

import numpy as np

from poise.math import quat

__all__ = ["FORWARD", "PALMS_DOWN"]

PALMS_DOWN = {
    "left": quat.from_matrix(np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])),
    "right": quat.from_matrix(np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])),
}
"""Before the body on a bar that lies across: fingers forward, thumbs inward."""
FORWARD = quat.from_matrix(np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
"""Before the body: fingers forward, thumbs up, palms facing one another; a bar between them stands upright."""
