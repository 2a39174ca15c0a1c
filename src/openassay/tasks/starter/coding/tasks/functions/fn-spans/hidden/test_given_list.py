from solution import merge_spans


def test_the_given_list_stays_as_it_was():
    given = [[5, 8], [1, 3], [2, 4], [3, 7]]
    merge_spans(given)
    assert given == [[5, 8], [1, 3], [2, 4], [3, 7]]


def test_the_given_list_stays_as_it_was_where_it_is_sorted():
    given = [[1, 3], [2, 4], [6, 7]]
    merge_spans(given)
    assert given == [[1, 3], [2, 4], [6, 7]]
