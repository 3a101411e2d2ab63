"""What is bounded before a run and what breaks one off: YAML, paths, memory, starts inside things, failures in the middle."""

import os
import zipfile
from dataclasses import replace
from pathlib import Path

import mujoco as mj
import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.anticipation import Anticipation
from poise.behaviors.balance import Balance
from poise.behaviors.effort_meter import EffortMeter
from poise.errors import InputError, RunError, shown
from poise.io import read_clip, read_role_map, read_yaml
from poise.motion import Clip, loop, trim
from poise.runtime import Character, Session
from poise.scenes import read_scene
from poise.scenes.ball_times import fewest_balls
from poise.scenes.budget import Budget, check_budget, check_cycles, estimate, foresee
from poise.scenes.layout import surroundings
from poise.world import Ball, Box, SceneSpec, World


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), 2))


def scene(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_yaml_is_read_as_plain_data(tmp_path: Path) -> None:
    text = (
        "a: 1\nb: [2.5, .5, 1e3, -3]\nc: {d: true, e: off, f: null, g: ~}\nh: '7'\n8: 2001-01-01\ni: .inf\nj: |\n  1\n"
    )
    assert read_yaml(scene(tmp_path, text), 1000) == {
        "a": 1,
        "b": [2.5, 0.5, 1e3, -3],
        "c": {"d": True, "e": "off", "f": None, "g": None},
        "h": "7",
        "8": "2001-01-01",
        "i": np.inf,
        "j": "1\n",
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &x [1]\nb: *x\n", "line 1: what stands here is used again by an alias"),
        ("a: &x {b: *x}\n", "line 1"),
        ("a: !!binary aGk=\n", "line 1: the tag 'tag:yaml.org,2002:binary' is not taken"),
        ("a: !!python/object/apply:os.system ['true']\n", "line 1: the tag"),
        ("a: 1\na: 2\n", "line 2: the key 'a' is there twice"),
        ("[1]: 2\n", "line 1: a key must be a word"),
        ("a: " + "[" * 40 + "]" * 40, "line 1: nested too deeply"),
        ("a: " + "[" * 5000, "scene.yaml"),
        ("x" * 2001, "the file has 2001 characters; at most 2000 are read"),
        ("# only this\n", "the file holds nothing"),
        ("a: b: c\n", "line 1: is not YAML"),
    ],
)
def test_what_yaml_could_do_beyond_plain_data_is_refused(tmp_path: Path, text: str, says: str) -> None:
    if "[[[[" in text and text.endswith("["):
        text = text[:1990]
    with pytest.raises(InputError, match=r"^[^\n]*$") as caught:
        read_yaml(scene(tmp_path, text), 2000)
    assert says in str(caught.value)


def test_aliases_that_would_expand_to_billions_are_refused_at_once(tmp_path: Path) -> None:
    rows = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(InputError, match="alias"):
        read_scene(scene(tmp_path, "\n".join(rows)))


