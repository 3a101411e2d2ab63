"""Standing while the arms move: Fig. 6, the sharper trunk of Sec. 3.5, fat and thin (Sec. 3.4), and looking ahead (Sec. 4)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.balance import Balance, BalanceOptions
from poise.body.coordinates import body_frames
from poise.characters.gesture_clips import gesturing
from poise.characters.standing import standing_clip
from poise.controllers.coupling import Coupler
from poise.hybrid.coupling import Coupling, CouplingOptions
from poise.io import read_clip
from poise.math import quat
from poise.reproductions.check import Trial, claim, invariant, open_row
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row
from poise.reproductions.vanwelbergen2009.standing import NAME, Stood, follow, stand, swings
from poise.runtime import Session
from poise.scenes.mixed import CLAPS, SWING, mixed_character
from poise.signals import Mode
from poise.world import SceneSpec

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_SHARP = 3.0
"""Above which a movement counts as sharp [Hz]."""
_MINUTE = 60.0


@cache
def swung(preview: float = 0.0) -> Stood:
    """Fig. 6: both arms swing up, stay and swing back."""
    return stand(6.0, BalanceOptions(preview=preview), movement=gesturing(SWING))


@cache
def weightless() -> Stood:
    """The same with arms that weigh nothing."""
    character = mixed_character(standing_clip(read_clip(clip_path("walk")), 6.0, 60.0, gesturing(SWING)))
    balance = Balance()
    session = Session({NAME: character}, SceneSpec(floor=character.floor), behaviors={NAME: [balance]})
    session.world.before_substep.append(Coupler(session.world, NAME, CouplingOptions(mode=Coupling.NONE)))
    return follow(session, balance)


@cache
def clapped(coupling: Coupling) -> Stood:
    """Clapping at 120 ticks per second, with the arms felt in full, or by their weight and place alone."""
    character = mixed_character(standing_clip(read_clip(clip_path("walk")), 6.0, 120.0, gesturing(CLAPS)))
    balance = Balance()
    session = Session({NAME: character}, SceneSpec(floor=character.floor), behaviors={NAME: [balance]})
    if coupling is not Coupling.EXACT:
        session.world.before_substep.append(Coupler(session.world, NAME, CouplingOptions(mode=coupling, k=0.0)))
    return follow(session, balance)


def _positions(stood: Stood, role: str) -> Array:
    plan = stood.balance.body.plan
    layout = stood.session.world.layout(NAME)
    frames = body_frames(plan, stood.recording.positions[:, layout.positions])
    return np.asarray(frames.positions[:, plan.with_role(role)[-1]])


@claim("the exact coupling", off="CouplingOptions(mode='none')")
def opposite(trial: Trial) -> Row:
    """Correlation of the trunk's acceleration with the hands' relative to it, forward, over the swing."""
    run = swung() if trial.on else weightless()
    chest = _positions(run, "spine")
    hand = 0.5 * (_positions(run, "left_hand") + _positions(run, "right_hand")) - chest
    rate = 1.0 / run.session.clock.tick
    during = slice(round(2.0 * rate), round(2.5 * rate))
    trunk, arms = (np.gradient(np.gradient(path[:, 0]))[during] for path in (chest, hand))
    together = float(np.corrcoef(trunk, arms)[0, 1])
    return Row(
        "vanwelbergen2009/trunk-opposite",
        "Under a large arm swing the trunk moves against the arms' acceleration (Fig. 6): correlation below -0.5",
        None,
        together,
        "1",
        together < -0.5,
    )


@invariant("joints that follow the clip", broken="legs, which are physical, are counted as well")
def arms_exact(trial: Trial) -> Row:
    """Largest angle between a kinematic joint and its drive."""
    run = swung()
    layout = run.session.world.layout(NAME)
    modes = run.session.world.cut.modes[layout.joints]
    kinematic = np.flatnonzero((modes == Mode.MOTION) | (trial.off & (modes == Mode.TORQUE)))
    rows = [rows[:, layout.positions] for rows in (run.recording.positions, run.recording.kinematic)]
    now, wanted = (row[:, 3:].reshape(len(row), -1, 4)[:, kinematic] for row in rows)
    worst = float(np.linalg.norm(quat.log(quat.mul(quat.conj(wanted), now)), axis=-1).max())
    return Row(
        "vanwelbergen2009/arms-exact",
        "The arms are where their animation has them (Sec. 1) to 1e-9 rad while the body sways",
        None,
        worst,
        "rad",
        worst < 1e-9,
    )


def _sharpness(stood: Stood) -> float:
    """Power of the chest's acceleration above 3 Hz [m²/s⁴]."""
    tick = stood.session.clock.tick
    chest = _positions(stood, "spine")[round(1.5 / tick) :]
    acceleration = np.diff(chest, 2, axis=0) / tick**2
    spectrum = np.abs(np.fft.rfft(acceleration - acceleration.mean(axis=0), axis=0)) ** 2 / len(acceleration) ** 2
    return float(2.0 * spectrum[np.fft.rfftfreq(len(acceleration), tick) > _SHARP].sum())


