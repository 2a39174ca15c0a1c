from itertools import groupby


def _runs(values):
    for value, run in groupby(values):
        yield [value, sum(1 for _ in run)]


def run_lengths(values):
    return list(_runs(values))
