"""Characters and tiny models for the tests of body, world, control, hybrid and runtime: no files needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mujoco as mj
import numpy as np

from poise.body import BodyOptions, BodyPlan, build_body
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.motion.skeleton import Skeleton
from poise.runtime import Session
from poise.signals import Mode
from poise.world import ARMATURE, Cut
from poise.world.masks import Surface

Array = np.ndarray
Motion = Callable[[float], dict[str, Array]]
"""Local rotation vectors [rad] by joint name at a time [s]; the key "root" holds the root's position [m]."""


@dataclass
class Bone:
    parent: str | None
    offset: tuple[float, float, float]


def bones() -> dict[str, Bone]:
    """A person of about 1.75 m in T-pose, facing x, left towards y; both sides are mirror images."""
    rows = {
        "Hips": Bone(None, (0.0, 0.0, 0.95)),
        "Spine": Bone("Hips", (0.0, 0.0, 0.12)),
        "Chest": Bone("Spine", (-0.01, 0.0, 0.18)),
        "Neck": Bone("Chest", (0.01, 0.0, 0.22)),
        "Head": Bone("Neck", (0.02, 0.0, 0.1)),
    }
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        rows[f"{side}Shoulder"] = Bone("Chest", (0.0, 0.04 * left, 0.18))
        rows[f"{side}Arm"] = Bone(f"{side}Shoulder", (-0.01, 0.14 * left, 0.01))
        rows[f"{side}ForeArm"] = Bone(f"{side}Arm", (0.0, 0.28 * left, 0.0))
        rows[f"{side}Hand"] = Bone(f"{side}ForeArm", (0.0, 0.25 * left, 0.0))
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        rows[f"{side}UpLeg"] = Bone("Hips", (0.0, 0.09 * left, -0.05))
        rows[f"{side}Leg"] = Bone(f"{side}UpLeg", (0.01, 0.01 * left, -0.41))
        rows[f"{side}Foot"] = Bone(f"{side}Leg", (-0.02, 0.0, -0.41))
        rows[f"{side}ToeBase"] = Bone(f"{side}Foot", (0.13, 0.01 * left, -0.06))
    return rows


ENDS = {
    "Head": (0.0, 0.0, 0.2),
    "LeftHand": (0.0, 0.16, 0.0),
    "RightHand": (0.0, -0.16, 0.0),
    "LeftToeBase": (0.06, 0.0, 0.0),
    "RightToeBase": (0.06, 0.0, 0.0),
}

CUT_ENDS = {
    "LeftForeArm": ("LeftHand", (0.0, 0.25, 0.0)),
    "RightForeArm": ("RightHand", (0.0, -0.25, 0.0)),
    "LeftFoot": ("LeftToeBase", (0.13, 0.01, -0.06)),
    "RightFoot": ("RightToeBase", (0.13, -0.01, -0.06)),
}
"""End sites of joints whose last child is left out."""


def without(rows: dict[str, Bone], *words: str) -> dict[str, Bone]:
    """The skeleton without the joints whose name ends in one of `words`; their children move up to their parents."""
    gone = {name for name in rows if name.endswith(words)}
    result = {}
    for name, bone in rows.items():
        parent, offset = bone.parent, np.array(bone.offset)
        while parent in gone:
            offset = offset + rows[parent].offset
            parent = rows[parent].parent
        if name not in gone:
            result[name] = Bone(parent, tuple(offset))
    return result


def inserted(rows: dict[str, Bone], name: str, above: str) -> dict[str, Bone]:
    """The skeleton with a joint `name` halfway on the bone that leads to `above`."""
    result = {}
    for key, bone in rows.items():
        if key == above:
            half = tuple(0.5 * np.array(bone.offset))
            result[name] = Bone(bone.parent, half)
            bone = Bone(name, half)
        result[key] = bone
    return result


def rooted(rows: dict[str, Bone]) -> dict[str, Bone]:
    """The skeleton with a root joint above the pelvis."""
    top = Bone("Root", (0.02, 0.01, 0.93))
    return {"Root": Bone(None, (0.0, 0.0, 0.02)), **{k: top if k == "Hips" else b for k, b in rows.items()}}


