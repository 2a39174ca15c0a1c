"""Make texts comparable: reasoning blocks, Unicode forms and markdown taken away, content kept.

Every function is linear in the text, also on hostile input. Not here: what an answer is (`answers`).
"""

import re
import unicodedata
from functools import lru_cache

UNSPACED_SIGNS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Of scripts that put no space between words, as ranges of a character class."""
UNSPACED = re.compile(f"[{UNSPACED_SIGNS}]")

_REASONING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)

_INVISIBLE = "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff" + "".join(
    map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFE00, 0xFE10)])
)
_FOLDED = str.maketrans(
    dict.fromkeys(_INVISIBLE, "")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u02bc", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f", '"')
    | {"\u066b": ".", "\u066c": ",", "\u2044": "/"}
)
# NFKC turns 10² into 102 and 1½ into 11/2: digits of another kind must never be glued to their neighbours.
_RAISED = re.compile("[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b]+")
_LOWERED = re.compile("(?<=[0-9])[\u2080-\u2089]+")
_OTHER_DIGIT = re.compile("[\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u24ff\u2776-\u2793]")
_DIGIT = re.compile(r"(?![0-9])\d")

_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_LINE_START = re.compile(r"^[ \t]{0,8}(?:#{1,6}[ \t]+|>[ \t]?|[*+\u2022][ \t]+|-[ \t]+(?=[^\s\d.$]))", re.MULTILINE)
_DASH_ITEM = re.compile(r"^[ \t]{0,8}-[ \t]+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]{1,500})\]\([^()\s]{1,1000}\)")
_SPANS = (
    re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]{1,2000})(?<=\S)\1(?![\w*])"),
    re.compile(r"(?<![\w_])(_{1,3})(?=[^\s_])([^_\n]{1,2000})(?<=\S)\1(?![\w_])"),
    re.compile(r"(?<!~)(~~)(?=[^\s~])([^~\n]{1,2000})(?<=\S)~~(?!~)"),
    re.compile(r"(?<!`)(`{1,2})([^`\n]{1,2000})\1(?!`)"),
)
_TAGS = re.compile(r"</?(?:b|i|u|em|strong|code|mark|span|p|br|small)\s*/?>", re.IGNORECASE)
_RAISED_TAG = re.compile(r"<sup>([^<\n]{1,20})</sup>", re.IGNORECASE)
_MARKS = re.compile(r"[*_~`#>\[<+-]|\u2022")


def without_reasoning(text: str) -> str:
    """The text without ``<think>...</think>`` blocks.

    A closing tag without an opening one ends a block that the chat template opened; a block that opens the text and
    never closes leaves nothing, because the model was cut off before it answered.

    >>> without_reasoning("<think>Is it 3? No.</think>4")
    '4'
    """
    if "<" not in text:
        return text
    kept: list[str] = []
    start, opened = 0, -1
    for tag in _REASONING.finditer(text):
        if tag[1]:
            if opened < 0:
                kept.clear()
            start, opened = tag.end(), -1
        elif opened < 0:
            kept.append(text[start : tag.start()])
            opened = tag.start()
    if opened < 0:
        return "".join([*kept, text[start:]])
    return "".join([*kept, text[opened:]]) if any(part.strip() for part in kept) else ""


def fold(text: str) -> str:
    r"""NFKC, plain minus signs and quotes, ASCII digits, no invisible characters.

    >>> fold("\u221212\u200b\u00b2")
    '-12^2'
    """
    if text.isascii():
        return text
    text = _RAISED.sub(lambda run: "^" + unicodedata.normalize("NFKC", run[0]), text)
    text = _LOWERED.sub(lambda run: "_" + unicodedata.normalize("NFKC", run[0]), text)
    text = _OTHER_DIGIT.sub(lambda one: f" {unicodedata.normalize('NFKC', one[0])} ", text)
    text = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    return _DIGIT.sub(lambda one: str(unicodedata.digit(one[0])), text)


def without_markup(text: str) -> str:
    r"""The text without the marks of markdown and the simplest HTML; numbers keep their signs.

    >>> without_markup("## Result\n**42**")
    'Result\n42'
    """
    if not _MARKS.search(text):
        return text
    text = _TAGS.sub("", _RAISED_TAG.sub(r"^\1", _FENCE_LINE.sub("", text)))
    text = _LINE_START.sub("", text)
    if len(_DASH_ITEM.findall(text)) > 1:  # one "- 5" may be minus five; several are a list
        text = _DASH_ITEM.sub("", text)
    text = _LINK.sub(r"\1", text)
    for span in _SPANS:
        text = span.sub(r"\2", text)
    return text


@lru_cache(maxsize=8)
def visible(text: str) -> str:
    """What the model says to its reader: reasoning removed, Unicode folded, markdown kept."""
    return fold(without_reasoning(text)).strip()


@lru_cache(maxsize=8)
def plain(text: str) -> str:
    """`visible`, without markdown."""
    return without_markup(visible(text)).strip()


def key(text: str) -> str:
    """Two texts with one key differ only in case, white space and Unicode form."""
    return " ".join(fold(text).casefold().split())


_ENDS = " \t\r\n.,;:!?\"'`\u3002\u3001\u2026\u00bf\u00a1"
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def without_ends(text: str) -> str:
    """Punctuation and quotes at the ends taken away; ``.5``, ``-5``, ``C++`` and ``50%`` keep theirs.

    >>> without_ends('("Paris.")')
    'Paris'
    """
    while True:
        bare = text.rstrip(_ENDS)
        bare = bare.lstrip(_ENDS if not re.match(r"\W*\.\d", bare) else " \t\r\n\"'`")
        if bare and _PAIRS.get(bare[0]) == bare[-1] and bare.count(bare[0]) == 1:
            bare = bare[1:-1]
        if bare == text:
            return bare
        text = bare
