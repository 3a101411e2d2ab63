"""Numbers, vectors and names as they may stand in a scene file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from poise.errors import shown

__all__ = ["Area", "Extents", "Name", "NotNegative", "Number", "Plane", "Point", "Positive", "Span", "Strict"]

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.\- ]+$", min_length=1, max_length=60)]
Number = Annotated[float, Field(ge=-1e4, le=1e4, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0.0, le=1e4, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0.0, le=1e5, allow_inf_nan=False)]


def _numbers(count: int) -> BeforeValidator:
    """Says how many numbers a vector needs, where pydantic would say which of its entries is missing."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != count:
            got = len(value) if isinstance(value, list | tuple) else shown(value)
            raise PydanticCustomError("vector", "needs {count} numbers, got {got}", {"count": count, "got": got})
        return value

    return BeforeValidator(check)


Plane = Annotated[tuple[Number, Number], _numbers(2)]
Point = Annotated[tuple[Number, Number, Number], _numbers(3)]
Area = Annotated[tuple[Positive, Positive], _numbers(2)]
Extents = Annotated[tuple[Positive, Positive, Positive], _numbers(3)]
Span = Annotated[tuple[NotNegative, NotNegative], _numbers(2)]


class Strict(BaseModel):
    """An entry in which unknown keys are refused."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True, strict=False)
