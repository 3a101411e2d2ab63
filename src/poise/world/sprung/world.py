"""A world with characters on springs in it, each stepped by the crowd's model, for everything that takes a world.

The scene that is looked at, drawn and recorded is the ordinary one, in which every joint is a ball. It follows the model: after
every tick its positions and velocities are the model's in the plan's coordinates, and contacts are told of its shapes. Each
character is a simulation of its own, as in a crowd: they never meet.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, fields

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.layout import turn_slice
from poise.errors import InputError
from poise.signals import Drive, Effort, Mode
from poise.world.divergence import Lookout, forget_warnings
from poise.world.layout import CharacterLayout
from poise.world.masks import Surface
from poise.world.sprung.contacts import SprungContacts
from poise.world.sprung.model import Sprung, SprungModel, standing_shapes
from poise.world.world import Snapshot, World

__all__ = ["SprungWorld"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _SprungSnapshot(Snapshot):
    """With the model's own states, whose last bits would be lost on the way to the scene and back."""

    inner: tuple[mj.MjData, ...]


class SprungWorld(World):
    """See the module.

    Args:
        model: The scene: a floor and characters of one plan on it.
        layouts: Where each sits in it.
        surfaces: What each geom belongs to.
        sprung: How each hangs together.
        spec: What the scene was compiled from.
    """

    def __init__(
        self,
        model: mj.MjModel,
        layouts: Mapping[str, CharacterLayout],
        surfaces: Mapping[int, Surface],
        sprung: Sprung,
        spec: mj.MjSpec,
    ) -> None:
        super().__init__(model, layouts, surfaces, spec=spec)
        self._all = tuple(layouts.values())
        floor, gravity = float(model.geom_pos[model.geom("ground").id, 2]), -float(model.opt.gravity[2])
        self.made = made = SprungModel(self._all[0].plan, sprung, self.timestep, floor, gravity)
        self._inner = tuple(mj.MjData(made.model) for _ in layouts)
        self._lookouts = tuple(Lookout(made.model, inner) for inner in self._inner)
        self.contact_log: SprungContacts = SprungContacts(
            made.model, [_shown_geoms(model, it, made) for it in self._all]
        )
        self._was = np.zeros(model.nv)
        self._follow_scene()

    def set_state(self, positions: Array, velocities: Array | None = None) -> None:
        """See `World.set_state`; what hinges cannot do is left out."""
        super().set_state(positions, velocities)
        self._follow_scene()

    def place_all(self, places: Mapping[str, tuple[Array, Array | None]]) -> None:
        """See `World.place_all`; what hinges cannot do is left out."""
        super().place_all(places)
        self._follow_scene()

    def muscle_torques(self, effort: Effort) -> Array:
        """There are no muscles: what is applied, shape (nv,)."""
        return effort.applied.copy()

    def set_mass(self, body: str, mass: float) -> None:
        """Refused: raises `InputError`."""
        raise _settled("what it weighs", self._all[0])

    def lead(self, character: str, led: NDArray[np.int64], shares: Array, rotors: Array | None = None) -> None:
        """Refused: raises `InputError`."""
        raise _settled("what leads its legs", self._all[0])

    def soften(self, bodies: NDArray[np.int64]) -> None:
        """Refused: raises `InputError`."""
        raise _settled("how firm its flesh is", self._all[0])

    def save(self) -> Snapshot:
        """See `World.save`."""
        saved = super().save()
        return _SprungSnapshot(
            **{each.name: getattr(saved, each.name) for each in fields(saved)},
            inner=tuple(copy.copy(inner) for inner in self._inner),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """See `World.restore`."""
        super().restore(snapshot)
        if isinstance(snapshot, _SprungSnapshot):
            for inner, saved in zip(self._inner, snapshot.inner, strict=True):
                mj.mj_copyData(inner, self.made.model, saved)

    def _follow_scene(self) -> None:
        """Bring the model to where the scene is, and the scene to what of it the model can do."""
        for layout, inner in zip(self._all, self._inner, strict=True):
            inner.qpos[:] = self.made.positions_of(self.data.qpos[layout.positions])
            inner.qvel[:] = self.made.velocities_of(inner.qpos, self.data.qvel[layout.velocities])
            self._show(layout, inner)

    def _show(self, layout: CharacterLayout, inner: mj.MjData) -> None:
        places, speeds = self.made.to_plan(inner.qpos[None], inner.qvel[None])
        self.data.qpos[layout.positions], self.data.qvel[layout.velocities] = places[0], speeds[0]
        self._outdate()

    def _play(self, drive: Drive, effort: Effort | None) -> None:
        if self.before_substep:
            raise _settled("what acts on it between ticks", self._all[0])
        targets = [self._targets(number, drive) for number in range(len(self._all))]
        forget_warnings()
        self.contact_log.begin()
        for substep in range(len(drive.positions)):
            self._was[:] = self.data.qvel
            for number, layout in enumerate(self._all):
                applied = None if effort is None else effort.applied[None, layout.velocities]
                self._step(number, targets[number][substep : substep + 1], applied)
        self.data.qacc[:] = (self.data.qvel - self._was) / self.timestep
        self.data.time = self._inner[0].time
        for lookout in self._lookouts:
            lookout.check()

    def _targets(self, number: int, drive: Drive) -> Array:
        """Where a character's driven joints go, in the model's columns, (n, nq); what acts on it in the whole tick is set."""
        made, inner, layout = self.made, self._inner[number], self._all[number]
        driven = np.flatnonzero(self.cut.modes[layout.joints] == Mode.MOTION)
        if not np.array_equal(driven, made.sprung.driven):
            raise _settled("who moves its joints", layout)
        inner.xfrc_applied[made.bodies] = self.data.xfrc_applied[layout.bodies]
        targets = np.zeros((len(drive.positions), made.model.nq))
        for body, column in zip(driven, made.driven_columns, strict=True):
            targets[:, column : column + 4] = drive.positions[:, layout.positions][:, turn_slice(int(body))]
        return targets

    def _step(self, number: int, target: Array, applied: Array | None) -> None:
        """One substep of a character towards a row of targets (1, nq), with forces (1, nv of its plan)."""
        inner, made, forces = self._inner[number], self.made, np.zeros((1, self.made.model.nv))
        made.add_drives(np.array(inner.qpos[None]), np.array(inner.qvel[None]), target, forces)
        if applied is not None:
            made.add_forces(applied, np.array(inner.qpos[None]), forces)
        inner.qfrc_applied[:] = forces[0]
        mj.mj_step(made.model, inner)
        self._show(self._all[number], inner)
        self.contact_log.add_of(number, inner)


def _settled(what: str, layout: CharacterLayout) -> InputError:
    return InputError(f"{what} is settled when a session begins, since it hangs on springs", place=layout.name)


def _shown_geoms(model: mj.MjModel, layout: CharacterLayout, made: SprungModel) -> NDArray[np.int64]:
    """The scene's geom for each of the model's."""
    shown = np.zeros(made.model.ngeom, dtype=np.int64)
    shown[made.model.geom("ground").id] = model.geom("ground").id
    for body, colliders in enumerate(layout.plan.colliders):
        first = int(made.model.body_geomadr[made.bodies[body]])
        count = len(standing_shapes(colliders[:1]))
        shown[first : first + count] = int(model.body_geomadr[layout.bodies[body]])
    return shown
