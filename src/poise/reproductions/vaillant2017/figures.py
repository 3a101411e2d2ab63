"""The paper's Figs. 4, 5, 6 and 8 with what the product does: keeping apart, contacts, one program or several, authoring."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import Collider
from poise.groups import Group, Person
from poise.math import quat
from poise.qp import Contact, Pair, Phase, lasting
from poise.reproductions.pictures import figure, save_figure
from poise.reproductions.vaillant2017.pushing import FORCE, TARGET, push
from poise.scenes.together import GROUPS
from poise.world.things import Link, Shape, Thing

__all__ = ["PICTURES"]

Array = NDArray[np.float64]

_PLACE, _RADIUS, _INFLUENCE, _SECURITY = (0.42, -0.2, 1.12), 0.06, 0.1, 0.02
"""Of what an arm reaches past, and of the zones round it [m]."""
_BEGIN, _TO = (0.4, -0.22, 0.84), (0.4, -0.2, 1.4)
"""Where the hand begins and ends [m]."""
_FORCE = 0.05
"""How long the edges of a pyramid are drawn [m]."""


def _reach(apart: bool) -> tuple[Array, Array]:
    """Where a hand goes past an obstacle [m] (n, 3), and how far it is from it (n,)."""
    post = Shape(kind="sphere", size=(_RADIUS, 0.0, 0.0), mass=1.0)
    obstacle = Thing(name="post", links=(Link(name="ball", joint="fixed", position=_PLACE, shapes=(post,)),))
    pairs = [Pair(first="anna/right_hand/0", second="post/ball/0", influence=_INFLUENCE, security=_SECURITY)]
    group = Group({"anna": Person()}, [obstacle], pairs=pairs if apart else (), idle=False)
    group.arrange({"hand": group.hand("anna", "right", _BEGIN)})
    group.stand("anna")
    group.perform(
        [Phase(name="reach", tasks={"hand": group.hand("anna", "right", _TO, speed=0.3)}, until=lasting(3.0))]
    )
    way, far = [], []
    shapes = [group.system.shape(name) for name in ("anna/right_hand/0", "post/ball/0")]
    for _ in range(600):
        group.advance()
        way.append(group.system.positions[group.system.body("anna/right_hand")].copy())
        far.append(group.system.nearest(shapes[0], shapes[1], 1.0).distance)
    return np.array(way), np.array(far)


def keeping_apart(folder: Path) -> Path:
    """A hand that reaches past an obstacle, with the pair that keeps them apart and without (Fig. 4)."""
    sheet, axes = figure("Keeping apart: a hand reaches past an obstacle", 1, 3, size=(13.0, 4.4))
    side, front, distance = axes.ravel()
    turn = np.linspace(0.0, 2.0 * np.pi, 100)
    for place, first, second in ((side, 0, 2), (front, 1, 2)):
        for more, color, label in ((_INFLUENCE, "tab:cyan", "influence"), (_SECURITY, "tab:purple", "security")):
            radius = _RADIUS + more
            ring = (_PLACE[first] + radius * np.cos(turn), _PLACE[second] + radius * np.sin(turn))
            place.plot(*ring, color=color, linestyle="--", linewidth=1.0, label=label)
        place.fill(
            _PLACE[first] + _RADIUS * np.cos(turn), _PLACE[second] + _RADIUS * np.sin(turn), color="tab:red", alpha=0.6
        )
    for apart, label in ((False, "without the pair"), (True, "with it")):
        way, far = _reach(apart)
        side.plot(way[:, 0], way[:, 2], label=f"the wrist, {label}")
        front.plot(way[:, 1], way[:, 2])
        distance.plot(0.005 * np.arange(len(far)), 100.0 * far, label=label)
    distance.axhline(100.0 * _INFLUENCE, color="tab:cyan", linestyle="--", linewidth=1.0)
    distance.axhline(100.0 * _SECURITY, color="tab:purple", linestyle="--", linewidth=1.0)
    side.set(title="from the side", xlabel="ahead [m]", ylabel="up [m]", aspect="equal")
    front.set(title="from behind", xlabel="to the left [m]", aspect="equal")
    front.invert_xaxis()
    distance.set(title="distance of the hand from it", xlabel="time [s]", ylabel="cm")
    side.legend(fontsize=6, loc="lower left", bbox_to_anchor=(0.0, 0.02))
    distance.legend(fontsize=7)
    return save_figure(sheet, folder, "vaillant2017_fig4")


def contacts(folder: Path) -> Path:
    """Points and friction pyramids of a sole, a grasp, a seat and a flat hand (Fig. 5)."""
    king, box = GROUPS["king"](), GROUPS["box"]()
    bearer = next(iter(king.people))
    shown = (
        ("sole: 4 points", king, king.sole(bearer, "left")),
        ("grasp: 4 points round a bar", king, king.grip(bearer, "right", "world")),
        ("seat: 4 points", king, king.controller.touches["queen/pelvis"].contact),
        ("flat hand: 4 points", box, box.controller.touches["anna/left_hand"].contact),
    )
    sheet, axes = figure("Contacts and their friction pyramids", 1, 4, size=(15.0, 4.4))
    for number, (title, group, contact) in enumerate(shown):
        axes[0, number].remove()
        place = sheet.add_subplot(1, 4, number + 1, projection="3d")
        name, body = contact.second.split("/")
        plan = group.bases[name].plan
        for collider in plan.colliders[plan.index(body)]:
            _outline(place, collider)
        _pyramids(place, contact)
        place.set(title=title, aspect="equal")
        place.set_axis_off()
        below = "sole" in title or "seat" in title
        place.view_init(elev=-18.0 if below else 22.0, azim=-60.0 if below else -25.0)
    return save_figure(sheet, folder, "vaillant2017_fig5")


def _pyramids(place: Any, contact: Contact) -> None:
    """Edges of forces that the first can push the second with, from each point."""
    arms, forces = contact.pyramids()
    starts = contact.middle + arms
    for start, force in zip(starts, forces, strict=True):
        place.plot(*np.stack([start - _FORCE * force, start], axis=1), color="tab:green", linewidth=0.9)
    for point in range(len(contact.points)):
        ends = (starts - _FORCE * forces)[point * contact.edges : (point + 1) * contact.edges]
        place.plot(*np.concatenate([ends, ends[:1]]).T, color="tab:green", linewidth=0.9)
    place.scatter(*np.atleast_2d(contact.points).T, color="tab:red", s=14, depthshade=False)


def _outline(place: Any, collider: Collider) -> None:
    """A body's shape in lines."""
    turn = np.linspace(0.0, 2.0 * np.pi, 25)
    a, b, c = collider.size
    if collider.kind == "box":
        rings = [
            np.array([[a, b, z], [-a, b, z], [-a, -b, z], [a, -b, z], [a, b, z]], dtype=float) for z in (-c, 0.0, c)
        ]
    else:
        heights = np.linspace(-np.pi / 2.0, np.pi / 2.0, 7)
        half = b if collider.kind == "capsule" else 0.0
        rings = [
            np.stack(
                [
                    a * np.cos(h) * np.cos(turn),
                    a * np.cos(h) * np.sin(turn),
                    a * np.sin(h) + half * np.sign(h) + 0 * turn,
                ],
                axis=1,
            )
            for h in heights
        ]
    every = np.stack(rings)
    ribs = every[:, :: 1 if collider.kind == "box" else 6].swapaxes(0, 1)
    for line in (*rings, *ribs):
        points = collider.position + quat.rotate(collider.rotation, line)
        place.plot(*points.T, color="tab:blue", alpha=0.5, linewidth=0.7)


