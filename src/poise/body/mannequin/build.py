"""A skinned mesh for any skeleton: what a motion without a skin of its own is shown with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.body.build import build_body
from poise.body.mannequin import cache
from poise.body.mannequin.bind import BindPose, most_open_pose, person_pose, rest_translations
from poise.body.mannequin.creature import creature_bones, creature_parts, joint_radii
from poise.body.mannequin.figure import Figure
from poise.body.mannequin.parts import Bone, PartArrays, pack
from poise.body.mannequin.person import person_bones, person_parts
from poise.body.mannequin.surface import surface
from poise.body.mannequin.weights import skin_weights
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.motion.skin import SkinnedMesh

__all__ = ["cache_folder", "mannequin"]

Array = NDArray[np.float64]

_RECIPE = 2
"""Raised whenever the same parts become another mesh, so that stored ones are made again."""

cache_folder = cache.cache_folder


def mannequin(clip: Clip, plan: BodyPlan | None = None, *, folder: Path | None = None) -> SkinnedMesh:
    """A smooth closed mesh of 3,000 to 10,000 triangles around the clip's skeleton, at most four joints per vertex.

    A person gets a person's shape at the plan's stature and mass; anything else is built from its bones. The mesh is bound
    in an open pose (`poise.body.mannequin.bind`). Same skeleton, same mesh, to the bit.

    Args:
        clip: The motion; its frames matter only where the zero pose is folded.
        plan: The body; by default the one `build_body` makes, where the skeleton is a person.
        folder: Where meshes are kept between runs, as in `cache_folder()`; None keeps nothing.
    """
    pose, parts, bones, size = _design(clip, _plan(clip) if plan is None else plan)
    inverse_bind = _inverse_bind(pose)
    lines = [
        np.array([[*bone.start, *bone.end, bone.radius] for bone in bones]),
        np.array([bone.joint for bone in bones]),
    ]
    key = cache.content_key([parts.frames, parts.profiles, parts.cuts, *lines, inverse_bind, np.array([size])], _RECIPE)
    kept = cache.load(folder, key) if folder is not None else None
    if kept is not None:
        return kept
    hull = surface(parts, size)
    fields = cache.Fields(hull.vertices, hull.triangles, *skin_weights(hull, bones), inverse_bind)
    if folder is not None:
        cache.store(folder, key, fields)
    return SkinnedMesh(*fields)


def _plan(clip: Clip) -> BodyPlan | None:
    try:
        return build_body(clip, guess_roles(clip.skeleton))
    except InputError:
        return None


def _design(clip: Clip, plan: BodyPlan | None) -> tuple[BindPose, PartArrays, list[Bone], float]:
    """Bind pose, parts, bones and the size [m] that tolerances are shares of."""
    if plan is not None:
        figure = Figure(plan, person_pose(clip, plan))
        return figure.pose, pack(person_parts(figure)), person_bones(figure), figure.stature
    radii = joint_radii(clip.skeleton, rest_translations(clip))
    pose = most_open_pose(clip, radii)
    bones = creature_bones(clip.skeleton, pose, radii)
    parts = pack(creature_parts(pose, bones, radii))
    return pose, parts, bones, float((parts.boxes[:, 1].max(axis=0) - parts.boxes[:, 0].min(axis=0)).max())


def _inverse_bind(pose: BindPose) -> Array:
    turns = quat.conj(pose.rotations)
    transforms = np.tile(np.eye(4), (len(turns), 1, 1))
    transforms[:, :3, :3] = quat.to_matrix(turns)
    transforms[:, :3, 3] = -quat.rotate(turns, pose.positions)
    return transforms
