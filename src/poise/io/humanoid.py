"""Bones as files declare them: the humanoid tables of VRM and Unity, whose names say a side and a part."""

from __future__ import annotations

__all__ = ["humanoid_role"]

_MIDDLE = {"hips": "pelvis", "spine": "spine", "chest": "spine", "upperChest": "spine", "neck": "neck", "head": "head"}
_SIDED = {
    "Shoulder": "clavicle",
    "UpperArm": "upper_arm",
    "LowerArm": "forearm",
    "Hand": "hand",
    "UpperLeg": "thigh",
    "LowerLeg": "shank",
    "Foot": "foot",
    "Toes": "toes",
}
_ROLES = _MIDDLE | {f"{side}{bone}": f"{side}_{part}" for side in ("left", "right") for bone, part in _SIDED.items()}


def humanoid_role(bone: str) -> str | None:
    """The role of a humanoid bone such as `leftUpperArm`, in any capitals; None for fingers, eyes, jaw and what is unknown."""
    return _ROLES.get(bone[:1].lower() + bone[1:])
