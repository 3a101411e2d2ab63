"""Fig. 4: what hangs and what follows the clip, for several anchors; and changing the anchor at run time.

The controller is off: no spring and no carried load. A passive chain without any friction would swing for ever, so each
released joint gets the damping, and nothing else, of a relaxed muscle (1 Hz, damping ratio 0.3), as tissue has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.reference import effective_inertias
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.layout import spin_slice
from poise.body.plan import BodyPlan
from poise.body.trajectory import Trajectory
from poise.characters.character import Character, CharacterOptions
from poise.control.tension import Tension
from poise.hybrid.partition import anchored, whole
from poise.io import read_clip
from poise.math import quat
from poise.motion.edit import loop
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.motion.clips import HELD_OUT, Source, data_folder
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime.session import Session
from poise.signals import Drive, Effort, Mode
from poise.world.dynamics import CharacterDynamics
from poise.world.scene import SceneSpec, build_world
from poise.world.world import World

__all__ = ["hanging_below", "kinematic_above", "state_unchanged", "subtree_size", "velocity_continuous"]

Array = NDArray[np.float64]

ANCHORS = (
    ("left_clavicle",),
    ("left_upper_arm",),
    ("left_forearm",),
    ("left_hand",),
    ("right_upper_arm",),
    ("left_upper_arm", "right_upper_arm"),
    ("left_forearm", "right_hand"),
    ("left_clavicle", "right_clavicle"),
    ("head",),
    ("neck",),
    ("spine",),
    ("left_thigh",),
)
"""Anchors as in Fig. 4, on one side, the other, and both; head, neck, spine and hip."""
_SETS = 2
"""Of anchors by which each person hangs."""
_RELAXED = Tension(frequency=1.0, damping_ratio=0.3)
_SUBSTEP, _ROWS = 1.0 / 480.0, 8
_AT_REST = 1e-4
"""Speed [rad/s] below which the chain counts as hanging."""
_POSE = {"upper_arm": (75.0, -20.0, 0.0), "forearm": (0.0, -40.0, 0.0), "hand": (20.0, 0.0, 0.0)}
"""Rotation vectors [degrees] of the left side from the neutral pose: arms raised sideways, elbows and wrists bent."""


@dataclass(frozen=True, eq=False)
class Hung:
    """A character before and after its released part has come to rest.

    Args:
        plan: The character.
        modes: Who moves each joint, shape (B,).
        counted: Joints of the world that are dynamic.
        before: Body frames of the kinematic pose.
        after: Body frames at rest.
    """

    plan: BodyPlan
    modes: NDArray[np.int64]
    counted: int
    before: BodyFrames
    after: BodyFrames


@cache
def _walker() -> Character:
    clip = loop(read_clip(clip_path("walk")), 2)
    return Character.from_clip(clip, CharacterOptions(self_contact=False))


@cache
def _person(source: Source | None) -> Character:
    """Somebody whom nothing was tuned on; the shipped walker for None."""
    return _walker() if source is None else Character.from_clip(source.read()[0], CharacterOptions(self_contact=False))


def _cases(trial: Trial) -> list[tuple[Source | None, tuple[str, ...]]]:
    """Whose body hangs and by what: other people, each by two sets that it has; for a sample the shipped walker by all."""
    if trial.quick or data_folder() is None:
        return [(None, anchors) for anchors in ANCHORS]
    cases = list[tuple[Source | None, tuple[str, ...]]]()
    for number, source in enumerate(HELD_OUT):
        plan = _person(source).plan
        own = [anchors for anchors in ANCHORS if all(plan.with_role(role) for role in anchors)]
        cases += [(source, own[(_SETS * number + k) % len(own)]) for k in range(_SETS)]
    return cases


def _raised(plan: BodyPlan) -> Array:
    """Generalized positions of the neutral pose with raised and bent arms, shape (nq,)."""
    coordinates = np.tile(quat.IDENTITY, (len(plan), 1))
    coordinates[0] = plan.neutral[0]
    for side, mirror in (("left", (1.0, 1.0, 1.0)), ("right", (-1.0, 1.0, -1.0))):
        for part, turn in _POSE.items():
            body = plan.with_role(f"{side}_{part}")[0]
            neutral = plan.neutral[body]
            rotation = quat.exp(np.radians(turn) * mirror)
            coordinates[body] = quat.mul(quat.conj(neutral), quat.mul(rotation, neutral))
    return np.concatenate([[0.0, 0.0, 1.0], coordinates.ravel()])


@once
def _hang(
    anchors: tuple[str, ...],
    seconds: float = 30.0,
    *,
    source: Source | None = None,
    armature: float | None = None,
    muscles: bool = False,
) -> Hung:
    """Release what lies below the anchors and wait, with a rotor inertia of what follows the clip, and with muscles."""
    walker = _person(source)
    plan, positions = walker.plan, _raised(walker.plan)
    setting = SceneSpec(floor=None, apart={"person": walker.apart})
    world = build_world({"person": plan}, setting, _SUBSTEP, armature=armature)
    layout = world.layout("person")
    modes = anchored(plan, anchors, Mode.TORQUE if muscles else Mode.PASSIVE)
    world.cut.assign(layout.joints, modes)
    world.place("person", positions)
    drive = Drive(np.tile(positions, (_ROWS, 1)))
    effort = _effort(plan, positions) if muscles else _friction(world, plan)
    for _ in range(round(seconds / (_ROWS * _SUBSTEP))):
        world.step(drive, effort)
        if np.abs(world.state().velocities).max() < _AT_REST:
            break
    counted = int(np.count_nonzero(world.cut.modes != Mode.MOTION))
    return Hung(plan, modes, counted, body_frames(plan, positions), body_frames(plan, world.state().positions))


def _friction(world: World, plan: BodyPlan) -> Effort:
    """Damping of relaxed muscles, without spring or load."""
    matrix = CharacterDynamics(plan).mass_matrix(_raised(plan))
    inertias = np.array([np.diag(matrix)[spin_slice(body)].max() for body in range(1, len(plan))])
    controls = np.tile(quat.IDENTITY, (_ROWS, len(plan) - 1))
    slack = np.zeros(len(plan) - 1)
    return Effort(slack, _RELAXED.gains(inertias).damping, controls, np.zeros(len(world.state().velocities)))


def _effort(plan: BodyPlan, positions: Array) -> Effort:
    """Muscles that hold the pose."""
    gains = Tension().gains(effective_inertias(CharacterDynamics(plan), len(plan)))
    controls = np.tile(positions[7:], (_ROWS, 1))
    load = CharacterDynamics(plan).load(positions)
    load[:6] = 0.0
    return Effort(*gains, controls, load)


@claim("the rotor inertia of what follows the clip", off="build_world(armature=1.0)", cases=_SETS * len(HELD_OUT))
def kinematic_above(trial: Trial) -> Row:
    """Largest difference between the kinematic pose and the bodies above the anchors."""
    worst = 0.0
    for source, anchors in _cases(trial):
        hung = _hang(anchors, source=source) if trial.on else _hang(anchors, 2.0, source=source, armature=1.0)
        above = hung.modes == Mode.MOTION
        moved = np.abs(hung.after.positions - hung.before.positions)[0, above].max()
        turned = quat.angle_between(hung.before.rotations, hung.after.rotations)[0, above].max()
        worst = max(worst, float(moved), float(turned))
    return Row(
        "alvarado2022/fig4-above",
        f"Bones above the anchor keep the kinematic pose while the rest falls (Fig. 4); {len(_cases(trial))} bodies and sets "
        "of anchors, largest displacement or turn",
        None,
        worst,
        "m or rad",
        worst < 1e-9,
    )


@claim("nobody moves what is below the anchor", off="Mode.TORQUE below the anchor", cases=_SETS * len(HELD_OUT))
def hanging_below(trial: Trial) -> Row:
    """Largest angle from the vertical of the released upper arms, forearms and hands."""
    worst = 0.0
    for source, anchors in _cases(trial):
        hung = _hang(anchors, source=source) if trial.on else _hang(anchors, 2.0, source=source, muscles=True)
        for part in ("upper_arm", "forearm", "hand"):
            for body in hung.plan.with_role(f"left_{part}", f"right_{part}"):
                if hung.modes[body] != Mode.MOTION:
                    worst = max(worst, _from_vertical(hung, body))
    return Row(
        "alvarado2022/fig4-hang",
        "Limbs below the anchor hang under their own weight (Fig. 4): upper arms, forearms and hands within 2° of the "
        "vertical; controller and self-contact off, damping of a relaxed muscle",
        None,
        worst,
        "°",
        worst < 2.0,
    )


def _from_vertical(hung: Hung, body: int) -> float:
    """Angle [°] between down and the way from a body's joint to the next one, or to its centre of mass at the end."""
    children = np.flatnonzero(hung.plan.parents == body)
    local = hung.plan.offsets[children[0]] if len(children) else hung.plan.centres[body]
    along = quat.rotate(hung.after.rotations[0, body], local / np.linalg.norm(local))
    return float(np.degrees(np.arctan2(np.hypot(along[0], along[1]), -along[2])))


