"""Balls that are still to be thrown are drawn only shortly before."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.io import read_clip
from poise.report.contact_summary import find_contacts
from poise.report.page.replay import replay_of
from poise.report.waiting_balls import without_waiting_balls
from poise.runtime import Character, Session
from poise.world.free_props import FreeProps
from poise.world.props import HELD, Ball, Box
from poise.world.scene import SceneSpec


@pytest.fixture(scope="module")
def session():
    who = Character.from_clip(read_clip(clip_path("walk")))
    ball = Ball(name="ball", position=(3.0, 3.0, 1.5), velocity=(0.0, 0.0, 1.0), time=1.2)
    box = Box(name="box", position=(3.0, -3.0, 0.3), size=(0.1, 0.1, 0.1), mass=1.0)
    made = Session({"who": who}, SceneSpec(props=(ball, box), floor=who.floor))
    made.run(30)
    return made


def test_a_ball_is_drawn_from_a_second_before_it_is_thrown(session):
    recording = session.recording()
    drawn = without_waiting_balls(session, recording.output, recording.times)
    columns = {prop.name: prop.positions + 2 for prop in FreeProps(session.world).props}
    early = recording.times < 0.2
    assert early.any()
    assert not early.all()
    assert (drawn[early, columns["ball"]] < -4.0).all()
    assert (drawn[~early, columns["ball"]] == recording.output[~early, columns["ball"]]).all()
    others = np.delete(np.arange(drawn.shape[1]), columns["ball"])
    np.testing.assert_array_equal(drawn[:, others], recording.output[:, others])
    assert recording.output[0, columns["ball"]] == pytest.approx(1.5), "what was recorded stays"


def test_the_report_leaves_it_out(session):
    replay = replay_of(session, find_contacts(session))
    heights = replay.positions[:, : len(replay.props), 2]
    assert heights[0].min() < -4.0
    assert heights[-1].min() > -0.5


def test_a_ball_that_is_never_thrown_is_in_sight_all_the_time():
    who = Character.from_clip(read_clip(clip_path("walk")))
    ball = Ball(name="ball", position=(3.0, 3.0, 1.5), velocity=(0.0, 0.0, 0.0), time=HELD)
    made = Session({"who": who}, SceneSpec(props=(ball,), floor=who.floor))
    recording = made.run(5)
    assert (without_waiting_balls(made, recording.output, recording.times) == recording.output).all()
