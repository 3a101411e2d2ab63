"""Declared parameters in a scene file: what pydantic takes for them, and what is made of that."""

from __future__ import annotations

from dataclasses import MISSING, replace
from typing import Any, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from poise.errors import InputError
from poise.parameters import Group, Parameter, declared, default_of

__all__ = ["One", "Stated", "Values", "made"]

T = TypeVar("T")
Values = dict[str, Any]
"""What a scene file says of some parameters, by name, in SI units; what it does not say is not in it."""


class Stated:
    """Annotation of `Values`: the parameters of a class may stand there, each at most once.

    Args:
        kind: The class.
        without: Parameters that may not.
    """

    def __init__(self, kind: type[Any], *without: str) -> None:
        self.parameters = {name: each for name, each in declared(kind).items() if name not in without}
        self._kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Of a mapping that need not name everything."""
        fields = {
            name: core_schema.typed_dict_field(_value(each), required=default_of(self._kind, name) is MISSING)
            for name, each in self.parameters.items()
        }
        return core_schema.typed_dict_schema(fields, extra_behavior="forbid")


class One:
    """Annotation of a value: it is one parameter of a class."""

    def __init__(self, kind: type[Any], name: str) -> None:
        self._parameter = declared(kind)[name]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Of its value in SI units."""
        return _value(self._parameter)


def _value(parameter: Parameter) -> CoreSchema:
    if not isinstance(parameter, Group):
        return core_schema.no_info_plain_validator_function(lambda stated: _taken(parameter, stated))
    members: CoreSchema = Stated(parameter.kind).__get_pydantic_core_schema__(None, None)  # type: ignore[arg-type]
    if parameter.many == "named":
        return core_schema.dict_schema(core_schema.str_schema(), members)
    if parameter.many == "listed":
        return core_schema.tuple_schema([members], variadic_item_index=0, min_length=1)
    return core_schema.nullable_schema(members) if parameter.none else members


def _taken(parameter: Parameter, stated: Any) -> Any:
    try:
        return parameter.taken(stated)
    except InputError as error:
        raise PydanticCustomError("parameter", "{problem}", {"problem": error.problem}) from error


def made(kind: type[T], values: Values, **more: Any) -> T:
    """An object of a declared class.

    Args:
        kind: The class.
        values: What is said; what is not is as it is by default, in groups too.
        more: What is made already.

    Raises:
        InputError: Numbers do not go together.
    """
    said = {name: value for name, value in values.items() if name not in more}
    for name, parameter in declared(kind).items():
        if name in said and isinstance(parameter, Group):
            said[name] = _changed(default_of(kind, name), said[name])
    return kind(**said, **more)


def _changed(options: Any, values: Values) -> Any:
    """An object of a declared class with what is said of it, in its groups too."""
    groups = {name for name, parameter in declared(type(options)).items() if isinstance(parameter, Group)}
    said = {name: _changed(getattr(options, name), one) if name in groups else one for name, one in values.items()}
    return replace(options, **said)
