"""GLB, glTF and VRM files: characters with their meshes and animations, in and out."""

from poise.io.gltf.append_animation import append_animation
from poise.io.gltf.film import Film, add_film
from poise.io.gltf.read import GltfCharacter, read_gltf, read_gltf_clip
from poise.io.gltf.write import write_glb

__all__ = ["Film", "GltfCharacter", "add_film", "append_animation", "read_gltf", "read_gltf_clip", "write_glb"]
