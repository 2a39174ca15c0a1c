"""Twins of an output: the same content in another style, to measure that style does not move a judge's verdict.

`padded` is longer and more polite, `reformatted` has the same words in another form. Neither adds a claim, a number,
a name, an apology or a form of address. Both are pure. Not here: asking a judge about them, and criteria on length or
form, whose verdict a twin may rightly change (`GoldItem.style_free`).
"""

import re
from collections.abc import Iterator

from openassay.scorers.strict_json import JsonError, parse

_BEFORE = {
    "en": (
        "Many thanks for this question, which has been read with attention. What follows is the answer to it, set"
        " out below as clearly as possible so that it can be read with ease."
    ),
    "de": (
        "Vielen Dank für diese Frage, die aufmerksam gelesen wurde. Im Folgenden steht die Antwort darauf, so "
        "klar wie möglich dargestellt, damit sie sich leicht lesen lässt."
    ),
    "fr": (
        "Un grand merci pour cette question, qui a été lue avec attention. Voici ci-dessous la réponse, présentée"
        " aussi clairement que possible afin que la lecture en soit aisée."
    ),
    "es": (
        "Muchas gracias por esta pregunta, que se ha leído con atención. A continuación está la respuesta, "
        "expuesta con la mayor claridad posible para que se lea con facilidad."
    ),
}
_AFTER = {
    "en": (
        "With this, the answer that was announced above has been given. To put it once more in other words: what "
        "was asked has been answered with what stands above. Many thanks for the time taken to read it."
    ),
    "de": (
        "Damit ist die oben angekündigte Antwort gegeben. Noch einmal mit anderen Worten: Auf das, was gefragt "
        "war, antwortet das, was oben steht. Vielen Dank für die Zeit, die das Lesen gekostet hat."
    ),
    "fr": (
        "La réponse annoncée plus haut est ainsi donnée. Pour le dire encore autrement : à ce qui était demandé "
        "répond ce qui se trouve plus haut. Un grand merci pour le temps passé à lire."
    ),
    "es": (
        "Con esto queda dada la respuesta anunciada más arriba. Dicho otra vez con otras palabras: a lo que se "
        "preguntaba responde lo que está más arriba. Muchas gracias por el tiempo dedicado a leerlo."
    ),
}
_RULE = "---"

_QUOTED = re.compile(
    r'"[^"]*"|\u201c[^\u201c\u201d]*\u201d|\u201e[^\u201e\u201c\u201d]*[\u201c\u201d]|\u00ab[^\u00ab\u00bb]*\u00bb'
    r"|\u00bb[^\u00ab\u00bb]*\u00ab|\u2018[^\u2018\u2019]*\u2019|(?<!\w)'[^'\n]+'(?!\w)|`[^`\n]+`"
)
_OPENS = re.compile('["`\u201c\u201d\u201e\u00ab\u00bb]')
_SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]+")
_BULLET = re.compile(r"^[ \t]*[-*+\u2022][ \t]+(?=\S)")
_LEFT_ALONE = re.compile(r"^(?:[ \t]*(?:[|>#]|\d+[.)][ \t])|[ ]{4}|\t|[ \t]*(?:\*{3,}|-{3,}|_{3,})[ \t]*$)")
_FIRST_WORD = re.compile(r"^[^\W\d_]\w*(?=[\s:,;.!?)]|$)")
_FENCES = ("```", "~~~")


def padded(text: str, language: str = "en") -> str:
    """The text between polite sentences that say nothing.

    Args:
        text: an output.
        language: ISO 639-1; in a language that is not known here, rules stand above and below instead of sentences.
    """
    return f"{_BEFORE.get(language, _RULE)}\n\n{text}\n\n{_AFTER.get(language, _RULE)}"


def reformatted(text: str) -> str:
    r"""The same words in the same order: sentences become list items that begin in bold, list items become lines.

    Code, JSON, quotations, tables and headings stay as they are; a text of nothing else comes back unchanged.

    >>> reformatted("It opens at ten. Bring a coat.")
    '- **It** opens at ten.\n- **Bring** a coat.'
    """
    if _is_json(text):
        return text
    return "\n\n".join(block if _is_kept(block) else _other_form(block) for block in _blocks(text))


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        parse(text)
    except JsonError:
        return False
    return True


def _is_kept(block: str) -> bool:
    """Code, JSON, and what has a quotation over several lines or one that never ends."""
    if block.lstrip().startswith(_FENCES) or _is_json(block):
        return True
    across = any("\n" in quote for quote in _QUOTED.findall(block))
    return across or bool(_OPENS.search(_QUOTED.sub("", block)))


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, and fenced code as one block, however it looks inside; a fence that never closes goes to the end."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        opens = not fence and mark in _FENCES
        if lines and not fence and (opens or not line.strip()):
            yield "\n".join(lines)
            lines = []
        if fence or line.strip():
            lines.append(line)
        if opens:
            fence = mark
        elif fence and line.strip() == fence:
            yield "\n".join(lines)
            lines, fence = [], ""
    if lines:
        yield "\n".join(lines)


def _other_form(block: str) -> str:
    lines = block.split("\n")
    if any(_BULLET.match(line) for line in lines):
        return "\n\n".join(_BULLET.sub("", line) for line in lines)
    return "\n".join(line if _LEFT_ALONE.match(line) else _as_items(line) for line in lines)


def _as_items(line: str) -> str:
    return "\n".join("- " + _FIRST_WORD.sub(r"**\g<0>**", sentence) for sentence in _sentences(line.strip()))


def _sentences(line: str) -> Iterator[str]:
    """Cut after a sentence's end outside quotations; what goes on in lower case was an abbreviation."""
    inside = [quote.span() for quote in _QUOTED.finditer(line)]
    start = 0
    for gap in _SENTENCE_END.finditer(line):
        quoted = any(first < gap.start() < last for first, last in inside)
        if not quoted and not line[gap.end() :][:1].islower():
            yield line[start : gap.start()]
            start = gap.end()
    yield line[start:]
