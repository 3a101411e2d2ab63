"""Numbers of a compliant root and of falling are at work: who is pushed moves otherwise with each of them changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.behaviors.push import Push
from poise.control.root import RootDrive
from poise.runtime import Session
from poise.scenes.people import stander, walker
from poise.world import SceneSpec

Change = tuple[str, float]


def changed(drive: RootDrive, name: str, value: float) -> RootDrive:
    """The drive with one number of its groups changed; in SI units."""
    group, _, number = name.partition(".")
    if "." in number:
        inner, _, number = number.partition(".")
        whole = getattr(drive, group)
        return replace(drive, **{group: replace(whole, **{inner: replace(getattr(whole, inner), **{number: value})})})
    return replace(drive, **{group: replace(getattr(drive, group), **{number: value})})


@cache
def played(scene: str, change: Change | None = None) -> NDArray[np.float64]:
    """Where everything is at the end of each tick of somebody who is pushed."""
    who, impulse, ticks = {
        "walks": (walker(2), 25.0, 100),
        "stands": (stander(3.0), 15.0, 170),
        "thrown": (stander(3.0), 40.0, 170),
        "falls": (stander(3.0), 120.0, 150),
    }[scene]
    drive = RootDrive() if change is None else changed(RootDrive(), *change)
    options = replace(who.options, root="compliant", root_drive=drive)
    course = (-1.0, 0.0, 0.0) if scene == "walks" else (0.7, 0.7, 0.0)
    push = Push(10.0 * impulse * np.array(course), 0.4, 0.1, "spine")
    session = Session({"who": replace(who, options=options)}, SceneSpec(floor=who.floor), behaviors={"who": [push]})
    return np.array(session.run(ticks).positions)


@pytest.mark.parametrize(
    ("scene", "name", "value"),
    [
        ("walks", "bracing.fades", 3.0),
        ("walks", "bracing.held", 1.5),
        ("walks", "bracing.gives_up", 1.0),
        ("walks", "bracing.dead", 0.1),
        ("walks", "bearing.legs", 0.05),
        ("walks", "bearing.rides", 0.1),
        ("walks", "waiting.behind", 0.2),
        ("walks", "waiting.wholly", 0.05),
        ("walks", "waiting.slowest", 0.995),
        ("walks", "waiting.rate", 0.2),
        ("walks", "waiting.walks", 5.0),
        ("stands", "resting.near", 1e-5),
        ("stands", "resting.quiet", 0.1),
        ("stands", "resting.returns", 0.1),
        ("thrown", "recovering.unawares", 1.0),
        ("thrown", "recovering.latency", 0.2),
        ("thrown", "recovering.slack", 1.0),
        ("thrown", "recovering.tilts", 1.0),
        ("thrown", "recovering.tenses", 0.5),
        ("thrown", "recovering.wholly", 1.0),
        ("thrown", "recovering.lasts", 1.0),
        ("thrown", "recovering.quick", 3.0),
        ("thrown", "recovering.beside", 0.1),
        ("thrown", "recovering.far", 0.0),
        ("thrown", "recovering.ahead", 0.1),
        ("thrown", "recovering.elbow", 0.1),
        ("thrown", "recovering.palms", 0.0),
        ("thrown", "recovering.opposite", 0.0),
        ("thrown", "recovering.stride", 1.0),
        ("thrown", "recovering.trunk", 0.05),
        ("thrown", "recovering.level", 0.0),
        ("thrown", "recovering.crouch", 0.1),
        ("falls", "falling.saturated", 2.0),
        ("falls", "falling.sure", 0.3),
        ("falls", "falling.hands", 1.0),
        ("falls", "falling.reach", 0.5),
        ("falls", "falling.ahead", 2.0),
        ("falls", "falling.beside", 1.0),
        ("falls", "falling.forward.shank", 1.5),
        ("falls", "falling.forward.neck", 0.3),
        ("falls", "falling.arms", 20.0),
        ("falls", "falling.body", 10.0),
        ("falls", "falling.lands", 0.1),
        ("falls", "falling.lying", 8.0),
        ("falls", "falling.calms", 5.0),
    ],
)
def test_each_number_does_something(scene: str, name: str, value: float) -> None:
    usual, other = played(scene), played(scene, (name, value))
    assert np.isfinite(other).all()
    # The same numbers give the same bits, so any difference is theirs.
    assert np.abs(other - usual).max() > 1e-6
