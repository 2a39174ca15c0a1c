"""What a report says of a run's judges, as records: from what was heard to rates with what they rest on.

Not here: listening (`hearing`), people (`people`), sentences (`judge_words`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from openassay.reports.hearing import Hearing, Sources, Voice
from openassay.reports.judging_contract import (
    By,
    DisputeFacts,
    JudgeFacts,
    JudgePair,
    Judging,
    OpenChecks,
    Relation,
    Rescoring,
)
from openassay.reports.people import People
from openassay.reports.results import RunFacts
from openassay.reports.shares import Twice
from openassay.reports.tally import ScoredCell
from openassay.runs.judge_calls import JudgeCalls
from openassay.schema.judging import Cause
from openassay.schema.models import PlannedModel
from openassay.schema.record import MILLION

UNMEASURED = "nobody measured the judge {name}: the benchmark sets no bar for judges"


class Listener:
    """Everything about judges that is kept while cells are read once."""

    def __init__(self, facts: RunFacts) -> None:
        self._facts = facts
        self._hearing = Hearing(facts.judges, facts.plan.models, facts.tasks)
        self._people = People(facts.reviews, facts.tasks.__getitem__, Sources(facts.tasks).of)

    def listen(self, cells: Iterable[ScoredCell]) -> Iterator[ScoredCell]:
        """The same cells, counted on their way."""
        for cell in self._hearing.listen(cells):
            self._people.hear(cell)
            yield cell

    def found(self) -> Judging | None:
        """What was heard; None where no check is judged and nobody decided anything."""
        heard, facts = self._hearing, self._facts
        people = self._people.found()
        if not heard.checks and people is None:
            return None
        return Judging(
            run=facts.id,
            checks=heard.checks,
            disputed=sum(heard.disputed.values()),
            open=sum(heard.open.values()),
            judges=tuple(_judge(heard, facts, place, one) for place, one in enumerate(facts.judges, 1)),
            disputes=tuple(_disputes(heard)),
            by_model=tuple(
                OpenChecks(model=model, category=category, disputed=number, open=heard.open[model, category])
                for (model, category), number in heard.disputed.items()
            ),
            pairs=tuple(_pairs(heard.pairs)),
            rescored=_rescored(heard, facts),
            people=people,
        )


def _judge(heard: Hearing, facts: RunFacts, place: int, judge: PlannedModel) -> JudgeFacts:
    voice = heard.voices.get(judge.name, Voice())
    asked = facts.judge_calls.get(judge.name, JudgeCalls(0, 0))
    standing = next((one for one in facts.standings or () if one.judge == judge.name), None)
    return JudgeFacts(
        judge=judge.name,
        place=place,
        requests=len(voice.usable.hits),
        usable=voice.usable.rate(),
        missed=voice.missed.rate(),
        unreadable=voice.unreadable.rate(),
        same_over_order=voice.same.rate(),
        unquoted=voice.unquoted.rate(),
        deciding=voice.deciding,
        beside=voice.beside,
        uncounted=voice.uncounted,
        calls=asked.calls,
        cost_usd=asked.cost / MILLION,
        relations={model: one for (name, model), one in heard.relations.items() if name == judge.name},
        counts=standing.counts if standing else True,
        standing=standing.why if standing else UNMEASURED.format(name=judge.name),
    )


def _disputes(heard: Hearing) -> Iterator[DisputeFacts]:
    """In the order of `Cause`, each with who decided."""
    for cause in get_args(Cause):
        decided: dict[By, int] = {by: number for by in get_args(By) if (number := heard.causes[cause, by])}
        if decided:
            yield DisputeFacts(cause=cause, checks=sum(decided.values()), decided=decided)


def _pairs(pairs: Mapping[tuple[str, str], Mapping[Relation, Twice]]) -> Iterator[JudgePair]:
    for (first, second), by_relation in pairs.items():
        kinds = ["all", *(kind for kind in get_args(Relation) if kind in by_relation)]
        groups = {kind: by_relation[kind] for kind in kinds[1:]} | {"all": _together(by_relation)}
        found = [one for kind in kinds if (one := groups[kind].compared(kind))]
        if found:
            yield JudgePair(first=first, second=second, groups=tuple(found))


def _together(groups: Mapping[Relation, Twice]) -> Twice:
    whole = Twice()
    for one in groups.values():
        whole.judged += one.judged
        whole.first += one.first
        whole.second += one.second
        whole.units += one.units
    return whole


def _rescored(heard: Hearing, facts: RunFacts) -> Rescoring | None:
    compared = heard.again.compared("all")
    if compared is None and not heard.lost and not heard.gained:
        return None
    return Rescoring(
        judges_before=facts.judges_before,
        judges_after=tuple(one.name for one in facts.judges),
        compared=compared,
        lost=heard.lost,
        gained=heard.gained,
    )
