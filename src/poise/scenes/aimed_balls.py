"""Balls thrown at somebody: from where nothing is in their course, and from overhead where they would wait in the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.scenes.ball_times import FLIGHT
from poise.scenes.thrown import thrown
from poise.world.props import Ball, Prop

__all__ = ["balls_at", "out_of_the_way", "thrown_at"]

Array = NDArray[np.float64]

_BESIDE_COURSE = 0.35
"""Room that a ball needs beside its course until it meets an arm [m]: its own radius and that of a crown."""
_WAITS_FROM, _OVERHEAD = 0.6, 1.35
"""How near a waiting ball somebody may come who raises an arm, and how high it waits where they come nearer: beyond hands
that are raised. In statures."""


def balls_at(character: Character, times: Sequence[float], around: Iterable[Prop] = ()) -> list[Ball]:
    """Balls that meet an arm at these times, from left and right in turn, or twice from one side where the other is blocked."""
    names = ["ball"] if len(times) == 1 else [f"ball_{number + 1}" for number in range(len(times))]
    places = [np.array(prop.position[:2]) for prop in around]
    balls = []
    for number, (name, time) in enumerate(zip(names, times, strict=True)):
        side = 1.0 if number % 2 == 0 else -1.0
        first, other = (thrown_at(character, name, time=time, side=each) for each in (side, -side))
        room, more = _room_of_course(first, places), _room_of_course(other, places)
        balls.append(first if room > _BESIDE_COURSE * character.plan.size or room >= more else other)
    return balls


def _room_of_course(ball: Ball, places: Sequence[Array]) -> float:
    """How far from the course of a ball the nearest of some places is, seen from above [m]."""
    start, course = np.array(ball.position[:2]), FLIGHT * np.array(ball.velocity[:2])
    shares = [float(np.clip((place - start) @ course / (course @ course), 0.0, 1.0)) for place in places]
    rooms = [float(np.linalg.norm(start + share * course - place)) for place, share in zip(places, shares, strict=True)]
    return min(rooms, default=np.inf)


def out_of_the_way(character: Character, points: Array, ball: Ball) -> Ball:
    """A ball, or one that comes from overhead where its character walks by while it waits, and would run into it.

    Args:
        character: At whom it is thrown.
        points: Where its pelvis is, seen from above, in every frame [m], shape (T, 2).
        ball: As it would be thrown.
    """
    before = points[: max(1, int(ball.time * character.clip.rate))]
    if np.linalg.norm(before - np.array(ball.position[:2]), axis=1).min() > _WAITS_FROM * character.plan.stature:
        return ball
    lift = max(0.0, character.floor + _OVERHEAD * character.plan.stature - ball.position[2])
    (x, y, z), (along, across, up) = ball.position, ball.velocity
    return replace(ball, position=(x, y, z + lift), velocity=(along, across, up - lift / FLIGHT))


def thrown_at(
    character: Character, name: str, *, time: float, side: float, mass: float = 1.5, speed: float = 5.0
) -> Ball:
    """A ball thrown so that it meets an arm near the elbow.

    Args:
        character: At whom.
        name: Of the ball.
        time: When it meets the arm as the clip has it [s].
        side: 1 from the left, -1 from the right.
        mass: [kg].
        speed: Horizontal speed [m/s].
    """
    plan, clip = character.plan, character.clip
    keys = generalized_from_clip(plan, clip)
    row = int(np.clip(round(time * clip.rate), 0, len(clip) - 1))
    frames = body_frames(plan, keys[row : row + 1])
    which = "left" if side > 0 else "right"
    elbow = plan.with_role(f"{which}_forearm")[0]
    wrist = (plan.with_role(f"{which}_hand") or plan.with_role(f"{which}_upper_arm"))[0]
    target = 0.7 * frames.positions[0, elbow] + 0.3 * frames.positions[0, wrist]
    outward = target[:2] - frames.positions[0, 0, :2]
    outward = outward / max(float(np.linalg.norm(outward)), 1e-6)
    flight = min(0.5, 0.8 * max(time, 0.1))
    course = -np.array([*(outward * speed), 0.25 / flight])
    return thrown(name, target, course, flight, time=max(0.0, time - flight), mass=mass)
