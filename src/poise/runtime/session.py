"""A session: characters in a scene, played tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Behavior, GroupBehavior, Reference, restore_state, saved_state
from poise.behaviors.root import surrounded
from poise.characters.blend import Blends
from poise.characters.blend_weights import blend_weights
from poise.characters.character import Character
from poise.characters.ground import Platforms, on_ground
from poise.characters.result import Outcome, result_pose
from poise.control.root import Root
from poise.controllers import Muscles
from poise.controllers.coupler import Coupler
from poise.errors import InputError
from poise.hybrid.coupling import Coupling
from poise.hybrid.partition import find_bodies
from poise.motion.clip import Clip
from poise.motion.pose import Pose
from poise.runtime.cast import Acting, ActingTogether, Cast, refuse_rivals
from poise.runtime.clock import Clock
from poise.runtime.failure import refuse_overlaps, run_boundary
from poise.runtime.frame import Frame
from poise.runtime.live_parameters import bring_back, change_parameter
from poise.runtime.medium import Medium, compliant_roots
from poise.runtime.record import Recorder, Recording, RecordingOptions
from poise.runtime.state import Checkpoint, SessionState
from poise.runtime.tick import tick
from poise.runtime.timings import Timings
from poise.runtime.watches import watches
from poise.signals import Contacts, Event, FluidSheet, Mode
from poise.world.command import Throw, WorldCommand
from poise.world.contact_log import NO_CONTACTS
from poise.world.dynamics import CharacterDynamics
from poise.world.props import Ball
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec, build_world
from poise.world.view import WorldView

__all__ = ["Session"]

Array = NDArray[np.float64]


class Session:
    """Plays characters through a scene.

        session = Session({"walker": Character.from_clip(read_clip("walk.bvh"))}, SceneSpec(props=[...]))
        session.run()
        write_clip("out.bvh", session.result("walker"))

    Args:
        characters: By name. All clips are played from time 0 with the first one's clock.
        setting: What surrounds them; a floor of None in it means no floor. Where there is terrain, clips that were made on
            flat ground are set onto it first.
        behaviors: What acts on each character, in this order; by character.
        groups: What acts on several at once, after that.
        substep: Length of a substep aimed at [s].
        recording: How much of what happens is remembered, and where; everything in memory by default.
        fluids: What stands in it for people with compliant roots to wade through (`poise.wading.Fluids`).

    Raises:
        InputError: There is no character, names clash, a prop is not acceptable, a coupling is not stable, a physical limb
            begins inside a prop, or a behavior does not suit its character.
    """

    def __init__(
        self,
        characters: Mapping[str, Character],
        setting: SceneSpec | None = None,
        *,
        behaviors: Mapping[str, Sequence[Behavior[Any]]] | None = None,
        groups: Sequence[GroupBehavior[Any]] = (),
        substep: float = 0.002,
        recording: RecordingOptions | None = None,
        fluids: Medium | None = None,
    ) -> None:
        if not characters:
            raise InputError("a session needs at least one character")
        self.setting = setting or SceneSpec(floor=next(iter(characters.values())).floor)
        self.ground = TerrainGround(self.setting.terrain, self.setting.floor)
        self.characters = {
            name: on_ground(who, self.ground) if self.setting.terrain and who.options.terrain else who
            for name, who in characters.items()
        }
        self._given, self.fluids = dict(characters), fluids
        self.clock = Clock.for_rate(next(iter(characters.values())).clip.rate, substep)
        plans = {name: character.plan for name, character in characters.items()}
        apart = {name: character.apart for name, character in characters.items()}
        self.world = build_world(plans, replace(self.setting, apart=apart), self.clock.substep)
        self.layouts = [self.world.layout(name) for name in self.characters]
        self.references = [self._reference(name) for name in self.characters]
        self._kept = recording or RecordingOptions()
        self._start()
        given = dict(behaviors or {})
        self.roots = compliant_roots(self.characters, characters, self.ground, self.clock.tick, fluids)
        for name, root in self.roots.items():
            options = self.characters[name].options
            given[name] = surrounded(root, given.get(name, ()), options.root, options.root_changes)
        for name, acting in given.items():
            for behavior in acting:
                self.add_behavior(name, behavior)
        for group in groups:
            self._add(ActingTogether(group, {reference.name: reference for reference in self.references}))
        self._couple()
        if fluids is not None:
            fluids.hold(self.world)
        refuse_overlaps(self)
        # Some of them put their character elsewhere: that is where it begins.
        self.recorder.start(self.world.state(), *self._skeletons())

    def _reference(self, name: str) -> Reference:
        who, timing = self.characters[name], (self.clock.substeps, self.clock.tick)
        dynamics = CharacterDynamics(who.plan, self.setting.gravity)
        return Reference(name, who.plan, who.clip, dynamics, who.modes, who.options.tension, timing)

    def _start(self) -> None:
        world = self.world
        platforms = Platforms(world, self.setting.terrain)
        platforms.move(np.zeros(1), world.positions[None])
        moments = {reference.name: reference.trajectory.moment(0.0) for reference in self.references}
        world.place_all({name: (moment.positions, moment.velocities) for name, moment in moments.items()})
        for reference, layout in zip(self.references, self.layouts, strict=True):
            world.cut.assign(layout.joints, reference.modes)
        drive, effort = world.rest_drive(self.clock.substeps), world.no_effort(self.clock.substeps)
        controller = Muscles(self.references, self.layouts, effort)
        self.cast = Cast(self.references, self.layouts, [], controller, platforms, drive, effort)
        self.view = WorldView(world, self.setting, self.ground)
        self.command = WorldCommand(world, drive.positions)
        self._source, self._kinematic = world.positions.copy(), world.positions.copy()
        self._grips = np.zeros((len(self.references), 2, 2))
        keep = None if self._kept.keep is None else max(1, round(self._kept.keep / self.clock.tick))
        sizes = *world.sizes(), len(self.characters)
        self.recorder = Recorder(world.state(), self._source, *sizes, keep, self._kept.folder)
        self._watches = watches(self.references, controller, self.view)
        weights = [blend_weights(who.plan, who.options.blend) for who in self.characters.values()]
        self.blends = Blends(self.layouts, weights)
        balls = sorted((p for p in self.setting.props if isinstance(p, Ball)), key=lambda ball: ball.time)
        self.state = SessionState(
            count=0,
            waiting=balls,
            contacts=NO_CONTACTS,
            references=[reference.state for reference in self.references],
            behaviors=[],
            watches=[watch.state for watch in self._watches],
            blends=self.blends.state,
        )

    def _couple(self) -> None:
        """Couplings of kinematic limbs other than the cut."""
        self._couplers = {
            name: Coupler(self.world, name, who.options.coupling)
            for name, who in self.characters.items()
            if who.options.coupling.mode is not Coupling.EXACT
        }
        self.world.before_substep.extend(self._couplers.values())
        self.command.after_modes.update({name: coupler.refresh for name, coupler in self._couplers.items()})

    def add_behavior(self, character: str, behavior: Behavior[Any]) -> None:
        """Let a behavior act on a character from the next tick on, after those it has."""
        self._add(Acting(behavior, self.reference(character)))

    def _add(self, acting: Acting | ActingTogether) -> None:
        refuse_rivals(self.cast.acting, acting)
        acting.start(self.view, self.command)
        self.cast.acting.append(acting)
        self.state.behaviors.append(acting.behavior.state)

    def __repr__(self) -> str:
        return f"<Session of {', '.join(self.characters)}: {self.count} of {self.tick_count} ticks played>"

    @property
    def behaviors(self) -> tuple[Behavior[Any] | GroupBehavior[Any], ...]:
        """Everything that acts, in order."""
        return tuple(acting.behavior for acting in self.cast.acting)

    @property
    def count(self) -> int:
        """Ticks played."""
        return self.state.count

    @property
    def contacts(self) -> Contacts:
        """What touched in the last tick."""
        return self.view.contacts

    @property
    def waiting(self) -> tuple[Ball, ...]:
        """Balls whose time has not come yet."""
        return tuple(self.state.waiting)

    @property
    def duration(self) -> float:
        """Length of the longest clip [s]."""
        return max(character.clip.duration for character in self.characters.values())

    @property
    def tick_count(self) -> int:
        """Ticks until the longest clip ends."""
        return round(self.duration / self.clock.tick)

    def reference(self, character: str) -> Reference:
        """What a character is meant to do; raises `InputError` with the known names where there is none."""
        return self.references[list(self.characters).index(self.world.layout(character).name)]

    def tick(self) -> Frame:
        """Advance by one tick; see `poise.runtime.tick.tick`.

        Raises:
            Divergence: The simulation ran away; `recording()` still holds every good tick.
        """
        begin = self.state.count * self.clock.tick
        thrown = self._release_balls(begin)
        played = tick(begin, self.clock, self.cast, self.world, self.view, self.command)
        start = perf_counter()
        self.state.contacts = played.contacts
        state, effort = self.world.state(), self.cast.effort
        skeletons = self._skeletons()
        torques, modes = self.world.muscle_torques(effort), self.world.cut.modes
        self.recorder.add(state, skeletons, torques, effort.stiffness, modes, played.contacts)
        events = thrown + played.events
        for watch in self._watches:
            events += watch.notice(state.time)
        timings = Timings(*played.timings[:-1], perf_counter() - start)
        self.recorder.note(timings, events)
        self.state.count += 1
        source, kinematic, _ = skeletons
        output = self.blends.output(state.positions[None], kinematic[None], self.count)[0]
        return Frame(self.count - 1, source, kinematic, state, output, played.contacts, events, timings, self._pose)

    def _pose(self, character: str, output: Array, time: float) -> Pose:
        reference = self.reference(character)
        outcome = self._outcome(self.references.index(reference))
        return result_pose(outcome, output, reference.grips, reference.clock.now(time))

    def run(self, ticks: int | None = None, progress: Callable[[int, int], None] | None = None) -> Recording:
        """Play `ticks` more ticks, by default to the end of the longest clip.

        Args:
            ticks: How many.
            progress: Called with ticks done and ticks in all, now and then.

        Raises:
            InputError: `ticks` is negative.
            RunError: The run broke off (a `Divergence`, where the simulation ran away); `recording()` still holds every
                good tick.
        """
        if ticks is not None and ticks < 0:
            raise InputError(f"a session can be run for 0 ticks or more; got {ticks}")
        total = max(self.tick_count - self.count, 0) if ticks is None else ticks
        with run_boundary(self):
            for done in range(total):
                self.tick()
                if progress is not None and done % 50 == 0:
                    progress(done, total)
        return self.recording()

    def recording(self) -> Recording:
        """Everything recorded so far."""
        outcomes = {name: self._outcome(index) for index, name in enumerate(self.characters)}
        return self.recorder.finish(self.clock.tick, self.world.geom_names, self.blends, outcomes)

    def sheets(self) -> tuple[FluidSheet, ...]:
        """Surfaces of fluids over what was played so far, to be looked at."""
        moved = () if self.fluids is None else self.fluids.sheets(self.characters, self.recording())
        return (*self.setting.sheets, *moved)

    def result(self, character: str) -> Clip:
        """The motion as it came out so far, on the character's own skeleton and at its own frame rate.

        Wherever nothing happened to a joint, it has the source's own values, of before any filter: see
        `poise.characters.own_values`. A clip that was set onto terrain has none of them, one that was slowed down has them
        until then.

        Where tracking was lost (`poise.repair`) the source's own frames are left in place. Frames that were set aside before
        the simulation are put back in front, so the length is the source's when the whole clip was played.
        """
        return self.recording().clip(self.reference(character).name)

    def _outcome(self, index: int) -> Outcome:
        reference, name = self.references[index], self.references[index].name
        return Outcome(
            self.characters[name],
            self.layouts[index].positions,
            self.characters[name] is self._given[name],
            reference.released & self.blends.physical(index),
            tuple(reference.clock.lags),
            self.clock.ticks_per_frame,
            any(name in each.characters and each.on_purpose for each in self.cast.acting),
        )

    def _skeletons(self) -> tuple[Array, Array, Array]:
        """Copies of input and kinematic skeletons in the world's columns, (nq,) each, and all grips, (characters * 4,)."""
        for reference, layout, grips in zip(self.references, self.layouts, self._grips, strict=True):
            self._source[layout.positions] = reference.source
            self._kinematic[layout.positions] = reference.kinematic
            grips[:] = reference.grips
        return self._source.copy(), self._kinematic.copy(), self._grips.ravel()

    def set_mode(self, character: str, anchors: Sequence[str], mode: Mode) -> None:
        """Change who moves the anchors' bones and everything below; positions and velocities stay the same numbers.

        The tension of muscles that begin to work rises over 0.2 s.

        Raises:
            InputError: An anchor is no joint or role of a body, or there is no such mode.
        """
        anchors = (anchors,) if isinstance(anchors, str) else tuple(anchors)
        reference = self.reference(character)
        modes = reference.modes.copy()
        for body in find_bodies(reference.plan, anchors):
            modes[list(reference.plan.subtree(body))] = Mode(mode)
        reference.set_to_work(modes)
        reference.set_modes(modes)
        self.command.set_modes(character, modes)

    def set(self, character: str, name: str, value: Any) -> None:
        """Change a parameter from the next tick on; `poise parameters` tells which are live. Muscles tense by 25 Hz/s.

        Args:
            character: Whose.
            name: As under a character in a scene file: "tension.frequency", "anticipation.evasion.duck".
            value: As there, so an angle in degrees.

        Raises:
            InputError: There is no such parameter, the value is not allowed, or it is settled when a session begins.
        """
        reference = self.reference(character)
        change_parameter(self.cast, self.view, reference, self.characters[reference.name].options, (name, value))

    def set_root(self, character: str, root: Root) -> None:
        """Let a character that was made with a compliant or physical root follow its clip, yield, or stand by itself.

        It comes to that without a jump: "kinematic" when it is next back on its clip, "physical" when its clip has come to
        stand, "compliant" from physical once both feet stand.

        Raises:
            InputError: The character was made with a kinematic root, fell, or cannot be physical where it is.
        """
        name = self.reference(character).name
        if name not in self.roots:
            raise InputError("was not made with root='compliant' or 'physical'", place=name)
        self.roots[name].become(root)

    def set_blend(self, character: str, blend: Mapping[str, float]) -> None:
        """Change what comes out of a character from the next tick on: see `CharacterOptions.blend`; `{}` is all physical.

        Raises:
            InputError: A name is no joint or role of a body, or a weight is not between 0 and 1.
        """
        reference = self.reference(character)
        weights = blend_weights(reference.plan, blend)
        self.blends.change(self.count + 1, self.references.index(reference), weights)

    def save(self) -> Checkpoint:
        """Everything needed to go on from here exactly as this session will."""
        options = [each.options for each in self.behaviors]
        return Checkpoint(self.cast, self.world.save(), saved_state(self.state), options)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a moment of its own; the recording keeps what was played before it and goes on from here.

        Raises:
            InputError: It is of another session, or of before a behavior was added.
        """
        if checkpoint.cast is not self.cast or len(checkpoint.options) != len(self.behaviors):
            raise InputError("what was saved is of another session, or of before a behavior was added")
        self.world.restore(checkpoint.world)
        bring_back(self.cast, self.view, checkpoint.options)
        restore_state(self.state, checkpoint.state)
        self.recorder.rewind(self.count)
        self.recorder.start(self.world.state(), *self._skeletons())
        self.view.contacts = self.state.contacts
        for reference in self.references:
            reference.restored()
        for coupler in self._couplers.values():
            coupler.refresh()

    def _release_balls(self, time: float) -> tuple[Event, ...]:
        """Throw the balls whose time has come."""
        events: tuple[Event, ...] = ()
        while self.state.waiting and self.state.waiting[0].time <= time + 1e-9:
            ball = self.state.waiting.pop(0)
            self.command.do(Throw(ball.name, np.array(ball.velocity)))
            events += (Event(time, "thrown", ball.name),)
        return events
