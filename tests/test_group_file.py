"""Scene files of people who do something together: the door as one, and what is refused in one line."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from poise.errors import InputError
from poise.groups import Group, Together
from poise.scenes import read_scene

DOOR = Path(__file__).parents[1] / "examples" / "scenes" / "door.yaml"
STEPS = DOOR.parent / "step_and_reach.yaml"


def test_the_door_in_under_sixty_lines_is_opened_and_shut() -> None:
    assert len(DOOR.read_text(encoding="utf-8").splitlines()) < 60
    session = read_scene(DOOR).session()
    (together,) = session.behaviors
    assert isinstance(together, Together)
    group = together.group
    panel = group.system.joints.names.index("door/panel")
    widest, relaxed = 0.0, 0
    for _ in range(round(12.0 / group.controller.step)):
        step, _ = group.advance()
        relaxed += bool(step.relaxations)
        widest = max(widest, float(group.system.joint_positions[panel]))
    assert abs(np.degrees(widest) - 29.0) < 1.0
    assert abs(np.degrees(group.system.joint_positions[panel])) < 1.0
    assert relaxed == 0
    assert not [name for name in group.controller.touches if name.endswith("hand")]


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    """The door's file with one thing changed."""
    content = yaml.safe_load(DOOR.read_text(encoding="utf-8"))
    inner = content
    for part in path[:-1]:
        inner = inner[part]
    if to is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = copy.deepcopy(to)
    return content


