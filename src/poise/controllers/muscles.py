"""Muscles: every joint in mode `TORQUE` is held by a spring and damper that carries the load of the intended motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.control.muscles import MuscleState, limit_muscles
from poise.control.tension import Tension
from poise.signals import Effort, Target
from poise.world.layout import CharacterLayout

__all__ = ["Muscles"]

Array = NDArray[np.float64]

_STOP = Tension(frequency=25.0, damping_ratio=1.0)
"""Stiffness of the soft stops at the ends of a joint's range."""


class Muscles:
    """The controller of a whole scene: all references in, one effort out.

    Args:
        references: Of all characters.
        layouts: Where each sits in the world, in the same order.
    """

    def __init__(self, references: Sequence[Reference], layouts: Sequence[CharacterLayout]) -> None:
        self._layouts = layouts
        self.characters = [CharacterMuscles(reference) for reference in references]

    def control(self, references: Sequence[Reference], positions: Array, effort: Effort) -> None:
        """What the muscles can do about the references from where the bodies are.

        Args:
            references: What is meant, finished for this tick.
            positions: The world's generalized positions now, shape (nq,).
            effort: Written.
        """
        for reference, muscles, layout in zip(references, self.characters, self._layouts, strict=True):
            effort.applied[layout.velocities] = reference.force
            if not reference.muscles_work:
                effort.stiffness[layout.muscles] = 0.0
                effort.damping[layout.muscles] = 0.0
                continue
            target = muscles.target(reference)
            own = positions[layout.positions]
            state = muscles.state
            limit_muscles(state, reference.active, own[7:].reshape(-1, 4), target, muscles.stops)
            effort.stiffness[layout.muscles] = state.stiffness
            effort.damping[layout.muscles] = state.damping
            effort.controls[:, layout.controls] = target.rotations.reshape(len(reference.rows), -1)
            effort.applied[layout.velocities][6:] += state.applied.ravel()


class CharacterMuscles:
    """The muscles of one character.

    Args:
        reference: Whose.

    Attributes:
        state: What they do in the present tick.
        stops: Stiffness of the stops at the ends of each joint's range [N m/rad], shape (B-1,).
    """

    def __init__(self, reference: Reference) -> None:
        self.state = MuscleState.of(reference.plan)
        self.stops = _STOP.gains(reference.inertias).stiffness

    def target(self, reference: Reference) -> Target:
        """What they aim at. Velocity and load are taken in the middle of the tick, since they are held over it."""
        moment = reference.moment(reference.time + 0.5 * reference.tick)
        return Target(
            rotations=reference.rows[:, 7:].reshape(len(reference.rows), -1, 4),
            velocity=moment.velocities[6:].reshape(-1, 3),
            stiffness=reference.stiffness,
            damping=reference.damping,
            load=reference.carried(moment)[6:].reshape(-1, 3) + reference.load,
            limit=reference.strengths[1:],
        )