@claim("the dynamic part of the reaction", off="CouplingOptions(mode='composite', k=0)")
def sharper(trial: Trial) -> Row:
    """Power of the trunk's acceleration above 3 Hz with the arms felt, over that with their place alone."""
    ratio = _sharpness(clapped(Coupling.EXACT if trial.on else Coupling.COMPOSITE)) / _sharpness(
        clapped(Coupling.COMPOSITE)
    )
    return Row(
        "vanwelbergen2009/sharper",
        "Clapping moves the trunk more sharply than a balance of the centre of mass alone does (Sec. 3.5): power above 3 Hz, "
        "as a ratio",
        None,
        ratio,
        "1",
        ratio > 1.0,
    )


@claim("the paper's multiplier", off="BalanceOptions(multiplier=0.05)", cases=2)
def fat_and_thin(trial: Trial) -> Row:
    """Time that bodies of 0.7 and 1.5 times the mass stand with the paper's balance and one multiplier."""
    options = BalanceOptions(law="printed", multiplier=1.5 if trial.on else 0.05, steps=0)
    times = []
    for mass in (0.7, 1.5):
        run = stand(_MINUTE, options, movement=swings, mass=mass)
        fallen = [event.time for event in run.events if event.kind == "fell"]
        times.append(min([*fallen, _MINUTE]))
    return Row(
        "vanwelbergen2009/fat-thin",
        "One stiffness multiplier suits a fat and a thin body (Sec. 3.4): the paper's law with s = 1.5 keeps 0.7 and 1.5 times "
        "the mass standing for 60 s, arms swinging every four seconds",
        None,
        min(times),
        "s",
        min(times) >= _MINUTE,
    )


def _sway(stood: Stood) -> Array:
    """Forward displacement of the centre of mass from its rest, over the first swing and what leads up to it."""
    rate = 1.0 / stood.session.clock.tick
    return np.asarray(stood.centre[: round(3.2 * rate), 0] - stood.centre[round(rate), 0])


@claim("balance that looks ahead", off="BalanceOptions(preview=0)")
def less_sway(trial: Trial) -> Row:
    """Peak sway with the coming second known, as a share of that without."""
    knowing, reacting = (float(np.abs(_sway(swung(ahead))[60:]).max()) for ahead in (float(trial.on), 0.0))
    share = 100.0 * knowing / reacting
    return Row(
        "vanwelbergen2009/anticipation-sway",
        "Balance that knows the coming second of the arms sways at most two thirds as far as one that reacts (Sec. 4's open "
        "problem)",
        None,
        share,
        "%",
        share <= 200.0 / 3.0,
    )


