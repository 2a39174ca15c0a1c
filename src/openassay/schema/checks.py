"""The options of every scorer, as records: the loader refuses an unknown name, and the docs are generated from these.

`SCORERS` maps a short name to its option record and to what its `reference` must look like. The code behind a name
stands in the room `scorers`; a name holding a dot is a dotted path to a function and takes `ForeignOptions`.
"""

from typing import Literal

from pydantic import ConfigDict, Field

from openassay.schema.record import Json, Record


class AnswerOptions(Record):
    """Shared by all text scorers: how the final answer is found."""

    answer_prefix: str | None = None
    """The final answer is what follows this text, such as ``Total:``; null to look for the usual forms."""


class ExactOptions(AnswerOptions):
    """Reference: a string, or a list of accepted strings."""

    ignore_case: bool = True
    ignore_punctuation: bool = True
    """Punctuation at the ends of the answer and doubled white space are ignored."""


class ChoiceOptions(AnswerOptions):
    """Reference: the letter or label of the right choice."""

    choices: dict[str, str]
    """Letter -> text, such as ``{"A": "Paris", "B": "Rome"}``."""


class NumericOptions(AnswerOptions):
    """Reference: a number."""

    absolute: float = Field(default=0.0, ge=0)
    """Absolute tolerance, in the reference's unit."""
    relative: float = Field(default=0.0, ge=0)
    """Tolerance as a share of the reference."""
    unit: str | None = None
    """The reference's unit; other units are converted, none is taken as this one."""
    decimal_comma: bool = False
    """Read ``1.024,5`` as one thousand and twenty-four and a half."""


class RegexOptions(AnswerOptions):
    """Reference: none."""

    pattern: str
    """Python `re` pattern; matched with a time limit."""
    full: bool = False
    """The whole final answer must match, not a part of it."""


class JsonOptions(AnswerOptions):
    """Reference: a JSON value, or null when only the schema decides."""

    json_schema: dict[str, Json] | None = Field(default=None, alias="schema")
    """JSON Schema 2020-12 that the answer must follow."""
    compare: Literal["equal", "subset"] = "equal"
    """`subset`: every field of the reference stands in the answer, more is allowed."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class RecordsOptions(AnswerOptions):
    """Reference: a list of objects."""

    key: tuple[str, ...]
    """Fields that tell which record is which."""
    fields: tuple[str, ...] = ()
    """Fields compared; empty for all fields of the reference."""
    min_f1: float = Field(default=1.0, ge=0, le=1)
    """F1 over (record, field) pairs that passes."""


class LabelsOptions(AnswerOptions):
    """Reference: an object id -> label."""

    min_agreement: float | None = Field(default=None, ge=0, le=1)
    """Share of ids labelled as in the reference that passes; 1 where neither bound is given."""
    min_kappa: float | None = Field(default=None, ge=-1, le=1)


class CodesOptions(AnswerOptions):
    """Qualitative coding. Reference: coder -> {span -> [codes]}, one entry for each human coder."""

    codebook: dict[str, str]
    """Code -> definition; an answer with a code outside it fails."""
    min_agreement: float = Field(default=0.7, ge=0, le=1)
    """Mean over coders of the mean Jaccard similarity over spans that passes."""


class QuotesSupportedOptions(AnswerOptions):
    """Reference: none. Every quotation in the answer must stand in the material."""

    min_quotes: int = Field(default=1, ge=0)


class AbstainsOptions(AnswerOptions):
    """Reference: true where the answer must say that the information is missing, false where it must not."""

    phrases: tuple[str, ...] = ()
    """More ways of saying it, in any language."""


class FormatOptions(AnswerOptions):
    """Reference: none."""

    min_words: int | None = Field(default=None, ge=0)
    max_words: int | None = Field(default=None, ge=0)
    bullets: int | None = Field(default=None, ge=0)
    """Exact number of list items."""
    must_include: tuple[str, ...] = ()
    must_not_include: tuple[str, ...] = ()
    language: str | None = Field(default=None, pattern=r"^[a-z]{2}$")
    """ISO 639-1 code that a detector must find."""


class ConsistentOptions(AnswerOptions):
    """Reference: none. The answers of one group must agree; needs `group` on the item."""

    compare: Literal["same", "form"] = "same"
    """`same`: equal final answers; `form`: the same form (all numbers, all JSON with the same keys, ...)."""


class SwapOptions(AnswerOptions):
    """Reference: none. The answers to all variants of an item must be the same; needs `swap` on the item."""

    compare: Literal["answer", "number"] = "answer"
    """`answer`: equal final answers, the swapped words counted as one; `number`: numbers within the tolerance."""
    absolute: float = Field(default=0.0, ge=0)
    """Of `number`: the largest difference between two variants that makes none."""
    relative: float = Field(default=0.0, ge=0)
    """Of `number`: the same as a share of the largest number."""
    unit: str | None = None
    """Of `number`: numbers with other units are converted to this one, none is taken as this one."""
    decimal_comma: bool = False
    """Read ``1.024,5`` as a number between 1024 and 1025."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Lists of words that count as one, such as ``["she", "he"]``; filled in from the item's `swap`."""


