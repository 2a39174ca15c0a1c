"""What a benchmark card asks: the criteria of BetterBench (arXiv 2411.12990), in short words of our own.

The paper speaks of 46 criteria, the list on its methodology page has 47; all 47 stand here under their usual ids.
Not here: what can be answered without a person (`card_answers`), what people answer (`card_file`).
"""

from typing import Literal, NamedTuple

Stage = Literal["design", "implementation", "documentation", "maintenance"]


class Criterion(NamedTuple):
    id: str
    stage: Stage
    question: str


_DESIGN = (
    "Is it defined which ability is tested?",
    "Why do these tasks show that ability?",
    "What does the ability help with outside the benchmark?",
    "Who is meant to use it, and for what?",
    "Which experts of the field took part?",
    "Which literature of the field does it build on?",
    "What may its results be used for, and what not?",
    "Why are these the right measures?",
    "What are the lowest and highest possible values, and how near are models to them?",
    "What do people reach?",
    "What does chance reach?",
    "How much do results change with the wording of a task?",
    "How was it checked that automatic scoring is right?",
    "What sets it apart from related benchmarks?",
)
_IMPLEMENTATION = (
    "Is the code that scores answers available?",
    "Can published results be repeated by one command?",
    "Can others reach tasks, prompts and environment?",
    "Can models behind an API be tested?",
    "Can models on one's own machine be tested?",
    "How are tasks kept out of training data (marker, encryption, closed pool)?",
    "Can it be tested whether a model was trained on the tasks?",
    "Was it looked into whether tasks need a warning about their content?",
    "What must be published along with a result?",
    "Can a visitor see whether the code works at present?",
)
_DOCUMENTATION = (
    "Is it stated which software is needed?",
    "Is there a quick start?",
    "Does the code explain itself where it is hard to read?",
    "Is the code documented?",
    "Which kinds of tasks are there, and why these?",
    "Which values and norms do the tasks take for granted?",
    "What are its limits?",
    "How was it made?",
    "How were data, environment and prompts designed?",
    "Are the measures documented?",
    "How is statistical uncertainty reported?",
    "Was it reviewed by peers?",
    "Under which licence is it?",
    "Has it a lasting identifier?",
    "Is there metadata in a standard form?",
    "Where do the tasks come from, and how were they collected?",
    "How were they processed?",
    "How were reference answers and labels made?",
    "Whom and what do the tasks represent, and whom not?",
    "Is the documentation in a standard form?",
)
_MAINTENANCE = (
    "Was it checked within the last year that the code works?",
    "Where can errors be reported, and are they answered?",
    "Who can be asked?",
)


def _numbered(prefix: str, stage: Stage, questions: tuple[str, ...]) -> tuple[Criterion, ...]:
    return tuple(Criterion(f"{prefix}{at}", stage, question) for at, question in enumerate(questions, 1))


CRITERIA = (
    *_numbered("D", "design", _DESIGN),
    *_numbered("I", "implementation", _IMPLEMENTATION),
    *_numbered("Do", "documentation", _DOCUMENTATION),
    *_numbered("M", "maintenance", _MAINTENANCE),
)
IDS = tuple(one.id for one in CRITERIA)
