"""Two processes that use each other's objects without sharing memory: one holds tests, the other the code under test.

Plain values are copied (see `wire`). Anything else stays where it is, and the other side gets a stand-in that asks.
A stand-in compares with a plain value as its object says only where the tests themselves made it, by calling a class
that they import under a name with a capital letter; any other object is equal to no plain value, so that code under
test cannot answer a comparison whose other side it must not see.
Neither side can reach the other's globals, code or frames.
"""

import builtins
import contextlib
import json
import operator
import sys
import types

from wire import PLAIN, Unfit, decode, encode

LONGEST = 8_000_000
"""Bytes of one message."""
_SHOWN = frozenset(
    f"__{name}__"
    for name in (
        *("name", "qualname", "doc", "members", "annotations", "call", "enter", "exit", "hash", "repr", "str", "bool"),
        *("eq", "ne", "lt", "le", "gt", "ge", "len", "iter", "next", "contains", "getitem", "setitem", "delitem"),
        *("int", "float", "abs", "neg", "add", "sub", "mul", "truediv"),
    )
)
_NEVER = (types.ModuleType, types.FrameType, types.CodeType, types.TracebackType)
_FRAMES = ("gi_", "cr_", "ag_", "f_", "tb_", "co_")
_HANDED = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) or name in {"len", "abs", "min", "max", "sum", "sorted", "repr", "ord", "chr", "round"}
) - {"type", "object", "super", "classmethod", "staticmethod", "property"}
_PLAIN_VIEWS = {type({}.keys()): set, type({}.items()): set, type({}.values()): list}


class Gone(BaseException):
    """The other process ended, or wrote what no process of ours writes. No `except Exception` catches it."""


def read(holder, name):
    """An attribute, but nothing that leads to code, globals or frames."""
    hidden = name.startswith("__") and name not in _SHOWN
    if not isinstance(name, str) or hidden or (name.startswith(_FRAMES) and hasattr(type(holder), "send")):
        raise AttributeError(name)
    if name in {"format", "format_map"} and issubclass(holder if isinstance(holder, type) else type(holder), str):
        raise AttributeError(name)  # "{0.__code__}" reads what is refused above
    return getattr(holder, name)


def write(holder, name, value):
    if name.startswith("__") or isinstance(holder, type | types.FunctionType):
        raise AttributeError(name)
    setattr(holder, name, value)


def _enter(holder):
    return holder.__enter__()


def _leave(holder):
    return bool(holder.__exit__(None, None, None))


OPERATIONS = {
    "call": lambda function, *args, **kwargs: function(*args, **kwargs),
    "get": read,
    "set": write,
    "len": len,
    "iter": iter,
    "next": next,
    "item": operator.getitem,
    "set item": operator.setitem,
    "delete item": operator.delitem,
    "contains": operator.contains,
    "bool": bool,
    "repr": repr,
    "str": str,
    "hash": hash,
    "int": int,
    "float": float,
    "abs": abs,
    "neg": operator.neg,
    "enter": _enter,
    "leave": _leave,
    "instance": isinstance,
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")},
    **{f"{name}_": getattr(operator, f"{name}_") for name in ("and", "or")},
}


