"""Every measure of a motion at once, and of two motions side by side, as plain numbers for JSON.

A report is a nested dict. Its leaves are floats whose keys end in the unit (`_m_s3`, `_mm`, `_percent`; without one:
a ratio or a count), or None where a number would mean nothing; `reasons` then says why, by dotted path.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.metrics import balance, contacts, energy, feet, limits, penetration, smoothness, tracking
from poise.metrics.bodies import Bodies
from poise.metrics.motion import Motion

__all__ = ["Report", "compare", "measure"]

Report = dict[str, Any]

FRAMES_NEEDED = {
    "feet.skating_ratio": 2,
    "feet.weighted_skate_m": 2,
    "feet.weighted_skate_m_s": 2,
    "feet.penetrating_skate_mm": 2,
    "feet.stance_speed_m_s": 2,
    "smoothness": 4,
    "effort": 2,
    "tracking.velocity_error_m_s": 2,
    "tracking.acceleration_error_m_s2": 3,
}
"""Fewest frames for a leaf or a group; one where it is not listed."""


def measure(motion: Motion) -> Report:
    """Everything that can be said about one motion.

    Groups: `feet` and `smoothness` always; `energy` and `balance` with bodies, `limits` with joint angles,
    `penetration` with overlaps, `contacts` with a contact log, `effort` with torques. Never raises for what a valid
    `Motion` holds: a leaf without meaning is None and has its entry in `reasons`.
    """
    floor = np.asarray(motion.floor)
    with np.errstate(all="ignore"):
        groups: Report = {
            "feet": _sound(_feet(motion), motion.feet, floor),
            "smoothness": _sound(_smoothness(motion), motion.positions),
        }
        if motion.bodies is not None:
            bodies = list(vars(motion.bodies).values())
            groups["energy"] = _sound(_energy(motion.bodies), *bodies)
            groups["balance"] = _sound(_balance(motion, motion.bodies), motion.feet, floor, *bodies)
        if motion.angles is not None:
            groups["limits"] = _sound(_limits(motion.angles), motion.angles.angles)
        if motion.penetration is not None:
            overlaps = asdict(penetration.penetration_summary(motion.penetration))
            groups["penetration"] = _sound(overlaps, motion.penetration)
        if motion.contacts is not None:
            log = motion.contacts
            groups["contacts"] = _sound(_contacts(log), log.impulses, log.peaks, log.times)
        if motion.torques is not None and motion.velocities is not None:
            effort = _effort(motion, motion.torques, motion.velocities)
            groups["effort"] = _sound(effort, motion.torques, motion.velocities, motion.positions)
    return _report(groups, {}, len(motion))


def compare(before: Motion, after: Motion) -> Report:
    """Two motions side by side: each leaf of `measure` as `before`, `after` and `difference` (after - before).

    `tracking` adds how closely `after` follows `before`: position, angle, velocity and acceleration errors, and
    `position_success` as 1 or 0; it needs the same frames, joints and rate. What one motion lacks is None on its side.
    """
    sides = {"before": measure(before), "after": measure(after)}
    reasons = {f"{path}.{side}": why for side, report in sides.items() for path, why in report.pop("reasons").items()}
    groups = _beside(sides["before"], sides["after"], "", reasons)
    with np.errstate(all="ignore"):
        groups["tracking"] = _tracking(before, after)
    return _report(groups, reasons, len(before))


def _feet(motion: Motion) -> Report:
    points, rate, floor = motion.feet, motion.rate, motion.floor
    grounded = np.ones(len(motion), np.bool_) if motion.contact is None else motion.contact.any(axis=1)
    if motion.aloft is not None:
        grounded &= ~motion.aloft
    low = feet.foot_contacts(points, floor) if motion.contact is None else motion.contact
    slid = feet.weighted_skate(points, floor)
    skate = {
        "skating_ratio": feet.skating_ratio(points, rate, floor),
        "weighted_skate_m": slid,
        "weighted_skate_m_s": slid * rate / max(len(motion) - 1, 1),
        "penetrating_skate_mm": feet.penetrating_skate(points, rate, floor),
        "stance_speed_m_s": feet.stance_speed(points, rate, floor, contact=motion.contact),
    }
    # Feet that are never on the ground cannot skate: that they do so in no frame is no praise.
    return {
        **(skate if (low[:-1] & low[1:]).any() else dict.fromkeys(skate, math.nan)),
        **_named("penetration", feet.ground_penetration(points, floor)),
        **_named("floating", feet.floating(points, floor, grounded=grounded)),
    }


def _smoothness(motion: Motion) -> Report:
    root = motion.positions[:, [motion.root]]
    return {
        **_named("root_jerk", smoothness.jerk_summary(root, motion.rate)),
        **_named("joint_jerk", smoothness.jerk_summary(motion.positions, motion.rate)),
    }


def _energy(bodies: Bodies) -> Report:
    kinetic, total = energy.kinetic_energy(bodies), energy.total_energy(bodies)
    return {
        "kinetic_mean_j": kinetic.mean(),
        "kinetic_max_j": kinetic.max(),
        "total_change_j": total[-1] - total[0],
        "total_range_j": total.max() - total.min(),
        "momentum_max_kg_m_s": _longest(energy.linear_momentum(bodies)),
        "angular_momentum_max_kg_m2_s": _longest(energy.angular_momentum(bodies)),
    }


def _balance(motion: Motion, bodies: Bodies) -> Report:
    com = balance.centre_of_mass(bodies.positions, bodies.masses)
    velocity = balance.centre_of_mass(bodies.velocities, bodies.masses)
    beyond = balance.extrapolated_centre_of_mass(com, velocity, motion.floor_height)
    touching = feet.foot_contacts(motion.feet, motion.floor) if motion.contact is None else motion.contact
    at_rest = asdict(balance.margin_summary(balance.support_margin(com[:, :2], motion.feet, touching)))
    supported = at_rest.pop("supported_percent")
    moving = asdict(balance.margin_summary(balance.support_margin(beyond, motion.feet, touching)))
    del moving["supported_percent"]
    return {
        "supported_percent": supported,
        **{f"com_margin_{name}": value for name, value in at_rest.items()},
        **{f"extrapolated_com_margin_{name}": value for name, value in moving.items()},
    }


def _limits(angles: limits.JointAngles) -> Report:
    return asdict(limits.limit_violation(angles.angles, angles.lower, angles.upper))


def _contacts(log: contacts.ContactLog) -> Report:
    total, by_pair = contacts.contact_summary(log)
    return asdict(total) | {"pairs": {name: asdict(pair) for name, pair in by_pair.items()}}


def _effort(motion: Motion, torques: ArrayLike, velocities: ArrayLike) -> Report:
    work = energy.mechanical_work(torques, velocities, motion.rate)
    report = {"work_j": work, "torque_squared_n2_m2_s": energy.torque_squared(torques, motion.rate)}
    if motion.bodies is not None:
        way = np.linalg.norm(np.diff(motion.positions[:, motion.root, :2], axis=0), axis=-1).sum()
        report["cost_of_transport"] = energy.cost_of_transport(work, motion.bodies.masses.sum(), float(way))
    return report


def _tracking(before: Motion, after: Motion) -> Report:
    sizes = [motion.positions.shape[:2] for motion in (before, after)]
    shapes = [
        f"{frames} frames of {joints} joints at {motion.rate:g} Hz"
        for (frames, joints), motion in zip(sizes, (before, after), strict=True)
    ]
    a, b = before.positions, after.positions
    if shapes[0] != shapes[1]:
        why = f"the motions differ in frames, joints or rate: {shapes[0]} and {shapes[1]}"
        return dict.fromkeys(_tracking(before, before), why)
    position = tracking.joint_position_error(a, b, root=before.root)
    group = {
        **_named("position", position),
        **_named("angle", tracking.joint_angle_error(before.rotations, after.rotations)),
        "velocity_error_m_s": smoothness.velocity_error(a, b, before.rate),
        "acceleration_error_m_s2": smoothness.acceleration_error(a, b, before.rate),
    }
    # A run that blew up did not succeed, whatever else it did.
    return _sound(group, a, b, before.rotations, after.rotations) | {"position_success": position.success}


def _named(prefix: str, result: Any) -> Report:
    return {f"{prefix}_{name}": value for name, value in asdict(result).items()}


def _longest(vectors: ArrayLike) -> float:
    return float(np.max(np.linalg.norm(vectors, axis=-1)))


def _sound(group: Report, *inputs: ArrayLike) -> Report:
    """`group`, or its leaves replaced by the reason where a number that came in is not finite."""
    if all(np.isfinite(each).all() for each in inputs):
        return group
    why = "the motion holds numbers that are not finite"
    return {name: _sound(leaf, np.nan) if isinstance(leaf, dict) else why for name, leaf in group.items()}


def _beside(before: Report, after: Report, path: str, reasons: dict[str, str]) -> Report:
    """The two reports merged leaf by leaf; notes in `reasons` what only one of them has."""
    merged: Report = {}
    for name in dict.fromkeys([*before, *after]):
        here = f"{path}{name}"
        a, b = before.get(name), after.get(name)
        if isinstance(a, dict) or isinstance(b, dict):
            merged[name] = _beside(a or {}, b or {}, f"{here}.", reasons)
            continue
        for side, report in (("before", before), ("after", after)):
            if name not in report:
                reasons[f"{here}.{side}"] = "not in this motion"
        difference = None if a is None or b is None else b - a
        merged[name] = {"before": a, "after": b, "difference": difference}
        if difference is None:
            reasons[f"{here}.difference"] = "needs both sides"
    return merged


def _leaves(groups: Report, path: str = "") -> Iterator[tuple[Report, str, str]]:
    for name, value in groups.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}{name}.")
        else:
            yield groups, name, f"{path}{name}"


def _report(groups: Report, reasons: dict[str, str], frames: int) -> Report:
    """`groups` with every leaf a finite float or None, and `reasons` for each None. A leaf may come as its reason."""
    for group, name, path in list(_leaves(groups)):
        value = group[name]
        known = value is not None and not isinstance(value, str) and math.isfinite(value)
        group[name] = float(value) if known else None
        if not known and path not in reasons:
            reasons[path] = value if isinstance(value, str) else _reason(path, value, frames)
    return groups | {"reasons": reasons}


def _reason(path: str, value: float, frames: int) -> str:
    needed = FRAMES_NEEDED.get(path, FRAMES_NEEDED.get(path.split(".")[0], 1))
    if frames < needed:
        return f"needs at least {needed} frames; got {frames}"
    return "too large a number" if math.isinf(value) else "nothing to measure: no such point, contact, pair or way"
