"""Markers beside a clip: where they are at a time, which way round they lie, and that they are drawn and kept."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from _builders import human_clip
from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.marker_match import match_markers
from poise.motion.markers import Markers
from poise.report.export import write_recording
from poise.report.marker_cloud import marker_paths, markers_at
from poise.report.page.encode import encode
from poise.report.page.replay import replay_of
from poise.runtime import Character, Session
from poise.world import SceneSpec
from poise.world.render import MARKER_COLOR, Camera, NoRenderer, Overlay, Painter

SKIN = np.array([0.03, -0.02, 0.04])
"""How far markers are from their joints [m]."""


def on_body(clip: Clip, rate: float | None = None) -> Markers:
    """Markers a few centimetres off every joint."""
    return Markers(clip.skeleton.names, rate or clip.rate, clip.world_positions()[0] + SKIN)


def playing(clip: Clip, markers: Markers | None) -> Session:
    who = Character.from_clip(clip)
    session = Session({"walker": who}, SceneSpec(floor=who.floor, markers=markers))
    session.run(30)
    return session


def test_between_frames_markers_are_between_and_beyond_gaps_and_ends_they_are_not() -> None:
    places = np.arange(5.0)[:, None, None] * np.ones((5, 2, 3))
    places[3, 1] = np.nan
    markers = Markers(("a", "b"), 10.0, places)
    at = markers.at(np.array([0.0, 0.15, 0.2, 0.25, 0.3, 0.4 + 1e-9, 0.44, 0.46, -0.06]))
    np.testing.assert_allclose(at[:, 0, 0], [0.0, 1.5, 2.0, 2.5, 3.0, 4.0, 4.0, np.nan, np.nan], atol=1e-6)
    np.testing.assert_allclose(at[:, 1, 0], [0.0, 1.5, 2.0, np.nan, np.nan, 4.0, 4.0, np.nan, np.nan], atol=1e-6)
    assert markers.duration == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("names", "rate", "shape"), [(("a",), 10.0, (5, 2, 3)), (("a", "a"), 10.0, (5, 2, 3)), (("a", "b"), 0.0, (5, 2, 3))]
)
def test_markers_that_cannot_be_are_refused(names: tuple[str, ...], rate: float, shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        Markers(names, rate, np.zeros(shape))


@pytest.mark.parametrize("quarters", range(4))
def test_axes_that_another_program_named_otherwise_are_found(quarters: int) -> None:
    clip = human_clip()
    match = match_markers(on_body(clip).turned(quarters), clip)
    np.testing.assert_allclose(match.markers.positions, on_body(clip).positions, atol=1e-12)
    assert match.distance == pytest.approx(np.linalg.norm(SKIN), rel=0.2)
    turned = [note for note in match.notes if "turned" in note]
    assert turned == ([] if quarters == 0 else [note for note in turned if f"by {360 - 90 * quarters}°" in note])
    assert len(turned) == (quarters != 0)
    assert not any("from the body" in note for note in match.notes)


def test_markers_of_another_take_are_doubted() -> None:
    clip = human_clip()
    far = replace(on_body(clip), positions=on_body(clip).positions[:20] + np.array([3.0, 0.0, 0.0]))
    notes = match_markers(far, clip).notes
    assert any("m from the body: another take" in note for note in notes)
    assert any(note.startswith("the markers last") for note in notes)
    with pytest.raises(InputError, match="no marker is seen"):
        match_markers(replace(far, positions=np.full((20, len(far.names), 3), np.nan)), clip)


def test_markers_go_with_the_clip_behind_a_rest_frame() -> None:
    clip = human_clip()
    still = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(clip.skeleton), 1))
    with_rest = clip.with_motion(
        np.concatenate([still, clip.rotations]),
        np.concatenate([clip.translations[:1] - [[[0.0, 3.0, 0.0]]], clip.translations]),
    )
    session = playing(with_rest, on_body(with_rest))
    who = session.characters["walker"]
    assert who.prepared.skipped == 1
    every = session.clock.ticks_per_frame
    np.testing.assert_allclose(
        markers_at(session, 3 * every),
        on_body(with_rest).positions[4],
        atol=1e-9,
        err_msg="frame 3 behind the rest frame",
    )


def test_markers_wait_where_the_clip_does() -> None:
    clip = human_clip()
    session = playing(clip, on_body(clip))
    clock, every = session.references[0].clock, session.clock.ticks_per_frame
    clock.lags[10 * every :] = [2.0 / clip.rate] * (len(clock.lags) - 10 * every)
    found = marker_paths(session, np.array([5 * every, 15 * every]))
    np.testing.assert_allclose(found[0], on_body(clip).positions[5], atol=1e-9)
    np.testing.assert_allclose(found[1], on_body(clip).positions[13], atol=1e-9)


def test_markers_are_drawn_over_the_body() -> None:
    session = playing(human_clip(), None)
    positions = session.world.state().positions
    inside = positions[:3]
    camera = Camera(target=inside, azimuth=0.4, distance=3.0)
    try:
        made = Painter(session.world, 200, 200)
    except NoRenderer as error:
        pytest.skip(str(error))
    with made as painter:
        plain = painter.paint(positions, camera).astype(int)
        marked = painter.paint(positions, camera, overlay=Overlay(markers=inside[None])).astype(int)
        nothing = painter.paint(positions, camera, overlay=Overlay(markers=np.zeros((0, 3)))).astype(int)
    rows, columns = np.nonzero(np.abs(marked - plain).sum(axis=2) > 40)
    assert len(rows) > 5
    assert np.hypot(rows - 99.5, columns - 99.5).max() < 6.0, "in the middle, where the marker is"
    shown = marked[rows, columns].mean(axis=0)
    assert shown @ MARKER_COLOR / np.linalg.norm(shown) / np.linalg.norm(MARKER_COLOR) > 0.97
    np.testing.assert_array_equal(nothing, plain)


def test_the_page_has_every_marker_at_every_frame_and_knows_the_gaps() -> None:
    clip = human_clip()
    places = on_body(clip).positions.copy()
    places[:7, 1] = places[5:12, 2] = np.nan
    session = playing(clip, replace(on_body(clip), positions=places))
    replay = replay_of(session, [])
    assert replay.markers is not None
    stride = round(clip.rate / replay.rate)
    np.testing.assert_allclose(replay.markers, places[: stride * len(replay.markers) : stride], atol=1e-9)
    listing = encode(replay)[0]["markers"]
    assert listing["count"] == len(clip.skeleton)
    assert listing["seen"]["count"] == replay.markers.shape[0] * replay.markers.shape[1]
    assert encode(replay_of(playing(clip, None), []))[0]["markers"] is None


def test_the_recording_keeps_names_places_gaps_and_rate(tmp_path: Path) -> None:
    clip = human_clip()
    places = on_body(clip).positions.copy()
    places[3:9, 4] = np.nan
    markers = Markers(clip.skeleton.names, 120.0, places)
    write_recording(tmp_path / "a.npz", playing(clip, markers))
    with np.load(tmp_path / "a.npz", allow_pickle=False) as data:
        assert tuple(data["markers_names"]) == clip.skeleton.names
        assert float(data["markers_rate"]) == 120.0
        np.testing.assert_array_equal(data["markers_positions"], places)
        np.testing.assert_array_equal(data["markers_valid"], ~np.isnan(places[..., 0]))
    write_recording(tmp_path / "b.npz", playing(clip, None))
    with np.load(tmp_path / "b.npz", allow_pickle=False) as data:
        assert not [name for name in data.files if name.startswith("markers")]