class Peer:
    """One end of the line.

    Args:
        incoming: what the other process writes, as a binary file.
        outgoing: what it reads.
        named: names that the tests import; values of classes with such a name are not copied.
        operations: more of them, by name.
    """

    def __init__(self, incoming, outgoing, named=(), operations=None):
        self._incoming = incoming
        self._outgoing = outgoing
        self.named = frozenset(named)
        self._operations = {**OPERATIONS, **(operations or {})}
        self._kept = {}
        self._numbers = {}
        self._exceptions = {}

    def send(self, message):
        try:
            self._outgoing.write(json.dumps(message).encode() + b"\n")
            self._outgoing.flush()
        except OSError:
            raise Gone("the code under test ended its process") from None

    def receive(self):
        line = self._incoming.readline(LONGEST)
        if not line.endswith(b"\n"):
            raise Gone("the code under test ended its process" if not line else "a message is too long")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise Gone("the code under test broke the line to the tests")
        return message

    def request(self, operation, *args, **kwargs):
        """Have the other side do something; what it raises is raised here."""
        given = {**dict(enumerate(args)), **kwargs}
        named = {key: self.encode(one) for key, one in kwargs.items()}
        self.send({"do": operation, "args": [self.encode(one) for one in args], "kwargs": named})
        while "do" in (reply := self.receive()):
            self.answer(reply)
        try:
            if "raised" in reply:
                error = self._exception(reply["raised"])
            else:
                for place, after in reply.get("after", ()):
                    self._bring_back(given[place], after)
                value = reply["value"]
                is_given = isinstance(value, dict) and value.get("$") == "given"
                return given[value["v"]] if is_given else _ranked(self.decode(value), operation, args)
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise Gone("the code under test gave what cannot be read") from None
        raise error

    def serve(self):
        """Answer until the other side ends."""
        with contextlib.suppress(Gone):
            while True:
                self.answer(self.receive())

    def answer(self, message):
        try:
            args = [self.decode(one) for one in message["args"]]
            kwargs = {key: self.decode(one) for key, one in message["kwargs"].items()}
            found = self._operations[message["do"]](*args, **kwargs)
            given = {**dict(enumerate(args)), **kwargs}
            mutable = {place: one for place, one in given.items() if type(one) in (list, dict, set)}
            same = [place for place, one in mutable.items() if one is found]
            reply = {"value": {"$": "given", "v": same[0]} if same else self.encode(found)}
            sent = {**dict(enumerate(message["args"])), **message["kwargs"]}
            changed = [[place, self.encode(one)] for place, one in mutable.items()]
            reply["after"] = [pair for pair in changed if pair[1] != sent[pair[0]]]
            json.dumps(reply)
        except Gone:
            raise
        except Unfit as error:
            reply = {"unfit": str(error)}  # the other side finds no value in it
        except BaseException as error:
            reply = {"raised": self._told(error)}
        self.send(reply)

    def _bring_back(self, value, after):
        """A list, dictionary or set that was changed over there is changed here too."""
        found = self.decode(after)
        if isinstance(value, list) and isinstance(found, list):
            value[:] = found
        elif isinstance(value, dict | set) and isinstance(found, dict | set):
            value.clear()
            value.update(found)

    def encode(self, value):
        return encode(value, self._keep)

    def _keep(self, value):  # noqa: PLR0911  # one line a kind
        kind = type(value)
        if kind is Proxy:
            return {"$": "yours", "v": number_of(value)}
        if isinstance(value, _NEVER) and issubclass(kind, _NEVER):
            raise Unfit(f"a {kind.__name__} cannot be handed over")
        if kind in _PLAIN_VIEWS:
            return encode(_PLAIN_VIEWS[kind](value), self._keep)
        if kind is range:
            return {"$": "range", "v": [value.start, value.stop, value.step]}
        classes = [one.__name__ for one in kind.__mro__]
        if any(one in PLAIN for one in kind.__mro__) and not self.is_named(classes):
            return None
        name = getattr(value, "__name__", "")
        if name in _HANDED and getattr(builtins, name) is value:
            return {"$": "builtin", "v": name}
        if isinstance(value, type) and issubclass(value, BaseException):
            return {"$": "exception", "v": _names(value)}
        return {"$": "ref", "v": [self._number(value)]}

    def _number(self, value):
        number = self._numbers.setdefault(id(value), len(self._numbers))
        self._kept[number] = value  # kept alive, so that its id stays its own
        return number

    def is_named(self, classes):
        return any(one in self.named and one[:1].isupper() for one in classes)

    def decode(self, value):
        return decode(value, self._known)

    def _known(self, value):  # one line a tag
        tag, content = value["$"], value["v"]
        if tag == "ref":
            return Proxy(self, int(content[0]))
        if tag == "yours":
            return self._kept[content]
        if tag == "builtin" and content in _HANDED:
            return getattr(builtins, content)
        if tag == "range":
            return range(*content)
        if tag == "exception":
            return self._exception_class([str(one) for one in content])
        raise ValueError("a value of an unknown kind")

    def _told(self, error):
        try:
            args = [self.encode(one) for one in error.args]
            fields = {key: self.encode(one) for key, one in vars(error).items() if not key.startswith("__")}
        except BaseException:
            args, fields = [], {}
        return {"names": _names(type(error)), "args": args, "fields": fields}

    def _exception(self, told):
        kind = self._exception_class([str(one) for one in told["names"]])
        error = kind.__new__(kind)
        error.args = tuple(self.decode(one) for one in told["args"])
        for key, value in told["fields"].items():
            with contextlib.suppress(AttributeError, TypeError):
                setattr(error, key, self.decode(value))
        return error

    def _exception_class(self, names):
        """A class of this side with the same name and bases: the real one where Python itself brings it."""
        if not names:
            return Exception
        module, _, name = names[0].rpartition(".")
        if module == "builtins" or module.partition(".")[0] in sys.stdlib_module_names:
            found = getattr(sys.modules.get(module), name, None)
            if isinstance(found, type) and issubclass(found, BaseException):
                return found
        if names[0] not in self._exceptions:
            self._exceptions[names[0]] = type(name, (self._exception_class(names[1:]),), {})
        return self._exceptions[names[0]]


