"""Layer 3: where a character shall go and put its feet. Goals only; `ik` and `runtime` make poses of them."""

from poise.locomotion.contacts import CONTACTS, ContactPhases, Phase, contact_phases, stated_phases

__all__ = ["CONTACTS", "ContactPhases", "Phase", "contact_phases", "stated_phases"]
