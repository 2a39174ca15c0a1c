"""Reads a canary item as a person would and looks it up: written apart from `canaries`, which it checks."""

import re
import unicodedata

_QUOTED = re.compile("[\u201c\u201e\u00ab]\\s?([^\u201c-\u201f\u00ab\u00bb]+?)\\s?[\u201d\u201c\u00bb]")
_NEGATED = {"not", "neither", "nor", "nicht", "weder", "ne", "no", "non", "não", "niet", "noch"}
_BEFORE = {"before", "vor", "avant", "antes", "prima", "vóór"}
_BEGINS = {"begin", "begins", "beginnt", "commence", "empieza", "comincia", "começa", "begint"}
_ENDS = {"end", "ends", "endet", "termine", "termina", "eindigt"}
_WORDS = {"words", "wörter", "mots", "palabras", "parole", "palavras", "woorden"}
_KNOWN = """
mentions mention contains contain says say does both and erwähnt enthält sagt sowohl als auch mentionne contient dit
à la fois et pas menciona contiene dice tanto como ni menziona sia né contém diz nem noemt bevat zegt zowel
the output answer text reply response die der antwort ausgabe réponse sortie le texte respuesta salida el texto
risposta l'output il testo resposta saída a o het antwoord de uitvoer tekst
"""
_SAYS = frozenset(_KNOWN.split())


def folded(text):
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def values(item):
    """What the item names, quoted or bare."""
    quoted = _QUOTED.findall(item)
    if quoted:
        return quoted
    return [word for word in item.rstrip(".").split() if word.casefold() not in _SAYS | _NEGATED]


def kind(item):
    """Family of the wording, and whether it is negated."""
    frame = set(_QUOTED.sub(" ", item).rstrip(".").casefold().split())
    negated = bool(frame & _NEGATED)
    for name, marks in {"length": _WORDS, "order": _BEFORE, "begin": _BEGINS, "end": _ENDS}.items():
        if frame & marks:
            return name, negated
    if not frame & _SAYS:
        return "", negated
    return ("both" if len(values(item)) == 2 else "mention"), negated


def looks_like_one(item):
    """Whether the item is worded like a canary: what a scripted judge can tell by its form."""
    name, _ = kind(item)
    return bool(name) and (bool(_QUOTED.search(item)) or name == "length" or len(values(item)) == 1)


def surely(item, output):
    """True or false of the output."""
    name, negated = kind(item)
    said = folded(output)
    if name == "length":
        (number,) = re.findall(r"\d+", item)
        return (len(said.split()) > int(number)) != negated
    named = [folded(value) for value in values(item)]
    if name == "order":
        first, second = (said.find(value) for value in named)
        return (0 <= first < second) != negated
    if name == "begin":
        return (said.lstrip("#>*_- ").startswith(named[0]) or said.startswith(named[0])) != negated
    if name == "end":
        return (said.rstrip(" .!?*_。！？").endswith(named[0]) or said.endswith(named[0])) != negated
    found = [value in said for value in named]
    return not any(found) if negated else all(found)
