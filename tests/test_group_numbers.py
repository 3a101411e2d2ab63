"""Declared numbers of groups, of gestures and of muscles are at work: something is otherwise with each of them changed."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.anticipation.bounds import Bounds
from poise.anticipation.rules import reaction_time
from poise.assets import clip_path
from poise.behaviors.gesturing import Elbows, Gesticulator
from poise.body.coordinates import body_frames
from poise.control.tension import Tension
from poise.errors import InputError
from poise.gesture import clap
from poise.groups import Apart, ApartOptions, Group, IdleOptions, Person, ReadinessOptions
from poise.groups.readiness import check_ready
from poise.ik import relaxed_positions
from poise.io import read_clip
from poise.qp import Pair, Task
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes.together.acrobats import acrobats_group
from poise.scenes.together.climbing import ClimbOptions, climb
from poise.scenes.together.door import door_group
from poise.scenes.together.plank import plank_group
from poise.signals import Mode

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def tower() -> Group:
    return acrobats_group()


def wanted(group: Group, options: ClimbOptions) -> list[tuple[str, Array]]:
    """What a climb wants in each of its phases: weights, speeds and places."""
    result = []
    for phase in climb(group, "middle", "bottom", riders=["top"], options=options):
        for name, given in phase.tasks.items():
            task = given if isinstance(given, Task) else given(group.controller)
            place = np.ravel(getattr(task, "target", 0.0)) if getattr(task, "target", None) is not None else np.zeros(1)
            result.append((f"{phase.name} {name}", np.array([task.weight, task.speed, *place])))
    return result


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("crouch", 0.2, "crouch crouch"),
        ("lift", 0.12, "right foot up swing"),
        ("shifting", 0.3, "crouch middle balance"),
        ("upright", 9.0, "crouch middle upright"),
        ("lowest", 9000.0, "crouch bottom balance"),
        ("next", 5000.0, "crouch middle balance"),
        ("upper", 2000.0, "crouch top balance"),
        ("shin", 0.5, "rise bottom left hold"),
    ],
)
def test_a_climb_goes_by_its_numbers(tower: Group, name: str, value: float, what: str) -> None:
    usual, other = wanted(tower, ClimbOptions()), wanted(tower, ClimbOptions(**{name: value}))
    changed = [label for (label, one), (_, two) in zip(usual, other, strict=True) if not np.array_equal(one, two)]
    assert any(label.endswith(what) for label in changed)


def swayed(options: IdleOptions) -> Array:
    """What somebody wants who has stood for a second and a half."""
    group = Group({"anna": Person()}, idle=options)
    group.stand("anna")
    group.controller.time = 1.5
    group.sway()
    tasks = group.controller.tasks
    return np.concatenate(
        [np.ravel(vars(tasks["anna posture"])["target"]), np.ravel(vars(tasks["anna upright"])["rotation"])]
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("slowest", 0.2),
        ("fastest", 0.5),
        ("rises", 4.0),
        ("lean", 0.05),
        ("turn", 0.1),
        ("head", 0.1),
        ("upper_arm", 0.1),
        ("forearm", 0.1),
        ("hand", 0.1),
    ],
)
def test_idle_sway_goes_by_its_numbers(name: str, value: float) -> None:
    usual = swayed(IdleOptions())
    assert np.array_equal(usual, swayed(IdleOptions()))
    assert np.abs(swayed(IdleOptions(**{name: value})) - usual).max() > 1e-5


def test_sines_that_are_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(InputError, match=r"idle: slowest must not exceed fastest; got 0\.5 and 0\.35"):
        IdleOptions(slowest=0.5)


def test_how_far_two_may_begin_inside_one_another_is_a_number() -> None:
    pair = Pair(first="anna/pelvis/0", second="ben/pelvis/0")
    group = Group({"anna": Person(), "ben": Person(place=(0.1, 0.0, 0.0))}, pairs=[pair])
    with pytest.raises(InputError, match=r"inside one another; allowed is 0\.1 cm"):
        check_ready(group, [])
    with pytest.raises(InputError, match=r"allowed is 1 cm"):
        check_ready(group, [], ReadinessOptions(overlap=0.01))


def test_who_may_lean_and_takes_time_reaches_farther() -> None:
    group = door_group()
    pelvis = group.system.positions[group.system.body("anna/pelvis")].copy()
    group.system.place("anna", pelvis - [0.8, 0.0, 0.0], 0.0)
    group.system.refresh()
    assert group.machine is not None

    def missing(options: ReadinessOptions) -> int:
        assert group.machine is not None
        with pytest.raises(InputError) as refused:
            check_ready(group, group.machine.phases, options)
        found = re.search(r"(\d+) cm are missing", str(refused.value))
        assert found is not None
        return int(found[1])

    usual = missing(ReadinessOptions())
    assert missing(ReadinessOptions(leaning=0.0)) > usual + 2
    assert missing(ReadinessOptions(seconds=0.2)) > usual + 2


def carried(**numbers: float) -> Array:
    pair = Apart(plank_group, ApartOptions(**numbers))  # type: ignore[arg-type]
    for _ in range(60):
        pair.advance()
    return np.array(pair.system.data.qpos)


@pytest.mark.parametrize(("name", "value"), [("delay", 0.3), ("patience", 0.2), ("gives", 0.1)])
def test_who_decide_alone_go_by_their_numbers(name: str, value: float) -> None:
    assert np.abs(carried(**{name: value}) - carried()).max() > 1e-7


def test_a_body_begins_at_its_skin() -> None:
    """Who is 35 cm from the middle of what is protected at 1 m/s is 20 cm from a skin that is 15 cm out."""
    bounds = Bounds(quickest=0.001, early=1.0)
    assert reaction_time(0.35, 0.5, 1.0, bounds) == pytest.approx(0.2)
    assert reaction_time(0.35, 0.5, 1.0, replace(bounds, skin=0.05)) == pytest.approx(0.3)


def test_muscles_that_begin_to_work_rise_as_fast_as_said() -> None:
    """Stiffness of a forearm a tenth of a second after it begins: a share that rises evenly, squared."""
    walker = Character.from_clip(read_clip(clip_path("walk")), CharacterOptions(anchors=("head",)))
    joint, found = walker.plan.with_role("left_forearm")[0], []
    for rises in (0.2, 0.4):
        tense = replace(walker, options=replace(walker.options, tension=Tension(rises=rises)))
        session = Session({"walker": tense})
        (reference,) = session.references
        reference.set_to_work(np.where(np.arange(len(walker.plan)) == joint, Mode.TORQUE, reference.modes))
        session.run(6)
        found.append(float(reference.stiffness[joint - 1]))
    assert found[0] == pytest.approx(4.0 * found[1], rel=0.01)


@pytest.mark.parametrize(("name", "value"), [("behind", 1.0), ("outward", 1.5), ("below", -0.5)])
def test_elbows_point_where_they_are_said_to(name: str, value: float) -> None:
    """And hands stay where they are."""
    plan = Character.from_clip(read_clip(clip_path("walk"))).plan
    places = []
    for elbows in (Elbows(), Elbows(**{name: value})):
        hands, rows = Gesticulator(plan, elbows), relaxed_positions(plan)[None].repeat(8, axis=0)
        hands.apply(rows, clap(np.arange(8) / 8.0, hands.arms))
        places.append(body_frames(plan, rows).positions)
    elbow, hand = (plan.with_role(f"left_{part}")[0] for part in ("forearm", "hand"))
    apart = np.linalg.norm(places[1] - places[0], axis=2).max(axis=0)
    assert apart[elbow] > 0.01
    assert apart[hand] < 0.005