@claim("balance that looks ahead", off="BalanceOptions(preview=0)")
def ahead(trial: Trial) -> Row:
    """How long before the peak of the arms' acceleration the centre of mass has left its rest by a tenth of its peak."""
    run = swung(float(trial.on))
    tick = run.session.clock.tick
    way = _sway(run)
    hand = 0.5 * (_positions(run, "left_hand") + _positions(run, "right_hand")) - _positions(run, "spine")
    pull = np.linalg.norm(np.gradient(np.gradient(hand, axis=0), axis=0), axis=1)[: len(way)]
    begins = 60 + int(np.flatnonzero(np.abs(way[60:]) > 0.1 * np.abs(way[60:]).max())[0])
    lead = float(np.argmax(pull) - begins) * tick
    return Row(
        "vanwelbergen2009/anticipation-lead",
        "It moves before the swing: the centre of mass is on its way more than 0.1 s before the arms' peak acceleration",
        None,
        lead,
        "s",
        lead > 0.1,
    )


def _slid(feet: Literal["friction", "glued", "planted"]) -> float:
    """How far feet get from where they stood after a second, over a minute of swinging arms [m]."""
    run = stand(_MINUTE, BalanceOptions(feet=feet), movement=swings)
    return float(np.linalg.norm((run.feet[60:] - run.feet[60])[..., :2], axis=-1).max())


@open_row("friction", aim="that it falls without friction, for which there is no option yet")
def slip(trial: Trial) -> Row:
    """How far the feet slide on friction alone."""
    worst = 100.0 * _slid("friction")
    return Row(
        "vanwelbergen2009/feet-friction",
        "Feet drift little on friction alone (Sec. 3.3; the paper: visible after more than an hour): less than 3 cm in a "
        "minute of swinging arms",
        None,
        worst,
        "cm",
        worst < 3.0,
    )


@claim("welds that never let go", off="BalanceOptions(feet='friction')")
def glued(trial: Trial) -> Row:
    """How far glued feet move."""
    worst = 100.0 * _slid("glued" if trial.on else "friction")
    return Row(
        "vanwelbergen2009/feet-glued",
        "Constraints that glue the feet prevent them from moving completely (Sec. 3.3): less than 0.2 mm in a minute, "
        "which no picture shows (and 1 mm in ten, a slow test)",
        None,
        worst,
        "cm",
        worst < 0.02,
    )


@claim("welds that let go of a foot for its step", off="BalanceOptions(feet='friction')")
def planted(trial: Trial) -> Row:
    """How far feet move that are welded while they stand."""
    worst = 100.0 * _slid("planted" if trial.on else "friction")
    return Row(
        "vanwelbergen2009/feet-planted",
        "Feet welded while they stand and let go for a step move less than 0.2 mm in a minute (1 cm in ten, a slow test; ours)",
        None,
        worst,
        "cm",
        worst < 0.02,
    )


def picture(folder: Path) -> Path:
    """Fig. 6 as curves: where the centre of mass goes with and without looking ahead, and the arms' acceleration."""
    sheet, ((sway, arms),) = figure("An arm swing", 1, 2, size=(9.0, 4.0))
    for label, preview in (("reacting", 0.0), ("knowing the next second", 1.0)):
        run = swung(preview)
        way = _sway(run)
        sway.plot(run.times[: len(way)], 1000.0 * way, label=label)
        chest = _positions(run, "spine")[: len(way), 0]
        arms.plot(run.times[: len(way)], 100.0 * (chest - chest[60]), label=label)
    sway.set_ylabel("centre of mass forward [mm]")
    arms.set_ylabel("chest forward [cm]")
    for axes in (sway, arms):
        axes.set_xlabel("time [s]")
        axes.set_xlim(1.0, 3.2)
        axes.legend()
    return save_figure(sheet, folder, "vanwelbergen2009_balance")


CHECKS = (opposite, arms_exact, sharper, fat_and_thin, less_sway, ahead, slip, glued, planted)