class RubricOptions(Record):
    """Judged by the run's panel. Reference: the criterion in words, or a list of criteria."""

    weights: tuple[int, ...] = ()
    """One weight a criterion; empty for equal weights."""
    min_share: float = Field(default=1.0, ge=0, le=1)
    """Weighted share of criteria that passes the check."""


class UnsupportedOptions(Record):
    """Judged by the run's panel. Reference: none. Every sentence of the answer is held against the material."""

    max_absent: int = Field(default=0, ge=0)
    """Sentences that the material may be silent on."""
    max_contradicted: int = Field(default=0, ge=0)
    """Sentences that the material may contradict."""
    max_sentences: int = Field(default=30, ge=1, le=200)
    """Sentences judged; a longer answer stays unmeasured unless these already fail it."""


class PythonOptions(Record):
    """Reference: none. The answer is Python code, run in a sandbox against hidden cases or hidden tests.

    One of `function`, `module` and `file` says what the answer is; one of `cases` and `tests`, what it is held to.
    """

    function: str | None = None
    """Name of the function that the answer must define; hidden tests import it from the module ``solution``."""
    module: str | None = None
    """Or: name under which hidden tests import the whole answer, such as ``inventory``."""
    file: str | None = None
    """Or: path below `environment/` of the file that the answer replaces, such as ``inventory.py``."""
    cases: str | None = None
    """Hidden data, such as ``hidden/cases.jsonl``: calls of `function` and what they must give."""
    tests: str | None = None
    """Hidden test functions in pytest's style, such as ``hidden/test_inventory.py``."""
    sequences: Literal["any", "exact"] = "any"
    """Of cases: `any` takes a tuple or an iterator where a list is expected; `exact` takes only what is expected."""
    seconds: int = Field(default=10, gt=0, le=300)
    """Of real time, for all cases or tests together."""
    memory_mb: int = Field(default=512, gt=15, le=8192)


class CommandOptions(Record):
    """Reference: none. A program of yours reads the answer as a file and writes verdicts, in a sandbox."""

    run: tuple[str, ...] = Field(min_length=1)
    """The command and its arguments, such as ``["python3", "hidden/check.py", "answer.txt"]``."""
    answer: str = "answer.txt"
    """File in the work folder that holds the answer."""
    fence: bool = False
    """Write only what stands in the answer's last complete fenced block, where there is one."""
    min_share: float = Field(default=1.0, ge=0, le=1)
    """Weighted share of the program's verdicts that passes the check."""
    seconds: int = Field(default=10, gt=0, le=300)
    memory_mb: int = Field(default=512, gt=15, le=8192)


class WrittenTestsOptions(Record):
    """Reference: none. The answer is a test file; it must pass right code, and fail code that is wrong."""

    under_test: str
    """The right code, such as ``environment/stack.py`` or ``hidden/stack.py``; tests import it by this file's name."""
    mutants: str = "hidden/mutants"
    """Folder of wrong versions of it, one a file."""
    min_killed: float = Field(default=1.0, gt=0, le=1)
    """Share of the wrong versions that the tests must fail."""
    seconds: int = Field(default=10, gt=0, le=300)
    """Of real time, for one run of the tests."""
    memory_mb: int = Field(default=512, gt=15, le=8192)


class ForeignOptions(Record):
    """Options of a scorer named by a dotted path: passed through as they stand."""

    model_config = ConfigDict(frozen=True, extra="allow")


class ScorerKind(Record):
    """What the loader must know of a scorer."""

    options: type[Record]
    reference: Literal[
        "none", "text", "texts", "label", "number", "json", "objects", "labels", "codes", "flag", "criteria"
    ]
    """Shape of the reference; `none` where it takes none, `json` may be null."""
    by: Literal["script", "judge", "human"] = "script"


SCORERS: dict[str, ScorerKind] = {
    "exact": ScorerKind(options=ExactOptions, reference="texts"),
    "choice": ScorerKind(options=ChoiceOptions, reference="label"),
    "numeric": ScorerKind(options=NumericOptions, reference="number"),
    "regex": ScorerKind(options=RegexOptions, reference="none"),
    "json": ScorerKind(options=JsonOptions, reference="json"),
    "records": ScorerKind(options=RecordsOptions, reference="objects"),
    "labels": ScorerKind(options=LabelsOptions, reference="labels"),
    "codes": ScorerKind(options=CodesOptions, reference="codes"),
    "quotes_supported": ScorerKind(options=QuotesSupportedOptions, reference="none"),
    "abstains": ScorerKind(options=AbstainsOptions, reference="flag"),
    "format": ScorerKind(options=FormatOptions, reference="none"),
    "consistent": ScorerKind(options=ConsistentOptions, reference="none"),
    "swap": ScorerKind(options=SwapOptions, reference="none"),
    "python": ScorerKind(options=PythonOptions, reference="none"),
    "command": ScorerKind(options=CommandOptions, reference="none"),
    "written_tests": ScorerKind(options=WrittenTestsOptions, reference="none"),
    "rubric": ScorerKind(options=RubricOptions, reference="criteria", by="judge"),
    "unsupported": ScorerKind(options=UnsupportedOptions, reference="none", by="judge"),
}
