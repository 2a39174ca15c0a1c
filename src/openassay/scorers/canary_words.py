"""Wordings of canary items by language: data only. What fills them, and when they hold, is `canaries`."""

from typing import NamedTuple

FAMILIES = ("mention", "contain", "say", "both", "begin", "end", "order", "length")


class Language(NamedTuple):
    """How a criterion is worded in one language."""

    subjects: tuple[str, ...]
    """What criteria call the output, the usual word first."""
    quotes: tuple[str, str]
    forms: dict[str, tuple[str, str]]
    """Family -> affirmed and negated wording after the subject, with places ``{x}``, ``{y}`` and ``{n}``."""
    stop: frozenset[str]
    """Frequent small words; no two of the languages are told apart by fewer than a few."""
    spare: tuple[str, ...]
    """Plausible words for an item that is surely false, where the task's own words do not serve."""


def _forms(affirmed: str, negated: str) -> dict[str, tuple[str, str]]:
    """One line a family, in the order of `FAMILIES`."""
    pairs = zip(affirmed.strip().splitlines(), negated.strip().splitlines(), strict=True)
    return dict(zip(FAMILIES, ((yes.strip(), no.strip()) for yes, no in pairs), strict=True))


def _language(subjects: str, quotes: str, forms: dict[str, tuple[str, str]], stop: str, spare: str) -> Language:
    left, right = quotes.split("x")
    names = tuple(subjects.split(", "))
    return Language(names, (left, right), forms, frozenset(stop.split()), tuple(spare.split()))


ENGLISH = _language(
    "The output, The answer, The text, The reply, The response",
    "“x”",
    _forms(
        """mentions {x}
        contains {x}
        says {x}
        mentions both {x} and {y}
        begins with {x}
        ends with {x}
        mentions {x} before {y}
        is longer than {n} words""",
        """does not mention {x}
        does not contain {x}
        does not say {x}
        mentions neither {x} nor {y}
        does not begin with {x}
        does not end with {x}
        does not mention {x} before {y}
        is not longer than {n} words""",
    ),
    "the a an of and to in is are was it that this for with not be as at by from or its has have "
    "does on which all what who how why when "
    "where you your name give write each any say",
    "harbour orchard Lisbon furnace Tuesday violin glacier warehouse Hungary pepper bridge lantern Norway surgeon "
    "canal sculptor Toronto invoice meadow telescope carpenter Chile railway blanket museum October "
    "tractor candle ferry",
)

GERMAN = _language(
    "Die Antwort, Die Ausgabe, Der Text",
    "„x“",
    _forms(
        """erwähnt {x}
        enthält {x}
        sagt {x}
        erwähnt sowohl {x} als auch {y}
        beginnt mit {x}
        endet mit {x}
        erwähnt {x} vor {y}
        ist länger als {n} Wörter""",
        """erwähnt {x} nicht
        enthält {x} nicht
        sagt nicht {x}
        erwähnt weder {x} noch {y}
        beginnt nicht mit {x}
        endet nicht mit {x}
        erwähnt {x} nicht vor {y}
        ist nicht länger als {n} Wörter""",
    ),
    "der die das den dem des ein eine einen und ist sind nicht mit von zu im auf für wird es sich auch nach bei werden",
    "Hafen Obstgarten Lissabon Schmelzofen Dienstag Geige Gletscher Lagerhaus Ungarn Pfeffer Laterne Norwegen Chirurg "
    "Kanal Bildhauer Toronto Rechnung Wiese Fernrohr Tischler Chile Eisenbahn Decke Museum Oktober Traktor Kerze Fähre",
)

FRENCH = _language(
    "La réponse, La sortie, Le texte",
    "«\u00a0x\u00a0»",
    _forms(
        """mentionne {x}
        contient {x}
        dit {x}
        mentionne à la fois {x} et {y}
        commence par {x}
        se termine par {x}
        mentionne {x} avant {y}
        compte plus de {n} mots""",
        """ne mentionne pas {x}
        ne contient pas {x}
        ne dit pas {x}
        ne mentionne ni {x} ni {y}
        ne commence pas par {x}
        ne se termine pas par {x}
        ne mentionne pas {x} avant {y}
        ne compte pas plus de {n} mots""",
    ),
    "le la les des du un une et est sont dans pour que qui pas ne avec sur au aux ce cette par il elle ou en se de",
    "verger Lisbonne fourneau mardi violon glacier entrepôt Hongrie poivre lanterne Norvège chirurgien écluse "
    "sculpteur Toronto facture prairie télescope charpentier Chili couverture musée octobre tracteur bougie navire",
)

