"""How a group begins: what is refused before time does, how strong people are, who climbs, and other starts of a scene."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.groups import Group, Person
from poise.qp import Pair, Phase
from poise.scenes.together.acrobats import acrobats_group
from poise.scenes.together.climbing import Standing, over_feet
from poise.scenes.together.door import door_group


def test_what_is_out_of_reach_is_refused_before_time_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A meter farther away the handle is too far; as it is she reaches it, and trying leaves nothing behind."""
    monkeypatch.setattr("poise.scenes.together.door.NEAR", -1.0)
    with pytest.raises(
        InputError, match=r"'press the handle' would have anna/right_hand hold door/handle, which is out of r"
    ):
        door_group()
    monkeypatch.undo()
    group = door_group()
    before = group.system.data.qpos.copy()
    assert group.machine is not None
    group.perform(group.machine.phases)
    np.testing.assert_array_equal(group.system.data.qpos, before)


def test_who_begins_inside_somebody_else_is_refused() -> None:
    pair = Pair(first="anna/pelvis/0", second="ben/pelvis/0")
    group = Group({"anna": Person(), "ben": Person(place=(0.05, 0.0, 0.0))}, pairs=[pair])
    with pytest.raises(InputError, match=r"anna/pelvis/0 and ben/pelvis/0 keep apart but begin \d+\.\d cm inside"):
        group.perform([Phase(name="stand")])
    apart = Group({"anna": Person(), "ben": Person(place=(0.8, 0.0, 0.0))}, pairs=[pair])
    apart.perform([Phase(name="stand")])


def test_strength_scales_torque_limits() -> None:
    limits = [
        Group({"anna": Person(mass=75.0, strength=strength)}).controller.former.limits.max() for strength in (1.0, 2.5)
    ]
    assert limits == pytest.approx([200.0, 500.0])


def test_the_top_climbs_onto_the_middle() -> None:
    """Until the middle's turn comes: she stands on nothing but shoulders, higher than before, within everybody's strength."""
    group = acrobats_group()
    assert group.machine is not None
    begun = group.center_of_mass("top")[2]
    while not group.machine.phase.startswith("middle onto bottom"):
        step, _ = group.advance()
        assert not step.relaxations
        assert (np.abs(step.torques) <= group.controller.former.limits + 1e-6).all()
        assert step.time < 20.0
    stood = [held.contact.first for name, held in group.controller.touches.items() if name.startswith("top/")]
    assert stood == ["middle/spine", "middle/spine"]
    assert group.center_of_mass("top")[2] > begun + 0.3


def test_everybody_of_a_tower_is_kept_over_their_feet_however_tall_it_is() -> None:
    names = ["anna", "ben", "cara", "dana", "eve"]
    tasks = over_feet(Group({"anna": Person()}), [Standing(name) for name in names], place=np.zeros(3))
    assert list(tasks) == [f"{name} balance" for name in names]
    weights = [task.weight for task in tasks.values()]
    assert weights == sorted(weights, reverse=True)
    assert min(weights) > 0.0


def test_a_scene_begun_otherwise_is_another_one_and_the_same_again() -> None:
    rows = [door_group(start=start).system.data.qpos for start in (None, 1, 1, 2)]
    masses = [door_group(start=start).system.mass_of("anna") for start in (None, 1, 1, 2)]
    np.testing.assert_array_equal(rows[1], rows[2])
    assert masses[1] == masses[2]
    assert len({round(mass, 6) for mass in masses}) == 3
    assert all(0.8 <= mass / masses[0] <= 1.2 for mass in masses)
    assert 1e-3 < np.abs(rows[1] - rows[0]).max() < 0.2
