"""The report page: complete in itself, safe with any name, the same bytes for the same session, and small."""

import base64
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import mujoco as mj
import numpy as np
import pytest

import poise
from _builders import human_clip
from poise.assets import clip_path
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.report.contact_summary import BodyContact, find_contacts
from poise.report.outputs import run_facts, run_timings
from poise.report.page import write_report
from poise.report.page.encode import encode
from poise.report.page.moments import moments_of
from poise.report.page.pack import Packer
from poise.report.page.replay import replay_of
from poise.report.page.svg import Line, chart, nice_ticks
from poise.report.page.table import quality_table
from poise.report.quality import session_quality
from poise.report.run_summary import summarize_run
from poise.report.sentences import event_sentence
from poise.report.words import FIRST, digits, explain_metric, rounded, spoken_role
from poise.runtime import Character, CharacterOptions, Session
from poise.scenes import clip_scene, named_scene
from poise.world import Ball, Box, Gate, Hanging, Plant, SceneSpec, Wall
from poise.world.heightfield_mesh import reliefs_of
from poise.world.kinematics import world_frames

ROW = r'<tr class="(\w*)"><th>(?:<details class="why"><summary>)?([^<]*)<.*?</th><td[^>]*>([^<]*)'
"""Verdict, label and first number of a row of quality."""
HOSTILE = '"><script>alert(1)</script><img src="http://evil.example/x">&'
KINDS = {"f4": "<f4", "i1": "i1", "u1": "u1", "i2": "<i2", "u2": "<u2", "u4": "<u4"}


def played(clip: Clip, name: str = "walker", ticks: int = 60) -> Session:
    """A ball that hits the left arm, among props of every kind of joint."""
    character = Character.from_clip(clip)
    bare = Session({name: character})
    forearm = bare.world.layout(name).bodies[character.plan.with_role("left_forearm")[0]]
    aim = np.array(bare.world.data.xpos[forearm])
    props = [
        Ball(name="ball", position=(aim[0], aim[1] + 0.5, aim[2]), velocity=(0.0, -5.0, 0.0), radius=0.1, time=0.1),
        Box(name="box", position=(2.0, 1.0, 0.3), size=(0.2, 0.2, 0.2), mass=3.0),
        Gate(name="gate", position=(3.0, 1.0, 0.0)),
        Hanging(name="fruit", position=(2.0, -1.0, 2.5), rope=1.0, size=(0.1, 0.0, 0.0), mass=0.3),
        Plant(name="reed", position=(2.0, 2.0, 0.0), length=1.0, links=3, mass=0.3, stiffness=15.0, damping=2.0),
        Wall(name="wall", position=(-2.0, 0.0, 0.5), size=(0.1, 1.0, 0.5), yaw=0.4),
    ]
    session = Session({name: character}, SceneSpec(props=props, floor=character.floor))
    session.run(ticks)
    return session


@pytest.fixture(scope="module")
def session() -> Session:
    return played(human_clip())


def metrics_of(session: Session) -> dict[str, Any]:
    return {"run": {**run_facts(session), **run_timings(session, 0.5)}, "characters": session_quality(session)}


def written(tmp_path: Path, session: Session, *args: Any, **options: Any) -> str:
    path = tmp_path / "report.html"
    write_report(path, session, *args, **options)
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"], "nothing is left beside it"
    return path.read_text(encoding="utf-8")


class Elements(HTMLParser):
    """Start tags of a page, as (name, attributes)."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    handle_startendtag = handle_starttag


def unpacked(page: str) -> tuple[dict[str, Any], bytes]:
    listing = re.search(r'id="listing">(.*?)</script>', page, re.DOTALL)
    block = re.search(r'id="block">(.*?)</script>', page, re.DOTALL)
    assert listing is not None
    assert block is not None
    return json.loads(listing[1]), zlib.decompress(base64.b64decode(block[1]))


def array_of(entry: dict[str, Any], content: bytes) -> np.ndarray:
    return np.frombuffer(content, KINDS[entry["kind"]], entry["count"], entry["at"])


def track_of(track: dict[str, Any], content: bytes, frames: int) -> np.ndarray:
    """As the page's script unwinds it: sums of steps, modulo 2¹⁶."""
    steps = array_of(track["steps"], content).reshape(-1, frames)
    levels = np.cumsum(steps, axis=1, dtype=np.int16)
    return (array_of(track["middle"], content)[:, None] + array_of(track["step"], content)[:, None] * levels).T


