"""What a run leaves behind beside motion, recording and metrics: ways of waders, surfaces of fluids, a crowd's picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from poise.report.crowd import crowd_stories, extras_of, write_crowd
from poise.report.wading import live_stories, live_waders, wading_story, write_sheet, write_wading
from poise.runtime.session import Session
from poise.wading import Waded
from poise.world.render import NoRenderer

__all__ = ["write_side_results"]


def write_side_results(
    folder: Path, name: str, session: Session, wading: Mapping[str, Waded]
) -> tuple[list[Path], list[str]]:
    """Write them into a folder that is there.

    Args:
        folder: Where to.
        name: Of what was run.
        session: After it was run.
        wading: Who waded before the session played it, by name.

    Returns:
        The files, and what there is to say.

    Raises:
        InputError: A file cannot be written.
    """
    files: list[Path] = []
    notes = [*crowd_stories(session), *(wading_story(who, waded) for who, waded in wading.items())]
    notes += live_stories(session)
    for who, record in {**{who: waded.record for who, waded in wading.items()}, **live_waders(session)}.items():
        files.append(folder / f"{who}_wading.csv")
        write_wading(files[-1], record)
    # Beside a character that goes back onto a USD stage its water is one as well.
    sources = [who.prepared.source for who in session.characters.values()]
    codes = next((source.rate for source in sources if source.source.format == "usd"), None)
    endings = [".glb"] if codes is None else [".glb", ".usdc"]
    for sheet in session.sheets():
        for ending in endings:
            files.append(folder / f"{name}_{sheet.name}{ending}")
            write_sheet(files[-1], sheet, codes)
    extras = extras_of(session)
    if extras is not None:
        try:
            write_crowd(folder / f"{name}_crowd.png", session, extras)
            files.append(folder / f"{name}_crowd.png")
        except NoRenderer as error:
            notes.append(f"no picture of everybody: {error}")
    return files, notes
