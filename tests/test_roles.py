"""Roles from joint names and topology, over the dialects of the common tools."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from poise.errors import InputError
from poise.io import read_role_map
from poise.motion.roles import ROLES, guess_roles, mirror_role
from poise.motion.skeleton import Skeleton

ARM = ["clavicle", "upper_arm", "forearm", "hand"]
LEG = ["thigh", "shank", "foot", "toes"]


def tree(text: str) -> Skeleton:
    """A skeleton from lines `parent > child > child`; each line starts at a joint that is known, but the first."""
    names: list[str] = []
    parents: list[int] = []
    for line in text.strip().splitlines():
        chain = [name.strip() for name in line.split(">")]
        for above, name in zip([None, *chain], chain, strict=False):
            if name not in names:
                names.append(name)
                parents.append(-1 if above is None else names.index(above))
    return Skeleton(tuple(names), np.array(parents), np.zeros((len(names), 3)))


def both_sides(text: str) -> str:
    """The lines once with @ as the left mark and once as the right one: `@{L|R}` spells them."""
    lines = []
    for line in text.strip().splitlines():
        marks = re.findall(r"\{(\w+)\|(\w+)\}", line)
        lines += [re.sub(r"\{(\w+)\|(\w+)\}", rf"\{side}", line) for side in ((1, 2) if marks else (1,))]
    return "\n".join(lines)


# Each dialect: its tree, then the trunk as "role: joints" and the left arm and leg, "-" where a role is absent.
DIALECTS = {
    "cmu": (
        """Hips > LowerBack > Spine > Spine1 > Neck > Neck1 > Head
        Hips > {L|R}HipJoint > {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot > {Left|Right}ToeBase
        Spine1 > {Left|Right}Shoulder > {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand > {L|R}Thumb
        {Left|Right}Hand > {Left|Right}FingerBase > {Left|Right}HandIndex1""",
        {"pelvis": "Hips", "spine": "LowerBack Spine Spine1", "neck": "Neck Neck1", "head": "Head"},
        "LeftShoulder LeftArm LeftForeArm LeftHand",
        "LeftUpLeg LeftLeg LeftFoot LeftToeBase",
    ),
    "cgspeed": (
        """hip > abdomen > chest > neck > head > leftEye
        hip > {l|r}Buttock > {l|r}Thigh > {l|r}Shin > {l|r}Foot
        chest > {l|r}Collar > {l|r}Shldr > {l|r}ForeArm > {l|r}Hand > {l|r}Thumb1 > {l|r}Thumb2
        {l|r}Hand > {l|r}Mid1""",
        {"pelvis": "hip", "spine": "abdomen chest", "neck": "neck", "head": "head"},
        "lCollar lShldr lForeArm lHand",
        "lThigh lShin lFoot -",
    ),
    "mixamo": (
        """mixamorig:Hips > mixamorig:Spine > mixamorig:Spine1 > mixamorig:Spine2 > mixamorig:Neck > mixamorig:Head
        mixamorig:Head > mixamorig:HeadTop_End
        mixamorig:Spine2 > mixamorig:{Left|Right}Shoulder > mixamorig:{Left|Right}Arm > mixamorig:{Left|Right}ForeArm
        mixamorig:{Left|Right}ForeArm > mixamorig:{Left|Right}Hand > mixamorig:{Left|Right}HandThumb1
        mixamorig:Hips > mixamorig:{Left|Right}UpLeg > mixamorig:{Left|Right}Leg > mixamorig:{Left|Right}Foot
        mixamorig:{Left|Right}Foot > mixamorig:{Left|Right}ToeBase > mixamorig:{Left|Right}Toe_End""",
        {
            "pelvis": "mixamorig:Hips",
            "spine": "mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2",
            "neck": "mixamorig:Neck",
            "head": "mixamorig:Head",
        },
        "mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand",
        "mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase",
    ),
    "bandai": (
        """joint_Root > Hips > Spine > Chest > Neck > Head
        Chest > Shoulder_{L|R} > UpperArm_{L|R} > LowerArm_{L|R} > Hand_{L|R}
        Hips > UpperLeg_{L|R} > LowerLeg_{L|R} > Foot_{L|R} > Toes_{L|R}""",
        {"pelvis": "Hips", "spine": "Spine Chest", "neck": "Neck", "head": "Head"},
        "Shoulder_L UpperArm_L LowerArm_L Hand_L",
        "UpperLeg_L LowerLeg_L Foot_L Toes_L",
    ),
    "mocapbank and xsens": (
        """Hips > Chest > Chest2 > Chest3 > Chest4 > Neck > Head
        Chest4 > {Left|Right}Collar > {Left|Right}Shoulder > {Left|Right}Elbow > {Left|Right}Wrist
        Hips > {Left|Right}Hip > {Left|Right}Knee > {Left|Right}Ankle > {Left|Right}Toe""",
        {"pelvis": "Hips", "spine": "Chest Chest2 Chest3 Chest4", "neck": "Neck", "head": "Head"},
        "LeftCollar LeftShoulder LeftElbow LeftWrist",
        "LeftHip LeftKnee LeftAnkle LeftToe",
    ),
    "two hips and two hands": (
        """Hips > lowerback > Chest > lowerneck > Neck > Head
        Hips > {L|R}HipJoint > {Left|Right}Hip > {Left|Right}Knee > {Left|Right}Ankle > {Left|Right}Toe
        Chest > {Left|Right}Collar > {Left|Right}Shoulder > {Left|Right}Elbow > {Left|Right}Wrist > {l|r}hand""",
        {"pelvis": "Hips", "spine": "lowerback Chest", "neck": "lowerneck Neck", "head": "Head"},
        "LeftCollar LeftShoulder LeftElbow LeftWrist",
        "LeftHip LeftKnee LeftAnkle LeftToe",
    ),
    "kinect": (
        """Hip > Spine > ShoulderCenter > Head
        ShoulderCenter > Shoulder{Left|Right} > Elbow{Left|Right} > Wrist{Left|Right} > Hand{Left|Right}
        Hip > Hip{Left|Right} > Knee{Left|Right} > Ankle{Left|Right} > Foot{Left|Right}""",
        {"pelvis": "Hip", "spine": "Spine ShoulderCenter", "neck": "", "head": "Head"},
        "- ShoulderLeft ElbowLeft WristLeft",
        "HipLeft KneeLeft AnkleLeft FootLeft",
    ),
    "fifteen joints": (
        """simHips > simSpine > simHead
        simSpine > sim{Left|Right}Arm > sim{Left|Right}ForeArm > sim{Left|Right}Hand
        simHips > sim{Left|Right}UpLeg > sim{Left|Right}Leg > sim{Left|Right}Foot""",
        {"pelvis": "simHips", "spine": "simSpine", "neck": "", "head": "simHead"},
        "- simLeftArm simLeftForeArm simLeftHand",
        "simLeftUpLeg simLeftLeg simLeftFoot -",
    ),
    "second life": (
        """mPelvis > mTorso > mChest > mNeck > mHead > mSkull
        mChest > mCollar{Left|Right} > mShoulder{Left|Right} > mElbow{Left|Right} > mWrist{Left|Right}
        mPelvis > mHip{Left|Right} > mKnee{Left|Right} > mAnkle{Left|Right} > mFoot{Left|Right} > mToe{Left|Right}""",
        {"pelvis": "mPelvis", "spine": "mTorso mChest", "neck": "mNeck", "head": "mHead"},
        "mCollarLeft mShoulderLeft mElbowLeft mWristLeft",
        "mHipLeft mKneeLeft mAnkleLeft mToeLeft",
    ),
    "avatar with dummies": (
        """hip > abdomen > chest > neckDummy > neck > head > figureHair
        chest > {l|r}Collar > {l|r}Shldr > {l|r}ForeArm > {l|r}Hand
        hip > {l|r}Thigh > {l|r}Shin > {l|r}Foot""",
        {"pelvis": "hip", "spine": "abdomen chest", "neck": "neck", "head": "head"},
        "lCollar lShldr lForeArm lHand",
        "lThigh lShin lFoot -",
    ),
    "mocapnet": (
        """hip > abdomen > chest > neck > neck1 > head > __jaw > jaw > tongue07.l
        chest > {l|r}collar > {l|r}shoulder > {l|r}elbow > {l|r}hand > __{l|r}thumb > finger1-2.{l|r}
        hip > {l|r}buttock > {l|r}hip > {l|r}knee > {l|r}foot > toe1-1.{l|r} > toe1-2.{l|r}
        {l|r}foot > toe2-1.{l|r}""",
        {"pelvis": "hip", "spine": "abdomen chest", "neck": "neck neck1", "head": "head"},
        "lcollar lshoulder lelbow lhand",
        "lhip lknee lfoot -",
    ),
    "3ds max biped": (
        """Bip01 > Bip01 Pelvis > Bip01 Spine > Bip01 Spine1 > Bip01 Neck > Bip01 Head
        Bip01 Neck > Bip01 {L|R} Clavicle > Bip01 {L|R} UpperArm > Bip01 {L|R} Forearm > Bip01 {L|R} Hand
        Bip01 {L|R} UpperArm > Bip01 {L|R}UpArmTwist
        Bip01 Spine > Bip01 {L|R} Thigh > Bip01 {L|R} Calf > Bip01 {L|R} Foot > Bip01 {L|R} Toe0""",
        {"pelvis": "Bip01 Pelvis", "spine": "Bip01 Spine Bip01 Spine1", "neck": "Bip01 Neck", "head": "Bip01 Head"},
        "Bip01 L Clavicle,Bip01 L UpperArm,Bip01 L Forearm,Bip01 L Hand",
        "Bip01 L Thigh,Bip01 L Calf,Bip01 L Foot,Bip01 L Toe0",
    ),
    "unreal": (
        """root > pelvis > spine_01 > spine_02 > neck_01 > head
        spine_02 > clavicle_{l|r} > upperarm_{l|r} > upperarm_twist_01_{l|r}
        upperarm_{l|r} > lowerarm_{l|r} > hand_{l|r} > index_01_{l|r}
        pelvis > thigh_{l|r} > calf_{l|r} > foot_{l|r} > ball_{l|r}
        root > ik_foot_root > ik_foot_{l|r}""",
        {"pelvis": "pelvis", "spine": "spine_01 spine_02", "neck": "neck_01", "head": "head"},
        "clavicle_l upperarm_l lowerarm_l hand_l",
        "thigh_l calf_l foot_l ball_l",
    ),
    "rigify": (
        """DEF-spine > DEF-spine.001 > DEF-spine.003 > DEF-spine.004 > DEF-spine.006
        DEF-spine > DEF-pelvis.{L|R}
        DEF-spine.003 > DEF-shoulder.{L|R} > DEF-upper_arm.{L|R} > DEF-upper_arm.{L|R}.001 > DEF-forearm.{L|R}
        DEF-forearm.{L|R} > DEF-hand.{L|R}
        DEF-spine > DEF-thigh.{L|R} > DEF-thigh.{L|R}.001 > DEF-shin.{L|R} > DEF-foot.{L|R} > DEF-toe.{L|R}""",
        {"pelvis": "DEF-spine", "spine": "DEF-spine.001 DEF-spine.003 DEF-spine.004", "head": "DEF-spine.006"},
        "DEF-shoulder.L DEF-upper_arm.L DEF-forearm.L DEF-hand.L",
        "DEF-thigh.L DEF-shin.L DEF-foot.L DEF-toe.L",
    ),
    "vrm": (
        """J_Bip_C_Hips > J_Bip_C_Spine > J_Bip_C_UpperChest > J_Bip_C_Neck > J_Bip_C_Head > J_Adj_L_FaceEye
        J_Bip_C_UpperChest > J_Bip_{L|R}_Shoulder > J_Bip_{L|R}_UpperArm > J_Bip_{L|R}_LowerArm > J_Bip_{L|R}_Hand
        J_Bip_C_UpperChest > J_Sec_{L|R}_Bust1
        J_Bip_C_Hips > J_Bip_{L|R}_UpperLeg > J_Bip_{L|R}_LowerLeg > J_Bip_{L|R}_Foot > J_Bip_{L|R}_ToeBase""",
        {"pelvis": "J_Bip_C_Hips", "spine": "J_Bip_C_Spine J_Bip_C_UpperChest", "head": "J_Bip_C_Head"},
        "J_Bip_L_Shoulder J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand",
        "J_Bip_L_UpperLeg J_Bip_L_LowerLeg J_Bip_L_Foot J_Bip_L_ToeBase",
    ),
    "xsens mvn": (
        """Pelvis > L5 > L3 > T12 > T8 > Neck > Head
        T8 > {Left|Right}Shoulder > {Left|Right}UpperArm > {Left|Right}ForeArm > {Left|Right}Hand
        Pelvis > {Left|Right}UpperLeg > {Left|Right}LowerLeg > {Left|Right}Foot > {Left|Right}Toe""",
        {"pelvis": "Pelvis", "spine": "L5 L3 T12 T8", "neck": "Neck", "head": "Head"},
        "LeftShoulder LeftUpperArm LeftForeArm LeftHand",
        "LeftUpperLeg LeftLowerLeg LeftFoot LeftToe",
    ),
}


def listed(text: str) -> list[str]:
    return text.split(",") if "," in text else text.split()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_is_read(dialect: str) -> None:
    text, trunk, arm, leg = DIALECTS[dialect]
    skeleton = tree(both_sides(text))
    roles = guess_roles(skeleton)
    for role, names in trunk.items():
        found = [skeleton.names[joint] for joint in roles.joints(role)]
        assert " ".join(found) == names, role
    expected: dict[str, str] = {}
    for parts, names in ((ARM, arm), (LEG, leg)):
        expected.update({f"left_{part}": name for part, name in zip(parts, listed(names), strict=True) if name != "-"})
    for role in [f"left_{part}" for part in ARM + LEG]:
        joint, other = roles.joint(role), roles.joint(mirror_role(role))
        assert (None if joint is None else skeleton.names[joint]) == expected.get(role), role
        assert (other is None) == (joint is None), mirror_role(role)
        if joint is not None and other is not None:
            # The trees are written left before right, so the mirrored joint has the same place one line on.
            assert other != joint
            assert roles.by_joint[other] == mirror_role(role)
    trunk_joints = sum(roles.by_joint.count(role) for role in ("pelvis", "spine", "neck", "head"))
    assert sum(role is not None for role in roles.by_joint) == trunk_joints + 2 * len(expected)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("base > child1 > child2 > child3", {}),
        ("Hips > Head", {"pelvis": "Hips", "head": "Head"}),
        ("lHand > metacarpal1.l > finger2-1.l\nlHand > lthumb", {"left_hand": "lHand"}),
        ("root > X_Axis > X_Ornament_A\nroot > Y_Axis > Y_Ornament_A", {}),
        ("Hips > Spine > Neck", {"pelvis": "Hips", "spine": "Spine", "neck": "Neck"}),
        ("LeftArm", {"left_upper_arm": "LeftArm"}),
    ],
)
def test_what_is_not_a_person_gets_few_roles(text: str, found: dict[str, str]) -> None:
    skeleton = tree(text)
    roles = guess_roles(skeleton)
    given = {role: skeleton.names[joint] for joint, role in enumerate(roles.by_joint) if role}
    assert given == found


def nameless(facing: np.ndarray, toes: float) -> Skeleton:
    """A figure of joints a, b, c … facing along `facing`, with feet that point forward by `toes` metres."""
    left = np.cross([0.0, 0.0, 1.0], facing)
    up = np.array([0.0, 0.0, 1.0])
    parents, offsets = [-1, 0, 1, 2, 3], [1.0 * up, 0.2 * up, 0.2 * up, 0.2 * up, 0.1 * up]
    for sign in (-1.0, 1.0):
        at = len(parents)
        parents += [0, at, at + 1, at + 2]
        offsets += [0.1 * sign * left, -0.45 * up, -0.45 * up, -0.05 * up + toes * facing]
        at = len(parents)
        parents += [2, at, at + 1, at + 2]
        offsets += [0.05 * sign * left, 0.15 * sign * left, 0.3 * sign * left, 0.25 * sign * left]
    names = tuple("abcdefghijklmnopqrstuvwxyz"[: len(parents)])
    return Skeleton(names, np.array(parents), np.array(offsets), np.array([4]), np.array([[0.0, 0.0, 0.2]]))


@pytest.mark.parametrize("angle", [0.0, 0.5, np.pi / 2, np.pi])
def test_a_nameless_figure_is_read_by_its_shape(angle: float) -> None:
    facing = np.array([np.cos(angle), np.sin(angle), 0.0])
    roles = guess_roles(nameless(facing, 0.15))
    by_name = dict(zip(roles.skeleton.names, roles.by_joint, strict=True))
    assert "".join(name for name, role in by_name.items() if role in ("pelvis", "spine", "neck", "head")) == "abcde"
    assert [by_name[name] for name in "fghi"] == ["right_thigh", "right_shank", "right_foot", "right_toes"]
    assert [by_name[name] for name in "jklm"] == ["right_clavicle", "right_upper_arm", "right_forearm", "right_hand"]
    assert [by_name[name] for name in "nopq"] == ["left_thigh", "left_shank", "left_foot", "left_toes"]
    assert {reason for role, reason in zip(roles.by_joint, roles.reasons, strict=True) if role} == {"topology"}


def test_without_toes_only_a_figure_facing_x_has_sides() -> None:
    assert guess_roles(nameless(np.array([1.0, 0.0, 0.0]), 0.0)).joint("left_thigh") is not None
    assert set(guess_roles(nameless(np.array([0.0, 1.0, 0.0]), 0.0)).by_joint) == {None}


def test_a_role_map_wins() -> None:
    skeleton = tree(both_sides(DIALECTS["cmu"][0]))
    roles = guess_roles(skeleton, {"LeftFingerBase": "left_hand", "LowerBack": None, "Neck1": "spine"})
    assert roles.joint("left_hand") == skeleton.index("LeftFingerBase")
    assert roles.by_joint[skeleton.index("LeftHand")] is None
    assert roles.by_joint[skeleton.index("LowerBack")] is None
    assert roles.by_joint[skeleton.index("Neck1")] == "spine"
    assert roles.reasons[skeleton.index("Neck1")] == "map file"
    for bad in ({"Lefty": "head"}, {"Head": "brain"}, {"Head": "pelvis", "Neck": "pelvis"}):
        with pytest.raises(InputError):
            guess_roles(skeleton, bad)


def test_missing_roles_are_named() -> None:
    roles = guess_roles(tree("Hips > Spine > Head"))
    roles.require("pelvis", "head")
    with pytest.raises(InputError, match="left_foot, right_foot"):
        roles.require("pelvis", "left_foot", "right_foot")
    with pytest.raises(InputError, match="unknown role 'wing'"):
        roles.joint("wing")
    with pytest.raises(InputError, match="unknown role"):
        mirror_role("wing")
    assert all(mirror_role(mirror_role(role)) == role for role in ROLES)


def test_a_role_map_is_read(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("Bone.001: left_thigh\nmixamorig:Hips: pelvis\nTwist: null\n7: head\n", encoding="utf-8")
    assert read_role_map(path) == {"Bone.001": "left_thigh", "mixamorig:Hips": "pelvis", "Twist": None, "7": "head"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: head\nb: brain\n", r"map.yaml, line 2, b: unknown role 'brain'; allowed: null, pelvis"),
        ("a: head\na: neck\n", "line 2, a: the joint is listed twice"),
        ("- head\n", "expected a mapping"),
        ("", "the file is empty"),
        ("# nothing\n", "the file holds nothing"),
        ("a: [head]\n", "line 1: expected `joint: role`"),
        ("a: head\n  b: [\n", "line 2: is not YAML"),
        ("a: \x00\n", "not a text file"),
        ("[" * 5000, "."),
    ],
)
def test_a_bad_role_map_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_role_map(path)
    assert "\n" not in str(caught.value)


def test_the_avatar_of_a_unity_model_is_a_role_map(tmp_path: Path) -> None:
    file = tmp_path / "someone.fbx.meta"
    file.write_text(
        "fileFormatVersion: 2\nguid: 0123\nModelImporter:\n  userData: \n  humanDescription:\n    serializedVersion: 3\n"
        "    human:\n"
        "    - boneName: rig:bone 07\n      humanName: LeftUpperArm\n      limit:\n        min: {x: 0, y: 0, z: 0}\n"
        "    - boneName: b1\n      humanName: Hips\n"
        "    - boneName: b2\n      humanName: UpperChest\n"
        "    - boneName: b3\n      humanName: Left Thumb Proximal\n"
    )
    assert read_role_map(file) == {"rig:bone 07": "left_upper_arm", "b1": "pelvis", "b2": "spine"}
    file.write_text("fileFormatVersion: 2\nModelImporter:\n  humanDescription: {human: []}\n")
    with pytest.raises(InputError, match=r"someone\.fbx\.meta: expected a humanoid avatar"):
        read_role_map(file)


def test_a_role_map_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_role_map(tmp_path / "none.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(InputError, match="not a text file"):
        read_role_map(tmp_path / "binary.yaml")


NOT_HUMAN = {
    "fairmotion/sinusoidal.bvh",
    "mocapnet/axis.bvh",
    "mocapnet/lhand.bvh",
    "pybvh/full_precision_frame_time.bvh",
    "pybvh/rotation_first_root.bvh",
}
NEEDED = ["pelvis", "head", *(f"{side}_{part}" for side in ("left", "right") for part in ARM[1:3] + LEG[:3])]


def bvh_skeleton(path: Path) -> Skeleton:
    """Joints of a BVH hierarchy in its own axes; of several hierarchies the first."""
    head = path.read_text(encoding="utf-8", errors="replace").split("MOTION")[0]
    names: list[str] = []
    parents: list[int] = []
    offsets: list[list[float]] = []
    open_joints: list[int | None] = []
    pending: int | None = None
    for line in re.split(r"[\r\n]+|(?<=\{)|(?=\})", head):
        words = line.split()
        if words[:1] in (["ROOT"], ["JOINT"]):
            if words[0] == "ROOT" and names:
                break
            parents.append(next((joint for joint in open_joints[::-1] if joint is not None), -1))
            names.append(" ".join(words[1:]).strip("{ "))
            pending = len(names) - 1
        elif words[:1] == ["End"]:
            pending = None
        elif words[:1] == ["OFFSET"] and open_joints and open_joints[-1] == len(offsets):
            offsets.append([float(word) for word in words[1:4]])
        if line.strip().endswith("{"):
            open_joints.append(pending)
        if line.strip().startswith("}"):
            open_joints.pop()
    return Skeleton(tuple(names), np.array(parents), np.array(offsets))


@pytest.mark.shared
def test_every_human_file_has_its_roles(shared_data: Path) -> None:
    files = sorted(shared_data.rglob("*.bvh"))
    assert len(files) > 70
    for path in files:
        name = path.relative_to(shared_data).as_posix()
        skeleton = bvh_skeleton(path)
        roles = guess_roles(skeleton)
        missing = [role for role in NEEDED if roles.joint(role) is None]
        if name in NOT_HUMAN:
            assert len(missing) >= 9, name
            continue
        assert not missing, (name, missing)
        assert roles.joints("spine"), name
        for joint, role in enumerate(roles.by_joint):
            if role and role.split("_")[0] in ("left", "right"):
                plain = re.sub(r"mixamorig:|^sim", "", skeleton.names[joint])
                side = "l" if role.startswith("left") else "r"
                assert re.match(rf"{side}", plain, re.I) or re.search(rf"(_{side}|\.{side}|left|right)$", plain, re.I)
        for side in ("left", "right"):
            for parts in (["pelvis", *LEG], ["pelvis", "spine", *ARM]):
                chain = [roles.joint(part if part in ("pelvis", "spine") else f"{side}_{part}") for part in parts]
                present = [joint for joint in chain if joint is not None]
                for above, below in pairwise(present):
                    assert above in skeleton.path(below)[:-1], (name, side)
