"""What every behavior is: parameters, a state, and a step that says what it wants of the present tick.

A hand that reaches, a body that balances, a drive that holds the hips: each is one `Behavior` of one character. It reads the
world through a `WorldView` and what is meant so far through the character's `Reference`, and answers with a `Contribution`.
It writes nowhere else. One function (`poise.behaviors.merge`) makes one motion of all contributions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.control.tension import Tension
from poise.signals import Event
from poise.world.command import Command
from poise.world.view import WorldView

__all__ = ["Behavior", "Contribution", "GroupBehavior", "MakeBehavior", "Part", "Stateless"]

Array = NDArray[np.float64]
S = TypeVar("S")
Part = Literal["pelvis", "hands"]
"""Where the pelvis goes and what its legs do about it; what hands do about obstacles."""


class Contribution:
    """What one behavior wants of one tick; begins as nothing at all.

    Arrays are copies of the reference's, made when they are first asked for by an `edit_…` method.

    Args:
        reference: The character's motion as merged so far.

    Attributes:
        pose: The kinematic skeleton, shape (n, nq); None leaves it.
        moves: Whether velocity and load of the motion are taken from `pose`.
        before: Where the kinematic skeleton is taken to come from, shape (nq,); None leaves it.
        modes: Who shall move each joint from now on, shape (B,); None leaves it.
        load: Torque that muscles carry on top of what they carry already, body frames [N m], shape (B-1, 3); None for none.
        displacement: How far the pelvis shall be beside its motion at the tick's end, level and up [m], shape (3,), where legs
            carry it; None for not at all.
        hurdles: Which obstacles are known to be there, for legs that step over what is low, shape (P,); None for none.
        carries: Whether legs carry the pelvis where the displacements of others send it.
        force: Generalized force on top of what there is [N, N m], shape (nv,); None for none.
        relaxed: Share of its load that each muscle lets go in this tick, 0 to 1, shape (B-1,); None leaves it.
        strengths: Largest torque of each joint's muscles from now on [N m], shape (B,); None leaves them.
        tension: How tense the muscles shall be; None leaves it.
        pace: How fast the clip's time shall run from the end of this tick on; None leaves it.
        commands: What else shall happen in the world, in this order.
        source: Where the input skeleton is at the end of the tick, shape (nq,), for a behavior that is the character's motion;
            None leaves it.
        grips: How far the left and the right hand are closed at the end of the tick, and round what
            (`poise.body.fingers.close_hands`), shape (2, 2); None leaves them.
        leaves_clip: Whether nothing of the character has its clip's own values from now on.
        events: What is worth telling.
    """

    __slots__ = (
        "_damping",
        "_stiffness",
        "before",
        "carries",
        "commands",
        "displacement",
        "events",
        "force",
        "grips",
        "hurdles",
        "leaves_clip",
        "load",
        "modes",
        "moves",
        "pace",
        "pose",
        "reference",
        "relaxed",
        "source",
        "strengths",
        "tension",
    )

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.pose: Array | None = None
        self.moves = False
        self.before: Array | None = None
        self._stiffness: Array | None = None
        self._damping: Array | None = None
        self.load: Array | None = None
        self.relaxed: Array | None = None
        self.displacement: Array | None = None
        self.hurdles: NDArray[np.bool_] | None = None
        self.carries = False
        self.force: Array | None = None
        self.modes: NDArray[np.int64] | None = None
        self.tension: Tension | None = None
        self.pace: float | None = None
        self.commands: list[Command] = []
        self.strengths: Array | None = None
        self.source: Array | None = None
        self.grips: Array | None = None
        self.leaves_clip = False
        self.events: list[Event] = []

    @property
    def rows(self) -> Array:
        """The kinematic skeleton with this contribution, shape (n, nq); to be read."""
        return self.reference.rows if self.pose is None else self.pose

    @property
    def starts(self) -> Array:
        """The kinematic skeleton at the beginning of the tick with this contribution, shape (nq,); to be read."""
        return self.reference.before if self.before is None else self.before

    @property
    def gains(self) -> tuple[Array, Array] | None:
        """Stiffness [N m/rad] and damping [N m s/rad] of the muscles where they are changed, shape (B-1,) each."""
        if self._stiffness is None or self._damping is None:
            return None
        return self._stiffness, self._damping

    @property
    def wanted_modes(self) -> NDArray[np.int64]:
        """Who moves each joint with this contribution, shape (B,); to be read."""
        return self.reference.modes if self.modes is None else self.modes

    def edit_pose(self, *, moves: bool = True) -> Array:
        """The kinematic skeleton to write into, shape (n, nq).

        Args:
            moves: Whether velocity and load of the motion are to be taken from it, too; otherwise they stay the clip's.
        """
        if self.pose is None:
            self.pose = self.reference.rows.copy()
        self.moves |= moves
        return self.pose

    def edit_before(self) -> Array:
        """Where the kinematic skeleton is taken to come from, to write into, shape (nq,).

        For a pose that jumps on purpose: its velocity over the tick is counted from here.
        """
        if self.before is None:
            self.before = self.reference.before.copy()
        return self.before

    def edit_gains(self) -> tuple[Array, Array]:
        """Stiffness [N m/rad] and damping [N m s/rad] of the muscles to write into, shape (B-1,) each."""
        if self._stiffness is None or self._damping is None:
            self._stiffness, self._damping = self.reference.stiffness.copy(), self.reference.damping.copy()
        return self._stiffness, self._damping

    def edit_load(self) -> Array:
        """Torque to carry on top, to write into, shape (B-1, 3)."""
        if self.load is None:
            self.load = np.zeros_like(self.reference.load)
        return self.load

    def edit_relaxed(self) -> Array:
        """Share of its load that each muscle lets go, to write into, shape (B-1,): what is put to work lets go of nothing."""
        if self.relaxed is None:
            self.relaxed = self.reference.relaxed.copy()
        return self.relaxed

    def edit_strengths(self) -> Array:
        """Largest torque of each joint's muscles, to write into [N m], shape (B,)."""
        if self.strengths is None:
            self.strengths = self.reference.strengths.copy()
        return self.strengths

    def edit_modes(self) -> NDArray[np.int64]:
        """Who shall move each joint, to write into, shape (B,)."""
        if self.modes is None:
            self.modes = self.reference.modes.copy()
        return self.modes

    def tell(self, time: float, kind: str, subject: str) -> None:
        """Add an event: when [s], what kind, about whom."""
        self.events.append(Event(time, kind, subject))


