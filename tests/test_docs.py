"""The pages keep up with the code."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import BaseModel

import poise
from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import AnticipationOptions
from poise.io import read_role_map
from poise.parameters import declared
from poise.report.event_intervals import _ENDS
from poise.scenes import fluid_schema, group_schema, read_scene, schema
from poise.scenes.catalog import ASSETS

WORDS = Path(__file__).parents[1] / "docs" / "terms.md"
PAGE = Path(__file__).parents[1] / "docs" / "scene-files.md"
ENTRIES = [
    entry
    for module in (schema, fluid_schema, group_schema)
    for entry in vars(module).values()
    if isinstance(entry, type) and issubclass(entry, BaseModel) and entry.__module__ == module.__name__
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.__name__)
def test_every_key_of_a_scene_file_is_in_the_page(entry: type[BaseModel]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [key for key in entry.model_fields if f"`{key}`" not in text]
    assert not missing


def test_every_asset_is_in_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert not [asset for asset in ASSETS if f"`{asset}`" not in text]


def test_every_kind_of_event_that_is_spelt_out_is_on_the_page_of_words() -> None:
    root = Path(poise.__file__).parent
    files = [file for room in ("runtime", "behaviors") for file in (root / room).rglob("*.py")]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    kinds = set(re.findall(r"""(?:Event\([\w.]+, |_events\(|\.tell\([\w.]+, )"([\w ]+)\"""", source))
    kinds |= {kind for pair in _ENDS.items() for kind in pair}
    assert {"thrown", "saturated", "eased", "fell"} <= kinds
    text = WORDS.read_text(encoding="utf-8")
    assert not [kind for kind in kinds if f"`{kind}`" not in text]


def test_every_option_of_anticipation_that_is_no_parameter_is_in_its_page() -> None:
    """Parameters are on the page of parameters (`test_parameters`)."""
    text = (WORDS.parent / "anticipation.md").read_text(encoding="utf-8")
    rules = [
        each.name for kind in (AnticipationOptions, Evasion) for each in fields(kind) if each.name not in declared(kind)
    ]
    assert rules == ["rules", "lean_angle", "evades"]
    assert not [name for name in rules if f"`{name}`" not in text]


def test_the_role_map_on_the_page_of_words_is_one(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", WORDS.read_text(encoding="utf-8"), flags=re.DOTALL)
    file = tmp_path / "roles.yaml"
    file.write_text(block)
    assert read_role_map(file)["cape_root"] is None


def test_the_scenes_in_the_page_are_some(tmp_path: Path) -> None:
    scene, anticipation, fluids, group = re.findall(
        r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    file = tmp_path / "page.yaml"
    file.write_text(scene)
    read_scene(file).session().run(30)
    crate = "{box: crate, position: [2, 0.3, 0.2], size: [0.2, 0.2, 0.2], mass: 3}"
    props = f"props:\n  - {crate}\n  - {{ball: ball, at: walker, time: 2}}\n"
    file.write_text(f"characters:\n  walker:\n    clip: shipped:walk\n{anticipation}{props}")
    assert read_scene(file).behaviors["walker"]
    file.write_text(group)
    session = read_scene(file).session()
    session.run()
    assert {"reach", "pull", "let go"} <= {event.subject for event in session.recording().events}
    (drawer,) = session.behaviors[0].group.system.coordinates("desk/drawer")
    assert abs(drawer + 0.15) < 0.01
    file.write_text(f"characters:\n  walker: {{clip: shipped:walk}}\n{fluids}")
    assert len(read_scene(file).fluids) == 2


PAGES = [
    *WORDS.parent.glob("*.md"),
    *(WORDS.parents[1] / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_are_short_enough_to_be_read_in_an_editor(page: Path) -> None:
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
    assert [number for number, line in lines if len(line) > 140 and not line.lstrip().startswith("|")] == []
