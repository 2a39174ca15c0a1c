"""Makes `faulty_server` importable beside the tests."""

import importlib.util
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location("faulty_server", Path(__file__).with_name("faulty_server.py"))
faulty_server = importlib.util.module_from_spec(_spec)
sys.modules["faulty_server"] = faulty_server
_spec.loader.exec_module(faulty_server)
