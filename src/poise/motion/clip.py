"""Motion over time as arrays: time is axis 0, joints are axis 1."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.math import quat
from poise.motion.pose import Pose, forward_kinematics, joint_positions
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["Clip"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Clip:
    """A skeleton in motion, in the design's frame (Z up, metres, seconds).

    Args:
        skeleton: The joints.
        rate: Frames per second [Hz].
        rotations: Local rotations wxyz, shape (T, J, 4); made unit and sign-continuous over time.
        translations: Local positions [m] of the joints that have position channels, shape (T, K, 3).
        translated: Those joints, shape (K,); the root first when it is among them. Other joints stay at their offset.
        source: The file dialect this came from.
        name: What to call it.

    Raises:
        InputError: Shapes disagree, the rate is not positive or a number is not finite.
    """

    skeleton: Skeleton
    rate: float
    rotations: Array
    translations: Array
    translated: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    source: Source = field(default_factory=Source)
    name: str = "clip"

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "rate", float(self.rate))
        set_(self, "translations", np.array(self.translations, dtype=np.float64))
        set_(self, "translated", np.array(self.translated, dtype=np.int64))
        rotations = np.asarray(self.rotations, dtype=np.float64)
        self._validate(rotations)
        set_(self, "rotations", quat.continuous(quat.normalize(rotations)))
        for array in (self.rotations, self.translations, self.translated):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return f"<Clip {self.name!r}: {len(self)} frames of {len(self.skeleton)} joints at {self.rate:g} Hz>"

    def _validate(self, rotations: Array) -> None:
        joints, moved = len(self.skeleton), len(self.translated)
        if not (np.isfinite(self.rate) and self.rate > 0):
            raise InputError(f"the frame rate must be positive; got {self.rate}")
        if rotations.ndim != 3 or rotations.shape[1:] != (joints, 4) or len(rotations) == 0:
            raise InputError(f"rotations must have shape (frames >= 1, {joints}, 4); got {rotations.shape}")
        if self.translations.shape != (len(rotations), moved, 3):
            raise InputError(
                f"translations must have shape ({len(rotations)}, {moved}, 3); got {self.translations.shape}"
            )
        if moved and (self.translated.min() < 0 or self.translated.max() >= joints):
            raise InputError(f"translated joints must lie in 0…{joints - 1}")
        if not (np.isfinite(rotations).all() and np.isfinite(self.translations).all()):
            raise InputError("rotations and translations must be finite numbers")

    def __len__(self) -> int:
        return len(self.rotations)

    @property
    def period(self) -> float:
        """Time between frames [s]."""
        return 1.0 / self.rate

    @property
    def duration(self) -> float:
        """Time from the first to the last frame [s]."""
        return (len(self) - 1) / self.rate

    @property
    def times(self) -> Array:
        """Time of each frame [s], shape (T,)."""
        return np.arange(len(self)) / self.rate

    def local_positions(self) -> Array:
        """Local position of every joint at every frame [m], shape (T, J, 3)."""
        local = np.broadcast_to(self.skeleton.offsets, (len(self), len(self.skeleton), 3)).copy()
        local[:, self.translated] = self.translations
        return local

    def world(self) -> tuple[Array, Array]:
        """Orientations (T, J, 4) and positions [m] (T, J, 3) of all joints in the world."""
        return forward_kinematics(self.skeleton, self.rotations, self.local_positions())

    def world_positions(self) -> tuple[Array, Array]:
        """World positions [m] of joints (T, J, 3) and end sites (T, E, 3)."""
        return joint_positions(self.skeleton, self.rotations, self.local_positions())

    def pose(self, frame: int) -> Pose:
        """The pose at `frame`."""
        translations = self.skeleton.offsets.copy()
        translations[self.translated] = self.translations[frame]
        return Pose(self.skeleton, self.rotations[frame], translations)

    def with_motion(self, rotations: Array, translations: Array, *, rate: float | None = None) -> Clip:
        """The same skeleton, source and name with other motion."""
        return replace(self, rotations=rotations, translations=translations, rate=rate or self.rate)
