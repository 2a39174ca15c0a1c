# Sourced by the scripts beside it: makes the virtual environment and installs what is missing, and is quick when
# nothing is. Needs bash. Python packages come from requirements/*.txt, pinned by sha256.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=.venv

say() { printf '%s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo "$@"
  else
    return 1
  fi
}

# Install system packages; returns 1, having said what to do, where that is not possible.
system_packages() {
  if command -v apt-get >/dev/null && as_root true; then
    say "installing system packages: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null >/dev/null &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null &&
      return 0
  fi
  say "could not install: $*   (do it yourself: apt-get install $*)"
  return 1
}

# What code tasks run in. The second is there already on Debian and Ubuntu; tests compare a table with it.
sandbox_packages() {
  command -v bwrap >/dev/null || system_packages bubblewrap libseccomp2
}

# What tests of pages check accessibility with: pinned by integrity, into the user's cache, never shipped.
accessibility_checker() {
  local version place
  version=$(sed -n 's/.*"axe-core": "\([^"]*\)".*/\1/p' requirements/browser/package.json)
  place=${XDG_CACHE_HOME:-$HOME/.cache}/openassay-tests/axe-$version
  [ -f "$place/node_modules/axe-core/axe.min.js" ] && return 0
  command -v npm >/dev/null || return 1
  mkdir -p "$place" && cp requirements/browser/*.json "$place" &&
    (cd "$place" && npm ci --ignore-scripts --no-audit --no-fund --silent </dev/null >/dev/null 2>&1)
}

# The schemas that exported records are checked with. Only files are read of that package, which needs a newer Python
# than ours and much else to run: so it stands apart, without what it depends on. Call it after python_packages.
record_schemas() {
  local version place
  version=$(sed -n 's/^every-eval-ever==\([^ ]*\).*/\1/p' requirements/eee.txt)
  place=${XDG_CACHE_HOME:-$HOME/.cache}/openassay-tests/eee-$version
  [ -f "$place/every_eval_ever/schemas/eval.schema.json" ] && return 0
  pip_install --require-hashes --no-deps --ignore-requires-python --target "$place" --requirement requirements/eee.txt
}

# The first Python of 3.11 or later; 3.11 before newer ones, because the pins were tested on it.
find_python() {
  local name
  for name in python3.11 python3.12 python3.13 python3; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      printf '%s\n' "$name"
      return 0
    fi
  done
  return 1
}

make_venv() {
  if "$venv/bin/python" -m pip --version >/dev/null 2>&1; then return 0; fi
  local python
  find_python >/dev/null || system_packages python3 python3-venv || true
  python=$(find_python) || { say "Python 3.11 or later is needed"; exit 1; }
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    # Debian ships these two apart, in a package named after the version.
    system_packages "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv" ||
      system_packages python3-venv || exit 1
  fi
  say "making $venv with $("$python" --version)"
  "$python" -m venv "$venv"
}

# python_packages NAME FILE...: installs the pinned files and OpenAssay itself, unless that was done for the same pins.
python_packages() {
  local name=$1 stamp wanted arguments=() file
  shift
  make_venv
  stamp=$venv/.installed-$name
  wanted=$(cat "$@" pyproject.toml "$venv/pyvenv.cfg" | sha256sum)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
  for file in "$@"; do arguments+=(--requirement "$file"); done
  say "installing Python packages: $*"
  pip_install --require-hashes "${arguments[@]}"
  pip_install --no-deps --no-build-isolation --editable .
  printf '%s\n' "$wanted" >"$stamp"
}

pip_install() {
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@" </dev/null
}
