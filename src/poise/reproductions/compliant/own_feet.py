"""Rows about a root that is physical: it stands on the ground alone, and comes to that and back without a jump."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.push import Push
from poise.characters.in_place import cycled
from poise.control.balance import CarriedBody
from poise.control.root import Root, RootDrive, Standing
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import PARTS
from poise.reproductions.motion.clips import Source, sources
from poise.reproductions.row import Row
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes.bounded import at_ease, standing
from poise.world import SceneSpec

__all__ = ["CHECKS", "Switched", "owed", "switched"]

Array = NDArray[np.float64]

_COUNT = 40
_IMPULSES, _LASTS = (5.0, 30.0), 0.1
"""Of pushes at who stands, at least and at most [N s], and how long each lasts [s]."""
_STOOD, _LONG, _MOST_OWED = 1.5, 4.0, 1.0
"""When who stands is looked at first, and how long it is played [s]; of the weight that may come from elsewhere [%]."""
_ASKED, _WAITS, _STANDS, _GOES = 0.7, 8.0, 1.5, 0.5
"""When a clip's root is to be physical, until when it is waited for, how long it stands and how long it is played then [s]."""
_SHIFT, _JUMP, _WEIGHT = 1e-3, 2.0, 0.03
"""Least that shows: pelvis beside where it was going [m], joints' change of speed in a tick [rad/s], and of the weight."""
_SHARE = 75.0
"""Of clips [%]; some do not stand at all, but lie, sit, or stumble."""
_ROUGH = RootDrive(standing=Standing(over=0.5, reaches=1.0, shifts=0.0, presses=0.0))
"""Legs are given to physics wherever mass and soles are."""


def _upward(session: Session) -> float:
    """Impulse that the ground gave the only character in the last tick, upward [N s]."""
    contacts, names = session.contacts, session.world.geom_names
    signs = np.array([(names[one] == "ground") * 1.0 - (names[other] == "ground") for one, other in contacts.pairs])
    return float(np.sum(signs * contacts.impulse * contacts.normal[:, 2])) if len(signs) else 0.0


def owed(seed: int, root: Root) -> float:
    """Share of the weight of one who is pushed that neither ground nor falling accounts for, most in 0.1 s until a fall [%]."""
    rng = np.random.default_rng(seed)
    angle, impulse, part = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(*_IMPULSES), PARTS[rng.integers(len(PARTS))]
    force = impulse / _LASTS * np.array([np.cos(angle), np.sin(angle), 0.0])
    who = standing(at_ease(), _LONG, CharacterOptions(root=root))
    session = Session({"who": who}, SceneSpec(floor=who.floor), behaviors={"who": [Push(force, 2.0, _LASTS, part)]})
    tick, body = session.clock.tick, CarriedBody(who.plan)
    session.run(round(_STOOD / tick))
    missing = []
    rose = body.measure(session.world.positions, session.world.velocities).velocity[2]
    for _ in range(round((_LONG - _STOOD) / tick)):
        session.tick()
        if session.roots["who"].state.fell:
            break
        rises = body.measure(session.world.positions, session.world.velocities).velocity[2]
        missing.append(body.mass * (rises - rose + SceneSpec.gravity * tick) - _upward(session))
        rose = rises
    window = np.convolve(missing, np.ones(6), "valid") / (6.0 * tick)
    return 100.0 * float(np.abs(window).max()) / (body.mass * SceneSpec.gravity)


@claim("a body that stands by its own strength", off='CharacterOptions(root="compliant")', cases=_COUNT)
def stands_on_the_ground(trial: Trial) -> Row:
    """Largest share of the weight that something else than the ground carries."""
    root: Root = "physical" if trial.on else "compliant"
    most = max(owed(seed, root) for seed in trial.seeds(_COUNT))
    return Row(
        "compliant/physical-ground",
        "Nothing but the ground and weight moves a body up or down whose root is physical, pushed level with "
        f"{_IMPULSES[0]:g} to {_IMPULSES[1]:g} N s at any part from any side: largest share of its weight that comes from "
        f"elsewhere, at most {_MOST_OWED:g} %",
        None,
        most,
        "%",
        most <= _MOST_OWED,
    )


class Switched(NamedTuple):
    """What came of a clip whose root is to be physical and then to yield again.

    Args:
        stands: Whether it came to stand, and the ground carried its weight.
        shift: How far the pelvis went beside where it was going, in the worse of the two first ticks [m].
        jump: How much a joint changed its speed there, beyond what the clip's own do [rad/s].
    """

    stands: bool
    shift: float
    jump: float


def switched(source: Source, drive: RootDrive) -> Switched:
    """Let a clip's root be physical and yield again."""
    clip, mesh = source.read()
    if source.kind.startswith(("walk", "run", "limp")):
        clip = cycled(clip, max(1, int(np.ceil(_WAITS / clip.duration))))[0]
    who = Character.from_clip(clip, CharacterOptions(root="compliant", root_drive=drive), mesh)
    session = Session({"who": who}, SceneSpec(floor=who.floor))
    root, tick = session.roots["who"], session.clock.tick

    def played_until(physical: bool, latest: float) -> int:
        while root.is_physical is not physical and session.count * tick < latest:
            session.tick()
        return session.count

    session.run(round(_ASKED / tick))
    session.set_root("who", "physical")
    on = played_until(True, _WAITS)
    if not root.is_physical:
        return Switched(False, np.inf, np.inf)
    given = []
    for _ in range(round(_STANDS / tick)):
        session.tick()
        given.append(_upward(session))
    if root.state.fell:
        return Switched(False, np.inf, np.inf)
    session.set_root("who", "compliant")
    off = played_until(False, _WAITS + 4.0)
    recording = session.run(round(_GOES / tick))
    carried = float(np.mean(given[len(given) // 2 :])) / (tick * who.plan.total_mass * SceneSpec.gravity)
    columns = session.layouts[0]
    places = recording.positions[:, columns.positions][:, :3]
    shifts = np.linalg.norm(np.diff(places, n=2, axis=0), axis=1)
    speeds = recording.velocities[:, columns.velocities][:, 6:]
    jumps = np.linalg.norm(np.diff(speeds, axis=0).reshape(len(speeds) - 1, -1, 3), axis=2).max(axis=1)
    own = float(jumps[: round(_ASKED / tick)].max())
    jump = max(float(jumps[at - 1 : at + 1].max()) for at in (on, off)) - own
    return Switched(abs(carried - 1.0) < _WEIGHT, max(float(shifts[at - 2]) for at in (on, off)), jump)


@claim(
    "a body that is put over its feet before physics has it",
    off="Standing(over=0.5, reaches=1, shifts=0, presses=0)",
    cases=27,
)
def comes_and_goes(trial: Trial) -> Row:
    """Share of clips that come to stand and go on without a jump."""
    drive = RootDrive() if trial.on else _ROUGH
    found = [switched(source, drive) for source in sources(quick=trial.quick)]
    share = 100.0 * float(np.mean([each.stands and each.shift < _SHIFT and each.jump < _JUMP for each in found]))
    return Row(
        "compliant/physical-switch",
        f"Clips whose root becomes physical come to stand, the ground carries their weight within {100.0 * _WEIGHT:g} %, and "
        f"they yield again, all without a jump (pelvis under 1 mm, joints under {_JUMP:g} rad/s beyond the clip's own): share "
        f"of {len(found)}, at least {_SHARE:g} %",
        None,
        share,
        "%",
        share >= _SHARE,
    )


CHECKS = (stands_on_the_ground, comes_and_goes)
