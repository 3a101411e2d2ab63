"""AMASS and SMPL files: the motion of a body model, on a skeleton of our own, since the models are licensed and not here."""

from __future__ import annotations

from pathlib import Path

from poise.errors import InputError
from poise.io.body_model import model_clip, refuse_unit
from poise.io.files import read_bytes
from poise.io.smpl.entries import KEYS, read_entries
from poise.io.smpl.proportions import STATURES
from poise.io.smpl.skeleton import JOINTS, smpl_skeleton
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.source import Source

__all__ = ["KEYS", "read_smpl"]


def read_smpl(path: Path, unit: str | float | None = None, up: str | None = None) -> Clip:
    """Read an AMASS, SMPL, SMPL-H or SMPL-X .npz (Loper et al. 2015, Romero et al. 2017, Pavlakos et al. 2019).

    A pose is an axis times an angle [rad] per joint, from a T-pose that is y up and faces z in the joints' own axes; `trans` is
    taken for where the pelvis is. (In the models that is a constant away, which only the model's file says: about 3 cm up and
    some 20 cm along the ground.) Shapes (`betas`, soft tissue) say nothing without a model and are not looked into.

    Args:
        path: The file.
        unit: None; such a file is in metres.
        up: "x", "y" or "z"; z as AMASS has it where None, unless the motion shows another.

    Raises:
        InputError: With the file, the entry, what was wrong and what is allowed.
    """
    try:
        refuse_unit(unit, "a SMPL motion")
        motion = read_entries(read_bytes(path))
        stature = STATURES[motion.gender]
        joints = JOINTS[motion.model]
        source = Source(
            format="smpl",
            unit_reason="m: SMPL is in metres",
            up_axis="",
            notes=(
                f"{motion.model}, {len(joints)} joints; the body model is not in the file, so proportions and a stature of "
                f"{stature:.2f} m ({motion.gender}) are Poise's own",
            ),
        )
        skeleton = smpl_skeleton(joints, stature)
        turns = motion.turns[:, [joints.index(name) for name in skeleton.names]]
        return model_clip(path, source, skeleton, motion.rate, quat.exp(turns), motion.places, up)
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None
