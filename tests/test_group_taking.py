"""A contact sequence planned from a goal: steps to where a thing is at hand, a reach, a grasp."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.groups import Group, Person, TakingOptions, steps_to, take
from poise.groups.steps import heading_of
from poise.qp import FrameTask, Phase, Task, lasting
from poise.reproductions.vaillant2017.planned import goes_and_opens
from poise.scenes.together.door import BAR, DOOR
from poise.scenes.together.hands import PALMS_DOWN


def standing(far: float, heading: float = 0.0, aside: float = 0.0) -> Group:
    group = Group({"anna": Person(place=(-far, aside, 0.0), heading=heading)}, [DOOR])
    group.stand("anna")
    return group


def taking(group: Group, options: TakingOptions | None = None) -> list[Phase]:
    place, turn = BAR.tolist(), PALMS_DOWN["right"]
    return take(group, "anna/right_hand", "door/handle", place, rotation=turn, radius=0.014, options=options)


def test_who_is_far_away_steps_there_and_opens_the_door() -> None:
    group = goes_and_opens()
    phases = []
    for _ in range(round(12.5 / group.controller.step)):
        step, messages = group.advance()
        assert not step.relaxations
        phases += messages
    assert phases[-4:-1] == ["anna takes door/handle", "anna holds door/handle", "press the handle"]
    angle = group.system.joint_positions[group.system.joints.names.index("door/panel")]
    assert np.degrees(angle) == pytest.approx(np.degrees(0.3), abs=1.0)
    place = group.center_of_mass("anna")
    assert place[0] > -0.2, "from 1.2 m away"
    assert np.linalg.norm(place[:2] - group.over("anna/left_foot", "anna/right_foot")[:2]) < 0.06


def test_without_steps_it_is_refused_before_time_begins() -> None:
    with pytest.raises(InputError, match="out of reach"):
        goes_and_opens(stepping=False)


def test_who_is_near_does_not_step() -> None:
    assert [phase.name for phase in taking(standing(-0.14))] == [
        "anna reaches for door/handle",
        "anna takes door/handle",
        "anna holds door/handle",
    ]


@pytest.mark.parametrize("way", [(0.9, 0.0), (-0.4, 0.1), (0.05, -0.3), (0.3, 0.3)])
@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_steps_end_with_both_feet_side_by_side_at_the_place(way: tuple[float, float], heading: float) -> None:
    group, options = standing(0.5, heading), TakingOptions()
    feet = {side: group.over(f"anna/{side}_foot") for side in ("left", "right")}
    ahead, aside = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    goal = np.mean(list(feet.values()), axis=0)[:2] + way[0] * ahead + way[1] * aside
    steps = steps_to(group, "anna", goal)
    assert steps[0][0].side == ("left" if way[1] > 0.0 else "right")
    now = {side: place[:2].copy() for side, place in feet.items()}
    width = (now["left"] - now["right"]) @ aside
    for (step,), following in zip(steps, [*steps[1:], None], strict=True):
        assert step.heading == pytest.approx(heading_of(group, "anna"))
        assert following is None or following[0].side != step.side
        other = "left" if step.side == "right" else "right"
        now[step.side] = np.array(step.place[:2])
        assert abs((now[step.side] - now[other]) @ ahead) < options.longest + 1e-9
        assert (now["left"] - now["right"]) @ aside > width - options.sideways - 1e-9, "feet do not cross"
    np.testing.assert_allclose(np.mean(list(now.values()), axis=0), goal, atol=1e-9)
    assert (now["left"] - now["right"]) @ ahead == pytest.approx(0.0, abs=1e-9)


def test_no_step_is_taken_to_where_one_stands() -> None:
    group = standing(0.5)
    assert steps_to(group, "anna", group.over("anna/left_foot", "anna/right_foot")) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("reach", 0.5), ("ahead", 0.3), ("aside", 0.05), ("longest", 0.1), ("sideways", 0.02)),
        *(("back", 0.12), ("speed", 1.0)),
    ],
)
def test_every_number_of_taking_is_at_work(name: str, value: float) -> None:
    """Where and how fast hands and feet go, and whether there are steps at all."""
    group = standing(-0.05 if name == "reach" else 0.8, aside=0.4)

    def asked(options: TakingOptions | None) -> list[object]:
        found: list[object] = []
        for phase in taking(group, options):
            for given in phase.tasks.values():
                task = given(group.controller) if callable(given) else given
                if isinstance(task, FrameTask) and task.target is not None:
                    found.append([np.round(np.asarray(task.target), 6).tolist(), float(task.speed)])
            for task in phase.tasks.values():
                if isinstance(task, Task):
                    task.begin(group.system)
            if phase.each is not None:
                phase.each(group.controller, 0.2)
        return found

    assert asked(None) != asked(TakingOptions(**{name: value}))


def test_whose_hand_it_is_has_to_exist() -> None:
    for hand in ("bert/left_hand", "anna/middle_hand", "anna/right"):
        with pytest.raises(InputError, match="somebody's left_hand or right_hand"):
            take(standing(0.5), hand, "door/handle", (0.0, 0.0, 0.0))


def test_phases_of_taking_leave_nothing_behind_but_the_grasp_and_where_she_stands() -> None:
    group = standing(0.3)
    before = set(group.controller.tasks)
    group.perform([*taking(group), Phase(name="then", until=lasting(1e9))])
    while group.machine.phase != "then":
        group.advance()
    assert set(group.controller.tasks) == before
    assert set(group.controller.touches) == {"anna/left_foot", "anna/right_foot", "anna/right_hand"}
