"""What a stranger does who has only the README: files that are wrong, and the five jobs on a character of each kind."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.cli.entry import start
from poise.io import read_clip
from poise.math import quat
from poise.motion import Skeleton
from test_cli import BAD

Told = tuple[int, str, str]

FILES = {
    "asset.yaml": "characters:\n  walker: {clip: take.bvh}\nprops:\n  - {asset: sunflower_larg, position: [1.5, 0.4]}\n",
    "twice.yaml": "characters:\n  walker: {clip: take.bvh}\n  walker: {clip: take.bvh}\n",
    "key.yaml": "characters:\n  walker:\n    clp: take.bvh\n",
    "shipped.yaml": "characters:\n  walker: {clip: 'shipped:wlak'}\n",
    "file.yaml": "characters:\n  walker:\n    cycles: 2\n    clip: tke.bvh\n",
    "range.yaml": "characters:\n  walker:\n    clip: take.bvh\n    tension:\n      frequency: 99\n",
    "broken.yaml": "characters: [\n",
    "empty.yaml": "",
    "none.yaml": "props: []\n",
    "many.yaml": "characters:\n  walker: {clip: take.bvh, cycles: many}\n",
    "joints.yaml": "nosuch: left_hand\n",
    "roles.yaml": "Hips: pelvis\nwing: left_uper_arm\n",
    "x.fbx": "x",
    "x.glb": "x",
    "x.npz": "x",
    "x.usda": "x",
    "x.bvh": "x",
    "take.obj": "v 0 0 0\n",
}
"""What lies beside the stranger's `take.bvh`."""

WRONG = [
    (
        "run asset.yaml",
        "asset.yaml, line 4, props.0.asset: unknown name 'sunflower_larg', did you mean 'sunflower_large'",
    ),
    ("run twice.yaml", "twice.yaml, line 3: the key 'walker' is there twice"),
    ("run key.yaml", "key.yaml, line 3, characters.walker.clp: unknown key, did you mean 'clip'"),
    (
        "run shipped.yaml",
        "shipped.yaml, line 2, characters.walker.clip: unknown shipped clip 'wlak', did you mean 'walk'",
    ),
    (
        "run file.yaml",
        "file.yaml, line 4, characters.walker.clip: tke.bvh: there is no such file, did you mean 'take.bvh'",
    ),
    (
        "run range.yaml",
        "range.yaml, line 5, characters.walker.tension.frequency: must be a number from 0.01 to 50 Hz; got 99",
    ),
    ("run broken.yaml", "broken.yaml, line 1: is not YAML"),
    ("run empty.yaml", "empty.yaml: the file is empty"),
    ("run none.yaml", "none.yaml, line 1, characters: "),
    ("inspect take.bvh --roles roles.yaml", "roles.yaml, line 2, wing: unknown role 'left_uper_arm', did you mean"),
    ("inspect x.fbx", "x.fbx: the FBX cannot be taken"),
    ("inspect x.glb", "x.glb: this is not a glTF file"),
    ("inspect x.npz", "x.npz: this is not a NumPy .npz file"),
    ("inspect x.bvh", "x.bvh, line 1: "),
    ("inspect take.obj", "take.obj: "),
    ("convert take.bvh out.bvh --onto x.glb", "x.glb: this is not a glTF file"),
    ("convert take.bvh out.c3d", "out.c3d: a C3D file holds markers"),
    ("run take.bvh --muscles wet", "--muscles: must be springs or pairs; got 'wet'"),
    ("run take.bvh --relax 2", "--relax: must be a number from 0 to 1; got 2"),
    ("run take.bvh --floor low", "poise run: invalid value for '--floor'"),
    ("run take.bvh --axes up", "--axes: must be motion or rest; got 'up'"),
    ("run take.bvh --tension", "option '--tension' requires an argument"),
    ("run shipped:wlak", "unknown shipped clip 'wlak', did you mean 'walk'"),
    ("inspect shipped:", "unknown shipped clip ''; known: run, walk"),
    ("compare take.bvh shipped:swim", "unknown shipped clip 'swim'; known: run, walk"),
    ("convert shipped:walk", "poise convert: missing argument"),
    ("run take.bvh --cycles 1.5", "poise run: invalid value for '--cycles': must be a whole number; poise run --help"),
    ("run take.bvh --cycles 0", "invalid value for '--cycles': must be at least 1"),
    ("run take.bvh --mass heavy", "invalid value for '--mass': must be a number"),
    ("run take.bvh --strip 0", "--strip takes 1 to 60 moments; got 0"),
    ("run take.bvh --out /proc/nowhere", "/proc: cannot be written: "),
    ("run many.yaml", "many.yaml, line 2, characters.walker.cycles: must be a whole number; got 'many'"),
    ("inspect take.bvh --roles joints.yaml", "role map: unknown joint 'nosuch'"),
    ("convert take.bvh out.xyz", "out.xyz: unknown file extension '.xyz'; known: .bvh, .npz, .glb, "),
    ("convert x.bvh out.fbx", "out.fbx: FBX files cannot be written; can be: .bvh, .npz, .glb"),
    ("parameters nosuch", "unknown parameter 'nosuch'; known: character, anticipation"),
]
"""Command lines, and how the one line begins that answers them, with exit code 2."""


