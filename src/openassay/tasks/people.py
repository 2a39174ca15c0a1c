"""Flagging person names in supplied text, so that an owner looks before anything is sent to an endpoint.

A heuristic, in both directions: it misses names in scripts without capitals and single first names, and it takes
some places and organisations for people. What is meant to be there goes into `names_allowed` in `benchmark.toml`.

Three signs: a title (*Dr*, *Frau*, *Señora*) before a capitalised word; a known first name or an initial before one;
and exactly two capitalised words in a row inside a sentence, neither of them an everyday word of names of places,
bodies and dates.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from openassay.schema.task import Task

_WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W\d_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    """mr mrs ms miss mx dr doctor prof professor sir dame herr frau hr fr doktor señor señora sr sra srta don doña
    monsieur madame mme mlle signor signora sig dott dottor dottoressa senhor senhora mevrouw meneer dhr mevr pan pani
    fru herra rouva господин госпожа κύριος κυρία"""
)

PARTICLES = _words("van von de der den del della di da dos la le du ter ten zu al el bin ibn")

FIRST_NAMES = _words(
    """aaron adam agnieszka ahmed aisha alan albert alejandro alex alexander alice amelia amina amir amy ana anastasia
    andrea andreas andrew andrzej angela anita anja ann anna anne antonio arthur astrid barbara beatriz ben benjamin
    bernd björn boris brian bruno camille carla carlos carmen caroline catherine cem charles charlotte chen chiara
    chloé chris christian christina christine claire claudia clara daniel daniela david deniz diana diego dieter
    dimitri elena eleni elif elisabeth elizabeth ella emilia emily emma eric erik eva fatima fatma felix fernando
    filip franz françois frank frida fritz gabriel george georg giovanni giulia grace greta gustav hana hannah hans
    harry hassan heidi helen helena henrik henry ibrahim ines ingrid isabel isabella ivan jack jakob james jan jana jane
    javier jean jennifer jens jessica joan joanna johan johann johannes john jonas jose josé joseph josé juan julia
    julie jürgen kai karen karl katarzyna katharina kate kateřina kim klaus konstantin lars laura lea leila lena leo
    leon li lina linda lisa louis louise luca lucas lucia lucy luis lukas maja marco margaret maria marie mario mark
    markus marta martha martin mary mateusz matteo matthew max mehmet mei michael michał mia miguel mikael mohamed
    mohammed monika mustafa nadia natalia nicholas nicolas nikos nina noah nora olaf olga oliver olivia omar oskar otto
    pablo paola patricia patrick paul paula pavel pedro peter petra philipp pierre piotr priya rachel rafael rahul
    ravi rebecca richard robert rosa ruth samuel sandra sara sarah sebastian sergei simon sofia sophie stefan stephen
    susan susanne sven tariq teresa theo thomas tim tobias tom tomás ursula vera victor viktor vladimir walter werner
    william wolfgang yasmin yuki yusuf zeynep zoë анна елена иван мария ольга сергей ελένη μαρία νίκος"""
)

NOT_NAMES = _words(
    """new north south east west northern southern eastern western central upper lower great united european american
    african asian british english french german spanish italian dutch chinese japanese indian international national
    federal royal saint st san santa los las mount lake river bay cape port fort street road avenue square park bridge
    station airport city county state states kingdom republic union commission council committee parliament ministry
    department office agency court bank fund institute university college school academy hospital clinic museum library
    church cross party team group company corporation foundation society association organisation organization centre
    center project programme program act law treaty convention agreement war world day week month year january february
    march april may june july august september october november december monday tuesday wednesday thursday friday
    saturday sunday table figure section chapter appendix part article question answer document source text note page
    record file item task step case study report interview participant speaker interviewer respondent passage model
    the a an this that these those it he she we they i in on at for of and or but if when while after before by with
    from to as is are was were not no yes der die das ein eine und oder le la les un une et el los una y o il lo uno
    street-level high low old young red blue green black white first second third"""
)

_PAIR = 2


class _Word(NamedTuple):
    text: str
    start: int
    end: int

    def low(self) -> str:
        return self.text.casefold()


def names_in(text: str) -> tuple[str, ...]:
    """What look like person names, each once, in order.

    >>> names_in("Yesterday Dr. Okafor met Maria Keller in New York.")
    ('Dr. Okafor', 'Maria Keller')
    """
    found: dict[str, None] = {}
    for run in _runs(text):
        if name := _name(run, text):
            found.setdefault(" ".join(name.split()))
    return tuple(found)


def named_people(tasks: Iterable[Task], names_allowed: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Task id -> names in what a model would be sent, those that are allowed left out. Only tasks with any.

    Names that `swap` filled in are meant to be there.
    """
    always = {name.casefold() for name in names_allowed}
    found = {}
    for task in tasks:
        allowed = always | ({text.casefold() for text in task.swap.filled.values()} if task.swap else set())
        texts = "\n\n".join([task.instruction, *(material.text for material in task.materials)])
        names = tuple(name for name in names_in(texts) if not _is_allowed(name, allowed))
        if names:
            found[task.id] = names
    return found


def _is_allowed(name: str, allowed: set[str]) -> bool:
    """Allowed as it stands, or with its title left out, or as a part of an allowed name."""
    words = name.casefold().split()
    bare = " ".join(words[1:]) if words[0].rstrip(".") in TITLES else " ".join(words)
    return any(bare == known or bare in known.split() or name.casefold() == known for known in allowed)


def _runs(text: str) -> Iterator[list[_Word]]:
    """Capitalised words that follow each other, with titles, initials and particles between them."""
    run: list[_Word] = []
    for match in _WORD.finditer(text):
        word = _Word(match.group(), match.start(), match.end())
        if run and not _follows(run[-1], word, text):
            yield run
            run = []
        if _is_capitalised(word.text) or (run and word.low() in PARTICLES):
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _follows(before: _Word, word: _Word, text: str) -> bool:
    gap = text[before.end : word.start]
    if "\n" in gap.strip(" \t") and gap.count("\n") > 1:
        return False
    dotted = gap.startswith(".") and (len(before.text) == 1 or before.low() in TITLES)
    return gap.lstrip(".").isspace() and (dotted or "." not in gap)


def _is_capitalised(text: str) -> bool:
    return text[0].isupper() and (len(text) == 1 or not text.isupper())


def _name(run: list[_Word], text: str) -> str:
    """The name that a run of words is, or an empty text."""
    while run and run[-1].low() in PARTICLES:
        run = run[:-1]
    for at, word in enumerate(run[:-1]):
        if _opens_name(word, run[at + 1], text):
            return text[word.start : run[-1].end]
    if len(run) != _PAIR or any(word.low() in NOT_NAMES or len(word.text) == 1 for word in run):
        return ""
    return "" if _opens_sentence(run[0], text) else text[run[0].start : run[-1].end]


def _opens_name(word: _Word, after: _Word, text: str) -> bool:
    """A title, an initial, a known first name, or a capitalised word before a particle (*Ludwig van*)."""
    initial = len(word.text) == 1 and text[word.end : word.end + 1] == "."
    first_name = word.low() in FIRST_NAMES and after.low() not in NOT_NAMES
    return word.low() in TITLES or initial or first_name or (after.text in PARTICLES and word.low() not in NOT_NAMES)


def _opens_sentence(word: _Word, text: str) -> bool:
    before = text[max(0, word.start - 20) : word.start].rstrip(" \t\"'([*#>-\N{LEFT DOUBLE QUOTATION MARK}")
    return not before or before[-1] in ".!?:\n"
