"""The reaction of a kinematic arm for any engine: a toy trunk, integrated by NumPy, feels it; no Poise world is needed.

The engine says how the trunk moves, `poise.hybrid.reaction` says what the arm does to it (van Welbergen 2009). At the end the
path is compared with the exact coupling, the cut inside one mass matrix.
"""

import numpy as np

from poise.assets import clip_path
from poise.body import build_body
from poise.body.fold import fold
from poise.hybrid import Connector, Limb, motion_from_keys, reaction
from poise.io import read_clip
from poise.math import quat
from poise.motion import guess_roles
from poise.signals import Drive, Mode
from poise.world import SceneSpec, build_world

H, SECONDS, NO_GRAVITY = 0.001, 1.0, np.zeros(3)

clip = read_clip(clip_path("walk"))
person = build_body(clip, guess_roles(clip.skeleton))
arm_joints = [person.with_role(f"left_{part}")[0] for part in ("upper_arm", "forearm", "hand")]
plan = fold(person, [0, *arm_joints])  # everything but the left arm in one piece
arm = Limb.from_plan(plan, 1)


def keys(time: float) -> np.ndarray:
    """The arm swings forward and back to rest; only the shoulder turns."""
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(arm), 1))
    turns[0] = quat.exp((1.0 - np.cos(2.0 * np.pi * time)) * np.array([0.1, -0.5, 0.0]))
    return turns


# The toy engine: one rigid body in space, by its centre of mass. `push` is the arm's wrench, torque about the shoulder.
mass, inertia, middle, shoulder = plan.masses[0], plan.inertias[0], plan.centres[0], plan.offsets[1]
turn = plan.neutral[0]
centre, speed, spin = quat.rotate(turn, middle), np.zeros(3), np.zeros(3)
frame_speed, path = np.zeros(3), []
turning, acceleration = np.zeros(3), np.zeros(3)
for step in range(round(SECONDS / H)):
    motion = motion_from_keys(*(keys((step + ahead) * H) for ahead in (-1, 0, 1)), H)
    push = reaction(arm, Connector(turn, spin, turning, acceleration), motion, NO_GRAVITY).wrench()
    about = push.torque + np.cross(quat.rotate(turn, shoulder - middle), push.force)
    turning = np.linalg.solve(inertia, quat.rotate(quat.conj(turn), about) - np.cross(spin, inertia @ spin))
    spin, speed = spin + H * turning, speed + H * push.force / mass
    turn, centre = quat.mul(turn, quat.exp(H * spin)), centre + H * speed
    before, frame_speed = frame_speed, speed - quat.rotate(turn, np.cross(spin, middle))
    acceleration = (frame_speed - before) / H  # of the frame's origin, which the next step's reaction asks for
    path.append(centre - quat.rotate(turn, middle))

# The same in a Poise world: the arm is MOTION, the trunk free, and one mass matrix holds both.
world = build_world({"person": plan}, SceneSpec(floor=None, gravity=0.0, sleep=False), H)
rest = np.zeros(plan.position_count)
rest[3::4], rest[3:7] = 1.0, plan.neutral[0]
world.place("person", rest)
world.cut.assign(world.layout("person").joints[1:], np.full(len(arm), int(Mode.MOTION)))
exact = []
for step in range(round(SECONDS / H)):
    rest[7:] = keys((step + 1) * H).ravel()
    world.step(Drive(rest[None]))
    exact.append(world.state().positions[:3])

moved = np.ptp(exact, axis=0)[0]
off = np.abs(np.array(path) - np.array(exact)).max()
print(f"the trunk swings by {1e3 * moved:.1f} mm; the toy engine is off by {1e3 * off:.3f} mm ({H * 1e3:g} ms steps)")
assert moved > 0.005
assert off < 0.02 * moved  # half of it at half the step
