"""Drag, buoyancy and flow against closed forms."""

import numpy as np
import pytest
import trimesh

from poise.errors import InputError
from poise.fluid import (
    FLUIDS,
    REFERENCE_AREA,
    DragForm,
    Fluid,
    FluidVolume,
    Turbulence,
    Wave,
    added_mass,
    buoyancy,
    drag_on,
    drag_torque,
    fluid_of_density,
    named_fluid,
    polygon_coefficients,
    submerged_part,
    turning_damping,
)

STEP = 1.0 / 60.0
PLAIN = Fluid(name="plain", density=1000.0, coefficient=1.1)
DEEP = FluidVolume(fluid=PLAIN, level=50.0, depth=60.0)


def arrays(mesh):
    return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)


def moved(vertices, velocity):
    return vertices - STEP * np.asarray(velocity)


def finer(mesh, times=1):
    for _ in range(times):
        mesh = mesh.subdivide()
    return mesh


def plate(width=0.3, height=0.5, cells=1):
    """A thin box of which only the side facing x is run into by a flow along x."""
    return finer(trimesh.creation.box((1e-4, width, height)), cells)


def test_a_sphere_shows_the_flow_its_disk():
    vertices, faces = arrays(trimesh.creation.icosphere(4, radius=0.2))
    drag = drag_on(vertices, moved(vertices, (1.5, 0.0, 0.0)), faces, DEEP, STEP)
    expected = 0.5 * 1000.0 * 1.1 * np.pi * 0.2**2 * 1.5**2
    assert drag.force[0] == pytest.approx(-expected, rel=0.02)
    assert np.abs(drag.force[1:]).max() < 1e-6 * expected
    assert drag.area == pytest.approx(np.pi * 0.2**2, rel=0.02)
    # Pressure falls with the cosine from the pole: its middle lies at two thirds of the radius.
    assert drag.center[0] == pytest.approx(2.0 / 3.0 * 0.2, rel=0.02)


@pytest.mark.parametrize("angle", [0.0, 30.0, 60.0])
def test_a_plate_shows_the_flow_its_area_times_the_cosine(angle):
    vertices, faces = arrays(plate())
    turn = np.radians(angle)
    velocity = 2.0 * np.array([np.cos(turn), np.sin(turn), 0.0])
    drag = drag_on(vertices, moved(vertices, velocity), faces, DEEP, STEP)
    expected = 0.5 * 1000.0 * 1.1 * 0.15 * np.cos(turn) * 4.0
    assert np.linalg.norm(drag.force) == pytest.approx(expected, rel=0.02)
    np.testing.assert_allclose(drag.force / np.linalg.norm(drag.force), -velocity / 2.0, atol=1e-9)


def test_a_cylinder_across_the_flow_shows_its_diameter():
    vertices, faces = arrays(trimesh.creation.cylinder(0.06, 0.45, sections=64))
    drag = drag_on(vertices, moved(vertices, (0.0, 1.4, 0.0)), faces, DEEP, STEP)
    assert drag.force[1] == pytest.approx(-0.5 * 1000.0 * 1.1 * 0.12 * 0.45 * 1.4**2, rel=0.02)


def test_a_swinging_plate_is_held_back_as_the_integral_says():
    mesh = plate(0.1, 0.8, 5)
    vertices, faces = arrays(mesh)
    vertices[:, 2] -= 0.4
    rate, turn = 3.0, 3.0 * STEP / 2.0
    swing = lambda t: np.array([[np.cos(t), 0, np.sin(t)], [0, 1, 0], [-np.sin(t), 0, np.cos(t)]])  # noqa: E731
    drag = drag_on(vertices @ swing(turn).T, vertices @ swing(-turn).T, faces, DEEP, STEP)
    expected = 0.5 * 1000.0 * 1.1 * 0.1 * rate**2 * 0.8**4 / 4.0
    assert abs(drag.moment[1]) == pytest.approx(expected, rel=0.02)
    # Equation 7 puts the whole force at the center of pressure; for parallel forces that is the same torque.
    assert drag_torque(drag, np.zeros(3))[1] == pytest.approx(drag.moment[1], rel=0.02)
    # Force is square in the distance, so pressure's middle lies at three quarters of the length.
    assert -drag.center[2] == pytest.approx(0.6, rel=0.02)


@pytest.mark.parametrize("form", list(DragForm))
def test_finer_triangles_change_the_force_only_in_the_printed_form(form):
    mesh = trimesh.creation.icosphere(2, radius=0.2)
    volume = FluidVolume(fluid=FLUIDS["mud"], level=0.05, depth=1.0)
    forces = []
    for each in (mesh, finer(mesh)):
        vertices, faces = arrays(each)
        forces.append(
            np.linalg.norm(drag_on(vertices, moved(vertices, (0.8, 0.0, 0.0)), faces, volume, STEP, form=form).force)
        )
    changed = abs(forces[1] / forces[0] - 1.0)
    assert changed < 0.01 if form is DragForm.YIELD else changed > 1.0


