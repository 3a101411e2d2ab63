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
from poise.world.command import Guide, Press, Remove, SetMass, Soften, Spawn, Spin, Take, Throw
from poise.world.props import Ball, Box, Wall
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


def test_what_the_ground_lets_through_is_saved_and_brought_back(walker: Character) -> None:
    session = alone(walker)
    arm, none = np.array([walker.plan.index("LeftForeArm")]), np.zeros(0, dtype=np.int64)
    model, own = session.world.model, session.world.body_number("walker/LeftForeArm")
    geoms = np.flatnonzero(model.geom_bodyid == own)
    for before, after in ((none, arm), (arm, none)):
        session.command.do(Soften("walker", none, before))
        saved, meets = session.save(), model.geom_conaffinity[geoms].copy()
        session.command.do(Soften("walker", none, after))
        assert (model.geom_conaffinity[geoms] != meets).all()
        session.restore(saved)
        np.testing.assert_array_equal(model.geom_conaffinity[geoms], meets)


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


def test_what_a_pool_holds_is_put_there_and_taken_away_again(walker: Character) -> None:
    """It falls as anything does, meets what is there, is met, and is gone without a trace; going back brings it back."""
    spare = Box(name="spare", position=(0.0, 0.0, 0.0), size=(0.1, 0.2, 0.15), mass=2.0)
    shot = Ball(name="shot", position=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), mass=0.4)
    session, plain = (Session({"walker": walker}, SceneSpec(pool=pool)) for pool in ((spare, shot), ()))
    walks = session.world.layout("walker").positions

    def height(body: str) -> float:
        return float(session.world.positions[session.world.position_start(body) + 2])

    session.run(60)
    assert height("spare") < -100.0
    session.command.do(Spawn("spare", np.array([5.0, 2.0, 1.0])))
    session.run(10)
    fallen = 10 * session.clock.tick
    assert height("spare") == pytest.approx(1.0 - 0.5 * 9.81 * fallen**2, abs=0.01)
    session.run(50)
    assert height("spare") == pytest.approx(0.15, abs=0.005)
    session.command.do(Spawn("shot", np.array([3.0, 2.0, 0.15]), np.array([6.0, 0.0, 0.0])))
    there = session.save()
    seen = session.run(40)
    touched = {frozenset(seen.geom_names[geom] for geom in pair) for pair in seen.contacts.pairs}
    assert {"shot", "spare"} in touched
    session.command.do(Remove("spare"))
    session.command.do(Remove("shot"))
    session.run(40)
    assert max(height("spare"), height("shot")) < -100.0
    session.restore(there)
    assert height("shot") == pytest.approx(0.15)
    np.testing.assert_array_equal(session.run(40).positions[-1], seen.positions[-1])
    np.testing.assert_allclose(session.world.positions[walks], plain.run(160).positions[-1, walks], atol=1e-9)


def test_a_pool_tells_what_it_has_not(walker: Character) -> None:
    ball = Ball(name="shot", position=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0))
    session = Session({"walker": walker}, SceneSpec(pool=(ball,)))
    with pytest.raises(InputError, match="shot: is not there"):
        session.command.do(Remove("shot"))
    with pytest.raises(InputError, match="body of the pool 'shut'"):
        session.command.do(Spawn("shut", np.zeros(3)))
    session.command.do(Spawn("shot", np.array([9.0, 0.0, 1.0])))
    with pytest.raises(InputError, match="shot: is there already"):
        session.command.do(Spawn("shot", np.zeros(3)))
    with pytest.raises(InputError, match="pool: takes balls and boxes; got a wall"):
        SceneSpec(pool=(Wall(name="wall", position=(0.0, 0.0, 0.0), size=(1.0, 1.0, 1.0)),))  # type: ignore[arg-type]
