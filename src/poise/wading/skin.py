"""A character's skin moved by its bodies alone: what rides on a body (fingers, toes) stays as it is in the bind of the clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh, skin

__all__ = ["BodySkin"]

Array = NDArray[np.float64]


class BodySkin:
    """Where a skin's vertices are, from the frames of the bodies.

    Args:
        plan: The character.
        clip: Its motion, of whose first frame riders are taken.
        mesh: Its skin.
    """

    def __init__(self, plan: BodyPlan, clip: Clip, mesh: SkinnedMesh) -> None:
        skeleton = plan.skeleton
        number = {int(joint): body for body, joint in enumerate(plan.joints)}
        self.carriers = np.zeros(len(skeleton), dtype=np.int64)
        """Body that carries each joint, shape (J,)."""
        for joint, parent in enumerate(skeleton.parents):
            self.carriers[joint] = number.get(joint, self.carriers[parent] if parent >= 0 else 0)
        rotations, positions = clip.pose(0).world()
        above = plan.joints[self.carriers]
        back = quat.conj(rotations[above])
        turns, shifts = quat.mul(back, rotations), quat.rotate(back, positions - positions[above])
        to_body = np.tile(np.eye(4), (len(skeleton), 1, 1))
        to_body[:, :3, :3], to_body[:, :3, 3] = quat.to_matrix(turns), shifts
        self.mesh = SkinnedMesh(
            mesh.vertices, mesh.triangles, mesh.joints, mesh.weights, to_body @ mesh.inverse_bind, mesh.normals
        )
        self.triangles = np.ascontiguousarray(self.mesh.triangles)

    def vertices(self, frames: BodyFrames) -> Array:
        """Places of the vertices [m] at the first of some body frames, shape (V, 3)."""
        return skin(self.mesh, frames.rotations[0][self.carriers], frames.positions[0][self.carriers])
