"""A walk past a sunflower, from Python.

The shipped walk is looped, a sunflower is put beside its path, and the arms are made physical. The hand that
brushes the flower gives way; the legs stay exactly where the clip has them.
"""

from pathlib import Path

import numpy as np

from poise.assets import clip_path
from poise.io import read_clip, write_clip
from poise.motion import loop
from poise.runtime import Character, Session
from poise.scenes import make_asset
from poise.world import SceneSpec

walk = loop(read_clip(clip_path("walk")), 3)
walker = Character.from_clip(walk)
flower = make_asset("sunflower_large", "flower", (1.6, 0.36), ground=walker.floor)
session = Session({"walker": walker}, SceneSpec(props=(flower,), floor=walker.floor))
recording = session.run()

out = Path("out/examples")
out.mkdir(parents=True, exist_ok=True)
write_clip(out / "responsive_walk.bvh", session.result("walker"))

touched = {recording.geom_names[geom] for pair in recording.contacts.pairs for geom in pair}
print("touched:", ", ".join(sorted(touched)))

# The check: the flower was touched, an arm moved away from the clip, and the left foot did not.
result, source = session.result("walker"), walker.clip
away = np.linalg.norm(result.world()[1] - source.world()[1], axis=-1).max(axis=0)
hand, foot = (walker.roles.joint(role) for role in ("left_hand", "left_foot"))
assert any(name.startswith("flower") for name in touched)
assert away[hand] > 0.01
assert away[foot] < 1e-6
