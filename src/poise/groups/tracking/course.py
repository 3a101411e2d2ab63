"""A clip as a body could do it that stands on its own feet: soles flat where they stand, weight where they bear it.

Captured feet slide, hover and tilt, and captured bodies weigh other than ours: what a clip says as it stands, no force of its
feet could do. So its feet are set onto the ground (`poise.locomotion`), the zero-moment point of the whole motion is told by
inverse dynamics, and where it is not over what bears weight the body is moved along the ground until it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, clip_from_generalized, generalized_from_clip
from poise.body.trajectory import Trajectory
from poise.characters.character import Character
from poise.characters.ground import legs_on_ground
from poise.errors import InputError
from poise.groups.tracking.footing import Footing, footings, handed_over, supports
from poise.groups.tracking.options import TrackingOptions
from poise.groups.tracking.weight import calmed, course_to, nearest_within, zero_moment
from poise.locomotion.soles import FEET, find_sole
from poise.locomotion.sync import sync_phases
from poise.locomotion.walk import GroundGoals, plan_walk
from poise.math import quat
from poise.math.spline import PositionSpline
from poise.motion.clip import Clip
from poise.world.query import TerrainGround
from poise.world.system import System

__all__ = ["OWNER", "Course", "plan_course"]

Array = NDArray[np.float64]

OWNER = "who"
"""What a course's twin calls its character."""
_ROUNDS = 8
"""How often the body is moved and its legs are solved anew: they weigh something too."""


@dataclass(frozen=True, eq=False)
class Course:
    """What is wanted of a body over time, on level ground at z = 0.

    Args:
        clip: The clip as it is wanted, frame by frame.
        trajectory: All its joints.
        center: Of its mass [m].
        feet: What bears weight.
        rate: Of those, frames per second [Hz].
        moved: How far the body is moved along the ground, for its feet to bear it [m], shape (T, 2).
        twin: A system of this body alone, called `OWNER`: put into a moment it says where that has hands and feet.
    """

    clip: Clip
    trajectory: Trajectory
    center: PositionSpline
    feet: tuple[Footing, ...]
    rate: float
    moved: Array
    twin: System

    def frame(self, time: float) -> int:
        """The nearest frame of a time [s]."""
        return min(max(round(time * self.rate), 0), len(self.moved) - 1)


def plan_course(character: Character, options: TrackingOptions) -> Course:
    """Plan the whole clip of a character.

    Raises:
        InputError: It has no feet, leaves the ground, or is not over its feet; the message names the frame.
    """
    plan, clip, source = character.plan, character.clip, character.clip.source.path or character.clip.name
    frames = body_frames(plan, generalized_from_clip(plan, clip))
    told = sync_phases(plan, frames, clip.rate, character.floor)
    phases = handed_over(told, options.overlap, options.flight, source)
    goals = plan_walk(plan, frames, phases, TerrainGround((), 0.0), floor=character.floor)
    feet = footings(goals, [find_sole(plan, role) for role in FEET], len(clip))
    corners = supports(feet, options.inner)
    twin, moved = System({OWNER: plan}, balls=[OWNER]), np.zeros((len(clip), 2))
    for count in range(_ROUNDS + 1):
        wanted = _legs_solved(character, goals, moved, options.calm)
        trajectory = Trajectory(plan, wanted)
        points, centers, rates = zero_moment(twin, OWNER, trajectory, clip.times)
        if count == _ROUNDS or not options.borne:
            break
        points = calmed(points, options.steady * clip.rate)
        under = np.array([nearest_within(edge, point) for edge, point in zip(corners, points, strict=True)])
        moved += course_to(under - points, rates, clip.rate)
        _check_borne(moved, options.most, source)
    center = PositionSpline(clip.times, calmed(centers, options.steady * clip.rate))
    return Course(wanted, trajectory, center, feet, clip.rate, moved, twin)


def _legs_solved(character: Character, goals: GroundGoals, moved: Array, calm: float) -> Clip:
    """The clip with its body moved along the ground and its feet where they stand, smooth."""
    clip, plan = character.clip, character.plan
    pelvis = goals.pelvis + np.pad(moved, ((0, 0), (0, 1)))
    rows = legs_on_ground(character, replace(goals, pelvis=pelvis))
    turns = quat.continuous(rows[:, 3:].reshape(len(clip), -1, 4)).reshape(len(clip), -1)
    rows = calmed(np.concatenate([rows[:, :3], turns], axis=1), calm * clip.rate)
    turns = quat.normalize(rows[:, 3:].reshape(len(clip), -1, 4))
    rows[:, 3:] = turns.reshape(len(clip), -1)
    return clip_from_generalized(plan, rows, clip)


def _check_borne(moved: Array, most: float, source: object) -> None:
    far = np.linalg.norm(moved, axis=1)
    if far.max() > most:
        frame = int(np.argmax(far))
        raise InputError(
            f"at frame {frame} the body would have to be {100.0 * far[frame]:.0f} cm elsewhere for its feet to bear it "
            f"({100.0 * most:.0f} cm at most): it leans on something there, leaps, or is told feet that do not stand",
            source=source,
            place=f"frame {frame}",
        )
