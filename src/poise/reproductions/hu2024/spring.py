"""The elastic pole by itself (III.C, Fig. 12): pulled aside and let go, against the closed form of a damped spring.

On the line between the middle joint and the natural point both springs are taut and act along it, so the pole is a plain
damped spring there: x'' = -w² x - 2 zeta w x', with w and zeta the parameters of `ElasticPole`.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.ik import ElasticPole, ElasticPoles, LimbSolver, relaxed_positions
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.hu2024.subject import PEOPLE, body_of, people, walker
from poise.reproductions.motion.clips import Source, drawn
from poise.reproductions.once import once
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.row import Row

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

TICKS = (1.0 / 240.0, 1.0 / 120.0, 1.0 / 60.0, 1.0 / 30.0, 1.0 / 24.0)
"""Ticks that are tried [s]."""
_PULL = 0.05
"""How far the pole is pulled along its line [m]."""
_PULLS = (0.02, 0.08)
"""Of other people's [m]."""
_ASIDE = np.array([0.04, 0.07, 0.05])
_ELBOW = 0
_USUAL, _LOOSE = ElasticPole(), ElasticPole(damping_ratio=0.1)


class Release(NamedTuple):
    """Times [s] (T,), how far the pole is from rest along its line (T,) and in space (T, 3) [m], energy (T,) [J/kg]."""

    times: Array
    along: Array
    away: Array
    energy: Array


def release(
    tick: float,
    seconds: float,
    aside: bool = False,
    hung: ElasticPole = _USUAL,
    *,
    source: Source | None = None,
    pull: float = _PULL,
) -> Release:
    """Pull the pole of somebody's left elbow, let go and follow it with the body at rest."""
    plan = body_of(source)
    poles = ElasticPoles(LimbSolver(plan), hung)
    row = relaxed_positions(plan)[None]
    poles.advance(row, 20.0)
    still = poles.state[0, _ELBOW, :3].copy()
    mid = poles.middles(row)[0, _ELBOW]
    line = still - mid
    line /= np.linalg.norm(line)
    poles.state[0, _ELBOW, :3] += _ASIDE if aside else pull * line
    states = [poles.state[0, _ELBOW].copy()]
    for _ in range(round(seconds / tick)):
        poles.advance(row, tick)
        states.append(poles.state[0, _ELBOW].copy())
    path = np.array(states)
    away = path[:, :3] - still
    springs = poles.parameters.springs
    energy: Array = 0.5 * np.sum(path[:, 3:] ** 2, axis=1)
    for anchor, stiffness, rest in zip((mid, poles.natural[_ELBOW]), springs[[0, 2]], poles.rests[_ELBOW], strict=True):
        energy += 0.5 * stiffness * (np.linalg.norm(path[:, :3] - anchor, axis=1) - rest) ** 2
    return Release(np.asarray(tick * np.arange(len(path)), dtype=np.float64), away @ line, away, energy)


def closed_form(times: Array) -> Array:
    """Distance from rest [m] of the underdamped spring released at `_PULL`."""
    pole = ElasticPole()
    speed, damping = 2.0 * np.pi * pole.frequency, pole.damping_ratio
    ringing = speed * np.sqrt(1.0 - damping**2)
    swing = np.cos(ringing * times) + damping * speed / ringing * np.sin(ringing * times)
    return np.asarray(_PULL * np.exp(-damping * speed * times) * swing)


@once
def _releases(hung: ElasticPole = _USUAL) -> tuple[Release, ...]:
    return tuple(release(tick, 1.0, hung=hung) for tick in TICKS)


@invariant(
    "the pole's spring and damper", broken="ElasticPole(damping_ratio=0.45), the closed form as it is", cases=len(TICKS)
)
def closed_form_error(trial: Trial) -> Row:
    """Largest distance from the closed form at any tick, as a share of the pull."""
    runs = _releases(_USUAL if trial.on else ElasticPole(damping_ratio=0.45))
    worst = max(float(np.abs(let_go.along - closed_form(let_go.times)).max()) for let_go in runs)
    percent = 100.0 * worst / _PULL
    return Row(
        "hu2024/pole-closed-form",
        "The pole is a spring with a damper (Eq. 6): pulled 5 cm along its line and let go it keeps within 2 % of the "
        "closed form at ticks of 1/240 to 1/24 s",
        None,
        percent,
        "%",
        percent < 2.0,
    )


@once
def _let_go(source: Source, hung: ElasticPole) -> tuple[Release, ...]:
    """Somebody's pole, pulled as far as is drawn for them, at every tick."""
    pull = float(drawn(source).uniform(*_PULLS))
    return tuple(release(tick, 1.0, hung=hung, source=source, pull=pull) for tick in TICKS)