@claim("anchors", off="no anchor", cases=_SETS * len(HELD_OUT))
def subtree_size(trial: Trial) -> Row:
    """Largest difference between the world's dynamic joints and the bones at and below the anchors."""
    worst = 0
    for source, anchors in _cases(trial):
        plan = _person(source).plan
        below = {j for role in anchors for j in plan.skeleton.descendants(plan.roles.joints(role)[0])}
        expected = len(below & {int(j) for j in plan.joints})
        worst = max(
            worst,
            abs((_hang(anchors, source=source) if trial.on else _hang((), 0.1, source=source)).counted - expected),
        )
    return Row(
        "alvarado2022/fig4-count",
        "Physics takes control from the anchor down the hierarchy (Sec. 3, Fig. 4): dynamic bodies as many as the bones below",
        None,
        float(worst),
        "bodies",
        worst == 0,
    )


@invariant(
    "modes are one array",
    broken="the pose is set again at each change, as the authors' code does",
    cases=3 * len(ANCHORS),
)
def state_unchanged(trial: Trial) -> Row:
    """Largest change of any position or velocity when the anchor changes during a walk."""
    session = Session({"person": _walker()}, SceneSpec(floor=None))
    worst = 0.0
    for anchors in ANCHORS:
        for mode in (Mode.PASSIVE, Mode.TORQUE, Mode.MOTION):
            session.run(5)
            before = session.world.state()
            session.set_mode("person", anchors, mode)
            if trial.off:
                session.world.place("person", before.positions)
            after = session.world.state()
            worst = max(worst, float(np.abs(after.positions - before.positions).max()))
            worst = max(worst, float(np.abs(after.velocities - before.velocities).max()))
    return Row(
        "alvarado2022/anchor-state",
        "The anchor changes at run time (Secs. 3 and 5.4) with pose and velocity unchanged; the authors' code resets both. "
        f"Largest change over {3 * len(ANCHORS)} switches during a walk",
        None,
        worst,
        "m, rad or /s",
        worst == 0.0,
    )


