"""The rest of a crowd in the session of those of its members who are watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Contribution, GroupBehavior, Reference
from poise.crowd.crowd import STEP, Crowd
from poise.crowd.seats import Seats
from poise.crowd.tally import EVERY, Tally
from poise.errors import InputError
from poise.world.view import WorldView

__all__ = ["Extras", "ExtrasState"]

Array = NDArray[np.float64]


@dataclass
class ExtrasState:
    """The crowd, which keeps what it remembers by itself, and who of it stands."""

    crowd: Crowd
    tally: Tally


class Extras(GroupBehavior[ExtrasState]):
    """Plays those of a crowd who are not watched along with those who are, and tells who of them falls.

    Args:
        make: Makes the crowd of the others, in order of their numbers.
        names: Of everybody; a session's characters are some of them.
        seats: Of everybody, to be looked at: each of the others stands at the origin by itself.
    """

    def __init__(self, make: Callable[[], Crowd], names: Sequence[str], seats: Seats) -> None:
        self._make, self.names, self.seats = make, tuple(names), seats

    def start(self, view: WorldView, references: Mapping[str, Reference]) -> Mapping[str, Contribution]:
        """Take up their places; raises `InputError` where the session's substep is not the crowd's, or names are not right."""
        if abs(view.substep - STEP) > 1e-12:
            raise InputError(f"a crowd is stepped every {STEP:g} s; the session's substep is {view.substep:g} s")
        self.others = tuple(name for name in self.names if name not in references)
        crowd = self._make()
        if len(crowd) != len(self.others):
            raise InputError(f"{len(self.others)} of the crowd are not watched, but {len(crowd)} were made")
        self.state = ExtrasState(crowd, Tally.begin(crowd))
        return {}

    def step(
        self, view: WorldView, references: Mapping[str, Reference], state: ExtrasState
    ) -> Mapping[str, Contribution]:
        """Play them to the end of the tick."""
        name, reference = next(iter(references.items()))
        wanted, crowd = Contribution(reference), state.crowd
        for _ in range(len(reference.times)):
            crowd.step()
            if crowd.steps % EVERY == 0:
                for number in state.tally.look(crowd).tolist():
                    wanted.tell(crowd.time, "fell", self.others[number])
        return {name: wanted}

    def everybody(self, watched: Mapping[str, Array]) -> Array:
        """Generalized positions of all at their seats, shape (N, nq).

        Args:
            watched: Those of the session's characters, (nq,) each, of whom the first is at the origin.
        """
        first = self.seats.of(self.names.index(next(iter(watched))))
        result = np.zeros((len(self.names), len(next(iter(watched.values())))))
        for name, positions in watched.items():
            result[self.names.index(name)] = first.seated(positions[None])[0]
        numbers = [self.names.index(name) for name in self.others]
        result[numbers] = Seats(*(part[numbers] for part in self.seats)).seated(self.state.crowd.places())
        return result
