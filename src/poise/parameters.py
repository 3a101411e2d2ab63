"""What a user may set, declared once: default, range, unit, one sentence, source, and whether it may change later.

    @dataclass(frozen=True, kw_only=True)
    class Tension:
        frequency: float = parameters.number(3.0, 0.01, 50.0, "Hz", says="natural frequency of each joint", live=True)

        def __post_init__(self) -> None:
            parameters.check(self, "tension")

Scene files, the command line, tables in the docs and controls on a page are made of what `declared` gives. Values are kept in
SI units; a user states and reads angles in degrees.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from numbers import Integral, Real
from typing import Any, TypeVar, cast

from poise.errors import InputError, likeliest, shown, unknown_name

__all__ = [
    "Choice",
    "Group",
    "Number",
    "Parameter",
    "Switch",
    "Word",
    "Words",
    "angle",
    "changed",
    "check",
    "choice",
    "declared",
    "default_of",
    "group",
    "number",
    "numbers",
    "switch",
    "whole",
    "word",
    "words",
]

T = TypeVar("T")
_KEY = "poise.parameter"


def _is_number(value: Any, kind: type[Any] = Real) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


@dataclass(frozen=True, kw_only=True)
class Parameter(ABC):
    """What is said of one thing that a user may set.

    Args:
        says: What it is, in one sentence.
        source: Where the default comes from: a paper, a measurement, a reason; empty for a matter of taste.
        none: What None stands for, where it may be None.
        live: Whether it may change while a session runs.
    """

    says: str
    source: str = ""
    none: str = ""
    live: bool = False

    def problem(self, value: Any) -> str:
        """What is wrong with a value in SI units, and what is allowed; empty where nothing is."""
        return "" if value is None and self.none else self._problem(value)

    @abstractmethod
    def _problem(self, value: Any) -> str:
        """What is wrong with a value that is not None."""

    def taken(self, stated: Any) -> Any:
        """The value that is meant by one as a user states it.

        Raises:
            InputError: It is not allowed.
        """
        value = self._inside(stated)
        problem = self.problem(value)
        if problem:
            raise InputError(problem)
        return value

    def stated(self, value: Any) -> Any:
        """A value as a user would state it."""
        return value

    def _inside(self, stated: Any) -> Any:
        return stated

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What it may be, in a few words."""


@dataclass(frozen=True, kw_only=True)
class Number(Parameter):
    """A number; `low` and `high` are in the unit that a user states it in.

    Args:
        low: Least value.
        high: Largest value.
        unit: Such as "s"; empty for a share, a factor or a count.
        whole: Whether it is an integer.
    """

    low: float
    high: float
    unit: str = ""
    whole: bool = False

    def _problem(self, value: Any) -> str:
        what = "a whole number" if self.whole else "a number"
        if not _is_number(value, Integral if self.whole else Real):
            return f"must be {what} {self.allowed}; got {shown(value)}"
        if not self._factor * self.low <= value <= self._factor * self.high:
            return f"must be {what} {self.allowed}; got {self.stated(value):.6g}"
        return ""

    @property
    def allowed(self) -> str:
        """The range with its unit."""
        return f"from {self.low:g} to {self.high:g} {self.unit}".rstrip()

    @property
    def _factor(self) -> float:
        return math.radians(1.0) if self.unit.startswith("degrees") else 1.0

    def _inside(self, stated: Any) -> Any:
        return stated if self.whole or not _is_number(stated) else self._factor * float(stated)

    def stated(self, value: Any) -> Any:
        """In degrees where it is an angle."""
        return float(f"{value / self._factor:.12g}") if self._factor != 1.0 and value is not None else value


@dataclass(frozen=True, kw_only=True)
class Switch(Parameter):
    """Yes or no."""

    def _problem(self, value: Any) -> str:
        return "" if isinstance(value, bool) else f"must be {self.allowed}; got {shown(value)}"

    @property
    def allowed(self) -> str:
        """Yes and no."""
        return "true or false"


@dataclass(frozen=True, kw_only=True)
class Choice(Parameter):
    """One of several words or numbers."""

    choices: tuple[str | int, ...]

    def _problem(self, value: Any) -> str:
        if not isinstance(value, bool) and value in self.choices:
            return ""
        meant = likeliest(value, map(str, self.choices)) if isinstance(value, str) else ""
        return f"must be {self.allowed}; got {shown(value)}{meant}"

    @property
    def allowed(self) -> str:
        """All of them."""
        *most, last = map(str, self.choices)
        return f"{', '.join(most)} or {last}"


@dataclass(frozen=True, kw_only=True)
class Word(Parameter):
    """A name of something of a character or scene, that only these can judge."""

    def _problem(self, value: Any) -> str:
        return "" if isinstance(value, str) and value else f"must be a name; got {shown(value)}"

    @property
    def allowed(self) -> str:
        """Any name."""
        return "a name"


@dataclass(frozen=True, kw_only=True)
class Words(Parameter):
    """A list of names, `least` at least."""

    least: int = 0

    def _problem(self, value: Any) -> str:
        names = isinstance(value, list | tuple) and all(isinstance(each, str) and each for each in value)
        return "" if names and len(value) >= self.least else f"must be {self.allowed}; got {shown(value)}"

    def _inside(self, stated: Any) -> Any:
        return tuple(stated) if isinstance(stated, list) else stated

    @property
    def allowed(self) -> str:
        """Any names."""
        return f"a list of {self.least} or more names" if self.least else "a list of names"


