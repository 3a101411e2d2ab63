"""Balance controllers on one interface: from how a body is carried to what its legs do."""

from poise.control.balance.as_published import PublishedBalance, StandingRows
from poise.control.balance.body import Aim, BalanceLaw, Carriage, CarriedBody, Reading, Soles, Springs
from poise.control.balance.capture import CaptureBalance, CaptureOptions

__all__ = [
    "Aim",
    "BalanceLaw",
    "CaptureBalance",
    "CaptureOptions",
    "Carriage",
    "CarriedBody",
    "PublishedBalance",
    "Reading",
    "Soles",
    "Springs",
    "StandingRows",
]
