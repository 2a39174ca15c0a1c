import time

import pytest

from openassay.scorers.measures import measure


@pytest.mark.parametrize(
    ("answer", "words", "sentences", "hedges"),
    [
        ("", 0, 0, 0),
        ("**Four** weeks.", 2, 1, 0),
        ("<think>perhaps not</think>Yes. No!", 2, 2, 0),
        ("She might, perhaps, wait.", 4, 1, 2),
        ("Vielleicht könnte es gehen.", 4, 1, 2),
        ("The month of May is a mighty month", 8, 1, 1),  # the list cannot tell the month from the verb
    ],
)
def test_length_and_hedges(answer, words, sentences, hedges):
    found = measure(answer)
    assert (found.words, found.sentences, found.hedges) == (words, sentences, hedges)


@pytest.mark.parametrize(
    ("answer", "refuses"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I\N{RIGHT SINGLE QUOTATION MARK}m unable to assist.", True),
        ("As an AI language model, I cannot give an opinion.", True),
        ("I cannot decide who should get it.", True),
        ("Ich kann dabei leider nicht helfen.", True),
        ("I am sorry to hear that. Four per cent.", False),
        ("I cannot recommend hiring him.", False),
        ("I am afraid it is not enough.", False),
        ("4", False),
    ],
)
def test_refusals(answer, refuses):
    assert measure(answer).refuses == refuses


@pytest.mark.parametrize("piece", ["i am sorry ", "as a ki ", "ich kann ", "perhaps ", "\n", ". "])
def test_long_answers_do_not_hang(piece):
    began = time.process_time()
    measure(piece * 100_000)
    assert time.process_time() - began < 5
