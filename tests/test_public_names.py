"""Every module's `__all__` is honest: each name exists and is listed once."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import poise
from poise.assets import clip_path
from poise.body.mannequin import mannequin
from poise.errors import InputError
from poise.io import read_clip
from poise.runtime import Character, Session
from poise.signals import Mode
from poise.world.scene import SceneSpec

MODULES = sorted(module.name for module in pkgutil.walk_packages(poise.__path__, "poise."))


@pytest.mark.parametrize("name", MODULES)
def test_all_is_honest(name: str) -> None:
    module = importlib.import_module(name)
    listed = getattr(module, "__all__", [])
    assert len(listed) == len(set(listed))
    missing = [entry for entry in listed if not hasattr(module, entry)]
    assert missing == []


def test_the_names_of_a_normal_script_are_in_one_place() -> None:
    assert set(poise.__all__) <= set(dir(poise))
    for name in poise.__all__:
        assert getattr(poise, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        poise.Sesion  # noqa: B018


def test_importing_poise_loads_no_room() -> None:
    code = "import sys, poise; print([name for name in sys.modules if name.startswith('poise.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['poise.lazy']"


def test_a_normal_script(tmp_path: Path) -> None:
    walker = poise.Character.from_clip(poise.read_clip(clip_path("walk")))
    flower = poise.make_asset("sunflower_large", "flower", (1.6, 0.36), ground=walker.floor)
    session = poise.Session({"walker": walker}, poise.SceneSpec(props=(flower,), floor=walker.floor))
    frame = session.tick()
    pose = frame.pose("walker")
    recording = session.run(60)
    clip = recording.clip("walker")
    assert pose.skeleton is walker.clip.skeleton
    assert len(clip) == 1 + 61 // session.clock.ticks_per_frame
    assert np.array_equal(clip.rotations, session.result("walker").rotations)
    poise.write_clip(tmp_path / "out.bvh", clip)
    shown = (walker, walker.plan, session, recording, frame, clip, clip.skeleton, pose, poise.named_scene("forest"))
    for thing in (*shown, mannequin(walker.clip, walker.plan)):
        assert len(repr(thing)) < 120
    with pytest.raises(ValueError, match="read-only"):
        frame.source[0] = 1.0
    with pytest.raises(InputError, match="unknown character 'walkr', did you mean 'walker'"):
        recording.clip("walkr")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda session: session.run(-3), "0 ticks or more; got -3"),
        (lambda session: session.set_mode("walker", "left_uper_arm", Mode.MOTION), "left_uper_arm"),
        (lambda session: session.set_mode("nobody", "left_upper_arm", Mode.MOTION), "nobody"),
        (lambda session: SceneSpec(gravity="a"), "gravity"),
        (lambda session: SceneSpec(gravity=float("nan")), "gravity"),
        (lambda session: SceneSpec(floor=float("inf")), "floor"),
    ],
)
def test_bad_values_are_refused(wrong: Callable[[Session], object], said: str) -> None:
    session = Session({"walker": Character.from_clip(read_clip(clip_path("walk")))})
    with pytest.raises(InputError, match=said):
        wrong(session)


def test_one_anchor_may_be_given_by_itself() -> None:
    session = Session({"walker": Character.from_clip(read_clip(clip_path("walk")))})
    session.set_mode("walker", "left_upper_arm", Mode.MOTION)
    arm = session.references[0].plan.with_role("left_upper_arm")[0]
    assert session.references[0].modes[arm] == Mode.MOTION