def skeleton_of(rows: dict[str, Bone]) -> Skeleton:
    names = list(rows)
    parents = [-1 if bone.parent is None else names.index(bone.parent) for bone in rows.values()]
    ends = {name: end for name, end in ENDS.items() if name in rows}
    ends |= {name: end for name, (joint, end) in CUT_ENDS.items() if joint not in rows}
    return Skeleton(
        tuple(names),
        np.array(parents),
        np.array([bone.offset for bone in rows.values()], dtype=float),
        np.array([names.index(name) for name in ends], dtype=int),
        np.array(list(ends.values()), dtype=float).reshape(-1, 3),
    )


def walking(time: float, amount: float = 1.0) -> dict[str, Array]:
    """Arms hang and swing, knees bend, the trunk turns a little, the root moves forward."""
    phase = 2.0 * np.pi * time
    swing = amount * np.sin(phase)
    vectors = {
        "root": np.array([1.2 * time * amount, 0.02 * swing, 0.95 + 0.02 * amount * np.cos(2.0 * phase)]),
        "Hips": amount * np.array([0.03, 0.02, 0.08]) * np.sin(phase + 0.3),
        "Spine": amount * np.array([0.02, 0.05, -0.06]) * np.sin(phase + 0.9),
        "Chest": amount * np.array([0.01, 0.03, -0.08]) * np.sin(phase + 1.1),
        "Neck": amount * np.array([0.02, 0.04, 0.05]) * np.sin(phase + 0.5),
        "Head": amount * np.array([0.01, 0.05, 0.03]) * np.sin(phase),
    }
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        hang = quat.exp([-left * np.radians(70.0), 0.0, 0.0])
        arm = quat.mul(quat.exp([0.0, 0.45 * left * swing, 0.1 * left * swing]), hang)
        vectors[f"{side}Shoulder"] = np.array([0.05 * left, 0.0, 0.04 * left]) * swing
        vectors[f"{side}Arm"] = quat.log(arm)
        # Bent forward about the arm's own vertical in T-pose.
        vectors[f"{side}ForeArm"] = np.array([0.0, 0.0, -left * (0.35 + 0.2 * left * swing)])
        vectors[f"{side}Hand"] = np.array([0.1, 0.05 * left, 0.1 * left]) * swing
        vectors[f"{side}UpLeg"] = np.array([0.04 * left, -0.45 * left, 0.05]) * swing
        vectors[f"{side}Leg"] = np.array([0.0, 0.4 * amount * (1.0 - np.cos(phase + left)), 0.0])
        vectors[f"{side}Foot"] = np.array([0.05, 0.2 * left, 0.03]) * swing
        vectors[f"{side}ToeBase"] = np.array([0.0, -0.2, 0.0]) * swing
    return vectors


def standing(time: float) -> dict[str, Array]:
    """The first moment of the walk without its swing, held."""
    return walking(0.0 * time, 0.0)


def local_pose(skeleton: Skeleton, vectors: Mapping[str, Array]) -> tuple[Array, Array]:
    """Local rotations (J, 4) and positions (J, 3) of one moment."""
    rotations = quat.exp(np.array([vectors.get(name, np.zeros(3)) for name in skeleton.names]))
    positions = np.array(skeleton.offsets)
    positions[0] = vectors["root"] if skeleton.names[0] == "Hips" else vectors["root"] - [0.0, 0.0, 0.95]
    return rotations, positions


def human_clip(
    rows: dict[str, Bone] | None = None, motion: Motion = walking, seconds: float = 1.5, rate: float = 60.0
) -> Clip:
    """A clip of the synthetic person."""
    skeleton = skeleton_of(rows or bones())
    times = np.arange(round(seconds * rate) + 1) / rate
    poses = [local_pose(skeleton, motion(float(time))) for time in times]
    return Clip(skeleton, rate, np.array([q for q, _ in poses]), np.array([p[:1] for _, p in poses]), name="human")


