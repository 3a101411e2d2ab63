"""Letting go: the right arm follows the clip, then turns limp in mid-walk, without a jump.

Who moves a joint can change at any tick. Positions and velocities are the same numbers before and after.
"""

import numpy as np

from poise.assets import clip_path
from poise.io import read_clip
from poise.motion import loop
from poise.runtime import Character, CharacterOptions, Session
from poise.signals import Mode
from poise.world import SceneSpec

walker = Character.from_clip(loop(read_clip(clip_path("walk")), 3), CharacterOptions(anchors=("left_upper_arm",)))
session = Session({"walker": walker}, SceneSpec(floor=walker.floor))
session.run(ticks=60)

before = session.world.state()
session.set_mode("walker", ("right_upper_arm",), Mode.PASSIVE)
after = session.world.state()
assert np.array_equal(before.positions, after.positions)
assert np.array_equal(before.velocities, after.velocities)

session.run(ticks=60)
joint = walker.roles.joint("right_hand")
result = session.result("walker").world()[1][:, joint]
source = walker.clip.world()[1][: len(result), joint]
away = np.linalg.norm(result - source, axis=-1)
print(f"followed to {1e3 * away[:30].max():.4f} mm, then hung {100 * away[-1]:.0f} cm away from the clip")
assert away[:30].max() < 1e-6
assert away[30:].max() > 0.02
