"""Addresses of the net in a text, also those written so that they should not be seen."""

import re
import unicodedata

_DOTS = str.maketrans(dict.fromkeys("\u3002\u06d4\u00b7\u2022\u2219\u30fb", "."))
_HIDDEN_DOT = re.compile(r"\s*[\[({<]\s*\.\s*[\])}>]\s*")
_SAID_DOT = r"\s*[\[({<]?\s*\b(?:dot|punto|ponto|точка|نقطة|نقطه|دوت)\b\s*[\])}>]?\s*"
_KNOWN_ENDS = (
    "com|net|org|info|biz|io|gg|tv|xyz|online|site|shop|club|live|app|link|tk|ru|рф|com.br|"
    "ком|орг|онлайн|сайт|укр|бел|срб|كوم|نت|مصر|السعودية|امارات|الاردن|المغرب|الجزائر|تونس|"
    "قطر|فلسطين|سورية|العراق|شبكة|موقع"
)
_LINKS = [
    re.compile(pattern)
    for pattern in (
        r"\b(?:h[tx]{2}ps?|ftp|mailto|javascript)\s*:\s*\S",
        r":\s*/\s*/",
        r"\bwww\s*[.\s]\s*\w",
        r"\w\.[a-z]{2,}",  # name.tld, whatever the end is
        rf"\w\.(?:{_KNOWN_ENDS})\b",
        rf"\w(?:\s+\.\s*|{_SAID_DOT})(?:{_KNOWN_ENDS})\b",
        rf"\w\.\s+(?:{_KNOWN_ENDS})\b(?!\s*\w)",
        r"\b\d{1,3}(?:\s*\.\s*\d{1,3}){3}\b",
    )
]


def has_link(text: str) -> bool:
    """Does ``text`` hold an address of the net, also one written so that it should not be seen?

    >>> has_link("see example . com"), has_link("HTTPS://x"), has_link("gg. well played, 3.5 to 2")
    (True, True, False)
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_DOTS)
    plain = "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))
    plain = " ".join(plain.split())  # each pattern looks at a few characters, so it is linear
    plain = _HIDDEN_DOT.sub(".", plain.replace("ـ", ""))
    return any(pattern.search(plain) for pattern in _LINKS)
