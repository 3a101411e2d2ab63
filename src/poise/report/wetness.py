"""What of everybody's skin is wet at a moment of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.fluid import Wetting
from poise.motion.skin import SkinnedMesh
from poise.report.skins import skins_at
from poise.runtime import Session
from poise.signals import Coat

__all__ = ["WetTrack", "Wetness", "wet_tracks"]

_RATE = 15.0
"""How often it is looked whether something got wet [Hz]."""
_DRY = -10.0
"""Of a skin that is dry all over [m]."""


class Wetness:
    """Goes on through a run, from one asked moment to the next.

    Args:
        session: After it was run.
        skins: Of its characters, by name.
    """

    def __init__(self, session: Session, skins: Mapping[str, SkinnedMesh]) -> None:
        self._session, self._skins, self._state = session, skins, 0
        sheets = session.sheets()
        self._wettings = {name: Wetting(sheets, len(mesh)) for name, mesh in skins.items()} if sheets else {}

    def at(self, state: int) -> dict[str, Coat]:
        """By character that is wet, what is on its skin after so many ticks; none before the moment asked for last."""
        recording = self._session.recording()
        every = max(1, round(1.0 / (_RATE * recording.tick)))
        while self._wettings and self._state <= state:
            places = skins_at(self._session, self._skins, recording, self._state)
            for name, wetting in self._wettings.items():
                wetting.advance(places[name], float(recording.times[self._state]))
            self._state += every
        coats = {name: wetting.coat() for name, wetting in self._wettings.items()}
        return {name: coat for name, coat in coats.items() if coat is not None}


@dataclass(frozen=True, eq=False)
class WetTrack:
    """What is wet of a skin over the time of a run.

    Args:
        depths: See `poise.signals.Coat`, shape (T, V) [m].
        color: Linear red, green, blue of what is on it at the end.
        opacity: Of that.
    """

    depths: NDArray[np.float32]
    color: tuple[float, float, float]
    opacity: float


def wet_tracks(session: Session, skins: Mapping[str, SkinnedMesh], states: Sequence[int]) -> dict[str, WetTrack]:
    """By character that gets wet, how that goes over some states of a run, which rise."""
    wetness = Wetness(session, skins)
    if not session.sheets():
        return {}
    coats = [wetness.at(state) for state in states]
    return {
        name: WetTrack(
            np.array([each[name].depths if name in each else np.full(len(skins[name]), _DRY) for each in coats], "f4"),
            last.color,
            last.opacity,
        )
        for name, last in coats[-1].items()
    }
