import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import deepmimic_samples
import smpl_samples
from c3d_samples import cloud, save
from conftest import Command
from poise.assets import clip_path
from poise.cli import terminal
from poise.cli.main import with_strip_count
from poise.cli.timed_run import timed_run
from poise.io import read_clip, write_clip
from poise.io.gltf import read_gltf
from poise.motion import loop, trim
from poise.scenes import clip_scene
from poise.world import Divergence, World


@pytest.fixture
def short_walk(tmp_path: Path) -> Path:
    file = tmp_path / "stroll.bvh"
    write_clip(file, loop(read_clip(clip_path("walk")), 2))
    return file


def test_run_writes_motion_recording_and_metrics(command: Command, short_walk: Path, tmp_path: Path) -> None:
    code, out, _ = command("run", short_walk, "--out", tmp_path / "out")
    assert code == 0
    source, result = read_clip(short_walk), read_clip(tmp_path / "out" / "stroll.bvh")
    assert result.skeleton.names == source.skeleton.names
    assert len(result) == len(source)
    assert result.source.channels == source.source.channels
    assert result.source.frame_time_text == source.source.frame_time_text
    assert "real time" in out
    with np.load(tmp_path / "out" / "stroll.npz", allow_pickle=False) as recording:
        ticks = len(recording["torques"])
        assert recording["positions"].shape[0] == ticks + 1
        assert np.abs(recording["torques"]).max() > 1.0
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert metrics["run"]["ticks"] == ticks
    assert {"before", "after", "difference"} <= set(metrics["characters"]["character"]["feet"]["skating_ratio"])


@pytest.mark.parametrize(
    ("option", "named"), [(("--tension", "8"), "--tension"), (("--anchor", "head", "--no-props"), "--anchor, --props")]
)
def test_options_of_clips_beside_a_scene_are_refused(command: Command, option: tuple[str, ...], named: str) -> None:
    code, _, err = command("run", "conductor", *option)
    assert code == 2
    assert f"conductor: {named} goes with a clip" in err


