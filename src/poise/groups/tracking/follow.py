"""A clip as what is wanted of somebody: turns of all joints, hands, feet and center of mass, with velocities and accelerations.

This is what Vaillant 2017 leaves for later: "motion capture as a time-varying reference". What is wanted is where a `Course` is
by now, and how fast and with which acceleration it moves; contacts are made and broken when its feet begin and end to bear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, RunError, unknown_name
from poise.groups.group import Group
from poise.groups.tracking.carrying import ARMS, chest_of
from poise.groups.tracking.catching import elsewhere, shares
from poise.groups.tracking.course import OWNER
from poise.groups.tracking.follower import Follower
from poise.groups.tracking.footing import Bearing, Footing, bearing_points
from poise.groups.tracking.options import TrackingOptions
from poise.locomotion.soles import FEET
from poise.math import quat
from poise.qp import CenterOfMassTask, Contact, Controller, FrameTask, Phase, PoseTask, Task, lasting

__all__ = ["follow"]

Array = NDArray[np.float64]

_HANDS = ("left_hand", "right_hand")


def follow(group: Group, *names: str) -> Phase:
    """A phase in which people follow their clips, at the same time and from their beginning.

    Args:
        group: Whose.
        names: Who; everybody who has a clip where none is said. What they `carry` by now they go on carrying.

    Raises:
        InputError: Somebody has no clip. While it runs, `RunError`: somebody has lost it.
    """
    followers = {name: who for name, who in group.people.items() if isinstance(who, Follower)}
    for name in names:
        if name not in followers:
            raise unknown_name("follower", name, followers)
    if not followers:
        raise InputError("nobody of this group has a clip to follow")
    ways = [_Following(group, name, followers[name]) for name in dict.fromkeys(names or followers)]
    tasks = {label: task for way in ways for label, task in way.tasks.items()}
    return Phase(
        name=f"{', '.join(way.name for way in ways)}: follow",
        tasks=tasks,
        until=lasting(max(way.course.trajectory.duration for way in ways)),
        each=_all([way.at for way in ways]),
    )


def _all(
    parts: list[Callable[[Controller, float], None]],
) -> Callable[[Controller, float], None]:
    def each(controller: Controller, time: float) -> None:
        for part in parts:
            part(controller, time)

    return each


class _Following:
    """One who follows a clip. Everything that changes is in the tasks and contacts themselves."""

    def __init__(self, group: Group, name: str, who: Follower) -> None:
        self.name, self.course, self._options = name, who.course, who.tracking
        self._labels = who.character().plan.names
        plan, options = who.character().plan, who.tracking
        held = _held(group, name, plan.names)
        owners, both = [name, *dict.fromkeys(held.values())], len(held) == 2
        trunk = [0, *plan.with_role("spine")]
        limbs = [body for body in range(len(plan)) if body not in trunk]
        self._poses = {
            "trunk": _pose(name, trunk, options.trunk, options),
            "limbs": _pose(name, limbs, options.pose, options),
        }
        self._center = _center(owners, (1.0, 1.0, 0.0), options.center_stiffness, options)
        self._level = _center(owners, (0.0, 0.0, 1.0), options.level_stiffness, options)
        # A thing in the hands raises or lowers the common center of mass, and that is no fall.
        self._higher = (group.center_of_mass(*owners) - self.course.center(0.0)[0]) * [0.0, 0.0, float(len(owners) > 1)]
        self._feet = {plan.with_role(role)[0]: self._end(plan.with_role(role)[0], True) for role in FEET}
        self._hands = {body: self._end(body, False) for body in plan.with_role(*_HANDS) if not both}
        # Arms that hold something before the chest do that instead of what the clip's do.
        self._arms = np.array(plan.with_role(*ARMS) if both else (), dtype=np.int64)
        self._still = group.system.turns(name)[0][self._arms].copy()
        self._carried = {f"{name} {thing}": _kept_before(group, name, thing, options) for thing in owners[1:] if both}
        self._shares = shares(self.course.feet)
        self._frame = (np.zeros((6, self.course.twin.size)), np.zeros(6), np.zeros(6))

    @property
    def tasks(self) -> dict[str, Task]:
        """What is wanted, by name."""
        own: dict[str, Task] = {**self._poses, "balance": self._center, "height": self._level}
        own |= {self._labels[body]: task for body, task in (self._feet | self._hands).items()}
        return {f"{self.name} {label}": task for label, task in own.items()} | dict[str, Task](self._carried)

    def _end(self, body: int, turned: bool) -> FrameTask:
        """The task of a hand's place, or of a foot's place and turn."""
        options = self._options
        return FrameTask(
            body=f"{self.name}/{self._labels[body]}",
            target=np.zeros(3),
            rotation=quat.IDENTITY if turned else None,
            weight=options.foot if turned else options.hand,
            stiffness=options.foot_stiffness if turned else options.hand_stiffness,
        )

    def at(self, controller: Controller, time: float) -> None:
        """Want what the course has at a time since its beginning [s]."""
        course, ahead = self.course, self._options.feedforward
        moment = course.trajectory.moment(time)
        turns = moment.positions[3:].reshape(-1, 4).copy()
        spins, rates = (float(ahead) * each[3:].reshape(-1, 3) for each in (moment.velocities, moment.accelerations))
        turns[self._arms], spins[self._arms], rates[self._arms] = self._still, 0.0, 0.0
        for pose in self._poses.values():
            part = pose.bodies
            pose.target, pose.velocity, pose.acceleration = turns[part], spins[part], rates[part]
        stands, moved = self._stances(controller, time)
        place, rate, change = (course.center(time, order)[0] for order in range(3))
        going = time <= course.trajectory.duration
        for task in (self._center, self._level):
            task.target = place + moved + self._higher
            task.velocity, task.acceleration = (rate, change) if ahead and going else (0.0, 0.0)
        center, level = (task.feature(controller.system) for task in (self._center, self._level))
        away = np.asarray(center.error + level.error)
        if np.linalg.norm(away) > self._options.lost:
            raise RunError(
                f"{self.name} has lost the clip at {time:.2f} s: the center of mass is {100.0 * np.linalg.norm(away):.0f} cm "
                "from where the clip has it; the clip is too quick for its feet to bear, or something was in the way"
            )
        course.twin.put(OWNER, moment.positions, moment.velocities)
        course.twin.refresh()
        accelerations = course.twin.ordered(OWNER, moment.accelerations)
        pace = float(np.sqrt(controller.system.gravity / max(place[2], 0.1)))
        running = center.rate - (rate if going else 0.0)
        caught = moved + elsewhere(center.error, running, pace, self._options) * float(self._options.catches)
        shifts = [caught if stance is None else stance for stance in stands]
        for (body, end), shift in zip(self._feet.items(), shifts, strict=True):
            self._aim(end, body, accelerations, shift)
        for body, end in self._hands.items():
            # Hands go along with the body where that is off its course: they would pull it farther off.
            self._aim(end, body, accelerations, away + moved)
        self._stand(controller, time, shifts)

    def _aim(self, task: FrameTask, body: int, accelerations: Array, away: Array) -> None:
        """Want a hand or foot where the course has it, and so much further away [m]."""
        twin, (jacobian, twist, drift) = self.course.twin, self._frame
        number = twin.body(f"{OWNER}/{self._labels[body]}")
        task.target = twin.positions[number] + away
        if task.rotation is not None:
            task.rotation = quat.from_matrix(twin.rotations[number].copy())
        if self._options.feedforward:
            twin.relative(0, number, twin.positions[number], jacobian, twist, drift)
            task.velocity, task.acceleration = twist.copy(), drift + jacobian @ accelerations

    def _stances(self, controller: Controller, time: float) -> tuple[list[Array | None], Array]:
        """How far from where the course has them feet stand [m], None in the air; and how far the course is moved by that."""
        now, found = self.course.frame(time), list[Array | None]()
        for foot in self.course.feet:
            body, stance = f"{self.name}/{self._labels[foot.sole.body]}", None
            for kind in (Bearing.SOLE, Bearing.HEEL, Bearing.BALL):
                held = controller.touches.get(f"{body} {kind.name.lower()}")
                if held is not None and foot.kinds[now] != Bearing.NOTHING:
                    stance = held.reference[0] - _where(foot, kind, now, self._options.bears)[0]
            found.append(stance)
        bearing = [
            (share, stance) for share, stance in zip(self._shares[now], found, strict=True) if stance is not None
        ]
        total = sum(share for share, _ in bearing)
        moved = sum((share / total * stance for share, stance in bearing), np.zeros(3)) if total > 0.0 else np.zeros(3)
        return found, np.asarray(moved)

    def _stand(self, controller: Controller, time: float, shifts: Sequence[Array]) -> None:
        """Make and break contacts as feet begin and end to bear, so far from where the course has them [m]."""
        now, soon = self.course.frame(time), self.course.frame(time + self._options.fade)
        for foot, shift in zip(self.course.feet, shifts, strict=True):
            body = f"{self.name}/{self._labels[foot.sole.body]}"
            wanted, leaves = Bearing(foot.kinds[now]), foot.kinds[soon] == Bearing.NOTHING
            for kind in (Bearing.SOLE, Bearing.HEEL, Bearing.BALL):
                label = f"{body} {kind.name.lower()}"
                held = controller.touches.get(label)
                if held is not None and kind != wanted:
                    del controller.touches[label]
                elif held is not None and leaves and held.release is None:
                    controller.release(label, self._options.fade)
                elif held is None and kind == wanted and not leaves:
                    share = self._options.bears
                    place, turn = _where(foot, kind, now, share)
                    controller.touch(_contact(label, body, foot, kind, share), (place + shift, turn))


def _pose(name: str, bodies: list[int], weight: float, options: TrackingOptions) -> PoseTask:
    none = np.zeros((len(bodies), 3))
    still = np.tile(quat.IDENTITY, (len(bodies), 1))
    gains = {"weight": weight, "stiffness": options.pose_stiffness}
    return PoseTask(owner=name, bodies=bodies, target=still, velocity=none, acceleration=none, **gains)


def _held(group: Group, name: str, labels: Sequence[str]) -> dict[str, str]:
    """Things in somebody's hands, by hand."""
    owners = {thing.name for thing in group.things}
    return {
        hand: touch.contact.first.split("/")[0]
        for hand, touch in group.controller.touches.items()
        if hand in {f"{name}/{label}" for label in labels} and touch.contact.first.split("/")[0] in owners
    }


