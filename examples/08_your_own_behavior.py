"""A behavior of your own: a head that nods to a beat, whatever else the character does.

A behavior reads what its character is meant to do (`reference`) and the world (`view`), and says what it wants of the tick.
"""

from dataclasses import dataclass

import numpy as np

from poise.assets import clip_path
from poise.behaviors import Behavior, Contribution, Reference
from poise.behaviors.anticipation import Anticipation
from poise.io import read_clip
from poise.math import quat
from poise.runtime import Character, Session
from poise.world.view import WorldView


@dataclass
class Beat:
    """What it remembers: where in the beat it is, from 0 to 1."""

    phase: float = 0.0


class Nodding(Behavior[Beat]):
    """Nods `rate` times a second, `angle` far [rad]."""

    def __init__(self, rate: float = 2.0, angle: float = 0.2) -> None:
        self.rate, self.angle, self.state = rate, angle, Beat()

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Find the head."""
        head = reference.plan.with_role("head")[0]
        self.columns = slice(3 + 4 * head, 7 + 4 * head)
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: Beat) -> Contribution:
        """Turn it by as much as the beat says."""
        wanted = Contribution(reference)
        rows = wanted.edit_pose()
        phases = state.phase + self.rate * reference.tick * np.arange(1, len(rows) + 1) / len(rows)
        nod = self.angle * 0.5 * (1.0 - np.cos(2.0 * np.pi * phases))
        rows[:, self.columns] = quat.mul(rows[:, self.columns], quat.exp(nod[:, None] * np.array([0.0, 1.0, 0.0])))
        state.phase = float(phases[-1])
        return wanted


walker = Character.from_clip(read_clip(clip_path("walk")))
session = Session({"walker": walker}, behaviors={"walker": [Anticipation(), Nodding()]})
recording = session.run()
head = 3 + 4 * walker.plan.with_role("head")[0]
turned = quat.angle_between(recording.kinematic[:, head : head + 4], recording.source[:, head : head + 4])
print(f"the head nods by up to {np.degrees(turned.max()):.1f} degrees")
assert abs(turned.max() - 0.2) < 0.01
