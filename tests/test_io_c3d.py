"""C3D markers: against ezc3d, which wrote or read the same files, and what is refused."""

from pathlib import Path

import ezc3d
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from c3d_samples import cloud, save
from poise.errors import InputError
from poise.io import read_clip, read_markers
from poise.io.axes import Axes
from poise.motion.markers import Markers


def test_markers_gaps_rate_and_names_come_as_they_were_written(tmp_path: Path) -> None:
    places = cloud()
    places[5:9, 2] = np.nan
    places[0, 4] = np.nan
    names = ["LASI", "RASI", "Left knee", "*4", "C7", "T10"]
    markers = read_markers(save(tmp_path / "a.c3d", places, rate=120.0, names=names, analog=3))
    assert (markers.names, markers.rate, len(markers)) == (tuple(names), 120.0, 20)
    assert (markers.metres_per_unit, markers.up_axis) == (0.001, "z")
    np.testing.assert_array_equal(markers.seen, ~np.isnan(places[..., 0]))
    np.testing.assert_allclose(markers.positions, 1e-3 * places, atol=1e-7)  # the file has 32-bit numbers


@pytest.mark.parametrize(("unit", "metres"), [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254)])
def test_the_unit_is_the_one_that_the_file_says(tmp_path: Path, unit: str, metres: float) -> None:
    markers = read_markers(save(tmp_path / "a.c3d", cloud() * 0.001 / metres, unit=unit))
    np.testing.assert_allclose(markers.positions, 0.001 * cloud(), atol=1e-6)
    assert markers.unit_reason == "the file says it"


@pytest.mark.parametrize("metres", [1.0, 0.01, 0.001])
def test_a_unit_that_is_not_said_is_told_from_the_size(tmp_path: Path, metres: float) -> None:
    markers = read_markers(save(tmp_path / "a.c3d", cloud() * 0.001 / metres, unit=None))
    assert markers.metres_per_unit == metres
    assert "does not say" in markers.unit_reason


def test_what_the_user_says_about_unit_and_axis_holds(tmp_path: Path) -> None:
    file = save(tmp_path / "a.c3d", cloud())
    markers = read_markers(file, unit="cm", up="y")
    np.testing.assert_allclose(markers.positions, Axes("y", 0.01).lengths_in(cloud()), atol=1e-5)


@pytest.mark.parametrize(("order", "up"), [((0, 1, 2), "z"), ((1, 2, 0), "y"), ((2, 0, 1), "x")])
@pytest.mark.parametrize("said", [True, False])
def test_up_is_what_the_screen_says_or_where_the_cloud_is_tall(
    tmp_path: Path, order: tuple[int, int, int], up: str, said: bool
) -> None:
    point = {"X_SCREEN": ["+X"], "Y_SCREEN": [f"+{up.upper()}"]} if said else None
    markers = read_markers(save(tmp_path / "a.c3d", cloud()[..., list(order)], point=point))
    assert markers.up_axis == up
    np.testing.assert_allclose(markers.positions, 0.001 * cloud(), atol=1e-7)


def test_what_a_model_computed_is_no_marker(tmp_path: Path) -> None:
    names = ["LASI", "LKneeAngles", "RASI", "LAnkleForce", "C7", "T10"]
    point = {"ANGLES": ["LKneeAngles"], "FORCES": ["LAnkleForce"]}
    markers = read_markers(save(tmp_path / "a.c3d", cloud(), names=names, point=point))
    assert markers.names == ("LASI", "RASI", "C7", "T10")
    np.testing.assert_allclose(markers.positions, 0.001 * cloud()[:, [0, 2, 4, 5]], atol=1e-7)
    assert "2 points are no markers" in markers.notes[0]


def test_markers_without_a_name_or_with_the_same_get_one_each(tmp_path: Path) -> None:
    markers = read_markers(save(tmp_path / "a.c3d", cloud(), names=["A", "A", "B", "", " ", ""]))
    assert markers.names == ("A", "A_2", "B", "marker_4", "marker_5", "marker_6")


