"""Pictures of this paper's experiments, written whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from poise.io.files import write_bytes

__all__ = ["save", "save_image"]


def save(sheet: Any, folder: Path, name: str) -> Path:
    """Write a figure as `vanwelbergen2009_<name>.png` into `folder`; its path."""
    content = io.BytesIO()
    sheet.savefig(content, format="png", dpi=110)
    return _write(content, folder, name)


def save_image(pixels: NDArray[np.uint8], folder: Path, name: str) -> Path:
    """Write an image (height, width, 3) as `vanwelbergen2009_<name>.png` into `folder`; its path."""
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, format="png")
    return _write(content, folder, name)


def _write(content: io.BytesIO, folder: Path, name: str) -> Path:
    path = folder / f"vanwelbergen2009_{name}.png"
    write_bytes(path, content.getvalue())
    return path
