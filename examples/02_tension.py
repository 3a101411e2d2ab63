"""How tense is an arm? The same ball against a soft and against a tense one.

Tension is a frequency: 1 Hz gives way easily, 10 Hz hardly. The pose that is aimed at does not change with it.
"""

import numpy as np

from poise.assets import clip_path
from poise.control import Tension
from poise.io import read_clip
from poise.motion import loop
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes import thrown_at
from poise.world import SceneSpec

walk = loop(read_clip(clip_path("walk")), 2)


def largest_deflection(frequency: float) -> float:
    """How far the left forearm is knocked from its clip [m]."""
    walker = Character.from_clip(walk, CharacterOptions(tension=Tension(frequency=frequency)))
    ball = thrown_at(walker, "ball", time=1.2, side=1.0)
    session = Session({"walker": walker}, SceneSpec(props=(ball,), floor=walker.floor))
    session.run()
    joint = walker.roles.joint("left_forearm")
    away = session.result("walker").world()[1][:, joint] - walker.clip.world()[1][:, joint]
    return float(np.linalg.norm(away, axis=-1).max())


soft, tense = largest_deflection(1.0), largest_deflection(8.0)
print(f"soft: {100 * soft:.1f} cm, tense: {100 * tense:.1f} cm")
assert soft > tense > 0.0
