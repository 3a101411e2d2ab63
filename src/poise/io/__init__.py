"""Layer 2: motion files in and out. Files keep their own axes and units; here they become Poise's and back."""

from poise.io.axes import UNITS, UP_AXES
from poise.io.beats import Beats, read_beats
from poise.io.c3d import is_c3d, read_markers
from poise.io.character import CharacterFile, read_character, write_character, write_own_format
from poise.io.files import read_text, write_bytes
from poise.io.formats import FORMATS, Format, read_clip, write_clip
from poise.io.role_map import read_role_map
from poise.io.yaml_tree import read_yaml

__all__ = [
    "FORMATS",
    "UNITS",
    "UP_AXES",
    "Beats",
    "CharacterFile",
    "Format",
    "is_c3d",
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
