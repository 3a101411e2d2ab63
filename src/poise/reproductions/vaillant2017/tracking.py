"""Clips that are followed by the program: what the paper leaves for later, "motion capture as a time-varying reference"."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.body.coordinates import body_frames
from poise.body.trajectory import Trajectory
from poise.errors import InputError, RunError
from poise.groups import Follower, Group, TrackingOptions, follow
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.motion.clips import SHIPPED, Source, data_folder
from poise.reproductions.once import once
from poise.reproductions.row import Row

__all__ = ["CHECKS", "HELD_OUT", "Followed", "followed"]

HELD_OUT = (
    Source("dcl-emotes/idle.glb", "idle"),
    Source("dcl-emotes/wave.glb", "wave"),
    Source("three-vrm/test.vrma", "gesture"),
    Source("bandai-namco/dataset-1_guide_normal_001.bvh", "gesture"),
    Source("bandai-namco/dataset-1_call_normal_001.bvh", "gesture"),
    Source("bandai-namco/dataset-1_respond_normal_001.bvh", "gesture"),
    Source("bandai-namco/dataset-2_raise-up-right-hand_normal_001.bvh", "gesture"),
    Source("bandai-namco/dataset-2_wave-left-hand_active_001.bvh", "wave"),
    Source("hello-avatar/Shove_Reaction.bvh", "stagger"),
    Source("hello-avatar/s_001_1_1.bvh", "grapple"),
    Source("hello-avatar/s_001_1_2.bvh", "grapple"),
    Source("mocapnet/waveleft.bvh", "wave"),
    Source("mocapnet/rightkick.bvh", "kick"),
    Source("bvh-toolbox/test_mocapbank.bvh", "crouch"),
    Source("bvh-toolbox/test_freebvh.bvh", "idle"),
    Source("pybvh/bvh_test1.bvh", "gesture"),
    Source("pybvh/bvh_test2.bvh", "idle"),
    Source("kinect-motion-capture/kinect_1860.bvh", "noisy capture"),
    Source("deep-motion-editing/depressed_18_000.bvh", "idle"),
    Source("robot-expressive/RobotExpressive.glb", "a robot's dance"),
    Source("bandai-namco/dataset-2_walk-turn-right_normal_001.bvh", "walk"),
    Source("bandai-namco/dataset-1_walk-back_normal_001.bvh", "walk"),
    Source("bandai-namco/dataset-2_walk_active_001.bvh", "walk"),
    Source("mocapnet/CMU_Sample_05_01.bvh", "walk"),
    Source("pybvh/cmu_12_01_walk.bvh", "walk"),
    Source("deep-motion-editing/old_13_000.bvh", "walk"),
    Source("unity-antagonistic/ybot@Walking.fbx", "walk"),
    Source("dcl-emotes/walk.glb", "walk"),
    Source("mjolnir-zig/CesiumMan.glb", "walk"),
    Source("3dmodelfiletest/WalkForward.bvh", "walk"),
    Source("deep-motion-editing/angry_13_000.bvh", "walk"),
    Source("pose-animation/pirouette.bvh", "pirouette"),
)
"""Clips that nothing of this was tuned on, what was, were some twenty others; but for the weight of trunks and how hard joints
brake, for which a robot's dance and four brisk walks of these were looked at."""
_FALLEN = 0.35
"""How far below where the clip has it a head is when somebody has fallen [m]."""
_LOST = 0.3
"""How far off its course somebody is who falls [m]: what `follow` calls having lost the clip."""
_STEP = 0.005
_SAMPLE = 16
"""Clips of a quick sample, drawn with seed 0: as many as a claim stands on at least."""


class Followed(NamedTuple):
    """What came of a clip.

    Args:
        refused: Why, or "".
        up: Whether it was followed to its end, with the head up.
        hands: Distance of the farther hand from the clip's, root mean square over time [m].
        pelvis: The same of the pelvis.
        stray: How far the center of mass is from its course along the ground, likewise [m].
    """

    refused: str
    up: bool
    hands: float
    pelvis: float
    stray: float


