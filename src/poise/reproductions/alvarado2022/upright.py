"""Equilibrium at any tension for a whole body: spine, neck and hips too, which gravity tips over where muscles are relaxed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.behaviors import Contribution, Reference, Stateless
from poise.control.tension import Tension
from poise.math import quat
from poise.motion.clip import Clip
from poise.reproductions.check import Trial, claim
from poise.reproductions.motion.clips import Source, sources
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, CharacterOptions, Session
from poise.world.scene import SceneSpec
from poise.world.view import WorldView

__all__ = ["CHECKS", "held", "off_after_nudge"]

_TENSIONS = (1.0, 3.0, 8.0)
_ANCHORS = ("spine", "left_thigh", "right_thigh")
_SECONDS, _RATE = 10.0, 30.0
_CLIPS = 16


class _Nudge(Stateless):
    """Turns every joint a little for a tenth of a second, by seeded torques that would give it up to 2 rad/s."""

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """Push for the first tenth of a second."""
        wanted = Contribution(reference)
        if reference.time < 0.1:
            turns = np.random.default_rng(1).uniform(-1.0, 1.0, (len(reference.inertias), 3))
            wanted.force = np.zeros_like(reference.force)
            wanted.force[6:] = (20.0 * reference.inertias[:, None] * turns).ravel()
        return wanted


def held(source: Source) -> Clip:
    """The pose in the middle of a clip, held."""
    clip, _ = source.read()
    count, row = round(_SECONDS * _RATE) + 1, len(clip) // 2
    rotations, translations = (
        np.repeat(part[row : row + 1], count, axis=0) for part in (clip.rotations, clip.translations)
    )
    return replace(clip, rate=_RATE, rotations=rotations, translations=translations)


@once
def off_after_nudge(source: Source, tension: Tension) -> float:
    """How far any joint is from the pose it holds ten seconds after a nudge [degrees]."""
    options = CharacterOptions(anchors=_ANCHORS, tension=tension, self_contact=False, cutoff=None)
    who = Character.from_clip(held(source), options)
    session = Session({"person": who}, SceneSpec(floor=None), behaviors={"person": [_Nudge()]})
    recording = session.run()
    columns = session.world.layout("person").positions
    here, there = (rows[-1, columns][7:].reshape(-1, 4) for rows in (recording.positions, recording.source))
    return float(np.degrees(quat.angle_between(here, there)).max())


@claim("stiffness that keeps what a joint bears upright", off="Tension(upright=False)", cases=_CLIPS)
def whole_body(trial: Trial) -> Row:
    """Largest angle from a held pose after a nudge, over clips and tensions."""
    some = [source for source in sources(quick=trial.quick) if "skinned" not in source.kind][:_CLIPS]
    found = [
        (off_after_nudge(source, Tension(frequency=f, upright=trial.on)), f"{source.name} at {f:g} Hz")
        for source in some
        for f in _TENSIONS
    ]
    worst, where = max(found)
    return Row(
        "alvarado2022/upright",
        "Equilibrium does not depend on tension for the whole body (Sec. 4.1), spine, neck and hips too: a pose of each of "
        f"{len(some)} clips, held at 1, 3 and 8 Hz and nudged, is reached again within 1° after 10 s; worst {where}",
        None,
        worst,
        "°",
        worst < 1.0,
    )


CHECKS = (whole_body,)
