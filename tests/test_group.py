"""Groups: phases, recorded inputs, sessions; the scenes after Vaillant 2017."""

import numpy as np
import pytest

from poise.characters.character import Character
from poise.errors import InputError
from poise.groups import Apart, ApartOptions, Group, Input, Person, Physical
from poise.qp import Machine, NoSolution, Phase, lasting, reached
from poise.report.movers import driven_by
from poise.report.page.write import report_html
from poise.runtime import Session
from poise.scenes.named import named_scene
from poise.scenes.together.box import box_group
from poise.scenes.together.door import OPEN, door_group
from poise.scenes.together.lever import lever_group
from poise.scenes.together.plank import led_group, plank_apart, plank_group
from poise.scenes.together.together import together
from poise.world.props import Ball
from poise.world.scene import SceneSpec


def played(group: Group, seconds: float) -> dict[str, int]:
    """Run a group; when each phase began, in steps."""
    begun = {}
    for count in range(round(seconds / group.controller.step)):
        for told in group.advance()[1]:
            begun.setdefault(told, count)
    return begun


def test_door_is_opened_by_a_task_on_the_door_alone() -> None:
    group = door_group()
    names = group.system.joints.names
    panel = names.index("door/panel")
    widest, phases = 0.0, set()
    for _ in range(2600):
        _, told = group.advance()
        phases |= set(told)
        widest = max(widest, group.system.joint_positions[panel])
    assert np.degrees(abs(widest - OPEN)) < 1.0
    assert np.degrees(abs(group.system.joint_positions[panel])) < 1.0
    assert {"open", "close", "let go"} <= phases
    assert "anna/right_hand" not in group.controller.touches


def test_phases_leave_nothing_behind() -> None:
    group = Group({"anna": Person()})
    group.stand("anna")
    before = dict(group.controller.tasks)
    phases = [
        Phase(
            name="lean",
            tasks={"anna balance": before["anna posture"], "more": before["anna posture"]},
            until=lasting(0.05),
        ),
        Phase(name="rest", until=lasting(9.0)),
    ]
    group.perform(phases)
    began = played(group, 0.1)
    assert began["rest"] == pytest.approx(10, abs=1)
    assert group.controller.tasks == before


def test_what_is_not_at_hand_is_not_held() -> None:
    """Patience runs out long before her hand is at the handle."""
    group = door_group()
    assert group.machine is not None
    reach, touch = group.machine.phases[1:4:2]
    group.perform(
        [
            Phase(name="reach", tasks=reach.tasks, until=reached("hand", 0.004, 0.02, patience=0.1)),
            Phase(name="press", touch=touch.touch),
        ]
    )
    with pytest.raises(InputError, match=r"phase 'press'.*anna/right_hand would hold door/handle from \d\d cm away"):
        played(group, 1.0)


def test_who_reaches_until_she_falls_is_told_with_what_she_reaches_for() -> None:
    group = door_group()
    far = group.hand("anna", "right", [1.0, -0.28, 1.0])
    group.perform([Phase(name="reach", tasks={"handle": far}, until=lasting(9.0))])
    with pytest.raises(NoSolution, match=r"in phase 'reach': farthest .* by \d+ cm, is what '[a-z ]+' moves"):
        played(group, 6.0)


def test_machine_refuses_what_leads_nowhere() -> None:
    group = Group({"anna": Person()})
    with pytest.raises(InputError, match="nowhere"):
        Machine([Phase(name="a", next="nowhere")], group.controller)
    with pytest.raises(InputError, match="names"):
        Machine([Phase(name="a"), Phase(name="a")], group.controller)


def test_recorded_inputs_are_played_at_their_times() -> None:
    group, heard = Group({"anna": Person()}), []
    group.stand("anna")
    group.controls["wave"] = heard.append
    group.play([Input(0.02, "wave", 2), Input(0.0, "wave", 1)])
    group.advance()
    assert heard == [1]
    for _ in range(4):
        group.advance()
    assert heard == [1, 2]
    with pytest.raises(InputError, match="control"):
        group.play([Input(0.0, "jump", 1)])


def test_session_plays_a_group_and_goes_back_to_the_bit() -> None:
    session = named_scene("door").session()
    session.run(30)
    saved = session.save()
    first = session.run(20).positions[-1].copy()
    session.restore(saved)
    again = session.run(20).positions[-1]
    np.testing.assert_array_equal(first, again)
    layout = session.world.layout("anna")
    row = session.behaviors[0].group.system.row("anna")
    np.testing.assert_allclose(np.abs(first[layout.positions]), np.abs(row), atol=1e-6)
    clip = session.result("anna")
    moved = np.abs(clip.rotations[-1] - clip.rotations[0]).max()
    assert moved > 0.01


