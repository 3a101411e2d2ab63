"""What moves a wader's abstract body: how hard it makes good what it lost, by its mass and stature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import parameters
from poise.body.plan import BodyPlan
from poise.fluid import GRAVITY
from poise.locomotion.abstract_body import BodyServo

__all__ = ["ServoOptions", "default_servo"]


@dataclass(frozen=True, kw_only=True)
class ServoOptions:
    """How a body of any mass and stature is moved.

    Raises:
        InputError: A number is out of range.
    """

    recovery: float = parameters.number(
        0.4,
        0.01,
        10.0,
        "m",
        says="way over which a body makes a lost speed good: k is its mass times the speed intended over this",
        source="the shipped walk keeps 0.72 of its speed in water to the knee (Table 1)",
    )
    slowest: float = parameters.number(
        0.5,
        0.01,
        5.0,
        "m/s",
        says="speed intended below which the body is moved no more softly",
        source="chosen: who hardly moves would lean on the slightest stream for ever",
    )
    push: float = parameters.number(
        0.8,
        0.05,
        5.0,
        says="what legs push with along the ground at most, in body weights",
        source="the friction of a shoe",
    )
    yaw: float = parameters.number(
        1.2, 0.05, 20.0, "Hz", says="natural frequency of turns about the vertical at 1 m/s; it grows with the speed"
    )
    pitch: float = parameters.number(
        0.9,
        0.05,
        20.0,
        "Hz",
        says="natural frequency of leaning at 1 m/s; it grows with the speed, since drag grows with its square",
        source="a walker leans 4 degrees in water to the knee and 8 in goo",
    )
    damping: float = parameters.number(
        1.0, 0.0, 10.0, says="damping ratio of both", source="chosen: critical, so nobody rocks to and fro"
    )
    about: float = parameters.number(
        0.10,
        0.01,
        1.0,
        says="radius of gyration about the vertical, in statures",
        source="chosen: a body with its arms down",
    )
    across: float = parameters.number(
        0.26,
        0.01,
        1.0,
        says="radius of gyration about an axis across, through the hips, in statures",
        source="chosen: a body with its arms down",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "drive")


def default_servo(plan: BodyPlan, speed: float, options: ServoOptions | None = None) -> BodyServo:
    """A servo for a body's mass and stature.

    Args:
        plan: The character.
        speed: At which it means to go [m/s].
        options: How it is moved.
    """
    options, mass = options or ServoOptions(), plan.total_mass
    inertia = tuple(mass * (share * plan.stature) ** 2 for share in (options.about, options.across))
    pace = max(speed, options.slowest)
    pulses = 2.0 * np.pi * pace * np.array([options.yaw, options.pitch])
    return BodyServo(
        mass=mass,
        k=pace / options.recovery * mass,
        b=0.0,
        force=options.push * GRAVITY * mass,
        inertia=(inertia[0], inertia[1]),
        k_theta=(float(inertia[0] * pulses[0] ** 2), float(inertia[1] * pulses[1] ** 2)),
        b_theta=(
            float(2.0 * options.damping * inertia[0] * pulses[0]),
            float(2.0 * options.damping * inertia[1] * pulses[1]),
        ),
    )
