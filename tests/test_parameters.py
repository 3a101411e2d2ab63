"""What a user may set is declared once: one refusal, one list, one page."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import poise
from poise import parameters
from poise.anticipation import Bounds
from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import AnticipationOptions
from poise.behaviors.switching import Handover
from poise.body.options import BodyOptions
from poise.characters.character import CharacterOptions
from poise.cli.main import app
from poise.control.falling import Falling
from poise.control.tension import Tension
from poise.errors import InputError
from poise.parameters import Group, Number, changed, declared, default_of
from poise.scenes import read_scene
from poise.scenes.parameter_list import SECTIONS, listed, markdown
from poise.scenes.stated import made

PAGE = Path(__file__).parents[1] / "docs" / "parameters.md"


@dataclass(frozen=True, kw_only=True)
class Sample:
    angle: float = parameters.angle(30.0, 0.0, 45.0, says="an angle", live=True)
    count: int = parameters.whole(2, 1, 5, says="a count")
    on: bool = parameters.switch(True, says="a switch", live=True)
    way: str = parameters.choice("slow", "slow", "fast", says="a choice", live=True)
    mass: float | None = parameters.number(None, 0.1, 10.0, "kg", says="a mass", none="what it weighs", live=True)
    names: tuple[str, ...] = parameters.words(("a",), says="names", least=1)
    unseen: float = 1.0

    def __post_init__(self) -> None:
        parameters.check(self, "sample")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"angle": math.radians(45.1)}, "sample.angle: must be a number from 0 to 45 degrees; got 45.1"),
        ({"angle": math.nan}, "sample.angle: must be a number from 0 to 45 degrees; got nan"),
        ({"angle": "x"}, "sample.angle: must be a number from 0 to 45 degrees; got 'x'"),
        ({"count": True}, "sample.count: must be a whole number from 1 to 5; got True"),
        ({"count": 2.0}, "sample.count: must be a whole number from 1 to 5; got 2.0"),
        ({"count": 6}, "sample.count: must be a whole number from 1 to 5; got 6"),
        ({"on": 1}, "sample.on: must be true or false; got 1"),
        ({"way": "fats"}, "sample.way: must be slow or fast; got 'fats', did you mean 'fast'"),
        ({"mass": 0.0}, "sample.mass: must be a number from 0.1 to 10 kg; got 0"),
        ({"names": ()}, "sample.names: must be a list of 1 or more names; got ()"),
        ({"names": "a"}, "sample.names: must be a list of 1 or more names; got 'a'"),
    ],
)
def test_a_refusal_names_the_parameter_its_range_and_its_unit(value: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Sample(**value)
    assert str(caught.value) == message


def test_the_ends_of_a_range_are_in_it_in_either_unit() -> None:
    for degrees in (0.0, 45.0):
        assert declared(Sample)["angle"].taken(degrees) == math.radians(degrees)
        assert Sample(angle=math.radians(degrees)).angle == math.radians(degrees)
        assert declared(Sample)["angle"].stated(math.radians(degrees)) == degrees
    assert Sample(mass=None).mass is None
    assert list(declared(Sample)) == ["angle", "count", "on", "way", "mass", "names"]


def test_one_parameter_is_changed_as_a_user_states_it() -> None:
    assert changed(Sample(), "angle", 20) == Sample(angle=math.radians(20.0))
    options = AnticipationOptions()
    duck = changed(options, "evasion.duck", 0.2)
    assert duck == replace(options, evasion=replace(options.evasion, duck=0.2))
    assert options.evasion.duck == Evasion.duck


@pytest.mark.parametrize(
    ("options", "name", "value", "message"),
    [
        (AnticipationOptions(), "evasion.duck", 0.7, "evasion.duck: must be a number from 0 to 0.6 m; got 0.7"),
        (
            AnticipationOptions(),
            "evasion.dcuk",
            0.1,
            "evasion: unknown parameter 'dcuk', did you mean 'duck'; known: bend",
        ),
        (AnticipationOptions(), "evasion", 0.1, "evasion: is no single value"),
        (AnticipationOptions(), "kinds.ball", 0.1, "kinds: is no single value"),
        (AnticipationOptions(), "hold.far", 0.1, "hold: has no part 'far'"),
        (AnticipationOptions(), "seed", 3, "seed: is settled when a session begins and cannot change while it runs"),
        (Bounds(), "quickest", 0.9, "quickest: quickest must not exceed slowest; got 0.9 and 0.8"),
        (Sample(), "unseen", 2.0, "unknown parameter 'unseen'"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_by_name(options: Any, name: str, value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        changed(options, name, value)
    assert str(caught.value).startswith(message)


def kinds_of(kind: type[Any]) -> set[type[Any]]:
    inner = (each.kind for each in declared(kind).values() if isinstance(each, Group))
    return {kind}.union(*map(kinds_of, inner))


DECLARED = sorted(set().union(*(kinds_of(section.kind) for section in SECTIONS)), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", DECLARED, ids=lambda kind: kind.__name__)
def test_every_declared_number_is_checked_and_its_default_is_in_range(kind: type[Any]) -> None:
    needed: dict[str, Any] = {
        "Region": {"part": "head"},
        "Handover": {"time": 0.0, "joints": ("a",), "to": "muscles"},
        "BeatGestures": {"ends": (1.0,)},
        "Fluid": {"name": "tar", "density": 1000.0, "coefficient": 1.0},
        "RootChange": {"time": 1.0, "root": "physical"},
        "Wave": {"amplitude": 0.1, "length": 2.0},
        "Turbulence": {"speed": 0.1},
    }
    given = needed.get(kind.__name__, {})
    kind(**given)
    for name, each in declared(kind).items():
        assert each.says
        assert not each.says.endswith(".")
        if isinstance(each, Number):
            for beyond in (each.low - 1.0, each.high + 1.0):
                if math.isfinite(beyond):
                    with pytest.raises(InputError, match=rf"\.{name}: must be a (whole )?number from"):
                        kind(**{**given, name: beyond if not each.whole else int(beyond)})


def test_no_class_checks_a_range_by_hand_beside_its_declaration() -> None:
    root = Path(poise.__file__).parent
    for kind in DECLARED:
        text = (root.parent / (kind.__module__.replace(".", "/") + ".py")).read_text()
        body = text[text.index(f"class {kind.__name__}:") :].split("\nclass ")[0].split("\ndef ")[0]
        assert "lie between" not in body, kind
        assert not re.search(r"if not .*<=? self\.\w+ <=?", body), kind


def scene(tmp_path: Path, walker: str) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(f"characters:\n  walker: {{clip: 'shipped:walk', {walker}}}\n")
    return file


@pytest.mark.parametrize(
    ("walker", "message"),
    [
        (
            "tension: {frequency: 99}",
            "characters.walker.tension.frequency: must be a number from 0.01 to 50 Hz; got 99",
        ),
        (
            "anticipation: {evasion: {lean: 60}}",
            "characters.walker.anticipation.evasion.lean: must be a number from 0 to 45 degrees; got 60",
        ),
        (
            "anticipation: {evasion: {dcuk: 0.1}}",
            "characters.walker.anticipation.evasion.dcuk: unknown key, did you mean 'duck'; known here: look, lean, bend",
        ),
        (
            "anticipation: {kinds: {ball: {quikest: 0.1}}}",
            "characters.walker.anticipation.kinds.ball.quikest: unknown key, did you mean 'quickest'; known here: quickest,",
        ),
        (
            "anticipation: {regions: [{radius: 0.3}]}",
            "characters.walker.anticipation.regions.0.part: Field required",
        ),
        ("anticipation: {bounds: {quickest: 2}}", "characters.walker.anticipation.bounds: quickest must not exceed"),
        ("cutoff: 0", "characters.walker.cutoff: must be a number from 0.01 to 1000 Hz; got 0"),
        ("body: {table: elves}", "characters.walker.body.table: must be deleva_male"),
        ("balance: {steps: 2.5}", "characters.walker.balance.steps: must be a whole number from 0 to 100; got 2.5"),
        ("level: 1", "characters.walker.level: must be true or false; got 1"),
        (
            "switching: [{time: 1, joints: [], to: muscles}]",
            "characters.walker.switching.0.joints: must be a list of 1",
        ),
    ],
)
def test_a_scene_file_is_refused_by_the_declaration(tmp_path: Path, walker: str, message: str) -> None:
    file = scene(tmp_path, walker)
    with pytest.raises(InputError) as caught:
        read_scene(file)
    assert str(caught.value).startswith(f"{file}, line 2, {message}")


def test_what_a_scene_file_says_is_what_the_options_are(tmp_path: Path) -> None:
    walker = (
        "tension: {frequency: 4}, cutoff: off, body: {mass: 60}, root_drive: {planar: 0.4}, stepping: {height: 0.1}, "
        "anticipation: {hop: 0.3, sight: {up: 50}, evasion: {lean: 10}, bounds: {quickest: 0.1}}, "
        "switching: [{time: 1, joints: [head], to: muscles, tension: {frequency: 2}}]"
    )
    read = read_scene(scene(tmp_path, walker))
    options = read.characters["walker"].options
    assert (options.tension, options.cutoff, options.body.mass) == (Tension(frequency=4.0), None, 60.0)
    assert (options.root_drive.planar, options.stepping.height) == (0.4, 0.1)
    anticipation, switching = (make() for make in read.behaviors["walker"])
    assert anticipation.options.hop == 0.3
    assert anticipation.options.sight.up == math.radians(50.0)
    assert anticipation.options.evasion == replace(Evasion(), lean=math.radians(10.0))
    assert anticipation.options.bounds == Bounds(quickest=0.1)
    (order,) = switching.state.waiting
    usual: Tension = default_of(Handover, "tension")
    assert order.tension == replace(usual, frequency=2.0)


def inner(kind: type[Any], before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The groups of a class and of its groups, by the names on the way there."""
    found = []
    for name, each in declared(kind).items():
        if isinstance(each, Group) and each.many == "one" and not each.none:
            found += [(*before, name), *inner(each.kind, (*before, name))]
    return found


