"""Somebody follows a clip by their own strength, and what their feet can bear; beside them somebody else reaches for something.

Both are in one quadratic program. A clip is refused where no foot stands, or where the body is not over its feet.
"""

from pathlib import Path

import numpy as np

from poise.assets import clip_path
from poise.groups import Follower, Group, Person, Together, follow
from poise.io import write_clip
from poise.runtime import Session
from poise.world import SceneSpec

WALKER = Follower(clip=clip_path("walk"))


def make() -> Group:
    """Who walks, and who reaches out."""
    group = Group({"ben": WALKER, "anna": Person(place=(0.0, 1.5, 0.0))}, step=0.005)
    group.stand("anna")
    group.controller.want("hand", group.hand("anna", "right", (0.4, 1.2, 1.2)))
    group.perform([follow(group, "ben")])
    return group


characters = make().characters(seconds=WALKER.course.trajectory.duration)
session = Session(characters, SceneSpec(), groups=[Together(make)])
session.run()
out = Path("out/examples")
out.mkdir(parents=True, exist_ok=True)
write_clip(out / "followed.bvh", session.result("ben"))

# The check: hands are where the clip has them, but for the few centimetres that feet on the ground ask for.
source, played = WALKER.character().clip, session.result("ben")
hands = [session.characters["ben"].roles.joint(f"{side}_hand") for side in ("left", "right")]
miss = np.linalg.norm(source.world()[1][:, hands] - played.world()[1][:, hands], axis=-1)
print(f"hands are {100.0 * miss.mean():.0f} cm from the clip's in the mean, {100.0 * miss.max():.0f} cm at most")
assert miss.max() < 0.15
