"""Balance that looks ahead: where the center of mass is to be now, so that steps yet to come are not falls.

Weight over its support is an inverted pendulum, c'' = w² (c - p), w² = g / height, p being the point that pushes it up.
Its part that runs away, x = c + c' / w, is driven by p alone: x' = w (x - p). Solved backwards from where everything ends, it
says where x has to be now for p to stay where the feet will be (Takenaka, Matsumoto and Yoshiike 2009; Englsberger, Ott and
Albu-Schäffer 2015). What differs from that is taken back by moving p.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.groups.group import Group
from poise.groups.steps import Footstep
from poise.groups.striding import StrideOptions
from poise.math import quat
from poise.qp import CenterOfMassTask, Contact, Controller, FrameTask, Phase, Task, lasting

__all__ = ["Preview", "stride"]

Array = NDArray[np.float64]

_GRID = 0.002
"""Of the course that is solved backwards [s]: a numerical step, so small that a finer one changes nothing that is seen."""


class Preview:
    """The course of what runs away of a center of mass, from that of the point that holds it up.

    Args:
        times: Corners of that course [s], rising, shape (k,).
        places: Where it is then, straight in between, resting after the last [m], shape (k, 2).
        height: Of the center of mass over the ground [m].
        gravity: Downward [m/s²].
        returns: How fast the center of mass comes back to its course [1/s].

    Raises:
        InputError: Times do not rise, or the height is not above 0.
    """

    def __init__(
        self,
        times: Sequence[float],
        places: Sequence[Array],
        height: float,
        gravity: float,
        returns: float = StrideOptions.returns,
    ) -> None:
        corners, points = np.asarray(times, dtype=float), np.asarray(places, dtype=float)
        if len(corners) < 2 or not (np.diff(corners) > 0.0).all():
            raise InputError(f"times of a course must rise; got {[round(float(time), 4) for time in corners]}")
        if not (np.isfinite(height) and height > 0.0):
            raise InputError(f"the center of mass must be above the ground; got {height:g} m")
        self._returns = returns
        self.rate = float(np.sqrt(gravity / height))
        """w [1/s]."""
        self._grid = np.arange(corners[0], corners[-1] + _GRID, _GRID)
        self._points = np.stack([np.interp(self._grid, corners, points[:, axis]) for axis in range(2)], axis=1)
        self._ahead = np.empty_like(self._points)
        self._ahead[-1] = self._points[-1]
        fading = np.exp(-self.rate * _GRID)
        for number in range(len(self._grid) - 2, -1, -1):
            middle = 0.5 * (self._points[number] + self._points[number + 1])
            self._ahead[number] = middle + fading * (self._ahead[number + 1] - middle)

    def at(self, time: float) -> tuple[Array, Array]:
        """The point that holds the weight up, and where c + c' / w is to be, at a time [m], shape (2,) each."""
        return self._value(self._points, time), self._value(self._ahead, time)

    def _value(self, course: Array, time: float) -> Array:
        return np.array([np.interp(time, self._grid, course[:, axis]) for axis in range(2)])

    def acceleration(self, time: float, center: Array, velocity: Array) -> Array:
        """What the center of mass is to accelerate by [m/s²], shape (2,), being there [m] and that fast [m/s]."""
        point, ahead = self.at(time)
        off = center + velocity / self.rate - ahead
        return np.asarray(self.rate**2 * (center - point - (1.0 + self._returns / self.rate) * off))


def stride(
    group: Group,
    label: str,
    steps: Sequence[Sequence[Footstep]],
    owners: Sequence[str],
    *,
    options: StrideOptions | None = None,
    looking_ahead: bool = True,
) -> list[Phase]:
    """Phases of steps as quick as a walk: weight is on its way to the next foot while this one still swings.

    Args:
        group: Whose.
        label: What to call the phases.
        steps: One after the other; each of them those who step at the same time.
        owners: Whose common center of mass is kept up, people and things.
        options: How quickly and how firmly.
        looking_ahead: Whether the steps to come count; else the center of mass is wanted over what stands now.

    Raises:
        InputError: There are no steps.
    """
    if not steps or not all(steps):
        raise InputError(f"{label} needs steps")
    options = options or StrideOptions()
    walkers = sorted({step.name for one in steps for step in one})
    soles = {f"{name}/{side}_foot": group.sole(name, side) for name in walkers for side in ("left", "right")}
    ways, times, points, ground = _planned(group, soles, steps, options)
    height = float(group.center_of_mass(*owners)[2]) - options.lower
    preview = Preview(times, points, height - ground, group.system.gravity, options.returns)
    center, common = _wanted(label, walkers, owners, height, options)
    if not looking_ahead:
        center.stiffness, center.damping = 10.0, None

    def guide(start: float) -> Callable[[Controller, float], None]:
        def each(controller: Controller, time: float) -> None:
            feature = center.feature(controller.system)
            if looking_ahead:
                now = np.asarray(feature.error)[:2] + np.asarray(center.target)[:2]
                center.acceleration = np.array([*preview.acceleration(start + time, now, feature.rate[:2]), 0.0])
            else:
                center.target = np.array([*preview.at(start + time)[0], 0.0])

        return each

    phases = [Phase(name=f"{label}: lean", tasks=common, until=lasting(options.lean), each=guide(0.0))]
    landed: list[Contact] = []
    for number, way in enumerate(ways):
        name, begin = f"{label} {number + 1}", times[1 + 2 * number]
        phases.append(
            Phase(
                name=f"{name}: shift",
                tasks=common,
                touch=landed,
                release=list(way),
                until=lasting(options.shift),
                each=guide(begin),
            )
        )
        feet = {foot: _Swing(foot, soles[foot], *one, options) for foot, one in way.items()}
        phases.append(
            Phase(
                name=f"{name}: swing",
                tasks={**common, **{f"swing {foot}": one.task for foot, one in feet.items()}},
                until=lasting(options.swing),
                each=_all([guide(begin + options.shift), *(one.follow for one in feet.values())]),
            )
        )
        landed = [soles[foot] for foot in way]
    end = Phase(
        name=f"{label}: rest",
        tasks=common,
        touch=landed,
        until=lasting(options.shift + options.rest),
        each=guide(times[-3]),
    )
    return [*phases, end]


