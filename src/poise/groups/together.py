"""A group in a session: its bodies are driven by the program, and feel what hits them from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Contribution, GroupBehavior, Reference
from poise.behaviors.behavior import Part
from poise.groups.apart import Apart
from poise.groups.grips import eased, held, moved
from poise.groups.group import Group, Input
from poise.signals import Mode
from poise.world.command import Guide, Take
from poise.world.view import WorldView

__all__ = ["Together", "TogetherState"]

Array = NDArray[np.float64]

_SPREAD = 0.05
"""Over what time the impulse of a hit is handed on [s]: flesh gives way."""

Pose = dict[str, Array]
"""Generalized positions by character, and coordinates by joint of a thing."""


@dataclass
class TogetherState:
    """What a group in a session remembers.

    Args:
        group: Itself.
        before: Where it was a step of the program ago.
        after: Where it is.
        grips: How far everybody's hands are closed, and round what (`poise.groups.grips`), shape (2, 2) each.
        pushed: What pushes it from outside: until when [s], which body, where [m] (3,), with which force [N] (3,).
    """

    group: Group | Apart
    before: Pose
    after: Pose
    grips: dict[str, Array]
    pushed: list[tuple[float, str, Array, Array]] = field(default_factory=list)


class Together(GroupBehavior[TogetherState]):
    """Moves all characters and things of a group.

    Inside the group contacts are the program's own. What others do to it, such as a ball that hits, comes back as a force.

    Args:
        make: Makes the group at its start, always the same.
    """

    claims = frozenset[Part]({"pelvis", "hands"})

    def __init__(self, make: Callable[[], Group] | Callable[[], Apart]) -> None:
        group = make()
        grips = {name: held(group.controller, name) for name in group.people}
        self.state = TogetherState(group, _pose_of(group), _pose_of(group), grips)

    @property
    def group(self) -> Group | Apart:
        """Who is moved."""
        return self.state.group

    def start(self, view: WorldView, references: Mapping[str, Reference]) -> Mapping[str, Contribution]:
        """Take the things in hand; what comes out is the group's motion throughout, not the clip's, which only stands."""
        result = {name: Contribution(references[name]) for name in self.group.people}
        for name, contribution in result.items():
            contribution.leaves_clip = True
            contribution.grips = eased(self.state.grips[name])
        links = self.group.system.thing_joints()
        if links:
            next(iter(result.values())).commands.append(Take(links, Mode.MOTION))
        return result

    def step(
        self, view: WorldView, references: Mapping[str, Reference], state: TogetherState
    ) -> Mapping[str, Contribution]:
        """Go on with the program and be where it says at every substep."""
        group = state.group
        result = {name: Contribution(references[name]) for name in group.people}
        first = next(iter(result.values()))
        begin, times = first.reference.time, first.reference.times
        self._feel(view, begin, state)
        paths: Pose = {name: np.empty((len(times), len(row))) for name, row in state.after.items()}
        for number, time in enumerate(times):
            while group.controller.time < time - 1e-9:
                for _, body, point, force in state.pushed:
                    group.controller.push(body, point, force)
                _, messages = group.advance()
                for kind, what in (
                    *(("phase", one) for one in messages),
                    *(("input", _told(one)) for one in group.taken),
                ):
                    first.tell(group.controller.time - group.controller.step, kind, what)
                state.before, state.after = state.after, _near(_pose_of(group), state.after)
            share = 1.0 - (group.controller.time - time) / group.controller.step
            for name, row in state.after.items():
                paths[name][number] = state.before[name] + share * (row - state.before[name])
        for name, contribution in result.items():
            state.grips[name] = moved(state.grips[name], held(group.controller, name), times[-1] - begin)
            contribution.grips = eased(state.grips[name])
        for name, path in paths.items():
            _normalize(path)
            if name in result:
                result[name].edit_pose()[:] = path
                result[name].source = path[-1]
            else:
                first.commands.append(Guide(name, path))
        return result

    def _feel(self, view: WorldView, begin: float, state: TogetherState) -> None:
        """Take note of what touched the group from outside during the last tick."""
        contacts, names = view.contacts, view.geoms.names
        mine = {*state.group.people, *(thing.name for thing in state.group.things)}
        for pair, impulse, point, normal in zip(
            contacts.pairs, contacts.impulse, contacts.point, contacts.normal, strict=True
        ):
            for side, sign in ((0, -1.0), (1, 1.0)):
                body = "/".join(names[int(pair[side])].split("/")[:2])
                if body.split("/")[0] in mine:
                    state.pushed.append((begin + _SPREAD, body, point, sign * impulse / _SPREAD * normal))
        state.pushed = [push for push in state.pushed if push[0] > begin + 1e-9]


def _told(one: Input) -> str:
    """An input in words: "top 0, 0.1, 0"; what is no number is told by its control alone."""
    value = np.asarray(one.value)
    numbers = value.ravel() if value.dtype.kind in "biuf" else ()
    return f"{one.control} {', '.join(f'{number:.3g}' for number in numbers)}".rstrip()


def _pose_of(group: Group | Apart) -> Pose:
    people = {name: group.system.row(name) for name in group.people}
    return people | {joint: group.system.coordinates(joint) for joint in group.system.thing_joints()}


def _turns(row: Array) -> Array:
    """Quaternions in a character's row or a free thing's (..., 3 + 4 k), as a view; nothing in other coordinates."""
    width = row.shape[-1]
    return row[..., 3:].reshape(*row.shape[:-1], -1, 4) if width >= 7 else row[..., :0].reshape(*row.shape[:-1], 0, 4)


def _near(pose: Pose, before: Pose) -> Pose:
    """The pose with quaternions of the sign they had."""
    for name, row in pose.items():
        turns = _turns(row)
        turns[(turns * _turns(before[name])).sum(axis=-1) < 0.0] *= -1.0
    return pose


def _normalize(path: Array) -> None:
    turns = _turns(path)
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
