"""The records of `report --json`. More fields may be added; none is renamed.

A rate stands here only where everything planned is scored; until then it is null, and `partial` holds bare counts.
"""

from openassay.reports.across import Across
from openassay.reports.comparing_contract import (
    Differentiation,
    Pair,
    Ranks,
    SaturationFacts,
    Steadiness,
    VarianceShares,
)
from openassay.reports.cost_contract import Costs
from openassay.reports.judging_contract import Judging
from openassay.reports.needs_contract import NeedsAnswer, Spending
from openassay.reports.outside_contract import BesideFigure
from openassay.reports.swap_contract import SwapPair
from openassay.schema.models import PlannedModel
from openassay.schema.plan import Imported, Settled
from openassay.schema.record import Identifier, Json, Record

Interval = tuple[float, float]


class ModelFacts(Record):
    """A model or judge as it took part."""

    name: Identifier
    endpoint: str
    version: str
    """The exact version asked for."""
    reported: tuple[str, ...] = ()
    """Versions that its endpoint says answered."""
    developer: str = ""
    lineage: tuple[str, ...] = ()
    parameters: dict[str, Json] = {}
    weights_sha256: str = ""

    @classmethod
    def of(cls, model: PlannedModel, parameters: dict[str, Json], reported: tuple[str, ...] = ()) -> "ModelFacts":
        return cls(
            name=model.name,
            endpoint=model.endpoint,
            version=model.model,
            reported=reported,
            developer=model.developer,
            lineage=model.lineage,
            parameters=parameters,
            weights_sha256=model.weights_sha256,
        )


class CategoryFacts(Record):
    id: Identifier
    track: Identifier
    title: str
    definition: str
    pool: int | None = None
    """Units in the pool that was drawn from."""


class RunSummary(Record):
    id: str
    plan_digest: str
    benchmark: str
    benchmark_version: str
    benchmark_digest: str
    title: str
    developers: str
    purpose: str
    funding: str
    conflicts: str
    licence: str
    scope: str
    visibility: str
    categories: tuple[CategoryFacts, ...]
    complete: bool
    """Everything planned is finished and scored: no error is left, and nothing waits for a judge or a person."""
    planned: int
    finished: int
    scored: int
    imported: int = 0
    """Answers that came from outside."""
    imported_from: Imported | None = None
    """The table that all results were imported from; null for a run made here."""
    software: str
    created: str
    spent_usd: float
    """All calls, judges included; calls that were never settled at their upper bound."""
    budget_usd: float | None
    models: tuple[ModelFacts, ...]
    judges: tuple[ModelFacts, ...]
    draws: int
    attempts: int
    """Per item and draw."""
    per_category: int | None
    seed: int
    solver: str
    template_digest: str
    max_tokens: int
    tries: int
    """Most calls for one attempt."""
    parameters: dict[str, Json] = {}
    """Sent to every model alike."""
    analysis: str
    stop_alpha: str | None = None
    """Of the rule for stopping early, declared before the run: chance of a false alarm over the whole run."""
    stopped: tuple[Settled, ...] = ()
    """Categories that it ended."""
    disclosures: tuple[str, ...] = ()


class Partial(Record):
    """Bare counts of a result that is no result yet."""

    scored: int
    passed: int
    failed: int


class DimensionScore(Record):
    score: float
    n_items: int


class Result(Record):
    """One model in one category of one run."""

    run: str
    model: str
    category: str
    track: str
    n_items: int
    n_attempts: int
    """Attempts finished, all items together."""
    attempts_per_item: int | None
    """Null where items were drawn unequally often."""
    planned: int
    finished: int
    scored: int
    headline: str
    """Such as ``20 scored of 20 planned``."""
    passed: int
    passable: int
    """Scored attempts on items with a hard check: what `passed` is out of."""
    pass_rate: float | None
    """Mean over items with a hard check; null unless everything planned is scored."""
    interval: Interval | None
    """Null also where items share too few sources (`few_sources`)."""
    pool_interval: Interval | None = None
    """Of a claim about the frozen pool alone (`CategoryFacts.pool`), of which some items were drawn: narrower, as what
    was drawn is known. Null where the whole pool was drawn, or where items belong together."""
    n_effective: float | None = None
    """Independent yes-or-no items with the same uncertainty."""
    score: float | None
    score_interval: Interval | None
    partial: Partial | None = None
    by_dimension: dict[str, DimensionScore] = {}
    outcomes: dict[str, int]
    """By outcome; ``timed_out`` apart from ``answered``."""
    unanswered: int = 0
    """Prompts of a `manual` model that wait for a person's answer."""
    cut_at: tuple[int, ...] = ()
    """Token limits at which answers were cut off, each once."""
    undecided: int = 0
    """Answers that wait for a judge or a person."""
    unmeasured: int = 0
    """Checks left out of scores because they could not be measured."""
    uncounted: int = 0
    """Soft checks with a verdict that is shown and not counted: the judge does not meet the benchmark's bar."""
    judged: int = 0
    """Verdicts that judges gave."""
    unsafe: int = 0
    """Verdicts on model-written code that ran without a sandbox."""
    cost_usd: float
    """Judges left out."""
    tokens_in: int
    tokens_out: int
    tokens_reasoning: int
    usage_unknown: int = 0
    """Attempts without a report of tokens, counted as 0 above."""
    seconds: float | None
    """Mean time of an attempt's last call."""
    seconds_median: float | None
    consistency: float | None = None
    """Share of items whose attempts all passed or all failed; null with one attempt an item."""
    pass_hat_k: tuple[float, ...] = ()
    """Chance that 1, 2, ... attempts at an item all pass, from 2 attempts on."""
    pass_hat_k_intervals: tuple[Interval, ...] = ()
    """Of each of these; empty with too few sources."""
    reliability: str = ""
    """The same in words; empty with one attempt an item."""
    variance: VarianceShares | None = None
    """Null with one attempt an item."""
    variance_judged: VarianceShares | None = None
    """Of judged checks; null unless attempts were judged more than once."""
    n_units: int | None = None
    """Independent sources: groups where items share one, items otherwise."""
    few_sources: bool = False
    """Items share so few sources that no interval is given."""
    items_with_signs: int = 0
    """Items that models' answers give a reason to look at."""
    if_faulty: Interval | None = None
    """Bounds of the pass rate were all of these items scored wrongly: no sampling error, which stands beside it."""
    advice: tuple[str, ...] = ()


