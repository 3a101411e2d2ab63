"""A simulation that runs away is stopped: speeds and MuJoCo's own warnings are looked at after every tick."""

from __future__ import annotations

import re
from typing import NoReturn

import mujoco as mj
import numpy as np

from poise.errors import RunError
from poise.world import _kernels

__all__ = ["Divergence", "Lookout", "forget_warnings", "forward", "gave_up"]

_FASTEST = 1e3
"""Speed [m/s or rad/s] beyond which a coordinate is taken to have diverged."""
_LONGEST_SAYING = 200
"""Letters of what MuJoCo says that are told."""
_FULL = (mj.mjtWarning.mjWARN_CONTACTFULL, mj.mjtWarning.mjWARN_CNSTRFULL)

_heard: list[str] = []
"""MuJoCo's warnings in the present tick; it would print them and write a log file into the user's folder instead."""
mj.set_mju_user_warning(_heard.append)


class Divergence(RunError):
    """The simulation ran away; the state before the failing tick is kept.

    Args:
        body: The body that went first.
        time: When [s].
        detail: What was seen.
    """

    def __init__(self, body: str, time: float, detail: str) -> None:
        self.body, self.time, self._detail = body, time, detail
        super().__init__(f"the simulation diverged at {time:.3f} s: body {body!r} {detail}")

    def __reduce__(self) -> tuple[type[Divergence], tuple[str, float, str]]:
        # An exception is pickled by its one message, which is not what this is made of.
        return type(self), (self.body, self.time, self._detail)


def forward(model: mj.MjModel, data: mj.MjData) -> None:
    """Bring everything up to date with positions and velocities.

    Raises:
        RunError: MuJoCo gave up, as where many bodies are inside one another.
    """
    try:
        mj.mj_forward(model, data)
    except mj.FatalError as error:
        raise gave_up(model, data, error) from None


def gave_up(model: mj.MjModel, data: mj.MjData, error: mj.FatalError) -> RunError:
    """What is told where MuJoCo gave up."""
    said = " ".join(str(error).split())[:_LONGEST_SAYING]
    if "out of memory" in said:
        said = f"more touches at once than there is memory for{_most_touches(model, data)}"
    return RunError(f"the physics broke off at {data.time:.3f} s: {said}")


def _most_touches(model: mj.MjModel, data: mj.MjData) -> str:
    """Who touches whom most, as the likeliest cause of too many touches."""
    if not data.ncon:
        return "; are characters or props inside one another?"
    roots = model.body_rootid[model.geom_bodyid[np.asarray(data.contact.geom)]]
    pairs, counts = np.unique(np.sort(roots, axis=1), axis=0, return_counts=True)
    first, second = (model.body(int(root)).name.split("/")[0] for root in pairs[np.argmax(counts)])
    return f"; likeliest cause: {first} and {second} stand in each other ({data.ncon} touches in all)"


def forget_warnings() -> None:
    """Begin a tick."""
    _heard.clear()


class Lookout:
    """Looks after one state of a model.

    MuJoCo's own reset is off and its warnings are read: otherwise a bad state would silently start afresh.
    """

    def __init__(self, model: mj.MjModel, data: mj.MjData) -> None:
        self._model, self._data = model, data
        self._velocities, self._warned = data.qvel, data.warning.number

    def check(self) -> None:
        """Raise where a tick ended badly.

        Raises:
            Divergence: A coordinate stopped being a number or ran away.
            RunError: There were more contacts than there is memory for.
        """
        bad = int(_kernels.first_bad(self._velocities, _FASTEST))
        if bad >= 0 or np.count_nonzero(self._warned):
            _refuse(self._model, self._data, bad)


def _refuse(model: mj.MjModel, data: mj.MjData, bad: int) -> NoReturn:
    """Raise for a coordinate that is bad, -1 for none, or for what MuJoCo warned of."""
    first = _first_bad(model, bad)
    body = model.body(int(model.dof_bodyid[first])).name
    if bad >= 0:
        raise Divergence(body, float(data.time), f"reached a speed of {data.qvel[first]:g}")
    which = [mj.mjtWarning(int(i)) for i in np.flatnonzero(data.warning.number)]
    if any(warning in _FULL for warning in which):
        what = f"more touches at once than there is memory for{_most_touches(model, data)}"
        raise RunError(f"the physics broke off at {data.time:.3f} s: {what}")
    raise Divergence(body, float(data.time), f"raised {', '.join(warning.name for warning in which)}")


def _first_bad(model: mj.MjModel, bad: int) -> int:
    """The degree of freedom that went first: MuJoCo names it at once, a few substeps later all may be bad."""
    said = re.search(r"(QPOS)?\D*at DOF (\d+)", _heard[0]) if _heard else None
    if said is None:
        return max(bad, 0)
    number = int(said[2])
    if said[1]:
        joint = int(np.searchsorted(model.jnt_qposadr, number, side="right")) - 1
        number = int(model.jnt_dofadr[joint])
    return number
