"""Fixtures every test may use."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# The same examples every time, and no deadline: the first example of a test may compile a kernel.
settings.register_profile("poise", derandomize=True, deadline=None)
settings.load_profile("poise")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real clips beside the project; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("../shared/data is not here")
    return SHARED


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20220222)
