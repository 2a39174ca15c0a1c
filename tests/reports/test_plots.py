import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.reports import plots

SHARES = st.floats(0, 1)
HOSTILE = ["<script>alert(1)</script>", "</svg></title>", '"><img src=x>', "\u202egnp.exe\x1b[31m", "&amp;]]>"]


def read(svg):
    return ET.fromstring(svg)  # noqa: S314  # our own pictures


def point(name="alpha", label="alpha", number=0, cost=0.01, score=0.5, sure=1.0):
    return plots.Point(
        name, label, number, cost, (cost / 2, cost * 2), score, (max(0, score - 0.1), min(1, score + 0.1)), sure
    )


def drawn(said="words"):
    """One of each picture."""
    return {
        "dot": plots.dot(0.5, (0.4, 0.6), 3, said),
        "difference": plots.difference(0.1, (-0.1, 0.3), 0.5, said, unseen=0.2, shown=True),
        "ranks": plots.ranks((1, 2), (1, 3), 5, 2, said),
        "strip": plots.strip([0, 0.5, 1, 1, -1], said),
        "costs": plots.costs([point(said, said), point("b", "b", 1, 0.3, 0.7, 0.2)], "dollars", "score"),
        "curves": plots.curves([plots.Curve(said, 0, (0.9, 0.8, 0.7), ((0.8, 1), (0.7, 0.9), (0.6, 0.8)))], said),
    }


@pytest.mark.parametrize("kind", drawn())
def test_every_picture_has_a_title_and_a_description(kind):
    svg = read(drawn()[kind])
    assert svg.get("role") == "img"
    assert svg.find("title").text
    assert svg.find("desc").text


@pytest.mark.parametrize("kind", drawn())
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_add_no_element(kind, text):
    plain, hostile = (read(drawn(words)[kind]) for words in ("words", text))
    assert [one.tag for one in plain.iter()] == [one.tag for one in hostile.iter()]


@pytest.mark.parametrize("kind", drawn())
def test_no_picture_has_a_style_or_a_colour_of_its_own(kind):
    assert not re.search(r"style=|fill=|stroke=|url\(|https?:", drawn()[kind])


def test_thirty_two_models_differ_by_colour_and_shape():
    looks = {(plots.style_of(number), plots.shape(number, 7, 10)) for number in range(32)}
    assert len(looks) == 32


@given(SHARES, SHARES, SHARES)
def test_a_dot_stays_within_its_picture(value, low, high):
    svg = plots.dot(value, (min(low, high), max(low, high)), 0, "words")
    centre = float(read(svg).find("circle").get("cx"))
    assert plots.EDGE <= centre <= plots.WIDE - plots.EDGE


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_a_difference_right_of_zero_is_one_in_favour_of_the_first(diff, low, high):
    reach = plots.reach_of([diff, low, high])
    svg = plots.difference(diff, (min(low, high), max(low, high)), reach, "words", unseen=None, shown=True)
    centre = float(read(svg).find("circle").get("cx"))
    assert (centre - plots.WIDE / 2) * diff >= -0.06


@pytest.mark.parametrize(("shown", "hollow"), [(True, 0), (False, 1)])
def test_a_dot_is_filled_where_a_difference_is_shown(shown, hollow):
    svg = plots.difference(0.1, (0.05, 0.15), 0.2, "words", unseen=0.1, shown=shown)
    assert svg.count("hollow") == hollow


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 1.0]), max_size=60))
def test_a_strip_fills_as_much_as_was_passed(steps):
    svg = read(plots.strip(steps, "words"))
    bars = [path.get("d") for path in svg.findall("path") if path.get("class") != "floor"]
    area = sum(
        (int(end) - int(start)) * (20 - float(top)) / 20
        for path in bars
        for start, top, end in re.findall(r"M(\d+) 20V([\d.]+)H(\d+)", path)
    )
    assert area == pytest.approx(sum(step for step in steps if step > 0))


def test_a_strip_of_like_neighbours_is_one_bar():
    assert plots.strip([1.0] * 500, "words").count("V20z") == 1


@given(st.lists(st.tuples(st.floats(1e-6, 1e4), SHARES), min_size=1, max_size=40))
def test_labels_of_costs_do_not_lie_on_each_other(spots):
    points = [point(str(n), str(n), n, cost, score) for n, (cost, score) in enumerate(spots)]
    svg = read(plots.costs(points, "dollars", "score"))
    assert len(svg.findall(".//g[@class='names']/text")) == len(spots)
    assert all(0 <= float(text.get("x")) <= plots.BIG for text in svg.iter("text"))


@pytest.mark.parametrize(
    ("costs", "ticks"),
    [((0.02, 0.5), ["0.02", "0.05", "0.1", "0.2", "0.5"]), ((1e-5, 10), ["0.00001", "0.0001", "0.01", "10"])],
)
def test_costs_stand_at_round_numbers(costs, ticks):
    svg = plots.costs([point(cost=cost) for cost in costs], "dollars", "score")
    assert all(f">{tick}</text>" in svg for tick in ticks)