def human_plan(clip: Clip | None = None, **options: float | str) -> BodyPlan:
    """The body of a clip, by default of a person who stands still."""
    clip = clip or human_clip(motion=standing, seconds=0.5)
    return build_body(clip, guess_roles(clip.skeleton), BodyOptions(**options))


_MIRROR_VECTOR = np.array([1.0, -1.0, 1.0])
_MIRROR_QUATERNION = np.array([1.0, -1.0, 1.0, -1.0])


def mirrored_name(name: str) -> str:
    if name.startswith("Left"):
        return "Right" + name[4:]
    return "Left" + name[5:] if name.startswith("Right") else name


def mirrored_clip(clip: Clip) -> Clip:
    """The clip seen in a mirror whose plane is y = 0."""
    other = [clip.skeleton.index(mirrored_name(name)) for name in clip.skeleton.names]
    return clip.with_motion(clip.rotations[:, other] * _MIRROR_QUATERNION, clip.translations * _MIRROR_VECTOR)


def on_one_line(clip: Clip) -> Clip:
    """The same motion from a file whose zero pose has every limb stretched along x, as some exporters write it."""
    skeleton = clip.skeleton
    turns = np.tile(quat.IDENTITY, (len(skeleton), 1))
    for joint in range(len(skeleton)):
        along = [skeleton.offsets[child] for child in skeleton.children[joint]]
        along += [skeleton.end_offsets[e] for e, on in enumerate(skeleton.end_parents) if on == joint]
        if along:
            turns[joint] = quat.between([1.0, 0.0, 0.0], along[0])
    above = np.where(skeleton.parents < 0, 0, skeleton.parents)
    inverse = quat.conj(turns)
    offsets = quat.rotate(inverse[above], skeleton.offsets)
    offsets[0] = skeleton.offsets[0]
    ends = quat.rotate(inverse[skeleton.end_parents], skeleton.end_offsets)
    renewed = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_parents, ends)
    rotations = quat.mul(clip.rotations, turns)
    rotations[:, 1:] = quat.mul(inverse[above[1:]], rotations[:, 1:])
    return Clip(renewed, clip.rate, rotations, clip.translations, name=clip.name)


def random_rotations(rng: np.random.Generator, *shape: int) -> Array:
    """Uniform random rotations, shape (*shape, 4)."""
    return quat.normalize(rng.normal(size=(*shape, 4)))


def random_positions(plan: BodyPlan, rng: np.random.Generator, count: int, spread: float = 0.5) -> Array:
    """Generalized positions with joints turned by up to about `spread` rad per axis, shape (count, nq)."""
    turns = quat.exp(rng.uniform(-spread, spread, size=(count, len(plan), 3)))
    return np.concatenate([rng.normal(size=(count, 3)), turns.reshape(count, -1)], axis=1)


STEP = 1.0 / 480.0
BODY = 'contype="2" conaffinity="7"'
NONE = 'contype="0" conaffinity="0"'
FLOOR = '<geom name="floor" type="plane" size="0 0 1" contype="4" conaffinity="0"/>'


def compiled(bodies: str, *, extra: str = "", gravity: float = -9.81, tolerance: float = 1e-14, step: float = STEP):
    return mj.MjModel.from_xml_string(f"""<mujoco>
        <option timestep="{step}" tolerance="{tolerance}" integrator="discrete" gravity="0 0 {gravity}"/>
        <worldbody>{FLOOR}{bodies}</worldbody>{extra}</mujoco>""")


def cut_of(model: mj.MjModel, *driven: str, armature: float = ARMATURE) -> Cut:
    cut = Cut(model, {geom: Surface.BODY for geom in range(model.ngeom) if model.geom_contype[geom] == 2}, armature)
    cut.set(driven, Mode.MOTION)
    return cut


def assign_modes(session: Session, modes: Array) -> None:
    """Set who moves each joint of a session's first character, at once."""
    reference = session.references[0]
    reference.set_modes(modes)
    session.command.set_modes(reference.name, modes)