def test_a_ball_that_hits_is_felt() -> None:
    """A ball at the chest: the body gives way along the ball's flight, feet stay where they are."""
    from poise.groups import Together
    from poise.runtime.session import Session
    from poise.world.scene import SceneSpec

    def make() -> Group:
        group = Group({"anna": Person()})
        group.stand("anna")
        return group

    def leaning(mass: float) -> float:
        ball = Ball(name="ball", position=(1.5, 0.0, 1.35), velocity=(-6.0, 0.0, 1.2), mass=mass, radius=0.1)
        session = Session(make().characters(1.0), SceneSpec(props=(ball,)), groups=[Together(make)])
        session.run()
        group = session.behaviors[0].group
        assert abs(group.controller.touches["anna/left_foot"].error).max() < 1e-3
        rows = session.recording().positions[:, session.world.layout("anna").positions]
        return float(rows[:, 0].min() - rows[0, 0])

    assert leaning(2.0) < leaning(0.02) - 0.005


SIZES = {
    "king": (114, 90, 28, 16, 6, 380, 246),
    "funambulist": (42, 30, 8, 8, 7, 136, 90),
    "sword": (78, 60, 16, 8, 33, 234, 150),
    "acrobats": (108, 90, 24, 0, 6, 294, 180),
    "door": (38, 30, 8, 4, 1, 116, 74),
}
"""Vaillant 2017, Table 1: degrees of freedom, actuated ones, planar and grasp points, pairs, QP size, equalities."""


@pytest.mark.parametrize("name", SIZES)
def test_scenes_have_the_papers_sizes(name: str) -> None:
    """Of the largest program of a scene, in the paper's form: torques among the unknowns, three rows per point."""
    from poise.scenes.together import GROUPS

    group = GROUPS[name]()
    if name == "door":
        group.controller.touch(group.grip("anna", "right", "door/handle"))
    dofs, actuated, planar, grasps, pairs, size, equalities = SIZES[name]
    held = group.controller.touches.values()
    points = sum(len(one.contact.points) for one in held)
    assert group.system.size == dofs
    assert len(group.controller.former.driven) == actuated
    assert points == planar + grasps
    assert len(group.controller.avoidances) == pairs
    assert dofs + actuated + 4 * points == size
    assert dofs + 3 * points == equalities
    step = group.controller.solve()
    assert step.size[:2] == (dofs + 4 * points, dofs - actuated + 6 * len(held))


@pytest.mark.parametrize("name", ["king", "funambulist", "sword", "acrobats", "door", "valve", "box", "lever"])
def test_scenes_begin_at_rest_and_feasible(name: str) -> None:
    from poise.scenes.together import GROUPS

    group = GROUPS[name]()
    joints = group.system.joints
    assert (group.system.joint_positions >= joints.lower - 1e-6).all()
    assert (group.system.joint_positions <= joints.upper + 1e-6).all()
    for _ in range(20):
        step, _ = group.advance()
        assert not step.relaxations
        assert step.solution.miss < 1e-6
    assert np.abs(group.system.velocities).max() < 3.0


def test_with_no_delay_each_alone_does_what_all_do_together() -> None:
    """Torques of two programs, put together, against one program's accelerations."""
    pair, group = plank_apart(0.0), plank_group()
    for _ in range(40):
        pair.advance()
        group.advance()
    np.testing.assert_allclose(pair.system.data.qpos, group.system.data.qpos, atol=1e-9)
    np.testing.assert_allclose(pair.system.velocities, group.system.velocities, atol=1e-8)


def test_who_sees_late_does_something_else_and_expecting_helps() -> None:
    """Turn of the plank after two seconds on its course."""
    turns = []
    for predicting in (True, False):
        pair = plank_apart(0.15, predicting=predicting)
        for _ in range(200):
            pair.advance()
        turns.append(
            np.arccos(min(1.0, 0.5 * (np.trace(pair.system.rotations[pair.system.body("plank/plank")]) - 1.0)))
        )
    assert np.degrees(turns[0]) < 0.5
    assert turns[1] > 3.0 * turns[0]


def test_what_both_hold_tells_each_of_the_other_at_once() -> None:
    """How far the plank rolls in four seconds at 250 ms: a light bar in four hands, each of which counts on the others."""
    rolled = []
    for feeling in (True, False):
        pair = plank_apart(0.25, feeling=feeling)
        body = pair.system.body("plank/plank")
        for _ in range(400):
            pair.advance()
        rolled.append(np.degrees(np.arccos(min(1.0, 0.5 * (np.trace(pair.system.rotations[body]) - 1.0)))))
    assert rolled[0] < 0.5
    assert rolled[1] > 2.0 * rolled[0]


def test_each_alone_goes_back_to_the_bit() -> None:
    pair = plank_apart(0.1)
    for _ in range(20):
        pair.advance()
    kept = pair.keepsake()
    ways = []
    for _ in range(2):
        for _ in range(20):
            pair.advance()
        ways.append(pair.system.data.qpos.copy())
        pair.take_back(kept)
    np.testing.assert_array_equal(*ways)


def test_who_sways_how_is_gone_back_to() -> None:
    """A step brings a balance of its own, which would sway instead of the one that is gone back to."""
    group = Group({"anna": Person()})
    group.stand("anna")
    for _ in range(20):
        group.advance()
    kept, ways = group.keepsake(), []
    for _ in range(2):
        for _ in range(20):
            group.advance()
        ways.append(group.system.data.qpos.copy())
        group.balance("anna")
        group.take_back(kept)
    np.testing.assert_array_equal(*ways)


