"""Loads the code under test by its file, whatever it is called: also where the standard library has that name."""

import importlib.util
import sys


def load(name, path):
    """The module of this name from this file; whatever its code raises comes out."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def told(error):
    """An exception as data: the names of its classes, its own first, and what it says, cut."""
    try:
        message = str(error)[:200]
    except BaseException:
        message = ""
    return {"names": [one.__name__ for one in type(error).__mro__], "message": message}
