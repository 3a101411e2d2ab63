"""Driven things never meet one another: collision bits follow the modes."""

from __future__ import annotations

import mujoco as mj

from _builders import BODY, compiled, cut_of
from poise.signals import Mode


def touching(model: mj.MjModel) -> set[frozenset[str]]:
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    names = [model.body(model.geom_bodyid[geom]).name for geom in range(model.ngeom)]
    return {frozenset(names[g] for g in contact.geom) for contact in data.contact}


def test_driven_things_never_meet_one_another_and_masks_change_with_the_mode() -> None:
    boxes = "".join(
        f'<body name="{name}" pos="{x} 0 0.09"><freejoint name="{name}"/><geom type="box" size="0.1 0.1 0.1" {BODY}/></body>'
        for name, x in (("a", 0.0), ("b", 0.15), ("c", 0.3))
    )
    model = compiled(boxes)
    cut = cut_of(model)
    pair = frozenset
    everything = {pair("ab"), pair("bc"), *(pair([name, "world"]) for name in "abc")}
    assert touching(model) == everything
    cut.set(("a", "b"), Mode.MOTION)
    assert touching(model) == {pair("bc"), pair(["c", "world"])}
    cut.set("c", Mode.MOTION)
    assert touching(model) == set()
    cut.set("b", Mode.TORQUE)
    assert touching(model) == {pair("ab"), pair("bc"), pair(["b", "world"])}
    cut.set(("a", "c"), Mode.PASSIVE)
    assert touching(model) == everything


def test_a_driven_part_on_a_yielding_one_yields_too() -> None:
    chain = f"""<body name="low" pos="0 0 0.05"><joint name="low" type="ball"/><geom type="sphere" size="0.1" {BODY}/>
        <body name="high"><joint name="high" type="ball"/><geom type="sphere" size="0.06" {BODY}/></body></body>"""
    model = compiled(chain)
    cut = cut_of(model, "high")
    assert touching(model) == {frozenset(["low", "world"]), frozenset(["high", "world"])}
    cut.set("low", Mode.MOTION)
    assert touching(model) == set()


def test_a_body_with_two_joints_yields_while_one_of_them_is_free() -> None:
    joints = '<joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>'
    model = compiled(f'<body name="post" pos="0 0 0.05">{joints}<geom type="sphere" size="0.1" {BODY}/></body>')
    cut = cut_of(model, "x")
    assert touching(model) == {frozenset(["post", "world"])}
    cut.set("z", Mode.MOTION)
    assert touching(model) == set()
