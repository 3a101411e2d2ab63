"""What is measured of one run: `Numbers`, from a finished session."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules, sole_points
from poise.body.coordinates import body_frames
from poise.body.limits import anatomical, swing_twist_angles
from poise.metrics import (
    acceleration_ratio,
    arrival_ratio,
    foot_contacts,
    jerk_ratio,
    near,
    pair_penetration,
    reversals,
)
from poise.report.measured import ground_under
from poise.report.quality import ground_of
from poise.runtime import Session
from poise.signals import Mode

__all__ = ["BODY_WEIGHT", "Measured", "Numbers", "measure"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

BODY_WEIGHT = 9.81
"""Weight of a kilogram [N]."""
_AFTER_IMPACT = 0.1
"""How long after a touch a joint may be shaken by it [s]."""
_APART = 0.1
"""A touch begins where the same two things did not touch for so long before [s]."""
_FEET = ("foot", "toes", "shank")
_LIFTED = 0.005
"""A sole this much higher than the source has it does not stand [m]."""


@dataclass(frozen=True)
class Numbers:
    """Of one character in one run; NaN where there is nothing to measure. Lengths in mm, speeds in m/s, angles in degrees."""

    hand_jerk: float
    """95th percentile over the larger of the clip's own and a quick reach's, whole run, from the export."""
    hand_jerk_contact: float
    """The same while that hand touches something."""
    hand_jerk_free: float
    """The same while it touches nothing."""
    reversals: float
    """Share of hand frames of the export beyond the source's own with an acceleration over 1 g that reverses [%]."""
    reversals_free: float
    """Number of such hand ticks away from impacts, beyond the source's own."""
    joint_acceleration: float
    """Largest of any joint away from impacts over the larger of its source's own and 300 rad/s²."""
    touch_speed: float
    """Of a hand as it first touches something, the fastest of the run, over the larger of the speed that its clip's hands stay
    below 95 % of the time and a quick reach's at its fastest."""
    contact: float
    """Largest contact force in body weights, with itself too, feet on the ground excepted."""
    limit_excess: float
    """Farthest beyond a joint's range that the source keeps."""
    self_penetration: float
    """Deepest overlap of two parts of the body beyond the source's own."""
    prop_penetration: float
    """Deepest overlap of the body with anything else at a substep, feet on the ground excepted."""
    stance_slide: float
    """99th percentile of how far a standing sole moves in a tick beyond the source's own."""
    floating: float
    """Largest gap under the lowest sole beyond the source's own, where the source stands."""
    sinking: float
    """Deepest sole below the ground beyond the source's own."""
    first_tick: float
    """How far any joint is from its source at the start or after the first tick."""
    hand_back: float
    """Joint acceleration where a joint is handed back to its clip, over the larger of its source's own and 300 rad/s²."""
    hand_share: float
    """Share of the impulse of what hands went out to that the hands took."""
    pelvis_gives: float
    """How far the pelvis goes aside per impulse that trunk, head or legs receive from things [mm per N s]."""


class Measured:
    """A finished run and its first-hand facts.

    Args:
        session: What was run.
        character: Whose.
        depths: Deepest overlap of this character with other things at each substep [m].
    """

    def __init__(self, session: Session, character: str, depths: Array) -> None:
        self.session, self.character, self.depths = session, character, depths
        self.recording = session.recording()
        self.layout = session.world.layout(character)
        self.plan = self.layout.plan
        self.rate = 1.0 / self.recording.tick
        names = self.recording.geom_names
        self.own = np.array([label.startswith(f"{self.layout.name}/") for label in names])
        self._labels = [label.removeprefix(f"{self.layout.name}/") for label in names]
        self.roles = np.array(self.plan.body_roles, dtype=object)

    def rows(self, skeleton: str) -> Array:
        """Generalized positions of a skeleton at each state, shape (N+1, nq)."""
        return np.asarray(getattr(self.recording, skeleton)[:, self.layout.positions])

    @cached_property
    def _bodies(self) -> NDArray[np.int64]:
        """Body of this character for each geom, -1 for others', shape (geoms,)."""
        found = {name: body for body, name in enumerate(self.plan.names)}
        labels = [found.get(label, -1) if mine else -1 for label, mine in zip(self._labels, self.own, strict=True)]
        return np.array(labels, dtype=np.int64)

    @cached_property
    def contact_bodies(self) -> NDArray[np.int64]:
        """The two bodies of this character of each row of the contact table, -1 for other things, shape (C, 2)."""
        pairs = self.recording.contacts.pairs
        return self._bodies[pairs] if len(pairs) else np.zeros((0, 2), np.int64)

    @cached_property
    def standing(self) -> Mask:
        """Rows of the contact table in which a foot stands on the ground or on terrain, shape (C,)."""
        pairs = self.recording.contacts.pairs
        ground = {"ground", *(piece.name for piece in self.session.setting.terrain)}
        on = np.array([label.split("/")[0] in ground for label in self._labels])
        foot = np.array([str(role).endswith(_FEET) for role in self.roles])
        feet = np.where(self.contact_bodies >= 0, foot[self.contact_bodies], False)
        return np.asarray((on[pairs] & feet[:, ::-1]).any(axis=1)) if len(pairs) else np.zeros(0, bool)

    @cached_property
    def touches(self) -> Mask:
        """Rows of the contact table with this character, feet on the ground excepted, shape (C,)."""
        return np.asarray((self.contact_bodies >= 0).any(axis=1) & ~self.standing)

    def touching(self, *bodies: int) -> Mask:
        """Whether any of some bodies touches something other than the ground with a foot, at each state, shape (N+1,)."""
        rows = np.isin(self.contact_bodies, bodies).any(axis=1) & self.touches
        mask = np.zeros(len(self.recording) + 1, dtype=bool)
        mask[self.recording.contacts.tick[rows] + 1] = True
        return mask

    @cached_property
    def impacts(self) -> NDArray[np.int64]:
        """Ticks in which something begins to touch this character, or stops, balls thrown at it and its feet included."""
        table, mine = self.recording.contacts, (self.contact_bodies >= 0).any(axis=1)
        gap, found = max(1, round(_APART * self.rate)), list[int]()
        for pair in np.unique(table.pairs[mine], axis=0):
            ticks = np.unique(table.tick[mine & (table.pairs == pair).all(axis=1)])
            found += ticks[np.diff(ticks, prepend=-(10**6)) > gap].tolist()
            found += ticks[np.diff(ticks, append=10**9) > gap].tolist()
        return np.array(sorted(set(found)), dtype=np.int64)

    @cached_property
    def calm(self) -> Mask:
        """States away from impacts, shape (N+1,)."""
        return ~near(self.impacts + 1, len(self.recording) + 1, 2, round(_AFTER_IMPACT * self.rate))


