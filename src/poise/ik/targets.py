"""A full-body clip from a handful of tracks: hips, hands, feet and head, as VR trackers give them (Hu 2024, IV.F)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, generalized_from_clip, pose_from_generalized
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.ik.goals import ENDS, Goal, Goals
from poise.ik.poles import ElasticPole
from poise.ik.solver import BodySolver, SolverOptions
from poise.math import quat
from poise.motion.clip import Clip

__all__ = ["Targets", "Track", "clip_from_targets", "relaxed_positions", "targets_from_clip"]

Array = NDArray[np.float64]

_BENT = {"forearm": -20.0, "shank": 10.0}
"""Flexion of elbows and knees in the relaxed pose [degrees]."""


@dataclass(frozen=True, eq=False)
class Track:
    """Where one body is over time; rows that are not finite are gaps, over which the last good row holds.

    Args:
        positions: World positions of the joint [m], shape (T, 3).
        rotations: World orientations of the body, wxyz, shape (T, 4), or None where only the position is known.
    """

    positions: Array
    rotations: Array | None = None

    def __post_init__(self) -> None:
        positions = np.array(self.positions, dtype=np.float64)
        object.__setattr__(self, "positions", positions)
        if positions.ndim != 2 or positions.shape[1] != 3 or len(positions) == 0:
            raise InputError(f"a track's positions must have shape (frames >= 1, 3); got {positions.shape}")
        if self.rotations is not None:
            rotations = np.array(self.rotations, dtype=np.float64)
            object.__setattr__(self, "rotations", rotations)
            if rotations.shape != (len(positions), 4):
                raise InputError(f"a track's rotations must have shape ({len(positions)}, 4); got {rotations.shape}")

    def goal(self, frame: int) -> Goal:
        """The goal at one frame."""
        return Goal(self.positions[frame], None if self.rotations is None else self.rotations[frame])


@dataclass(frozen=True, eq=False)
class Targets:
    """Tracks of the pelvis and of ends over the same frames.

    Args:
        rate: Frames per second.
        pelvis: The hips.
        ends: Tracks by role: left_hand, right_hand, left_foot, right_foot, head; any of them.
    """

    rate: float
    pelvis: Track
    ends: Mapping[str, Track] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.rate) and self.rate > 0.0):
            raise InputError(f"the frame rate must be positive; got {self.rate}")
        for name, track in {"pelvis": self.pelvis, **self.ends}.items():
            if name != "pelvis" and name not in ENDS:
                raise unknown_name("track", name, ("pelvis", *ENDS))
            if len(track.positions) != len(self.pelvis.positions):
                raise InputError(
                    f"has {len(track.positions)} frames and the pelvis {len(self.pelvis.positions)}; all must be as long",
                    place=f"track {name}",
                )
            if not np.isfinite(track.positions).all(axis=1).any():
                raise InputError("no frame has finite numbers", place=f"track {name}")

    def __len__(self) -> int:
        return len(self.pelvis.positions)


def targets_from_clip(plan: BodyPlan, clip: Clip, ends: Sequence[str] = ENDS) -> Targets:
    """What trackers on the pelvis and on `ends` would have seen of a clip on the plan's skeleton."""
    frames = body_frames(plan, generalized_from_clip(plan, clip))
    tracks = {}
    for name in ends:
        if name not in ENDS:
            raise unknown_name("track", name, ENDS)
        body = next(iter(plan.with_role(name)), None)
        if body is None:
            raise InputError(f"this character has no body for {name}")
        tracks[name] = Track(frames.positions[:, body], frames.rotations[:, body])
    return Targets(clip.rate, Track(frames.positions[:, 0], frames.rotations[:, 0]), tracks)


def relaxed_positions(plan: BodyPlan) -> Array:
    """Generalized positions of a person who stands at ease at the origin: neutral, elbows and knees a little bent, (nq,)."""
    row = np.zeros(plan.position_count)
    row[3::4] = 1.0
    row[3:7] = plan.neutral[0]
    for body, role in enumerate(plan.body_roles):
        angle = _BENT.get((role or "").removeprefix("left_").removeprefix("right_"))
        if angle is not None and body > 0:
            neutral = plan.neutral[body]
            bend = quat.exp([0.0, np.radians(angle), 0.0])
            row[turn_slice(body)] = quat.mul(quat.mul(quat.conj(neutral), bend), neutral)
    return row


def clip_from_targets(
    plan: BodyPlan, targets: Targets, options: SolverOptions | None = None, start: Array | None = None
) -> Clip:
    """A full-body clip in which the tracked bodies are where the tracks say.

    Every frame starts from the same pose, so that a frame depends on the past through the elastic poles, the rate of the
    limbs and gaps in the tracks alone. Joints that are no bodies stay in the bind pose.

    Args:
        plan: The character.
        targets: Where its pelvis and ends are.
        options: How it reaches; by default with elastic poles.
        start: Generalized positions (nq,) of the pose each frame starts from; shoulders, spine and twists that no target
            speaks of stay as they are in it. Default: `relaxed_positions`.
    """
    solver = BodySolver(plan, options or SolverOptions(poles=ElasticPole()))
    base = relaxed_positions(plan) if start is None else start
    rows = np.empty((len(targets), plan.position_count))
    for frame in range(len(targets)):
        ends = {name: track.goal(frame) for name, track in targets.ends.items()}
        goals = Goals(ends, targets.pelvis.goal(frame))
        rows[frame] = solver.solve(base, goals, 1.0 / targets.rate if frame else None)
    skeleton = plan.skeleton
    rotations = np.tile(quat.IDENTITY, (len(rows), len(skeleton), 1))
    translations = np.tile(skeleton.offsets, (len(rows), 1, 1))
    rotations, translations = pose_from_generalized(plan, rows, rotations, translations, pelvis_moves=False)
    return Clip(skeleton, targets.rate, rotations, translations[:, :1], name="targets")
