"""Every claim about reaction, coupling, filter and crowd holds; those that are times are left to `poise reproduce`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from poise.reproductions.row import Row
from poise.reproductions.vanwelbergen2009 import coupling, filtering, orchestra, wrench

CHECKS = [check for module in (wrench, coupling, filtering, orchestra) for check in module.CHECKS]


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_claim_holds(check: Callable[[], Row]) -> None:
    if check in (wrench.cost, orchestra.real_time):
        pytest.skip("a time")
    row = check()
    assert row.id.startswith("vanwelbergen2009/")
    assert row.holds, row
