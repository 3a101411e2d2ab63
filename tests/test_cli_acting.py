"""Options whose values are those of a scene file's keys: they do what the file does, on a clip of the user's."""

from pathlib import Path

import numpy as np
import pytest

from conftest import Command
from poise.assets import clip_path
from poise.behaviors.anticipation import Anticipation
from poise.behaviors.balance import Balance
from poise.cli.acting import ACTING
from poise.cli.request import RunRequest, scene_for
from poise.errors import InputError
from poise.hybrid.coupling import Coupling
from poise.io import read_clip, write_clip
from poise.motion import loop
from poise.scenes import read_scene


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    file = tmp_path / "take.bvh"
    write_clip(file, loop(read_clip(clip_path("walk")), 2))
    return file


SAID = {
    "balance": "{start: 0.3, waits: 0.1}",
    "conducting": "{tempo: [[0, 90], [0.8, 140]], left: rest}",
    "reaching": "[{part: right_hand, at: [0.6, -0.3, 1.4], during: [0.2, 1.0]}]",
    "switching": "[{time: 0.4, joints: [left_upper_arm], to: motion, fade: 0.2}]",
    "coupling": "{mode: composite, k: 0.5}",
}


@pytest.mark.parametrize("key", ACTING)
def test_an_option_does_to_a_clip_what_the_key_does_in_a_scene_file(key: str, clip: Path, tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(f"characters:\n  character: {{clip: take.bvh, {key}: {SAID[key]}}}\n", encoding="utf-8")
    made = scene_for(RunRequest(props=False, **{key: SAID[key]}), str(clip))
    stated, plain = read_scene(file), scene_for(RunRequest(props=False), str(clip))
    rows, same = (each.session().run(80).positions for each in (made, stated))
    np.testing.assert_array_equal(rows, same)
    if key == "coupling":
        coupling = made.characters["character"].options.coupling
        assert (coupling.mode, coupling.k) == (Coupling.COMPOSITE, 0.5)
    else:
        assert np.abs(rows - plain.session().run(80).positions).max() > 1e-3


def test_several_go_together_and_after_what_sees(clip: Path) -> None:
    scene = scene_for(RunRequest(anticipate=True, balance="{}", coupling="{mode: lagged, k: 0.2}"), str(clip))
    (who,), (makers,) = scene.characters.values(), scene.behaviors.values()
    assert [type(maker()) for maker in makers] == [Anticipation, Balance]
    assert (who.options.root, who.options.coupling.mode) == ("kinematic", Coupling.LAGGED)


@pytest.mark.parametrize(
    ("key", "value", "root"),
    [
        ("conducting", "{tempo: [[0, 90]]}", "compliant"),
        ("conducting", "{beats: [0.5, 1.0, 1.5]}", "compliant"),
        ("reaching", "[]", "kinematic"),
        ("balance", "{}", "kinematic"),
        ("coupling", "{mode: composite}", "kinematic"),
    ],
)
def test_who_keeps_pelvis_and_legs_yields_meanwhile(key: str, value: str, root: str, clip: Path) -> None:
    scene = scene_for(RunRequest(props=False, **{key: value}), str(clip))
    assert scene.characters["character"].options.root == root


def test_beats_may_lie_anywhere(clip: Path, tmp_path: Path) -> None:
    piece = tmp_path / "elsewhere" / "piece.txt"
    piece.parent.mkdir()
    piece.write_text("0.3\n0.8\n1.2\n", encoding="utf-8")
    named, stated = (
        scene_for(RunRequest(props=False, conducting=f"{{beats: {beats}}}"), str(clip)).session().run(60).kinematic
        for beats in (piece, "[0.3, 0.8, 1.2]")
    )
    np.testing.assert_array_equal(named, stated)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--balance", "{start: 1"), "--balance, line 1: is not YAML"),
        (("--balance", "{law: magic}"), "--balance, law: must be capture or published; got 'magic'"),
        (("--balance", ""), "--balance: needs a value"),
        (("--conducting", "{beats: nowhere.txt}"), "--conducting: nowhere.txt: there is no such file"),
        (("--conducting", "{beats: [1.0, 0.5]}"), "--conducting: "),
        (("--conducting", "{}"), "--conducting: needs either beats or tempo"),
        (("--reaching", "[{part: head, at: [1, 0], during: [0, 1]}]"), "--reaching, 0.at: needs 3 numbers, got 2"),
        (("--switching", "[{time: 1, joints: [left_wing], to: motion}]"), "--switching, 0: unknown joint or role"),
        (("--coupling", "{mode: exact, k: 0.5}"), "--coupling: the coupling 'exact' has no k"),
        (("--balance", "{}", "--root", "compliant"), "has the pelvis to itself"),
    ],
)
def test_what_cannot_be_is_told_with_the_option(
    options: tuple[str, ...], told: str, command: Command, clip: Path, tmp_path: Path
) -> None:
    code, _, err = command("run", clip, "--no-props", "--out", tmp_path / "out", *options)
    assert code == 2
    assert told in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("what", "why"), [("conductor", "goes with a clip"), ("wade", "no effect on who wades")])
def test_scenes_state_their_own(what: str, why: str, command: Command) -> None:
    code, _, err = command("run", what, "--balance", "{}")
    assert code == 2
    assert f"{what}: --balance" in err
    assert why in err


def test_a_root_that_yields_refuses_other_couplings(clip: Path) -> None:
    with pytest.raises(InputError, match="a compliant root needs the coupling 'exact'; got 'composite'"):
        scene_for(RunRequest(props=False, coupling="{mode: composite}", root="compliant"), str(clip))
