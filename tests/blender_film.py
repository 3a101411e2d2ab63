"""Run by Blender's Python: area of the wet film of a GLB per frame, as JSON.

Usage: blender_film.py FILE TARGET FRAMES_PER_SECOND
"""

import json
import sys

import bpy

path, target, rate = sys.argv[1:4]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = int(rate)
bpy.ops.import_scene.gltf(filepath=path)
film = next(thing for thing in bpy.data.objects if thing.type == "MESH" and thing.name.startswith("wet"))
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
first, last = (round(end) for end in armature.animation_data.action.frame_range)
areas = []
for frame in range(first, last + 1):
    scene.frame_set(frame)
    posed = film.evaluated_get(bpy.context.evaluated_depsgraph_get())
    areas.append(sum(face.area for face in posed.data.polygons))
with open(target, "w", encoding="utf-8") as out:
    json.dump(areas, out)
