"""Layer 4: who plays: a clip, its body and how it follows; set on the ground, put onto another skeleton, made to stand."""

from poise.characters.character import Character, CharacterOptions

__all__ = ["Character", "CharacterOptions"]
