"""What every page is made of: a template, the viewer's scripts, and a replay that they read."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from string import Template

from poise.report.page.encode import encode
from poise.report.page.replay import Replay
from poise.world.render import FORCE_COLOR, GHOST_COLOR, METERS_PER_NEWTON

__all__ = ["fill_page"]

_SCRIPTS = ("algebra.js", "scene.js", "shaders.js", "shapes.js", "water.js", "painter.js", "camera.js", "player.js")


_ASIDE, _BEFORE = 0.87, 0.4
"""Where one looks from at first: from the side of one figure, from before several that stand beside one another [rad]."""


def fill_page(
    template: str,
    replay: Replay,
    *,
    end: float,
    stops: Sequence[float] = (),
    followed: Sequence[int] = (0,),
    **parts: str,
) -> str:
    """A page that loads nothing: a content security policy forbids it.

    Args:
        template: Its file among the assets.
        replay: What the viewer shows.
        end: When it ends [s].
        stops: Times that "next" and "previous" go to [s].
        followed: Figures that the camera goes along with, all in the picture.
        parts: What else the template asks for, as HTML.
    """
    listing, block = encode(replay)
    figures = [replay.figures[number] for number in followed]
    listing |= {"end": end, "stops": list(stops), "followed": list(followed)}
    listing |= {"ghostColor": GHOST_COLOR, "forceColor": FORCE_COLOR, "metresPerNewton": METERS_PER_NEWTON}
    wide = max(figure.shift[1] for figure in figures) - min(figure.shift[1] for figure in figures)
    listing["view"] = {
        "heading": figures[0].heading,
        "aside": _ASIDE if len(figures) == 1 else _BEFORE,
        "size": max(figure.size for figure in figures) + 0.5 * wide,
        "middle": sum(figure.middle for figure in figures) / len(figures),
    }
    script = "'use strict';\n" + "\n".join(_asset(name) for name in _SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    # A '<' in a name must not end the element that holds it.
    text = json.dumps(listing, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return Template(_asset(template)).substitute(
        parts, style=_asset("page.css"), listing=text, block=block, script=script, digest=digest
    )


def _asset(name: str) -> str:
    return files("poise.report.page").joinpath("assets", name).read_text(encoding="utf-8")
