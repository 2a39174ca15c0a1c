"""Which Python the code under test gets: the one that runs OpenAssay, without its virtual environment.

Not here: packages. Inside the jail there is the standard library and what the installation itself brings.
"""

import os
import sys
import sysconfig
from typing import NamedTuple

NEUTRAL = "/opt/python"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


class Interpreter(NamedTuple):
    binds: tuple[tuple[str, str], ...]
    """Folders of the host to show read-only, and where."""
    path: str
    """The variable PATH, on which `python3` is found first."""


def python() -> Interpreter:
    """The installation below the running Python; the system's own where that one cannot be read by this user."""
    home = os.path.realpath(sys.base_prefix)
    if home == "/usr" or home.startswith("/usr/") or not _readable(home):
        return Interpreter((), SYSTEM_PATH)
    # A shared library of Python is found by the absolute path it was built for.
    place = home if sysconfig.get_config_var("Py_ENABLE_SHARED") else NEUTRAL
    return Interpreter(((home, place),), f"{place}/bin:{SYSTEM_PATH}")


def _readable(home: str) -> bool:
    return os.access(os.path.join(home, "bin", "python3"), os.R_OK | os.X_OK)  # noqa: PTH118