def test_an_interruption_ends_in_one_line(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("poise.cli.main.main", interrupted)
    assert command("demo") == (130, "", "error: interrupted\n")


def test_a_ball_that_never_comes_is_told(command: Command, tmp_path: Path) -> None:
    scene = tmp_path / "late.yaml"
    scene.write_text(
        "characters: {w: {clip: 'shipped:walk'}}\nprops: [{ball: apple, position: [0, 3, 1], velocity: [0, 0, 0], time: 99}]"
    )
    code, out, _ = command("run", scene, "--out", tmp_path / "out")
    assert code == 0
    assert "apple was never thrown: its time is 99 s" in out


def test_whoever_follows_a_clip_can_be_made_to_anticipate(command: Command, short_walk: Path, tmp_path: Path) -> None:
    kinds = []
    for options in ([], ["--anticipate"]):
        code, out, _ = command("run", short_walk, "--json", "--out", tmp_path / "out", *options)
        assert code == 0
        kinds.append({event["kind"] for event in json.loads(out)["run"]["events"]})
    assert "reach" not in kinds[0]
    assert {"sees", "reach"} <= kinds[1]


def test_whoever_does_more_than_follow_a_clip_is_not_made_to_anticipate(command: Command, tmp_path: Path) -> None:
    code, _, err = command("run", "garden", "--anticipate", "--out", tmp_path / "out")
    assert code == 2
    assert "garden: --anticipate goes with a clip" in " ".join(err.split())
    assert not (tmp_path / "out").exists()


def test_run_in_json_says_nothing_else(command: Command, short_walk: Path, tmp_path: Path) -> None:
    code, out, err = command("run", short_walk, "--no-props", "--json", "--out", tmp_path / "out")
    assert (code, err) == (0, "")
    assert json.loads(out)["scene"] == "stroll"


def test_the_same_run_twice_gives_the_same_files(command: Command, short_walk: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert command("run", short_walk, "--out", tmp_path / name)[0] == 0
    same = same_files(tmp_path / "a", tmp_path / "b")
    assert same == {
        "stroll.bvh": True,
        "stroll.glb": True,
        "stroll.npz": True,
        "metrics.json": True,
        "report.html": True,
        "results.json": True,
        "timings.json": False,
    }
    timings = json.loads((tmp_path / "a" / "timings.json").read_text())
    assert timings["wall_s"] > 0.0
    assert not set(timings) & set(json.loads((tmp_path / "a" / "metrics.json").read_text())["run"])


def same_files(one: Path, other: Path) -> dict[str, bool]:
    """Files of two folders, which have the same names, and whether they have the same bytes."""
    names = sorted(path.name for path in one.iterdir())
    assert names == sorted(path.name for path in other.iterdir())
    return {name: (one / name).read_bytes() == (other / name).read_bytes() for name in names}


def test_converting_and_comparing_twice_give_the_same_files(command: Command, short_walk: Path, tmp_path: Path) -> None:
    skinned = tmp_path / "skinned.glb"
    assert command("convert", short_walk, skinned)[0] == 0
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        for ending in (".bvh", ".npz", ".glb"):
            assert command("convert", short_walk, folder / f"again{ending}")[0] == 0
        assert command("convert", short_walk, folder / "onto.glb", "--onto", skinned)[0] == 0
        assert command("compare", short_walk, clip_path("walk"), "--out", folder)[0] == 0
    same = same_files(tmp_path / "a", tmp_path / "b")
    assert len(same) == 6
    assert all(same.values()), same


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (Divergence("character/LeftHand", 0.5, "reached a speed of 1e9"), "LeftHand"),
        (MemoryError(), "memory ran out after 29 ticks"),
        (KeyboardInterrupt(), "interrupted at 0.48 s"),
    ],
)
def test_a_run_that_breaks_off_saves_the_good_ticks(
    command: Command,
    short_walk: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failure: BaseException,
    says: str,
) -> None:
    step = World.step

    def break_off(self: World, *arguments: object) -> object:
        if self.data.time > 29 / 60 - 1e-6:
            raise failure
        return step(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(World, "step", break_off)
    code, _, err = command("run", short_walk, "--out", tmp_path / "out")
    assert code == 1
    assert says in err
    assert "the 29 good ticks before it were saved" in err
    with np.load(tmp_path / "out" / "stroll.npz", allow_pickle=False) as recording:
        assert len(recording["torques"]) == 29
    assert len(read_clip(tmp_path / "out" / "stroll.bvh")) == 15


@pytest.mark.parametrize(
    ("asked", "meant"), [("strole.bvh", "stroll.bvh"), ("nix.bvh", ""), ("strol.glb", "stroll.glb")]
)
def test_a_file_that_is_not_there_is_likened_by_its_name_not_by_its_ending(
    command: Command, short_walk: Path, asked: str, meant: str
) -> None:
    for other in ("sin.bvh", "stroll.glb"):
        (short_walk.parent / other).write_text("x")
    err = command("inspect", short_walk.parent / asked)[2]
    assert "there is no such file" in err
    assert re.findall("did you mean '(.*)'", err) == [meant] * bool(meant)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("leftforeArm", "LeftForeArm"), ("leftupleg", "LeftUpLeg"), ("LEFT_HAND", "left_hand"), ("qx", "")],
)
def test_a_name_in_other_capitals_is_likened(command: Command, short_walk: Path, asked: str, meant: str) -> None:
    err = command("run", short_walk, "--anchor", asked)[2]
    assert f"unknown joint or role '{asked}'" in err
    assert re.findall("did you mean '(.*?)'", err) == [meant] * bool(meant)


def test_what_would_take_too_much_is_refused_before_it_begins(
    command: Command, short_walk: Path, tmp_path: Path
) -> None:
    code, _, err = command("run", short_walk, "--out", tmp_path / "out", "--limit", "0.001")
    assert code == 2
    assert "allow more with --limit" in err
    assert not (tmp_path / "out").exists()


def test_convert_there_and_back_is_the_same_motion(command: Command, short_walk: Path, tmp_path: Path) -> None:
    assert command("convert", short_walk, tmp_path / "x.npz")[0] == 0
    assert command("convert", tmp_path / "x.npz", tmp_path / "back.bvh")[0] == 0
    assert (tmp_path / "back.bvh").read_text() == short_walk.read_text()


@pytest.mark.parametrize(
    ("name", "up", "facing"), [("take.npz", "z", -90.0), ("take.txt", "y", 90.0)], ids=["smpl", "deepmimic"]
)
def test_motions_of_known_bodies_are_inspected_converted_and_played(
    command: Command, tmp_path: Path, name: str, up: str, facing: float
) -> None:
    file = tmp_path / name
    if name.endswith(".npz"):
        smpl_samples.save(file, smpl_samples.standing())
    else:
        deepmimic_samples.save(file, deepmimic_samples.standing())
    code, out, _ = command("inspect", file, "--json")
    facts = json.loads(out)
    assert (code, facts["unit_m"], facts["up"]) == (0, 1.0, up)
    assert facts["body"]["ground_m"] == pytest.approx(0.0, abs=0.02)
    assert facts["path"]["facing_deg"] == pytest.approx(facing, abs=0.1)
    assert command("convert", file, tmp_path / "take.bvh")[0] == 0
    assert command("run", file, "--no-props", "--out", tmp_path / "out")[0] == 0
    source = read_clip(file)
    for written in (tmp_path / "take.bvh", tmp_path / "out" / "take.bvh"):
        clip = read_clip(written)
        assert (clip.skeleton.names, len(clip)) == (source.skeleton.names, len(source))
    assert np.abs(clip.world_positions()[0] - source.world_positions()[0]).max() < 0.05
    for ending in ("glb", "npz"):
        assert (tmp_path / "out" / f"take.{ending}").is_file()


