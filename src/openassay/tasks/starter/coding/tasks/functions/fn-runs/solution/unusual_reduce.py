from functools import reduce


class Run(list):
    """A pair [value, count] with names for its parts."""

    def __init__(self, value, count=1):
        super().__init__([value, count])

    @property
    def value(self):
        return self[0]

    def longer(self):
        return Run(self.value, self[1] + 1)


def _step(runs, value):
    if runs and runs[-1].value == value:
        return [*runs[:-1], runs[-1].longer()]
    return [*runs, Run(value)]


run_lengths = lambda values: reduce(_step, values, [])