@invariant("modes are one array", broken="what is released begins at rest, as in the authors' code", cases=2)
def velocity_continuous(trial: Trial) -> Row:
    """Acceleration just after a release, with a substep of 2 ms relative to one of 0.5 ms."""
    coarse, fine = (_release_acceleration(substep, at_rest=trial.off) for substep in (2e-3, 5e-4))
    ratio = coarse / fine
    return Row(
        "alvarado2022/anchor-velocity",
        "Velocity goes on without a jump after an anchor change: the acceleration of the first substep is the same for "
        "substeps of 2 and 0.5 ms (a jump would give 0.25)",
        None,
        ratio,
        "",
        abs(ratio - 1.0) < 0.1,
    )


def _release_acceleration(substep: float, *, at_rest: bool) -> float:
    """Largest acceleration [rad/s²] of the arms in the first substep after they were released in the middle of a walk."""
    walker = _walker()
    plan = walker.plan
    trajectory, released = Trajectory(plan, walker.clip), 0.5
    world = build_world({"person": plan}, SceneSpec(floor=None, apart={"person": walker.apart}), substep)
    layout = world.layout("person")
    world.cut.assign(layout.joints, whole(plan, Mode.MOTION))
    start = trajectory.moment(released - 0.02)
    world.place("person", start.positions, start.velocities)
    rows = np.zeros((round(0.02 / substep) + 1, plan.position_count))
    trajectory.rows(released - 0.02 + substep * np.arange(1.0, len(rows) + 1), rows)
    world.step(Drive(rows[:-1]))
    modes = anchored(plan, ["left_upper_arm", "right_upper_arm"], Mode.PASSIVE)
    world.cut.assign(layout.joints, modes)
    before = world.state().velocities
    if at_rest:
        world.place("person", world.state().positions)
    world.step(Drive(rows[-1:]))
    freed = np.repeat(modes[1:] != Mode.MOTION, 3)
    change = (world.state().velocities - before)[6:][freed]
    return float(np.abs(change).max() / substep)
