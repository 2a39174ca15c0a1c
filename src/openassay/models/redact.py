"""Take keys out of text before anyone reads it: messages, journals and reports go through here.

Not here: which text is shown. This only removes what looks like, or is, a credential.
"""

import html
import json
import re
from collections.abc import Iterable
from urllib.parse import quote as percent
from urllib.parse import quote_plus, urlsplit, urlunsplit

HIDDEN = "[key removed]"
QUOTED = 300
"""Most characters of a server's own sentence that a message repeats."""

_SHORTEST_KEY = 4  # replacing every "a" because the key is "a" would make messages unreadable
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|ghp|key)[-_][A-Za-z0-9_*.\-]{6,}"
    r"|\bAIza[A-Za-z0-9_\-]{20,}"
    r"|(?i:\bbearer\s+)[A-Za-z0-9._~+/\-]{6,}=*"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
_SPACE = re.compile(r"\s+")


def redact(text: str, keys: Iterable[str] = ()) -> str:
    """The text without any of the keys, however a server may have escaped them, and without anything shaped like one.

    >>> redact("Incorrect API key provided: sk-abcdef123456.", ["hunter22"])
    'Incorrect API key provided: [key removed]'
    >>> redact("you sent hunter22", ["hunter22"])
    'you sent [key removed]'
    """
    for key in keys:
        if len(key) >= _SHORTEST_KEY:
            for written in (key, quote_plus(key), percent(key, safe=""), json.dumps(key)[1:-1], html.escape(key)):
                text = text.replace(written, HIDDEN)
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)


def quote(text: str, keys: Iterable[str] = ()) -> str:
    """A server's words for a message: one line, without keys and control characters, at most `QUOTED` characters."""
    # A key that straddles the cut would survive as a half: redact first, then cut.
    line = _SPACE.sub(" ", redact(text[: QUOTED * 20], keys)).strip()
    line = "".join(letter for letter in line if letter.isprintable())
    return line if len(line) <= QUOTED else line[: QUOTED - 1] + "…"


def safe_url(url: str) -> str:
    """A URL for a message: without user, password, query and fragment; empty where it is none.

    >>> safe_url("https://me:secret@host.example:8443/v1?key=abc#x")
    'https://host.example:8443/v1'
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # a server may redirect to anything, such as "http://[x"
        return ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
