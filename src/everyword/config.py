"""Frozen dataclasses from TOML, JSON and `key=value`, with every problem reported at once.

A configuration class stands next to the class it configures and is the only home of its defaults. Constraints on a
single field are part of its type (`epochs: Annotated[int, AtLeast(1)]`, or one of the aliases below). A method
`problems()` yields sentences about values that do not go together, and a static method `arrange(values)` converts
another way of writing them, such as an older one, into the form of the fields.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import sys
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from everyword.errors import ConfigError, InputError, did_you_mean

C = TypeVar("C")


@dataclasses.dataclass(frozen=True)
class Range:
    """A constraint on a number: its bounds, each inclusive unless it is open.

    >>> Range(0, 1, open_high=True)
    0 or more and below 1
    """

    low: float
    high: float | None = None
    open_low: bool = False
    open_high: bool = False

    def holds(self, value: float) -> bool:
        """Return whether a number lies in the range."""
        above = value > self.low if self.open_low else value >= self.low
        return above and (self.high is None or (value < self.high if self.open_high else value <= self.high))

    def __repr__(self) -> str:
        low = f"above {self.low:g}" if self.open_low else f"{self.low:g} or more"
        if self.high is None:
            return low
        if not self.open_low and not self.open_high:
            return f"between {self.low:g} and {self.high:g}"
        return f"{low} and " + (f"below {self.high:g}" if self.open_high else f"at most {self.high:g}")


def AtLeast(minimum: float) -> Range:
    """Constrain a number to be this or more."""
    return Range(minimum)


Count = Annotated[int, AtLeast(1)]
Natural = Annotated[int, AtLeast(0)]
Positive = Annotated[float, Range(0, open_low=True)]
NonNegative = Annotated[float, AtLeast(0)]
Fraction = Annotated[float, Range(0, 1)]
Share = Annotated[float, Range(0, 1, open_high=True)]
"""From 0 to below 1."""
OpenFraction = Annotated[float, Range(0, 1, open_low=True, open_high=True)]
"""Neither 0 nor 1."""


def build(kind: type[C], values: Mapping[str, Any], what: str = "the recipe") -> C:
    """Make a configuration from plain values, or raise one `ConfigError` that lists all that is wrong."""
    problems: list[str] = []
    config = _build(kind, values, "", problems, root=what)
    if problems:
        raise ConfigError("The configuration has problems: " + "; ".join(problems))
    return cast(C, config)


def check(config: Any) -> None:
    """Raise `ConfigError` if a configuration that was made in Python has invalid values."""
    build(type(config), to_dict(config), "the configuration")


def problems_of(kind: type, values: Mapping[str, Any]) -> list[str]:
    """Return all problems of the options of a part that a larger configuration names."""
    problems: list[str] = []
    _build(kind, values, "", problems, root="its options")
    return problems


def to_dict(config: Any) -> dict[str, Any]:
    """Convert a configuration to plain values, ready for JSON."""
    return cast("dict[str, Any]", json.loads(json.dumps(dataclasses.asdict(config))))


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; errors name the file."""
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        from everyword.extras import require

        tomllib = require("tomli", "Reading a recipe")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"There is no file {path}.") from None
    except RecursionError:
        raise InputError(f"{path} is not a valid TOML file: its brackets are nested too deeply.") from None
    except ValueError as error:  # no TOML, no UTF-8, or a number of more digits than Python reads
        raise InputError(f"{path} is not a valid TOML file: {error!s:.200}") from None


def override(values: Mapping[str, Any], assignments: Iterable[str]) -> dict[str, Any]:
    """Override values by `section.key=value` assignments.

    >>> override({"loss": {"name": "mse"}}, ["loss.name=contrastive", "training.epochs=3"])
    {'loss': {'name': 'contrastive'}, 'training': {'epochs': 3}}
    """
    result: dict[str, Any] = dict(copy.deepcopy(values))
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        *sections, last = key.strip().split(".")
        if not equals or not all((*sections, last)):
            raise ConfigError(f"An override must read section.key=value. Got {assignment!r} instead.")
        target = result
        for section in sections:
            inner = target.setdefault(section, {})
            if not isinstance(inner, dict):
                raise ConfigError(f"{assignment!r} goes into {section!r}, which is a value, not a section.")
            target = inner
        target[last] = parse_value(text.strip())
    return result


