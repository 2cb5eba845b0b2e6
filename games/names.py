"""Names at the table: which are allowed, and when two of them are the same or look the same.

Three rules, in this order:

* ``clean_name``: 3 to 20 letters, digits, ``_`` or ``-`` in one script, and no word that is kept.
* ``name_key``: two names with the same key are the same name; log-in and addresses use it.
* ``skeleton``: two names with the same skeleton look the same (capital I for l, 0 for O, rn for m,
  Cyrillic letters for Latin ones, the Persian ya for the Arabic one), and the second is refused.
"""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MIN_LENGTH, MAX_LENGTH = 3, 20
SIGNS = "_-"
_READ = 200  # of a longer text no more is looked at: it is too long anyway

# Letters that are the same letter in a name, besides their case and their marks.
_FOLD = str.maketrans({"ٱ": "ا", "ى": "ي", "ة": "ه", "ـ": None})

# The scripts of names, and of each the letters in use today: phonetic, historic and ornamental
# letters of the same script serve imitation only.
_SCRIPTS = {
    "LATIN": re.compile(r"[A-Za-zÀ-ÖØ-öø-ƀƁ-ƿǄ-ɏḀ-ỿ]"),
    "ARABIC": re.compile(r"[ء-غف-ي٪ٱپچژڤکگڭۂۀہھەۃیێےٹڈڑںۆۇۈۉ]"),
    "CYRILLIC": re.compile(r"[Ѐ-џҊ-ԯ]"),
    "GREEK": re.compile(r"[Ά-ώἀ-ῼ]"),
    "HEBREW": re.compile(r"[א-ת]"),
    "ARMENIAN": re.compile(r"[Ա-Ֆա-և]"),
    "GEORGIAN": re.compile(r"[ა-ჿ]"),
    "ETHIOPIC": re.compile(r"[ሀ-ፚ]"),
    "HANGUL": re.compile(r"[가-힣]"),
    "HIRAGANA": re.compile(r"[ぁ-ゖ]"),
    "KATAKANA": re.compile(r"[ァ-ヺ]"),
    "CJK": re.compile(r"[一-鿿]"),
}
_ASCII_DIGITS = "0123456789"
_ARABIC_DIGITS = ("٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹")

# What looks like another letter; the Latin one stands for all. Capitals first, while they are such.
_CAPITALS = str.maketrans(
    "IАВЕЅІЈКМНОРСТУХҮԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "0O1٥١۱٠۰",
    "labesljkmhopctyxygabezhlkmnoptyx" + "oolهااoo",
)
_SMALLS = str.maketrans(
    "аеорсухіјѕԁһԛԝүɡı" + "αινορυχϲ" + "łøđħŧƀ" + "یێےکہھەڭ" + "ا" + "օոսցհո",
    "aeopcyxijsdhqwygi" + "aivopuxc" + "lodhtb" + "يييكهههك" + "l" + "onughn",
)
_PAIRS = (("rn", "m"), ("vv", "w"), ("VV", "w"), ("cl", "d"))

# Words of authority: refused as a part of a name, however it is written.
_AUTHORITY = """
    admin administrator administration moderator moderation staff official support sysadmin root
    superuser webmaster moderador moderadora administrador administradora soporte suporte oficial
    админ администратор модератор поддержка
    ادمن مشرف المشرف مشرفه مدير المدير اداره الاداره دعم الدعم رسمي
"""
# Words of the site: refused as a whole name.
_SITE = """
    basra house houseplayer closed closedaccount guest anonymous anonym deleted system bot robot
    novice casual regular expert master player opponent nobody somebody none null undefined
    true false you me myself everyone all here moderators mod mods owner team
    accounts account api static media login logout signup register settings leaderboard fairness
    rules games players profile search new edit delete moderation healthz readyz about privacy
    help contact news index home www mail postmaster hostmaster abuse security
    بصره البصره البيت ضيف مجهول محذوف حسابمغلق لاعب نظام
    بندق صباح الاستاذ الهانم المعلم
    басра гость аноним система convidado invitado anonimo sistema gas stelsel
"""
_BEGINNINGS = ("closed-", "closed_", "guest-", "guest_", "house-", "house_", "deleted-", "deleted_")
_LEET = str.maketrans("1i03457", "lloeast")


def name_key(name: str) -> str:
    """The key of a name: NFKC, case folded, Arabic letters, marks and digits folded.

    Idempotent. Control characters and broken text become U+FFFD, which no name holds, so that any
    text at all may be looked up by its key.

    >>> name_key("  Ali ") == name_key("ali") == name_key("ＡＬＩ")
    True
    >>> name_key("أَحْمـــد") == name_key("احمد"), name_key("سلمى٣") == name_key("سلمي3")
    (True, True)
    """
    text = "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c for c in name.strip())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = _without(("Mn", "Me", "Cf"), unicodedata.normalize("NFKD", folded)).translate(_FOLD)
    digits = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in kept)
    return unicodedata.normalize("NFC", digits).strip()


