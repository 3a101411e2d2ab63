"""A group's torques in MuJoCo's full contact physics, step by step, with what comes of them read back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.groups.group import Group
from poise.qp import Contact, Step
from poise.world.props import Wall
from poise.world.system import Grip, Pad, Physics

__all__ = ["Physical"]

Array = NDArray[np.float64]


_NOTHING = np.zeros((0, 6))
"""What a contact keeps still that the program does not know to hold."""


class Physical:
    """A group moved by nothing but its torques: the harder test of what a program asks for.

    Contacts are MuJoCo's: soles and palms stand and press by friction, whatever forces the program counted on. At every step
    the program sees where everything really is. Its contacts say which bodies are not to accelerate against one another; how
    far they have slipped is not taken back.

    Args:
        group: What everybody wants; hand contacts of its phases are given, not made by functions.
        walls: What there is to stand on beside the ground.
        feedback: Whether the program sees what came of its torques, or goes on as if all were as solved.
        holding: Whether the program knows that contacts hold; else it counts on their forces alone.
    """

    def __init__(
        self, group: Group, walls: Sequence[Wall] = (), *, feedback: bool = True, holding: bool = True
    ) -> None:
        self.group, self.feedback, self.holding = group, feedback, holding
        hands = [contact for contact in _contacts(group) if contact.second.endswith("_hand")]
        grips = [Grip(one.name, one.first, one.second) for one in hands if np.isfinite(one.radius)]
        pads = [Pad(one.second, one.points, one.normals[0]) for one in hands if not np.isfinite(one.radius)]
        plans = {name: who.plan for name, who in group.bases.items()}
        self.physics = Physics(plans, group.things, group.system.gravity, walls, grips, pads)
        self.physics.begin(group.system)

    def advance(self) -> tuple[Step, tuple[str, ...]]:
        """One step of the program and of the physics; what was solved, and what there is to tell."""
        group, physics = self.group, self.physics
        controller = group.controller
        if self.feedback:
            state = physics.state()
            group.system.suppose(state, state, ())
        begun = group.update()
        for held in controller.touches.values():
            held.felt = held.felt and not self.feedback
            held.basis = held.basis if self.holding else _NOTHING
        step = controller.advance(integrated=not self.feedback)
        physics.weigh_as(group.system)
        physics.hold(list(controller.touches))
        physics.advance(controller.former.muscled, step.torques, controller.step)
        messages = [] if begun is None else [begun]
        messages += [f"{gave.name} gives way, {gave.kind.value} by {gave.miss:.2g}" for gave in step.relaxations[:1]]
        return step, tuple(messages)


def _contacts(group: Group) -> list[Contact]:
    """Contacts that hold or that phases will make, each name once."""
    phases = group.machine.phases if group.machine is not None else ()
    found = [held.contact for held in group.controller.touches.values()]
    found += [contact for phase in phases for contact in phase.touch if isinstance(contact, Contact)]
    return list({contact.name: contact for contact in found}.values())
