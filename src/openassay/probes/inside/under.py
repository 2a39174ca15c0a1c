"""The process that holds the code under test and does what the tests' process asks of it.

Reads its task from the first line: where the code stands, or the code itself where the tests must not be able to read
it. Run as ``python3 -s -B <copy of this> <incoming> <outgoing>``.
"""

import importlib
import io
import os
import sys
import types

from load import load, told
from lock import close_to_others
from peer import Peer, read


def main():
    incoming, outgoing = (
        os.fdopen(int(number), mode) for number, mode in zip(sys.argv[-2:], ("rb", "wb"), strict=True)
    )
    peer = Peer(incoming, outgoing)
    task = peer.receive()
    if task["closed"]:
        close_to_others()
    peer = Peer(incoming, outgoing, task["named"], {"attribute": attributes(task["modules"]), "printed": printed})
    sys.path.insert(0, os.getcwd())
    if task["captures"]:
        sys.stdout = io.StringIO()
    try:
        begin(task)
    except BaseException as error:
        peer.send({"load": told(error)})
    else:
        peer.send({"ready": True})
        peer.serve()
    os._exit(0)  # a thread that was left behind must not keep us waiting


def begin(task):
    """Load the module under test, from its file or from the text that came with the task."""
    if not task["closed"]:
        load(task["module"], task["path"])
        return
    with open(task["source"], encoding="utf-8") as file:
        source = file.read()
    os.remove(task["source"])
    module = types.ModuleType(task["module"])
    sys.modules[task["module"]] = module
    exec(compile(source, "<code under test>", "exec"), vars(module))  # noqa: S102  # the code under test


def attributes(modules):
    """What gives a name of a module that stands for code under test, and of no other."""

    def attribute(module, name):
        if module not in modules:
            raise AttributeError(name)
        return read(sys.modules.get(module) or importlib.import_module(module), name)

    return attribute


def printed():
    """What was printed since the last time."""
    text = sys.stdout.getvalue()
    sys.stdout.seek(0)
    sys.stdout.truncate()
    return text


if __name__ == "__main__":
    main()
