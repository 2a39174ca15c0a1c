"""Runs test functions against code that stands in another process, and writes one JSON line a test.

What it needs is read, and the files removed, before any code under test begins; then this process closes itself to
others. Run as ``python3 -s -B .assay/suite.py`` in the work folder.
"""

import json
import os
import shutil
import subprocess
import sys
import traceback
import types

import shim
from load import told
from lock import close_to_others
from peer import Gone, Peer

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = "<tests>"


def main():
    with open(os.path.join(HERE, "spec.json"), encoding="utf-8") as file:
        spec = json.load(file)
    result = int(os.environ.pop("RESULT_FD"))
    os.set_inheritable(result, False)  # noqa: FBT003  # as the function is written

    def say(line, *, dumps=json.dumps, write=os.write):
        data = dumps(line).encode() + b"\n"
        while data:
            data = data[write(result, data) :]

    try:
        code = compile(spec["tests"], FILE, "exec")
    except (SyntaxError, ValueError) as error:
        say({"broken": told(error)})
        return 2
    close_to_others()
    peer = start(spec)
    say({"ready": True})
    greeting = peer.receive()
    shutil.rmtree(HERE, ignore_errors=True)
    if greeting != {"ready": True}:
        say({"load": greeting.get("load")})
        return 1
    return Suite(spec, code, peer, say).run()


def start(spec):
    """The other process, told what to load. It inherits nothing of this one but the line between them."""
    with open(os.path.join(HERE, "under.py"), encoding="utf-8") as file:
        entry = file.read()
    sources = {}
    for name in ("wire", "load", "lock", "peer"):
        with open(os.path.join(HERE, f"{name}.py"), encoding="utf-8") as file:
            sources[name] = file.read()
    if spec["closed"]:
        # The code under test never enters this process: its own reads it from there.
        os.remove(os.path.join(HERE, "spec.json"))
    else:
        shutil.rmtree(HERE)
    there, back = os.pipe(), os.pipe()
    command = [sys.executable, "-s", "-B", "-c", BOOT, str(there[0]), str(back[1])]
    subprocess.Popen(command, pass_fds=(there[0], back[1]), stdin=subprocess.PIPE).stdin.close()
    os.close(there[0])
    os.close(back[1])
    peer = Peer(os.fdopen(back[0], "rb"), os.fdopen(there[1], "wb"), spec["named"])
    peer.send({"sources": sources, "entry": entry})
    task = {key: spec[key] for key in ("named", "module", "modules", "path", "closed", "captures")}
    peer.send({**task, "source": os.path.join(HERE, "source.py")})
    return peer


BOOT = """
import sys
del sys.path[0]
import json, os, sys, types
incoming = int(sys.argv[-2])
line = b""
while not line.endswith(b"\\n"):
    line += os.read(incoming, 1)
given = json.loads(line)
for name, text in given["sources"].items():
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, name + ".py", "exec"), vars(module))
exec(compile(given["entry"], "under.py", "exec"), {"__name__": "__main__"})
"""


class Stand(types.ModuleType):
    """Stands for a module of the other process."""

    def __init__(self, name, peer):
        super().__init__(name)
        self.__dict__["_peer"] = peer

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        inner = sys.modules.get(f"{self.__name__}.{name}")
        return inner or self.__dict__["_peer"].request("attribute", self.__name__, name)


class Capture:
    """The fixture ``capsys``, for what the code under test prints."""

    def __init__(self, peer):
        self._peer = peer

    def readouterr(self):
        return types.SimpleNamespace(out=self._peer.request("printed"), err="")


class Suite:
    def __init__(self, spec, code, peer, say):
        self._lines = spec["tests"].splitlines()
        self._spec = spec
        self._code = code
        self._peer = peer
        self._say = say
        self._failed = 0
        self._ran = 0

    def run(self):
        sys.modules["pytest"] = shim.module()
        for name in self._spec["modules"]:
            sys.modules[name] = Stand(name, self._peer)
        space = {"__name__": "hidden_tests"}
        try:
            if self._spec["function"]:
                space[self._spec["function"]] = self._peer.request(
                    "attribute", self._spec["module"], self._spec["function"]
                )
            exec(self._code, space)  # noqa: S102  # the tests
        except BaseException as error:
            self._say({"setup": self._told(error)})
            return 1
        for name, test, given in list(collected(space)):
            self._one(name, test, given)
        self._canaries()
        self._say({"end": self._ran})
        return 1 if self._failed else 0

    def _canaries(self):
        """One test that must pass and one that must fail: shows that the outcomes above were decided here."""
        good, bad = self._spec["canaries"]
        self._one(good, lambda: None, {})
        self._one(bad, lambda: shim.fail("as it must"), {})

    def _one(self, name, test, given):
        self._ran += 1
        try:
            fixtures = {"capsys": Capture(self._peer)} if "capsys" in wanted(test) else {}
            test(**given, **fixtures)
        except BaseException as error:
            self._failed += 1
            self._say({"test": name, "passed": False, "why": self._told(error)})
        else:
            self._say({"test": name, "passed": True})

    def _told(self, error):
        """The failing line of the tests, and what was raised."""
        own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
        line = self._lines[own[-1] - 1].strip()[:160] if own else ""
        if isinstance(error, Gone):
            return f"{error} at `{line}`"
        message = told(error)["message"]
        if isinstance(error, AssertionError) and not message:
            return f"`{line}` does not hold"
        return f"{type(error).__name__}: {message} at `{line}`"


def wanted(test):
    code = getattr(getattr(test, "__func__", test), "__code__", None)
    return code.co_varnames[: code.co_argcount] if code else ()


def collected(space):
    """Name, function and arguments of every test, in the order of the file."""
    for name, value in list(space.items()):
        if name.startswith("test") and isinstance(value, types.FunctionType):
            yield from each(name, value)
        elif name.startswith("Test") and isinstance(value, type):
            for inner, method in list(vars(value).items()):
                if inner.startswith("test") and isinstance(method, types.FunctionType):
                    for label, _, given in each(f"{name}.{inner}", method):
                        yield label, getattr(value(), inner), given


def each(name, function):
    cases = getattr(function, "cases", None)
    if cases is None:
        yield name, function, {}
        return
    for number, given in enumerate(cases):
        yield f"{name}[{number}]", function, given


if __name__ == "__main__":
    code = 3
    try:
        code = main()
    except Gone:
        code = 1
    finally:
        os._exit(code)
