"""Hands that close round what they hold, and open when they let it go; physics has rigid ones.

Most hold by a grasp, a contact of the program. A hand may also lie round a limb lightly, as that of somebody who steadies who
stands on their shoulders: it goes along with the limb and closes, and no force passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.math.easing import smoothstep
from poise.qp import Controller, FrameTask, GazeTask, Task
from poise.qp.tasks import Feature
from poise.signals import Mechanism

if TYPE_CHECKING:
    from poise.groups.group import Group

__all__ = ["Hold", "eased", "held", "hold", "moved"]

Array = NDArray[np.float64]

_TIME = 0.2
"""How long a hand takes to close or to open [s]."""
_NEAR = 0.03
"""Where a hand begins to close round a limb that it comes to [m]: no farther than its palm reaches."""
_BESIDE = 0.02
"""Radius of a bar whose middle is where `Group.palm` has it [m]; thicker ones are farther from the palm."""


@dataclass(kw_only=True, eq=False)
class Hold(FrameTask):
    """A hand is to lie round a limb; it closes when it is there. Its arm alone sees to that: the limb goes where it goes.

    Args:
        radius: Of the limb [m].
    """

    radius: float

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        super().begin(system)
        self._rest = _rest_of(system, self.body)

    def feature(self, system: Mechanism) -> Feature:
        """See `Task.feature`."""
        return _without(super().feature(system), self._rest)


@dataclass(kw_only=True, eq=False)
class _Turned(GazeTask):
    """How that hand is turned, by its arm alone."""

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        super().begin(system)
        self._rest = _rest_of(system, self.body)

    def feature(self, system: Mechanism) -> Feature:
        """See `Task.feature`."""
        return _without(super().feature(system), self._rest)


def _rest_of(system: Mechanism, hand: str) -> NDArray[np.bool_]:
    """Which degrees of freedom are not of the arm that a hand is at the end of, shape (n,)."""
    name, _, body = hand.partition("/")
    side = body.removesuffix("_hand")
    own = tuple(f"{name}/{side}_{part}/" for part in ("upper_arm", "forearm", "hand"))
    others = np.ones(system.size, dtype=bool)
    others[system.joints.dofs[[joint.startswith(own) for joint in system.joints.names]]] = False
    return others


def _without(feature: Feature, others: NDArray[np.bool_]) -> Feature:
    feature.jacobian[:, others] = 0.0
    return feature


def hold(group: Group, name: str, side: str, limb: str, *, along: float, radius: float) -> dict[str, Task]:
    """Tasks that bring a hand round a limb that hangs from its joint or stands under it, its thumb away from that joint.

    Args:
        group: Whose.
        name: Who holds.
        side: With which hand.
        limb: The body that is held.
        along: How far from the limb's joint [m].
        radius: Of the limb there [m].
    """
    hand, palm = f"{name}/{side}_hand", group.palm(name, side)
    palm[1] += np.sign(palm[1]) * max(radius - _BESIDE, 0.0)
    there, beyond = np.array([0.0, 0.0, -along]), np.array([0.0, 0.0, -along - 1.0])
    place = Hold(
        body=hand, point=palm, target=there, against=limb, weight=1000.0, stiffness=25.0, speed=0.5, radius=radius
    )
    turn = _Turned(body=hand, eye=palm, direction=(1.0, 0.0, 0.0), place=beyond, at=limb, weight=10.0, speed=2.0)
    return {f"{name} {side} hold": place, f"{name} {side} hold turned": turn}


def held(controller: Controller, name: str) -> Array:
    """What the hands of somebody hold now: 1 and the curvature of it [1/m], or 0 and 0, shape (2, 2)."""
    grips = np.zeros((2, 2))
    hands = {f"{name}/{side}_hand": number for number, side in enumerate(("left", "right"))}
    for task in controller.tasks.values():
        if isinstance(task, Hold) and task.body in hands:
            away = float(np.linalg.norm(task.feature(controller.system).error[:3]))
            if away < _NEAR:
                grips[hands[task.body]] = 1.0, 1.0 / task.radius
    for touch in controller.touches.values():
        contact = touch.contact
        for hand, number in hands.items():
            if hand in (contact.first, contact.second) and touch.release is None:
                grips[number] = 1.0, 1.0 / contact.radius
    return grips


def moved(grips: Array, wanted: Array, seconds: float) -> Array:
    """Grips a while later, closing and opening evenly; a hand that opens still has the shape of what it held."""
    most = seconds / _TIME
    closed = grips[:, 0] + np.clip(wanted[:, 0] - grips[:, 0], -most, most)
    return np.stack([closed, np.where(wanted[:, 0] > 0.0, wanted[:, 1], grips[:, 1])], axis=1)


def eased(grips: Array) -> Array:
    """The same, beginning and ending gently."""
    return np.stack([smoothstep(grips[:, 0]), grips[:, 1]], axis=1)