def test_a_clip_that_is_over_before_it_meets_anything_is_told_how_to_go_on(command: Command, tmp_path: Path) -> None:
    _, said, _ = command("run", clip_path("walk"), "--no-props", "--out", tmp_path / "out")
    assert "nothing was touched; a cycle goes on with --cycles, in a scene file with cycles" in said
    _, said, _ = command("run", clip_path("walk"), "--cycles", "2", "--no-props", "--out", tmp_path / "out")
    assert re.search(r"nothing was touched$", said, re.MULTILINE)


def test_inspect_shows_roles_units_and_reasons(command: Command, short_walk: Path) -> None:
    code, out, _ = command("inspect", short_walk)
    assert code == 0
    assert "left_forearm" in out
    code, out, _ = command("inspect", short_walk, "--json")
    facts = json.loads(out)
    assert facts["unit_m"] == 0.01
    assert facts["unit_reason"]
    assert {joint["role"] for joint in facts["skeleton"]} >= {"pelvis", "head", "left_hand"}
    assert facts["body"]["mass_kg"] > 40
    assert {contact["contact"] for contact in facts["body"]["contacts"]} >= {"left_heel", "right_ball"}


def test_names_do_nothing_to_a_terminal(command: Command, short_walk: Path, tmp_path: Path) -> None:
    """A file may call a joint what clears a screen, or begins a line of its own."""
    text = short_walk.read_text(encoding="utf-8").replace("Chest", "Ch\x1b[2Jest").replace("Head", "He\x07ad")
    odd = tmp_path / "odd.bvh"
    odd.write_text(text, encoding="utf-8")
    _, out, _ = command("inspect", odd)
    roles = tmp_path / "roles.yaml"
    roles.write_text("nose: head\n", encoding="utf-8")
    code, _, err = command("inspect", odd, "--roles", roles)
    assert code == 2
    for said in (out, err):
        assert "Ch\\x1b[2Jest" in said
        assert "He\\x07ad" in said
        assert not {"\x1b", "\x07"} & set(said)


def test_inspect_of_what_gives_no_body_says_so_and_ends_with_2(
    command: Command, short_walk: Path, tmp_path: Path
) -> None:
    """With all there is to say, with nothing but errors, and as JSON, which has the reason in it."""
    armless = tmp_path / "armless.yaml"
    armless.write_text("LeftArm: null\n")
    for words in ((), ("-q",)):
        code, out, err = command("inspect", short_walk, "--roles", armless, *words)
        assert code == 2
        assert "stroll.bvh: no body can be made of it: " in " ".join(err.split())
        assert "left_upper_arm" in err
        assert ("LeftForeArm" in out) == (words == ())
    code, out, err = command("inspect", short_walk, "--roles", armless, "--json")
    assert (code, err) == (2, "")
    assert "left_upper_arm" in json.loads(out)["no_body_because"]


def test_numbers_are_told_in_words_with_units(command: Command, short_walk: Path) -> None:
    for words in (("inspect", short_walk), ("compare", short_walk, clip_path("run"))):
        code, out, _ = command(*words)
        assert code == 0
        assert "Foot skate, weighted by height" in out
        assert "cm/s" in out
        assert not re.search(r"\bm s3\b|p95", out)


