"""Inputs to a group: which are told, when they have been answered, and what a strip shows of them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from poise.groups import Group, Input, Person, Together
from poise.groups.grips import Hold, held, hold
from poise.qp import CenterOfMassTask, Phase, lasting
from poise.report.movers import answered, before_input, handled, in_group, told_by
from poise.report.strip import write_strip
from poise.runtime import Session
from poise.world import SceneSpec
from poise.world.render import NoRenderer
from poise.world.things import Link, Shape, Thing

BALL = Thing(
    name="ball",
    links=(
        Link(
            name="ball",
            joint="free",
            position=(2.0, 0.0, 1.0),
            shapes=(Shape(kind="sphere", size=(0.1, 0.0, 0.0), mass=1.0),),
        ),
    ),
)


def made() -> Group:
    """Somebody whose weight goes where inputs say, in the second of two phases."""
    group = Group({"anna": Person()}, [BALL], step=0.01, gravity=9.81)
    group.stand("anna")
    group.controller.want("ball", group.keep("ball/ball"))
    task = group.controller.tasks["anna balance"]
    assert isinstance(task, CenterOfMassTask)
    place = np.array(task.target)

    def move(offset: tuple[float, float, float]) -> None:
        task.target = place + np.array(offset)

    group.controls["weight"] = move
    group.controls["word"] = lambda value: None
    group.play(
        [Input(0.5, "weight", (0.03, 0.0, 0.0)), Input(1.1, "weight", (0.0, 0.0, 0.0)), Input(1.1, "word", "go")]
    )
    group.perform([Phase(name="stand", until=lasting(0.2)), Phase(name="moved", until=lasting(1e9))])
    return group


@pytest.fixture(scope="module")
def session() -> Session:
    group = made()
    played = Session(group.characters(1.6), SceneSpec(things=group.things), groups=[Together(made)])
    played.run()
    return played


def test_inputs_are_told_with_what_was_asked_for(session: Session) -> None:
    told = [event.subject for event in session.recording().events if event.kind == "input"]
    assert told == ["weight 0.03, 0, 0", "weight 0, 0, 0", "word"]


def test_inputs_that_follow_one_another_quickly_are_a_course_and_not_told() -> None:
    group = made()
    group.play([Input(0.01 + 0.1 * number, "weight", (0.0, 0.0, 0.0)) for number in range(4)])
    taken: list[Input] = []
    for _ in range(45):
        group.advance()
        taken += group.taken
    assert taken == []
    assert not group.taken


def test_an_input_has_been_answered_before_the_next_or_at_the_end(session: Session) -> None:
    recording = session.recording()
    first, *rest = answered(recording)
    assert recording.times[first] == pytest.approx(1.1, abs=1.5 * recording.tick)
    assert recording.times[first] < 1.1
    assert recording.times[rest[-1]] == pytest.approx(recording.times[-1], abs=1.5 * recording.tick)


def test_a_moment_is_told_by_phase_and_input_and_compared_with_before(session: Session) -> None:
    recording = session.recording()
    assert told_by(recording, 0.1) == ["stand"]
    assert told_by(recording, 0.4) == ["moved"]
    assert told_by(recording, 0.7) == ["moved", "weight 0.03, 0, 0"]
    assert before_input(recording, 0.4) is None
    before = before_input(recording, 0.7)
    assert before is not None
    assert recording.times[before] == pytest.approx(0.5, abs=1.5 * recording.tick)


def test_what_a_group_handles_is_known_by_its_shapes(session: Session) -> None:
    assert len(handled(session)) == 1
    assert in_group(session, "anna")


def test_a_strip_of_a_group_is_written_with_its_inputs(session: Session, tmp_path: Path) -> None:
    try:
        write_strip(tmp_path / "strip.png", session, moments=4)
    except NoRenderer as error:
        pytest.skip(str(error))
    assert Image.open(tmp_path / "strip.png").size[0] > 1800


def test_a_hand_goes_round_a_leg_closes_there_and_moves_nothing_else() -> None:
    """Her own left thigh, which she reaches from where her hand hangs."""
    group = Group({"anna": Person()}, step=0.01, idle=False)
    group.stand("anna")
    for name, task in hold(group, "anna", "left", "anna/left_thigh", along=0.12, radius=0.07).items():
        group.controller.want(name, task)
    place = group.controller.tasks["anna left hold"]
    assert isinstance(place, Hold)
    begin = held(group.controller, "anna")
    for _ in range(250):
        group.advance()
    closed = held(group.controller, "anna")
    assert begin[0].tolist() == [0.0, 0.0]
    assert closed[0].tolist() == pytest.approx([1.0, 1.0 / 0.07])
    assert closed[1].tolist() == [0.0, 0.0]
    dofs = group.system.joints.dofs
    moved = {
        group.system.joints.names[n] for n in np.flatnonzero(place.feature(group.system).jacobian[:, dofs].any(axis=0))
    }
    assert {name.split("/")[1] for name in moved} == {"left_upper_arm", "left_forearm", "left_hand"}
