import pytest
from hypothesis import given
from hypothesis import strategies as st

from openassay.models.http_faults import retry_after, sentence
from openassay.models.redact import QUOTED, quote, redact, safe_url

KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60)


@given(KEYS, st.text(max_size=50), st.text(max_size=50))
def test_a_key_never_survives(key, before, after):
    assert key not in redact(before + key + after, [key])
    assert key not in quote(before + key + after, [key])


@pytest.mark.parametrize("escaped", ["a%2Bb%2Fc%3D%22d", 'a+b/c=\\"d', "a+b/c=&quot;d", 'a+b/c="d'])
def test_an_escaped_key_goes_too(escaped):
    assert redact(f"at {escaped}!", ['a+b/c="d']) == "at [key removed]!"


@given(KEYS, st.integers(0, 2 * QUOTED))
def test_a_key_is_not_cut_in_half_by_the_cap(key, at):
    told = quote("·" * at + key, [key])
    assert len(told) <= QUOTED
    assert key[:6] not in told.replace("·", "") or key[:6] in "[key removed]…"


@pytest.mark.parametrize(
    "text",
    [
        "sk-abcdefghijkl",
        "Authorization: Bearer abc.def-ghi",
        "sk-proj-****************cdef",
        "https://me:secretword@host/v1",
        "AIzaSyA-123456789012345678901234567890",
        "gsk_abcdefgh123456",
    ],
)
def test_what_looks_like_a_key_goes_even_if_it_is_not_ours(text):
    told = redact(f"you sent {text} to us")
    assert "[key removed]" in told
    assert text.rsplit(" ", 1)[-1] not in told


def test_ordinary_words_stay():
    text = "The model `task-manager-7b` does not exist at http://127.0.0.1:8091/v1; use key_terms"
    assert redact(text) == text


def test_a_quote_is_one_short_printable_line():
    told = quote("a\x1b[31m\r\nb\t" + "x" * 1000)
    assert told.isprintable()
    assert len(told) == QUOTED
    assert told.startswith("a[31m b x")


@pytest.mark.parametrize("url", ["https://u:p@h:1/a?key=p#p", "https://h:1/a", "https://p@h:1/a"])
def test_a_shown_url_has_no_secrets(url):
    assert safe_url(url) == "https://h:1/a"


@pytest.mark.parametrize("url", ["http://[x/", "http://[::1", "http://\x1b[31m[", "http://a\u2100b/"])
def test_what_is_no_url_is_shown_as_nothing(url):
    assert safe_url(url) == ""


OVERFLOWS = "Fri, 31 Dec 9999 23:59:59 +99999999999999999999"
NO_ZONE = "Fri, 31 Dec 9999 23:59:59 -9999"


@pytest.mark.parametrize("value", ["", "soon", "-3", "1e9", "nan", "9" * 20, "Wed, 99 Foo 2026", OVERFLOWS, NO_ZONE])
def test_a_senseless_retry_after_is_none(value):
    assert retry_after(value) is None


def test_a_date_in_the_past_is_no_wait():
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@given(st.binary(max_size=300))
def test_any_body_has_a_short_sentence(body):
    assert len(sentence(body)) <= QUOTED
