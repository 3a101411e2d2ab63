"""Forward kinematics: the compiled chain against one joint after the other."""

import numpy as np
import pytest

from poise.math import quat
from poise.motion.pose import forward_kinematics
from poise.motion.skeleton import Skeleton


@pytest.mark.parametrize("shape", [(), (3,), (2, 5)])
def test_joints_are_where_one_after_the_other_puts_them(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(2)
    parents = np.array([-1, 0, 1, 1, 0, 4, 5])
    skeleton = Skeleton(tuple("abcdefg"), parents, random.normal(size=(7, 3)))
    rotations = quat.normalize(random.normal(size=(*shape, 7, 4)))
    places = random.normal(size=(*shape, 7, 3))
    given = rotations.copy(), places.copy()
    turned, stands = forward_kinematics(skeleton, rotations, places)
    for joint, parent in enumerate(parents):
        wanted_turn, wanted_place = rotations[..., joint, :], places[..., joint, :]
        if parent >= 0:
            wanted_turn = quat.mul(turned[..., parent, :], wanted_turn)
            wanted_place = stands[..., parent, :] + quat.rotate(turned[..., parent, :], wanted_place)
        np.testing.assert_array_equal(turned[..., joint, :], wanted_turn)
        np.testing.assert_array_equal(stands[..., joint, :], wanted_place)
    np.testing.assert_array_equal(rotations, given[0])
    np.testing.assert_array_equal(places, given[1])
