"""How people say that information is missing, as patterns on folded text (`fold.key`), for `abstains`. Data only."""

# ruff: noqa: E501, RUF001  # one pattern a line; letters of other scripts are meant

PHRASES = (
    # English
    r"\b(?:(?:is|are|was|were|been|be)\s+not|isn't|aren't|wasn't|weren't)\s+(?:explicitly\s+|directly\s+|clearly\s+)?(?:stated|mentioned|given|specified|provided|indicated|described|discussed|reported|disclosed|noted|said|known|addressed)\b",
    r"\b(?:does|do|did)(?:n't|\s+not)\s+(?:explicitly\s+|directly\s+|actually\s+)?(?:say|state|mention|specify|indicate|disclose|reveal|tell\s+us)\b",
    r"\b(?:text|passage|document|material|source|article|report|letter|interview|note|page|notice|minutes|excerpt|context|it)s?\s+(?:does|do)(?:n't|\s+not)\s+(?:\w+\s+)?(?:give|provide|contain|include|address|cover|describe|discuss|report|list|record|tell|answer|explain)\b",
    r"\bno\s+(?:such\s+)?(?:information|mention|data|details?|indication|evidence|answer)\s+(?:is|are|was|of|about|on|in|regarding|given|available|provided|can)\b",
    r"\b(?:not\s+enough|insufficient|lacks?(?:\s+the)?|missing|without(?:\s+the)?)\s+(?:information|data|detail|evidence)\b",
    r"\binformation\s+is\s+(?:missing|not\s+\w+|unavailable|lacking)\b",
    r"\b(?:can(?:not|'t|\s+not)|could\s+not|couldn't|unable\s+to|impossible\s+to|not\s+possible\s+to)\s+(?:be\s+)?(?:determine|answer|infer|establish|tell|know|say|find|conclude|identif)\w*",
    r"\b(?:not\s+(?:in\s+the\s+(?:text|material|document|passage|source)s?|stated|mentioned|specified|given|provided|available|known|found|answerable|disclosed|indicated|reported))\b",
    r"\b(?:i|we)\s+(?:do\s+not|don't)\s+know\b",
    # German
    r"\b(?:wird|werden|ist|sind|wurde|steht|findet sich)\s+(?:\w+\s+){0,4}nicht\s+(?:\w+\s+){0,2}(?:genannt|erwähnt|angegeben|bekannt|enthalten|gesagt|im text|im material|aufgeführt|beantwortbar|beschrieben)\b",
    r"\bnicht\s+(?:genannt|erwähnt|angegeben|bekannt|enthalten|ersichtlich|beantwortbar|im text|im material)\b",
    r"\bkeine\s+(?:angaben?|informationen?|auskunft|hinweise?)\b|\bgeht\s+(?:\w+\s+){0,4}nicht\s+hervor\b",
    r"\b(?:lässt|läßt)\s+sich\s+(?:\w+\s+){0,4}nicht\s+(?:bestimmen|beantworten|sagen|ermitteln)\b",
    # French
    r"\bn(?:'est|e sont|'a|'ont|e)\s+(?:\w+\s+)?pas\s+(?:\w+\s+)?(?:mentionn|indiqu|précis|donn|fourni|spécifi|connu|dit)\w*",
    r"\b(?:aucune|pas\s+d')\s?(?:information|mention|indication|donnée)\b|\bne\s+(?:dit|mentionne|précise|indique|permet)\s+pas\b",
    # Spanish, Portuguese, Italian
    r"\bno\s+(?:se\s+)?(?:\w+\s+)?(?:menciona|indica|especifica|dice|proporciona|informa|sabe|consta|da)\w*|\bno\s+hay\s+(?:suficiente\s+)?información\b",
    r"\bnão\s+(?:é\s+|foi\s+|se\s+|há\s+)?(?:menciona|indica|especifica|diz|informa|sabe|consta|suficiente|informaç)\w*",
    r"\bnon\s+(?:è\s+|viene\s+|si\s+|ci sono\s+)?(?:\w+\s+)?(?:menzionat|indicat|specificat|dett|fornit|dice|menziona|indica|noto|informazioni)\w*",
    # Dutch, Polish, Swedish
    r"\bniet\s+(?:vermeld|genoemd|aangegeven|bekend|gegeven)\b|\bgeen\s+(?:informatie|gegevens)\b",
    r"\bnie\s+(?:podano|wspomniano|jest\s+podan|ma\s+informacji|wiadomo)\w*|\bbrak\s+(?:informacji|danych)\b",
    r"\b(?:nämns|anges|framgår|står)\s+(?:\w+\s+)?(?:inte|ej)\b|\bingen\s+information\b",
    # Russian, Ukrainian, Turkish
    r"\bне\s+(?:указан|упомян|сказан|сообща|известн|говорится|упоминается|зазначен|вказан|відом)\w*|\bнет\s+(?:информации|данных)\b|\bнемає\s+(?:інформації|даних)\b",
    r"\b(?:belirtilm|bilgi\s+yok|bilinm)\w*",
    # Chinese, Japanese, Korean, Arabic, Hindi
    r"没有(?:提到|提及|说明|给出|相关|足够|信息)|未(?:提及|说明|提到|给出|知)|無(?:法|资料)|无法(?:确定|得知|回答|判断)|信息不足|沒有提",
    r"(?:記載|言及|記述|情報)(?:は|が|も)?(?:されて)?(?:いません|いない|ありません|ない)|不明です|わかりません|分かりません",
    r"(?:언급|명시|제공|기재)되(?:지|어 있지)\s*않|정보가\s*(?:없|부족)|알\s*수\s*없",
    r"(?:لم\s+(?:يذكر|يرد|تذكر)|غير\s+(?:مذكور|معروف|متوفر)|لا\s+(?:توجد\s+معلومات|يذكر))\w*",
    r"(?:उल्लेख|जानकारी)\s+(?:\S+\s+){0,2}नहीं",
)  # fmt: skip
"""Each says it anywhere in an answer."""

WHOLE = frozenset(
    ("unknown", "n/a", "na", "not known", "none", "null", "missing", "no information", "unanswerable", "unbekannt", "inconnu",
     "desconocido", "sconosciuto", "desconhecido", "onbekend", "nieznane", "неизвестно", "невідомо", "未知", "不明", "okänt",
     "bilinmiyor", "unclear", "indeterminate", "keine angabe", "non précisé", "sin información", "not stated")
)  # fmt: skip
"""Each says it only as the whole answer."""