@dataclass(frozen=True, kw_only=True)
class Group(Parameter):
    """Parameters that belong together: another declared class, one of it, one for each of several names, or a list.

    Args:
        kind: The class.
        many: "one", "named" or "listed".
    """

    kind: type[Any]
    many: str = "one"

    def _problem(self, value: Any) -> str:
        """Nothing: its members were checked when they were made."""
        return ""

    @property
    def allowed(self) -> str:
        """What a user writes."""
        keys = "keys and values"
        return {"one": keys, "named": f"names, each with {keys}", "listed": f"a list of {keys}"}[self.many]


def _field(parameter: Parameter, default: Any, factory: Any = MISSING) -> Any:
    made: dict[str, Any] = {"default": default} if factory is MISSING else {"default_factory": factory}
    return dataclasses.field(metadata={_KEY: parameter}, **made)


def number(default: Any = MISSING, low: float = 0.0, high: float = 1.0, unit: str = "", **said: Any) -> Any:
    """A field that is a number; without a default it has to be given. `said` is of `Parameter`."""
    return _field(Number(low=low, high=high, unit=unit, **said), default)


def angle(default: float, low: float, high: float, unit: str = "degrees", **said: Any) -> Any:
    """A field that is an angle or its rate: given here in degrees, kept in radians."""
    return _field(Number(low=low, high=high, unit=unit, **said), math.radians(default))


def whole(default: Any = MISSING, low: int = 0, high: int = 100, **said: Any) -> Any:
    """A field that is an integer."""
    return _field(Number(low=low, high=high, whole=True, **said), default)


def switch(default: bool, **said: Any) -> Any:
    """A field that is yes or no."""
    return _field(Switch(**said), default)


def choice(default: Any, *choices: str | int, **said: Any) -> Any:
    """A field that is one of several words or numbers; `MISSING` as default where one has to be given."""
    return _field(Choice(choices=choices, **said), default)


def word(default: Any = MISSING, **said: Any) -> Any:
    """A field that is a name."""
    return _field(Word(**said), default)


def words(default: Any = MISSING, **said: Any) -> Any:
    """A field that is a list of names."""
    return _field(Words(**said), default)


def group(kind: type[Any], default: Callable[[], Any] | None = None, many: str = "one", **said: Any) -> Any:
    """A field that is an object of another declared class, or several; `default` makes what it is where nothing is said."""
    return _field(Group(kind=kind, many=many, **said), MISSING, default or kind)


def declared(kind: type[Any]) -> Mapping[str, Parameter]:
    """The parameters that a class declares, by name."""
    return _declared(cast(Hashable, kind))


@cache
def _declared(kind: Any) -> Mapping[str, Parameter]:
    return {each.name: each.metadata[_KEY] for each in dataclasses.fields(kind) if _KEY in each.metadata}


def default_of(kind: type[Any], name: str) -> Any:
    """What a parameter is where nothing is said, in SI units; `dataclasses.MISSING` where something must be."""
    (field,) = [each for each in dataclasses.fields(kind) if each.name == name]
    return field.default if field.default_factory is MISSING else field.default_factory()


def check(options: Any, place: str) -> None:
    """Refuse an object of a declared class with a parameter out of range; for its `__post_init__`.

    Args:
        options: The object.
        place: What its parameters are called together, such as "tension".

    Raises:
        InputError: One is; the message names it and what is allowed.
    """
    for name, parameter in declared(type(options)).items():
        problem = parameter.problem(getattr(options, name))
        if problem:
            raise InputError(problem, place=f"{place}.{name}")


def numbers(options: Any) -> tuple[float, ...]:
    """The numbers of an object of a declared class that has nothing else, in order of their declaration: for compiled loops."""
    return tuple(float(getattr(options, name)) for name in declared(type(options)))


def changed(options: T, name: str, stated: Any) -> T:
    """A copy with another value of one parameter.

    Args:
        options: An object of a declared class.
        name: Of the parameter, with those of the groups it is in before it: "evasion.duck".
        stated: The value as a user states it, so an angle in degrees.

    Raises:
        InputError: There is no such parameter, the value is not allowed, or the parameter never changes in a running session.
    """
    first, _, rest = name.partition(".")
    known = declared(type(options))
    if first not in known:
        raise unknown_name("parameter", first, known)
    parameter = known[first]
    try:
        if isinstance(parameter, Group) and parameter.many == "one" and rest:
            return dataclasses.replace(options, **{first: changed(getattr(options, first), rest, stated)})  # type: ignore[type-var]
        if isinstance(parameter, Group) or rest:
            raise InputError("is no single value" if isinstance(parameter, Group) else f"has no part {rest!r}")
        if not parameter.live:
            raise InputError("is settled when a session begins and cannot change while it runs")
        return dataclasses.replace(options, **{first: parameter.taken(stated)})  # type: ignore[type-var]
    except InputError as error:
        raise InputError(error.problem, place=".".join(filter(None, (first, error.place)))) from error
