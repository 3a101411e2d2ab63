"""One planner for every foot that leaves its clip: what a body held up, pushed or turned does with its feet.

Each foot has a rigid motion of the ground plane over the clip's own path of that foot, constant while it stands, so that it
slides as little as in the clip. In the clip's own swings it changes to where the capture point of the body's displacement is
(Hof 2008: displacement plus its rate over the pendulum's eigenfrequency), brought home by a bounded way each step. While the
clip stands, a step of its own is made when the capture point leaves the support, and another to bring the second foot after
it. The intended root goes where the feet go, smoothly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.lazy import LazyModule
from poise.locomotion.gait import Gait
from poise.locomotion.stepping.options import StepOptions

if TYPE_CHECKING:
    from poise.locomotion.stepping import _kernels
else:
    _kernels = LazyModule("poise.locomotion.stepping._kernels")

__all__ = ["STEPS", "Over", "StepMoment", "StepPlanner", "StepState"]

Array = NDArray[np.float64]

STEPS = ("", "steps", "follows", "settles")
"""What a step beside the clip's own is: none, to catch the body, to bring a foot after the other, to end a walk on both
feet."""


class Over(NamedTuple):
    """How feet that the clip has in the air go over what is in their way.

    Args:
        shifts: By how much beside where they would they come down [m], shape (2, 2).
        lifts: How high they are over their own way at the tick's end [m], shape (2,).
        level: How much their soles are level then instead of as in the clip, 0 to 1, shape (2,).
        apart: Whether feet are sent apart on purpose: the body is caught anywhere between their displacements.
    """

    shifts: Array
    lifts: Array
    level: Array
    apart: bool

    @classmethod
    def nothing(cls, *, apart: bool = False) -> Over:
        """Nothing is in the way."""
        return cls(np.zeros((2, 2)), np.zeros(2), np.zeros(2), apart)


class StepMoment(NamedTuple):
    """What is planned from; all of the level plane [m], from the clip's places.

    Args:
        begin: Time at the tick's beginning [s].
        time: The clip's at its end [s].
        pace: How fast the clip's time runs then.
        root: The clip's root at the tick's end, shape (7,).
        away: How far the real root is from the clip's, and turned, at its beginning, shape (3,).
        speed: How fast the real root goes beside the clip's [m/s], shape (2,).
        heading: Where the real pelvis faces, shape (2,).
        feet: The clip's feet at the end of each substep [m], shape (n, 2, 3).
        hips: The clip's hips at the tick's end, shape (2, 3).
        rises: How much higher the ground is where each foot will land than where the clip has it [m], shape (2,).
        over: What they go over.
    """

    begin: float
    time: float
    pace: float
    root: Array
    away: Array
    speed: Array
    heading: Array
    feet: Array
    hips: Array
    rises: Array
    over: Over


class StepState(NamedTuple):
    """What a planner remembers from tick to tick; motions of the plane are (x, y, yaw), arrays change in place.

    Args:
        placed: By what motion each foot stands, or left the ground, shape (2, 3).
        landing: By what it comes down, shape (2, 3).
        led: The same at the end of the last tick, shape (2, 3).
        swing: How far each foot is from the one to the other, then how high beside the clip [m], then whether the clip's own
            swing was on, then how level its sole is for what it goes over, shape (4, 2).
        begun: When each foot's step beside the clip's own began [s], shape (2,).
        kind: What it is, index into `STEPS`, shape (2,).
        rise: How much higher each foot is because of the ground, where it stands and where it lands [m], shape (2, 2).
        offset: Displacement of the intended root (x, y, yaw, height), shape (4,).
        rate: How fast it changes, shape (4,).
        stop: How long the clip has stood [s], how far its end is made up by standing at ease (0 to 1), the same a tick
            before, shape (3,).
        places: Where the feet were led to at the end of the tick [m], shape (2, 3).
    """

    placed: Array
    landing: Array
    led: Array
    swing: Array
    begun: Array
    kind: NDArray[np.int64]
    rise: Array
    offset: Array
    rate: Array
    stop: Array
    places: Array

    @classmethod
    def at_rest(cls) -> StepState:
        """Nothing is displaced."""
        shapes = ((2, 3), (2, 3), (2, 3), (4, 2), (2,), (2,), (2, 2), (4,), (4,), (3,), (2, 3))
        arrays: list[Any] = [np.zeros(shape) for shape in shapes]
        arrays[5] = np.zeros(2, dtype=np.int64)
        return cls(*arrays)

    def copy(self) -> StepState:
        """The same, for keeps."""
        arrays: list[Any] = [np.array(array) for array in self]
        return StepState(*arrays)

    @property
    def is_home(self) -> bool:
        """Whether nothing is displaced."""
        moved = (self.offset, self.rate, self.placed, self.kind)
        return not (any(map(np.count_nonzero, moved)) or self.stop[1] > 0.0)


class StepPlanner:
    """Plans the feet and the intended root of one character, tick by tick.

    Args:
        gait: Of its clip.
        spots: Where the clip's feet are in each of its frames [m], shape (T, 2, 3).
        bones: Length of each stretched leg [m], shape (2,).
        pendulum: Eigenfrequency of the body on its legs, sqrt(g / height of the pelvis) [1/s].
        substeps: In a tick.
        tick: Its length [s].
        options: How it steps.
    """

    def __init__(
        self, gait: Gait, spots: Array, bones: Array, pendulum: float, substeps: int, tick: float, options: StepOptions
    ) -> None:
        self.gait, self.options, self.state = gait, options, StepState.at_rest()
        self._landings, self._bones = _landings(gait, spots), np.array(bones)
        self._ankles = np.percentile(spots[..., 2], 20, axis=0)
        steps = options.home if options.steps else 0.0
        self._numbers = np.array(
            [
                tick,
                pendulum,
                steps,
                options.duration,
                options.height,
                options.margin,
                options.apart,
                float(options.steps),
            ]
        )
        self.feet, self.turns = np.zeros((substeps, 2, 3)), np.zeros((substeps, 2))
        """Where the feet shall be at the end of each substep [m], shape (n, 2, 3), and by how much turned [rad], (n, 2)."""
        self.flat = np.zeros((substeps, 2))
        """How much soles shall be level instead of as in the clip, 0 to 1, shape (n, 2)."""

    @property
    def flies(self) -> bool:
        """Whether both feet swing as the clip has them."""
        return bool(np.count_nonzero(self.state.swing[2]) == 2)

    def reset(self) -> None:
        """Go back to the clip's own feet."""
        self.state = StepState.at_rest()

    def capture(self, away: Array, speed: Array) -> Array:
        """Displacement of the capture point, and turn, shape (3,), of a root that is `away` (3,) and goes at a `speed` (2,)."""
        return np.append(away[:2] + speed / self._numbers[1], away[2])

    def homed(self, capture: Array) -> Array:
        """A displacement (x, y, turn) of the capture point, brought nearer to home as far as one step does, shape (3,)."""
        if not self.options.steps:
            return np.zeros(3)
        return np.array(_kernels.homed(capture, self.options.home))

    def ease(self, *, stands: bool) -> None:
        """Bring standing at ease on by a tick, or take it back, for feet that are not planned."""
        _kernels.ease(self.state.stop, stands, self._numbers[0])

    def landing_spots(self, time: float) -> Array:
        """Where the clip's feet are, or land where they are in the air, at a time of the clip [s], shape (2, 3)."""
        return np.asarray(self._landings[self.gait.row(time)])

    def plan(self, moment: StepMoment) -> tuple[int, int] | None:
        """Plan one tick: `feet`, `turns`, `flat` and the state's `offset`.

        Returns:
            What step beside the clip's own began and with which foot, if one did.
        """
        gait, row = self.gait, self.gait.row(moment.time)
        phase = np.array([moment.begin, moment.time, moment.pace, gait.next_lift[row]])
        begun = _kernels.plan(
            self.state,
            self._numbers,
            phase,
            (gait.lifts[row], gait.lands[row]),
            self.landing_spots(moment.time),
            moment[3:],
            (self._bones, self._ankles),
            (self.feet, self.turns, self.flat),
        )
        return None if begun < 0 else (begun // 2, begun % 2)


def _landings(gait: Gait, spots: Array) -> Array:
    """Where the clip's feet are in each frame, or land where they are in the air [m], shape (T, 2, 3)."""
    rows = np.repeat(np.arange(len(spots))[:, None], 2, axis=1)
    lands = np.isfinite(gait.lands)
    rows[lands] = [gait.row(time) for time in gait.lands[lands]]
    return np.ascontiguousarray(spots[rows, [0, 1]])
