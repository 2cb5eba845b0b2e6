"""All that standing holds about somebody, for that person alone: ratings and their ledger, what was
reported and decided. Not who reported them, who decided, nor what moderators tell each other."""

from collections.abc import Iterable, Iterator
from typing import Any

from games.models import Player
from ladder.models import (
    Badge,
    Lapse,
    Mark,
    RankedPause,
    Rating,
    RatingChange,
    Report,
    Sanction,
    SeasonPlace,
)

_RATING = (
    "pool", "rating", "matches", "won", "lost", "peak", "opponents", "last_at", "season",
    "season_matches", "season_won", "season_lost",
)  # fmt: skip
_SANCTION = ("measure", "reason", "message", "began_at", "until", "acknowledged_at", "undone_at")


def held_about(player: Player) -> Iterator[tuple[str, Iterable[Any]]]:
    """The parts by name, each a run of plain values that is read once."""
    yield "ratings", Rating.objects.filter(player=player).order_by("pool").values(*_RATING)
    yield "ledger", _ledger(player)
    yield "seasons", _seasons(player)
    yield "pauses", _pauses(player)
    yield "reports_made", _reports(player)
    yield "sanctions", _sanctions(player)
    yield "marks", Mark.objects.filter(player=player).order_by("pk").values("first_at", "last_at")


def _ledger(player: Player) -> Iterator[dict[str, Any]]:
    rows = RatingChange.objects.filter(player=player).select_related("opponent").order_by("pk")
    for row in rows.iterator():
        yield {
            "kind": row.kind,
            "pool": row.pool,
            "match": row.match_id,
            "opponent": row.opponent.shown_name,
            "before": row.before,
            "after": row.after,
            "k": row.k,
            "expected": row.expected,
            "at": row.created_at,
        }


def _seasons(player: Player) -> Iterator[dict[str, Any]]:
    badges = dict(Badge.objects.filter(player=player).values_list("season", "prize"))
    places = SeasonPlace.objects.filter(player=player).order_by("season")
    for row in places.values("season", "rank", "rating", "matches", "won", "lost"):
        yield {**row, "badge": badges.get(row["season"])}


def _pauses(player: Player) -> Iterator[dict[str, Any]]:
    yield from Lapse.objects.filter(player=player).order_by("at").values("what", "match", "at")
    pauses = RankedPause.objects.filter(player=player).order_by("began_at")
    yield from pauses.values("nth", "began_at", "until")


def _reports(player: Player) -> Iterator[dict[str, Any]]:
    rows = Report.objects.filter(reporter=player).select_related("suspect").order_by("pk")
    for row in rows.iterator():
        yield {
            "about": row.suspect.shown_name,
            "reason": row.reason,
            "text": row.text,
            "match": row.match_id,
            "made": row.made_at,
            "upheld": row.upheld,
            "answered": row.answered_at,
        }


def _sanctions(player: Player) -> Iterator[dict[str, Any]]:
    rows = Sanction.objects.filter(player=player).select_related("appeal").order_by("pk")
    for row in rows.iterator():
        appeal = getattr(row, "appeal", None)
        told = {name: getattr(row, name) for name in _SANCTION}
        if appeal is not None:
            told["appeal"] = {
                "text": appeal.text, "made": appeal.made_at, "granted": appeal.granted,
                "answer": appeal.answer, "decided": appeal.decided_at,
            }  # fmt: skip
        yield told