def one_or_several(folder: Path) -> Path:
    """A body that pushes another to its place: one program, and three ways of two (Fig. 6)."""
    sheet, axes = figure(
        "One pushes what cannot move by itself: one program, and three ways of two", 2, 4, size=(15.0, 6.0)
    )
    ways = (
        ("one", "one program"),
        ("unaware", "1: the second's mass not known"),
        ("led", "2: the second leads, a gap opens"),
        ("tied", "3: tied to it, over the limit"),
    )
    for number, (way, title) in enumerate(ways):
        course = push(way).course
        above, below = axes[:, number]
        above.plot(course[:, 0], course[:, 2], label="pushed")
        above.plot(course[:, 0], course[:, 1], "--", label="pushes")
        above.axhline(TARGET, color="grey", linewidth=0.8)
        above.set(title=title, ylabel="place [m]" if number == 0 else "")
        below.plot(course[:, 0], course[:, 3], color="tab:green")
        for limit in (-FORCE, FORCE):
            below.axhline(limit, color="tab:red", linestyle="--", linewidth=0.8)
        below.set(xlabel="time [s]", ylabel="actuator [N]" if number == 0 else "")
    axes[0, 0].legend(fontsize=8)
    return save_figure(sheet, folder, "vaillant2017_fig6")


_AUTHOR = (
    ("who and what", "Person, Follower, Thing"),
    ("how they stand", "Group.stand, Group.arrange"),
    ("what happens", "Phase: tasks, touch, release, until"),
    ("refused or ready", "check_ready"),
)
_STEP = (
    ("go on", "Machine: conditions, inputs"),
    ("form", "motion, contacts, limits, tasks"),
    ("solve", "q̈ and forces; what gave way"),
    ("integrate", "q̇, q; what hits comes back"),
)


def authoring(folder: Path) -> Path:
    """From what a user says to an animation, and back (Fig. 8)."""
    sheet, axes = figure("From what a user says to an animation", 1, 1, size=(12.0, 4.6))
    place = axes[0, 0]
    place.set(xlim=(0.0, 4.0), ylim=(-0.55, 2.2))
    place.axis("off")
    box = partial(place.text, ha="center", va="center", fontsize=10)
    for row, parts, color in ((1.7, _AUTHOR, "lightsteelblue"), (0.7, _STEP, "honeydew")):
        for column, (title, what) in enumerate(parts):
            style = {"boxstyle": "round,pad=0.5", "facecolor": color, "edgecolor": "grey"}
            box(column + 0.5, row, f"{title}\n{what}", bbox=style, fontsize=8.5)
    arrow = {"arrowstyle": "->", "color": "black"}
    for row in (1.7, 0.7):
        for column in range(3):
            place.annotate("", (column + 1.07, row), (column + 0.93, row), arrowprops=arrow)
    place.annotate("", (0.5, 0.98), (3.5, 1.42), arrowprops=arrow)
    place.annotate("", (0.5, 0.42), (3.5, 0.42), arrowprops={**arrow, "connectionstyle": "arc3,rad=-0.12"})
    box(2.0, 0.22, "every step of 5 to 33 ms", fontsize=8.5, style="italic")
    box(
        2.0,
        -0.4,
        "look: strip, film, page; change tasks, weights and phases, while it runs (Group.send) or in the file",
        fontsize=9,
    )
    place.annotate("", (0.06, 1.5), (0.06, -0.4), arrowprops=arrow)
    place.plot([0.06, 0.9], [-0.4, -0.4], color="black", linewidth=1.0)
    return save_figure(sheet, folder, "vaillant2017_fig8")


PICTURES = (keeping_apart, contacts, one_or_several, authoring)
