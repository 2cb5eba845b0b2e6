"""A person's news as its list, the bell and the browser show it.

Only who, what and when: nothing here looks into a match.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from games.models import Answer, Notification, Player, Seat, Topic, clock

PAGE = 30
MOST_SHOWN = 99
DIGITS_OF_A_KEY = 18
AT_ONCE = 3  # notices that a browser shows at once
FRESH = timedelta(minutes=10)  # an older one is no news for the browser

ICONS = {
    Topic.CHALLENGE: "people",
    Topic.REMATCH: "again",
    Topic.PAIRING: "stock",
    Topic.TURN: "clock",
    Topic.FOLLOW: "eye",
    Topic.BADGE: "star",
    Topic.REPORT: "flag",
    Topic.WARNING: "shield",
    Topic.REFUND: "up",
    Topic.NOTICE: "bell",
}
# What each says. {name}: who did it, or the opponent; {text}: the fact of that name.
SENTENCES = {
    Topic.CHALLENGE: gettext_lazy("{name} challenges you to a match."),
    Topic.REMATCH: gettext_lazy("{name} wants to play once more."),
    Topic.PAIRING: gettext_lazy("Your ranked match with {name} begins."),
    Topic.TURN: gettext_lazy("It is your turn against {name}."),
    Topic.FOLLOW: gettext_lazy("{name} follows you now."),
    Topic.BADGE: gettext_lazy("You have earned a badge: {text}."),
    Topic.REPORT: gettext_lazy("Your report has been answered. {text}"),
    Topic.WARNING: gettext_lazy("A moderator has warned you. {text}"),
    Topic.REFUND: gettext_lazy("Rating points were given back to you. {text}"),
    Topic.NOTICE: gettext_lazy("{text}"),
}
# What it says where the fact "answer" tells what became of one's own challenge or report, of the
# wait for a ranked match, what a moderator has done, or what was done to the account.
ANSWERED = {
    (Topic.NOTICE, "new device"): gettext_lazy(
        "Somebody logged in to your account from a new device. {text} If that was not you, end "
        "the session and change your password."
    ),
    (Topic.NOTICE, "export"): gettext_lazy("The file with your data is ready. {text}"),
    (Topic.PAIRING, "found"): gettext_lazy(
        "{text} is here for a ranked match with you: say within 15 seconds whether you play."
    ),
    (Topic.CHALLENGE, Answer.ACCEPTED): gettext_lazy("{name} has accepted your challenge."),
    (Topic.CHALLENGE, Answer.DECLINED): gettext_lazy("{name} has declined your challenge."),
    (Topic.REMATCH, Answer.ACCEPTED): gettext_lazy("{name} plays once more with you."),
    (Topic.REMATCH, Answer.DECLINED): gettext_lazy("{name} does not want to play once more."),
    (Topic.REPORT, "upheld"): gettext_lazy(
        "Your report has been answered: a moderator agreed with you. Thank you."
    ),
    (Topic.REPORT, "dismissed"): gettext_lazy(
        "Your report has been answered: the moderator found nothing against the rules."
    ),
    (Topic.WARNING, "sanction"): gettext_lazy("A moderator has written to you: read it."),
    (Topic.NOTICE, "undone"): gettext_lazy("A moderator has taken back a measure against you."),
    (Topic.NOTICE, "granted"): gettext_lazy("Your appeal is granted."),
    (Topic.NOTICE, "rejected"): gettext_lazy("Your appeal is rejected: read the answer."),
    (Topic.REFUND, "cheat"): gettext_lazy(
        "An opponent of yours has cheated. Your rating got back: {text}."
    ),
    (Topic.REFUND, "annulled"): gettext_lazy(
        "A moderator has annulled a match of yours. Change of your rating: {text}."
    ),
    (Topic.REFUND, "reversed"): gettext_lazy(
        "A decision has been taken back, and what it did to your rating too: {text}."
    ),
}
FIRST_STRONG, POP = "\u2068", "\u2069"


@dataclass(frozen=True, slots=True)
class Line:
    """One notification for its reader. ``about``: who did it, or the opponent in its match."""

    row: Notification
    about: Player | None

    @property
    def is_new(self) -> bool:
        return self.row.read_at is None

    @property
    def icon(self) -> str:
        """The name of its icon."""
        return ICONS[Topic(self.row.topic)]

    @property
    def html(self) -> SafeString:
        """The sentence for a page: a name, or what somebody wrote, is fenced off by its tag."""
        return format_html(
            self._sentence,
            **{
                key: format_html("<bdi>{}</bdi>", value) if value else ""
                for key, value in self._fields
            },
        )

    @property
    def plain(self) -> str:
        """The sentence where there can be no tags: the same is fenced off by signs."""
        fenced = {
            key: f"{FIRST_STRONG}{value}{POP}" if value else "" for key, value in self._fields
        }
        return self._sentence.format(**fenced).strip()

    @property
    def address(self) -> str:
        """The page of what it tells of; empty where that is gone, or there is none."""
        row = self.row
        accepted = row.facts.get("answer") == Answer.ACCEPTED
        if row.challenge_id is not None and not (accepted and row.match_id):
            return reverse("games:challenge", args=[row.challenge_id])
        if row.match_id is not None:
            return reverse("games:table", args=[row.match_id])
        if row.by is not None:
            return "" if row.by.is_closed else row.by.get_absolute_url()
        return str(row.facts.get("address", ""))

    @property
    def _sentence(self) -> str:
        topic = Topic(self.row.topic)
        said = ANSWERED.get((topic, self.row.facts.get("answer", "")))
        return str(said or SENTENCES[topic])

    @property
    def _fields(self) -> list[tuple[str, str]]:
        name = self.about.shown_name if self.about else ""
        return [("name", name), ("text", str(self.row.facts.get("text", "")))]


@dataclass(frozen=True, slots=True)
class Bell:
    """How many notifications are not read."""

    count: int

    @property
    def shown(self) -> str:
        """The count in little room."""
        return str(self.count) if self.count <= MOST_SHOWN else f"{MOST_SHOWN}+"


@dataclass(frozen=True, slots=True)
class Page:
    """Notifications, newest first. ``older``: the one that the next page begins after, or None;
    ``is_first`` says that nothing is newer.
    """

    lines: list[Line]
    older: int | None
    is_first: bool


def bell(player: Player) -> Bell:
    """The bell of ``player``. 1 query."""
    return Bell(Notification.objects.filter(player=player, read_at=None).count())


def page(player: Player, before: str = "") -> Page:
    """The page of older ones than ``before``, the key of one of them; the first page without, and
    for a key that is none. 2 queries, 3 with a key.
    """
    rows = _own(player)
    place = _own(player).filter(pk=int(before)).first() if _is_key(before) else None
    if place is not None:
        at = place.made_at
        rows = rows.filter(Q(made_at__lt=at) | Q(made_at=at, pk__lt=place.pk))
    found = list(rows[: PAGE + 1])
    older = found[PAGE - 1].pk if len(found) > PAGE else None
    return Page(_lines(player, found[:PAGE]), older, is_first=place is None)


def one(player: Player, notification_id: int) -> Line | None:
    """A notification of ``player``; None if there is none any more.

    Raises ``Notification.DoesNotExist`` for somebody else's.
    """
    row = Notification.objects.select_related("by").filter(pk=notification_id).first()
    if row is not None and row.player_id != player.pk:
        raise Notification.DoesNotExist
    return _lines(player, [row])[0] if row else None


def newest(player: Player) -> list[Line]:
    """The unread ones of the last minutes, at most three, oldest first. 2 queries."""
    fresh = _own(player).filter(read_at=None, made_at__gt=clock.now() - FRESH)
    return _lines(player, list(fresh[:AT_ONCE])[::-1])


def _own(player: Player) -> QuerySet[Notification]:
    rows = Notification.objects.filter(player=player).select_related("by")
    return rows.order_by("-made_at", "-pk")


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= DIGITS_OF_A_KEY


def _lines(player: Player, rows: list[Notification]) -> list[Line]:
    """``rows`` as ``player`` reads them."""
    matches = {row.match_id for row in rows if row.by_id is None and row.match_id is not None}
    others = Seat.objects.filter(match__in=matches).exclude(player=player)
    opponents = {seat.match_id: seat.player for seat in others.select_related("player")}
    return [Line(row, row.by or opponents.get(row.match_id)) for row in rows]
