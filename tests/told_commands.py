"""The commands that README and docs tell a reader to type, and a folder in which they can be typed."""

import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from poise.assets import clip_path
from poise.io import read_clip, write_clip
from poise.motion import trim

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_STARTS = ("poise", "make", "pip", "python", "python3", "apt-get")
_TAKE_ARGUMENTS = {"run", "inspect", "convert", "compare"}
"""Commands that stand without arguments where they are only named."""


def commands(page: Path) -> Iterator[str]:
    """Every command of a page: in indented lines, in fenced blocks of a shell, and within sentences."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^ *```(?:console|sh|powershell)\n(.*?)^ *```", text, flags=re.DOTALL | re.MULTILINE):
        yield from filter(None, map(_command, block.splitlines()))
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from filter(None, map(_command, re.findall(r"^    +(\S.*)$", prose, flags=re.MULTILINE)))
    for inline in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose):
        command = _command(" ".join(inline.split()))
        if command and (command.split()[0] != "poise" or command.split()[-1] not in {"poise", *_TAKE_ARGUMENTS}):
            yield command


def _command(line: str) -> str:
    """A line without what is said about it, or nothing where it is no command."""
    line = re.split(r" +# |   +", line.strip())[0].strip()
    return line if " " in line and line.split()[0] in _STARTS else ""


def told() -> dict[str, str]:
    """Commands of all pages, each once, and the page that has it first."""
    first: dict[str, str] = {}
    for page in PAGES:
        for command in commands(page):
            first.setdefault(command, page.name)
    return first


PLACEHOLDERS = {
    "FILE": "take.bvh",
    "CLIP": "take.bvh",
    "NAME": "gate",
    "COMMAND": "run",
    "DIR": "drawn",
    "[PAPER]": "hu2024",
}


def words(command: str) -> list[str]:
    """A command line taken apart, with something in the place of FILE and the like, and patterns left to the folder."""
    return [
        PLACEHOLDERS.get(word, word) for word in shlex.split(command.replace("--markers FILE", "--markers take.c3d"))
    ]


CLIPS = ("dance", "guard", "walk", "my_walk", "take", "my", "takes/one", "takes/two")
OTHERS = {
    "knight.glb": "kaykit/Knight.glb",
    "Knight.glb": "kaykit/Knight.glb",
    "knight.vrm": "kaykit/Knight.glb",
    "ybot.fbx": "unity-antagonistic/ybot.fbx",
    "Walking.fbx": "unity-antagonistic/ybot@Walking.fbx",
}
"""Files of other people's that stand for those that the pages name."""


def furnish(folder: Path, command: list[str], shared_data: Path | None) -> None:
    """Put what a command names into the folder: short clips, scene files of the pages, characters, markers, robots."""
    from robot_samples import humanoid_mjcf, humanoid_urdf

    clip = trim(read_clip(clip_path("walk")), 0, 20)
    for name in CLIPS:
        (folder / name).parent.mkdir(exist_ok=True)
        write_clip(folder / f"{name}.bvh", clip)
    shutil.copy(clip_path("run"), folder / "my_run.bvh")
    if "inch" in command:
        source = replace(clip.source, up_axis="z", metres_per_unit=0.0254, channel_axes=None)
        write_clip(folder / "dance.bvh", replace(clip, source=source))
    result = folder / "out" / "take" / "take.bvh"
    result.parent.mkdir(parents=True)
    shutil.copy(folder / "take.bvh", result)
    (folder / "my_roles.yaml").write_text("Hips: pelvis\n")
    (folder / "g1.xml").write_text(humanoid_mjcf())
    (folder / "gr1.urdf").write_text(humanoid_urdf())
    shutil.copytree(ROOT / "examples", folder / "examples")
    scenes = [block for page in PAGES for block in re.findall(r"```yaml\n(.*?)```", page.read_text(), flags=re.DOTALL)]
    (folder / "garden.yaml").write_text(next(each for each in scenes if "sunflower_large" in each))
    (folder / "stream.yaml").write_text(next(each for each in scenes if "fluids:" in each and "clip: take" in each))
    if "take.c3d" in command:
        samples = pytest.importorskip("c3d_samples")
        pytest.importorskip("c3d")
        samples.save(folder / "take.c3d", 1e3 * clip.world_positions()[0], rate=clip.rate)
    made = command[3] if command[1:2] == ["convert"] else ""
    for name in OTHERS.keys() & {*command} - {made}:
        if shared_data is None:
            pytest.skip("../shared/data is not here")
        shutil.copy(shared_data / OTHERS[name], folder / name)
