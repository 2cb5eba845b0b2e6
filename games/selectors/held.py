"""All that playing holds about somebody, for that person alone: what ``games.services.exports``
writes into a file.

Of others there are the names that everybody sees; what they wrote, whom they block and who they are
beside the name is theirs. Of a match that still runs there is only that it runs.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import F

from games.models import (
    Block,
    Challenge,
    ContactMessage,
    Device,
    Follow,
    FormerName,
    Login,
    Match,
    Mute,
    Notification,
    Player,
    PuzzleAnswer,
    RecoveryCode,
    Review,
    Seat,
    Utterance,
)
from games.selectors.notifications import Line
from games.selectors.record import WITH_RECORD, record_of

AT_ONCE = 50
_SETTINGS = (
    "language", "arabic_digits", "scheme", "four_colours", "back", "animation", "sounds",
    "confirm_play", "more_time", "chooses_seed", "challengers", "shows_matches", "shows_online",
    "publishes", "browser_notices", "wants_digest",
)  # fmt: skip


def held_about(player: Player) -> Iterator[tuple[str, Iterable[Any]]]:
    """The parts by name, each a run of plain values that is read once."""
    yield "account", [_account(player)]
    yield "settings", [{name: getattr(player, name) for name in _SETTINGS}]
    yield "sessions", _sessions(player)
    yield "devices", Device.objects.filter(player=player).values("last_at").iterator()
    yield "people", _people(player)
    yield "matches", _matches(player)
    yield "reviews", _reviews(player)
    yield "challenges", _challenges(player)
    yield "talk", _talk(player)
    yield "messages", _messages(player)
    yield "lessons", [{"done": player.learned}]
    yield "puzzles", _puzzles(player)
    yield "notifications", _notifications(player)


def matches_of(player: Player) -> int:
    """How many matches there are to write, which take longest."""
    return Seat.objects.filter(player=player).count()


def _account(player: Player) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=player).order_by("pk")
    second = Authenticator.objects.filter(user=player).order_by("pk")
    code = RecoveryCode.objects.filter(player=player).first()
    former = FormerName.objects.filter(player=player).order_by("pk")
    return {
        "number": player.pk,
        "name": player.name,
        "about": player.about,
        "joined": player.date_joined,
        "last_log_in": player.last_login,
        "renamed": player.renamed_at,
        "former_names": list(former.values("name_key", "until")),
        "addresses": list(addresses.values("email", "verified")),
        "two_factor": list(second.values("type", "created_at", "last_used_at")),
        "recovery_code": code and {"made": code.made_at, "used": code.used_at},
    }


def _sessions(player: Player) -> Iterator[dict[str, Any]]:
    rows = Login.objects.filter(player=player).order_by("pk")
    return rows.values("device", "address", "began_at", "seen_at").iterator()


def _people(player: Player) -> Iterator[dict[str, Any]]:
    for tie in (Follow, Block, Mute):
        for row in tie.objects.filter(player=player).select_related("other").order_by("pk"):
            yield {"tie": tie.__name__.lower(), "name": row.other.shown_name, "since": row.made_at}


def _matches(player: Player) -> Iterator[dict[str, Any]]:
    """Oldest first; a match that is over with its whole record and how long each play of the
    player took."""
    keys = list(
        Seat.objects.filter(player=player).order_by("pk").values_list("match_id", flat=True)
    )
    for at in range(0, len(keys), AT_ONCE):
        chunk = keys[at : at + AT_ONCE]
        found = WITH_RECORD.defer("sealed").in_bulk(chunk)
        yield from (_match(found[key], player) for key in chunk if key in found)


def _match(match: Match, player: Player) -> dict[str, Any]:
    seats = list(match.seats.all())
    mine = next(seat for seat in seats if seat.player_id == player.pk)
    told = {
        "match": match.pk,
        "kind": match.kind,
        "status": match.status,
        "seat": mine.seat,
        "began": match.created_at,
        "finished": match.finished_at,
    }
    if not match.is_over:
        return told
    record = None if match.simulated else record_of(match)
    plays = [
        {"number": play.number, "at": play.made_at, "took_ms": play.took_ms}
        for play in match.plays.all()
        if play.seat == mine.seat
    ]
    return {**told, "record": record, "own_plays": plays}


def _reviews(player: Player) -> Iterator[dict[str, Any]]:
    """What the player has asked for of own plays."""
    rows = Review.objects.filter(
        match__seats__player=player, match__seats__seat=F("seat"), asked_at__isnull=False
    )
    return rows.order_by("pk").values("match", "asked_at", "plays").iterator()


def _challenges(player: Player) -> Iterator[dict[str, Any]]:
    rows = (
        Challenge.objects.filter(challenger=player).select_related("opponent").order_by("made_at")
    )
    for row in rows.iterator():
        yield {
            "challenge": row.pk,
            "to": row.opponent and row.opponent.shown_name,
            "kind": row.kind,
            "answer": row.answer,
            "match": row.match_id,
            "made": row.made_at,
        }


def _messages(player: Player) -> Iterator[dict[str, Any]]:
    """What was written to the operators and no mail has carried."""
    rows = ContactMessage.objects.filter(player=player).order_by("pk")
    return rows.values("address", "text", "made_at").iterator()


def _puzzles(player: Player) -> Iterator[dict[str, Any]]:
    rows = PuzzleAnswer.objects.filter(player=player).order_by("pk")
    return rows.values("puzzle__day", "choice", "in_time", "answered_at").iterator()


def _talk(player: Player) -> Iterator[dict[str, Any]]:
    rows = Utterance.objects.filter(player=player).order_by("pk")
    return rows.values("match", "phrase", "text", "said_at").iterator()


def _notifications(player: Player) -> Iterator[dict[str, Any]]:
    rows = Notification.objects.filter(player=player).select_related("by").order_by("pk")
    for row in rows.iterator():
        said = Line(row, row.by).plain if row.by_id or not row.match_id else row.topic
        yield {"topic": row.topic, "said": said, "made": row.made_at, "read": row.read_at}
