"""Layer 3: where a character shall go and put its feet. Goals only; `ik` and `runtime` make poses of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names
from poise.locomotion.contact_names import CONTACTS

if TYPE_CHECKING:
    from poise.locomotion.contacts import ContactPhases, Phase, contact_phases, stated_phases
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {"poise.locomotion.contacts": ("ContactPhases", "Phase", "contact_phases", "stated_phases")},
    )

__all__ = ["CONTACTS", "ContactPhases", "Phase", "contact_phases", "stated_phases"]
