"""One tick: a clip's next instant goes in, the world's next state comes out."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from poise.runtime.frame import Frame, Timings

if TYPE_CHECKING:
    from poise.runtime.session import Session

__all__ = ["tick"]


def tick(session: Session) -> Frame:
    """Advance a session by one tick.

    The only way back is through the world: its state and contacts are what the next tick sees. Rooms that have nothing to
    do are left out.

    Raises:
        Divergence: The simulation ran away; the session keeps its last good frames.
    """
    world, actors, drive, effort = session.world, session.actors, session.drive, session.effort
    start = perf_counter()
    begin, length = session.count * session.clock.tick, session.clock.tick
    times = begin + session.substep_times
    events = session.release_balls(begin)

    # Motion: where the clip says each character is at every substep.
    for actor in actors:
        actor.sample(times)

    # Ground: platforms go where they are prescribed to. (Clips were set onto the ground when the session began.)
    session.platforms.move(times, drive.positions)
    sampled = perf_counter()

    # Stages: what each character does about its surroundings.
    for stage in session.stages:
        events += stage.act(begin)
    staged = perf_counter()

    # Split: the part that obeys the clip becomes the drive, the rest is a target for muscles.
    targets = [actor.split(drive.positions, begin + 0.5 * length) for actor in actors]
    split = perf_counter()

    # Control: what the muscles can do about their target from where the body is.
    positions = world.data.qpos
    for actor, target in zip(actors, targets, strict=True):
        actor.control(target, positions, effort)
    controlled = perf_counter()

    # World: physics plays the substeps; contacts are gathered over all of them.
    session.contacts = world.step(drive, effort)
    stepped = perf_counter()

    # Record: the state, the torques and the contacts, for the exporter, the metrics and the next tick.
    state = world.state()
    source, kinematic = session.skeletons()
    torques = world.muscle_torques(effort)
    session.recorder.add(state, source, kinematic, torques, effort.stiffness, world.cut.modes, session.contacts)
    events += session.notice(state.time)
    timings = Timings(
        sampled - start,
        staged - sampled,
        split - staged,
        controlled - split,
        stepped - controlled,
        perf_counter() - stepped,
    )
    session.recorder.note(timings, events)
    session.count += 1
    output = session.blends.output(state.positions[None], kinematic[None], session.count)[0]
    return Frame(session.count - 1, source, kinematic, state, output, session.contacts, events, timings)
