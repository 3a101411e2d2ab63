"""Every module's `__all__` is honest: each name exists and is listed once."""

import importlib
import pkgutil

import pytest

import poise

MODULES = sorted(module.name for module in pkgutil.walk_packages(poise.__path__, "poise."))


@pytest.mark.parametrize("name", MODULES)
def test_all_is_honest(name: str) -> None:
    module = importlib.import_module(name)
    listed = getattr(module, "__all__", [])
    assert len(listed) == len(set(listed))
    missing = [entry for entry in listed if not hasattr(module, entry)]
    assert missing == []
