"""What may stand in a canary item: words surely in an output, and words surely not. Not here: wording (`canary_words`).

Linear in the texts but for a bounded number of look-ups, also on hostile input.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import islice, pairwise
from typing import NamedTuple

from openassay.scorers.absence import Held, held_by, is_absent
from openassay.scorers.canary_words import LANGUAGES, Language
from openassay.scorers.fold import UNSPACED, UNSPACED_SIGNS, fold, key

MAX_CHARS = 40
"""Of a quoted word or phrase."""
_ORDER_CHARS = 6_000
_AROUND_CHARS = 60_000
_LANGUAGE_CHARS = 20_000
_PHRASE_CHARS = 8_000
_LEAST_WORDS = 20
_ENOUGH = 6
_CANDIDATES = 400
_JOINERS = "'\u2019-_\u2010\u2011"
_QUOTES = "\"'`\\\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f"
_CUT = re.compile(r"\[\.\.\. [^\[\]\n]{1,60} \.\.\.\]")
_RUNS = re.compile(f"[{UNSPACED_SIGNS}]+|[^{UNSPACED_SIGNS}]+")
_CHUNK = re.compile(rf"[^\s{_QUOTES}]{{1,{MAX_CHARS}}}")
_FIRST_MARKS = re.compile(r"[\s#>*_-]*")
_LAST_MARKS = re.compile(r"[\s.!?*_\u3002\uff01\uff1f]*\Z")
Fill = dict[str, str]


class Pools(NamedTuple):
    """What the wordings of one request may be filled with, by family: what fits the output, and what does not."""

    fits: dict[str, list[Fill]]
    misses: dict[str, list[Fill]]


def digest(*parts: str) -> int:
    return int.from_bytes(sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()[:8])


def pools(output: str, around: str, criteria: Sequence[str], language: Language, seed: str) -> Pools:
    """Everything that may fill an item about this output."""
    shown, around = _CUT.sub("\n", output), around[:_AROUND_CHARS]
    around = around if _same_tongue(shown, around) else ""
    spoken = frozenset(word for text in criteria for word in map(key, _words(text)))
    present, phrases = _present(shown, spoken), _phrases(shown)
    held = held_by(output)
    absent = _absent(held, around, spoken, language, seed)
    fits = {
        "mention": [{"x": word} for word in present],
        "contain": [{"x": word} for word in present],
        "say": [{"x": phrase} for phrase in phrases],
        "both": [{"x": one, "y": other} for one, other in _couples(present, seed)],
        "begin": _edge(output, first=True),
        "end": _edge(output, first=False),
    }
    misses = {
        "mention": [{"x": word} for word in absent],
        "contain": [{"x": word} for word in absent],
        "say": [{"x": phrase} for phrase in _absent_phrases(held, around, seed)],
        "both": [{"x": one, "y": other} for one, other in _couples(absent, seed)],
        "begin": [{"x": word[:1].upper() + word[1:]} for word in absent],
        "end": [{"x": word} for word in absent],
    }
    said, named = _names(shown), _names(around) | set(language.spare)
    fits["name"] = [fill for fill in fits["mention"] if fill["x"] in said]
    misses["name"] = [fill for fill in misses["mention"] if fill["x"].istitle() and fill["x"] in named]
    orders, lengths = _orders(output, present, seed), _lengths(output)
    for family, (fitting, missing) in {"order": orders, "length": lengths}.items():
        fits[family], misses[family] = fitting, missing
    return Pools(fits, misses)


def _names(text: str) -> set[str]:
    """Words that a sentence can name without quotation marks: a capital within a line, after a small letter."""
    found = re.findall(r"(?<=[a-z\u00df-\u00ff,;] )[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{3,30}(?![\w'\u2019-])", text)
    return {word for word in found if word.casefold() not in stop_words()}


def language_of(text: str) -> str:
    """Code of the language whose small words the text holds most of; empty where it holds none.

    >>> language_of("Die Antwort nennt den Grund und ist höflich")
    'de'
    """
    words = re.findall(r"[^\W\d_]+", text[:_LANGUAGE_CHARS].casefold())
    votes = Counter(code for word in words for code, language in LANGUAGES.items() if word in language.stop)
    return max(votes, key=lambda code: votes[code], default="")


def _same_tongue(output: str, around: str) -> bool:
    """Whether a word of the task that is not in the output cannot be there in translation."""
    one, other = language_of(output), language_of(around)
    if one and other:
        return one == other
    scripts = [
        {unicodedata.name(sign, "").partition(" ")[0] for sign in text[:500] if sign.isalpha()}
        for text in (output, around)
    ]
    return not scripts[0] or bool(scripts[0] & scripts[1])


@cache
def stop_words() -> frozenset[str]:
    """Small words of all languages."""
    return frozenset().union(*(language.stop for language in LANGUAGES.values()))


def _words(text: str) -> list[str]:
    """Words in order, each a run of letters, marks and digits that nothing is glued to."""
    kept = "".join(sign if sign in _JOINERS or unicodedata.category(sign)[0] in "LMN" else " " for sign in text)
    bare = (word.strip(_JOINERS) for word in kept.split())
    return [piece for word in bare if word and not any(sign in word for sign in _JOINERS) for piece in _pieces(word)]


def _pieces(word: str) -> Iterator[str]:
    """The word; a run of a script without spaces in pieces of some signs."""
    if not UNSPACED.search(word):
        yield from [word] if len(word) <= MAX_CHARS and unicodedata.category(word[0])[0] != "M" else []
        return
    for run in _RUNS.findall(word):
        # A piece ends before a sign that stands alone: never between a letter and its vowel sign.
        units = re.findall(r".\W*", run) if UNSPACED.match(run) else [run]
        yield from ("".join(units[start : start + 4]) for start in range(0, len(units), 4))


def _content(word: str) -> bool:
    if UNSPACED.search(word):
        return len(word) > 1
    return word.casefold() not in stop_words() and len(word) >= (2 if word.isdecimal() else 4)


def _present(output: str, spoken: Collection[str]) -> list[str]:
    """Words of the output, those with content first choice; signs where it holds no word."""
    said = key(output)
    words = [word for word in dict.fromkeys(_words(output)) if fold(word) == word and key(word) in said]
    content = [word for word in words if _content(word)]
    fresh = [word for word in content if key(word) not in spoken]
    if fresh or content or words:
        return fresh or content or words
    chunks = dict.fromkeys(_CHUNK.findall(output))
    return [chunk for chunk in chunks if fold(chunk) == chunk and chunk.isprintable()]


def _runs(text: str) -> Iterator[list[str]]:
    """Words between which one space stands and nothing else."""
    for line in text.splitlines():
        run: list[str] = []
        for chunk in line.split(" "):
            if chunk and _words(chunk) == [chunk] and fold(chunk) == chunk:
                run.append(chunk)
            elif run:
                yield run
                run = []
        if run:
            yield run


def _phrases(text: str) -> list[str]:
    """Two to four words in a row, with content in one of them."""
    found = (
        (" ".join(run[start : start + size]), run[start : start + size])
        for run in _runs(text[:_PHRASE_CHARS])
        for size in (2, 3, 4)
        for start in range(len(run) - size + 1)
    )
    return [phrase for phrase, words in found if len(phrase) <= MAX_CHARS and any(map(_content, words))]


def _couples(words: Sequence[str], seed: str) -> list[tuple[str, str]]:
    """Some pairs of two words, neither within the other."""
    ranked = sorted(words, key=lambda word: digest(seed, "couple", word))[:_ENOUGH]
    pairs = pairwise(ranked)
    return [(one, other) for one, other in pairs if key(one) not in key(other) and key(other) not in key(one)]


def _edge(output: str, *, first: bool) -> list[Fill]:
    """The word at the beginning or at the end, where nothing but marks and white space is beyond it."""
    bare = _FIRST_MARKS.sub("", output, count=1) if first else _LAST_MARKS.sub("", output[-1000:], count=1)
    chunks = bare[:1000].split() if first else bare.split()
    if not chunks:
        return []
    chunk = chunks[0].rstrip(".,;:!?*_\u3002\uff0c") if first else chunks[-1].lstrip("*_")
    words = _words(chunk)
    whole = "".join(words) == chunk and (len(words) == 1 or UNSPACED.search(chunk) is not None)
    if not words and len(output.split()) == 1 and _CHUNK.fullmatch(output.strip()) and output.strip().isprintable():
        words, whole = [output.strip()], True
    found = words[0 if first else -1] if words and whole else ""
    return [{"x": found}] if found and fold(found) == found and "\\" not in found else []


def _orders(output: str, present: Sequence[str], seed: str) -> tuple[list[Fill], list[Fill]]:
    """A word that stands once, early, and another that stands once, late."""
    said = key(output)
    if len(output) > _ORDER_CHARS or _CUT.search(output):
        return [], []
    ranked = sorted(present, key=lambda word: digest(seed, "order", word))[:_CANDIDATES]
    once = list(islice((word for word in ranked if said.count(key(word)) == 1), 40))
    early = [word for word in once if said.find(key(word)) < len(said) // 3][:_ENOUGH]
    late = [word for word in once if said.find(key(word)) > len(said) * 2 // 3][:_ENOUGH]
    pairs = list(zip(early, late, strict=False))
    return [{"x": one, "y": two} for one, two in pairs], [{"x": two, "y": one} for one, two in pairs]


def _lengths(output: str) -> tuple[list[Fill], list[Fill]]:
    """Numbers of words far from the true one; none where words are not told apart by spaces."""
    count, pieces = len(output.split()), len(_words(output))
    if UNSPACED.search(output) or _CUT.search(output) or not _LEAST_WORDS <= count <= 2 * pieces <= 3 * count:
        return [], []
    few = [number for number in (5, 8, 10, 15, 20, 25, 30, 40, 50, 80, 100, 150, 200) if number * 4 <= count]
    many = [number for number in (100, 150, 200, 250, 300, 400, 500, 800, 1000, 1500, 2000) if number >= count * 4]
    return [{"n": str(number)} for number in few], [{"n": str(number)} for number in many]


def _absent(held: Held, around: str, spoken: Collection[str], language: Language, seed: str) -> list[str]:
    """Words of the task that are not in the output; else of the language; else made up."""
    wanted = dict.fromkeys(word for word in _words(around) if _plausible(word) and key(word) not in spoken)
    near = sorted(wanted, key=lambda word: digest(seed, "near", word))[:_CANDIDATES]
    spare = sorted(language.spare, key=lambda word: digest(seed, "spare", word))
    found: list[str] = []
    for word in [*near, *spare, *(_made_up(f"{seed}\n{number}") for number in range(_CANDIDATES))]:
        if len(found) >= _ENOUGH:
            break
        if is_absent(word, held) and all(is_absent(word, held_by(other)) for other in found):
            found.append(word)
    return found


def _plausible(word: str) -> bool:
    return _content(word) and fold(word) == word and all(unicodedata.category(sign)[0] in "LM" for sign in word)


def _made_up(seed: str) -> str:
    number = digest(seed, "made up")
    letters = "".join(
        "bdfghjklmnprstvz"[number >> 8 * place & 15] + "aeiou"[(number >> 8 * place + 4) % 5] for place in range(4)
    )
    return letters.capitalize()


def _absent_phrases(held: Held, around: str, seed: str) -> list[str]:
    """Phrases of the task of whose content nothing is in the output."""
    ranked = sorted(dict.fromkeys(_phrases(around)), key=lambda phrase: digest(seed, "phrase", phrase))[:_CANDIDATES]
    return list(islice((phrase for phrase in ranked if _phrase_is_absent(phrase, held)), _ENOUGH))


def _phrase_is_absent(phrase: str, held: Held) -> bool:
    words = [word for word in phrase.split() if word.casefold() not in stop_words()]
    return any(map(_plausible, words)) and all(is_absent(word, held) for word in words)