def test_frames_that_are_declared_and_not_there_are_told(tmp_path: Path) -> None:
    file = save(tmp_path / "a.c3d", cloud(200))
    content = file.read_bytes()
    file.write_bytes(content[: len(content) - 6 * 16 * 100])
    markers = read_markers(file)
    assert len(markers) < 200
    assert markers.notes == (f"the file declares 200 frames and has {len(markers)}; those are kept",)
    np.testing.assert_allclose(markers.positions, 0.001 * cloud(200)[: len(markers)], atol=1e-6)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unit": "furlong"}, "the unit of length is 'furlong'; known: m, dm, cm, mm"),
        ({"places": np.full((5, 3, 3), np.nan)}, "no marker is seen in any frame"),
        ({"places": 1e9 + cloud()}, "at most 10000 m are taken"),
        ({"point": {"ANGLES": [f"m{number}" for number in range(6)]}}, "holds no markers"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, change: dict[str, object], said: str) -> None:
    options = {"places": cloud(), **change}
    file = save(tmp_path / "a.c3d", options.pop("places"), **options)
    with pytest.raises(InputError) as caught:
        read_markers(file)
    assert said in str(caught.value)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rate_that_cannot_be_is_refused(tmp_path: Path) -> None:
    file = save(tmp_path / "a.c3d", cloud(), rate=100.0)
    hundred = np.float32(100.0).tobytes()
    assert hundred in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(hundred, np.float32(1e-5).tobytes()))
    with pytest.raises(InputError, match="1e-05 frames per second"):
        read_markers(file)


def test_another_file_is_no_c3d(tmp_path: Path) -> None:
    file = tmp_path / "a.c3d"
    for content in (b"HIERARCHY\nROOT", b"\x02", b"\x02\x50" + bytes(510)):
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"no C3D file|damaged"):
            read_markers(file)


def test_numbers_that_no_file_of_that_size_holds_take_no_time_and_no_memory(tmp_path: Path) -> None:
    file = save(tmp_path / "a.c3d", cloud(), point=None)
    for count in (0, 4097, 65535):
        content = bytearray(file.read_bytes())
        at = content.index(b"USED") + 4 + 2 + 1 + 1  # behind name, offset, type and number of dimensions
        content[2:4] = content[at : at + 2] = count.to_bytes(2, "little")
        (tmp_path / "b.c3d").write_bytes(content)
        with pytest.raises(InputError, match=r"markers; 1 to 4096 can be read|damaged"):
            read_markers(tmp_path / "b.c3d")


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poise.io.c3d.read.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"extra 'c3d'.*pip install 'poise\[c3d\]'"):
        read_markers(save(tmp_path / "a.c3d", cloud()))


def test_as_a_clip_it_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds markers"):
        read_clip(tmp_path / "take.c3d")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return save(tmp_path_factory.mktemp("c3d") / "a.c3d", cloud(8), point={"ANGLES": ["m3"]}, analog=2).read_bytes()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.floats(0.0, 1.0), st.integers(0, 255), st.booleans()), min_size=1, max_size=8),
    cut=st.floats(0.0, 1.0),
)
def test_damaged_files_end_as_markers_or_in_our_own_error(
    tmp_path: Path, whole: bytes, changes: list[tuple[float, int, bool]], cut: float
) -> None:
    content = bytearray(whole)
    for share, value, header in changes:
        content[int(share * (511 if header else len(content) - 1))] = value
    file = tmp_path / "a.c3d"
    file.write_bytes(content[: len(content) if cut > 0.3 else int(len(content) * cut / 0.3)] or b"\0")
    try:
        markers = read_markers(file)
    except InputError:
        return
    assert isinstance(markers, Markers)
    assert np.nanmax(np.abs(markers.positions)) <= 1e4


@pytest.mark.shared
def test_public_files_against_another_reader(shared_data: Path) -> None:
    files = sorted((shared_data / "momentum" / "c3d").glob("*.c3d"))
    assert len(files) == 5
    for file in files:
        markers, other = read_markers(file), ezc3d.c3d(str(file))
        points = other["data"]["points"][:3].transpose(2, 1, 0)
        np.testing.assert_array_equal(markers.seen, ~np.isnan(points[..., 0]), err_msg=file.name)
        np.testing.assert_allclose(markers.positions, 0.001 * points, atol=1e-6, err_msg=file.name)
        labels = other["parameters"]["POINT"]["LABELS"]["value"][: len(markers.names)]
        assert markers.names == tuple(label.strip() for label in labels)
        assert markers.rate == pytest.approx(other["parameters"]["POINT"]["RATE"]["value"][0])
