"""Layer 3: what a fluid does to a moving mesh, and the mesh to the fluid's surface. Arrays in, arrays out."""

from poise.fluid.drag import REFERENCE_AREA, Drag, DragForm, drag_on, drag_torque, polygon_coefficients
from poise.fluid.flow import GRAVITY, Turbulence, Wave
from poise.fluid.fluids import FLUIDS, Fluid, fluid_of_density, named_fluid
from poise.fluid.submersion import Submerged, added_mass, buoyancy, submerged_part
from poise.fluid.surface import SurfaceGrid, WaterSurface
from poise.fluid.volume import FluidVolume

__all__ = [
    "FLUIDS",
    "GRAVITY",
    "REFERENCE_AREA",
    "Drag",
    "DragForm",
    "Fluid",
    "FluidVolume",
    "Submerged",
    "SurfaceGrid",
    "Turbulence",
    "WaterSurface",
    "Wave",
    "added_mass",
    "buoyancy",
    "drag_on",
    "drag_torque",
    "fluid_of_density",
    "named_fluid",
    "polygon_coefficients",
    "submerged_part",
]
