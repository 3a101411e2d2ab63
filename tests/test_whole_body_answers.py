"""What the rest of the body does: arms balance a dodge, who is hit hunches, eyes go along with hands."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.anticipation.evasion import Evasion
from poise.anticipation.flinching import Flinching
from poise.behaviors.anticipation import Anticipation, AnticipationOptions, Expectation
from poise.behaviors.contact_compliance.flinch import Flinch
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.runtime import Session
from poise.scenes.named import named_scene
from poise.scenes.people import stander
from poise.scenes.roots import rooted

Array = NDArray[np.float64]

HIT = 1.07
"""When the apple that is not seen hits the head [s]."""


@cache
def played(name: str, where: str = "", number: str = "", value: float = 0.0) -> Session:
    """A scene whose person yields, with one number of a group of options changed."""
    # Where there is no room to step aside one ducks.
    options = AnticipationOptions(evasion=Evasion(sidestep=0.0) if name == "duck" else Evasion())
    if where == "startling.flinching":
        flinching = replace(options.startling.flinching, **{number: value})
        options = replace(options, startling=replace(options.startling, flinching=flinching))
    elif where:
        evasion: Evasion = options.evasion
        group = replace(getattr(evasion, where), **{number: value})
        options = replace(options, evasion=replace(evasion, **{where: group}))
    scene = rooted(named_scene(name))
    session = replace(scene, behaviors={"person": [partial(Anticipation, options)]}).session()
    session.run()
    return session


flinched = partial(played, "apple_unseen", "startling.flinching")


def poses(session: Session, skeleton: str) -> tuple[BodyPlan, Array, Array]:
    """The body, and places and turns from upright of its parts, shape (N+1, B, 3) and (N+1, B, 4)."""
    layout = session.world.layout("person")
    frames = body_frames(layout.plan, getattr(session.recording(), skeleton)[:, layout.positions])
    return layout.plan, frames.positions, quat.mul(frames.rotations, quat.conj(layout.plan.neutral))


def hands(session: Session, skeleton: str = "positions") -> Array:
    """Of both hands, how far ahead of the shoulders, out to their side and above the shoulders [m], shape (N+1, 2, 3)."""
    plan, places, _ = poses(session, skeleton)
    result = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hand, shoulder = (places[:, plan.with_role(f"{side}_{part}")[0]] for part in ("hand", "upper_arm"))
        result.append((hand - shoulder) * [1.0, sign, 1.0])
    return np.stack(result, axis=1)


def nod(session: Session, role: str, skeleton: str = "kinematic") -> Array:
    """How far the farthest part with a role is bent forward [degrees], shape (N+1,)."""
    plan, _, turns = poses(session, skeleton)
    up = quat.rotate(turns[:, plan.with_role(role)[-1]], np.array([0.0, 0.0, 1.0]))
    return np.degrees(np.arctan2(up[:, 0], up[:, 2]))


def at(session: Session, time: float) -> int:
    return round(time / session.recording().tick)


def test_arms_come_ahead_in_a_duck_and_off_the_thighs_and_go_back() -> None:
    session = played("duck")
    deep = at(session, 1.5)
    way = hands(session)
    assert (way[deep, :, 0] - way[0, :, 0] > 0.1).all()
    assert np.abs(way[-1] - way[0]).max() < 0.06
    labels = session.recording().geom_names
    assert not {
        label for pair in session.recording().contacts.pairs for label in np.array(labels)[pair] if "Hand" in label
    }
    straight = hands(played("duck", "dodging", "elbows", 0.0))
    assert (way[deep, :, 2] - straight[deep, :, 2] > 0.05).all(), "elbows bend"
    hanging = hands(played("duck", "dodging", "arms_ahead", 0.0))
    assert (way[deep, :, 0] - hanging[deep, :, 0] > 0.1).all()


def test_arms_go_out_in_a_step_aside() -> None:
    wide = at(played("sidestep"), 1.6)
    way, hanging = hands(played("sidestep")), hands(played("sidestep", "dodging", "arms_out", 0.0))
    assert (way[wide, :, 1] - hanging[wide, :, 1] > 0.08).all()
    assert np.abs(way[-1] - way[0]).max() < 0.08


def test_who_is_hit_unawares_hunches_after_a_moment_and_straightens_again() -> None:
    session = played("apple_unseen")
    head, hit = nod(session, "head"), at(session, HIT)
    tick = session.recording().tick
    calm = at(session, HIT + 0.06)
    assert np.abs(head[:calm] - head[0]).max() < 1.0
    assert 24.0 < (head[hit:] - head[0]).max() < 31.0, "neck, head and trunk"
    trunk = nod(session, "spine") - nod(flinched("trunk", 0.0), "spine")
    assert trunk.max() == pytest.approx(7.0, abs=0.5), "all but arrived when it is let go"
    assert abs(head[-1] - head[0]) < 1.0
    real = nod(session, "head", "positions")
    assert (real[hit:] - real[0]).max() > 15.0
    way = hands(session)
    assert (way[at(session, HIT + 0.4), :, 2] - way[0, :, 2] > 0.08).all(), "forearms come up"
    assert np.abs(way[-1] - way[0]).max() < 0.02
    speeds = np.diff(head) / tick
    assert np.abs(speeds).max() < 250.0, "a hunch, no jolt"


@pytest.mark.parametrize(
    ("number", "value", "part", "less"),
    [
        ("wholly", 6.0, "head", 10.0),
        ("sudden", 10.0, "head", 20.0),
        ("head", 0.0, "head", 10.0),
        ("trunk", 0.0, "spine", 5.0),
        ("lasts", 0.0, "head", 10.0),
        ("quick", 0.5, "head", 5.0),
    ],
)
def test_numbers_of_a_flinch_bend_the_body(number: str, value: float, part: str, less: float) -> None:
    usual, other = (nod(session, part).max() for session in (played("apple_unseen"), flinched(number, value)))
    assert usual - other > less


def test_a_flinch_comes_later_with_more_latency_and_stays_longer_where_it_returns_slowly() -> None:
    usual, late, slow = played("apple_unseen"), flinched("latency", 0.3), flinched("returns", 0.3)
    begin = at(usual, HIT + 0.2)
    assert nod(usual, "head")[begin] - nod(late, "head")[begin] > 5.0
    after = at(usual, HIT + 1.0)
    assert nod(slow, "head")[after] - nod(usual, "head")[after] > 3.0


def test_shoulders_go_up_elbows_bend_and_arms_come_ahead_in_a_flinch() -> None:
    usual = played("apple_unseen")
    then = at(usual, HIT + 0.35)

    def shoulders(session: Session) -> Array:
        plan, places, _ = poses(session, "kinematic")
        return np.asarray(places[then, list(plan.with_role("left_upper_arm", "right_upper_arm")), 2])

    assert (shoulders(usual) - shoulders(flinched("shoulders", 0.0)) > 0.02).all()
    way = hands(usual, "kinematic")[then]
    assert (way[:, 2] - hands(flinched("elbows", 0.0), "kinematic")[then, :, 2] > 0.05).all()
    assert (way[:, 0] - hands(flinched("ahead", 0.0), "kinematic")[then, :, 0] > 0.05).all()


@pytest.mark.parametrize(
    ("name", "group", "time", "least"),
    [("apple_unseen", "startling.flinching", HIT + 0.35, 0.1), ("duck", "dodging", 1.5, 0.3)],
)
def test_palms_of_arms_that_come_ahead_turn_down(name: str, group: str, time: float, least: float) -> None:
    def down(session: Session) -> Array:
        plan, _, turns = poses(session, "kinematic")
        both = [plan.with_role(f"{side}_hand")[0] for side in ("left", "right")]
        return np.asarray(-quat.rotate(turns[at(session, time), both], np.array([[0, -1.0, 0], [0, 1.0, 0]]))[:, 2])

    assert (down(played(name)) - down(played(name, group, "palms", 0.0)) > least).all()


@cache
def hit_fast(seen: bool, wholly: float) -> Session:
    """Hit by an apple that is too fast, by somebody who looks at nothing."""
    usual = AnticipationOptions()
    startling = replace(usual.startling, flinching=replace(usual.startling.flinching, wholly=wholly))
    options = AnticipationOptions(
        evasion=Evasion(look=0.0), startling=startling, expectations={"apple": Expectation(seen=seen)}
    )
    session = replace(
        rooted(named_scene("apple_fast")), behaviors={"person": [partial(Anticipation, options)]}
    ).session()
    session.run()
    return session


def test_who_saw_it_come_flinches_half_as_much_and_a_hand_on_its_way_goes_on() -> None:
    bends = [(nod(hit_fast(seen, 6.0), "head") - nod(hit_fast(seen, 1e3), "head")).max() for seen in (True, False)]
    assert bends[1] > 8.0
    assert 0.35 * bends[1] < bends[0] < 0.48 * bends[1], "half, and less of the trunk, since a hand is on its way"
    early = at(hit_fast(True, 1.5), 1.0)
    ways = [hands(hit_fast(True, wholly), "kinematic")[early, 1] for wholly in (1.5, 1e3)]
    assert np.abs(ways[0] - ways[1]).max() < 0.05


def test_eyes_go_along_with_a_hand_however_light_what_it_goes_out_to_is() -> None:
    def first(session: Session, kind: str) -> float:
        return next(event.time for event in session.recording().events if event.kind == kind)

    looks, blind = played("apple"), played("apple", "looking", "handled", False)
    assert abs(first(looks, "look") - first(looks, "reach")) < 0.05
    assert first(blind, "look") - first(blind, "reach") > 0.2


@pytest.mark.parametrize(("free", "bends"), [((1.0, 1.0), True), ((0.0, 1.0), False), ((1.0, 0.0), False)])
def test_who_has_a_hand_at_work_flinches_with_an_upright_trunk(free: tuple[float, float], bends: bool) -> None:
    who = stander(1.0)
    flinch, row = Flinch(who.plan, Flinching(), 1.0 / 60.0), generalized_from_clip(who.plan, who.clip)[:1]
    rows = row.copy()
    flinch._hunch(rows, 0.0, 1.0, free)
    moved = {
        part: np.abs((rows - row)[0, turn_slice(who.plan.with_role(part)[-1])]).max() for part in ("spine", "neck")
    }
    assert bool(moved["spine"] > 1e-3) is bends
    assert moved["neck"] > 1e-3
