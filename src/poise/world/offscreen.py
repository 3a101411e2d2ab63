"""A place to draw without a screen: MuJoCo's renderer on whatever OpenGL library this machine has."""

from __future__ import annotations

import atexit
import ctypes.util
import importlib
import os
import sys
import weakref
from typing import Any

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

__all__ = ["NoRenderer", "Offscreen"]

_LIBRARIES = {"osmesa": "OSMesa", "egl": "EGL"}
"""What MuJoCo calls each way of drawing, and the library it needs; the first draws the same everywhere."""
_PACKAGES = (
    "install libosmesa6 (or libegl1 and libgl1-mesa-dri) with the system's package manager, as in `apt-get install`"
)
_OFF = ("disable", "disabled", "off", "false", "0")


class NoRenderer(PoiseError):
    """Pictures cannot be drawn on this machine; the message says what would help."""


def _backend() -> str:
    """Which of MuJoCo's ways of drawing to use: the one `MUJOCO_GL` asks for, else the first whose library is here."""
    asked = os.environ.get("MUJOCO_GL", "").strip().lower()
    if asked in _OFF:
        raise NoRenderer(f"pictures are switched off by MUJOCO_GL={asked}; unset it to draw them")
    if sys.platform != "linux":
        return "native"
    for name in [asked] if asked in _LIBRARIES else _LIBRARIES:
        if ctypes.util.find_library(_LIBRARIES[name]):
            return name
    wanted = _LIBRARIES.get(asked, "OSMesa or EGL")
    raise NoRenderer(f"pictures need the OpenGL library {wanted}, which is not here; {_PACKAGES}")


def _open(model: mj.MjModel, width: int, height: int) -> tuple[mj.MjrContext, Any]:
    """A model's pictures in an OpenGL context of their own, made current, and that context.

    `import mujoco` binds its own `Renderer` to whatever `MUJOCO_GL` says at that moment, a screen by default. The context
    classes can be used directly at any later time, so nothing has to be set before the import.
    """
    name = _backend()
    before = os.environ.get("MUJOCO_GL")
    try:
        if name != "native":
            # MuJoCo's C part asks it which library to take the functions from.
            os.environ["MUJOCO_GL"] = name
        maker = mj.GLContext if name == "native" else importlib.import_module(f"mujoco.{name}").GLContext
        screen = maker(width, height)
        screen.make_current()
        return mj.MjrContext(model, mj.mjtFontScale.mjFONTSCALE_100.value), screen
    except Exception as error:  # The bindings raise whatever their library happens to raise.
        raise NoRenderer(f"the OpenGL library for {name} does not work here ({error}); {_PACKAGES}") from error
    finally:
        if before is None:
            os.environ.pop("MUJOCO_GL", None)
        else:
            os.environ["MUJOCO_GL"] = before


def _close(context: mj.MjrContext, screen: Any) -> None:
    screen.make_current()
    context.free()
    screen.free()


class Offscreen:
    """Draws scenes of one model into arrays.

    Args:
        model: The model; its buffer size is rewritten.
        width: Of a picture [pixels].
        height: Of a picture [pixels].

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """

    def __init__(self, model: mj.MjModel, width: int, height: int) -> None:
        model.vis.global_.offwidth, model.vis.global_.offheight = width, height
        context, screen = _open(model, width, height)
        mj.mjr_setBuffer(mj.mjtFramebuffer.mjFB_OFFSCREEN.value, context)
        self._screen, self._context = screen, context
        self._frame = mj.MjrRect(0, 0, width, height)
        self._pixels = np.zeros((height, width, 3), dtype=np.uint8)
        self._finalizer = weakref.finalize(self, _close, context, screen)
        # At exit this must come before the bindings' own, registered earlier; a finalizer's usual turn may be too late.
        self._finalizer.atexit = False
        atexit.register(self._finalizer)

    def cast_shadows(self, reach: float) -> None:
        """How far from the sun's axis there are shadows [m]."""
        self._context.shadowClip = reach

    def draw(self, scene: mj.MjvScene) -> NDArray[np.uint8]:
        """The scene as an image, shape (height, width, 3)."""
        self._screen.make_current()
        mj.mjr_render(self._frame, scene, self._context)
        mj.mjr_readPixels(self._pixels, None, self._frame, self._context)
        return self._pixels[::-1].copy()

    def upload(self, model: mj.MjModel, mesh: int) -> None:
        """Take over a mesh of the model whose vertices were changed."""
        self._screen.make_current()
        mj.mjr_uploadMesh(model, self._context, mesh)

    def close(self) -> None:
        """Give the memory back; happens by itself when the object goes."""
        self._finalizer()
        atexit.unregister(self._finalizer)
