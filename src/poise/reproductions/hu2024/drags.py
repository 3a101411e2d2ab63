"""A ball is dragged through foot, shank and thigh of someone whose hips are held (Figs. 8, 9).

Without the priority downgrade the solved pose is written as it is: the ball passes through it (the paper's Fig. 8). With it the
pose is the target of muscles with limits, and the ball has the last word (Fig. 9).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Contribution, Reference, Stateless
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.hu2024.album import Moments, write_album
from poise.reproductions.hu2024.played import Played, play
from poise.reproductions.hu2024.subject import PEOPLE, body_of, people
from poise.reproductions.motion.clips import Source, data_folder
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.scenes.bounded import LEGS, Part, drag, drag_radius
from poise.scenes.bounded.loose import Limp
from poise.scenes.bounded.person import leg_length
from poise.signals import Mode
from poise.world.command import Place
from poise.world.render import Camera
from poise.world.view import WorldView

__all__ = ["CHECKS", "picture"]

Array = NDArray[np.float64]

_PARTS: tuple[Part, ...] = ("foot", "shank", "thigh")


@once
def run(part: Part, way: str = "driven", source: Source | None = None) -> Played:
    """A ball dragged into one part of the leg and out again.

    Args:
        part: Which.
        way: "driven" within limits, "written" as it is, with "limp" legs, "torn" back into its pose at once, or with
            "loose" hips.
        source: Whose leg; the shipped walk's person's for None.
    """
    scene = drag(part, drive=way != "written", plan=body_of(source))
    if way == "limp":
        scene = replace(scene, behaviors={"walker": [*scene.behaviors["walker"][:-1], lambda: Limp(LEGS)]})
    if way == "torn":
        scene = replace(scene, behaviors={"walker": [*scene.behaviors["walker"], _Torn]})
    if way == "loose":
        (who,) = scene.characters.values()
        modes = who.modes.copy()
        modes[0] = int(Mode.PASSIVE)
        scene = replace(scene, characters={"walker": replace(who, modes=modes)})
    return play(scene)


def _runs(trial: Trial, way: str) -> list[tuple[Part, Played]]:
    """Other people, with a ball dragged into one part of each; for a sample the shipped person, and into each part.

    A run goes the way that is named where the method is off.
    """
    way = "driven" if trial.on else way
    if trial.quick or data_folder() is None:
        return [(part, run(part, way)) for part in _PARTS]
    parts = cycle(_PARTS)
    return [(part, run(part, way, source)) for source, part in zip(people(trial), parts, strict=False)]


class _Torn(Stateless):
    """Puts the body back into its pose at once, while the ball is in it."""

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`."""
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        """See `Behavior.step`."""
        wanted = Contribution(reference)
        if 2.0 <= reference.time < 2.0 + reference.tick:
            wanted.commands.append(Place(reference.name, reference.source.copy()))
        return wanted


def overlaps(played: Played, ball: str) -> Array:
    """How deep a ball is in the left leg's shapes in each state [m], worked out from the shapes alone, shape (N+1,)."""
    at = played.session.world.position_start(ball)
    centres, frames = played.recording.positions[:, at : at + 3], body_frames(played.plan, played.rows())
    depth = np.zeros(len(centres))
    for body in played.below("left_thigh"):
        local = quat.rotate(quat.conj(frames.rotations[:, body]), centres - frames.positions[:, body])
        depth = np.maximum(depth, drag_radius(played.plan) - _distance(played.plan, body, local))
    return depth


def _distance(plan: BodyPlan, body: int, points: Array) -> Array:
    """From points (T, 3) in a body's frame to its nearest shape [m], negative inside, shape (T,)."""
    result = np.full(len(points), np.inf)
    for shape in plan.colliders[body]:
        own = quat.rotate(quat.conj(shape.rotation), points - shape.position)
        if shape.kind == "box":
            beyond = np.abs(own) - shape.size
            outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
            distance = outside + np.minimum(beyond.max(axis=1), 0.0)
        else:
            half = float(shape.size[1]) if shape.kind == "capsule" else 0.0
            own[:, 2] -= np.clip(own[:, 2], -half, half)
            distance = np.linalg.norm(own, axis=1) - shape.size[0]
        result = np.minimum(result, distance)
    return result