def skeleton(name: str) -> str:
    """What a name looks like: equal for two names that a reader would take for one another.

    Only letters that are drawn alike are the same here, so it looks at the name as it is shown.
    A sign at either end is not seen, and counts for nothing.

    >>> skeleton("SaIma") == skeleton("Salma"), skeleton("Salrna") == skeleton("Salma")
    (True, True)
    >>> skeleton("Bob") == skeleton("B0b"), skeleton("علی") == skeleton("علي")
    (True, True)
    >>> skeleton("Marla") == skeleton("Maria")
    False
    """
    plain = _without(("Mn", "Me", "Cf"), unicodedata.normalize("NFKD", name.strip()))
    drawn = plain.translate(_FOLD).translate(_CAPITALS)
    for pair, one in _PAIRS:
        drawn = drawn.replace(pair, one)
    return name_key(name_key(drawn.strip(SIGNS)).translate(_SMALLS))


def check_shape(name: str) -> str:
    """``name`` as it is shown: NFKC and without blanks around it.

    Raises ValidationError for letters, signs or a length that no name has.
    """
    name = name[:_READ]
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in name):
        raise ValidationError(
            _("This name holds a character that cannot be seen. Type it again by hand."),
            code="invisible",
        )
    shown = unicodedata.normalize("NFKC", name).strip()
    _check_letters(shown)
    if not MIN_LENGTH <= len(shown) <= MAX_LENGTH:
        raise ValidationError(
            _("A name has 3 to 20 characters; this one has %(count)d."),
            code="length",
            params={"count": len(shown)},
        )
    return shown


def clean_name(name: str) -> str:
    """``name`` as it is shown, if a person may take it.

    Raises ValidationError with what is wrong and what to do. Says nothing about who has it already.
    """
    shown = check_shape(name)
    if is_reserved(shown):
        raise ValidationError(
            _("This name is kept for the house. Choose another one."), code="reserved"
        )
    return shown


def is_reserved(name: str) -> bool:
    """Is it a word of the site or of authority, the latter also as a part and with 1 for i?"""
    key = name_key(name)
    if key.startswith(_BEGINNINGS) or _unsigned(key) in _SITE_KEYS:
        return True
    whole = _plain(key)
    parts = {_plain(part) for part in re.split(r"[_-]", key)}
    if not _PLAIN_AUTHORITY.isdisjoint({whole} | parts):
        return True
    return whole.startswith(_LOUD) or whole.endswith(_LOUD)


def _plain(key: str) -> str:
    """A key without signs and the digits at its ends; digits within it, and i, read as letters."""
    return _unsigned(key).strip(_ASCII_DIGITS).translate(_LEET)


def _unsigned(text: str) -> str:
    return text.replace("_", "").replace("-", "")


def _without(categories: tuple[str, ...], text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) not in categories)


def _check_letters(shown: str) -> None:
    """Raise ValidationError unless all is letters of one script, its digits, and signs."""
    unmarked = unicodedata.normalize("NFC", _without(("Mn", "Me"), shown).replace("ـ", ""))
    if unmarked != shown:
        raise ValidationError(
            _("A name has no marks and no stretched letters. Write it as %(name)s."),
            code="marks",
            params={"name": unmarked},
        )
    scripts, digits = set(), set()
    for character in shown:
        if character in SIGNS:
            continue
        if (system := _digit_system(character)) is not None:
            digits.add(system)
        else:
            scripts.add(_script(character))
    if len(scripts) > 1:
        raise ValidationError(
            _("All letters of a name are of one script: Arabic, Latin or another, but not mixed."),
            code="scripts",
        )
    if len(digits) > 1 or (digits - {_ASCII_DIGITS} and scripts != {"ARABIC"}):
        raise ValidationError(
            _("All digits of a name are of one kind, and of the kind of its letters."),
            code="scripts",
        )
    if shown and not scripts and not digits:
        raise ValidationError(
            _("A name needs a letter or a digit, not only _ and -."), code="letters"
        )


def _digit_system(character: str) -> str | None:
    for system in (_ASCII_DIGITS, *_ARABIC_DIGITS):
        if character in system:
            return system
    return None


def _script(character: str) -> str:
    """The script of a letter. Raises ValidationError for anything else."""
    script = unicodedata.name(character, "").partition(" ")[0]
    letters = _SCRIPTS.get(script)
    if unicodedata.category(character)[0] != "L" or not letters or not letters.match(character):
        raise ValidationError(
            _("A name has letters, digits, _ and - only; “%(character)s” is none of these."),
            code="letters",
            params={"character": character},
        )
    return script


_PLAIN_AUTHORITY = frozenset(_plain(name_key(word)) for word in _AUTHORITY.split())
_SITE_KEYS = frozenset(name_key(word) for word in _SITE.split())
_LOUD = tuple(_plain(name_key(word)) for word in ("admin", "moderator", "админ", "модератор"))