class ItemResult(Record):
    """One model on one item."""

    planned: int
    scored: int
    passed: int
    score: float | None
    unstable: bool
    """Passed in some attempts and not in others."""
    unsure: bool = False
    """A judge gave no usable verdict, two judges differed, or a check was disputed."""
    marks: tuple[str, ...]
    """One word an attempt: `tally.MARKS`."""


class Item(Record):
    run: str
    task: str
    category: str
    track: str
    hard: bool
    """Has a check that decides between pass and fail."""
    different: bool
    """The models did not do equally well."""
    models: dict[str, ItemResult]
    solved: float | None = None
    """Difficulty: mean over whole models of their pass rates (scores, where no hard check decides), 0..1."""
    n_models: int = 0
    instability: float | None = None
    """Share of these models that passed in some attempts and not in others; null with one attempt."""
    wrong_share: float | None = None
    """Share of the models, weighted by pass rate, that gave the most common wrong answer."""
    item_rest: float | None = None
    """Correlation over models with the other items; null where it means nothing."""
    signs: tuple[str, ...] = ()
    """Reasons for people to look at the item; it is never taken away for them."""
    sent: dict[str, int] = {}
    """Endpoint -> times its text was sent there by this run, judges left out."""


class FirstScreen(Record):
    """A run in at most six sentences: what follows, from what, what is not settled, and what would settle it."""

    run: str
    sentences: tuple[str, ...]


class Summary(Record):
    """`report --json`."""

    format: int = 1
    runs: tuple[RunSummary, ...]
    results: tuple[Result, ...]
    items: tuple[Item, ...]
    judging: tuple[Judging, ...] = ()
    """On the judges of each run in which checks are judged."""
    pairs: tuple[Pair, ...] = ()
    """Every two models of a run in each category."""
    ranks: tuple[Ranks, ...] = ()
    saturation: tuple[SaturationFacts, ...] = ()
    steadiness: tuple[Steadiness, ...] = ()
    """What moves the conclusions on pairs."""
    across: tuple[Across, ...] = ()
    """Whether the runs may be compared with the first of them."""
    differentiation: tuple[Differentiation, ...] = ()
    """Of categories with too few items to compare models by counts."""
    costs: tuple[Costs, ...] = ()
    """Cost against score, where ten items and two models with known costs are there."""
    swaps: tuple[SwapPair, ...] = ()
    """Items asked in variants with one attribute changed: every two variants, model by model."""
    spending: tuple[Spending, ...] = ()
    """Cost and time of an answer, for each model and category."""
    needs: NeedsAnswer | None = None
    """What the runs say to a reader's own needs (`--needs`)."""
    outside: tuple[BesideFigure, ...] = ()
    """Figures of others (`--outside`), never pooled with anything measured here."""
    first: tuple[FirstScreen, ...] = ()
    """Of each run, what to read first."""
    limits: tuple[str, ...]
    """What may not be concluded."""

    def results_of(self, run: str) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.run == run)

    def judging_of(self, run: str) -> Judging | None:
        return next((one for one in self.judging if one.run == run), None)

    def first_of(self, run: str) -> tuple[str, ...]:
        return next((one.sentences for one in self.first if one.run == run), ())

    def swaps_of(self, run: str) -> tuple[SwapPair, ...]:
        return tuple(pair for pair in self.swaps if pair.run == run)