@pytest.mark.parametrize(
    ("path", "to", "says"),
    [
        (("people",), {"anna": {"statur": 1.0}}, r"people\.anna\.statur: unknown key, did you mean 'stature'"),
        (("people",), {"door": {}}, "used twice: door"),
        (("people", "anna"), {"pose": {"left_toe/y": 3}}, "people: unknown joint 'anna/left_toe/y'"),
        (("people", "anna"), {"pose": {"left_shank/y": -40}}, "goes from 0 to"),
        (("characters",), {}, "characters: unknown key"),
        (("things", "door", 0, "joint"), "hing", r"things\.door\.0\.joint: .* did you mean 'hinge'"),
        (("things", "door", 1, "parent"), "pannel", r"things\.door\.1: unknown link 'pannel', did you mean 'panel'"),
        (("things", "door", 0, "shapes", 0, "sphere"), 1, "exactly one of the keys box, sphere"),
        (("contacts", "grip", "hand"), "anna", r"contacts\.grip: a hand is somebody's left or right"),
        (("contacts", "grip", "hand"), "bob left", "unknown person 'bob'"),
        (("contacts", "grip", "holds"), "door/knob", r"contacts\.grip: unknown body 'door/knob'"),
        (("tasks", "look"), {"to": [0, 0, 0]}, r"tasks\.look: a task needs exactly one of the keys"),
        (("tasks", "near", "to"), [1, 2], r"tasks\.near\.to: needs 3 numbers, got 2"),
        (("tasks", "open", "to"), None, r"tasks\.open: a joint needs either 'to' or 'velocity'"),
        (("tasks", "open", "stiffness"), 1e6, r"tasks\.open: .*stiffness 1e\+06 is not stable"),
        (("phases", 0, "tasks"), ["loo"], r"phases\.0: unknown task 'loo', did you mean 'look'"),
        (("phases", 0, "reached"), "there", r"phases\.0: unknown task of this phase 'there'"),
        (("phases", 0, "lasts"), 1, "either 'lasts' or 'reached'"),
        (("things", "door", 0, "range"), [30, 0], r"things\.door\.0: range must rise; got \[30"),
        (("tasks", "near"), {"joint": "door/panel", "velocity": 20}, "moves at a velocity and has no target to reach"),
        (("phases", 0, "release"), ["grip"], r"phases\.0: anna/right_hand lets go of what it does not hold"),
        (("phases", 3, "touch"), ["grip"], r"phases\.3: anna/right_hand holds something already"),
        (("phases", 1, "phase"), "reach", "used twice: reach"),
        (("apart",), [["anna/nose", "door/panel"]], r"apart\.0: unknown body 'anna/nose'"),
        (("apart",), [["anna/head", "anna/head"]], r"apart\.0: two bodies keep apart; got 'anna/head' twice"),
        (
            ("apart",),
            [["anna/left_hand", "door/panel"], ["anna/left_hand", "anna/left_forearm"]],
            r"apart\.1: anna/left_hand/0 and anna/left_forearm/0 keep apart but begin \d+\.\d cm inside .*; allowed is 0\.1 cm",
        ),
        (
            ("people", "anna"),
            {"at": [-1, 0]},
            r"phases: phase 'press' would have anna/right_hand hold door/handle, which is",
        ),
        (("people", "anna"), {"strength": 0}, "strength"),
        (("seconds",), None, "seconds: Field required"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path: Path, path: tuple[str | int, ...], to: Any, says: str) -> None:
    file = tmp_path / "door.yaml"
    file.write_text(yaml.safe_dump(changed(*path, to=to)), encoding="utf-8")
    with pytest.raises(InputError, match=says) as refused:
        read_scene(file)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(str(file))


def test_slides_are_in_metres_and_bodies_keep_apart(tmp_path: Path) -> None:
    file = tmp_path / "drawer.yaml"
    file.write_text(
        """
people: {anna: {at: [0, 0.2], turn: 10, pose: {head/y: 5}}}
things:
  desk:
    - {link: drawer, joint: slide, axis: x, position: [0.6, 0, 1], range: [-0.2, 0.2],
       shapes: [{cylinder: [0.1, 0.2], along: y, mass: 2}, {sphere: 0.05, mass: 1}]}
tasks:
  out: {joint: desk/drawer, to: -0.1}
  round: {joint: desk/drawer, velocity: 0.1}
  still: {move: anna/head, to: [0, 0.2, 1.5]}
phases: [{phase: wait, tasks: [out, still], lasts: 1}]
apart: [[anna/left_hand, desk/drawer]]
seconds: 1
"""
    )
    (together,) = read_scene(file).session().behaviors
    assert isinstance(together, Together)
    controller = together.group.controller
    assert len(controller.avoidances) == 2
    together.group.advance()
    assert controller.tasks["out"].target == [-0.1]


def test_somebody_walks_up_and_pulls_as_far_as_an_input_says() -> None:
    session = read_scene(STEPS).session()
    (together,) = session.behaviors
    assert isinstance(together, Together)
    group = together.group
    assert isinstance(group, Group)
    drawer = group.system.joints.names.index("desk/drawer")
    gave_way, before = 0, 0.0
    while group.controller.time < 17.5:
        step, _ = group.advance()
        gave_way += bool(step.relaxations)
        before = float(group.system.joint_positions[drawer]) if step.time < 14.9 else before
    assert gave_way == 0
    for side, place in (("left", (0.05, 0.09)), ("right", (0.05, -0.09))):
        foot = group.sole("anna", side)
        np.testing.assert_allclose(group.point(foot.second, foot.middle)[:2], place, atol=0.005)
    feet = group.over("anna/left_foot", "anna/right_foot")
    np.testing.assert_allclose(group.center_of_mass("anna")[:2], feet[:2], atol=0.05)
    assert before == pytest.approx(-0.1, abs=0.005)
    assert float(group.system.joint_positions[drawer]) == pytest.approx(-0.2, abs=0.005)
    group.send("pulled", -0.05)
    group.advance()
    (task,) = [task for name, task in group.controller.tasks.items() if name == "pulled"]
    np.testing.assert_allclose(task.feature(group.system).error, group.system.joint_positions[drawer] + 0.05)


@pytest.mark.parametrize(
    ("path", "to", "says"),
    [
        (("phases", 0, "steps"), [{"foot": "anna", "to": [0, 0]}], r"phases\.0: a foot is somebody's left or right"),
        (("phases", 0, "steps"), [{"foot": "bob left", "to": [0, 0]}], r"phases\.0: unknown person 'bob'"),
        (
            ("phases", 0, "steps"),
            [{"foot": "anna left", "to": [0, 0]}, {"foot": "anna right", "to": [0, 0.2]}],
            r"phases\.0: nobody steps with both feet at once",
        ),
        (("phases", 0, "carrying"), ["tray"], r"phases\.0: unknown character or thing 'tray'"),
        (("phases", 0, "lasts"), 2, r"phases\.0: a phase with steps is over when they are"),
        (("phases", 3, "carrying"), ["desk"], r"phases\.3: who carries says so where steps are taken"),
        (("inputs", 0, "task"), "pull", r"inputs: unknown task 'pull', did you mean 'pulled'"),
        (("inputs", 0, "to"), [1, 2, 3], r"inputs: pulled goes to one number; got 3"),
        (("inputs", 0, "at"), -1, r"inputs\.0\.at"),
    ],
)
def test_mistakes_in_steps_and_inputs_are_told(tmp_path: Path, path: tuple[str | int, ...], to: Any, says: str) -> None:
    content = yaml.safe_load(STEPS.read_text(encoding="utf-8"))
    inner = content
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = to
    file = tmp_path / "steps.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_scene(file)


CARRY = DOOR.parent / "carry_a_box.yaml"


def test_somebody_walks_along_a_clip_with_a_box_past_somebody_who_looks() -> None:
    session = read_scene(CARRY).session()
    (together,) = session.behaviors
    assert isinstance(together, Together)
    group = together.group
    assert isinstance(group, Group)
    start = group.point("box/box", (0.0, 0.0, 0.0))
    while group.controller.time < 3.6:
        group.advance()
    end = group.point("box/box", (0.0, 0.0, 0.0))
    assert end[0] - start[0] > 3.0
    assert end[2] == pytest.approx(start[2], abs=0.1)
    gaze = group.controller.tasks["anna gaze"]
    assert np.linalg.norm(gaze.feature(group.system).error) < 0.3  # type: ignore[union-attr]


def test_who_walks_beside_somebody_with_a_box_goes_on_as_fast(tmp_path: Path) -> None:
    """While the one is brought into the pose that carries everybody else stays as they begin."""
    file = tmp_path / "two.yaml"
    file.write_text(
        "people:\n"
        '  ben: {clip: "shipped:walk", cycles: 2, carries: box}\n'
        '  eva: {clip: "shipped:walk", cycles: 2, at: [0, 3]}\n'
        "things:\n"
        "  box:\n"
        "    - {link: box, joint: free, position: [0, 0, 1], shapes: [{box: [0.12, 0.15, 0.12], mass: 5}]}\n"
        "phases:\n"
        "  - {phase: walk, lasts: 1}\n"
        "seconds: 1\n"
    )
    (together,) = read_scene(file).session().behaviors
    group = together.group  # type: ignore[attr-defined]
    speed = np.linalg.norm(group.system.data.qvel[group.system.dofs_of("eva")[:3]])
    assert speed > 0.5
    while group.controller.time < 1.0:
        group.advance()


@pytest.mark.parametrize(
    ("path", "to", "says"),
    [
        (("people", "ben", "clip"), "shipped:wak", r"people\.ben\.clip: unknown shipped clip 'wak'"),
        (("people", "ben", "clip"), "../../etc/passwd", r"people\.ben\.clip: "),
        (("people", "ben", "clip"), None, r"people\.ben: cycles is about who follows a clip"),
        (("people", "ben", "stature"), 1.8, r"people\.ben: who follows a clip has its stature"),
        (("people", "ben", "cycles"), 0, r"people\.ben\.cycles"),
        (("people", "ben", "carries"), "bag", r"people\.ben\.carries: unknown thing 'bag'"),
        (("people", "ben", "hands"), ["middle"], r"people\.ben\.hands"),
        (("people", "ben", "hands"), [], r"people\.ben\.hands"),
        (("people", "anna", "carries"), "box", r"people\.anna: carries is about who follows a clip"),
        (
            ("things", "box", 0, "joint"),
            "fixed",
            r"people\.ben\.carries: box is to be carried, but its first link is fixed",
        ),
        (
            ("things", "box", 0, "shapes", 0, "box"),
            [0.1, 0.9, 0.1],
            r"people\.ben\.carries: ben cannot carry box in both hands",
        ),
        (("seconds",), 9, r"seconds: ben's clip lasts 3\.80 s, less than the scene of 9 s"),
        (
            ("tasks", "look"),
            {"gaze": "ben"},
            r"tasks\.look: ben follows a clip, which says what hands, feet and head do",
        ),
        (("tasks", "look"), {"hand": "ben left", "to": [0, 0, 1]}, r"tasks\.look: ben follows a clip"),
        (
            ("phases", 0),
            {"phase": "step", "steps": [{"foot": "ben left", "to": [0, 0]}]},
            r"phases\.0: ben follows a clip",
        ),
    ],
)
def test_mistakes_about_who_follows_a_clip_are_told(
    tmp_path: Path, path: tuple[str | int, ...], to: Any, says: str
) -> None:
    content = yaml.safe_load(CARRY.read_text(encoding="utf-8"))
    inner = content
    for part in path[:-1]:
        inner = inner[part]
    if to is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    file = tmp_path / "carry.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(InputError, match=says) as refused:
        read_scene(file)
    assert "\n" not in str(refused.value)
