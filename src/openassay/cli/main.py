"""`openassay VERB ...`: finds the verb, imports it alone, and turns what it raises into a message and an exit code.

Exit codes: 0 fine; 1 a finding or an incomplete run; 2 usage, broken input or a refusal; 130 interrupted.

Not here: what any verb does. A verb is a module with a function `command` whose parameters are its flags, an optional
text `EXAMPLES`, and whose result is an exit code or None. It has `--json`; `--debug` works on all of them. One of two
words stands in a group (`openassay judge`).
"""

import errno
import importlib
import os
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from typer.core import TyperCommand

    from openassay.schema.errors import OpenAssayError


class Verb(NamedTuple):
    module: str
    help: str


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

VERBS = {
    "init": Verb("openassay.cli.init", "Write a small working benchmark that explains itself."),
    "check": Verb("openassay.cli.check", "Find what is wrong in a benchmark, and prove its tasks."),
    "prove": Verb("openassay.cli.prove", "Prove that tasks can be passed, and not by cheating."),
    "models": Verb("openassay.cli.models", "List the models you have named, and try whether they answer."),
    "run": Verb("openassay.cli.run", "Put models to a benchmark and keep every answer."),
    "resume": Verb("openassay.cli.resume", "Go on with a run that was stopped."),
    "score": Verb("openassay.cli.score", "Score a run's stored answers again, without calling its models."),
    "review": Verb("openassay.cli.review", "Let people decide checks of a run, on a page of this machine."),
    "judge calibrate": Verb("openassay.cli.calibrate", "Measure a judge on outputs whose verdicts people agreed on."),
    "judge show": Verb("openassay.cli.judge_show", "List the judges that were measured, and how well they did."),
    "report": Verb("openassay.cli.report", "Show what a run may be taken to say."),
    "compare": Verb("openassay.cli.compare", "Say whether one model of a run is better than another."),
    "power": Verb("openassay.cli.power", "Say how many items it takes to see a gap, and what they cost."),
    "import": Verb("openassay.cli.import_", "Make a run of results that were made elsewhere."),
    "export": Verb("openassay.cli.export", "Write a run's results, or a benchmark's card, for other programs."),
    "claim": Verb("openassay.cli.claim", "List what a published figure leaves out."),
    "grade": Verb("openassay.cli.grade", "Score one answer against one task, without a model."),
    "setup": Verb("openassay.cli.setup", "Install pinned extras, such as small local models."),
    "demo": Verb("openassay.cli.demo", "Run two small local models on the starter benchmark."),
}