def test_page_loads_nothing(tmp_path: Path, session: Session) -> None:
    page = written(tmp_path, session, metrics_of(session), b"\x89PNG", title="walk")
    assert not re.search(r"https?:|@import|url\(", page, re.IGNORECASE)
    tags = Elements(page).tags
    sources = [value or "" for _, attributes in tags for key, value in attributes.items() if key in ("src", "href")]
    assert all(value.startswith(("data:image/png;base64,", "#")) for value in sources)
    policy = next(attributes["content"] for tag, attributes in tags if tag == "meta" and "http-equiv" in attributes)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    for part in ("canvas", "quality", "charts", "sheet", "facts", "scrub", "ghost"):
        assert any(attributes.get("id") == part for _, attributes in tags), part


def test_same_session_same_bytes(tmp_path: Path, session: Session) -> None:
    metrics = metrics_of(session)
    for name in ("a", "b"):
        write_report(tmp_path / name, session, metrics)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    clip = human_clip()
    names = tuple(f"{name}{HOSTILE}" if name in ("LeftArm", "LeftHand") else name for name in clip.skeleton.names)
    assert names != clip.skeleton.names
    clip = replace(clip, skeleton=replace(clip.skeleton, names=names), name=HOSTILE)
    session = played(clip, name=HOSTILE.replace("/", "-"), ticks=40)
    page = written(tmp_path, session, metrics_of(session), title=HOSTILE, notes=[HOSTILE])
    tags = Elements(page).tags
    assert [tag for tag, _ in tags].count("script") == 3, "the listing, the block and the page's own"
    assert not any(tag == "img" for tag, _ in tags)
    assert "<script>alert" not in page
    assert unpacked(page)[0]["figures"][0]["name"] == HOSTILE.replace("/", "-"), "the listing still says the name"


def test_metrics_may_be_missing(tmp_path: Path, session: Session) -> None:
    assert "Nothing was measured." in written(tmp_path, session)
    leaf = {"feet": {"skating_ratio": {"before": None, "after": None, "difference": None}}}
    reasons = {"reasons": {"feet.skating_ratio.before": 'no "feet"'}}
    page = written(tmp_path, session, {"characters": {"walker": leaf | reasons}})
    assert 'title="no &quot;feet&quot;">–</td>' in page


def test_needs_a_run_and_a_place(tmp_path: Path, session: Session) -> None:
    with pytest.raises(InputError, match="has run"):
        write_report(tmp_path / "report.html", Session({"walker": Character.from_clip(human_clip())}))
    with pytest.raises(InputError, match="folder"):
        write_report(tmp_path, session)
    with pytest.raises(InputError, match="no such file"):
        write_report(tmp_path / "report.html", session, None, tmp_path / "none.png")
    assert list(tmp_path.iterdir()) == []


def test_twenty_seconds_are_small(tmp_path: Path) -> None:
    session = clip_scene(loop(read_clip(clip_path("walk")), 16)).session()
    session.run()
    assert len(session.setting.props) >= 14
    assert session.recording().times[-1] > 20.0
    assert len(written(tmp_path, session, metrics_of(session))) < 1_000_000, "leaves 4 MB for a contact sheet"


def test_kinematics_are_mujocos(session: Session, rng: np.random.Generator) -> None:
    model = session.world.model
    rows = session.recording().positions[::20] + rng.normal(0.0, 0.1, (4, model.nq))
    places, turns = world_frames(model, rows)
    data = mj.MjData(model)
    for row, place, turn in zip(rows, places, turns, strict=True):
        data.qpos[:] = row
        mj.mj_kinematics(model, data)
        np.testing.assert_allclose(place, data.xpos, atol=1e-12)
        np.testing.assert_allclose(quat.angle_between(turn, data.xquat), 0.0, atol=1e-7)


