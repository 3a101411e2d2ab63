"""Bones as files declare them: the humanoid tables of VRM and Unity, and HumanIK's characters; names say a side and a part."""

from __future__ import annotations

__all__ = ["ROLE", "humanik_role", "humanoid_role"]

ROLE = "role"
"""Key of a glTF node's `extras` under which Poise keeps the role that another format declares."""

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


_HUMANIK = {
    "Shoulder": "clavicle",
    "Arm": "upper_arm",
    "ForeArm": "forearm",
    "Hand": "hand",
    "UpLeg": "thigh",
    "Leg": "shank",
    "Foot": "foot",
    "ToeBase": "toes",
}
_HUMANIK_ROLES = {"Hips": "pelvis", "Head": "head"} | {
    f"{side}{bone}": f"{side.lower()}_{part}" for side in ("Left", "Right") for bone, part in _HUMANIK.items()
}


def humanik_role(slot: str) -> str | None:
    """The role of a slot of a HumanIK character such as `LeftForeArm`; None for fingers, rolls and what is unknown.

    Spine and neck may have any number of bones: Spine, Spine1, Spine2, ….
    """
    chain = slot.rstrip("0123456789")
    return {"Spine": "spine", "Neck": "neck"}.get(chain) or _HUMANIK_ROLES.get(slot)
