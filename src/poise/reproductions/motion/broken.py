"""A run that is broken on purpose: what the bars on motion must notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from poise.behaviors import Contribution, Reference, Stateless
from poise.body.coordinates import body_frames
from poise.body.layout import spin_slice
from poise.errors import InputError
from poise.reproductions.motion.clips import SHIPPED
from poise.reproductions.motion.numbers import Numbers, measure
from poise.reproductions.motion.runs import clip_run, play
from poise.reproductions.once import once
from poise.signals import Mode
from poise.world.props import HELD, Ball
from poise.world.view import WorldView

__all__ = ["BREAKAGES", "broken", "refused"]

BREAKAGES: Mapping[str, str] = {
    "hand_jerk": "the pelvis is shaken sideways by 2 cm, and an arm twisted",
    "hand_jerk_free": "the pelvis is shaken sideways by 2 cm, and an arm twisted",
    "reversals": "the pelvis is shaken sideways by 2 cm, and an arm twisted",
    "pelvis_gives": "a root that follows its clip whatever hits it",
    "finish": "a ball hangs where a hand is",
    "contact": "a ball of 20 kg flies at the chest at 15 m/s",
    "stance_slide": "the pelvis is shaken sideways by 2 cm",
    "floating": "the pelvis is lifted by 3 cm every other quarter of a second",
    "sinking": "the pelvis is lowered by 3 cm every other quarter of a second",
    "first_tick": "the pelvis is put 2 cm aside in the first tick",
    "hand_back": "an arm is handed back at once while a torque holds it aside",
}
"""What is done, by the bar that must notice."""
_ARM, _ASIDE = "left_upper_arm", 60.0
_BEGIN, _END = 0.3, 0.6


class _Breaks(Stateless):
    """Shakes the pelvis, and twists an arm and hands it back."""

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """Break this tick."""
        wanted, begin, arm = Contribution(reference), reference.time, reference.plan.with_role(_ARM)[0]
        rows = wanted.edit_pose(moves=False)
        rows[:, 1] += 0.02 * np.cos(40.0 * begin)
        rows[:, 2] += 0.03 * np.sign(np.sin(4.0 * np.pi * begin + 1e-3))
        if _BEGIN <= begin < _END:
            wanted.force = np.zeros_like(reference.force)
            wanted.force[spin_slice(arm)] = _ASIDE
        elif begin >= _END and reference.modes[arm] != Mode.MOTION:
            wanted.edit_modes()[list(reference.plan.subtree(arm))] = int(Mode.MOTION)
        return wanted


def refused() -> str:
    """Why the shipped walk is refused when a ball hangs where a hand is; an empty string where it is not."""
    scene = clip_run(SHIPPED[0], 3.0, anticipate=False)
    session = scene.session()
    (name,), plan = scene.characters, session.layouts[0].plan
    x, y, z = body_frames(plan, session.view.positions(name)).positions[0, plan.with_role("left_hand")[0]]
    ball = Ball(name="inside", position=(float(x), float(y), float(z)), velocity=(0.0, 0.0, 0.0), time=HELD, radius=0.1)
    try:
        replace(scene, setting=replace(scene.setting, props=(*scene.setting.props, ball))).session()
    except InputError as error:
        return str(error)
    return ""


@once
def broken() -> Numbers:
    """The shipped walk, broken in every way."""
    scene = clip_run(SHIPPED[0], 3.0, anticipate=False)
    (who,) = scene.characters.values()
    row = who.clip.translations[0, 0] if who.clip.translations.ndim == 3 else np.zeros(3)
    start = np.array([row[0] + 2.2, row[1], who.floor + 1.2])
    ball = Ball(name="cannonball", position=tuple(start), velocity=(-15.0, 0.0, 1.0), time=0.1, radius=0.12, mass=20.0)
    setting = replace(scene.setting, props=(*scene.setting.props, ball))
    _, found = play(replace(scene, setting=setting), _Breaks())
    return measure(next(iter(found.values())))
