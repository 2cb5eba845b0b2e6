"""A match rebuilt from what is append-only, and compared with what is stored of it."""

from django.db import transaction

from games.engine import Deal, Play, RulesError, parse_card, parse_cards
from games.engine.record import Tampered, verify
from games.models import Match, MatchDeal, Status
from games.models.sealing import Sealed, unseal
from games.selectors.record import record_of
from games.services.locks import lock


class Broken(Exception):
    """The stored match is not what its plays make of it. The message names no hidden card."""


def rebuild(match_id: str) -> None:
    """Rebuild a match; raises ``Broken`` with the first difference. Changes nothing."""
    with transaction.atomic():
        match = lock(Match.objects.filter(pk=match_id)).get()
        plays = list(match.plays.all())
        if [play.number for play in plays] != list(range(1, match.number)):
            raise Broken("the plays are not numbered 1, 2, … up to the match's number")
        if match.is_over:
            _check_over(match)
        elif match.status == Status.PLAYING:
            _check_running(match, unseal(match.sealed))


def _check_over(match: Match) -> None:
    try:
        verify(record_of(match))
    except Tampered as error:
        raise Broken(str(error)) from error


def _check_running(match: Match, sealed: Sealed) -> None:
    deal = sealed.deal
    if deal is None:
        raise Broken("no deal is running")
    plays = [
        Play(parse_card(row.card), parse_cards(row.captured))
        for row in match.plays.filter(deal=match.deal)
    ]
    try:
        replayed = Deal.replay(deal.pack, deal.dealer, plays)
    except RulesError as error:
        raise Broken("a play of the running deal is not legal") from error
    if replayed != deal or deal.turn != match.turn:
        raise Broken("the running deal is not what its plays make of it")
    counted = MatchDeal.objects.filter(match=match, points_0__isnull=False)
    totals = tuple(sum(getattr(d, f"points_{seat}") for d in counted) for seat in (0, 1))
    if totals != match.totals:
        raise Broken(f"the counted deals make {totals}, the match has {match.totals}")
