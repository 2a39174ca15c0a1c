from basket import add, total


def test_new_baskets_are_empty_at_first():
    assert add("tea") == {"tea": 1}
    assert add("milk", 2) == {"milk": 2}
    assert add("tea", 3) == {"tea": 3}


def test_two_new_baskets_are_two():
    first, second = add("tea"), add("tea")
    add("jam", 4, first)
    assert first == {"tea": 1, "jam": 4}
    assert second == {"tea": 1}


def test_pieces_add_up_in_one_basket():
    basket = add("tea", 2)
    add("tea", 3, basket)
    add("jam", basket=basket)
    assert basket == {"tea": 5, "jam": 1}


def test_a_given_basket_is_the_one_returned():
    given = {"tea": 1}
    assert add("jam", 2, given) is given
    assert given == {"tea": 1, "jam": 2}


def test_a_given_empty_basket_is_the_one_filled():
    given = {}
    assert add("jam", 2, given) == {"jam": 2}
    assert given == {"jam": 2}


def test_total():
    assert total({"tea": 2, "jam": 1}, {"tea": 300, "jam": 250, "milk": 99}) == 850
    assert total({"tea": 2, "gift": 5}, {"tea": 300}) == 600
    assert total({}, {"tea": 300}) == 0
