"""Furnishing a clip's surroundings: obstacles beside its path, or in a ring around someone who stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.plan import BodyPlan
from poise.characters.character import Character
from poise.scenes.aimed_balls import balls_at, out_of_the_way
from poise.scenes.ball_times import FIRST, ball_times_in_a_ring, ball_times_on_the_way
from poise.scenes.catalog import make_asset
from poise.world.props import Prop

__all__ = [
    "Path",
    "furnish_along",
    "furnish_ring",
    "is_clear",
    "is_free_at_start",
    "start_places",
    "surroundings",
    "walked_path",
]

Array = NDArray[np.float64]

_STAYS_WITHIN = 1.0
"""Distance [m] below which a clip counts as one that stays in place."""
_ORDER = (
    ("sunflower_large", 0.44),
    ("bush", 0.56),
    ("fruit", 0.4),
    ("branch", 1.3),
    ("bucket", 0.42),
    ("fence", 0.42),
    ("sunflower_small", 0.42),
    ("swing", 0.55),
    ("banana_tree", 0.46),
    ("fence_door", 1.2),
)
"""What stands along a path, in turn, and how far from it [m] for a stature of 1.75 m."""
_APART = 0.7
"""No two obstacles are met within less time [s]: either hand has twice that, 0.2 s until it moves, a reach and
the way back. Somebody who walks has 0.85 m for it, somebody who runs more."""
_ROOM_BETWEEN = 0.6
"""No two obstacles stand nearer to one another [m], for a stature of 1.75 m: who walks back where they came from would have
them in one another. Plants bend that far in passing."""
_REACHING = ("branch", "fence_door")
_ROOM_AT_START = {"bush": 0.34, "bucket": 0.24, "swing": 0.35}
"""Least distance of an obstacle from every joint while a clip begins [m], 0.18 for slender ones."""
_LONGEST = 500.0
"""How much of a path is furnished [m]."""
_NEAREST = 0.3
"""How near to the path what reaches towards it may come [m]: beyond the trunk, within the arm's swing."""


@dataclass(frozen=True, eq=False)
class Path:
    """The way a character's pelvis takes over the ground.

    Args:
        points: Horizontal positions [m], shape (T, 2).
        along: Distance walked so far [m], shape (T,).
    """

    points: Array
    along: Array

    def after(self, distance: float, seconds: float, rate: float) -> float:
        """How far somebody gets who was at `distance` [m] so many seconds before, the clip having `rate` frames a second."""
        frames = np.arange(len(self.along))
        return float(np.interp(np.interp(distance, self.along, frames) + seconds * rate, frames, self.along))

    def when(self, distance: float, rate: float) -> float:
        """How long it takes to get so far [m], the clip having `rate` frames a second [s]."""
        return float(np.interp(distance, self.along, np.arange(len(self.along)))) / rate

    @property
    def length(self) -> float:
        """Of the whole way [m]."""
        return float(self.along[-1])

    @property
    def extent(self) -> float:
        """Largest distance from the start [m]."""
        return float(np.linalg.norm(self.points - self.points[0], axis=1).max())

    def at(self, distance: float) -> tuple[Array, Array]:
        """Point and unit direction after `distance` [m]; the direction is taken over half a metre."""

        def place(s: float) -> Array:
            return np.array([np.interp(s, self.along, self.points[:, axis]) for axis in range(2)])

        ahead = place(distance + 0.25) - place(distance - 0.25)
        size = float(np.linalg.norm(ahead))
        return place(distance), ahead / size if size > 1e-6 else np.array([1.0, 0.0])


def walked_path(character: Character) -> Path:
    """The path of a character's clip, smoothed over a quarter of a second so that sway does not count as walking."""
    keys = generalized_from_clip(character.plan, character.clip)
    window = max(1, int(0.25 * character.clip.rate))
    padded = np.pad(keys[:, :2], ((window, window), (0, 0)), mode="edge")
    kernel = np.full(2 * window + 1, 1.0 / (2 * window + 1))
    points = np.stack([np.convolve(padded[:, axis], kernel, mode="valid") for axis in range(2)], axis=1)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return Path(points, np.concatenate([[0.0], np.cumsum(steps)]))


def surroundings(character: Character, *, seed: int = 0) -> tuple[Prop, ...]:
    """Obstacles along the clip's own path and a ball; a ring and balls where the clip stays within a metre."""
    path = walked_path(character)
    if path.extent < _STAYS_WITHIN:
        return furnish_ring(character, path, seed=seed)
    clip, along = character.clip, furnish_along(character, path, seed=seed)
    passed = [path.when(distance, clip.rate) for distance in along]
    balls = balls_at(character, ball_times_on_the_way(clip.duration, passed), along.values())
    return (*along.values(), *(out_of_the_way(character, path.points, ball) for ball in balls))