@claim(
    "the pose is what muscles within limits aim at",
    off="CharacterOptions(anchors=...) without the legs: it is written",
    cases=PEOPLE,
)
def bounded_penetrates(trial: Trial) -> Row:
    """How deep the ball gets into a leg that is driven within limits."""
    deep = 1e3 * max(
        max(float(played.depth.max()), float(overlaps(played, part).max())) for part, played in _runs(trial, "written")
    )
    return Row(
        "hu2024/drag-bounded",
        "Where it is only aimed at, the object does not go in (Fig. 9), which goes through a written one (Fig. 8): deepest "
        "of all, at every substep and from the shapes alone, below 5 mm",
        None,
        deep,
        "mm",
        deep < 5.0,
    )


@claim(
    "the pose is what muscles within limits aim at",
    off="CharacterOptions(anchors=...) without the legs: it is written",
    cases=PEOPLE,
)
def gives_way(trial: Trial) -> Row:
    """How far the leg gives way, as a share of its length."""
    way = 100.0 * min(
        float(played.away("left_foot").max()) / leg_length(played.plan) for _, played in _runs(trial, "written")
    )
    return Row(
        "hu2024/drag-gives-way",
        "The leg lifts, contracts and turns with the object (Fig. 9): everybody's foot goes at least a tenth of the leg's "
        "length from its goal",
        None,
        way,
        "%",
        way > 10.0,
    )


@claim("muscles that hold a pose", off="Limp(legs): a plain ragdoll", cases=PEOPLE)
def returns(trial: Trial) -> Row:
    """How far the leg is from its pose at the end."""
    off = max(float(played.errors(played.below(*LEGS))[-1].max()) for _, played in _runs(trial, "limp"))
    return Row(
        "hu2024/drag-returns",
        "Once the object is gone the leg is back in its pose: every joint within 1°, of everybody",
        None,
        off,
        "°",
        off < 1.0,
    )


@invariant("muscles", broken="the leg is put back into its pose at once while the ball is in it")
def no_jump(trial: Trial) -> Row:
    """Largest move of knee or foot in a tick."""
    steps = [
        np.linalg.norm(np.diff(run(part, "driven" if trial.on else "torn").places(role), axis=0), axis=1).max()
        for part in _PARTS
        for role in ("left_shank", "left_foot")
    ]
    moved = 100.0 * float(max(steps))
    return Row(
        "hu2024/drag-no-jump",
        "Nothing teleports: knee and foot move less than 5 cm in a frame of 1/60 s, pushed or on their way back",
        None,
        moved,
        "cm",
        moved < 5.0,
    )


@claim("hips follow the clip", off="Mode.PASSIVE for the pelvis", cases=PEOPLE)
def crotch_stays(trial: Trial) -> Row:
    """How far the hip joint moves, and how far joints pass the ends of their range."""
    moved = 1e3 * max(float(played.away("left_thigh").max()) for _, played in _runs(trial, "loose"))
    return Row(
        "hu2024/drag-crotch",
        "The crotch stays where it is (Fig. 9), and bones cannot stretch in reduced coordinates: the hip joint moves by "
        "less than 0.1 mm",
        None,
        moved,
        "mm",
        moved < 0.1,
    )


@claim("muscles that hold a pose", off="Limp(legs): a plain ragdoll", cases=PEOPLE)
def limits(trial: Trial) -> Row:
    """How far the leg's joints pass the ends of their range."""
    beyond = max(played.excess(played.below(*LEGS)) for _, played in _runs(trial, "limp"))
    return Row(
        "hu2024/drag-limits",
        "The angles stay reasonable (Fig. 9): the leg's joints pass the ends of their range by less than 3°",
        None,
        beyond,
        "°",
        beyond < 3.0,
    )


CHECKS = (bounded_penetrates, gives_way, returns, no_jump, crotch_stays, limits)


def picture(folder: Path) -> Path:
    """Both ways at the same moments, the ball at its deepest in the middle."""
    camera = Camera(target=np.array([0.0, 0.0, -0.35]), azimuth=np.radians(75.0), elevation=-0.08, distance=4.0)
    times, lines = [0.3, 1.0, 1.3, 1.8, 2.3, 2.8, 3.2, 4.8], []
    for part in _PARTS:
        for label, drive in (("written", False), ("aimed at within limits", True)):
            played = run(part, "driven" if drive else "written")
            depth = overlaps(played, part)
            captions = [f"{time:.1f} s   {1e3 * depth[played.at(time)]:.0f} mm in" for time in times]
            lines.append(Moments(f"{part}, pose {label}", played, times, captions, camera))
    return write_album(folder, "drags", "A ball dragged into the left leg (Hu 2024, Figs. 8, 9)", lines)
