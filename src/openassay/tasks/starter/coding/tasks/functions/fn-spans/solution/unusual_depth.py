from itertools import chain


def merge_spans(spans):
    """Sweeps over all ends; a span begins where the depth leaves 0 and ends where it comes back to 0."""

    def sweep():
        events = sorted(chain.from_iterable(((start, 0), (end, 1)) for start, end in spans))
        depth = 0
        for point, closing in events:
            if depth == 0:
                begun = point
            depth += -1 if closing else 1
            if depth == 0:
                yield [begun, point]

    return [*sweep()]
