"""A session: characters in a scene, played tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import clip_from_generalized
from poise.control.tension import Tension
from poise.errors import InputError
from poise.hybrid.coupling import Coupling
from poise.hybrid.partition import find_bodies
from poise.motion.clip import Clip
from poise.motion.edit import retime
from poise.runtime.actor import Actor, ActorState
from poise.runtime.blend import Blends, blend_weights
from poise.runtime.character import Character
from poise.runtime.clock import Clock
from poise.runtime.coupling import Coupler
from poise.runtime.failure import refuse_overlaps, run_boundary
from poise.runtime.frame import Event, Frame
from poise.runtime.ground import Platforms, on_ground
from poise.runtime.prepare import restore_length
from poise.runtime.record import Recorder, Recording
from poise.runtime.root import CompliantRoot, surrounded
from poise.runtime.saturation import Saturation, SaturationState
from poise.runtime.stage import Stage
from poise.runtime.tick import tick
from poise.signals import Contacts, Drive, Effort, Mode
from poise.world.props import Ball
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec, build_world
from poise.world.world import NO_CONTACTS, Snapshot

__all__ = ["Checkpoint", "Session"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A moment of a session: the world, ticks played, balls not yet thrown, what touched last, the memory of all."""

    world: Snapshot
    count: int
    waiting: tuple[Ball, ...]
    contacts: Contacts
    actors: tuple[ActorState, ...]
    stages: tuple[Any, ...]
    strains: tuple[SaturationState, ...]
    blends: Any


