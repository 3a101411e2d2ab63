"""The paper's own form of the muscles while a session runs: kL given, kH on the isoline of Eq. 3, on people's clips."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Contribution, Reference, Stateless
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.control.antagonistic import antagonist_from_low_gain
from poise.control.tension import Tension
from poise.math import quat
from poise.reproductions.alvarado2022.upright import held, off_after_nudge
from poise.reproductions.check import Trial, claim
from poise.reproductions.motion.clips import Source, sources
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, CharacterOptions, Session
from poise.world.scene import SceneSpec
from poise.world.view import WorldView

__all__ = ["CHECKS"]

Array = NDArray[np.float64]

_CLIPS = 16
_TENSIONS = (1.0, 3.0, 8.0)
_BEYOND = np.radians(10.0)
"""How far the ends of a pair lie beyond the joint's range [rad]."""
_SMALL = 1e-6
_EVERY, _TICKS, _LONG = 10, 60, 240
"""Which ticks are looked at, how many of a clip are played, and how many of a held pose: stiff pairs damp soft ones."""
_FIRM, _TURN, _SHARE = 8.0, np.radians(2.0), 0.3
"""Tension at which an elbow is turned [Hz], and how far at most [rad], by at most which share of its strength."""


def _some(trial: Trial) -> list[Source]:
    return [source for source in sources(quick=trial.quick) if "skinned" not in source.kind][:_CLIPS]


def _angles(plan: BodyPlan, coordinates: Array) -> Array:
    """Swings and twist of all joints [rad], shape (B-1, 3)."""
    return swing_twist_angles(anatomical(coordinates, plan.neutral[1:]))


def _jacobians(plan: BodyPlan, coordinates: Array) -> Array:
    """How they go with turns of the bodies in their own frames, shape (B-1, 3, 3)."""
    columns = []
    for axis in np.eye(3):
        there, back = (
            _angles(plan, quat.mul(coordinates, quat.exp(np.tile(sign * _SMALL * axis, (len(coordinates), 1)))))
            for sign in (1.0, -1.0)
        )
        columns.append(np.remainder(there - back + np.pi, 2.0 * np.pi) - np.pi)
    return np.stack(columns, axis=-1) / (2.0 * _SMALL)


def _ends(plan: BodyPlan) -> tuple[Array, Array]:
    """What pairs pull towards [rad], shape (B-1, 3) each."""
    limits = plan.limits[1:]
    return np.array([each.lower for each in limits]) - _BEYOND, np.array([each.upper for each in limits]) + _BEYOND


def isoline_error(session: Session, wanted: Array) -> float:
    """How far the gains at work are from Eq. 3's for their kL, as a share of kL + kH, where a pose was wanted, (B-1, 4)."""
    (reference,), (muscles,) = session.references, session.cast.controller.characters
    plan, pairs = reference.plan, muscles.pairs
    low, high = _ends(plan)
    angles = np.clip(_angles(plan, wanted), low + _BEYOND, high - _BEYOND)
    load = muscles.target(reference).load
    exerted = -np.linalg.solve(np.swapaxes(_jacobians(plan, wanted), 1, 2), load[..., None])[..., 0]
    at_work = pairs.low > 0.0
    if not at_work.any():
        return np.inf
    closed = antagonist_from_low_gain(pairs.low, low, high, angles, exerted)
    return float((np.abs(closed.high - pairs.high)[at_work] / (pairs.low + pairs.high)[at_work]).max())


@once
def _off_isoline(source: Source, frequency: float, muscles: Literal["springs", "pairs"]) -> float:
    """The worst of a clip that is played."""
    clip, _ = source.read()
    options = CharacterOptions(
        anchors=("left_upper_arm", "right_upper_arm"), tension=Tension(frequency=frequency, muscles=muscles)
    )
    who = Character.from_clip(clip, options)
    session, worst = Session({"person": who}, SceneSpec(floor=who.floor)), 0.0
    for tick in range(min(_TICKS, session.tick_count)):
        wanted = session.references[0].kinematic[7:].reshape(-1, 4).copy()
        session.tick()
        if tick % _EVERY == 0:
            worst = max(worst, isoline_error(session, wanted))
    return worst