def test_height_fields_are_drawn_where_they_lie() -> None:
    model = mj.MjModel.from_xml_string(
        """<mujoco><asset><hfield name="hill" nrow="3" ncol="4" size="3 2 1 0.1" elevation="0 0 0 0  0 0 0 1  0 0 0 0"/>
        </asset><worldbody><geom type="hfield" hfield="hill" pos="10 0 0.5"/></worldbody></mujoco>"""
    )
    (piece,) = reliefs_of(model)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    geom = np.zeros(1, np.int32)
    for vertex, normal in zip(piece.vertices, piece.normals, strict=True):
        inner = vertex + (model.geom_pos[0] - vertex) * [1e-6, 1e-6, 0.0]
        depth = mj.mj_ray(model, data, inner + np.array([0.0, 0.0, 5.0]), np.array([0.0, 0.0, -1.0]), None, 1, -1, geom)
        assert depth == pytest.approx(5.0, abs=1e-4)
        assert normal[2] > 0.0
    assert piece.triangles.shape == (12, 3)


def test_replay_shows_what_was_recorded(tmp_path: Path, session: Session) -> None:
    listing, content = unpacked(written(tmp_path, session))
    frames, nodes = listing["frames"], listing["nodes"]
    places = track_of(listing["positions"], content, frames).reshape(frames, nodes, 3)
    figure = listing["figures"][0]
    own = places[:, figure["first"] : figure["first"] + figure["joints"]]
    stride = round(session.characters["walker"].clip.rate / listing["rate"])
    expected = session.result("walker").world()[1][::stride]
    np.testing.assert_allclose(own, expected[:frames], atol=2e-4)
    turns = track_of(listing["rotations"], content, frames).reshape(frames, nodes, 4)
    np.testing.assert_allclose(np.linalg.norm(turns, axis=2), 1.0, atol=1e-4)
    weights = array_of(figure["skinWeights"], content).reshape(-1, 4)
    assert (weights.sum(axis=1, dtype=int) == 255).all()
    assert listing["forces"]["count"] == len(find_contacts(session)) > 0


def test_replay_is_of_the_ball_that_flies(session: Session) -> None:
    replay = replay_of(session, [])
    ball = next(shape for shape in replay.props if shape.kind == "sphere" and shape.size[0] == pytest.approx(0.1))
    way = np.linalg.norm(replay.positions[-1, ball.frame] - replay.positions[0, ball.frame])
    assert way > 0.3
    wall = next(shape for shape in replay.props if shape.frame == -1 and shape.kind == "box")
    np.testing.assert_allclose(wall.position, [-2.0, 0.0, 0.5])
    assert encode(replay)[0]["forces"]["count"] == 0


@pytest.mark.parametrize("reach", [None, 1.0])
def test_tracks_are_good_to_half_a_step(rng: np.random.Generator, reach: float | None) -> None:
    values = rng.uniform(-1.0, 1.0, (50, 7))
    values[:, 3] = 0.25
    packer = Packer()
    packer.add(np.zeros(3, np.uint8))
    track = packer.add_track(values, reach)
    again = track_of(track, zlib.decompress(base64.b64decode(packer.text())), 50)
    np.testing.assert_allclose(again, values, atol=0.51 / 32767 + 1e-7)


def test_moments_join_a_touch_and_leave_out_the_ground(session: Session) -> None:
    def touch(state: int, other: str, newtons: float, *, inner: bool = False) -> BodyContact:
        return BodyContact(state, "walker", "left hand", other, inner, np.zeros(3), np.array([newtons, 0.0, 0.0]))

    touches = [touch(5, "ground", 500.0), touch(6, "right thigh", 90.0, inner=True)]
    touches += [touch(state, "reed", newtons) for state, newtons in ((10, 3.0), (11, 8.0), (14, 2.0), (40, 1.0))]
    told = [moment for moment in moments_of(session, touches) if moment.kind == "touch"]
    tick = session.clock.tick
    assert [moment.text for moment in told] == [f"the left hand touches reed with {newtons} N" for newtons in (8, 1)]
    assert told[0].start == pytest.approx(9 * tick)
    assert told[0].time == pytest.approx(11 * tick)
    assert told[0].end == pytest.approx(14 * tick)


def test_moments_tell_the_throw_and_the_hit(session: Session) -> None:
    told = moments_of(session, find_contacts(session))
    assert {"thrown", "touch", "away"} <= {moment.kind for moment in told}
    assert [moment.time for moment in told] == sorted(moment.time for moment in told)


