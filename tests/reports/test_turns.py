import pytest

from openassay.reports.comparing_contract import Turn
from openassay.reports.summary import summarise_run
from openassay.reports.turns import gaps
from openassay.schema.attempt import Score, Verdict
from openassay.schema.task import Check, Origin

ZERO = "0" * 64


def written_by(made, authors, passes, **fields):
    """A run whose items have these authors; passes: model -> truth value an item."""
    tasks = [made.task(f"sum-{n}", origin=Origin(author=author), **fields) for n, author in enumerate(authors)]
    cells = [made.cell(model, f"sum-{n}", one) for model, each in passes.items() for n, one in enumerate(each)]
    return summarise_run(made.facts(tasks, tuple(passes)), cells)


def carried(number, lead):
    """One model passes `lead` items more than the other, all of them among the first."""
    base = [n >= lead and n % 3 > 0 for n in range(number)]
    return {"alpha": [one or n < lead for n, one in enumerate(base)], "beta": base}


def test_a_conclusion_that_one_authors_items_carry_is_said_so(made):
    summary = written_by(made, ["Ada"] * 8 + ["Ben"] * 22 + ["Cy"] * 30, carried(60, 8))
    (found,) = summary.steadiness
    assert summary.pairs[0].better == "alpha"
    (sentence,) = found.sentences
    assert sentence == (
        "Leaving out the 8 items of author Ada turns “alpha better” into “no difference shown” (alpha against beta, "
        "the gap goes from 13 to 0 points)."
    )
    (turn,) = found.turns
    assert (turn.kind, turn.name, turn.n_items, turn.before, turn.after) == (
        "author",
        "Ada",
        8,
        "alpha better",
        "no difference shown",
    )
    assert any("author Ada" in sentence for sentence in summary.limits)


def test_where_nothing_turns_that_is_said_with_what_was_tried(made):
    summary = written_by(made, [f"author-{n % 4}" for n in range(60)], carried(60, 30))
    (found,) = summary.steadiness
    assert (found.turns, found.tried) == ((), {"author": 4})
    assert "No single check, author or source turns the verdict on the pass rate (4 authors tried)." in found.sentences


def test_too_few_items_have_no_verdict_to_turn(made):
    assert written_by(made, ["Ada"] * 4, carried(4, 3)).steadiness == ()


def test_too_few_items_left_unsettle_only_what_was_claimed(made):
    same = [n % 2 == 0 for n in range(14)]
    (found,) = written_by(made, ["Ada"] * 8 + ["Ben"] * 6, {"alpha": same, "beta": same}).steadiness
    assert found.turns == ()


def two_checks(made, first, second, *, number=40, weight=1, soft=False, value=None):
    """A run of tasks with two checks; first, second: model -> whether the check on item n is met."""
    checks = (
        Check(id="facts", uses="exact", reference="42"),
        Check(id="form", uses="format", hard=not soft, weight=weight),
    )
    tasks = [made.task(f"sum-{n}", checks=checks) for n in range(number)]
    facts = made.facts(tasks)
    return summarise_run(
        facts,
        [_cell(made, task, n, model, (first, second)) for model in ("alpha", "beta") for n, task in enumerate(tasks)],
    )


def _cell(made, task, n, model, rules):
    met = [rule(model, n) for rule in rules]
    verdicts = tuple(
        Verdict(check=check.id, result="pass" if one else "fail", reason="", who="x/1", evidence=ZERO)
        for check, one in zip(task.checks, met, strict=True)
    )
    from openassay.scorers.gate import aggregate

    cell = made.cell(model, task.id, all(met))
    score: Score = aggregate(task.checks, verdicts, cell.attempt.outcome)
    return cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": verdicts, "score": score}))


def test_a_check_that_carries_the_conclusion_is_named(made):
    summary = two_checks(made, lambda model, n: n % 4 > 0, lambda model, n: model == "alpha" or n % 2 == 0)
    found = next(one for one in summary.steadiness if one.measure == "pass rate")
    turned = {(turn.kind, turn.name) for turn in found.turns}
    assert {("check", "form"), ("scorer", "format")} <= turned
    assert "Leaving out check form (40 items) turns “alpha better” into “no difference shown”" in found.sentences[0]


@pytest.mark.parametrize(("kind", "name"), [("soft", "soft checks"), ("weights", "equal weights")])
def test_soft_checks_and_weights_are_tried_on_scores(made, kind, name):
    summary = two_checks(
        made, lambda model, n: n % 5 > 0, lambda model, n: model == "alpha" or n % 2 == 0, weight=5, soft=True
    )
    found = next(one for one in summary.steadiness if one.measure == "score")
    assert found.tried[kind] == 1
    assert (name in {turn.name for turn in found.turns}) is (kind == "soft")


def test_a_laxer_threshold_is_tried_where_a_share_was_measured(made):
    check = Check(id="rows", uses="records", reference=[{"a": 1}], options={"key": ["a"], "min_f1": {"decimal": "0.8"}})
    tasks = [made.task(f"list-{n}", checks=(check,)) for n in range(40)]
    cells = []
    for model in ("alpha", "beta"):
        for n, task in enumerate(tasks):
            share = 900_000 if model == "alpha" or n % 2 == 0 else 750_000
            cell = made.cell(model, task.id, share >= 800_000)
            verdict = cell.scoring.verdicts[0].model_copy(update={"check": "rows", "value": share})
            cells.append(cell._replace(scoring=cell.scoring.model_copy(update={"verdicts": (verdict,)})))
    found = next(one for one in summarise_run(made.facts(tasks), cells).steadiness if one.measure == "pass rate")
    assert ("threshold", "laxer", "no difference shown") in {(one.kind, one.name, one.after) for one in found.turns}


GAPS = [
    (0.13, 0.0, "the gap goes from 13 to 0 points"),
    (0.13, 0.13, "the gap stays at 13 points, on fewer items or other ones"),
    (0.13, -0.04, "the gap goes from 13 to 4 points the other way"),
    (0.02, 0.01, "the gap goes from 2 to 1 point"),
]


@pytest.mark.parametrize(("before", "after", "said"), GAPS)
def test_a_turn_says_whether_the_gap_moved_or_only_the_number_of_items(before, after, said):
    words = {"kind": "author", "name": "Ada", "change": "", "n_items": 1, "a": "a", "b": "b", "before": "", "after": ""}
    assert gaps(Turn(**words, diff_before=before, diff_after=after)) == said