@claim("muscles as pairs with kL given", off='Tension(muscles="springs")', cases=_CLIPS)
def on_isoline(trial: Trial) -> Row:
    """Largest distance of the gains of arms that follow their clips from the isoline, over clips and tensions."""
    muscles: Literal["springs", "pairs"] = "pairs" if trial.on else "springs"
    worst = max(_off_isoline(source, f, muscles) for source in _some(trial) for f in _TENSIONS)
    return Row(
        "alvarado2022/pairs-isoline",
        "In a running session with the paper's muscles, (kL, kH) of every swing and twist of the arms lie on the isoline that "
        "Eq. 3 draws through the pose that is meant and the load that acts there: clips at 1, 3 and 8 Hz, largest distance as "
        "a share of kL + kH, below a thousandth",
        None,
        worst,
        "",
        worst < 1e-3,
    )


@claim("pairs that carry the load", off='Tension(muscles="pairs", load="none")', cases=_CLIPS)
def same_pose(trial: Trial) -> Row:
    """Largest angle from a held pose after a nudge, over clips and tensions."""
    load: Literal["motion", "none"] = "motion" if trial.on else "none"
    found = [
        (off_after_nudge(source, Tension(frequency=f, muscles="pairs", load=load)), f"{source.name} at {f:g} Hz")
        for source in _some(trial)
        for f in (_TENSIONS[0], _TENSIONS[-1])
    ]
    worst, where = max(found)
    return Row(
        "alvarado2022/pairs-equilibrium",
        "With the paper's muscles, too, the pose does not depend on tension (Sec. 4.1): held and nudged as in `upright`, whole "
        f"body, reached again within 1°; worst {where}",
        None,
        worst,
        "°",
        worst < 1.0,
    )


class _Twists(Stateless):
    """A torque about a joint that lasts [N m], shape (3,)."""

    def __init__(self, joint: int, torque: Array) -> None:
        self.joint, self.torque = joint, torque

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """Push on."""
        wanted = Contribution(reference)
        wanted.force = np.zeros_like(reference.force)
        wanted.force[6 + 3 * self.joint : 9 + 3 * self.joint] = self.torque
        return wanted


@once
def _gives(source: Source, muscles: Literal["springs", "pairs"]) -> float:
    """How far an elbow turns under a torque about the axis it bends about, over what Eq. 3's kL + kH there foretell."""
    options = CharacterOptions(
        anchors=("left_forearm",), tension=Tension(frequency=_FIRM, muscles=muscles), self_contact=False, cutoff=None
    )
    who = Character.from_clip(replace(held(source), name=source.name), options)
    plan, setting = who.plan, SceneSpec(floor=None, gravity=0.0)
    joint = plan.with_role("left_forearm")[0] - 1
    session = Session({"person": who}, setting)
    (reference,) = session.references
    wanted = reference.kinematic[7:].reshape(-1, 4)
    low, high = _ends(plan)
    at, jacobian = np.clip(_angles(plan, wanted), low + _BEYOND, high - _BEYOND)[joint], _jacobians(plan, wanted)[joint]
    stiffness = (2.0 * np.pi * _FIRM) ** 2 * reference.inertias[joint]
    pair = antagonist_from_low_gain(0.5 * stiffness, low[joint], high[joint], at, 0.0)
    tensor = jacobian.T @ np.diag(pair.low + pair.high) @ jacobian
    bend = np.array([0.0, 1.0, 0.0])
    turn = min(_TURN, _SHARE * plan.strengths[joint + 1] / float(np.linalg.norm(tensor @ bend)))
    session.add_behavior("person", _Twists(joint, tensor @ (turn * bend)))
    recording = session.run(_LONG)
    here = recording.positions[-1, session.world.layout("person").positions][7:].reshape(-1, 4)[joint]
    return float(quat.angle_between(wanted[joint], here) / turn)


@claim("muscles as pairs with kL given", off='Tension(muscles="springs")', cases=_CLIPS)
def stiff_by_pose(trial: Trial) -> Row:
    """How far elbows give over what is foretold, the farthest from 1."""
    found = np.array([_gives(source, "pairs" if trial.on else "springs") for source in _some(trial)])
    worst = 100.0 * float(np.abs(found - 1.0).max())
    return Row(
        "alvarado2022/pairs-stiffness",
        "With kL given a joint is as stiff as its pose says, kL + kH = kL (θH − θL) / (θH − θkin) without a load (Eq. 3): "
        "an elbow in a pose of each clip gives way to a torque by what that foretells, within 5 %",
        None,
        worst,
        "%",
        worst < 5.0,
    )


CHECKS = (on_isoline, same_pose, stiff_by_pose)