def test_rare_events_are_told_before_many_of_a_kind() -> None:
    session = named_scene("forest").session()
    session.run(2)
    metrics = metrics_of(session)
    many = [{"time": 0.01 * number, "kind": "sees", "subject": f"walker reed_{number}"} for number in range(40)]
    metrics["run"]["events"] = [*many, {"time": 0.9, "kind": "startled", "subject": "walker/head apple"}]
    lines = summarize_run("forest", session, metrics)
    assert any("head is hit by apple and gives way" in line for line in lines)
    assert sum("walker sees reed" in line for line in lines) == 11
    assert any("and 29 more events" in line for line in lines)
    metrics["characters"]["character"]["contacts"] = {
        "pairs": {f"character/LeftHand|reed_{number}": {"peak_n": 0.25} for number in range(13)}
    }
    lines = summarize_run("forest", session, metrics)
    assert any(line.endswith("and 1 more contact in metrics.json") for line in lines)
    assert sum("0.25 N at most" in line for line in lines) == 12


def test_a_muscle_at_its_limit_is_one_moment_from_when_to_when() -> None:
    who = Character.from_clip(human_clip())
    session = Session({"walker": who}, SceneSpec(floor=None))
    arm, strengths = who.plan.index("LeftArm"), session.references[0].strengths
    for strength, ticks in ((strengths[arm], 5), (0.05, 12), (strengths[arm], 20), (0.05, 6)):
        strengths[arm] = strength
        session.run(ticks)
    lines = summarize_run("scene", session, metrics_of(session))
    assert [line.strip() for line in lines if "their limit" in line] == [
        "0.10 s  the left upper arm: its muscles are at their limit for 0.20 s",
        "0.63 s  the left upper arm: its muscles are at their limit",
    ]
    moments = [moment for moment in moments_of(session, []) if moment.kind in ("saturated", "eased")]
    limit = "the left upper arm: its muscles are at their limit"
    assert [moment.text for moment in moments] == [f"{limit} for 0.20 s", f"{limit} to the end"]
    spans = np.array([(moment.start, moment.end) for moment in moments])
    assert spans == pytest.approx(np.array([(0.1, 0.3), (0.6333, 0.7167)]), abs=1e-3)


def test_what_a_statue_has_not_got_is_no_zero() -> None:
    clip = human_clip()
    still = clip.with_motion(np.repeat(clip.rotations[:1], 40, axis=0), np.repeat(clip.translations[:1], 40, axis=0))
    session = Session({"walker": Character.from_clip(still)})
    session.run(20)
    metrics = metrics_of(session)["characters"]["walker"]
    assert [metrics["feet"]["weighted_skate_m_s"][side] for side in ("before", "difference")] == [None, None]
    rows = dict(
        re.findall(
            r"<tr class=\"\w*\"><th>(?:<details class=\"why\"><summary>)?([^<]*)<.*?</th><td[^>]*>([^<]*)",
            quality_table(metrics),
        )
    )
    for name in ("Foot skate, weighted by height", "Speed of standing feet", "Root jerk, mean", "Joint jerk, mean"):
        assert rows[name] == "–"
    assert rows["Ground penetration, worst"] != "–"
    assert any(
        "foot skate, weighted by height: – → 0.0 cm/s" in line
        for line in summarize_run("s", session, metrics_of(session))
    )


def test_verdicts() -> None:
    def entry(before: float | None, after: float | None) -> dict[str, float | None]:
        return {"before": before, "after": after, "difference": None}

    table = quality_table(
        {
            "feet": {
                "penetration_max_mm": entry(14.0, 2.0),
                "floating_mean_mm": entry(3.0, 3.001),
                "weighted_skate_m_s": entry(0.04, 0.044),
            },
            "balance": {"com_margin_mean_m": entry(0.05, 0.02), "com_margin_min_m": entry(-0.1, -0.05)},
            "smoothness": {"joint_jerk_mean_m_s3": entry(100.0, 130.0)},
            "limits": {"max_deg": entry(None, 3.0)},
            "energy": {"kinetic_mean_j": entry(10.0, 20.0)},
        }
    )
    rows = {
        label: verdict
        for verdict, label in re.findall(r'<tr class="(\w*)"><th>(?:<details class="why"><summary>)?([^<]*)', table)
    }
    assert rows == {
        "Ground penetration, worst": "better",
        "Floating, mean": "same",
        "Foot skate, weighted by height": "",
        "Center of mass margin, mean": "worse",
        "Center of mass margin, least": "better",
        "Joint jerk, mean": "worse",
        "Beyond joint limits, worst": "",
        "Kinetic energy, mean": "",
    }


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.2, 7.7), (0.0, 1e-7), (1234.0, 5678.0), (-9e-3, -1e-3)])
def test_ticks_are_few_and_cover_the_range(low: float, high: float) -> None:
    ticks = nice_ticks(low, high)
    assert ticks[0] <= low + 1e-12
    assert ticks[-1] >= high - 1e-12
    assert 2 <= len(ticks) <= 8


