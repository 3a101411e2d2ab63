"""What is measured: one motion as plain arrays, with what the physics adds where there was some."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.errors import InputError
from poise.metrics._arrays import Array, Mask, checked, checked_indices, checked_mask, checked_rate, numbers
from poise.metrics.bodies import Bodies
from poise.metrics.contacts import ContactLog
from poise.metrics.limits import JointAngles

__all__ = ["Motion"]


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion to measure. Only shapes are checked: a run that blew up may hold NaN, and its report says so.

    Args:
        rate: Frames per second [Hz].
        positions: Joints in the world [m], shape (T, J, 3).
        rotations: Local joint rotations wxyz, shape (T, J, 4).
        feet: Points of the soles in the world [m], shape (T, F, 3); F may be 0.
        floor: Height of the ground [m], a number or one under each foot point, shape (T, F).
        root: Index of the joint that carries the body, the pelvis; a file's own root may stay behind.
        contact: Which foot points should be on the ground, booleans (T, F), where that is known.
        aloft: In which frames the body is in the air by its own jump, booleans (T,), where that is known.
        bodies: The rigid bodies, for energy and balance.
        angles: Joint angles with their limits.
        penetration: Overlap of each pair of shapes [m], shape (T, P).
        contacts: What touched, over the run.
        torques: Joint torques [N m], shape (T, N) or (T, N, 3).
        velocities: Joint velocities in the same coordinates [rad/s], same shape.

    Raises:
        InputError: Shapes disagree, the rate is not positive, there is no frame or the root is not a joint.
    """

    rate: float
    positions: Array
    rotations: Array
    feet: Array
    floor: float | Array = 0.0
    root: int = 0
    contact: Mask | None = None
    aloft: Mask | None = None
    bodies: Bodies | None = None
    angles: JointAngles | None = None
    penetration: Array | None = None
    contacts: ContactLog | None = None
    torques: Array | None = None
    velocities: Array | None = None

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "rate", checked_rate(self.rate))
        set_(self, "positions", checked("joint positions", self.positions, None, None, 3))
        frames, joints = self.positions.shape[:2]
        if frames == 0:
            raise InputError("a motion to measure needs at least one frame")
        set_(self, "rotations", checked("joint rotations", self.rotations, frames, joints, 4))
        set_(self, "feet", checked("foot points", self.feet, frames, None, 3))
        points = self.feet.shape[1]
        floor = numbers("the floor", self.floor)
        set_(self, "floor", checked("the floor", floor, frames, points) if floor.ndim else float(floor))
        set_(self, "root", int(checked_indices("the root joint", self.root, joints)))
        if self.contact is not None:
            set_(self, "contact", checked_mask("contact", self.contact, frames, points))
        if self.aloft is not None:
            set_(self, "aloft", checked_mask("aloft", self.aloft, frames))
        if self.penetration is not None:
            set_(self, "penetration", checked("penetration", self.penetration, frames, None))
        self._validate_physics(frames)

    def _validate_physics(self, frames: int) -> None:
        if self.bodies is not None and len(self.bodies.positions) != frames:
            raise InputError(f"the bodies have {len(self.bodies.positions)} frames, the joints {frames}")
        if self.angles is not None and len(self.angles.angles) != frames:
            raise InputError(f"the joint angles have {len(self.angles.angles)} frames, the joints {frames}")
        if (self.torques is None) != (self.velocities is None):
            raise InputError("torques and joint velocities come together or not at all")
        if self.torques is not None and self.velocities is not None:
            torque = numbers("torques", self.torques)
            if torque.ndim not in (2, 3) or len(torque) != frames:
                raise InputError(f"torques must have shape ({frames}, N) or ({frames}, N, 3); got {torque.shape}")
            object.__setattr__(self, "torques", torque)
            object.__setattr__(self, "velocities", checked("joint velocities", self.velocities, *torque.shape))

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def floor_height(self) -> Array:
        """Height of the ground under the character [m], the mean over its foot points, shape (T,)."""
        floor = np.asarray(self.floor, dtype=np.float64)
        if floor.ndim == 0 or floor.shape[1] == 0:
            return np.full(len(self), float(floor) if floor.ndim == 0 else 0.0)
        return np.asarray(floor.mean(axis=1))