def measure(run: Measured) -> Numbers:
    """Everything about one character's run."""
    return Numbers(
        **_hands(run),
        **_joints(run),
        **_contacts(run),
        **_feet(run),
        self_penetration=_self_penetration(run),
        first_tick=_first_tick(run),
    )


def _hands(run: Measured) -> dict[str, float]:
    session, plan = run.session, run.plan
    bodies = [body for side in ("left_hand", "right_hand") for body in plan.with_role(side)]
    if not bodies:
        return dict.fromkeys(
            ("hand_jerk", "hand_jerk_contact", "hand_jerk_free", "reversals", "reversals_free", "touch_speed"), np.nan
        )
    result = session.result(run.character)
    source = session.characters[run.character].prepared.source
    joints, rate = plan.joints[bodies], result.rate
    after, before = result.world()[1][:, joints], source.world()[1][: len(result), joints]
    touching = np.stack([run.touching(body) for body in bodies], axis=1)
    skipped, every = session.characters[run.character].prepared.skipped, session.clock.ticks_per_frame
    frames = np.zeros((len(after), len(bodies)), dtype=bool)
    for frame in range(skipped, len(after)):
        at = (frame - skipped) * every
        frames[frame] = touching[max(at - every + 1, 0) : at + every].any(axis=0) if at < len(touching) else False
    turning = (
        100.0 * float(reversals(after, rate).mean() - reversals(before, rate).mean()) if len(after) > 3 else np.nan
    )
    here, there = (body_frames(plan, run.rows(each)).positions[:, bodies] for each in ("positions", "source"))
    free = run.calm[1:-2, None] & ~reversals(there, run.rate)
    return {
        "hand_jerk": jerk_ratio(before, after, rate),
        "hand_jerk_contact": jerk_ratio(before, after, rate, where=frames),
        "hand_jerk_free": jerk_ratio(before, after, rate, where=~frames),
        "reversals": max(0.0, turning),
        "reversals_free": float((reversals(here, run.rate) & free).sum()),
        "touch_speed": arrival_ratio(there, here, run.rate, touching),
    }


def _joints(run: Measured) -> dict[str, float]:
    count = len(run.recording) + 1
    here, there = (run.rows(each)[:, 7:].reshape(count, -1, 4) for each in ("positions", "source"))
    modes = run.recording.modes[:, run.layout.joints[1:]]
    back = (modes[1:] == Mode.MOTION) & (modes[:-1] != Mode.MOTION)
    ticks = np.flatnonzero(back.any(axis=1)) + 1
    excess = np.nan
    if count > 1:
        outside = [_outside(run, each) for each in (here, there)]
        excess = float(np.degrees((outside[0].max(axis=0) - outside[1].max(axis=0)).max(initial=0.0)))
    most = acceleration_ratio(there, here, run.rate, run.calm)
    handed = acceleration_ratio(there, here, run.rate, near(ticks, count, 1, 2))
    return {
        "joint_acceleration": float(most.max(initial=0.0)),
        "hand_back": float(handed[back.any(axis=0)].max(initial=0.0)) if len(ticks) else np.nan,
        "limit_excess": excess,
    }


