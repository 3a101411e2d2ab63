"""What may be done to a world from outside, and what may be known of it."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors import Behavior
from poise.behaviors.anticipation import Anticipation
from poise.behaviors.balance import Balance
from poise.behaviors.bounded_drive import Bounded
from poise.behaviors.switching import Switching
from poise.errors import InputError
from poise.io import read_clip
from poise.runtime import Character, Session
from poise.scenes import named_scene, rooted
from poise.world.command import Guide, Press, SetMass, Spin, Take, Throw
from poise.world.props import Ball, Box
from poise.world.scene import SceneSpec


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(read_clip(clip_path("walk")))


def alone(walker: Character, gravity: float = 0.0) -> Session:
    """A walker with a box and a held ball far away from it."""
    box = Box(name="box", position=(20.0, 0.0, 3.0), size=(0.1, 0.2, 0.3), mass=2.0)
    ball = Ball(name="ball", position=(30.0, 0.0, 3.0), velocity=(0.0, 0.0, 0.0), time=1e6, mass=1.0)
    return Session({"walker": walker}, SceneSpec(props=(box, ball), gravity=gravity, floor=None, sleep=False))


def speed(session: Session, body: str) -> float:
    at = session.world.model.body_dofadr[session.world.body_number(body)]
    return float(session.world.velocities[at])


@pytest.mark.parametrize("mass", [0.5, 2.0, 7.0])
def test_a_changed_mass_is_what_a_force_meets(walker: Character, mass: float) -> None:
    session = alone(walker)
    session.command.do(SetMass("box", mass))
    session.command.do(Press("box", np.array([3.0, 0.0, 0.0])))
    session.run(10)
    assert speed(session, "box") == pytest.approx(3.0 / mass * 10 * session.clock.tick, rel=1e-9)


def test_a_changed_mass_is_saved_and_brought_back(walker: Character) -> None:
    session = alone(walker)
    saved = session.save()
    session.command.do(SetMass("box", 9.0))
    session.command.do(SetMass("walker/LeftForeArm", 5.0))
    session.restore(saved)
    session.command.do(Press("box", np.array([3.0, 0.0, 0.0])))
    session.run(5)
    assert speed(session, "box") == pytest.approx(3.0 / 2.0 * 5 * session.clock.tick, rel=1e-9)


def test_the_mass_of_a_thrown_ball_counts_though_it_was_held(walker: Character) -> None:
    session = alone(walker)
    session.command.do(SetMass("ball", 4.0))
    session.command.do(Throw("ball", np.zeros(3)))
    session.command.do(Press("ball", np.array([8.0, 0.0, 0.0])))
    session.run(10)
    assert speed(session, "ball") == pytest.approx(8.0 / 4.0 * 10 * session.clock.tick, rel=1e-9)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (SetMass("box", 0.0), "positive"),
        (SetMass("box", float("nan")), "positive"),
        (SetMass("world", 1.0), "positive"),
        (SetMass("bx", 1.0), "did you mean 'box'"),
        (Press("nobody", np.zeros(3)), "nobody"),
        (Spin("hinge", 1.0), "hinge"),
        (Guide("bal", np.zeros((8, 3))), "ball"),
        (Take(("nothing",), 2), "nothing"),
    ],
)
def test_what_is_not_there_is_refused(walker: Character, order: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        alone(walker).command.do(order)  # type: ignore[arg-type]


def test_the_view_cannot_be_written_through(walker: Character) -> None:
    view = alone(walker).view
    for array in (view.positions("walker"), view.velocities("walker"), view.geoms.positions, view.bodies.twists):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_the_view_follows_the_world(walker: Character) -> None:
    session = alone(walker)
    before = session.view.positions("walker").copy()
    session.run(3)
    assert np.array_equal(session.view.positions("walker"), session.world.positions[session.layouts[0].positions])
    assert not np.array_equal(before, session.view.positions("walker"))


@pytest.mark.parametrize(
    "behaviors", [(Balance, Bounded), (Balance, Balance), (Anticipation, Anticipation), (Bounded, Anticipation)]
)
def test_two_that_decide_about_the_same_are_refused(
    walker: Character, behaviors: tuple[type[Behavior[object]], ...]
) -> None:
    with pytest.raises(InputError, match=r"would both decide about the (pelvis|hands)"):
        Session({"walker": walker}, behaviors={"walker": [make() for make in behaviors]})


def test_a_yielding_root_and_a_balance_are_refused() -> None:
    scene = rooted(named_scene("forest"))
    with pytest.raises(InputError, match="both decide about the pelvis"):
        Session(scene.characters, scene.setting, behaviors={"character": [Balance()]})


def test_sensible_combinations_are_not(walker: Character) -> None:
    session = Session({"walker": walker}, behaviors={"walker": [Balance(), Anticipation(), Switching()]})
    session.run(3)