def furnish_along(character: Character, path: Path, *, seed: int = 0, spacing: float = 0.85) -> dict[float, Prop]:
    """The obstacles of Table 3 in turn, left and right of a path, near enough for the arms to brush or push them.

    Places where the path itself comes by again too closely are left free, and so is the start.

    Args:
        character: Who walks; sizes and distances go with its stature, heights with the ground of its clip.
        path: Where it walks.
        seed: Varies distances a little.
        spacing: Between obstacles along the path at least [m], for a stature of 1.75 m.

    Returns:
        What stands there, by how far somebody has walked who passes it [m].
    """
    rng = np.random.default_rng(seed)
    size = _size(character)
    props: dict[float, Prop] = {}
    places: list[Array] = []
    start = start_places(character)
    side, turn, clear_of = 1.0, 0, _half_width(character) + 0.05 * size
    # What would be met before one has seen who moves is left out; the others stay where they are.
    first = float(np.interp(FIRST * character.clip.rate, np.arange(len(path.along)), path.along)) - 0.2 * size
    distance = 0.9 * size
    while distance < min(path.length, _LONGEST):
        asset, away = _ORDER[turn % len(_ORDER)]
        point, ahead = path.at(distance)
        left = np.array([-ahead[1], ahead[0]])
        lateral = max((away + rng.uniform(-0.02, 0.04)) * size, clear_of)
        place = point + side * lateral * left
        tip = point + side * max(_NEAREST * size, clear_of) * left if asset in _REACHING else place
        clear = is_clear(path, place, distance, 0.8 * lateral) and is_clear(path, tip, -1.0, 0.8 * _NEAREST * size)
        alone = all(np.linalg.norm(place - other) > _ROOM_BETWEEN * size for other in places)
        if clear and alone and is_free_at_start(start, place, asset, size):
            places.append(place)
            if distance >= first:
                props[distance] = _beside(asset, turn, place, ahead, side, character.floor, size)
            turn += 1
        side = -side
        distance = max(distance + spacing * size, path.after(distance, _APART, character.clip.rate))
    return props


def _half_width(character: Character) -> float:
    """How far trunk and head reach from the middle of the body, seen from above [m]; helmets and shields on the back count."""
    plan = character.plan
    frames = body_frames(plan, generalized_from_clip(plan, character.clip)[:1])
    capsules = body_capsules(plan, frames)
    trunk = np.isin(capsules.bodies, [0, *plan.with_role("spine", "neck", "head")])
    places = np.stack([capsules.starts[0], capsules.ends[0]])[:, trunk, :2] - frames.positions[0, 0, :2]
    return float((np.linalg.norm(places, axis=-1) + capsules.radii[trunk]).max())


def start_places(character: Character, seconds: float = 0.33) -> Array:
    """Where the joints are at the beginning, over this time [s], seen from above [m], shape (n, 2)."""
    count = max(1, int(seconds * character.clip.rate))
    keys = generalized_from_clip(character.plan, character.clip)[:count]
    return body_frames(character.plan, keys).positions[..., :2].reshape(-1, 2)


def is_free_at_start(start: Array, place: Array, asset: str, size: float) -> bool:
    """Whether nobody stands or reaches where something is to be put."""
    return bool(np.linalg.norm(start - place, axis=1).min() > _ROOM_AT_START.get(asset, 0.18) * size)


def _size(character: Character) -> float:
    """How large things are made for a character; never so large that a plant's springs could not hold it up."""
    return float(np.clip(character.plan.size, 0.3, 1.3))


def is_clear(path: Path, place: Array, distance: float, room: float) -> bool:
    """Whether the path, but for the part nearest to `distance`, keeps `room` [m] from a place."""
    elsewhere = np.abs(path.along - distance) > 0.1
    apart = np.linalg.norm(path.points - place, axis=1)
    return bool(np.all(apart[elsewhere] > room))


def _beside(asset: str, number: int, place: Array, ahead: Array, side: float, ground: float, size: float) -> Prop:
    """An obstacle turned to the path: branches and doors reach towards it, fences and boards run along it."""
    heading = float(np.arctan2(ahead[1], ahead[0]))
    towards = heading - side * np.pi / 2.0
    yaw = towards if asset in _REACHING else heading
    at = (float(place[0]), float(place[1]))
    return make_asset(asset, f"{asset}_{number + 1}", at, ground=ground, yaw=yaw, size=size)


def furnish_ring(character: Character, path: Path, *, seed: int = 0) -> tuple[Prop, ...]:
    """Obstacles in a ring at arm's reach around someone who stays, and balls thrown at them from left and right."""
    rng = np.random.default_rng(seed)
    size = _size(character)
    centre = path.points.mean(axis=0)
    reach, start = _reach(character, centre), start_places(character, FIRST)
    props: list[Prop] = []
    ring = ("sunflower_large", "fruit", "bush", "bucket", "sunflower_small", "fruit")
    for number, asset in enumerate(ring):
        angle = 2.0 * np.pi * (number + 0.5) / len(ring) + rng.uniform(-0.1, 0.1)
        outward = np.array([np.cos(angle), np.sin(angle)])
        place = centre + (reach + 0.02 * size) * outward
        if not is_free_at_start(start, place, asset, size):
            continue
        at = (float(place[0]), float(place[1]))
        props.append(make_asset(asset, f"{asset}_{number + 1}", at, ground=character.floor, yaw=angle, size=size))
    return (
        *props,
        *balls_at(character, ball_times_in_a_ring(character.clip.duration)),
    )


def _reach(character: Character, centre: Array) -> float:
    """How far from the middle the ring stands [m]: where hands get to, but clear of all else that is on the body."""
    plan = character.plan
    frames = body_frames(plan, generalized_from_clip(plan, character.clip))
    hands = plan.with_role("left_hand", "right_hand") or plan.with_role("left_forearm", "right_forearm")
    apart = np.linalg.norm(frames.positions[..., :2] - centre, axis=-1)
    capsules = body_capsules(plan, frames)
    ends = np.maximum(*(np.linalg.norm(each[..., :2] - centre, axis=-1) for each in (capsules.starts, capsules.ends)))
    others = ~np.isin(capsules.bodies, [*hands, *_arms_of(plan)])
    body = float((ends + capsules.radii)[:, others].max())
    return float(max(np.percentile(apart[:, list(hands)], 90.0), body + 0.04 * plan.stature))


def _arms_of(plan: BodyPlan) -> tuple[int, ...]:
    return plan.with_role("left_forearm", "right_forearm", "left_upper_arm", "right_upper_arm")
