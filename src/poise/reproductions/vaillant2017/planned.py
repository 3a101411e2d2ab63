"""A contact sequence planned from a goal: somebody is told what to hold, steps to where that can be done, and holds it."""

from __future__ import annotations

import numpy as np

from poise.errors import InputError
from poise.groups import Group, Person, take
from poise.qp import JointTask, NoSolution, Phase, lasting, reached
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, starts
from poise.scenes.together.door import BAR, DOOR, TURNED
from poise.scenes.together.hands import PALMS_DOWN
from poise.scenes.together.variation import Variation

__all__ = ["CHECKS", "goes_and_opens"]

_FAR, _OPEN, _SECONDS = 1.2, 0.3, 14.0
"""How far away somebody stands [m], how far the door is opened [rad], and how long it takes at most [s]."""


def goes_and_opens(start: int | None = None, *, stepping: bool = True) -> Group:
    """Somebody far from a door takes its handle and opens it.

    Args:
        start: Varies who it is, how far away (0.6 to 1.8 m) and how far aside (15 cm), and the door's mass; None for 1.2 m.
        stepping: Whether they may step.

    Raises:
        InputError: The handle is out of reach.
    """
    other = Variation(start)
    who = other.person(Person(place=(-_FAR * other.share(0.5), 0.0, 0.0)), (0.0, 0.15, 0.0))
    group = Group({"anna": who}, [other.thing(DOOR)])
    group.stand("anna")
    place, turn = BAR.tolist(), PALMS_DOWN["right"]
    taking = take(group, "anna/right_hand", "door/handle", place, rotation=turn, radius=0.014, stepping=stepping)

    def turned(panel: float) -> dict[str, JointTask]:
        return {
            "handle": JointTask(joints=["door/handle"], target=[TURNED], weight=1000.0, stiffness=25.0, speed=1.0),
            "panel": JointTask(joints=["door/panel"], target=[panel], weight=1000.0, stiffness=12.0, speed=0.45),
        }

    pressed = Phase(name="press the handle", tasks=turned(0.0), until=reached("handle", 0.01, 0.02))
    group.perform([*taking, pressed, Phase(name="open", tasks=turned(_OPEN), until=lasting(1e9))])
    return group


def _opened(start: int, stepping: bool) -> bool:
    """Whether the door is open within a degree in the end, every limit kept."""
    try:
        group = goes_and_opens(start, stepping=stepping)
        steps = [group.advance()[0] for _ in range(round(_SECONDS / group.controller.step))]
    except (InputError, NoSolution):
        return False
    names, places = group.system.joints.names, group.system.joint_positions
    miss = np.degrees(abs(float(places[names.index("door/panel")]) - _OPEN))
    return bool(miss < 1.0) and not any(step.relaxations for step in steps)


@claim("steps planned from what is to be held", off="take(stepping=False)", cases=STARTS)
def planned(trial: Trial) -> Row:
    """Share of those who get there and open the door."""
    share = 100.0 * float(np.mean([_opened(start, trial.on) for start in starts(trial)]))
    return Row(
        "vaillant2017/planned",
        "Others 0.6 to 1.8 m away, who are told which handle to take and how far to open the door, step there, take it and "
        "open it to within a degree with every limit kept: share of starts",
        None,
        share,
        "%",
        share >= 95.0,
    )


CHECKS: tuple[Check, ...] = (planned,)
