"""Live tempo (Sec. 1, the virtual conductor): beats that are asked for while the gesture runs."""

from __future__ import annotations

import numpy as np

from poise.gesture import Arms, LiveConducting, LiveTempo
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vanwelbergen2009.wrench import walker

__all__ = ["CHECKS"]

_COUNT = 100
_TICK = 1.0 / 30.0
_SECONDS = 4.0


def _rate_error(seed: int, live: bool) -> float:
    """How far the rate of the beats is from the last tempo that was asked for, one second after it was [%]."""
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(60.0, 140.0, 2)
    conducting, arms = LiveConducting(LiveTempo(first)), Arms.of(walker())
    conducting.begin(0.0)
    phases = []
    for tick in range(round(_SECONDS / _TICK)):
        if live and tick == round(1.5 / _TICK):
            conducting.tempo.ask(second)
        conducting.goals(np.array([(tick + 1) * _TICK]), arms)
        phases.append(conducting.tempo.phase)
    late = round(2.5 / _TICK)
    rate = (phases[-1] - phases[late]) / (_TICK * (len(phases) - 1 - late))
    return float(100.0 * abs(60.0 * rate / second - 1.0))


@claim("live tempo", off="no LiveTempo.ask", cases=_COUNT)
def follows(trial: Trial) -> Row:
    """How far beats are from the tempo asked for, in nine of ten changes."""
    errors = [_rate_error(seed, trial.on) for seed in trial.seeds(_COUNT)]
    most = float(np.percentile(errors, 90.0))
    return Row(
        "vanwelbergen2009/live-tempo",
        "A conductor follows the tempo that is asked for while it conducts (60 to 140 beats a minute, changed at any moment): "
        "rate of the beats from one second after the change on, in nine of ten changes within 2 %",
        None,
        most,
        "%",
        most < 2.0,
    )


CHECKS = (follows,)
