"""From goals to a pose: move a hand to a point, keep the feet, look at it.

The given pose is changed as little as the goals ask for: limbs exactly, in one pass; elbows bend as people bend them.
"""

import numpy as np

from poise.assets import clip_path
from poise.body import build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.ik import BodySolver, Goal, Goals
from poise.io import read_clip
from poise.motion import guess_roles

walk = read_clip(clip_path("walk"))
plan = build_body(walk, guess_roles(walk.skeleton))
row = generalized_from_clip(plan, walk)[0]

apple = body_frames(plan, row).positions[0, 0] + np.array([0.35, -0.25, 0.45])
reached = BodySolver(plan).solve(row, Goals({"right_hand": Goal(apple)}, look_at=apple))

hand = plan.with_role("right_hand")[0]
foot = plan.with_role("left_foot")[0]
before, after = body_frames(plan, row).positions[0], body_frames(plan, reached).positions[0]
print(f"the hand is {1e3 * np.linalg.norm(after[hand] - apple):.3f} mm from the apple")
print(f"the left foot moved {1e3 * np.linalg.norm(after[foot] - before[foot]):.3f} mm")
assert np.linalg.norm(after[hand] - apple) < 1e-3
assert np.linalg.norm(after[foot] - before[foot]) < 1e-6
