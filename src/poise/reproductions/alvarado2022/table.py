"""Table 1: what each parameter does to the motion, as curves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from poise.anticipation import REGIONS, Bounds, Rules, reaction_time, tension
from poise.behaviors.anticipation import AnticipationOptions
from poise.reproductions.alvarado2022.heavies import arm_bend
from poise.reproductions.alvarado2022.played import Played, play
from poise.reproductions.pictures import figure, save_figure
from poise.scenes.upper_body_figures import ball, heavy

__all__ = ["picture"]

_RADII = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_REACTIONS = (0.15, 0.25, 0.4, 0.6, 0.8)
_TENSIONS = (1.0, 2.0, 3.0, 5.0, 8.0, 10.0)
_BOUNDS = (
    Bounds(quickest=0.1, slowest=0.4, softest=1.0, firmest=4.0),
    Bounds(),
    Bounds(quickest=0.5, slowest=2.0, softest=4.0, firmest=10.0),
)


def sets_out(radius: float) -> float:
    """How far the weight is from the pelvis when a hand sets out, with regions of a radius [m]."""
    regions = tuple(replace(region, radius=radius) for region in REGIONS)
    played = play(heavy(AnticipationOptions(regions=regions)))
    time = next((event.time for event in played.recording.events if event.kind == "reach"), np.nan)
    if np.isnan(time):
        return 0.0
    (weight,) = played.session.setting.props
    return float(weight.position[0] - played.actual.positions[played.at(time), 0, 0])


def fastest(played: Played) -> float:
    """Largest speed of the left palm as it was meant to move [m/s]."""
    hand = played.bodies("left_hand")[0]
    ways = np.linalg.norm(np.diff(played.meant.positions[:, hand], axis=0), axis=1)
    return float(ways.max() / played.recording.tick)


def picture(folder: Path) -> Path:
    """A curve per line of the table."""
    sheet, axes = figure("What each parameter does (Alvarado 2022, Table 1)", 2, 3, size=(10.0, 5.6))
    radius, reaction, firm, speed, mass, empty = axes.flat
    radius.plot(_RADII, [sets_out(r) for r in _RADII], "o-")
    radius.set(xlabel="radius of safety regions [m]", ylabel="weight is so far away\nwhen a hand sets out [m]")
    throws = [
        ball(AnticipationOptions(rules=Rules(reaction_time=lambda *_, t=t: t, movement_time=lambda *_: 0.1)), speed=3.0)
        for t in _REACTIONS
    ]
    reaction.plot(_REACTIONS, [fastest(play(scene)) for scene in throws], "o-")
    reaction.set(xlabel="reaction time [s]", ylabel="fastest the hand is to move [m/s]")
    pushes = [heavy(AnticipationOptions(rules=Rules(tension=lambda *_, f=f: f)), mass=5.0) for f in _TENSIONS]
    firm.plot(_TENSIONS, [arm_bend(play(scene)) for scene in pushes], "o-")
    firm.set(xlabel="tension [Hz]", ylabel="bend of the arm\nagainst 5 kg [°]")
    speeds, masses = np.linspace(0.2, 6.0, 60), np.linspace(0.0, 20.0, 60)
    for bounds in _BOUNDS:
        label = f"{bounds.quickest:g}…{bounds.slowest:g} s"
        speed.plot(speeds, [reaction_time(1.5, 0.5, v, bounds) for v in speeds], label=label)
        label = f"{bounds.softest:g}…{bounds.firmest:g} Hz"
        mass.plot(masses, [tension(m, 15.0, bounds) for m in masses], label=label)
    speed.set(xlabel="expected velocity [m/s]", ylabel="reaction time, 1 m\nbefore the region [s]")
    mass.set(xlabel="expected mass [kg]", ylabel="tension [Hz]")
    speed.legend(title="bounds", fontsize=7)
    mass.legend(title="bounds", fontsize=7)
    empty.set_axis_off()
    return save_figure(sheet, folder, "alvarado2022_table_1")