def test_inputs_reach_those_who_do_not_lead_later() -> None:
    heard: list[tuple[str, float]] = []

    def make() -> Group:
        group = Group({"anna": Person(), "ben": Person(place=(0.0, 1.0, 0.0))}, step=0.01)
        for name in group.people:
            group.stand(name)
        group.controls["call"] = lambda who: heard.append((who, group.controller.time))
        group.play([Input(0.05, "call", "anna")])
        return group

    pair = Apart(make, ApartOptions(delay=0.1), leader="anna")
    for _ in range(20):
        pair.advance()
    assert [time for _, time in heard] == pytest.approx([0.05, 0.05, 0.15])


def test_delays_and_leaders_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="delay"):
        plank_apart(-0.1)
    with pytest.raises(InputError, match="lead"):
        Apart(plank_group, leader="nobody")
    with pytest.raises(InputError, match="torque limits"):
        Apart(lambda: Group({"anna": Person(strong=True)}))


def test_who_stands_sways_by_millimetres_and_can_be_told_not_to() -> None:
    ways = []
    for idle in (True, False):
        group = Group({"anna": Person()}, step=0.01, idle=idle)
        group.stand("anna")
        heads, centers = [], []
        played(group, 3.0)
        for _ in range(800):
            group.advance()
            heads.append(group.point("anna/head", (0.1, 0.0, 0.1)))
            centers.append(group.center_of_mass("anna"))
        ways.append((np.ptp(centers, axis=0)[:2].max(), np.ptp(heads, axis=0).max()))
    assert 0.003 < ways[0][0] < 0.03, "weight moves as that of people who stand quietly"
    assert 0.005 < ways[0][1] < 0.08
    assert max(ways[1]) < 0.001


def test_eyes_do_the_first_part_of_a_look() -> None:
    group = Group({"anna": Person()}, step=0.01, idle=False)
    group.stand("anna")
    task = group.look("anna", (0.5, 0.3, 0.9))
    group.controller.want("gaze", task)
    for _ in range(400):
        group.advance()
    eye = group.point("anna/head", task.eye)
    head = group.system.rotations[group.system.body("anna/head")]
    away = np.array([0.5, 0.3, 0.9]) - eye
    angle = np.arccos(head @ np.array(task.direction) @ away / np.linalg.norm(away))
    assert angle == pytest.approx(task.eyes, abs=0.08)
    # Eyes at rest look 15 degrees down, so the head bows by less than the place is low less what eyes turn.
    bowed, low = -np.arcsin(head[2, 0]), -np.arcsin(away[2] / np.linalg.norm(away))
    assert np.degrees(low) > 45.0
    assert -5.0 < np.degrees(bowed - (low - task.eyes - np.radians(15.0))) < 8.0


def test_who_does_not_lead_follows_late_and_both_lift_the_plank() -> None:
    pair = Apart(led_group, leader="carrier0")
    body = pair.system.body("plank/plank")
    start = pair.system.positions[body, 2]
    tilts = []
    for _ in range(280):
        step, _ = pair.advance()
        assert not step.relaxations
        tilts.append(np.degrees(np.arcsin(pair.system.rotations[body][2, 1])))
    assert pair.system.positions[body, 2] - start > 0.25
    late = np.abs(tilts[100:200]).max()
    assert 0.3 < late < 5.0, "who leads lifts their end first"
    assert abs(tilts[-1]) < 0.5


def test_torques_hold_a_person_up_in_contact_physics_only_when_it_is_seen_what_they_do() -> None:
    lows = []
    for feedback in (True, False):
        physical = Physical(door_group(), feedback=feedback)
        head = physical.group.system.body("anna/head")
        heights = []
        for _ in range(300):
            physical.advance()
            heights.append(physical.physics.data.xpos[head, 2])
        lows.append(heights[0] - min(heights))
    assert lows[0] < 0.1
    assert lows[1] > 0.3
    carried = Physical(box_group())
    start = carried.physics.data.xpos[carried.group.system.body("box/box"), 2]
    assert carried.physics.model.neq == 0, "nothing but friction holds the box"
    for _ in range(200):
        carried.advance()
    assert abs(carried.physics.data.xpos[carried.group.system.body("box/box"), 2] - start) < 0.1


def test_the_legend_says_who_moves_whom() -> None:
    alone = Session({"anna": still_person()}, SceneSpec(floor=0.0))
    assert driven_by(alone) == "follows the clip"
    assert "</i>follows the clip</span>" in page_of(alone)
    moved = together("lever", lever_group, 1.0).session()
    assert driven_by(moved) == "moved by a program"
    told = page_of(moved)
    assert "</i>moved by a program</span>" in told
    assert "follows the clip" not in told


def page_of(session: Session) -> str:
    session.run(1)
    return report_html(session).split("<section", 2)[1]


def still_person() -> Character:
    return next(iter(lever_group().characters(1.0).values()))
