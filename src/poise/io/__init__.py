"""Layer 2: motion files in and out. Files keep their own axes and units; here they become Poise's and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.io.axes import UNITS, UP_AXES
    from poise.io.beats import Beats, read_beats
    from poise.io.c3d import is_c3d, read_markers
    from poise.io.character import CharacterFile, read_character, write_character, write_own_format
    from poise.io.files import read_text, write_bytes
    from poise.io.formats import FORMATS, Format, read_clip, write_clip
    from poise.io.role_map import read_role_map
    from poise.io.yaml_tree import compose_yaml, line_of, parse_yaml, read_yaml
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.io.axes": (
                "UNITS",
                "UP_AXES",
            ),
            "poise.io.beats": (
                "Beats",
                "read_beats",
            ),
            "poise.io.c3d": (
                "is_c3d",
                "read_markers",
            ),
            "poise.io.character": (
                "CharacterFile",
                "read_character",
                "write_character",
                "write_own_format",
            ),
            "poise.io.files": (
                "read_text",
                "write_bytes",
            ),
            "poise.io.formats": (
                "FORMATS",
                "Format",
                "read_clip",
                "write_clip",
            ),
            "poise.io.role_map": ("read_role_map",),
            "poise.io.yaml_tree": ("compose_yaml", "line_of", "parse_yaml", "read_yaml"),
        },
    )

__all__ = [
    "FORMATS",
    "UNITS",
    "UP_AXES",
    "Beats",
    "CharacterFile",
    "Format",
    "compose_yaml",
    "is_c3d",
    "line_of",
    "parse_yaml",
    "read_beats",
    "read_character",
    "read_clip",
    "read_markers",
    "read_role_map",
    "read_text",
    "read_yaml",
    "write_bytes",
    "write_character",
    "write_clip",
    "write_own_format",
]
