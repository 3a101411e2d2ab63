"""A run of a scene with one character, and what is measured in it: who touched what, and how far limbs gave way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.runtime import Recording, Session
from poise.scenes import Scene

__all__ = ["HANDS", "HEAD", "TRUNK", "Played", "play"]

Array = NDArray[np.float64]

HANDS = ("left_hand", "right_hand")
HEAD = ("neck", "head")
TRUNK = ("pelvis", "spine")


@dataclass(frozen=True, eq=False)
class Played:
    """A finished run.

    Args:
        session: What was run; its first character is the one that is measured.
        recording: Everything recorded.
    """

    session: Session
    recording: Recording

    @property
    def plan(self) -> BodyPlan:
        """The character."""
        return self.session.layouts[0].plan

    @cached_property
    def actual(self) -> BodyFrames:
        """World frames of the responsive skeleton at each state."""
        return self._frames("positions")

    @cached_property
    def meant(self) -> BodyFrames:
        """World frames of the kinematic skeleton at each state."""
        return self._frames("kinematic")

    def _frames(self, skeleton: str) -> BodyFrames:
        rows = getattr(self.recording, skeleton)[:, self.session.layouts[0].positions]
        return body_frames(self.plan, rows)

    def bodies(self, *roles: str) -> list[int]:
        """Bodies with these roles."""
        return list(self.plan.with_role(*roles))

    def coordinates(self, skeleton: str = "positions") -> Array:
        """Joint coordinates of a skeleton, shape (N+1, B-1, 4)."""
        rows = getattr(self.recording, skeleton)[:, self.session.layouts[0].positions]
        return np.asarray(rows[:, 7:].reshape(len(rows), -1, 4))

    def contacts(self, *roles: str, prop: str = "") -> NDArray[np.int64]:
        """Rows of the contact table between bodies with these roles and props whose name begins with `prop`."""
        names = self.session.layouts[0].name
        own = {f"{names}/{self.plan.names[body]}" for body in self.bodies(*roles)}
        labels = np.array(self.recording.geom_names, dtype=object)
        mine = np.array([label in own for label in labels])
        other = np.array(["/" not in label or label.split("/")[0] != names for label in labels])
        other &= np.array([label.startswith(prop) and label != "ground" for label in labels])
        pairs = self.recording.contacts.pairs
        rows = (mine[pairs[:, 0]] & other[pairs[:, 1]]) | (mine[pairs[:, 1]] & other[pairs[:, 0]])
        return np.flatnonzero(rows)

    def first_touch(self, *roles: str, prop: str = "") -> float:
        """When bodies with these roles first touch such a prop [s]; infinity if never."""
        rows = self.contacts(*roles, prop=prop)
        return float(self.recording.contacts.start[rows].min(initial=np.inf))

    def impulse(self, *roles: str, prop: str = "") -> float:
        """Sum of the normal impulses of such props on bodies with these roles [N s]."""
        return float(self.recording.contacts.impulse[self.contacts(*roles, prop=prop)].sum())

    def peak(self, *roles: str, prop: str = "") -> float:
        """Largest normal force of such props on bodies with these roles [N]."""
        return float(self.recording.contacts.peak[self.contacts(*roles, prop=prop)].max(initial=0.0))

    def turned(self, role: str) -> Array:
        """How far the body with a role is turned in the world from where it was meant to be [degrees], shape (N+1,)."""
        body = self.bodies(role)[0]
        return np.asarray(np.degrees(quat.angle_between(self.actual.rotations[:, body], self.meant.rotations[:, body])))

    def bend(self, role: str) -> Array:
        """How far the joint with a role is from its coordinate in the kinematic skeleton [degrees], shape (N+1,)."""
        joint = self.bodies(role)[0] - 1
        here, there = self.coordinates()[:, joint], self.coordinates("kinematic")[:, joint]
        return np.asarray(np.degrees(quat.angle_between(here, there)))

    def place(self, prop: str) -> Array:
        """Where a free prop, such as a ball, is at each state [m], shape (N+1, 3)."""
        at = self.session.world.position_start(prop)
        return np.asarray(self.recording.positions[:, at : at + 3])

    def palm(self, side: str, *, meant: bool = False) -> Array:
        """Middle of a hand at each state, where it is or where it is meant to be [m], shape (N+1, 3)."""
        body, frames = self.bodies(f"{side}_hand")[0], self.meant if meant else self.actual
        return np.asarray(frames.positions[:, body] + quat.rotate(frames.rotations[:, body], self.plan.centres[body]))

    def at(self, time: float) -> int:
        """The first state not before a time [s], or the last one."""
        return min(int(np.searchsorted(self.recording.times, time - 1e-9)), len(self.recording.times) - 1)


def play(scene: Scene) -> Played:
    """Run a scene to its end."""
    session = scene.session()
    return Played(session, session.run())