@pytest.mark.parametrize("kind", [CharacterOptions, AnticipationOptions])
def test_groups_within_groups_are_made_as_deep_as_they_are(kind: type[Any]) -> None:
    usual = made(kind, {})
    for way in inner(kind):
        whole = usual
        for name in way:
            whole = getattr(whole, name)
        numbers = [name for name, each in declared(type(whole)).items() if isinstance(each, Number)]
        said: dict[str, Any] = {name: getattr(whole, name) for name in numbers}
        for name in reversed(way):
            said = {name: said}
        assert made(kind, said) == usual, way


def test_a_scene_file_reaches_the_innermost_numbers(tmp_path: Path) -> None:
    walker = "root_drive: {falling: {backward: {neck: 20}}}, anticipation: {evasion: {dodging: {lead: 1.5}}}"
    scene_made = read_scene(scene(tmp_path, walker))
    (anticipation,) = (make() for make in scene_made.behaviors["walker"])
    assert anticipation.options.evasion.dodging == replace(Evasion().dodging, lead=1.5)
    falling = scene_made.characters["walker"].options.root_drive.falling
    assert falling.backward == replace(Falling().backward, neck=math.radians(20.0))
    assert falling.forward == Falling().forward


def test_the_command_line_takes_default_and_range_from_the_declaration() -> None:
    shown = CliRunner().invoke(app, ["run", "--help"]).output
    text = " ".join(shown.split())
    for kind, name in (
        (Tension, "frequency"),
        (Tension, "damping_ratio"),
        (BodyOptions, "mass"),
        (BodyOptions, "stature"),
    ):
        assert declared(kind)[name].allowed in text
        assert declared(kind)[name].says[1:] in text


def test_the_page_of_the_docs_is_what_is_declared() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "poise parameters --markdown > docs/parameters.md"


def test_the_command_lists_what_is_asked_for() -> None:
    run: Callable[..., Any] = CliRunner().invoke
    (row,) = json.loads(run(app, ["parameters", "anticipation.evasion.lean", "--json"]).output)
    assert (row["default"], row["low"], row["high"], row["unit"], row["live"]) == (20.0, 0.0, 45.0, "degrees", True)
    every = json.loads(run(app, ["parameters", "--json"]).output)
    assert [each["name"] for each in every] == [each.name for each in listed()]
    assert {"cutoff", "tension.frequency", "switching.time"} <= {each["name"] for each in every}
    assert not next(each for each in every if each["name"] == "anticipation.kinds.NAME.quickest")["live"]
    with pytest.raises(InputError, match="unknown parameter 'tensio', did you mean 'tension'"):
        listed("tensio")


def test_groups_of_a_character_are_named_as_in_a_scene_file() -> None:
    groups = {name for name, each in declared(CharacterOptions).items() if isinstance(each, Group)}
    assert groups == {"tension", "body", "coupling", "root_changes", "root_drive", "stepping"}