def test_charts_keep_peaks_and_gaps() -> None:
    times = np.linspace(0.0, 10.0, 20_001)
    values = np.zeros(20_001)
    values[12_345] = 50.0
    values[15_000:16_000] = np.nan
    text = chart("<b>", "m", [Line("</svg>", times, values, "after")], 10.0)
    drawn = re.search(r'<path class="after" d="([^"]*)"', text)
    assert drawn is not None
    heights = [float(each.split(" ")[1]) for each in re.split("[ML]", drawn[1])[1:]]
    assert min(heights) == pytest.approx(10.0, abs=0.1), "the peak reaches the top"
    assert drawn[1].count("M") == 2, "NaN lifts the pen"
    assert len(drawn[1]) < 30_000
    assert "<b><" not in text
    assert "&lt;/svg&gt;" in text


def test_charts_without_values() -> None:
    assert "<svg" in chart("nothing", "m", [], 0.0)
    assert "<svg" in chart("gaps", "m", [Line("", np.zeros(2), np.full(2, np.nan), "after")], 1.0)


def test_character_without_physical_joints(tmp_path: Path) -> None:
    character = Character.from_clip(human_clip(), CharacterOptions(anchors=()))
    session = Session({"a": character, "b": Character.from_clip(human_clip())})
    session.run(12)
    page = written(tmp_path, session, metrics_of(session))
    assert page.count("<h3>a</h3>") >= 2
    assert len(unpacked(page)[0]["figures"]) == 2


def told_kinds() -> set[str]:
    """The kinds of all events that the product can tell, read from its sources."""
    folder = Path(poise.__file__).parent
    text = "\n".join(file.read_text() for part in ("runtime", "behaviors") for file in (folder / part).rglob("*.py"))
    return set(re.findall(r"(?:Event|\.tell)\([^()\"]*\"([a-z ]+)\"", text)) | set(
        re.findall(r"(?:happened(?:\.append\(| = \[?\(?)|\[\*happened, \()\"([a-z ]+)\"", text)
    )


def test_every_kind_of_event_is_a_sentence() -> None:
    who = Character.from_clip(human_clip())
    kinds = told_kinds() - {"phase"}
    assert {"thrown", "stepped", "pushed", "contact", "startled", "goal lost", "look"} <= kinds
    for kind in kinds:
        for subject in ("walker/LeftHand bush_2", "walker bush_2", "walker"):
            text = event_sentence(kind, subject, {"walker": who}).text
            assert ": " + kind not in text, f"{kind!r} has no sentence"
            assert not re.search(r"[/_{}]", text)
    assert event_sentence("contact", "walker/LeftHand bush_2", {"walker": who}).text == "the left hand meets bush 2"
    assert event_sentence("contact", "a/LeftHand x", {"a": who, "b": who}).text == "a’s left hand meets x"
    assert event_sentence("phase", "press the handle", {}).text == "phase: press the handle"
    assert event_sentence("my own", "walker/LeftHand x", {"walker": who}).text == "walker LeftHand x: my own"


def test_numbers_are_explained_where_they_stand_and_judged_as_shown() -> None:
    assert set(FIRST) - {path for path in FIRST if explain_metric(path)} == set()
    for value in (0.123456, 12.3456, 123456.7, -0.01234, 0.0049):
        assert digits(rounded(value)) == digits(value)
    table = quality_table({"feet": {"penetration_max_mm": {"before": 5.0449, "after": 4.9951, "difference": None}}})
    assert '<details class="why"><summary>Ground penetration, worst</summary>How deep a sole was' in table


def test_parts_are_called_as_one_would_say_them() -> None:
    assert [spoken_role(role) for role in ("left_clavicle", "right_shank", "head")] == [
        "left collarbone",
        "right shin",
        "head",
    ]
