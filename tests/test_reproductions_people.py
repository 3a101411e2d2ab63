"""Who the reproductions are tried on: clips of other producers in turn, and scenes that fit their bodies."""

import re
from pathlib import Path

import numpy as np
import pytest

from poise.body.build import build_body
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames
from poise.io import read_clip
from poise.motion import guess_roles
from poise.reproductions import PAPERS, Check
from poise.reproductions.alvarado2022 import anchors
from poise.reproductions.bermudez2018.clips import RUNS, WALKS
from poise.reproductions.check import Trial
from poise.reproductions.motion.clips import HELD_OUT, Source, spread
from poise.scenes import SCENES
from poise.scenes.bounded import at_ease, drag, drag_radius, hits
from poise.scenes.bounded.person import body, leg_length
from poise.scenes.playground import swing

ENOUGH = 16
EVIDENCE = Path(__file__).resolve().parents[1] / "docs" / "evidence.md"


def test_every_producer_comes_before_any_comes_twice() -> None:
    found = spread(HELD_OUT, 16)
    assert len(set(found)) == 16
    assert len({source.producer for source in found[:12]}) == len({source.producer for source in HELD_OUT}) == 12
    assert [source.file for source in found[12:14]] == [HELD_OUT[1].file, HELD_OUT[7].file]
    few = (Source("a/1", "walk"), Source("a/2", "walk"), Source("b/1", "walk"))
    assert [source.file for source in spread(few, 9)] == ["a/1", "b/1", "a/2"]


def test_waders_are_enough_and_of_enough_producers() -> None:
    assert len({*WALKS, *RUNS}) == len(WALKS) + len(RUNS)
    assert len(WALKS) >= ENOUGH
    assert len({file.split("/")[0] for file in WALKS}) >= 6


def test_evidence_tells_how_many_claims_stand_on_enough() -> None:
    claims = [each for checks in PAPERS.values() for each in checks if isinstance(each, Check) and each.kind == "claim"]
    told = re.search(r"All\s+(\d+)\s+claims\s+stand\s+on\s+sixteen", EVIDENCE.read_text(encoding="utf-8"))
    assert told is not None
    assert int(told[1]) == len(claims) == sum(each.cases >= ENOUGH for each in claims)


def test_what_a_person_would_object_to_is_told_of_every_scene() -> None:
    told = re.findall(r"^\| `(\w+)`", EVIDENCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(SCENES) <= set(told)


@pytest.mark.shared
def test_people_hang_by_anchors_that_they_have(shared_data: Path) -> None:
    cases = anchors._cases(Trial())
    assert len(cases) == anchors._SETS * len(HELD_OUT) > ENOUGH
    assert all(anchors._person(source).plan.with_role(role) for source, roles in cases for role in roles)
    assert {source for source, _ in cases} == set(HELD_OUT)
    assert anchors._cases(Trial(quick=True)) == [(None, roles) for roles in anchors.ANCHORS]


@pytest.mark.shared
def test_a_ball_is_as_large_to_other_legs_and_is_dragged_as_far(shared_data: Path) -> None:
    clip = read_clip(shared_data / "mjolnir-zig" / "CesiumMan.glb")
    plan = build_body(clip, guess_roles(clip.skeleton))
    share = leg_length(plan) / leg_length(body())
    assert share < 0.8
    assert drag_radius(plan) == pytest.approx(share * drag_radius(body()))
    (other,), (usual,) = (drag("shank", plan=each).setting.props for each in (plan, body()))
    knees = [body_frames(each, at_ease(each)).positions[0, each.with_role("left_shank")[0]] for each in (plan, body())]
    np.testing.assert_allclose(other.position - knees[0], share * (usual.position - knees[1]), atol=1e-9)
    (struck,) = hits("hand", plan=plan).characters.values()
    assert struck.plan.names == plan.names


@pytest.mark.shared
def test_a_swing_hangs_as_high_as_its_riders_shanks_need(shared_data: Path) -> None:
    usual = swing(seconds=1.0)
    higher = swing(seconds=1.0, rider=read_clip(shared_data / "animated-drawings" / "jumping_jacks.bvh"))
    (low,), (high,) = usual.setting.props, higher.setting.props
    assert high.position[2] > low.position[2] + 0.02
    for scene in (usual, higher):
        (pump,) = (make() for make in scene.behaviors["rider"])
        plan = scene.characters["rider"].plan
        assert sole_points(plan, body_frames(plan, pump.poses))[..., 2].min() > 0.07  # type: ignore[attr-defined]
