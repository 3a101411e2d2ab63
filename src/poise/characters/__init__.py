"""Layer 4: who plays: a clip, its body and how it follows; set on the ground, put onto another skeleton, made to stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.characters.character import Character
    from poise.characters.options import CharacterOptions
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.characters.character": ("Character",),
            "poise.characters.options": ("CharacterOptions",),
        },
    )

__all__ = ["Character", "CharacterOptions"]
