"""Counting the packs of matches that are over into the public sums: never of a running match."""

import logging

from django.db import transaction

from games.engine import KOMI, PACK, Card, Deal, RulesError, parse_card
from games.models import Match, MatchDeal, ShuffleStatistics, Status, Uncounted, clock
from games.services.locks import lock

log = logging.getLogger(__name__)

BATCH = 200  # matches a transaction: on SQLite it holds the one write lock
PLACE = {str(card): place for place, card in enumerate(PACK)}
TIE = [len(PACK) // 2] * 2


def count_shuffles() -> int:
    """Count every match that is over and not counted yet, each exactly once. Returns how many.

    Sums are kept, so no pack is read twice. Safe to run at the same time in several processes.
    """
    counted = 0
    while batch := _count_batch():
        counted += batch
    return counted


def count_again() -> int:
    """Count everything anew, from nothing: repairs the sums. Returns how many matches.

    Matches of guests who are gone are gone too, and are no longer in the sums then.
    """
    with transaction.atomic():
        _locked_sums()
        Uncounted.objects.all().delete()
        over = Match.objects.filter(status__in=[Status.FINISHED, Status.ABORTED], simulated=False)
        rows = [Uncounted(match_id=pk) for pk in over.values_list("pk", flat=True)]
        Uncounted.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
        ShuffleStatistics(pk=ShuffleStatistics.THE_ROW).save()
    return count_shuffles()


def _count_batch() -> int:
    with transaction.atomic():
        sums = _locked_sums()
        over = [Status.FINISHED, Status.ABORTED]
        waiting = Uncounted.objects.filter(match__status__in=over).order_by("pk")[:BATCH]
        picked = [row.pk for row in waiting]
        matches = Match.objects.filter(pk__in=picked).only("status", "first_dealer")
        _add(sums, list(matches))
        sums.as_of = clock.now()
        sums.save(update_fields=None if picked else ["as_of"])
        Uncounted.objects.filter(pk__in=picked).delete()
        return len(picked)


def _locked_sums() -> ShuffleStatistics:
    """The one row of sums, which whoever counts has to itself."""
    ShuffleStatistics.objects.get_or_create(pk=ShuffleStatistics.THE_ROW)
    return lock(ShuffleStatistics.objects.filter(pk=ShuffleStatistics.THE_ROW)).get()


def _add(sums: ShuffleStatistics, matches: list[Match]) -> None:
    finished = {match.pk: match for match in matches if match.status == Status.FINISHED}
    sums.finished += len(finished)
    sums.aborted += len(matches) - len(finished)
    for match in finished.values():
        if match.first_dealer is not None:  # else a moderator ended it before the deal
            _bump(sums, f"first_dealer_{match.first_dealer}")
    sums.counts = sums.counts or [0] * len(PACK) ** 2
    for row in MatchDeal.objects.filter(match_id__in=finished).exclude(pack=""):
        try:
            pack = tuple(parse_card(text) for text in row.pack.split())
            hands = _dealt(Deal.start(pack, row.dealer))
        except RulesError:
            log.exception("deal %s of %s is not counted", row.index, row.match_id)
        else:
            _add_pack(sums, row, pack, hands)


def _add_pack(
    sums: ShuffleStatistics,
    row: MatchDeal,
    pack: tuple[Card, ...],
    hands: tuple[list[Card], list[Card]],
) -> None:
    for place, card in enumerate(pack):
        sums.counts[place * len(PACK) + PLACE[str(card)]] += 1
    _bump(sums, f"packs_{row.dealer}")
    for seat, cards in enumerate(hands):
        jacks, komi = sum(card.rank == "J" for card in cards), int(KOMI in cards)
        _bump(sums, f"jacks_{seat}", jacks)
        _bump(sums, f"komi_{seat}", komi)
        if seat == row.dealer:
            _bump(sums, "jacks_dealer", jacks)
            _bump(sums, "komi_dealer", komi)
    if row.tally is not None:
        sums.deals += 1
        sums.ties += row.tally.get("cards") == TIE


def _dealt(deal: Deal) -> tuple[list[Card], list[Card]]:
    """All the cards that the seats get into their hands in the deal that begins like this."""
    hands = [*deal.dealt[0]], [*deal.dealt[1]]
    for number, card in enumerate(deal.stock):
        lead = number // len(deal.dealt[0]) % 2 == 0
        hands[1 - deal.dealer if lead else deal.dealer].append(card)
    return hands


def _bump(sums: ShuffleStatistics, name: str, by: int = 1) -> None:
    setattr(sums, name, getattr(sums, name) + by)
