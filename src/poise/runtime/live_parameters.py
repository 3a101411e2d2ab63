"""Parameters that change while a session runs: whose they are, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from poise.behaviors import Reference
from poise.characters.character import CharacterOptions
from poise.errors import InputError, unknown_name
from poise.parameters import changed, declared
from poise.runtime.cast import Acting, Cast
from poise.world.view import WorldView

__all__ = ["bring_back", "change_parameter"]


def change_parameter(
    cast: Cast, view: WorldView, reference: Reference, options: CharacterOptions, stated: tuple[str, Any]
) -> None:
    """Let a character go by another value of one parameter from the next tick on.

    Args:
        cast: Who acts.
        view: The world.
        reference: What the character is meant to do.
        options: How it was made.
        stated: The parameter's name, as in a scene file, and its value.

    Raises:
        InputError: There is no such parameter, the value is not allowed, or it is settled when a session begins.
    """
    name, value = stated
    own = [each for each in cast.acting if isinstance(each, Acting) and each.reference is reference]
    acting = {each.behavior.called: each for each in own if each.behavior.called}
    group, _, rest = name.partition(".")
    try:
        if group in acting:
            acting[group].adopt(changed(acting[group].behavior.options, rest, value), view)
        elif group in declared(CharacterOptions):
            now = replace(options, tension=reference.tension)
            reference.set_tension(changed(now, name, value).tension)
        else:
            raise unknown_name("parameter", group, [*acting, *declared(CharacterOptions)])
    except InputError as error:
        place = ".".join(filter(None, (group if group in acting else "", error.place)))
        raise InputError(error.problem, source=reference.name, place=place) from error


def bring_back(cast: Cast, view: WorldView, options: Sequence[Any]) -> None:
    """Let everything that acts go by the parameters it had, in the order in which it acts."""
    for acting, own in zip(cast.acting, options, strict=True):
        if isinstance(acting, Acting) and acting.behavior.options != own:
            acting.adopt(own, view)
