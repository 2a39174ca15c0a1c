class Span(list):
    def touches(self, other):
        return self[0] <= other[1] and other[0] <= self[1]

    def __or__(self, other):
        return Span([min(self[0], other[0]), max(self[1], other[1])])


def merge_spans(spans):
    if not spans:
        return []
    first, rest = Span(spans[0]), merge_spans(spans[1:])
    for span in rest:
        if first.touches(span):
            first = first | span
    return sorted([first, *(span for span in rest if not first.touches(span))])
