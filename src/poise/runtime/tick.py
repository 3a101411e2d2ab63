"""One tick: a clip's next instant goes in, the world's next state comes out."""

from __future__ import annotations

from time import perf_counter

from poise.runtime.cast import Cast, Played
from poise.runtime.clock import Clock
from poise.runtime.timings import Timings
from poise.signals import Event
from poise.world.command import WorldCommand
from poise.world.view import WorldView
from poise.world.world import World

__all__ = ["tick"]


def tick(begin: float, clock: Clock, cast: Cast, world: World, view: WorldView, command: WorldCommand) -> Played:
    """Advance a world by one tick.

    The only way back is through the world: its state and contacts are what the next tick sees.

    Args:
        begin: Time at the beginning of the tick [s].
        clock: How time is divided.
        cast: Who takes part.
        world: What they act in.
        view: How they see it; its contacts become those of this tick.
        command: How they act on it beside their own motion.

    Raises:
        Divergence: The simulation ran away.
    """
    start, times = perf_counter(), begin + clock.substep_times

    # Motion: where the clip says each character is at every substep, and platforms where they are prescribed to be. (Clips
    # were set onto the ground when the session began.)
    for reference in cast.references:
        reference.sample(begin, times)
    cast.platforms.move(times, cast.drive.positions)
    sampled = perf_counter()

    # Behaviors: what each character does about its surroundings, merged one after the other.
    events: tuple[Event, ...] = ()
    for acting in cast.acting:
        events += acting.step(view, command)
    behaved = perf_counter()

    # Drive: the part that obeys the motion.
    for reference, layout in zip(cast.references, cast.layouts, strict=True):
        cast.drive.positions[:, layout.positions] = reference.rows
        reference.finish()
    split = perf_counter()

    # Control: what the muscles can do about the motion from where the bodies are.
    cast.controller.control(cast.references, world.positions, world.velocities)
    controlled = perf_counter()

    # World: physics plays the substeps; contacts are gathered over all of them.
    view.contacts = world.step(cast.drive, cast.effort)
    stepped = perf_counter()
    timings = Timings(
        sampled - start, behaved - sampled, split - behaved, controlled - split, stepped - controlled, 0.0
    )
    return Played(view.contacts, events, timings)
