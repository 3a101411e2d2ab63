"""The pages keep up with the code."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from poise.scenes import read_scene, schema
from poise.scenes.catalog import ASSETS

PAGE = Path(__file__).parents[1] / "docs" / "scene-files.md"
ENTRIES = [
    entry
    for entry in vars(schema).values()
    if isinstance(entry, type) and issubclass(entry, BaseModel) and entry.__module__ == schema.__name__
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.__name__)
def test_every_key_of_a_scene_file_is_in_the_page(entry: type[BaseModel]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [key for key in entry.model_fields if f"`{key}`" not in text]
    assert not missing


def test_every_asset_is_in_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert not [asset for asset in ASSETS if f"`{asset}`" not in text]


def test_the_scene_in_the_page_is_one(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    file = tmp_path / "page.yaml"
    file.write_text(block)
    read_scene(file).session().run(30)