def _names(kind):
    return [f"{one.__module__}.{one.__qualname__}" for one in kind.__mro__ if issubclass(one, BaseException)]


def number_of(proxy):
    return object.__getattribute__(proxy, "_number")


def ask(proxy, operation, *args, **kwargs):
    return object.__getattribute__(proxy, "_peer").request(operation, proxy, *args, **kwargs)


OTHER, MADE, CLASS = range(3)
"""What the tests know of a stand-in: nothing, that they made it themselves, or that it is a class they import."""


def rank_of(proxy):
    return object.__getattribute__(proxy, "_rank")


def _ranked(found, operation, args):
    """The rank follows from what this side asked for, never from what the other side says."""
    if type(found) is Proxy:
        if operation == "attribute" and str(args[1])[:1].isupper():
            object.__setattr__(found, "_rank", CLASS)
        elif operation == "call" and type(args[0]) is Proxy and rank_of(args[0]) == CLASS:
            object.__setattr__(found, "_rank", MADE)
        elif operation == "enter":
            object.__setattr__(found, "_rank", rank_of(args[0]))
    return found


def own_rule(proxy, other):
    """Whether a comparison is left to the object itself."""
    return type(other) is Proxy or rank_of(proxy) == MADE


class Proxy:
    """Stands for an object of the other process."""

    __slots__ = ("_number", "_peer", "_rank")

    def __init__(self, peer, number):
        object.__setattr__(self, "_peer", peer)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_rank", OTHER)

    def __getattr__(self, name):
        return ask(self, "get", name)

    def __setattr__(self, name, value):
        ask(self, "set", name, value)

    def __call__(self, *args, **kwargs):
        return ask(self, "call", *args, **kwargs)

    def __instancecheck__(self, value):
        return type(value) is Proxy and bool(object.__getattribute__(self, "_peer").request("instance", value, self))

    def __eq__(self, other):
        if type(other) is Proxy and number_of(other) == number_of(self):
            return True
        return own_rule(self, other) and bool(ask(self, "eq", other))

    def __ne__(self, other):
        return bool(ask(self, "ne", other)) if own_rule(self, other) else True

    def __hash__(self):
        return int(ask(self, "hash"))

    def __contains__(self, value):
        if own_rule(self, value):
            return bool(ask(self, "contains", value))
        return any(one == value for one in self)

    def __iter__(self):
        found = ask(self, "iter")
        return iter(found) if type(found) is not Proxy else _Iterator(found)

    def __next__(self):
        return ask(self, "next")

    def __repr__(self):
        return str(ask(self, "repr"))

    def __str__(self):
        return str(ask(self, "str"))

    def __exit__(self, *_error):
        return bool(ask(self, "leave"))


class _Iterator:
    def __init__(self, proxy):
        self._proxy = proxy

    def __iter__(self):
        return self

    def __next__(self):
        return ask(self._proxy, "next")


def _ordered(name):
    def compare(self, other):
        if not own_rule(self, other):
            raise TypeError(f"{name}: an object that the tests did not make has no order beside plain values")
        return bool(ask(self, name, other))

    return compare


def _asks(operation, convert=None):
    def method(self, *args):
        found = ask(self, operation, *args)
        return convert(found) if convert else found

    return method


def _calculates(operation):
    def method(self, other):
        _may_calculate(self, other)
        return ask(self, operation, other)

    return method


def _may_calculate(proxy, other):
    """As for comparisons: what is told an expected value could give a difference of nought."""
    if not own_rule(proxy, other):
        raise TypeError("an object that the tests did not make does not calculate with plain values")


def _mirrored(operation):
    def method(self, other):
        _may_calculate(self, other)
        return object.__getattribute__(self, "_peer").request(operation, other, self)

    return method


for _name in ("lt", "le", "gt", "ge"):
    setattr(Proxy, f"__{_name}__", _ordered(_name))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Proxy, f"__{_name}__", _calculates(_name))
    setattr(Proxy, f"__r{_name}__", _mirrored(_name))
for _method, _operation, _convert in (
    ("len", "len", int),
    ("bool", "bool", bool),
    ("int", "int", int),
    ("float", "float", float),
    ("abs", "abs", None),
    ("neg", "neg", None),
    ("getitem", "item", None),
    ("setitem", "set item", None),
    ("delitem", "delete item", None),
    ("enter", "enter", None),
):
    setattr(Proxy, f"__{_method}__", _asks(_operation, _convert))