@pytest.mark.parametrize("path", ["../secret.yml", "/etc/passwd", "link.yml", "a\\0b", "\\ud800"])
@pytest.mark.parametrize("key", ["roles", "clip"])
def test_paths_stay_in_the_scenes_folder(tmp_path: Path, path: str, key: str) -> None:
    (tmp_path / "secret.yml").write_text("password: hunter2\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "link.yml").symlink_to(tmp_path / "secret.yml")
    clip = "" if key == "clip" else "clip: 'shipped:walk', "
    with pytest.raises(InputError) as caught:
        read_scene(scene(inner, f'characters: {{w: {{{clip}{key}: "{path}"}}}}\n'))
    assert "outside the scene file's folder" in str(caught.value) or "is not YAML" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yml")
    for odd in (tmp_path / "pipe.yml", Path("/dev/zero"), tmp_path):
        with pytest.raises(InputError, match=r"not a plain file|a folder"):
            read_role_map(odd)


def test_messages_never_show_more_than_a_line(tmp_path: Path) -> None:
    long = "x" * 100_000
    assert len(shown(long)) < 80
    assert len(shown([long])) < 100
    assert len(shown(list(range(1000)))) < 80
    for text in (f"floor: {long}\n", f"{long}: 1\n", f"characters: {{w: {{clip: 'shipped:{long}'}}}}\n"):
        with pytest.raises(InputError) as caught:
            read_scene(scene(tmp_path, text + ("characters: {}\n" if "characters" not in text else "")))
        assert len(str(caught.value)) < 2000


def test_an_npz_that_unpacks_out_of_proportion_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.npz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rotations.npy", b"\0" * (1 << 27))
    with pytest.raises(InputError, match="the file unpacks to 134217728 bytes"):
        read_clip(file)


def test_a_budget_is_what_a_run_takes(walker: Character) -> None:
    budget = estimate({"w": walker}, SceneSpec(floor=walker.floor))
    session = Session({"w": walker})
    assert budget.ticks == session.tick_count
    assert budget.seconds == pytest.approx(walker.clip.duration)
    recording = session.run()
    kept = sum(value.nbytes for value in vars(recording).values() if isinstance(value, np.ndarray)) + sum(
        column.nbytes for column in recording.contacts
    )
    assert kept <= budget.memory <= 8.0 * kept


@pytest.mark.parametrize("seconds", [2.0, 31.0, 2000.0])
def test_what_is_foreseen_before_anybody_is_made_is_never_too_much(walker: Character, seconds: float) -> None:
    slow = replace(walker.clip, rate=(len(walker.clip) - 1) / seconds)
    for clip in (slow, in_place(slow)):
        who = replace(walker, prepared=replace(walker.prepared, clip=clip))
        props = surroundings(who)
        balls = sum(isinstance(prop, Ball) for prop in props)
        assert fewest_balls(seconds) <= balls <= 2 * fewest_balls(seconds) + 2
        foreseen, real = foresee([clip], fewest_balls(seconds)), estimate({"w": who}, SceneSpec(props=props))
        assert (foreseen.ticks, foreseen.work) == (real.ticks, real.work)
        assert 0.25 * real.memory < foreseen.memory <= real.memory


def in_place(clip: Clip) -> Clip:
    translations = clip.translations.copy()
    translations[:, 0, :2] = translations[0, 0, :2]
    return clip.with_motion(clip.rotations, translations)


def test_what_is_over_the_limit_is_refused_with_the_estimate() -> None:
    budget = Budget(seconds=2000.0, ticks=120_000, memory=3e9, work=300.0)
    check_budget(budget, 3.1)
    with pytest.raises(InputError, match=r"2000 s of motion in 120000 ticks.*5 min.*3 GB.*--limit 3.2"):
        check_budget(budget, 2.0)
    check_cycles(20, 100, 1000)
    with pytest.raises(InputError, match="100000 cycles of 100 frames of 20 joints are too many; at most 10000"):
        check_cycles(20, 100, 100_000)


def test_a_limb_that_begins_inside_a_thing_is_refused(walker: Character) -> None:
    hand = walker.plan.with_role("left_hand")[0]
    place = Session({"w": walker}).world.data.xpos[1 + hand]
    crate = Box(name="crate", position=tuple(float(x) for x in place), size=(0.2, 0.2, 0.2), mass=5.0)
    setting = SceneSpec(props=(crate,), floor=walker.floor)
    with pytest.raises(InputError, match=r"of w begins \d+ cm inside 'crate'"):
        Session({"w": walker}, setting)
    apart = replace(crate, position=(float(place[0]), float(place[1]) + 2.0, 1.0))
    Session({"w": walker}, SceneSpec(props=(apart,), floor=walker.floor)).tick()


def test_many_characters_start_where_they_belong(walker: Character) -> None:
    """They are all in one place before they are put where they belong; twenty of them touched in 10,000 places then."""
    clip = trim(walker.clip, 0, 3)
    crowd = {}
    for number in range(20):
        moved = clip.translations + np.array([0.0, 1.2 * number, 0.0])
        crowd[f"w{number}"] = Character.from_clip(clip.with_motion(clip.rotations, moved))
    session = Session(crowd, SceneSpec(floor=walker.floor))
    assert not session.world.data.warning.number.any()
    alone = Session({"w0": crowd["w0"]}, SceneSpec(floor=walker.floor))
    session.run(ticks=2)
    alone.run(ticks=2)
    np.testing.assert_allclose(session.result("w0").rotations, alone.result("w0").rotations, atol=1e-7)


def test_characters_all_in_one_place_are_one_line(walker: Character) -> None:
    """Twenty of them touch more often than there is memory for as soon as they are put there."""
    crowd = {f"w{number}": walker for number in range(20)}
    said = r"^the physics broke off at 0\.000 s: more touches .*; likeliest cause: w\d+ and w\d+ stand in each other"
    with pytest.raises(RunError, match=said):
        Session(crowd, SceneSpec(floor=walker.floor))


@pytest.mark.parametrize(
    "error", [mj.FatalError("mj_stackAlloc: out of memory"), MemoryError(), np.linalg.LinAlgError()]
)
def test_whatever_breaks_off_a_run_is_one_line_and_keeps_the_ticks(
    walker: Character, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    session = Session({"w": walker})
    played = session.run(ticks=5).positions

    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(World, "_accumulate" if session.world.data.ncon else "_take_first_half", fail)
    with pytest.raises(RunError, match=r"^[^\n]*$"):
        session.run()
    assert len(session.recording()) == 5
    np.testing.assert_array_equal(session.recording().positions, played)
    assert len(session.result("w")) > 0


def test_a_body_whose_inertia_is_impossible_is_named(walker: Character) -> None:
    inertias = np.array(walker.plan.inertias)
    inertias[3] = np.diag([1.0, 1.0, 5.0])
    bad = replace(walker, plan=replace(walker.plan, inertias=inertias))
    with pytest.raises(
        InputError, match=f"body 'w/{walker.plan.names[3]}': the physics refuses it: its inertia is impossible"
    ):
        Session({"w": bad})


def test_a_frame_time_that_is_wrong_is_told_before_it_is_played(walker: Character) -> None:
    slow = replace(trim(walker.clip, 0, 3), rate=0.0001)
    budget = estimate({"w": Character.from_clip(slow)}, SceneSpec())
    with pytest.raises(InputError, match="check its frame rate"):
        check_budget(budget)


def test_what_a_session_does_not_know_is_one_line_and_changes_nothing(walker: Character) -> None:
    session, other = Session({"w": walker}), Session({"w": walker, "v": walker}, SceneSpec(floor=None))
    yields = Session({"w": replace(walker, options=replace(walker.options, root="compliant"))})
    place, none = session.world.positions.copy(), np.zeros(0)
    modes = session.references[0].modes.copy()
    refused = {
        "of another session": lambda: session.restore(other.save()),
        "MOTION; got 7": lambda: session.set_mode("w", ["left_upper_arm"], 7),  # type: ignore[arg-type]
        "unknown root 'flying'": lambda: yields.set_root("w", "flying"),  # type: ignore[arg-type]
        "finite numbers; got array": lambda: session.world.place_all({"w": (none, None)}),
        "finite numbers; got ": lambda: session.world.place_all({"w": (np.nan * place, None)}),
        r"\(physical\); got 'half'": lambda: session.set_blend("w", {"left_upper_arm": "half"}),  # type: ignore[dict-item]
    }
    for said, act in refused.items():
        with pytest.raises(InputError, match=rf"^[^\n]*{said}[^\n]*$"):
            act()
    np.testing.assert_array_equal(session.world.positions, place)
    np.testing.assert_array_equal(session.references[0].modes, modes)
    assert yields.roots["w"].state.may


def test_a_session_goes_back_to_no_moment_at_which_others_acted(walker: Character) -> None:
    session, other = (Session({"w": walker}, behaviors={"w": [kind()]}) for kind in (Anticipation, Balance))
    early = session.save()
    session.add_behavior("w", EffortMeter())
    for one in (session, other):
        one.run(3)
    place, options = session.world.positions.copy(), [each.options for each in session.behaviors]
    for saved in (other.save(), early):
        with pytest.raises(
            InputError, match=r"^what was saved is of another session, or of before a behavior was added$"
        ):
            session.restore(saved)
    np.testing.assert_array_equal(session.world.positions, place)
    assert (session.count, [each.options for each in session.behaviors]) == (3, options)
    session.run(1)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300, -2e4])
@pytest.mark.parametrize("name", ["floor", "gravity"])
def test_a_floor_or_gravity_of_no_scene_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"^{name}: must be a finite number of at most 10000 in size"):
        SceneSpec(**{name: float(value)})
