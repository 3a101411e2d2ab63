"""A page with every run: a strip of its moments, and its numbers beside the bars."""

from __future__ import annotations

import html
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
from PIL import Image

from poise.io.files import write_bytes
from poise.report.strip import write_strip
from poise.reproductions.motion.bars import BARS, GROUPS
from poise.reproductions.motion.clips import HELD_OUT, SHIPPED, sources
from poise.reproductions.motion.runs import TENSIONS, Run, clip_run, play, runs, scene_run
from poise.world.render import NoRenderer
from poise.world.world import Divergence

__all__ = ["write_page"]

_WIDE = 1400
_STYLE = """body{font:14px/1.4 system-ui,sans-serif;margin:24px;max-width:1460px;color:#1e2228}
img{width:100%;height:auto}table{border-collapse:collapse;font-size:12px;margin:4px 0 28px}
td,th{padding:1px 9px;text-align:right;border-bottom:1px solid #e2e5ea}th{font-weight:500;color:#606670}
.bad{color:#b3261e;font-weight:600}h3{margin:26px 0 4px}nav a{margin-right:14px}"""


def write_page(folder: Path) -> Path:
    """Write `motion.html` into a folder, with a strip of every run at the usual tension, and `motion.json`."""
    every = runs(False)
    facts = [asdict(run) for run in every]
    write_bytes(folder / "motion.json", (json.dumps(_plain(facts), indent=1, allow_nan=False) + "\n").encode())
    parts = [f"<!doctype html><meta charset=utf-8><title>Motion quality</title><style>{_STYLE}</style>"]
    parts.append("<h1>Motion quality: every run</h1><nav>")
    parts += [f'<a href="#{group}">{html.escape(text)}</a>' for group, text in GROUPS.items()]
    tuned, held = ", ".join(source.name for source in SHIPPED), len(HELD_OUT)
    parts.append(f"</nav><p>Tuned on: {tuned}. Held out: {held} clips. Red is beyond its bar.</p>")
    for group, text in GROUPS.items():
        parts.append(f'<h2 id="{group}">{html.escape(text.capitalize())}</h2>')
        names = dict.fromkeys(run.name for run in every if run.group == group)
        for name in names:
            same = [run for run in every if run.group == group and run.name == name]
            parts.append(f"<h3>{html.escape(name)}, {html.escape(same[0].kind)}</h3>")
            picture = _strip(folder, same[0])
            parts.append(f'<img loading=lazy src="{picture.name}">' if picture else "<p>no picture</p>")
            parts.append(_table(same))
    target = folder / "motion.html"
    write_bytes(target, "\n".join(parts).encode())
    return target


def _plain(value: object) -> object:
    """With None for numbers that are not finite."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _table(same: list[Run]) -> str:
    head = "".join(f"<th>{bar.id.replace('-', ' ')}" for bar in BARS)
    lines = [f"<table><tr><th>tension{head}"]
    for run in same:
        for who, numbers in run.numbers.items():
            label = f"{run.tension:g} Hz" + (f" {html.escape(who)}" if len(run.numbers) > 1 else "")
            cells = []
            for bar in BARS:
                value = float(getattr(numbers, bar.number))
                shown_value = f"{value:.3g}" if np.isfinite(value) else "–"
                cells.append(f"<td{'' if bar.within(value) else ' class=bad'}>{shown_value}")
            lines.append(f"<tr><th>{label}{''.join(cells)}")
        if run.error:
            lines.append(f"<tr><th>{run.tension:g} Hz<td class=bad colspan={len(BARS)}>{html.escape(run.error)}")
    return "\n".join([*lines, "</table>"])


def _strip(folder: Path, run: Run) -> Path | None:
    """A strip of the run at the usual tension, None where it diverges or nothing can paint."""
    target = folder / f"{run.group}_{run.name}.jpg"
    try:
        if run.group == "scenes":
            scene = scene_run(run.name, TENSIONS[1])
        else:
            source = next(each for each in sources(quick=False) if each.name == run.name and each.kind == run.kind)
            scene = clip_run(source, TENSIONS[1], anticipate=run.group == "clips-anticipate")
        session, _ = play(scene)
        temporary = folder / f".{run.group}_{run.name}.png"
        write_strip(temporary, session, moments=8, title=run.name)
    except (Divergence, NoRenderer):
        return None
    with Image.open(temporary) as picture:
        size = (_WIDE, round(_WIDE * picture.height / picture.width))
        picture.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(target, quality=82)
    temporary.unlink()
    return target