def test_the_offset_is_a_force_on_the_reference_area_at_any_speed():
    paste = Fluid(name="paste", density=1000.0, coefficient=0.0, offset=40.0)
    vertices, faces = arrays(plate(0.2, 0.5))
    for speed in (0.5, 1.0, 4.0):
        volume = FluidVolume(fluid=paste, level=9.0)
        drag = drag_on(vertices, moved(vertices, (speed, 0.0, 0.0)), faces, volume, STEP)
        assert drag.force[0] == pytest.approx(-40.0 * 0.1 / REFERENCE_AREA, rel=0.02)


def test_the_viscous_share_of_the_offset_grows_with_the_speed():
    vertices, faces = arrays(plate(0.2, 0.5))
    for speed, expected in ((0.5, 30.0), (1.0, 40.0), (4.0, 100.0)):
        paste = Fluid(name="paste", density=1000.0, coefficient=0.0, offset=40.0, viscous=0.5)
        volume = FluidVolume(fluid=paste, level=9.0)
        drag = drag_on(vertices, moved(vertices, (speed, 0.0, 0.0)), faces, volume, STEP)
        assert drag.force[0] == pytest.approx(-expected * 0.1 / REFERENCE_AREA, rel=0.02)


def test_the_printed_coefficient_is_equation_8():
    vertices, faces = arrays(plate(0.2, 0.5, 0))
    mud = FLUIDS["mud"]
    told = polygon_coefficients(
        vertices, moved(vertices, (2.0, 0.0, 0.0)), faces, FluidVolume(fluid=mud, level=9.0), STEP
    )
    np.testing.assert_allclose(told, mud.coefficient + mud.offset / (mud.density * 0.05 * 4.0), rtol=1e-6)


def test_damping_is_the_slope_of_the_force():
    vertices, faces = arrays(trimesh.creation.capsule(0.4, 0.1, count=(16, 16)))
    volume = FluidVolume(fluid=PLAIN, level=0.1, current=(0.2, -0.1, 0.05))
    velocity = np.array([1.2, 0.4, -0.3])
    drag = drag_on(vertices, moved(vertices, velocity), faces, volume, STEP)
    for axis in range(3):
        pair = [
            drag_on(vertices, moved(vertices, velocity + sign * 1e-5 * np.eye(3)[axis]), faces, volume, STEP).force
            for sign in (1.0, -1.0)
        ]
        np.testing.assert_allclose(-(pair[0] - pair[1]) / 2e-5, drag.damping[:, axis], rtol=2e-3, atol=0.2)


def test_a_body_that_drifts_with_the_current_feels_nothing():
    vertices, faces = arrays(trimesh.creation.icosphere(2, radius=0.2))
    volume = FluidVolume(fluid=PLAIN, level=9.0, current=(0.7, 0.2, 0.0))
    still = drag_on(vertices, vertices, faces, volume, STEP)
    along = drag_on(vertices, moved(vertices, (0.7, 0.2, 0.0)), faces, volume, STEP)
    assert still.force[0] > 10.0
    assert np.linalg.norm(along.force) < 1e-9 * np.linalg.norm(still.force)


def test_nothing_is_dragged_above_the_surface_or_beside_the_volume():
    vertices, faces = arrays(trimesh.creation.icosphere(2, radius=0.2))
    before = moved(vertices, (1.0, 0.0, 0.0))
    for volume in (
        FluidVolume(fluid=PLAIN, level=-0.3),
        FluidVolume(fluid=PLAIN, level=9.0, center=(5.0, 0.0), size=(8.0, 8.0)),
    ):
        assert drag_on(vertices, before, faces, volume, STEP).total == 0.0
        assert drag_torque(drag_on(vertices, before, faces, volume, STEP), np.zeros(3)).tolist() == [0.0, 0.0, 0.0]


def test_a_ball_displaces_its_spherical_cap():
    vertices, faces = arrays(trimesh.creation.icosphere(4, radius=0.3))
    for level in (-0.1, 0.0, 0.17):
        part = submerged_part(vertices, faces, FluidVolume(fluid=PLAIN, level=level))
        height = level + 0.3
        cap = np.pi * height**2 * (0.9 - height) / 3.0
        assert part.volume == pytest.approx(cap, rel=0.01)
        middle = 3.0 * (2.0 * 0.3 - height) ** 2 / (4.0 * (0.9 - height))
        assert part.center[2] == pytest.approx(-middle, abs=0.002)
        assert buoyancy(part, 1000.0) == pytest.approx(9810.0 * cap, rel=0.01)
        assert added_mass(part, 1000.0) == pytest.approx(1000.0 * cap, rel=0.01)


