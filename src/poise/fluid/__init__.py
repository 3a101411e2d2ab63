"""Layer 3: what a fluid does to a moving mesh, and the mesh to the fluid's surface. Arrays in, arrays out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.fluid.drag import (
        REFERENCE_AREA,
        Drag,
        DragForm,
        drag_on,
        drag_torque,
        polygon_coefficients,
        turning_damping,
    )
    from poise.fluid.floating import FloatingMesh, Floats, box_mesh, float_on, merged, sphere_mesh
    from poise.fluid.flow import GRAVITY, Turbulence, Wave
    from poise.fluid.fluids import FLUIDS, Fluid, fluid_of_density, named_fluid
    from poise.fluid.submersion import Submerged, added_mass, buoyancy, submerged_part
    from poise.fluid.surface import SurfaceGrid, WaterSurface
    from poise.fluid.volume import FluidVolume
    from poise.fluid.wetting import Wetting, depths_under
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.fluid.drag": (
                "REFERENCE_AREA",
                "Drag",
                "DragForm",
                "drag_on",
                "drag_torque",
                "polygon_coefficients",
                "turning_damping",
            ),
            "poise.fluid.floating": (
                "FloatingMesh",
                "Floats",
                "box_mesh",
                "float_on",
                "merged",
                "sphere_mesh",
            ),
            "poise.fluid.flow": (
                "GRAVITY",
                "Turbulence",
                "Wave",
            ),
            "poise.fluid.fluids": (
                "FLUIDS",
                "Fluid",
                "fluid_of_density",
                "named_fluid",
            ),
            "poise.fluid.submersion": (
                "Submerged",
                "added_mass",
                "buoyancy",
                "submerged_part",
            ),
            "poise.fluid.surface": (
                "SurfaceGrid",
                "WaterSurface",
            ),
            "poise.fluid.volume": ("FluidVolume",),
            "poise.fluid.wetting": (
                "Wetting",
                "depths_under",
            ),
        },
    )

__all__ = [
    "FLUIDS",
    "GRAVITY",
    "REFERENCE_AREA",
    "Drag",
    "DragForm",
    "FloatingMesh",
    "Floats",
    "Fluid",
    "FluidVolume",
    "Submerged",
    "SurfaceGrid",
    "Turbulence",
    "WaterSurface",
    "Wave",
    "Wetting",
    "added_mass",
    "box_mesh",
    "buoyancy",
    "depths_under",
    "drag_on",
    "drag_torque",
    "float_on",
    "fluid_of_density",
    "merged",
    "named_fluid",
    "polygon_coefficients",
    "sphere_mesh",
    "submerged_part",
    "turning_damping",
]