def parse_value(text: str) -> Any:
    """Parse a number, true, false, null or list as in JSON; anything else is a string."""
    try:
        return json.loads(text)
    except ValueError:  # no JSON, or a number of more digits than Python reads
        return text


def _build(kind: Any, values: Mapping[str, Any], where: str, problems: list[str], root: str = "the recipe") -> Any:
    if hasattr(kind, "arrange"):
        values = kind.arrange(values)
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    found = len(problems)
    arguments = {}
    for name, value in values.items():
        if name not in fields:
            problems.append(f"unknown key {where + name!r}: {did_you_mean(name, fields)}")
            continue
        arguments[name] = _convert(hints[name], value, where + name, problems)
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and name not in arguments:
            problems.append(f"the key {where + name!r} is missing")
    if len(problems) > found:
        return None
    config = kind(**arguments)
    own: Iterable[str] = config.problems() if hasattr(config, "problems") else ()
    violations = (line for name in fields for line in _violations(hints[name], getattr(config, name), name))
    problems.extend(f"in {where.rstrip('.') or root}, {problem}" for problem in (*violations, *own))
    return config


def _violations(hint: Any, value: Any, name: str) -> Iterator[str]:
    """Yield a message for each constraint of a field that its value, or an item of it, does not meet."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        for limits in args[1:]:
            if isinstance(limits, Range) and not limits.holds(value):
                yield f"{name} must be {limits}. Got {value} instead"
    elif origin in (Union, types.UnionType):
        yield from _violations(next((arg for arg in args if _fits(arg, value)), Any), value, name)
    elif origin is tuple:
        for item in value:
            yield from _violations(args[0], item, f"each of {name}")
    elif origin is dict:
        for key, item in value.items():
            yield from _violations(args[1], item, f"{name}.{key}")


def _convert(hint: Any, value: Any, where: str, problems: list[str]) -> Any:
    if dataclasses.is_dataclass(hint):
        if isinstance(value, Mapping):
            return _build(hint, value, where + ".", problems)
        problems.append(f"{where!r} must be a section of keys. Got {value!r} instead")
        return None
    if get_origin(hint) is tuple and dataclasses.is_dataclass(get_args(hint)[0]):
        return _convert_sections(get_args(hint)[0], value, where, problems)
    if _fits(hint, value):
        return _coerce(hint, value)
    problems.append(f"{where!r} must be {_describe(hint)}. Got {value!r} instead")
    return None


def _convert_sections(kind: Any, value: Any, where: str, problems: list[str]) -> Any:
    """Convert a list of sections, `[[name]]` in TOML; errors name each by its number, from 1."""
    if not isinstance(value, list | tuple):
        problems.append(f"{where!r} must be a list of sections. Got {value!r} instead")
        return None
    return tuple(_convert(kind, item, f"{where}[{index}]", problems) for index, item in enumerate(value, 1))


def _fits(hint: Any, value: Any) -> bool:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Annotated:
        return _fits(args[0], value)
    if origin in (Union, types.UnionType):
        return any(_fits(arg, value) for arg in args)
    if origin is Literal:
        return value in args
    if origin is tuple:
        return isinstance(value, list | tuple) and all(_fits(args[0], item) for item in value)
    if origin is dict:
        return isinstance(value, Mapping) and all(_fits(args[1], item) for item in value.values())
    if hint is float:
        # False for NaN, for infinity and for a whole number that no float can hold.
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _coerce(hint: Any, value: Any) -> Any:
    """Convert a value to its type, recursively: 1 and 1.0 must give one fingerprint."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _coerce(args[0], value)
    if hint is float:
        return float(value)
    if origin in (Union, types.UnionType):
        return _coerce(next(arg for arg in args if _fits(arg, value)), value)
    if origin is tuple:
        return tuple(_coerce(args[0], item) for item in value)
    if origin is dict:
        return {key: _coerce(args[1], item) for key, item in value.items()}
    return value


def _describe(hint: Any) -> str:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _describe(args[0])
    if origin in (Union, types.UnionType):
        return " or ".join(_describe(arg) for arg in args)
    if origin is Literal:
        return "one of " + ", ".join(repr(arg) for arg in args)
    if origin is tuple:
        return f"a list, each item {_describe(args[0])}"
    if origin is dict:
        return "a section of keys" if args[1] is Any else f"a section, each value {_describe(args[1])}"
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "null"}
    return names[hint]