class Session:
    """Plays characters through a scene.

        session = Session({"walker": Character.from_clip(read_clip("walk.bvh"))}, SceneSpec(props=[...]))
        session.run()
        write_clip("out.bvh", session.result("walker"))

    Args:
        characters: By name. All clips are played from time 0 with the first one's clock.
        setting: What surrounds them; a floor of None in it means no floor. Where there is terrain, clips that were made on
            flat ground are set onto it first.
        stages: What acts on each character between its clip and its muscles, in this order; by character.
        substep: Length of a substep aimed at [s].

    Raises:
        InputError: There is no character, names clash, a prop is not acceptable, a coupling is not stable, or a physical
            limb begins inside a prop.
    """

    def __init__(
        self,
        characters: Mapping[str, Character],
        setting: SceneSpec | None = None,
        *,
        stages: Mapping[str, Sequence[Stage]] | None = None,
        substep: float = 0.002,
    ) -> None:
        if not characters:
            raise InputError("a session needs at least one character")
        self.setting = setting or SceneSpec(floor=next(iter(characters.values())).floor)
        self.ground = TerrainGround(self.setting.terrain, self.setting.floor)
        self.characters = {
            name: on_ground(who, self.ground) if self.setting.terrain and who.options.terrain else who
            for name, who in characters.items()
        }
        self._given = dict(characters)
        self.clock = Clock.for_rate(next(iter(characters.values())).clip.rate, substep)
        plans = {name: character.plan for name, character in characters.items()}
        apart = {name: character.apart for name, character in characters.items()}
        self.world = build_world(plans, replace(self.setting, apart=apart), self.clock.substep)
        self.platforms = Platforms(self.world, self.setting.terrain)
        self.actors = [
            Actor(character, self.world.layout(name), self.clock.substeps, self.clock.tick, self.setting.gravity)
            for name, character in self.characters.items()
        ]
        self._waiting = sorted((p for p in self.setting.props if isinstance(p, Ball)), key=lambda ball: ball.time)
        self.substep_times: Array = self.clock.substep * np.arange(1.0, self.clock.substeps + 1)
        self.count = 0
        self._couplers: dict[str, Coupler] = {}
        self._start()
        self.stages: list[Stage] = []
        self.roots = {name: CompliantRoot() for name, who in self.characters.items() if who.options.root == "compliant"}
        acts = dict(stages or {})
        for name, root in self.roots.items():
            acts[name] = surrounded(root, acts.get(name, ()))
        for name, acting in acts.items():
            for stage in acting:
                stage.begin(self, self._actor(name))
                self.stages.append(stage)
        self._couplers = {
            actor.layout.name: Coupler(self.world, actor.layout.name, actor.character.options.coupling)
            for actor in self.actors
            if actor.character.options.coupling.mode is not Coupling.EXACT
        }
        self.world.before_substep.extend(self._couplers.values())
        refuse_overlaps(self)

    def _start(self) -> None:
        world, model = self.world, self.world.model
        self.platforms.move(np.zeros(1), world.data.qpos[None])
        moments = {actor.layout.name: actor.trajectory.moment(0.0) for actor in self.actors}
        world.place_all({name: (moment.positions, moment.velocities) for name, moment in moments.items()})
        for actor in self.actors:
            world.cut.assign(actor.layout.joints, actor.modes)
        self.drive = Drive(np.tile(world.data.qpos, (self.clock.substeps, 1)))
        self.effort = Effort(
            np.zeros(model.nu and model.actuator_gainprm.shape[0]),
            np.zeros(model.actuator_gainprm.shape[0]),
            np.zeros((self.clock.substeps, model.nu)),
            np.zeros(model.nv),
        )
        self.contacts = NO_CONTACTS
        self._source, self._kinematic = world.data.qpos.copy(), world.data.qpos.copy()
        self.recorder = Recorder(world.state(), self._source, len(self.effort.stiffness), model.njnt)
        self._saturations = [Saturation(actor) for actor in self.actors]
        characters = [actor.character for actor in self.actors]
        self.blends = Blends(
            [actor.layout for actor in self.actors], [blend_weights(who.plan, who.options.blend) for who in characters]
        )

    def skeletons(self) -> tuple[Array, Array]:
        """All input and all kinematic skeletons at the end of the tick in the world's columns, shape (nq,); copies."""
        for actor in self.actors:
            self._source[actor.layout.positions] = actor.source
            self._kinematic[actor.layout.positions] = actor.kinematic
        return self._source.copy(), self._kinematic.copy()

    @property
    def duration(self) -> float:
        """Length of the longest clip [s]."""
        return max(character.clip.duration for character in self.characters.values())

    @property
    def tick_count(self) -> int:
        """Ticks until the longest clip ends."""
        return round(self.duration / self.clock.tick)

    def tick(self) -> Frame:
        """Advance by one tick; see `poise.runtime.tick.tick`."""
        return tick(self)

    def run(self, ticks: int | None = None, progress: Callable[[int, int], None] | None = None) -> Recording:
        """Play `ticks` more ticks, by default to the end of the longest clip.

        Args:
            ticks: How many.
            progress: Called with ticks done and ticks in all, now and then.

        Raises:
            RunError: The run broke off (a `Divergence`, where the simulation ran away); `recording()` still holds every
                good tick.
        """
        total = max(self.tick_count - self.count, 0) if ticks is None else ticks
        with run_boundary(self):
            for done in range(total):
                tick(self)
                if progress is not None and done % 50 == 0:
                    progress(done, total)
        return self.recording()

    def recording(self) -> Recording:
        """Everything recorded so far."""
        return self.recorder.finish(self.clock.tick, self.world.geom_names, self.blends)

    def result(self, character: str) -> Clip:
        """The motion as it came out so far, on the character's own skeleton and at its own frame rate.

        Joints that followed the clip throughout, or come out with a blend weight of 0, have the source's own values, unless a
        stage moved them or the clip was set onto terrain or slowed down. (Physics follows the filtered clip, from which the
        source may differ by noise.)

        Frames that were set aside before the simulation are put back in front, so the length is the source's when the
        whole clip was played.
        """
        layout = self.world.layout(character)
        who = self.characters[character]
        every = self.clock.ticks_per_frame
        rows = self.recording().output[::every, layout.positions][: len(who.clip)]
        base = who.clip.with_motion(who.clip.rotations[: len(rows)], who.clip.translations[: len(rows)])
        lags = np.append(0.0, self._actor(character).clock.lags)[::every][: len(rows)]
        if lags.any():
            base = retime(who.clip, np.clip(base.times - lags, 0.0, who.clip.duration), who.clip.rate)
        moved = clip_from_generalized(who.plan, rows, base)
        if who is self._given[character] and not lags.any():
            moved = self._with_source_values(character, moved)
        return restore_length(who.prepared, moved)

    def _with_source_values(self, character: str, moved: Clip) -> Clip:
        prepared = self.characters[character].prepared
        part = slice(prepared.skipped, prepared.skipped + len(moved))
        actor = self._actor(character)
        own = (actor.released & self.blends.physical(self.actors.index(actor))) | self._staged(character)
        joints = self.characters[character].plan.joints[own]
        rotations = prepared.source.rotations[part].copy()
        rotations[:, joints] = moved.rotations[:, joints]
        translations = moved.translations if own[0] else prepared.source.translations[part]
        return moved.with_motion(rotations, translations)

    def _staged(self, character: str) -> NDArray[np.bool_]:
        """Bodies whose kinematic pose is not the clip's at some time, shape (B,)."""
        recording, columns = self.recording(), self.world.layout(character).positions
        differs = np.any(recording.kinematic[:, columns] != recording.source[:, columns], axis=0)
        return np.append(differs[:7].any(), differs[7:].reshape(-1, 4).any(axis=1))

    def _actor(self, character: str) -> Actor:
        return self.actors[list(self.characters).index(self.world.layout(character).name)]

    def set_mode(self, character: str, anchors: tuple[str, ...], mode: Mode) -> None:
        """Change who moves the anchors' bones and everything below; positions and velocities stay the same numbers.

        The tension of muscles that begin to work rises over 0.2 s.
        """
        actor = self._actor(character)
        modes = actor.modes.copy()
        for body in find_bodies(actor.character.plan, anchors):
            modes[list(actor.character.plan.subtree(body))] = int(mode)
        actor.set_to_work(modes)
        self.assign_modes(actor, modes)

    def assign_modes(self, actor: Actor, modes: NDArray[np.int64]) -> None:
        """Set who moves each joint of an actor, shape (B,); positions and velocities stay the same numbers."""
        actor.set_modes(modes)
        self.world.cut.assign(actor.layout.joints, modes)
        if actor.layout.name in self._couplers:
            self._couplers[actor.layout.name].refresh()

    def set_tension(self, character: str, tension: Tension) -> None:
        """Change how tense a character's muscles are, by 25 Hz/s."""
        self._actor(character).set_tension(tension)

    def set_root(self, character: str, root: Literal["kinematic", "compliant"]) -> None:
        """Let a character that was made with a compliant root follow its clip from when it is next back on it, or yield again.

        Raises:
            InputError: The character was not made with a compliant root.
        """
        name = self.world.layout(character).name
        if name not in self.roots:
            raise InputError("was not made with root='compliant'", place=name)
        self.roots[name].allow(root == "compliant")

    def set_blend(self, character: str, blend: Mapping[str, float]) -> None:
        """Change what comes out of a character from the next tick on: see `CharacterOptions.blend`; `{}` is all physical.

        Raises:
            InputError: A name is no joint or role of a body, or a weight is not between 0 and 1.
        """
        actor = self._actor(character)
        weights = blend_weights(actor.character.plan, blend)
        self.blends.change(self.count + 1, self.actors.index(actor), weights)

    def save(self) -> Checkpoint:
        """Everything needed to go on from here exactly as this session will."""
        return Checkpoint(
            self.world.save(),
            self.count,
            self.waiting,
            self.contacts,
            tuple(actor.save() for actor in self.actors),
            tuple(stage.save() for stage in self.stages),
            tuple(strain.save() for strain in self._saturations),
            self.blends.save(),
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a saved moment; the recording keeps what was played before it and goes on from here."""
        self.world.restore(checkpoint.world)
        self.count = checkpoint.count
        self.recorder.rewind(self.count)
        self._waiting = list(checkpoint.waiting)
        self.contacts = checkpoint.contacts
        for actor, actor_state in zip(self.actors, checkpoint.actors, strict=True):
            actor.restore(actor_state)
        for coupler in self._couplers.values():
            coupler.refresh()
        for stage, stage_state in zip(self.stages, checkpoint.stages, strict=True):
            stage.restore(stage_state)
        for strain, strain_state in zip(self._saturations, checkpoint.strains, strict=True):
            strain.restore(strain_state)
        self.blends.restore(checkpoint.blends)

    @property
    def waiting(self) -> tuple[Ball, ...]:
        """Balls whose time has not come yet."""
        return tuple(self._waiting)

    def release_balls(self, time: float) -> tuple[Event, ...]:
        """Throw the balls whose time has come."""
        events: tuple[Event, ...] = ()
        while self._waiting and self._waiting[0].time <= time + 1e-9:
            ball = self._waiting.pop(0)
            self.world.throw(ball.name, np.array(ball.velocity))
            events += (Event(time, "thrown", ball.name),)
        return events

    def notice(self, time: float) -> tuple[Event, ...]:
        """Muscles that have been at their limit for a while, and those that are free of it again; see `Saturation`."""
        events: tuple[Event, ...] = ()
        for strain in self._saturations:
            events += strain.notice(time)
        return events
