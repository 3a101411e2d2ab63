"""Pages and pictures in one call each."""

import re
from html import unescape
from pathlib import Path

import pytest

import poise
from poise.assets import clip_path
from poise.errors import InputError
from poise.world.render import NoRenderer


@pytest.fixture(scope="module")
def session() -> poise.Session:
    walker = poise.Character.from_clip(poise.read_clip(clip_path("walk")))
    made = poise.Session({"walker": walker}, poise.SceneSpec(floor=walker.floor))
    made.run(30)
    return made


def test_a_notebook_gets_the_page_in_a_frame(session: poise.Session, tmp_path: Path) -> None:
    shown = poise.show(session, height=500)
    frame = shown._repr_html_()
    assert "height:500px" in frame
    page = unescape(re.findall(r'srcdoc="([^"]*)"', frame)[0])
    assert page == shown.html
    assert "default-src 'none'" in page
    assert len(repr(shown)) < 120
    assert poise.save_report(session, tmp_path / "r.html").read_text() == page
    assert "Foot skate" in page


def test_two_motions_are_shown_beside_one_another(session: poise.Session, tmp_path: Path) -> None:
    page = poise.save_comparison(clip_path("walk"), session.result("walker"), tmp_path / "c.html").read_text()
    assert "beside one another" in page
    assert 'class="verdict"' in page


def test_a_strip_is_one_call(session: poise.Session, tmp_path: Path) -> None:
    try:
        assert poise.save_strip(session, tmp_path / "s.png", moments=2).stat().st_size > 10_000
    except NoRenderer as error:
        pytest.skip(str(error))


def test_what_cannot_be_shown_says_what_can(session: poise.Session) -> None:
    with pytest.raises(InputError, match="beside another one"):
        poise.show(clip_path("walk"))
    with pytest.raises(InputError, match="shown alone"):
        poise.show(session, clip_path("walk"))
    with pytest.raises(InputError, match="nowhere"):
        poise.show("nowhere.bvh", clip_path("walk"))
