"""Calls the function under test with each case's arguments and writes what it gives, a JSON line a case.

This process knows no expected value, so there is nothing in it that a cheat could read or forge.
Run as ``python3 -s -B .assay/cases.py`` in the work folder.
"""

import json
import os
import sys

from load import load, told
from wire import Unfit, decode, encode

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(os.path.join(HERE, "spec.json"), encoding="utf-8") as file:
        spec = json.load(file)
    result = int(os.environ.pop("RESULT_FD"))
    sys.path[0] = os.getcwd()  # in place of our own folder

    def say(line, *, dumps=json.dumps, write=os.write):
        data = dumps(line).encode() + b"\n"
        while data:
            data = data[write(result, data) :]

    say({"ready": True})
    try:
        module = load(spec["module"], spec["path"])
    except BaseException as error:
        say({"load": told(error)})
        os._exit(0)
    for number, case in enumerate(spec["cases"]):
        say({"n": number, **call(module, case)})
    say({"end": len(spec["cases"])})
    os._exit(0)  # a thread that was left behind must not keep us waiting


def call(module, case):
    args, kwargs = decode(case["args"]), decode(case["kwargs"])
    try:
        function = module
        for name in case["call"].split("."):
            function = getattr(function, name)
        return {"value": encode(function(*args, **kwargs))}
    except Unfit as error:
        return {"unfit": str(error)}
    except BaseException as error:
        return {"raised": told(error)}


if __name__ == "__main__":
    main()
