from openassay.reports.ballots import Ballots, means
from openassay.reports.tally import tally


def test_a_recount_of_all_checks_gives_what_was_counted(disputed):
    facts, cells, _ = disputed
    ballots = Ballots(facts.tasks)
    counts = tally(ballots.listen(cells), facts.tasks, 1, lambda *_: 48)
    for (model, task), item in counts.items.items():
        recounted = means(ballots.by.get((model, task), []), facts.tasks[task].checks, {})
        assert recounted == (None, item.score / item.rated / 1_000_000 if item.rated else None)


def test_equal_verdicts_are_kept_once_and_without_a_text(made):
    tasks = [made.task(f"sum-{n}") for n in range(50)]
    cells = [made.cell("alpha", task.id, True, reason="kingfisher", who="kingfisher") for task in tasks]
    ballots = Ballots({task.id: task for task in tasks})
    assert len(list(ballots.listen(cells))) == 50
    assert len({id(one) for each in ballots.by.values() for one in each}) == 1
    assert "kingfisher" not in repr(ballots.by)


def test_a_check_left_out_changes_the_mean_and_none_leaves_nothing(made):
    task = made.task("sum-1")
    ballots = Ballots({task.id: task})
    list(ballots.listen([made.cell("alpha", "sum-1", True), made.cell("alpha", "sum-1", False, attempt=1)]))
    cast = ballots.by["alpha", "sum-1"]
    assert means(cast, task.checks, {}) == (0.5, 0.5)
    assert means(cast, (), {}) == (None, None)