def _outside(run: Measured, turns: Array) -> Array:
    """How far joints are outside their range [rad], shape (N+1, B-1, 3).

    A swing past pi, of an arm raised overhead and on, is the same turn as one the other way round: the nearer one counts.
    """
    angles = swing_twist_angles(anatomical(turns, run.plan.neutral[1:]))
    limits = run.plan.limits[1:]
    lower, upper = np.array([each.lower for each in limits]), np.array([each.upper for each in limits])
    size = np.linalg.norm(angles[..., :2], axis=-1, keepdims=True)
    other = angles.copy()
    other[..., :2] *= 1.0 - 2.0 * np.pi / np.maximum(size, 1.0)
    here, there = (np.maximum(0.0, np.maximum(each - upper, lower - each)) for each in (angles, other))
    nearer = np.square(there).sum(axis=-1, keepdims=True) < np.square(here).sum(axis=-1, keepdims=True)
    return np.asarray(np.where(nearer & (size > 1.0), there, here))


def _contacts(run: Measured) -> dict[str, float]:
    table, bodies, touches = run.recording.contacts, run.contact_bodies, run.touches
    weight = run.plan.total_mass * BODY_WEIGHT
    arms = [body for body, role in enumerate(run.roles) if str(role).endswith(("arm", "hand"))]
    alone = touches & (bodies < 0).any(axis=1)
    trunk = alone & ~np.isin(bodies, arms).any(axis=1)
    received = float(table.impulse[trunk].sum())
    aside = body_frames(run.plan, run.rows("positions")).positions[:, 0] - run.rows("source")[:, :3]
    given = 1e3 * float(np.linalg.norm(aside, axis=1).max())
    return {
        "contact": float(table.peak[touches].max(initial=0.0)) / weight,
        "prop_penetration": 1e3 * float(run.depths.max(initial=0.0)),
        "hand_share": _hand_share(run, alone),
        "pelvis_gives": given / received if received > 1.0 else np.nan,
    }


def _hand_share(run: Measured, alone: Mask) -> float:
    """Of the impulses of things that hands reached for: the share that hands and forearms took."""
    names = {event.subject.split(" ")[-1] for event in run.recording.events if event.kind == "reach"}
    labels = np.array([label.split("/")[0] in names for label in run.recording.geom_names])
    table = run.recording.contacts
    meant = alone & labels[table.pairs].any(axis=1) if len(table.pairs) else alone
    hands = [body for body, role in enumerate(run.roles) if str(role).endswith(("hand", "forearm"))]
    total = float(table.impulse[meant].sum())
    taken = float(table.impulse[meant & np.isin(run.contact_bodies, hands).any(axis=1)].sum())
    return taken / total if total > 0.1 else np.nan


def _feet(run: Measured) -> dict[str, float]:
    plan = run.plan
    if not all(plan.with_role(side) for side in ("left_foot", "right_foot")):
        return dict.fromkeys(("stance_slide", "floating", "sinking"), np.nan)
    floor = ground_of(run.session, run.session.characters[run.character])
    points = [sole_points(plan, body_frames(plan, run.rows(each))) for each in ("source", "positions")]
    heights = [p[..., 2] - ground_under(floor, p, run.recording.times) for p in points]
    stands = np.asarray(foot_contacts(points[0], points[0][..., 2] - heights[0]))
    planted = stands & (heights[1] - heights[0] < _LIFTED)  # one that steps beside its clip is no stance
    both = planted[:-1] & planted[1:]
    steps = [np.linalg.norm(np.diff(p[..., :2], axis=0), axis=2) for p in points]
    slid = np.maximum(0.0, steps[1] - steps[0])[both]
    lowest = [np.maximum(0.0, h.min(axis=1)) for h in heights]
    grounded = stands.any(axis=1)
    return {
        "stance_slide": 1e3 * float(np.percentile(slid, 99.0)) if slid.size else np.nan,
        "floating": 1e3 * float((lowest[1] - lowest[0])[grounded].max(initial=0.0)) if grounded.any() else np.nan,
        "sinking": 1e3 * float(max(0.0, heights[0].min() - heights[1].min())),
    }


def _self_penetration(run: Measured) -> float:
    plan = run.plan
    here, there = (body_capsules(plan, body_frames(plan, run.rows(each)[::2])) for each in ("positions", "source"))
    apart = {frozenset(pair) for pair in run.session.characters[run.character].apart}
    free = (run.recording.modes[:, run.layout.joints] != Mode.MOTION).any(axis=0)
    pairs = [
        (i, j)
        for i, j in combinations(range(len(here.radii)), 2)
        for a, b in [(int(here.bodies[i]), int(here.bodies[j]))]
        if a != b
        and (free[a] or free[b])
        and sum(plan.joints_between(a, b)) > 3
        and frozenset((plan.names[a], plan.names[b])) not in apart
    ]
    if not pairs:
        return np.nan
    deep = [pair_penetration(c.starts, c.ends, c.radii, np.array(pairs)).max(axis=0) for c in (here, there)]
    return 1e3 * float((deep[0] - deep[1]).max(initial=0.0))


def _first_tick(run: Measured) -> float:
    if not len(run.recording):
        return np.nan
    here, there = (body_frames(run.plan, run.rows(each)[:2]).positions for each in ("positions", "source"))
    return 1e3 * float(np.linalg.norm(here - there, axis=2).max())
