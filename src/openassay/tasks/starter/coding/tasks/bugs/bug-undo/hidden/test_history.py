from history import History


def written(*texts):
    history = History("first")
    for text in texts:
        history.write(text)
    return history


def test_begins_with_the_given_text():
    assert History("first").text == "first"
    assert History().text == ""


def test_writing_replaces_the_text():
    assert written("a", "b").text == "b"


def test_undo_goes_back_one_change_at_a_time():
    history = written("a", "b")
    history.undo()
    assert history.text == "a"
    history.undo()
    assert history.text == "first"


def test_undo_at_the_first_text_does_nothing():
    history = written("a")
    history.undo()
    history.undo()
    assert history.text == "first"
    history.redo()
    assert history.text == "a"


def test_redo_takes_back_undo_by_undo():
    history = written("a", "b")
    history.undo()
    history.undo()
    history.redo()
    assert history.text == "a"
    history.redo()
    assert history.text == "b"
    history.redo()
    assert history.text == "b"


def test_undo_after_redo():
    history = written("a", "b")
    history.undo()
    history.redo()
    history.undo()
    assert history.text == "a"
    history.undo()
    assert history.text == "first"


def test_redo_without_undo_does_nothing():
    history = written("a")
    history.redo()
    assert history.text == "a"
    history.undo()
    assert history.text == "first"


def test_redo_after_a_new_text_does_nothing():
    history = written("a", "b")
    history.undo()
    history.undo()
    history.write("c")
    history.redo()
    assert history.text == "c"
    history.undo()
    assert history.text == "first"
    history.redo()
    assert history.text == "c"
    history.redo()
    assert history.text == "c"


def test_two_histories_are_two():
    one, other = written("a"), written("b")
    one.undo()
    other.redo()
    assert (one.text, other.text) == ("first", "b")