def test_joint_names_are_whole_on_a_narrow_terminal(
    command: Command, short_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = short_walk.read_text()
    long = "a_joint_with_a_name_that_goes_on_and_on_and_on_until_it_is_long_enough"
    file = tmp_path / "long.bvh"
    file.write_text(text.replace("JOINT LeftHand\n", f"JOINT {long}\n"))
    assert file.read_text() != text
    monkeypatch.setattr(terminal.console(), "width", 80)
    code, out, _ = command("inspect", file)
    assert code == 0
    assert long in out


BAD = [
    (("run", "nowhere.bvh"), "nowhere.bvh"),
    (("run", "nowhere"), "forest"),
    (("run", "forrest"), "is neither a file nor a scene, did you mean 'forest'; scenes:"),
    (("inspect", "{clip}", "--animation", "wave"), "files have animations"),
    (("run", "{clip}", "--anchor", "tail"), "tail"),
    (("run", "{clip}", "--tension", "0"), "tension"),
    (("run", "{clip}", "--filter", "soft"), "--filter"),
    (("run", "{clip}", "--mass", "-3"), "mass"),
    (("run", "{clip}", "--table", "elves"), "deleva_male"),
    (("run", "{clip}", "--unit", "furlong"), "furlong"),
    (("convert", "{clip}", "x.xyz"), ".npz"),
    (("convert", "{clip}", "{clip}"), "same file"),
    (("inspect", "nowhere.bvh"), "nowhere.bvh"),
    (("reproduce", "nobody1999"), "alvarado2022"),
    (("inspect", "{folder}/strol.bvh"), "there is no such file, did you mean 'stroll.bvh'"),
    (("inspect", "no_such_folder/x.bvh"), "nor is there a folder 'no_such_folder'"),
    (("inspect",), "poise inspect: missing argument"),
    (("inspect", "{clip}", "--up", "w"), "unknown up axis 'w'; allowed: x, y, z"),
    (("inspect", "{clip}", "--unit", "parsec"), "unknown unit 'parsec'; allowed: m, dm, cm"),
    (("inspect", "{clip}", "--roles", "nowhere.yaml"), "nowhere.yaml: there is no such file"),
    (("inspect", "{clip}", "extra"), "extra"),
    (("inspect", "."), "this is a folder"),
    (("compare", "{clip}"), "poise compare: missing argument"),
    (("compare", "{clip}", "nowhere.bvh"), "nowhere.bvh: there is no such file"),
    (("compare", "{clip}", "{clip}", "--second-animation", "x"), "files have animations"),
    (("convert", "{clip}"), "poise convert: missing argument"),
    (("convert", "nowhere.bvh", "x.npz"), "nowhere.bvh: there is no such file"),
    (("convert", "{clip}", "x.npz", "--onto", "nowhere.glb"), "nowhere.glb: there is no such file"),
    (("run", "{clip}", "--stature", "-1"), "stature"),
    (("run", "{clip}", "--damping", "-1"), "damping"),
    (("run", "{clip}", "--strip", "99"), "--strip takes 1 to 60 moments; got 99"),
    (("run", "{clip}", "--seed", "-1"), "--seed"),
    (("run", "{clip}", "--root", "loose"), "unknown root 'loose'"),
    (("run", "{clip}", "--floor", "nan"), "--floor"),
    (("run", "{clip}", "--filter", "-2"), "--filter: must be a number from 0.01 to 1000 Hz; got -2"),
    (("run", "{clip}", "--limit", "0.0001"), "limit"),
    (("run", "{clip}", "--character", "nowhere.glb"), "nowhere.glb: there is no such file"),
    (("run", "garden", "--character", "nowhere.glb"), "--character goes with a clip or one of the scenes"),
    (("run", "garden", "--anticipate"), "--anticipate goes with a clip"),
    (("run", "garden", "--mass", "70", "--floor", "0"), "garden: --floor, --mass goes with a clip"),
    (("run", "nowhere.yaml"), "nowhere.yaml: there is no such file"),
    (("run", "gardn"), "did you mean 'garden'"),
    (("run", "orchestra", "--seconds", "0"), "--seconds takes 1 to"),
    (("run", "orchestra", "--count", "0"), "--count"),
    (("run", "orchestra", "--tension", "3"), "--tension has no effect on the orchestra"),
    (("run", "wade", "--depth", "moon"), "moon"),
    (("run", "wade", "--fluid", "lava"), "lava"),
    (("bench", "--slow"), "no such option"),
    (("demo", "forest"), "forest"),
    (("demo", "--out", "{clip}"), "is no folder"),
    (("--quiet",), "no such option"),
    (("rum", "forest"), "poise: there is no command 'rum', did you mean 'run'; commands: demo, run, inspect"),
    (("run",), "poise run: missing argument"),
    (("run", "{clip}", "--tensoin", "3"), "no such option: --tensoin, did you mean '--tension'; poise run --help"),
    (("run", "{clip}", "--zzz"), "no such option: --zzz; poise run --help"),
    (("convert", "{clip}", "x.gbl"), "unknown file extension '.gbl', did you mean '.glb'; known: .bvh"),
    (("inspect", "{clip}", "--unit", "inc"), "unknown unit 'inc', did you mean 'inch'; allowed: m, dm"),
    (("run", "{clip}", "--tension", "lots"), "--tension"),
    (("run", "{clip}", "--count", "4"), "--count goes with the orchestra"),
    (("run", "{clip}", "--seconds", "4"), "--seconds goes with the orchestra"),
    (("run", "{clip}", "--depth", "knee"), "--depth goes with wade"),
    (("run", "orchestra", "--anticipate"), "--anticipate has no effect on the orchestra"),
    (("run", "orchestra", "--count", "3", "--soloist", "3"), "the orchestra's conductors are 0 to 2"),
    (("run", "wade", "--no-props"), "--props has no effect on wade"),
    (("run", "garden", "--cycles", "3", "--seed", "2"), "garden: --cycles, --seed goes with a clip"),
    (("run", "garden", "orchestra"), "are played alone"),
    (("run", "wade", "{clip}", "{clip}"), "wade takes one clip"),
    (("run", "{clip}", "--cycles", "0"), "--cycles"),
    (("run", "{clip}", "--out", "{clip}"), "is no folder"),
    (("run", "{clip}", "--out", "{clip}/deeper"), "is no folder"),
    (("compare", "{clip}", "{clip}", "--out", "{clip}"), "is no folder"),
    (("convert", "{clip}", "{clip}/x.npz"), "is no folder"),
    (("convert", "{clip}", "x.npz", "--onto-unit", "cm"), "--onto-unit goes with --onto"),
    (("convert", "{clip}", "x.npz", "--roles", "r.yaml"), "--roles goes with --onto"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    command: Command, short_walk: Path, arguments: tuple[str, ...], says: str
) -> None:
    code, _, err = command(
        *(a.replace("{clip}", str(short_walk)).replace("{folder}", str(short_walk.parent)) for a in arguments)
    )
    assert code == 2
    assert says in err
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1


def test_every_command_has_examples_that_are_commands(command: Command) -> None:
    commands = re.findall(r"^  (\w+)  ", command("--help")[1].split("Commands:")[1], re.MULTILINE)
    assert set(commands) >= {"demo", "run", "inspect", "compare", "convert", "reproduce", "bench"}
    for name in commands:
        code, out, _ = command(name, "--help")
        assert code == 0
        examples = re.findall(r"^ +poise (\w+) (.*?)(?:   |$)", out.split("Example")[1], re.MULTILINE)
        assert examples, name
        for own, words in examples:
            assert own in commands
            options = re.findall(r"--[a-z-]+", words)
            told = command(own, "--help")[1]
            assert all(option in told for option in options)


def test_quiet_says_nothing_and_verbose_everything(command: Command, short_walk: Path, tmp_path: Path) -> None:
    lengths = []
    for words in (["--quiet"], [], ["-v"]):
        code, out, err = command("run", short_walk, "--out", tmp_path / "out", *words)
        assert (code, err) == (0, "")
        lengths.append(len(out.splitlines()))
    assert lengths[0] == 0
    assert lengths[1] <= lengths[2]
    assert command("run", "nowhere.bvh", "--quiet")[2].startswith("error: ")


@pytest.mark.parametrize(("typed", "offered"), [("poise ins", "inspect"), ("poise run gar", "garden")])
def test_the_shell_completes_commands_and_scenes(typed: str, offered: str) -> None:
    asked = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_POISE_COMPLETE": "complete_bash"}
    words = [sys.executable, "-c", "from poise.cli.main import app; app(prog_name='poise')"]
    done = subprocess.run(words, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [offered]


class _Line:
    """What would stand on a terminal."""

    said: ClassVar[list[str]] = []

    def __init__(self, words: str, console: object) -> None:
        self.said.append(words)

    def __enter__(self) -> "_Line":
        return self

    def __exit__(self, *reason: object) -> None:
        self.said.append("")

    def update(self, words: str) -> None:
        self.said.append(words)


def test_a_terminal_is_told_what_is_being_done_before_and_after_what_has_a_bar(
    command: Command, short_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_silent", lambda quiet: quiet)
    monkeypatch.setattr("rich.status.Status", _Line)
    monkeypatch.setattr(_Line, "said", [])
    assert command("run", short_walk, "--no-props", "--out", tmp_path / "out")[0] == 0
    assert command("compare", short_walk, clip_path("walk"), "--out", tmp_path / "out")[0] == 0
    said = [words for words in _Line.said if words]
    doing = [
        "reading",
        "stroll: getting ready",
        "stroll: measuring and writing",
        "stroll: report",
        "reading",
        "comparing",
    ]
    assert [next(words for words in said if words.startswith(each)) for each in doing]
    assert _Line.said[1::2] == [""] * len(said), "one after the other: there is room for one live line"
    with terminal.working("this", quiet=False), terminal.compiling(quiet=False), terminal.working("that", quiet=False):
        assert terminal._State.live is not None
        terminal._State.live("compiling")
        terminal._State.live(None)
    assert _Line.said[-4:] == ["this", "compiling", "this", ""]


def test_poise_is_a_module_too() -> None:
    done = subprocess.run([sys.executable, "-m", "poise", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("poise ")


def test_many_clips_get_a_folder_each_and_a_bad_one_does_not_stop_the_rest(
    command: Command, short_walk: Path, tmp_path: Path
) -> None:
    again, bad, base = tmp_path / "other" / short_walk.name, tmp_path / "bad.bvh", tmp_path / "all"
    again.parent.mkdir()
    again.write_bytes(short_walk.read_bytes())
    bad.write_text("no motion")
    code, out, err = command("run", "shipped:wlak", short_walk, bad, again, "shipped:walk", "--no-props", "--out", base)
    assert code == 2
    assert "bad.bvh" in err
    assert "shipped:wlak: unknown shipped clip 'wlak', did you mean 'walk'" in err
    assert len(err.strip().splitlines()) == 2
    assert "3 of 5 went well" in out
    assert (base / "walk" / "walk.bvh").exists()
    assert (base / "stroll" / "stroll.bvh").exists()
    assert (base / "other_stroll" / "stroll.bvh").exists(), "a second clip of that name has a folder of its own"
    summary = json.loads((base / "summary.json").read_text())
    assert [bool(each["problem"]) for each in summary] == [True, False, True, False, False]
    assert command("run", short_walk, again, "--no-props", "--out", base, "--json")[0] == 0


def test_who_interrupts_one_of_many_is_not_made_to_do_it_for_each(
    command: Command, short_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, base = tmp_path / "again.bvh", tmp_path / "all"
    again.write_bytes(short_walk.read_bytes())
    step = World.step

    def break_off(self: World, *arguments: object) -> object:
        if self.data.time > 29 / 60 - 1e-6:
            raise KeyboardInterrupt
        return step(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(World, "step", break_off)
    code, out, err = command("run", short_walk, again, "--no-props", "--out", base)
    assert code == 1
    assert err.count("\n") == 1
    assert "interrupted at 0.48 s" in err
    assert "not played" in out
    summary = json.loads((base / "summary.json").read_text())
    assert [each["folder"] for each in summary] == [str(base / "stroll"), None]


@pytest.mark.parametrize(
    "meanwhile", ["poise.cli.play.write_outputs", "poise.cli.play.write_report", "poise.cli.batch.scene_for"]
)
def test_who_interrupts_one_of_many_while_it_is_read_or_written_has_a_summary(
    command: Command, short_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    again, base = tmp_path / "again.bvh", tmp_path / "all"
    again.write_bytes(short_walk.read_bytes())

    def interrupted(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(meanwhile, interrupted)
    code, out, err = command("run", short_walk, again, "--no-props", "--out", base)
    assert (code, err) == (1, f"error: {short_walk}: interrupted before everything was written\n")
    assert "not played" in out
    summary = json.loads((base / "summary.json").read_text())
    broken = [(each["folder"], each["problem"], each["interrupted"]) for each in summary]
    assert broken == [(None, "interrupted before everything was written", True), (None, "not played", True)]


def test_who_interrupts_what_is_compiled_before_the_clock_starts_ends_the_program(
    short_walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: World, *arguments: object) -> object:
        raise KeyboardInterrupt

    session = clip_scene(read_clip(short_walk), props=False).session()
    monkeypatch.setattr(World, "step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        timed_run(session)


def test_nothing_of_another_clip_is_overwritten_and_nothing_old_is_left(
    command: Command, short_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    again = tmp_path / "other" / short_walk.name
    again.parent.mkdir()
    again.write_bytes(short_walk.read_bytes())
    for _ in range(2):
        assert command("run", short_walk, "--no-props")[0] == 0
    assert command("run", again, "--no-props")[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["other_stroll", "stroll"]
    out = tmp_path / "out" / "stroll"
    (out / "mine.txt").write_text("notes of the user")
    noted = json.loads((out / "results.json").read_text())
    (out / "results.json").write_text(json.dumps([*noted, "stroll.png", "../../stroll.bvh"]))
    (out / "stroll.png").write_bytes(b"an old strip")
    assert command("run", short_walk, "--no-props")[0] == 0
    assert not (out / "stroll.png").exists(), "an old strip does not stay beside a new report"
    assert (out / "mine.txt").exists()
    assert short_walk.exists()


def test_brackets_in_a_name_are_no_markup(command: Command, short_walk: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a[bold]b[].bvh"
    odd.write_bytes(short_walk.read_bytes())
    code, out, _ = command("run", odd, "--no-props", "--out", tmp_path / "[red]")
    assert code == 0
    assert "[red]" in out


def test_a_clip_that_floats_is_told_by_inspect_and_run(command: Command, short_walk: Path, tmp_path: Path) -> None:
    walk = read_clip(short_walk)
    rise = np.zeros((len(walk), 1, 3))
    frames = np.arange(len(walk))
    rise[:, 0, 2] = 0.3 * np.clip(np.minimum(frames - 12, 68 - frames) / 8.0, 0.0, 1.0)
    lifted = tmp_path / "lifted.bvh"
    write_clip(lifted, walk.with_motion(walk.rotations, walk.translations + rise))
    for file, told in ((short_walk, False), (lifted, True)):
        for words in (("inspect", file), ("run", file, "--no-props", "--out", tmp_path / "out")):
            code, out, _ = command(*words)
            assert code == 0
            assert ("both feet are off the ground in" in out) == told, words


def test_an_orchestra_is_told_and_one_of_it_is_a_run_like_any_other(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("run", "orchestra", "--count", "4", "--seconds", "2", "--soloist", "1", "--out", tmp_path)
    assert code == 0
    assert "3 of 3 others in the crowd stand; no foot slid farther than" in out
    assert re.search(r"conductor_1: 15 bodies, \d+ of them physical", out)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert (metrics["crowd"]["others"], metrics["crowd"]["standing"], metrics["run"]["events"]) == (3, 3, [])
    assert list(metrics["characters"]) == ["conductor_1"]
    assert metrics["run"]["simulated_s"] == pytest.approx(2.0)
    for name in ("report.html", "orchestra.npz", "orchestra.glb"):
        assert (tmp_path / name).stat().st_size > 10_000
    assert len(read_clip(tmp_path / "orchestra.bvh")) == 401


def test_strip_may_stand_alone() -> None:
    assert with_strip_count(["run", "x", "--strip"]) == ["run", "x", "--strip", "8"]
    assert with_strip_count(["run", "--strip", "4", "x"]) == ["run", "--strip", "4", "x"]
    assert with_strip_count(["run", "--strip", "--json"]) == ["run", "--strip", "8", "--json"]


@pytest.mark.shared
def test_a_skinned_character_runs_in_its_own_skin(command: Command, tmp_path: Path, shared_data: Path) -> None:
    source = shared_data / "kaykit" / "Knight.glb"
    code, _, _ = command("run", source, "--animation", "Walking_A", "--no-props", "--out", tmp_path / "out")
    assert code == 0
    before, after = read_gltf(source), read_gltf(tmp_path / "out" / "Knight_Walking_A.glb", "poise")
    assert after.animations == (*before.animations, "poise")
    assert before.mesh is not None
    assert after.mesh is not None
    assert np.array_equal(before.mesh.vertices, after.mesh.vertices)
    assert np.array_equal(before.mesh.weights, after.mesh.weights)
    walk = before.animation("Walking_A")
    assert np.abs(after.clip.world()[1] - walk.world()[1]).max() < 0.05, "undisturbed, it is the source's motion"


@pytest.mark.shared
def test_a_file_with_several_animations_says_which_is_played(
    command: Command, tmp_path: Path, shared_data: Path
) -> None:
    source = shared_data / "kaykit" / "Knight.glb"
    code, out, _ = command("run", source, "--no-props", "--out", tmp_path / "out")
    assert code == 0
    assert "animation '1H_Melee_Attack_Chop' is read; choose another with --animation NAME: 1H_Melee" in out
    lengths = []
    for words in ((), ("--animation", "Jump_Full_Long")):
        assert command("convert", source, tmp_path / "x.npz", *words)[0] == 0
        _, out, _ = command("inspect", source, *words, "--json")
        lengths.append((len(read_clip(tmp_path / "x.npz")), json.loads(out)["frames"]))
    assert lengths[0][0] == lengths[0][1] != lengths[1][0] == lengths[1][1]
    with_itself = ("compare", source, source, "--json", "--animation", "Idle", "--second-animation")
    assert json.loads(command(*with_itself, "Idle")[1])["tracking"]["position_max_mm"] == 0.0
    assert json.loads(command(*with_itself, "Jump_Full_Long")[1])["tracking"]["position_max_mm"] != 0.0


def test_a_bare_clip_gets_a_mannequin(command: Command, short_walk: Path, tmp_path: Path) -> None:
    assert command("run", short_walk, "--no-props", "--out", tmp_path / "out")[0] == 0
    character = read_gltf(tmp_path / "out" / "stroll.glb")
    assert character.mesh is not None
    assert 3000 <= len(character.mesh.triangles) <= 10000
    source = read_clip(short_walk)
    names = [character.skeleton.index(name) for name in source.skeleton.names]
    apart = character.clip.world()[1][:, names] - read_clip(tmp_path / "out" / "stroll.bvh").world()[1]
    assert np.abs(apart).max() < 1e-5


def test_compare_shows_both_and_the_difference(command: Command, short_walk: Path) -> None:
    code, out, _ = command("compare", short_walk, clip_path("run"))
    assert code == 0
    assert "Root jerk, largest" in out
    last = out.strip().splitlines()[-1]
    assert re.search(
        r"stroll is smoother \([\d.]+ against \d+ m/s³\); run skates less .*; no clear difference in ", last
    )
    code, out, _ = command("compare", short_walk, short_walk, "--json")
    report = json.loads(out)
    assert report["verdict"][0].startswith("no clear difference in foot skate, ground penetration")
    assert report["verdict"][1:] == ["stroll (second) is where stroll (first) is, to 0 mm"]
    assert report["tracking"]["position_max_mm"] == 0.0
    assert report["feet"]["weighted_skate_m"]["difference"] == 0.0


def test_a_film_is_written_or_one_line_says_why_not(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "step.bvh"
    walk = read_clip(clip_path("walk"))
    write_clip(file, trim(walk, 0, 6))
    code, out, err = command("run", file, "--video", "--no-props", "--out", tmp_path / "out")
    if find_spec("imageio_ffmpeg") is None:
        assert code == 2
        assert "pip install 'poise[video]'" in err
        assert not (tmp_path / "out").exists(), "nothing was done before"
    else:
        assert code == 0
        assert (tmp_path / "out" / "step.mp4").exists() != ("no film" in out)


def test_a_usd_character_is_converted_inspected_and_comes_back_as_usd(
    command: Command, short_walk: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pxr", reason="usd-core is not installed")
    file = tmp_path / "walker.usda"
    assert command("convert", short_walk, file)[0] == 0
    code, out, _ = command("inspect", file, "--json")
    assert code == 0
    assert json.loads(out)["format"] == "usd"
    code, out, _ = command("run", file, "--out", tmp_path / "out")
    assert code == 0
    assert "walker.usda" in out
    source, result = read_clip(file), read_clip(tmp_path / "out" / "walker.usda", animation="poise")
    assert (result.skeleton.names, len(result), result.rate) == (source.skeleton.names, len(source), source.rate)


def test_markers_are_listed_shown_and_kept_beside_their_clip(
    command: Command, short_walk: Path, tmp_path: Path
) -> None:
    clip = read_clip(short_walk)
    places = 1e3 * clip.world_positions()[0] + 30.0
    places[4:9, 3] = np.nan
    take = save(tmp_path / "take.c3d", places, rate=clip.rate, names=list(clip.skeleton.names))
    code, out, _ = command("inspect", take)
    assert code == 0
    assert f"{len(clip.skeleton)} markers, {len(clip)} frames at 30 Hz" in out
    facts = json.loads(command("inspect", take, "--json")[1])
    assert facts["unit_m"] == 0.001
    assert [row["name"] for row in facts["markers"]] == list(clip.skeleton.names)
    assert [row["gap_frames"] for row in facts["markers"] if row["gaps"]] == [[[4, 8]]]
    code, out, _ = command("run", short_walk, "--markers", take, "--no-props", "--out", tmp_path / "out")
    assert code == 0
    assert "markers at 30 Hz, 5 cm from the nearest joint in the median" in out
    with np.load(tmp_path / "out" / "stroll.npz", allow_pickle=False) as recording:
        np.testing.assert_allclose(recording["markers_positions"], 1e-3 * places, atol=1e-6)
    assert '"markers":{"count"' in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "TAKE"), "a C3D file holds markers"),
        (("convert", "TAKE", "a.bvh"), "a C3D file holds markers"),
        (("run", "forest", "--markers", "TAKE"), "goes with one clip"),
        (("run", "CLIP", "CLIP", "--markers", "TAKE"), "goes with one clip"),
        (("run", "CLIP", "--markers", "TAKE", "--cycles", "3"), "--cycles does not go with --markers"),
        (("run", "CLIP", "--markers", "CLIP"), "this is no C3D file"),
        (("run", "CLIP", "--markers-up", "y"), "goes with --markers"),
        (("inspect", "TAKE", "--rate", "30"), "--rate goes with a clip"),
    ],
)
def test_markers_where_they_do_not_belong_are_refused_in_one_line(
    command: Command, short_walk: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    take = save(tmp_path / "take.c3d", cloud())
    named = {"TAKE": take, "CLIP": short_walk, "a.bvh": tmp_path / "a.bvh"}
    code, _, err = command(*(named.get(each, each) for each in arguments))
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_inspect_says_who_told_the_axes_and_how_often_joints_are_outside_their_range(
    command: Command, short_walk: Path
) -> None:
    code, out, _ = command("inspect", short_walk, "--json")
    body = json.loads(out)["body"]
    assert code == 0
    assert body["beyond_range"]["frames_percent"][-1] == 0.0
    assert "motion" in {each["axes_from"] for each in body["bodies"]}
    _, said, _ = command("inspect", short_walk)
    assert "outside a person's range: 0 % of the frames" in said
    _, out, _ = command("inspect", short_walk, "--json", "--axes", "rest")
    assert {each["axes_from"] for each in json.loads(out)["body"]["bodies"]} == {"rest pose"}
    code, _, error = command("inspect", short_walk, "--axes", "best")
    assert code == 2
    assert "--axes: must be motion or rest; got 'best'" in error
