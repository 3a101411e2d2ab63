"""How a world looks: sky, floor and light. None of it touches the physics."""

from __future__ import annotations

import mujoco as mj

__all__ = ["GROUND_MATERIAL", "add_look"]

GROUND_MATERIAL = "ground"
_TILE = 0.5
"""Edge of a floor tile [m]."""
_HORIZON, _ZENITH = (0.93, 0.95, 0.97), (0.72, 0.80, 0.90)
_LIGHT_TILE, _DARK_TILE = (0.80, 0.81, 0.80), (0.74, 0.755, 0.75)


def add_look(spec: mj.MjSpec) -> None:
    """Add a sky, one soft sun, and the material called `GROUND_MATERIAL`, which the floor refers to by name."""
    spec.add_texture(
        name="sky",
        type=mj.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mj.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=_ZENITH,
        rgb2=_HORIZON,
        width=32,
        height=192,
    )
    spec.add_texture(
        name="tiles",
        type=mj.mjtTexture.mjTEXTURE_2D,
        builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=_LIGHT_TILE,
        rgb2=_DARK_TILE,
        width=128,
        height=128,
    )
    ground = spec.add_material(name=GROUND_MATERIAL, texrepeat=[0.5 / _TILE, 0.5 / _TILE], texuniform=True)
    ground.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "tiles"
    ground.specular, ground.shininess = 0.0, 0.0
    spec.worldbody.add_light(
        name="sun",
        type=mj.mjtLightType.mjLIGHT_DIRECTIONAL,
        dir=[0.32, 0.0, -0.947],
        pos=[0.0, 0.0, 6.0],
        diffuse=[0.62, 0.61, 0.58],
        specular=[0.15, 0.15, 0.15],
        castshadow=True,
    )
    visual = spec.visual
    visual.headlight.ambient = [0.36, 0.37, 0.39]
    visual.headlight.diffuse = [0.34, 0.34, 0.34]
    visual.headlight.specular = [0.05, 0.05, 0.05]
    visual.global_.fovy = 21.0
    visual.quality.shadowsize = 2048
    # Lengths of the view are shares of this: near plane, far plane and the reach of the shadow.
    spec.stat.extent = 3.0
    visual.map.znear, visual.map.zfar = 0.05, 60.0