def test_a_wave_travels_as_dispersion_says_and_moves_water_in_circles_when_deep():
    wave = Wave(amplitude=0.1, length=3.0)
    volume = FluidVolume(fluid=PLAIN, level=0.0, depth=20.0, waves=(wave,))
    number = 2.0 * np.pi / 3.0
    pulse = np.sqrt(9.81 * number)
    times = np.linspace(0.0, 2.0, 9)
    for t in times:
        assert volume.depths([0.4, 0.0, 0.0], t) == pytest.approx(0.1 * np.cos(number * 0.4 - pulse * t), abs=1e-6)
        u, _, w = volume.flow([0.4, 0.0, -0.5], t)
        assert np.hypot(u, w) == pytest.approx(0.1 * pulse * np.exp(-0.5 * number), rel=1e-3)


def test_waves_and_eddies_neither_appear_nor_vanish():
    volume = FluidVolume(
        fluid=PLAIN, level=0.0, depth=1.2, waves=(Wave(amplitude=0.1, length=2.0, heading=0.4),),
        turbulence=Turbulence(speed=0.3, seed=4),
    )  # fmt: skip
    spots = np.random.default_rng(0).uniform(-1.0, -0.1, (50, 3))
    grid, h = np.eye(3), 1e-4
    divergence = sum(
        (volume.flow(spots + h * grid[n], 0.3)[:, n] - volume.flow(spots - h * grid[n], 0.3)[:, n]) / (2 * h)
        for n in range(3)
    )
    assert np.abs(divergence).max() < 1e-4


def test_eddies_have_the_speed_they_are_given_and_come_again_with_their_seed():
    spots = np.random.default_rng(0).uniform(-20.0, 20.0, (4000, 3))

    def eddies(seed):
        return FluidVolume(fluid=PLAIN, level=0.0, turbulence=Turbulence(speed=0.3, seed=seed)).flow(spots)

    assert np.sqrt(np.mean(eddies(1) ** 2)) == pytest.approx(0.3, rel=0.05)
    np.testing.assert_array_equal(eddies(1), eddies(1))
    assert not np.array_equal(eddies(1), eddies(2))


def test_fluids_are_told_by_name_or_density_and_checked():
    assert named_fluid("mud").density == 1840.0
    order = [FLUIDS[name].offset for name in ("water", "mud", "goo")]
    assert order == sorted(order)
    assert fluid_of_density("brine", 1200.0).coefficient == pytest.approx(1.1, abs=0.01)
    with pytest.raises(InputError, match="honey"):
        named_fluid("honey")
    for wrong in (
        lambda: Fluid(name="x", density=-1.0, coefficient=1.0),
        lambda: Fluid(name="x", density=float("nan"), coefficient=1.0),
        lambda: Wave(amplitude=1.0, length=2.0),
        lambda: Turbulence(speed=-1.0),
        lambda: FluidVolume(fluid=PLAIN, level=0.0, depth=0.0),
        lambda: FluidVolume(fluid=PLAIN, level=0.0, current=(50.0, 0.0, 0.0)),
        lambda: FluidVolume(fluid=PLAIN, level=float("inf")),
        lambda: drag_on(np.zeros((3, 3)), np.zeros((3, 3)), np.array([[0, 1, 2]]), DEEP, 0.0),
    ):
        with pytest.raises(InputError):
            wrong()


def test_torque_falls_with_the_rate_of_turning_by_what_the_drag_says():
    """Of a box that goes and turns a little faster and slower, about all three axes, in mud."""
    mesh = trimesh.creation.box((0.3, 0.5, 0.9)).subdivide().subdivide()
    vertices, faces = np.array(mesh.vertices), np.array(mesh.faces, dtype=np.int64)
    volume, step, about = FluidVolume(fluid=FLUIDS["mud"], level=9.0), 1e-3, np.array([0.1, 0.0, 0.2])

    def turning(rates):
        moved = np.array([0.8, 0.3, 0.2]) + np.cross(rates, vertices - about)
        drag = drag_on(vertices, vertices - step * moved, faces, volume, step)
        return drag, drag.moment - np.cross(about, drag.force)

    drag, _ = turning(np.zeros(3))
    vertical, level = turning_damping(drag, about)
    measured = [(turning(-0.05 * axis)[1] - turning(0.05 * axis)[1]) @ axis / 0.1 for axis in np.eye(3)]
    # Every triangle's own fall is taken as alike in all directions, and the two level axes as one.
    assert vertical == pytest.approx(measured[2], rel=0.4)
    assert level == pytest.approx(0.5 * (measured[0] + measured[1]), rel=0.4)
