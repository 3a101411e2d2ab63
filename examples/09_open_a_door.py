"""Somebody opens a door: the only task is on the door, the body follows from it.

One quadratic program moves both: the hand holds the handle, feet stand on the ground, where the door is to go decides the rest.
"""

from functools import partial
from pathlib import Path

import numpy as np

from poise.groups import Group, Person, Together
from poise.io import write_clip
from poise.qp import JointTask, Phase, lasting, reached
from poise.runtime import Session
from poise.scenes.together.hands import PALMS_DOWN
from poise.world import Link, SceneSpec, Shape, Thing

HANDLE, OPEN = (-0.07, -0.71, 1.0), 0.4
ACROSS = (0.7071, 0.7071, 0.0, 0.0)
panel = Shape(kind="box", size=(0.02, 0.42, 1.0), mass=20.0, position=(0.0, -0.42, 1.02))
handle = Shape(kind="capsule", size=(0.012, 0.05, 0.0), mass=0.3, position=HANDLE, rotation=ACROSS)
DOOR = Thing(
    name="door",
    links=(Link(name="panel", joint="hinge", position=(0.55, 0.5, 0.0), damping=1.0, shapes=(panel, handle)),),
)


def make() -> Group:
    """The person and the door."""
    group = Group({"anna": Person(pose={"right_forearm/y": -0.9})}, [DOOR], step=0.005)
    group.stand("anna")
    hand = partial(group.hand, "anna", "right", rotation=PALMS_DOWN["right"], against="door/panel")
    swing = JointTask(joints=["door/panel"], target=[OPEN], weight=1000.0, stiffness=12.0, speed=0.5)
    grip = group.grip("anna", "right", "door/panel", radius=0.012)
    group.perform(
        [
            Phase(name="reach", tasks={"hand": hand(np.add(HANDLE, (-0.06, 0, 0.03)))}, until=reached("hand", 0.03)),
            Phase(name="grasp", tasks={"hand": hand(HANDLE)}, until=reached("hand", 0.004)),
            Phase(name="open", tasks={"door": swing}, touch=[grip], until=lasting(9.0)),
        ]
    )
    return group


characters = make().characters(seconds=8.0)
session = Session(characters, SceneSpec(things=(DOOR,)), groups=[Together(make)])
session.run()
out = Path("out/examples")
out.mkdir(parents=True, exist_ok=True)
write_clip(out / "door.bvh", session.result("anna"))

# The check: the door is open, and the feet stand where they stood.
places = session.result("anna").world()[1]
foot = session.characters["anna"].roles.joint("left_foot")
group = session.behaviors[0].group
angle = group.system.joint_positions[group.system.joints.names.index("door/panel")]
print(f"the door is open by {np.degrees(angle):.1f} degrees")
assert abs(np.degrees(angle - OPEN)) < 1.0
assert np.linalg.norm(places[-1, foot] - places[0, foot]) < 1e-3
