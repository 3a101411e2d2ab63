"""Seeded pushes of people who stand, walk and run, and what came of them."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.push import Push
from poise.body.capsules import sole_points
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.characters.in_place import cycled
from poise.control.root import RootDrive
from poise.math import quat
from poise.metrics import ground_reaction, support_margin
from poise.report.measured import moving_bodies
from poise.reproductions.motion.clips import Source, sources
from poise.reproductions.once import once
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes.bounded import at_ease, standing
from poise.world import SceneSpec

__all__ = ["PARTS", "Drawn", "Way", "draw", "drawn", "person", "person_who", "walks"]

Array = NDArray[np.float64]
Way = Literal["on", "kinematic", "soft", "limp"]
"""As the product is; a root that follows the clip; one that is hardly led home; one that nothing holds upright."""

PARTS = ("pelvis", "spine", "left_upper_arm", "right_upper_arm", "left_hand", "right_hand")
"""What is pushed, at random."""
_LASTS = 0.1
"""How long a push lasts [s]."""
_BEGINS, _LONG = (0.5, 1.5), 4.0
"""When a push begins at the earliest and the latest, and how long is played [s]."""
_GIVES, _BACK = 0.3, 1.5
"""How long after a push one is to have given way, and to be back [s]."""
_DOWN, _OVER = 0.6, 60.0
"""Down is who has the pelvis at less than this share of the clip's height, or the trunk so far over [degrees]."""
_FRICTION, _BEYOND, _SOLE = 0.8, 0.03, 0.03
"""Of soles on the ground, how far beyond them pressure may lie, and at what height a sole counts as on the ground [m]."""
_WINDOW, _CARRIED = 0.1, 0.2
"""Over what time the ground's force is meant [s], and at what share of the weight a body is in flight."""
_OPTIONS: dict[Way, CharacterOptions] = {
    "on": CharacterOptions(root="compliant"),
    "kinematic": CharacterOptions(root="kinematic"),
    "soft": CharacterOptions(root="compliant", root_drive=RootDrive(planar=0.1)),
    "limp": CharacterOptions(root="compliant", root_drive=RootDrive(torque=0.0)),
}


class Drawn(NamedTuple):
    """What came of a push.

    Args:
        gives: Farthest that the pelvis is from its motion, level, until 0.3 s after the push [m].
        left: How far it still is 1.5 s after the push [m].
        down: Whether the body went down.
        honest: Share of ticks, but for those of the push and of flight, in which the ground could exert what it would take.
        source: The same share of the clip's own motion.
    """

    gives: float
    left: float
    down: bool
    honest: float
    source: float


def walks(*, quick: bool) -> tuple[Source, ...]:
    """The walks and runs."""
    return tuple(source for source in sources(quick=quick) if source.kind.startswith(("walk", "run", "limp")))


@cache
def person(source: Source | None, way: Way = "on") -> Character:
    """Who walks or runs as in a clip, or stands at ease, by a root in one way."""
    return person_who(source, _OPTIONS[way], _LONG)


def person_who(source: Source | None, options: CharacterOptions, lasts: float) -> Character:
    """The same with any options, for so long [s] at least."""
    if source is None:
        return standing(at_ease(), lasts + 1.0, options)
    clip, mesh = source.read()
    times = int(np.ceil(lasts / clip.duration))
    return Character.from_clip(cycled(clip, times)[0] if times > 1 else clip, options, mesh)


@once
def drawn(source: Source | None, seed: int, impulse: float, way: Way = "on") -> Drawn:
    """Push a person of a clip, None for one who stands, with an impulse [N s] from a seeded side, part and time."""
    return draw(person(source, way), seed, impulse)


def draw(who: Character, seed: int, impulse: float) -> Drawn:
    """The same for any character."""
    rng = np.random.default_rng(seed)
    angle, part, begin = rng.uniform(0.0, 2.0 * np.pi), PARTS[rng.integers(len(PARTS))], rng.uniform(*_BEGINS)
    force = impulse / _LASTS * np.array([np.cos(angle), np.sin(angle), 0.0])
    pushes = {"who": [Push(force, begin, _LASTS, part)]}
    session = Session({"who": who}, SceneSpec(floor=who.floor), behaviors=pushes)
    recording = session.run(round(_LONG / session.clock.tick))
    columns, times = session.layouts[0].positions, recording.times
    real, meant = (body_frames(who.plan, rows[:, columns]) for rows in (recording.positions, recording.source))
    away = np.linalg.norm((real.positions - meant.positions)[:, 0, :2], axis=1)
    end = begin + _LASTS
    pushed = (times > begin - _WINDOW) & (times < end + _WINDOW)
    return Drawn(
        float(away[(times >= begin) & (times <= end + _GIVES)].max()),
        float(away[min(int(np.searchsorted(times, end + _BACK)), len(away) - 1)]),
        _down(who, real, meant),
        *(_honest(who.plan, frames, 1.0 / recording.tick, who.floor, pushed) for frames in (real, meant)),
    )


def _down(who: Character, real: BodyFrames, meant: BodyFrames) -> bool:
    chest = max(who.plan.with_role("spine"), default=0)
    heights = real.positions[:, 0, 2] - who.floor, meant.positions[:, 0, 2] - who.floor
    over = quat.angle_between(real.rotations[:, chest], meant.rotations[:, chest])
    return bool((heights[0] < _DOWN * heights[1]).any() or (over > np.radians(_OVER)).any())


def _honest(plan: BodyPlan, frames: BodyFrames, rate: float, floor: float, pushed: NDArray[np.bool_]) -> float:
    """Share of ticks in which planted feet could exert what the motion takes of the ground."""
    bodies = moving_bodies(plan, np.arange(len(pushed)) / rate, frames)
    force, centre = ground_reaction(bodies, rate, floor, window=_WINDOW)
    soles = sole_points(plan, frames)
    on_ground = soles[..., 2] - floor < _SOLE
    weight = plan.total_mass * SceneSpec.gravity
    counts = (force[:, 2] > _CARRIED * weight) & on_ground.any(axis=1) & ~pushed
    slides = np.linalg.norm(force[:, :2], axis=1) > _FRICTION * force[:, 2]
    inside = support_margin(centre, soles, on_ground) >= -_BEYOND
    ends = round(_WINDOW * rate) + 1
    counts[:ends] = counts[-ends:] = False
    return float((inside & ~slides)[counts].mean()) if counts.any() else 1.0