SPANISH = _language(
    "La respuesta, La salida, El texto",
    "«x»",
    _forms(
        """menciona {x}
        contiene {x}
        dice {x}
        menciona tanto {x} como {y}
        empieza con {x}
        termina con {x}
        menciona {x} antes de {y}
        tiene más de {n} palabras""",
        """no menciona {x}
        no contiene {x}
        no dice {x}
        no menciona ni {x} ni {y}
        no empieza con {x}
        no termina con {x}
        no menciona {x} antes de {y}
        no tiene más de {n} palabras""",
    ),
    "el la los las un una y es son en de del que no con para por se al lo su como más está ser o sus este esta",
    "huerto Lisboa horno martes violín glaciar almacén Hungría pimienta linterna Noruega cirujano esclusa escultor "
    "Toronto factura pradera telescopio carpintero Chile manta museo octubre tractor vela barco",
)

ITALIAN = _language(
    "La risposta, L'output, Il testo",
    "«x»",
    _forms(
        """menziona {x}
        contiene {x}
        dice {x}
        menziona sia {x} sia {y}
        comincia con {x}
        termina con {x}
        menziona {x} prima di {y}
        ha più di {n} parole""",
        """non menziona {x}
        non contiene {x}
        non dice {x}
        non menziona né {x} né {y}
        non comincia con {x}
        non termina con {x}
        non menziona {x} prima di {y}
        non ha più di {n} parole""",
    ),
    "il lo la gli le un una e è sono di del della che non con per si al nel nella da dei delle come più essere o su",
    "frutteto Lisbona fornace martedì violino ghiacciaio magazzino Ungheria pepe lanterna Norvegia chirurgo chiusa "
    "scultore Toronto fattura prateria telescopio falegname Cile coperta museo ottobre trattore candela traghetto",
)

PORTUGUESE = _language(
    "A resposta, A saída, O texto",
    "“x”",
    _forms(
        """menciona {x}
        contém {x}
        diz {x}
        menciona tanto {x} como {y}
        começa com {x}
        termina com {x}
        menciona {x} antes de {y}
        tem mais de {n} palavras""",
        """não menciona {x}
        não contém {x}
        não diz {x}
        não menciona nem {x} nem {y}
        não começa com {x}
        não termina com {x}
        não menciona {x} antes de {y}
        não tem mais de {n} palavras""",
    ),
    "o a os as um uma e é são de do da dos das que não com para por se ao no na em como mais ser ou seu sua está",
    "pomar Lisboa fornalha terça violino glaciar armazém Hungria pimenta lanterna Noruega cirurgião eclusa escultor "
    "Toronto fatura pradaria telescópio carpinteiro Chile cobertor museu outubro trator vela navio",
)

DUTCH = _language(
    "Het antwoord, De uitvoer, De tekst",
    "“x”",
    _forms(
        """noemt {x}
        bevat {x}
        zegt {x}
        noemt zowel {x} als {y}
        begint met {x}
        eindigt met {x}
        noemt {x} vóór {y}
        is langer dan {n} woorden""",
        """noemt {x} niet
        bevat {x} niet
        zegt niet {x}
        noemt noch {x} noch {y}
        begint niet met {x}
        eindigt niet met {x}
        noemt {x} niet vóór {y}
        is niet langer dan {n} woorden""",
    ),
    "de het een en is zijn van in op te dat die niet met voor aan er wordt worden om ook als naar bij uit of geen",
    "haven boomgaard Lissabon smeltoven dinsdag viool gletsjer pakhuis Hongarije peper lantaarn Noorwegen chirurg "
    "sluis beeldhouwer Toronto factuur weiland verrekijker timmerman Chili spoorweg deken museum oktober tractor kaars",
)

LANGUAGES = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
}