class _Course(NamedTuple):
    """Who goes from where in each step; corners of the course of what holds the weight up; height of the ground [m]."""

    ways: list[dict[str, tuple[Array, Footstep]]]
    times: list[float]
    points: list[Array]
    ground: float


def _planned(
    group: Group, soles: Mapping[str, Contact], steps: Sequence[Sequence[Footstep]], options: StrideOptions
) -> _Course:
    """Weight is between all feet, then over those that stand while others swing, and between all at last."""
    places = {name: group.point(sole.second, sole.middle) for name, sole in soles.items()}
    ground = float(np.mean([place[2] for place in places.values()]))
    between = np.mean(list(places.values()), axis=0)[:2]
    ways: list[dict[str, tuple[Array, Footstep]]] = []
    times, points, shift = [0.0, options.lean], [between, between], options.shift
    for one in steps:
        ways.append({f"{step.name}/{step.side}_foot": (places[f"{step.name}/{step.side}_foot"], step) for step in one})
        stands = np.mean([place for name, place in places.items() if name not in ways[-1]], axis=0)[:2]
        times += [times[-1] + shift, times[-1] + shift + options.swing]
        points += [stands, stands]
        places = places | {name: np.asarray(step.place, dtype=float) for name, (_, step) in ways[-1].items()}
    points += [np.mean(list(places.values()), axis=0)[:2]] * 2
    times += [times[-1] + shift, times[-1] + shift + options.rest]
    return _Course(ways, times, points, ground)


def _wanted(
    label: str, walkers: Sequence[str], owners: Sequence[str], height: float, options: StrideOptions
) -> tuple[CenterOfMassTask, dict[str, Task]]:
    """The task of the common center of mass along the ground, and all tasks by name, in the place of everybody's balance."""
    center = CenterOfMassTask(
        owners=owners, target=np.zeros(3), axes=(1.0, 1.0, 0.0), weight=options.center, stiffness=0.0, damping=0.0
    )
    level = CenterOfMassTask(
        owners=owners,
        target=(0.0, 0.0, height),
        axes=(0.0, 0.0, 1.0),
        weight=options.level,
        stiffness=options.level_stiffness,
        speed=0.3,
    )
    common: dict[str, Task] = {f"{walkers[0]} balance": center, f"{label} height": level}
    return center, common | {f"{name} balance": _nothing(name) for name in walkers[1:]}


def _nothing(name: str) -> Task:
    """A balance that wants nothing."""
    return CenterOfMassTask(owners=[name], target=np.zeros(3), weight=0.0)


def _all(parts: Sequence[Callable[[Controller, float], None]]) -> Callable[[Controller, float], None]:
    def each(controller: Controller, time: float) -> None:
        for part in parts:
            part(controller, time)

    return each


class _Swing:
    """A foot on its way through the air, from rest to rest.

    Args:
        foot: Which body.
        sole: Its contact.
        start: Where it was [m], shape (3,).
        step: Where it goes.
        options: How long it takes, and how firmly it keeps to its course.
    """

    def __init__(self, foot: str, sole: Contact, start: Array, step: Footstep, options: StrideOptions) -> None:
        self._start, self._way = start, np.asarray(step.place, dtype=float) - start
        self._via, self._seconds = np.asarray(step.via, dtype=float), options.swing
        self.task = FrameTask(
            body=foot,
            point=sole.middle,
            target=start,
            rotation=quat.exp(np.array([0.0, 0.0, step.heading])),
            weight=options.foot,
            stiffness=options.foot_stiffness,
        )

    def follow(self, controller: Controller, time: float) -> None:
        """Be where the step is at a time [s] after its begin: along a way of least jerk, and up and down again."""
        x = min(max(time / self._seconds, 0.0), 1.0)
        gone = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
        rate, change = 30.0 * x**2 * (1.0 - x) ** 2, 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x)
        # 64 x³ (1 - x)³: 1 in the middle, at rest at both ends.
        y, slope = x * (1.0 - x), 1.0 - 2.0 * x
        up, up_rate = 64.0 * y**3, 192.0 * y**2 * slope
        up_change = 384.0 * y * slope**2 - 384.0 * y**2
        self.task.target = self._start + gone * self._way + up * self._via
        self.task.velocity = np.array([*(rate * self._way + up_rate * self._via) / self._seconds, 0.0, 0.0, 0.0])
        self.task.acceleration = np.array(
            [*(change * self._way + up_change * self._via) / self._seconds**2, 0.0, 0.0, 0.0]
        )
