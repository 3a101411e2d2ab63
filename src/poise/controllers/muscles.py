"""Muscles: every joint in mode `TORQUE` is held by a spring and damper that carries the load of the intended motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.control.muscles import MuscleState, limit_muscles
from poise.control.pairs import PairState, pull_in_pairs
from poise.control.relaxed import ahead, relaxed, tissue
from poise.control.tension import Tension
from poise.signals import Effort, Target
from poise.world.layout import CharacterLayout

__all__ = ["Muscles"]

Array = NDArray[np.float64]

_STOP = Tension(frequency=25.0)
"""Stiffness of the soft stops at the ends of a joint's range."""


class Muscles:
    """The controller of a whole scene: all references in, one effort out.

    Args:
        references: Of all characters.
        layouts: Where each sits in the world, in the same order.
        effort: What they do; written by `control`.
    """

    def __init__(self, references: Sequence[Reference], layouts: Sequence[CharacterLayout], effort: Effort) -> None:
        self.characters = [
            CharacterMuscles(reference, layout, effort) for reference, layout in zip(references, layouts, strict=True)
        ]

    def control(self, references: Sequence[Reference], positions: Array, velocities: Array) -> None:
        """What the muscles can do about the references from where the bodies are.

        Args:
            references: What is meant, finished for this tick.
            positions: The world's generalized positions now, shape (nq,).
            velocities: The world's generalized velocities now, shape (nv,).
        """
        for reference, muscles in zip(references, self.characters, strict=True):
            muscles.force[:] = reference.force
            state = muscles.state
            if not reference.muscles_work:
                state.stiffness[:], state.damping[:] = 0.0, 0.0
                continue
            target, coordinates = muscles.target(reference), positions[muscles.coordinates].reshape(-1, 4)
            if reference.lets_go and np.count_nonzero(reference.relaxed):
                target = relaxed(target, reference.relaxed, *muscles.passive)
                speeds = velocities[muscles.speeds].reshape(-1, 3)
                coordinates = ahead(coordinates, speeds, reference.relaxed > 0.0, reference.tick)
            if reference.tension.muscles == "pairs":
                before = reference.before[7:].reshape(-1, 4)
                target = pull_in_pairs(muscles.pairs, reference.active, coordinates, target, before, reference.least)
                reference.raised |= muscles.pairs.raised
            limit_muscles(state, reference.active, coordinates, target, muscles.stops)
            muscles.controls[:] = target.rotations.reshape(len(muscles.controls), -1)
            muscles.torques += state.applied


class CharacterMuscles:
    """The muscles of one character.

    Args:
        reference: Whose.
        layout: Where it sits in the world.
        effort: Of the whole world.

    Attributes:
        state: What they do in the present tick; stiffness and damping are the effort's own.
        pairs: What they do as pairs, where they do (`Tension.muscles`).
        coordinates: Where its joint coordinates are among the world's generalized positions.
        speeds: Where those of its joints are among the world's generalized velocities.
        controls: Its part of the effort's controls, shape (n, 4 (B-1)).
        force: Its part of what is applied, shape (nv of it,).
        torques: Of that, the part of the joints below the pelvis, shape (B-1, 3).
        passive: Inertia [kg m²] and stiffness without muscles [N m/rad] of each joint, shape (B-1,) each.
        stops: Stiffness of the stops at the ends of each joint's range [N m/rad], shape (B-1,).
    """

    def __init__(self, reference: Reference, layout: CharacterLayout, effort: Effort) -> None:
        gains = (effort.stiffness[layout.muscles], effort.damping[layout.muscles])
        self.state, self.pairs = MuscleState.of(reference.plan, gains), PairState.of(reference.plan)
        self.coordinates = slice(layout.positions.start + 7, layout.positions.stop)
        self.speeds = slice(layout.velocities.start + 6, layout.velocities.stop)
        self.controls = effort.controls[:, layout.controls]
        self.force = effort.applied[layout.velocities]
        self.torques = self.force[6:].reshape(-1, 3)
        self.stops = _STOP.gains(reference.inertias).stiffness
        self.passive = (reference.inertias, tissue(reference.plan, reference.inertias))

    def target(self, reference: Reference) -> Target:
        """What they aim at. Velocity and load are taken in the middle of the tick, since they are held over it."""
        moment = reference.moment(reference.time + 0.5 * reference.tick)
        return Target(
            rotations=reference.turns,
            velocity=moment.velocities[6:].reshape(-1, 3),
            stiffness=reference.stiffness,
            damping=reference.damping,
            load=reference.carried(moment)[6:].reshape(-1, 3) + reference.load,
            limit=reference.strengths[1:],
        )