@once
def followed(source: Source, options: TrackingOptions) -> Followed:
    """Follow the first six seconds of a clip."""
    who = Follower(clip=source.read()[0], tracking=options)
    try:
        course = who.course
    except InputError as error:
        return Followed(str(error), False, np.nan, np.nan, np.nan)
    plan, clip = who.character().plan, Trajectory(who.character().plan, who.character().clip)
    group = Group({"who": who}, step=_STEP)
    group.perform([follow(group)])
    head, hands = plan.with_role("head")[0], list(plan.with_role("left_hand", "right_hand"))
    floor, misses = np.array([0.0, 0.0, who.character().floor]), []
    for _ in range(int(course.trajectory.duration / _STEP)):
        try:
            group.advance()
        except RunError:
            return Followed("", False, np.nan, np.nan, np.nan)
        own = body_frames(plan, clip.moment(group.controller.time).positions).positions[0] - floor
        away = body_frames(plan, group.system.row("who")).positions[0] - own
        if away[head, 2] < -_FALLEN:
            return Followed("", False, np.nan, np.nan, np.nan)
        far = np.linalg.norm(away, axis=1)
        stray = np.linalg.norm(group.controller.tasks["who balance"].feature(group.system).error)
        misses.append((far[hands].max(), far[0], stray))
    mean = np.sqrt(np.mean(np.square(misses), axis=0))
    return Followed("", True, float(mean[0]), float(mean[1]), float(mean[2]))


def _all(trial: Trial, options: TrackingOptions) -> list[Followed]:
    """What came of all clips, or of those drawn for a quick sample; of the shipped walk where there are no others."""
    clips = _drawn() if trial.quick else HELD_OUT
    return [followed(one, options) for one in (clips if data_folder() is not None else SHIPPED[:1])]


def _drawn() -> tuple[Source, ...]:
    """The clips of a quick sample: drawn, not chosen, since how each of them is followed had been seen."""
    places = np.random.default_rng(0).choice(len(HELD_OUT), _SAMPLE, replace=False)
    return tuple(HELD_OUT[place] for place in sorted(places))


@claim("the clip's velocities and accelerations", off="TrackingOptions(feedforward=False)", cases=len(HELD_OUT))
def upright(trial: Trial) -> Row:
    """Share of clips followed to the end of those that are not refused."""
    share = _share_up(trial, TrackingOptions(feedforward=trial.on))
    return Row(
        "vaillant2017/clip-tracking",
        "Clips of fourteen producers, of which five to seven were looked at in tuning, in place and walking, followed in the "
        "program by what their feet can bear: share that stays up to the end, of those in which a foot stands "
        "(the paper's future work)",
        None,
        share,
        "%",
        share >= 90.0,
    )


@claim("a body moved until its feet bear it", off="TrackingOptions(borne=False)", cases=len(HELD_OUT))
def borne(trial: Trial) -> Row:
    """How far bodies stray from where their weight is meant to be, with the clip's own pelvis where it is off."""
    found = _all(trial, TrackingOptions(borne=trial.on))
    stray = 100.0 * float(np.mean([one.stray if one.up else _LOST for one in found if not one.refused]))
    return Row(
        "vaillant2017/clip-weight",
        "The same clips, their bodies moved along the ground until the zero-moment point is over what bears weight: how far "
        "the center of mass strays from its course along the ground, root mean square over time, mean of clips; who falls "
        "is 30 cm off",
        None,
        stray,
        "cm",
        stray < 1.0,
    )


def _share_up(trial: Trial, options: TrackingOptions) -> float:
    """How many of a hundred stay up, of those not refused."""
    return 100.0 * float(np.mean([one.up for one in _all(trial, options) if not one.refused]))


@claim("the clip's velocities and accelerations", off="TrackingOptions(feedforward=False)", cases=len(HELD_OUT))
def hands(trial: Trial) -> Row:
    """Distance of the farther hand from the clip's."""
    found = _all(trial, TrackingOptions(feedforward=trial.on))
    misses = [one.hands if one.up else 1.0 for one in found if not one.refused]
    miss = 100.0 * float(np.median(misses))
    return Row(
        "vaillant2017/clip-hands",
        "The same clips: distance of the farther hand from where the clip has it, root mean square over time, median of clips; "
        "a meter stands for a fall",
        None,
        miss,
        "cm",
        miss < 6.0,
    )


# The shipped walk is borne as it is, so that says nothing.
CHECKS: tuple[Check, ...] = (upright, hands) if data_folder() is None else (upright, borne, hands)
