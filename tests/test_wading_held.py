"""What a hand holds is lifted out of a fluid with it."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.coordinates import body_frames
from poise.characters.character import Character
from poise.io import read_clip
from poise.math import quat
from poise.motion.skin import SkinnedMesh
from poise.wading import Gait, HandsOptions
from poise.wading.lifted_hands import LiftedHands
from poise.wading.posture import Posture
from poise.wading.skin import BodySkin
from poise.world.query import TerrainGround

UNDER = 0.6
"""How far what is held hangs below the left wrist [m]."""


def wrists(holds, below=0.75):
    """Heights of both wrists over a surface that is so far below the shoulders [m]."""
    who = Character.from_clip(read_clip(clip_path("walk")))
    gait = Gait.of(who, TerrainGround((), who.floor))
    posture = Posture(gait)
    row = posture.clip(1.0).row[None].copy()
    plan, clip, mesh = posture.plan, gait.character.clip, gait.character.skin
    hands = [plan.with_role(f"{side}_hand")[0] for side in ("left", "right")]
    frames = body_frames(plan, row)
    if holds:
        skin = BodySkin(plan, clip, mesh)
        joint = int(plan.joints[hands[0]])
        bind = np.linalg.inv(skin.mesh.inverse_bind[joint])
        turn = frames.rotations[0, hands[0]]
        down = quat.rotate(quat.conj(turn), np.array([[0.0, 0.0, -UNDER], [0.05, 0.0, -UNDER], [0.0, 0.05, -UNDER]]))
        own = down @ bind[:3, :3].T + bind[:3, 3]
        count = len(mesh.vertices)
        joints, weights = (
            np.zeros((3, mesh.joints.shape[1]), dtype=mesh.joints.dtype),
            np.zeros((3, mesh.joints.shape[1])),
        )
        joints[:, 0], weights[:, 0] = joint, 1.0
        mesh = SkinnedMesh(
            np.concatenate([mesh.vertices, own]),
            np.concatenate([mesh.triangles, [[count, count + 1, count + 2]]]),
            np.concatenate([mesh.joints, joints]),
            np.concatenate([mesh.weights, weights]),
            mesh.inverse_bind,
        )
    skin = BodySkin(plan, clip, mesh)
    shoulder = frames.positions[0, plan.with_role("left_upper_arm")[0]]
    level = float(shoulder[2]) - below
    LiftedHands(plan, HandsOptions(), skin).lift(row, level, np.array([1.0, 0.0]), None, 1.0 / 60.0)
    after = body_frames(plan, row).positions[0, hands, 2]
    return after - level


def test_a_hand_is_lifted_by_what_hangs_from_it_and_the_other_is_not():
    plain, holding = wrists(False), wrists(True)
    assert holding[1] == pytest.approx(plain[1], abs=1e-9)
    assert holding[0] > plain[0] + 0.15
    assert holding[0] > UNDER - 0.1


def test_hands_that_hold_nothing_are_lifted_as_without_a_skin():
    who = Character.from_clip(read_clip(clip_path("walk")))
    gait = Gait.of(who, TerrainGround((), who.floor))
    hands = LiftedHands(
        gait.character.plan, HandsOptions(), BodySkin(gait.character.plan, gait.character.clip, who.skin)
    )
    assert [len(held) for held in hands._held] == [0, 0]
