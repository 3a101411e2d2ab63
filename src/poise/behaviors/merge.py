"""One motion of all contributions, and who has the last word.

| part of a contribution | precedence |
|---|---|
| pose edit, where the pose comes from | the later behavior: it was worked out on what those before it left |
| stiffness, damping, what muscles let go | the later behavior, likewise |
| load, force, displacement of the pelvis | all add up |
| obstacles that legs step over | those that any knows of |
| who moves each joint | the later behavior, at once: those after it see it |
| tension, strengths, input skeleton, grips | the later behavior |
| pace of the clip | the slowest of those that ask in a tick; from the end of the tick on |
| commands | all, in order, at once |
| events | all, in order |

Behaviors act in the order in which a character was given them.
"""

from __future__ import annotations

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.signals import Event
from poise.world.command import WorldCommand

__all__ = ["merge"]


def merge(reference: Reference, contribution: Contribution, command: WorldCommand) -> tuple[Event, ...]:
    """Make a contribution part of its character's motion; see the module for what wins.

    Args:
        reference: The character's motion so far; changed.
        contribution: What a behavior wants.
        command: What acts on the world.

    Returns:
        What is worth telling.
    """
    if contribution.pose is not None:
        reference.rows[:] = contribution.pose
        reference.changed |= contribution.moves
    if contribution.before is not None:
        reference.before[:] = contribution.before
    gains = contribution.gains
    if gains is not None:
        reference.stiffness[:], reference.damping[:] = gains
    if contribution.relaxed is not None:
        reference.relaxed[:] = contribution.relaxed
        reference.lets_go = True
    if contribution.load is not None:
        reference.load += contribution.load
    if contribution.force is not None:
        reference.force += contribution.force
    if contribution.displacement is not None:
        reference.displacement += contribution.displacement
    if contribution.hurdles is not None:
        reference.hurdles = contribution.hurdles | (False if reference.hurdles is None else reference.hurdles)
    reference.carries |= contribution.carries
    if contribution.strengths is not None:
        reference.strengths[:] = contribution.strengths
    if contribution.source is not None:
        reference.source[:] = contribution.source
    if contribution.grips is not None:
        reference.grips[:] = contribution.grips
    if contribution.leaves_clip:
        reference.released[:] = True
    if contribution.tension is not None:
        reference.set_tension(contribution.tension)
    if contribution.pace is not None:
        reference.clock.ask(contribution.pace)
    if contribution.modes is not None:
        reference.set_modes(contribution.modes)
        command.set_modes(reference.name, contribution.modes)
    for order in contribution.commands:
        command.do(order)
    return tuple(contribution.events)
