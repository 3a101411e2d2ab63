"""What is compiled before a run is timed, and that a rehearsal leaves no trace."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from poise.runtime.session import Session
from poise.runtime.warm import CompileWatch, timed_run, watch_compilation
from poise.scenes import named_scene

COLD = """
from poise.runtime.session import Session
from poise.runtime.warm import timed_run, watch_compilation
from poise.scenes import named_scene

plays, run = [], Session.run
def noted(session, *arguments):
    before = watch.count
    run(session, *arguments)
    plays.append(watch.count - before)

with watch_compilation() as watch:
    session = named_scene("wall_slide").session()
    Session.run = noted
    timed = timed_run(session)
print(watch.count, plays[-1], len(plays), session.count == session.tick_count, timed.failure)
"""


@pytest.mark.slow
def test_everything_is_compiled_before_the_run_and_only_once(tmp_path: Path) -> None:
    """With an empty cache of kernels the run compiles nothing, and a second process finds all that it needs."""
    counts = []
    for _ in range(2):
        environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path), "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True, timeout=300
        )
        compiled, last, plays, *ended = done.stdout.split()
        assert ended == ["True"]
        assert last == "0", "the run that was timed compiled something"
        counts.append((int(compiled), int(plays)))
    assert counts[0][0] > 20
    assert counts[0][1] == 3, "what only happens later was compiled in a rehearsal"
    assert counts[1] == (0, 2)


@pytest.mark.parametrize("name", ["shoved", "conductor", "drag"])
def test_a_rehearsal_leaves_no_trace(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = named_scene(name)
    monkeypatch.setattr(Session, "duration", 1.0)
    plain, rehearsed = scene.session(), scene.session()
    plain.run()
    monkeypatch.setattr("poise.runtime.warm._LOADED_AFTER", 50)
    timed_run(rehearsed)
    plain, again = plain.recording(), rehearsed.recording()
    assert len(again) == 60
    for part in ("positions", "kinematic", "torques", "stiffness"):
        # What is noted before the first tick is noted anew when a session goes back to it.
        assert np.array_equal(getattr(plain, part)[1:], getattr(again, part)[1:]), part
    assert plain.events == again.events


def test_compiling_one_kernel_for_another_is_counted_once_in_time() -> None:
    moments = iter([1.0, 4.0])
    told: list[int] = []
    with pytest.MonkeyPatch.context() as patch, watch_compilation():
        patch.setattr("poise.runtime.warm.perf_counter", lambda: next(moments))
        watch = CompileWatch(told.append)
        watch.on_start(None)
        watch.on_start(None)
        watch.on_end(None)
        watch.on_end(None)
    assert (watch.count, watch.seconds, told) == (2, 3.0, [1, 2])