def _all_let_go(trial: Trial) -> list[Release]:
    hung = _USUAL if trial.on else _LOOSE
    return [let_go for source in people(trial) for let_go in _let_go(source, hung)]


@claim("the pole's damper", off="ElasticPole(damping_ratio=0.1)", cases=PEOPLE)
def settling_time(trial: Trial) -> Row:
    """Time after which the pole stays within a twentieth of the pull, of whom it takes longest."""
    worst = 0.0
    for let_go in _all_let_go(trial):
        outside = np.flatnonzero(np.abs(let_go.along) > 0.05 * let_go.along[0])
        worst = max(worst, float(let_go.times[min(outside[-1] + 1, len(let_go.times) - 1)]))
    return Row(
        "hu2024/pole-settles",
        "The damper lets the pole return to a stable state rapidly (III.C.1): within 5 % of a drawn pull of 2 to 8 cm in "
        "0.5 s, of everybody's elbow at any tick",
        None,
        worst,
        "s",
        worst < 0.5,
    )


@claim("the pole's damper", off="ElasticPole(damping_ratio=0.1)", cases=PEOPLE)
def overshoot(trial: Trial) -> Row:
    """How far the pole swings past its rest, of whom it does farthest."""
    percent = 100.0 * max(float(-let_go.along.min() / let_go.along[0]) for let_go in _all_let_go(trial))
    return Row(
        "hu2024/pole-overshoot",
        "The damper reduces vibration (III.C.1): everybody's pole swings past its rest by less than 10 % of the pull",
        None,
        percent,
        "%",
        percent < 10.0,
    )


@invariant("the pole's two springs", broken="ElasticPole(natural_share=0.6), the balance as it is", cases=1)
def force_balance(trial: Trial) -> Row:
    """Where a pole pulled aside comes to rest, from where the two springs' forces cancel."""
    hung = _USUAL if trial.on else ElasticPole(natural_share=0.6)
    let_go = release(1.0 / 60.0, 8.0, aside=True, hung=hung)
    plan, _ = walker()
    poles = ElasticPoles(LimbSolver(plan), hung)
    mid, springs = poles.middles(relaxed_positions(plan)[None])[0, _ELBOW], _USUAL.springs
    line = poles.natural[_ELBOW] - mid
    size = float(np.linalg.norm(line))
    rests = poles.rests[_ELBOW]
    reach = rests[0] + (size - rests.sum()) * springs[2] / (springs[0] + springs[2])
    poles.advance(relaxed_positions(plan)[None], 20.0)
    still = poles.state[0, _ELBOW, :3]
    miss = 1e3 * float(np.linalg.norm(still + let_go.away[-1] - (mid + line / size * reach)))
    return Row(
        "hu2024/pole-balance",
        "The resultant of both forces (Eqs. 7-15, here as vectors) moves the pole to where they cancel; within 0.1 mm",
        None,
        miss,
        "mm",
        miss < 0.1,
    )


@invariant("the pole's step is exact", broken="what is lost in a tick is counted as won", cases=2 * len(TICKS))
def energy_growth(trial: Trial) -> Row:
    """Largest growth of the pole's energy in one tick, as a share of what it had at first, pulled along and aside."""
    runs = [*_releases(), *(release(tick, 2.0, aside=True) for tick in TICKS)]
    sign = 1.0 if trial.on else -1.0
    worst = max(float((sign * np.diff(let_go.energy)).max() / let_go.energy[0]) for let_go in runs)
    return Row(
        "hu2024/pole-energy",
        "A damped spring gives energy away only: growth in any tick of 1/240 to 1/24 s below 1e-9 of what was put in",
        None,
        worst,
        "",
        worst < 1e-9,
    )


CHECKS = (closed_form_error, settling_time, overshoot, force_balance, energy_growth)


def picture(folder: Path) -> Path:
    """The pole's way back to rest at every tick, beside the closed form."""
    sheet, axes = figure("An elastic pole pulled 5 cm along its line and let go (Hu 2024, III.C)", 1, 1)
    times = np.linspace(0.0, 1.0, 400)
    axes[0, 0].plot(times, 100.0 * closed_form(times), color="black", label="closed form")
    for tick, let_go in zip(TICKS, _releases(), strict=True):
        axes[0, 0].plot(let_go.times, 100.0 * let_go.along, ".", label=f"tick 1/{round(1.0 / tick)} s")
    axes[0, 0].set(xlabel="time [s]", ylabel="from rest [cm]")
    axes[0, 0].legend()
    return save_figure(sheet, folder, "hu2024_spring")