def test_wrong_commands_are_many_and_of_every_command() -> None:
    """Those of this file and of `test_cli.py`: their line and exit code 2."""
    lines = {" ".join(words) for words, _ in BAD} | {line for line, _ in WRONG}
    assert len(lines) >= 100
    assert {line.split()[0] for line in lines} >= {
        "run",
        "inspect",
        "convert",
        "compare",
        "demo",
        "bench",
        "reproduce",
        "parameters",
    }


def test_a_shipped_clip_is_a_file_to_every_command_about_clips(poise: Callable[..., Told], tmp_path: Path) -> None:
    assert poise("convert", "shipped:walk", "mine.bvh", "--quiet")[0] == 0
    assert (tmp_path / "mine.bvh").read_bytes() == clip_path("walk").read_bytes()
    assert "39 frames at 30 Hz" in poise("inspect", "shipped:walk")[1]
    assert "mine is where walk is, to 0 mm" in poise("compare", "shipped:walk", "mine.bvh")[1]
    assert poise("run", "shipped:walk", "--no-props", "--root", "kinematic", "--quiet")[0] == 0
    assert (tmp_path / "out" / "walk" / "walk.bvh").exists()


@pytest.fixture
def poise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """The command line in a folder of its own, where a `take.bvh` lies."""
    (tmp_path / "take.bvh").write_bytes(clip_path("walk").read_bytes())
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Told:
        monkeypatch.setattr(sys, "argv", ["poise", *words])
        with pytest.raises(SystemExit) as ended:
            start()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.mark.parametrize(("command", "says"), WRONG, ids=[command for command, _ in WRONG])
def test_a_wrong_command_is_answered_by_file_line_and_what_is_allowed(
    poise: Callable[..., Told], tmp_path: Path, command: str, says: str
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    before = sorted(tmp_path.iterdir())
    code, out, err = poise(*command.split())
    assert code == 2
    assert says in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert "Traceback" not in out + err
    assert sorted(tmp_path.iterdir()) == before, "nothing is written by what is refused"


PEOPLE = {
    "BVH": ("bandai-namco/dataset-1_dash_normal_001.bvh", ()),
    "GLB": ("kaykit/Knight.glb", ("--animation", "Jump_Land")),
    "VRM": ("three-vrm/test.vrma", ()),
    "FBX": ("active-ragdolls/DemoModel.fbx", ()),
}
"""A short motion of each kind of file."""


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("kind", PEOPLE)
def test_the_five_jobs_are_done_with_a_file_of_each_kind(
    poise: Callable[..., Told], tmp_path: Path, shared_data: Path, kind: str
) -> None:
    name, chosen = PEOPLE[kind]
    file = tmp_path / f"mine{Path(name).suffix}"
    file.write_bytes((shared_data / name).read_bytes())
    source = read_clip(file, animation=chosen[1] if chosen else None)

    code, out, _ = poise("inspect", str(file), *chosen, "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["frames"], facts["joints"]) == (len(source), len(source.skeleton))
    roles = {each["name"]: each["role"] or "" for each in facts["skeleton"]}
    assert {"left_hand", "right_foot", "head"} <= set(roles.values())

    options = ("--root", "kinematic", "--no-props", "--out", "out")
    assert poise("run", str(file), *chosen, *options, "--quiet") == (0, "", "")
    called = "mine_Jump_Land" if chosen else "mine"
    told = {"report.html", "metrics.json", *(f"{called}.{suffix}" for suffix in ("bvh", "glb", "npz"))}
    assert told <= {path.name for path in (tmp_path / "out").iterdir()}
    result = read_clip(tmp_path / "out" / f"{called}.bvh")
    assert result.skeleton.names == source.skeleton.names
    assert (len(result), result.rate) == (len(source), pytest.approx(source.rate))
    arms = {joint for joint, role in roles.items() if "arm" in role or "hand" in role}
    same = [k for k, joint in enumerate(source.skeleton.names) if not _within(source.skeleton, k, arms)]
    assert len(same) > 8
    apart = quat.angle_between(result.rotations[:, same], source.rotations[:, same])
    assert np.degrees(apart.max()) < 0.01, "only arms differ"

    (tmp_path / "mine.yaml").write_text(
        f"characters:\n  me: {{clip: {file.name}{f', animation: {chosen[1]}' if chosen else ''}}}\n"
        "props:\n  - {ball: ball, at: me, time: 0.4}\n"
    )
    assert poise("run", "mine.yaml", "--quiet", "--out", "scene")[0] == 0

    assert poise("convert", str(file), *chosen, "same.glb", "--quiet")[0] == 0
    again = read_clip(tmp_path / "same.glb", animation=chosen[1] if chosen else None)
    assert np.degrees(quat.angle_between(again.rotations, source.rotations).max()) < 0.05
    code, out, _ = poise("compare", str(file), *chosen, f"out/{called}.bvh", "--out", "compared")
    assert code == 0
    assert (tmp_path / "compared" / "compare.html").exists()


def _within(skeleton: Skeleton, joint: int, names: set[str]) -> bool:
    """Whether a joint is one of those named, or below one."""
    while joint >= 0:
        if skeleton.names[joint] in names:
            return True
        joint = int(skeleton.parents[joint])
    return False
