"""A long run in bounded memory: somebody conducts among hanging fruit and a reed, breathes and sees what comes.

    python tools/soak.py [--seconds 3600] [--blocks 12]

Told for each part of the run: memory of the process, processor time of a tick, how far hands are from where they are meant to
be, where the pelvis is. The exit code is 1 where memory, a tick's time or distances of the last third exceed the second's.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from poise.assets import clip_path
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.behaviors.breathing import Breathing, BreathingOptions
from poise.body.coordinates import body_frames
from poise.characters.gesture_clips import gesturing
from poise.characters.standing import standing_clip
from poise.gesture import Conducting, TempoMap
from poise.io import read_clip
from poise.runtime import Character, RecordingOptions, Session
from poise.scenes.roots import with_root
from poise.world.props import Hanging, Plant
from poise.world.scene import SceneSpec

BEAT, KEPT = 0.625, 10.0
"""Between beats [s], and how much of the end is remembered [s]."""
GROWS, SLOWER, FARTHER = 16.0, 1.25, 0.01
"""What the last third may have more than the second: memory [MiB], a tick's time as a factor, distances [m]."""


class Part(NamedTuple):
    """One part of a run: memory [MiB], processor time of a tick [ms], way of hands from their places, the pelvis [m]."""

    memory: float
    tick_ms: float
    hands: float
    pelvis: tuple[float, float, float]


def conductor(seconds: float) -> Session:
    """The session, at its beginning."""
    beats = 1.0 + BEAT * np.arange(max(2, int((seconds - 2.0) / BEAT)))
    bars = gesturing(Conducting(tempo=TempoMap.from_beats(beats), count=len(beats)))
    who = Character.from_clip(standing_clip(read_clip(clip_path("walk")), seconds, movement=bars))
    props = (
        Hanging(name="fruit", position=(0.45, -0.3, 2.2), rope=0.9, size=(0.07, 0.0, 0.0), mass=0.4),
        Hanging(name="bucket", position=(0.45, 0.5, 2.2), rope=0.9, size=(0.1, 0.1, 0.1), shape="box", mass=1.5),
        Plant(name="reed", position=(0.5, 0.4, 0.0), length=1.3, mass=0.3, stiffness=15.0, damping=2.0),
    )
    return Session(
        {"conductor": with_root(who, "compliant")},
        SceneSpec(props=props, floor=who.floor),
        behaviors={"conductor": [Breathing(BreathingOptions()), Anticipation(AnticipationOptions())]},
        recording=RecordingOptions(keep=KEPT),
    )


def memory() -> float:
    """Of this process now [MiB]; its peak where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    return pages * resource.getpagesize() / 2.0**20


def played(session: Session, blocks: int) -> list[Part]:
    """The whole run in so many parts."""
    parts, count = [], session.tick_count // blocks
    plan, columns = session.characters["conductor"].plan, session.layouts[0].positions
    hands = list(plan.with_role("left_hand", "right_hand"))
    for _ in range(blocks):
        start, away = time.process_time(), []
        for number in range(count):
            frame = session.tick()
            if number % 6 == 0:
                rows = np.stack([frame.state.positions, frame.kinematic])[:, columns]
                there = body_frames(plan, rows).positions[:, hands]
                away.append(float(np.linalg.norm(there[0] - there[1], axis=-1).mean()))
        spent = time.process_time() - start
        x, y, z = (float(value) for value in frame.state.positions[columns][:3])
        parts.append(Part(memory(), 1e3 * spent / count, float(np.mean(away)), (x, y, z)))
    return parts


def faults(parts: list[Part], *, timed: bool = True) -> list[str]:
    """What the last third of a run has more than the second has, a line each; times only where they are asked for."""
    third = len(parts) // 3
    middle, last = (
        np.array([[p.memory, p.tick_ms, p.hands] for p in some]) for some in (parts[third:-third], parts[-third:])
    )
    places = np.array([part.pelvis for part in parts])
    found = []
    if last[:, 0].max() - middle[:, 0].max() > GROWS:
        found.append(f"memory grows from {middle[:, 0].max():.0f} to {last[:, 0].max():.0f} MiB")
    if timed and np.median(last[:, 1]) > SLOWER * np.median(middle[:, 1]):
        found.append(f"a tick takes {np.median(last[:, 1]):.2f} ms, after {np.median(middle[:, 1]):.2f} ms")
    if last[:, 2].mean() - middle[:, 2].mean() > FARTHER:
        found.append(f"hands are {1e3 * last[:, 2].mean():.0f} mm off, after {1e3 * middle[:, 2].mean():.0f} mm")
    drift = float(np.linalg.norm(places[-third:].mean(axis=0) - places[third:-third].mean(axis=0)))
    if drift > FARTHER:
        found.append(f"the pelvis drifts by {1e3 * drift:.0f} mm")
    return found


def main() -> int:
    """Run it and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--blocks", type=int, default=12)
    asked = parser.parse_args()
    parts = played(conductor(asked.seconds), asked.blocks)
    for number, part in enumerate(parts, start=1):
        place = ", ".join(f"{value:.3f}" for value in part.pelvis)
        sys.stdout.write(
            f"{number:3d}: {part.memory:6.0f} MiB, {part.tick_ms:5.2f} ms a tick, hands {1e3 * part.hands:5.1f} mm off, "
            f"pelvis at {place} m\n"
        )
    found = faults(parts)
    sys.stdout.write("".join(f"FAILS: {line}\n" for line in found) or "flat\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
