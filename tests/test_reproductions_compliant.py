"""Seeded pushes: what is measured of them, on the shipped clips."""

from __future__ import annotations

import pytest

from poise.reproductions.compliant.draws import drawn, walks
from poise.reproductions.compliant.own_feet import owed
from poise.reproductions.compliant.throws import struck
from poise.reproductions.compliant.unawares import answered


def test_the_shipped_walk_and_run_are_pushed_where_there_is_no_data() -> None:
    assert [source.name for source in walks(quick=True)] == ["walk", "run"]


def test_one_who_stands_and_is_not_pushed_needs_nothing_of_the_ground_that_it_has_not() -> None:
    still = drawn(None, 0, 0.0)
    assert still.gives < 1e-3
    assert still.honest == still.source == 1.0
    assert not still.down


@pytest.mark.parametrize("impulse", [20.0, 40.0])
def test_the_same_push_moves_a_root_that_yields_and_none_that_does_not(impulse: float) -> None:
    walk = walks(quick=True)[0]
    given, held = (drawn(walk, 3, impulse, way) for way in ("on", "kinematic"))
    assert given.gives > 5e-4 * impulse
    assert held.gives < 1e-6
    assert given.source == pytest.approx(held.source), "of the same clip"


def test_one_whom_nothing_holds_upright_is_told_to_be_down() -> None:
    assert drawn(walks(quick=True)[0], 1, 40.0, "limp").down


@pytest.mark.parametrize("seed", [2, 5])
def test_legs_take_a_body_out_of_the_way_of_a_heavy_ball_that_hits_it_without_them(seed: int) -> None:
    walk = walks(quick=True)[0]
    for source in (None, walk):
        assert struck(source, seed, legs=False)
        assert not struck(source, seed, legs=True)


def test_the_ground_carries_who_has_a_physical_root_and_nobody_else() -> None:
    assert owed(0, "physical") < 1.0
    assert owed(0, "compliant") > 50.0


def test_arms_come_out_a_moment_after_a_push_and_not_at_all_where_they_are_told_not_to() -> None:
    walk = walks(quick=True)[0]
    usual, hung, at_once = (answered(walk, 4, way) for way in ("on", "hung", "at once"))
    assert usual.out > 0.1 > hung.out
    assert 0.09 < usual.after < 0.25
    assert at_once.after < usual.after - 0.05
