"""The wheel, installed in an environment of its own, away from the clone."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """An interpreter that has the built wheel, and this environment's other packages without the clone."""
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    venv.create(place / "env", with_pip=True)
    interpreter = place / "env" / "bin" / "python"
    install = [interpreter, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", *place.glob("*.whl")]
    subprocess.run(install, check=True, capture_output=True)
    # The dependencies are borrowed: an entry of a .pth file does not follow that folder's own .pth files, so the
    # clone's editable install is not seen.
    (site,) = place.glob("env/lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return interpreter


def run(*command, cwd):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_comes_from_the_wheel(python, tmp_path):
    code = "import openassay; print(openassay.__file__)"
    assert str(python.parents[1]) in run(python, "-c", code, cwd=tmp_path)


def test_the_command_stands_beside_it(python, tmp_path):
    assert "openassay VERB" in run(python.parent / "openassay", "--help", cwd=tmp_path)


def test_the_starter_benchmark_ships_inside_and_checks(python, tmp_path):
    code = "from openassay.tasks.starter import starter_path; print(starter_path())"
    folder = Path(run(python, "-c", code, cwd=tmp_path).strip())
    assert folder.is_relative_to(python.parents[1])
    run(python.parent / "openassay", "check", folder, cwd=tmp_path)


def test_the_starter_gold_set_ships_inside_and_reads(python, tmp_path):
    code = "from openassay.tasks.gold import read_gold, starter_gold; print(len(read_gold(starter_gold()).items))"
    assert int(run(python, "-c", code, cwd=tmp_path)) >= 72


def test_a_benchmark_can_be_begun_from_it(python, tmp_path):
    run(python.parent / "openassay", "init", "mine", cwd=tmp_path)
    run(python.parent / "openassay", "check", "mine", cwd=tmp_path)


def test_the_pins_of_local_models_ship_inside(python, tmp_path):
    listed = run(python.parent / "openassay", "setup", "local", "--list", cwd=tmp_path)
    assert "gemma-3-270m-base" in listed
    code = "from openassay.models.local_install import pins; print(pins('runtime-xllamacpp.txt'))"
    assert "--hash=sha256:" in run(python, "-c", code, cwd=tmp_path)


def test_every_file_of_the_package_is_in_the_wheel(python):
    def files(folder):
        found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
        return {str(path) for path in found if path.suffix != ".pyc"}

    (installed,) = python.parents[1].glob("lib/python*/site-packages/openassay")
    assert files(ROOT / "src" / "openassay") <= files(installed)
