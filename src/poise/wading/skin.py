"""A character's skin moved by its bodies alone: what rides on a body (fingers, toes) stays as it is in the bind of the clip.

Of a wader only what could be in a fluid is moved (`BodySkin.low`): of who stands in it to the knee a third of the skin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.motion._kernels import place_joints
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh, skin
from poise.wading import _kernels

__all__ = ["AWAY", "BodySkin"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

AWAY = _kernels.AWAY
"""Height of vertices that were not placed, since no fluid comes near them [m]."""


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
        self._mesh = (self.mesh.vertices, self.mesh.joints, self.mesh.weights, self.triangles)
        self._blocks = _blocks(self.mesh)

    def vertices(self, frames: BodyFrames) -> Array:
        """Places of the vertices [m] at the first of some body frames, shape (V, 3)."""
        return skin(self.mesh, frames.rotations[0][self.carriers], frames.positions[0][self.carriers])

    def carried(self, body: int) -> Array:
        """Vertices that follow a body more than any other, in its frame [m], shape (n, 3): a hand with what it holds."""
        mesh = self.mesh
        joints = mesh.joints[np.arange(len(mesh.joints)), np.argmax(mesh.weights, axis=1)]
        own = self.carriers[joints] == body
        to_body = mesh.inverse_bind[joints[own]]
        return np.asarray(np.einsum("nij,nj->ni", to_body[:, :3, :3], mesh.vertices[own]) + to_body[:, :3, 3])

    def places(self, frames: BodyFrames) -> Array:
        """Where the first of some body frames has the bind space of each joint: affine maps row by row, shape (J, 12)."""
        out = np.empty((len(self.carriers), 12))
        turns, shifts = frames.rotations[0][self.carriers], frames.positions[0][self.carriers]
        place_joints(turns, shifts, self.mesh.inverse_bind, out)
        return out

    def low(self, places: Array, surface: float, earlier: Array, before: Array) -> tuple[Array, Indices]:
        """What of the skin could be under a surface: triangles a block at a time, and their vertices.

        To the last bit the places of `vertices`; the triangles that are left out are all above the surface.

        Args:
            places: Of the joints' bind spaces; see `places`.
            surface: No fluid reaches higher than this [m].
            earlier: `places` a step ago.
            before: What this gave a step ago; vertices that were `AWAY` then and are not now get the place they had.

        Returns:
            Vertices [m], the others `AWAY`, shape (V, 3), and triangles (F', 3) in the order they have in the mesh.
        """
        vertices = np.empty((len(self.mesh), 3))
        return vertices, _kernels.blend_low((places, earlier), self._mesh, self._blocks, surface, before, vertices)


def _blocks(mesh: SkinnedMesh) -> tuple[Array, Indices, Indices, Indices]:
    """What each run of `BLOCK` triangles has to do with.

    Returns:
        Middle and half the size of an upright box around their vertices in bind space [m], shape (N, 6); the joints that these
        follow, and these vertices, block after block; where each block's joints, vertices and triangles begin, their end last,
        shape (3, N + 1).
    """
    faces = [mesh.triangles[at : at + _kernels.BLOCK] for at in range(0, len(mesh.triangles), _kernels.BLOCK)]
    corners = [np.unique(each) for each in faces]
    joints = [np.unique(mesh.joints[each][mesh.weights[each] > 0.0]) for each in corners]
    ends = [(mesh.vertices[each].min(axis=0), mesh.vertices[each].max(axis=0)) for each in corners]
    boxes = np.array([[*(0.5 * (least + most)), *(0.5 * (most - least))] for least, most in ends]).reshape(-1, 6)
    starts = [np.cumsum([0, *map(len, parts)]) for parts in (joints, corners, faces)]
    none = np.zeros(0, np.int64)
    return boxes, np.concatenate([none, *joints]), np.concatenate([none, *corners]), np.array(starts)