HELP = """\
Usage: openassay VERB [OPTIONS]

Build a benchmark of your own questions, put language models to it, and read a result that anyone can check.

Verbs:
{verbs}

Options:
  --version  Print the version.
  --debug    Show the traceback of an error (or set OPENASSAY_DEBUG=1).
  --help     Show this text; `openassay VERB --help` shows a verb's flags and examples.

Example, from nothing to a result:
  openassay init my-benchmark
  openassay check my-benchmark
  openassay run my-benchmark --model small=http://127.0.0.1:8091/v1#smollm2-135m-instruct
"""

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point: runs one verb and exits with its code."""
    sys.exit(code_of(list(sys.argv[1:] if argv is None else argv)))


def code_of(argv: list[str]) -> int:
    """Run the verb that the arguments name; its exit code."""
    debug, args = _take_debug(argv)
    try:
        code = _dispatch(args, debug=debug)
        sys.stdout.flush()
    except BrokenPipeError:
        return _closed_pipe()
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    return code


def _take_debug(argv: list[str]) -> tuple[bool, list[str]]:
    debug = "--debug" in argv or os.environ.get("OPENASSAY_DEBUG", "") not in {"", "0"}
    return debug, [arg for arg in argv if arg != "--debug"]


def _dispatch(args: list[str], *, debug: bool) -> int:
    if not args or args[0] in {"--help", "-h", "help"}:
        print(root_help())
        return 0 if args else 2
    if args[0] == "--version":
        print(f"openassay {version()}")
        return 0
    group = [name for name in VERBS if name.startswith(f"{args[0]} ")]
    if group and args[1:2] in ([], ["--help"], ["-h"], ["help"]):
        print(f"Usage: openassay {args[0]} VERB [OPTIONS]\n\nVerbs:\n{_listed(group)}")
        return 0 if args[1:] else 2
    words = 2 if group else 1
    return _run_verb(" ".join(args[:words]), args[words:], debug=debug)


def root_help() -> str:
    return HELP.format(verbs=_listed(VERBS))


def _listed(names: Collection[str]) -> str:
    width = max(map(len, names))
    return "\n".join(f"  {name:<{width}}  {VERBS[name].help}" for name in names)


def version() -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("openassay")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "unknown"


def _run_verb(name: str, args: list[str], *, debug: bool) -> int:
    from openassay.schema.errors import IncompleteError, OpenAssayError

    as_json = "--json" in args
    try:
        return _call(name, args)
    except OpenAssayError as error:
        if debug:
            raise
        _tell(error, as_json=as_json)
        return 1 if isinstance(error, IncompleteError) else 2
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        if debug:
            raise
        _tell(_unexpected(error), as_json=as_json)
        return 2


def _call(name: str, args: list[str]) -> int:
    """Import the verb and run it; usage errors come out as `OpenAssayError`."""
    import typer

    from openassay.schema.errors import InputError

    if name not in VERBS:
        raise _unknown_verb(name)
    try:
        result = verb_command(name)(args, prog_name=f"openassay {name}", standalone_mode=False)
    except typer.TyperException as error:
        raise InputError(
            error.format_message(), where=f"openassay {name}", todo=f"see `openassay {name} --help`"
        ) from error
    except typer.Abort:
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def verb_command(name: str) -> "TyperCommand":
    """The command object of a verb, for calling it and for documenting its flags."""
    import inspect

    import typer
    import typer.main

    module = importlib.import_module(VERBS[name].module)
    # A line with only \b keeps the layout of the paragraph below it; in raw docstrings it stands as two characters.
    text = (inspect.getdoc(module.command) or VERBS[name].help).replace("\\b", "\b")
    examples: str = getattr(module, "EXAMPLES", "")
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    epilog = "\b\nExamples:\n" + inspect.cleandoc(examples) if examples else None
    app.command(name, help=text, epilog=epilog)(module.command)
    return cast("TyperCommand", typer.main.get_command(app))  # one command, so no group


def _unknown_verb(name: str) -> "OpenAssayError":
    from openassay.schema.errors import InputError
    from openassay.schema.suggest import unknown_name

    return InputError(unknown_name("verb", name, VERBS), where="openassay", todo="see `openassay --help`")


def _unexpected(error: Exception) -> "OpenAssayError":
    """One sentence for an error nobody foresaw. Its own text may quote private items, so only its kind is told."""
    from openassay.schema.errors import OpenAssayError

    if isinstance(error, OSError):
        place = str(error.filename or "")
        if error.errno in _FULL:
            what = f"the disk is full: {error.strerror}"
            return OpenAssayError(what, where=place, todo="free some space, or raise the quota; then do it again")
        return OpenAssayError(error.strerror or type(error).__name__, where=place, todo="check the path and its rights")
    return OpenAssayError(
        f"unexpected {type(error).__name__}: a fault in OpenAssay itself",
        todo="set OPENASSAY_DEBUG=1 to see the traceback, and report it without your items or keys",
    )


def _tell(error: "OpenAssayError", *, as_json: bool) -> None:
    from openassay.cli import console

    rows = console.message(error)
    print("\n".join([f"error: {rows[0]}", *rows[1:]]), file=sys.stderr)
    if as_json:
        console.write_json(console.error_document(error))


def _closed_pipe() -> int:
    """The reader of stdout went away (`openassay ... | head`): end quietly, as other tools do."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
