"""Balance that looks ahead: the course of the center of mass, and steps that only it survives."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.groups import Footstep, Group, Person, Preview, StrideOptions, stride
from poise.qp import NoSolution, Phase


def pendulum(preview: Preview, ahead: float, seconds: float) -> np.ndarray:
    """Where an inverted pendulum gets to by itself, pushed up at the course's own point, from rest at 0 with c + c'/w ahead."""
    place, velocity, step = np.zeros(2), np.array([preview.rate * ahead, 0.0]), 2e-4
    for number in range(round(seconds / step)):
        point, _ = preview.at((number + 0.5) * step)
        velocity = velocity + step * preview.rate**2 * (place - point)
        place = place + step * velocity
    return place


def test_a_pendulum_that_starts_where_the_course_says_comes_to_rest_at_its_end() -> None:
    corners = [np.zeros(2), np.zeros(2), np.array([0.2, 0.0]), np.array([0.2, 0.0])]
    preview = Preview([0.0, 0.5, 0.6, 2.0], corners, 0.9, 9.81)
    assert preview.rate == pytest.approx(np.sqrt(9.81 / 0.9))
    _, ahead = preview.at(0.0)
    assert 0.0 < ahead[0] < 0.2, "on its way before the point moves"
    np.testing.assert_allclose(pendulum(preview, float(ahead[0]), 2.0), [0.2, 0.0], atol=0.01)
    assert abs(pendulum(preview, 0.0, 2.0)[0] - 0.2) > 1.0, "who waits until the point has moved falls back"


def test_what_is_off_the_course_is_taken_back() -> None:
    preview = Preview([0.0, 3.0], [np.zeros(2), np.zeros(2)], 0.9, 9.81)
    place, velocity, step = np.array([0.02, -0.01]), np.array([0.05, 0.0]), 1e-3
    for number in range(3000):
        velocity = velocity + step * preview.acceleration(number * step, place, velocity)
        place = place + step * velocity
    np.testing.assert_allclose(place, 0.0, atol=1e-3)


def walked(*, looking_ahead: bool) -> tuple[Group, int]:
    """Three steps, the last of which closes up; how many solutions had a limit that gave way, 1000 for a fall."""
    group = Group({"anna": Person()})
    group.stand("anna")
    steps = []
    for side, far in (("right", 0.3), ("left", 0.45), ("right", 0.45)):
        place = group.point(f"anna/{side}_foot", group.sole("anna", side).middle) + np.array([far, 0.0, 0.0])
        steps.append([Footstep("anna", side, place.tolist(), via=(0.0, 0.0, 0.06))])
    group.perform(stride(group, "walk", steps, ["anna"], looking_ahead=looking_ahead))
    gave_way = 0
    for _ in range(720):
        try:
            gave_way += bool(group.advance()[0].relaxations)
        except NoSolution:
            return group, 1000
    return group, gave_way


def test_quick_steps_keep_every_limit_and_end_at_rest() -> None:
    group, gave_way = walked(looking_ahead=True)
    assert gave_way == 0
    feet = group.over("anna/left_foot", "anna/right_foot")
    assert feet[0] == pytest.approx(0.45, abs=0.01)
    np.testing.assert_allclose(group.center_of_mass("anna")[:2], feet[:2], atol=0.04)


def test_who_does_not_look_ahead_falls() -> None:
    assert walked(looking_ahead=False)[1] > 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("swing", 0.6), ("shift", 0.3), ("lower", 0.1), ("lean", 0.9), ("rest", 0.5), ("returns", 1.0)),
        *(("center", 50.0), ("level", 5.0), ("level_stiffness", 5.0), ("foot", 30.0), ("foot_stiffness", 20.0)),
    ],
)
def test_every_number_of_a_stride_reaches_its_phases(name: str, value: float) -> None:
    group = Group({"anna": Person()})
    group.stand("anna")
    options = StrideOptions(**{name: value})
    steps = [[Footstep("anna", "left", (0.3, 0.1, 0.0), via=(0.0, 0.0, 0.06))]]

    def asked_by(phases: list[Phase]) -> list[object]:
        """Times, weights, stiffnesses and targets of all phases, and what the first one asks of a body that fell behind."""
        tasks = [task for phase in phases for task in phase.tasks.values()]
        for task in tasks:
            task.begin(group.controller.system)
        numbers = [
            (task.weight, np.asarray(task.stiffness).tolist(), np.asarray(task.target).tolist()) for task in tasks
        ]
        for phase in phases:
            assert phase.each is not None
            phase.each(group.controller, 0.3)
        asked = [np.round(np.asarray(task.acceleration), 9).tolist() for task in tasks]
        until = [next(n for n in range(4000) if phase.until(group.controller, 0.001 * n)) for phase in phases]
        return [numbers, asked, until]

    assert asked_by(stride(group, "walk", steps, ["anna"])) != asked_by(
        stride(group, "walk", steps, ["anna"], options=options)
    )


def test_what_makes_no_course_is_refused() -> None:
    with pytest.raises(InputError, match="times of a course must rise"):
        Preview([0.0, 0.0], [np.zeros(2)] * 2, 0.9, 9.81)
    with pytest.raises(InputError, match="must be above the ground"):
        Preview([0.0, 1.0], [np.zeros(2)] * 2, -0.1, 9.81)
    group = Group({"anna": Person()})
    with pytest.raises(InputError, match="needs steps"):
        stride(group, "walk", [], ["anna"])
    with pytest.raises(InputError, match=r"stride\.swing: must be a number from 0\.2 to 5 s"):
        stride(group, "walk", [[Footstep("anna", "left", (0.2, 0.1, 0.0))]], ["anna"], options=StrideOptions(swing=0.1))