class Behavior(ABC, Generic[S]):
    """One purpose of one character; an object serves one character in one session.

    Its parameters, if a user may set any, are its `options`, an object of a class that declares them (`poise.parameters`). What
    it remembers from tick to tick is one dataclass, its `state`, which the session saves and restores by
    `poise.behaviors.state`; everything else it keeps is constant after `start`, but for what `adopt` makes anew, or overwritten
    in every step before it is read.
    """

    claims: ClassVar[frozenset[Part]] = frozenset()
    """Parts of a character that only one behavior of it may have: a session refuses two that claim the same."""
    is_motion: ClassVar[bool] = False
    """Whether it is part of the character's own motion, as breath is: it acts before a compliant root, which carries it."""
    only_yields: ClassVar[bool] = False
    """Whether it changes a pose only where the body is pushed: where it hardly does, the clip's own values come out."""
    called: ClassVar[str] = ""
    """What its parameters begin with in `Session.set` and under a character in a scene file; empty where none is live."""
    options: Any = None
    state: S

    def adopt(self, options: Any, view: WorldView, reference: Reference) -> None:
        """Go by other parameters from the next tick on and remember what was; here for those that every step reads anew."""
        self.options = options

    @abstractmethod
    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Look around once, with everything at its beginning, and set `state`.

        Returns:
            What has to be so before the first tick: the pose to start in, who moves what, what is welded.

        Raises:
            InputError: This character or scene lacks what the behavior needs.
        """

    @abstractmethod
    def step(self, view: WorldView, reference: Reference, state: S) -> Contribution:
        """What this behavior wants of the tick that begins at `reference.time`; the world is there."""


class GroupBehavior(ABC, Generic[S]):
    """One purpose of several characters at once; of the same form as `Behavior`."""

    claims: ClassVar[frozenset[Part]] = frozenset()
    """As in `Behavior`, of every character of the group."""
    options: Any = None
    state: S

    @abstractmethod
    def start(self, view: WorldView, references: Mapping[str, Reference]) -> Mapping[str, Contribution]:
        """See `Behavior.start`; references and contributions are by character."""

    @abstractmethod
    def step(self, view: WorldView, references: Mapping[str, Reference], state: S) -> Mapping[str, Contribution]:
        """See `Behavior.step`; references and contributions are by character."""


class Stateless(Behavior[None]):
    """A behavior that remembers nothing."""

    state: None = None


MakeBehavior = Callable[[], Behavior[Any]]
"""What scenes hold: an object serves one session only."""