def _kept_before(group: Group, name: str, thing: str, options: TrackingOptions) -> FrameTask:
    """The task of a thing that is to stay where it is before the chest."""
    body, chest = f"{thing}/{group.thing(thing).links[0].name}", chest_of(group, name)
    turns = [group.system.rotations[group.system.body(each)] for each in (chest, body)]
    return FrameTask(
        body=body,
        against=chest,
        target=group.place_in(chest, group.point(body, np.zeros(3))),
        rotation=quat.from_matrix(turns[0].T @ turns[1]),
        weight=options.chest,
        stiffness=options.hand_stiffness,
    )


def _center(
    owners: Sequence[str], axes: tuple[float, float, float], stiffness: float, options: TrackingOptions
) -> CenterOfMassTask:
    return CenterOfMassTask(owners=owners, target=np.zeros(3), axes=axes, weight=options.center, stiffness=stiffness)


def _contact(label: str, body: str, foot: Footing, kind: Bearing, share: float) -> Contact:
    """What of a foot bears: it stays flat, or rolls over its heel or ball."""
    sole = foot.sole
    points = sole.middle + quat.rotate(sole.turn, bearing_points(sole, kind, share))
    up, across = (quat.rotate(sole.turn, np.array(axis)) for axis in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
    return Contact(
        name=label,
        first="world",
        second=body,
        points=points,
        normals=np.tile(up, (len(points), 1)),
        rolls=None if kind == Bearing.SOLE else across,
    )


def _where(foot: Footing, kind: Bearing, frame: int, share: float) -> tuple[Array, Array]:
    """Where the middle of what bears stands [m] and how the foot is turned where it lies flat, a matrix."""
    middle = bearing_points(foot.sole, kind, share).mean(axis=0)
    turn = quat.to_matrix(quat.mul(foot.turns[frame], quat.conj(foot.sole.turn)))
    return foot.places[frame] + quat.rotate(foot.turns[frame], middle), turn
