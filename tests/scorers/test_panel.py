"""Every path of the panel ends in exactly one deciding verdict or in `unmeasurable`: the table of `docs/judges.md`."""

import itertools

import pytest

from openassay.schema.attempt import Verdict
from openassay.schema.judging import DisputeRules
from openassay.schema.task import Check
from openassay.scorers.panel import Case, View, asks_on, decided

CHECK = Check(id="tone", by="judge", hard=False, uses="rubric", reference="is polite", same_as="fact")
P, F, MISSED, UNREAD = "pass", "fail", "missed", "unread"


def said(judge, word, order):
    control = word if word in {MISSED, UNREAD} else "met"
    result = word if word in {P, F} else "unmeasurable"
    return Verdict(
        check="tone",
        result=result,
        reason=word,
        by="judge",
        who=f"{judge} d",
        evidence="0" * 64,
        order=order,
        control=control,
    )


def view(judge, *words, may=True):
    return View(tuple(said(judge, word, n) for n, word in enumerate(words, 1)), may, "" if may else "own lineage")


def script(result):
    return Verdict(check="fact", result=result, reason="counted", who="exact/1", evidence="0" * 64)


def case(first, second=(), *, first_may=True, second_may=True, fact=None, marks=(), **rules):
    views = [view("one", *first, may=first_may)]
    if second:
        views.append(view("two", *second, may=second_may))
    return Case(CHECK, tuple(views), DisputeRules(**rules), script(fact) if fact else None, tuple(marks))


def outcome(found):
    """(who decides, result, disputes) of the one deciding verdict."""
    (chosen,) = [one for one in decided(found) if one.decides]
    return chosen.who.partition(" ")[0], chosen.result, chosen.disputes


TABLE = {
    "agreeing passes": (case([P, P]), ("one", P, ())),
    "agreeing fails": (case([F, F]), ("one", F, ())),
    "one pass only": (case([F]), ("one", F, ())),
    "the order moves it, nobody else": (case([P, F]), ("nobody", "unmeasurable", ("order",))),
    "the order moves it, a second judge": (case([P, F], [F, F]), ("two", F, ("order",))),
    "the order moves both": (case([P, F], [F, P]), ("nobody", "unmeasurable", ("order",))),
    "the order moves it, people": (case([P, F], order="people"), ("nobody", "unmeasurable", ("order",))),
    "a canary missed": (case([MISSED, P]), ("nobody", "unmeasurable", ("canary",))),
    "a canary missed, a second judge": (case([MISSED, MISSED], [P, P]), ("two", P, ("canary",))),
    "a canary missed by both": (case([MISSED, MISSED], [MISSED, MISSED]), ("nobody", "unmeasurable", ("canary",))),
    "a canary missed, people": (case([MISSED, P], [P, P], canary="people"), ("nobody", "unmeasurable", ("canary",))),
    "no usable reply": (case([UNREAD, UNREAD]), ("nobody", "unmeasurable", ("reply",))),
    "one usable reply": (case([UNREAD, P], [F, F]), ("two", F, ("reply",))),
    "unread and missed": (case([UNREAD, MISSED], [P, P]), ("two", P, ("canary", "reply"))),
    "own lineage": (case([P, P], first_may=False), ("nobody", "unmeasurable", ("lineage",))),
    "own lineage, a second judge": (case([P, P], [F, F], first_may=False), ("two", F, ("lineage",))),
    "own lineage, the second too": (
        case([P, P], [F, F], first_may=False, second_may=False),
        ("nobody", "unmeasurable", ("lineage",)),
    ),
    "own lineage, people": (case([P, P], first_may=False, lineage="people"), ("nobody", "unmeasurable", ("lineage",))),
    "own lineage and moved": (case([P, F], [P, P], first_may=False), ("two", P, ("lineage", "order"))),
    "the script agrees": (case([P, P], fact=P), ("one", P, ())),
    "the script could not measure": (case([P, P], fact="unmeasurable"), ("one", P, ())),
    "the script contradicts": (case([P, P], fact=F), ("exact/1", F, ("contradiction",))),
    "the script contradicts, second": (
        case([P, P], [P, P], fact=F, contradiction="second"),
        ("two", P, ("contradiction",)),
    ),
    "the script contradicts, no second": (
        case([P, P], fact=F, contradiction="second"),
        ("nobody", "unmeasurable", ("contradiction",)),
    ),
    "the script contradicts, people": (
        case([P, P], fact=F, contradiction="people"),
        ("nobody", "unmeasurable", ("contradiction",)),
    ),
    "the script contradicts the second": (case([P, F], [P, P], fact=F), ("exact/1", F, ("order",))),
    "the script and the second, people": (
        case([P, F], [P, P], fact=F, contradiction="people"),
        ("nobody", "unmeasurable", ("order",)),
    ),
    "drawn for audit": (case([P, P], marks=["audit"]), ("one", P, ("audit",))),
    "challenged": (case([F, F], marks=["challenge"]), ("one", F, ("challenge",))),
    "challenged, a second agrees": (
        case([F, F], [F, F], marks=["challenge"], challenge="second"),
        ("one", F, ("challenge",)),
    ),
    "challenged and moved": (case([F, P], [F, F], marks=["challenge"]), ("two", F, ("order", "challenge"))),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_documented_decision(name):
    found, wanted = TABLE[name]
    assert outcome(found) == wanted


ASKED_ON = {
    "settled": (case([P, P]), False),
    "moved": (case([P, F]), True),
    "moved, settled by the second": (case([P, F], [F, F]), False),
    "moved, the second moved too": (case([P, F], [F, P]), True),
    "left to people": (case([P, F], order="people"), False),
    "left to the script": (case([P, P], fact=F), False),
    "own lineage": (case([P, P], first_may=False), True),
    "challenged, people": (case([P, P], marks=["challenge"]), False),
    "challenged, second": (case([P, P], marks=["challenge"], challenge="second"), True),
    "audit by a second judge": (case([P, P], marks=["audit"], audit="second"), True),
}


@pytest.mark.parametrize("name", ASKED_ON)
def test_whether_the_next_judge_is_asked(name):
    found, wanted = ASKED_ON[name]
    assert asks_on(found) is wanted


WORDS = (P, F, MISSED, UNREAD)


def every_case():
    """All pairs of passes of one or two judges, lineages, script results, marks and rules: 4,896 cases."""
    pairs = list(itertools.product(WORDS, repeat=2))
    for first, second in itertools.product(pairs, [(), *pairs]):
        for may, fact in itertools.product((True, False), (None, P, F)):
            yield case(first, second, first_may=may, fact=fact)
            yield case(
                first, second, first_may=may, second_may=False, fact=fact, contradiction="people", marks=["audit"]
            )
            yield case(
                first, second, first_may=may, fact=fact, contradiction="second", order="people", marks=["challenge"]
            )


def test_every_path_has_one_deciding_verdict_and_keeps_the_others():
    for found in every_case():
        verdicts = decided(found)
        (chosen,) = [one for one in verdicts if one.decides]
        given = sum(len(one.passes) for one in found.views)
        assert len(verdicts) == given + (chosen.by == "script" or chosen.who == "nobody")
        assert chosen.reason
        if chosen.who == "one d":
            assert found.views[0].may_decide
        if chosen.by == "judge" and chosen.result != "unmeasurable":
            assert chosen.control == "met"


def test_values_that_differ_are_a_dispute():
    half, third = (
        said("one", F, order).model_copy(update={"value": value}) for order, value in ((1, 500_000), (2, 333_333))
    )
    assert outcome(Case(CHECK, (View((half, third), True),), DisputeRules()))[2] == ("order",)
