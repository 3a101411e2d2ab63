"""Playing a scene with the depth of every contact watched at every substep, and what is measured of a body in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.runtime import Recording, Session
from poise.scenes import Scene
from poise.world import Divergence

__all__ = ["Played", "play"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Played:
    """A finished run of a scene with one character.

    Args:
        session: What was run.
        recording: Its recording, up to where it diverged if it did.
        depth: Deepest overlap of any contact in each substep [m].
        diverged: Whether it ended early because numbers ran away.
    """

    session: Session
    recording: Recording
    depth: Array
    diverged: bool

    @property
    def plan(self) -> BodyPlan:
        """The character."""
        return self.session.layouts[0].plan

    def rows(self, skeleton: str = "positions") -> Array:
        """Generalized positions of the character (N+1, nq): "positions" (where it was), "kinematic" or "source"."""
        return np.asarray(getattr(self.recording, skeleton)[:, self.session.layouts[0].positions])

    def at(self, time: float) -> int:
        """The state at a time [s], or the last one."""
        return min(int(np.searchsorted(self.recording.times, time - 1e-9)), len(self.recording.times) - 1)

    def below(self, *roles: str) -> list[int]:
        """Bodies with these roles and all below them."""
        return sorted({b for root in self.plan.with_role(*roles) for b in self.plan.subtree(root)})

    def errors(self, bodies: Sequence[int], skeleton: str = "source") -> Array:
        """How far joints are turned from where another skeleton has them [degrees], shape (N+1, bodies)."""
        here, there = (
            self.rows(name)[:, 7:].reshape(len(self.recording.times), -1, 4) for name in ("positions", skeleton)
        )
        joints = np.array(bodies) - 1
        return np.asarray(np.degrees(quat.angle_between(here[:, joints], there[:, joints])))

    def excess(self, bodies: Sequence[int]) -> float:
        """How far joints were beyond the ends of their range at most [degrees]."""
        turns = self.rows()[:, 7:].reshape(len(self.recording.times), -1, 4)
        angles = swing_twist_angles(anatomical(turns, self.plan.neutral[1:]))[:, np.array(bodies) - 1]
        lower = np.array([self.plan.limits[body].lower for body in bodies])
        upper = np.array([self.plan.limits[body].upper for body in bodies])
        return float(np.degrees(np.maximum(angles - upper, lower - angles).max(initial=0.0)))

    def places(self, role: str, skeleton: str = "positions") -> Array:
        """Where the joint with a role is in the world [m], shape (N+1, 3)."""
        frames = body_frames(self.plan, self.rows(skeleton))
        return np.asarray(frames.positions[:, self.plan.with_role(role)[0]])

    def away(self, role: str) -> Array:
        """How far the joint with a role is from where the source has it [m], shape (N+1,)."""
        return np.asarray(np.linalg.norm(self.places(role) - self.places(role, "source"), axis=1))

    def torque(self, bodies: Sequence[int]) -> float:
        """Largest muscle torque at the end of a tick, dampers and stops included [N m]."""
        own = self.recording.torques[:, self.session.layouts[0].velocities]
        return float(np.linalg.norm(own[:, 6:].reshape(len(own), -1, 3)[:, np.array(bodies) - 1], axis=2).max())


def play(scene: Scene) -> Played:
    """Run a scene to its end."""
    session = scene.session()
    depth = list[float]()

    def watch(target: Array) -> None:
        # The contacts are those of the substep before.
        _, distances = session.world.touching()
        depth.append(-float(distances.min()) if len(distances) else 0.0)

    session.world.before_substep.append(watch)
    try:
        session.run()
    except Divergence:
        return Played(session, session.recording(), np.array(depth), True)
    return Played(session, session.recording(), np.array(depth), False)
