"""A periodic look for ranked players whose choices and pace are a program's: evidence for
moderators, never a penalty.

What costs nothing is asked first: who wins, then the pace. Only of who is left are matches gone
through as for a review, a few in each run, until there are enough to say something.
"""

from collections import defaultdict
from datetime import timedelta
from itertools import islice
from statistics import quantiles

from games.models import Match, Play, Review, ReviewState, clock
from games.selectors.reviews import Looked
from games.services import reviews
from ladder.models import FindingKind
from ladder.services.findings import Found, Result, results_since, write

WITHIN = timedelta(days=28)
MATCHES = 20  # that make it more than luck
LEAST_PLAYS = 48  # of a match: one deal
WON_SHARE = 0.6
EVEN = 4.0  # the slowest tenth of turns takes at most so many times what the quickest does
AGREED = 0.9  # share of the turns with a choice; the expert's is 0.77
CHOICE = 1.0  # points between the best and the worst play, or it is none
GIVEN_UP = 2.0  # points a deal; the expert gives up more than seven: docs/ladder.md
PLAYERS_A_RUN = 10  # whose pace is read
REVIEWS_A_RUN = 6  # matches that are gone through


def look() -> int:
    """Take the look, each hour; a part of the winners each time. Returns how many findings."""
    left, found = REVIEWS_A_RUN, 0
    for player, rows in _winners():
        pace = _pace(player, rows)
        if pace[0] <= 0 or pace[2] > EVEN * pace[0]:
            continue
        looked = _looked(player, rows)
        if len(looked) >= MATCHES:
            found += _judge(player, looked, pace)
        lacking = [row for row in rows if row.match not in looked]
        for row in lacking[:left]:
            reviews.prepare(Match.objects.get(pk=row.match), row.players.index(player))
        left -= len(lacking[:left])
    return found


def _winners() -> list[tuple[int, list[Result]]]:
    """Who wins most of many matches, with these, newest first: those whose turn it is this hour."""
    now = clock.now()
    played: dict[int, list[Result]] = defaultdict(list)
    for row in results_since(now - WITHIN):
        if row.plays >= LEAST_PLAYS:
            for player in row.players:
                played[player].append(row)
    winners = [
        (player, rows[::-1])
        for player, rows in sorted(played.items())
        if len(rows) >= MATCHES and _won(player, rows) >= WON_SHARE * len(rows)
    ]
    start = int(now.timestamp()) // 3600 * PLAYERS_A_RUN % max(1, len(winners))
    return list(islice(winners[start:] + winners[:start], PLAYERS_A_RUN))


def _won(player: int, rows: list[Result]) -> int:
    return sum(row.players[row.winner] == player for row in rows)


def _pace(player: int, rows: list[Result]) -> tuple[int, int, int]:
    """How long the turns of the newest matches took, in ms: a tenth was quicker than the first,
    half than the second, nine tenths than the third."""
    seats = {row.match: row.players.index(player) for row in rows[:MATCHES]}
    plays = Play.objects.filter(match__in=seats).values_list("match", "seat", "took_ms")
    took = [ms for match, seat, ms in plays.iterator() if seats[match] == seat]
    tenths = quantiles(took, n=10)
    return round(tenths[0]), round(tenths[4]), round(tenths[8])


def _looked(player: int, rows: list[Result]) -> dict[str, list[Looked]]:
    """The plays of the matches that were gone through, by match. 1 query."""
    seats = {row.match: row.players.index(player) for row in rows}
    ready = Review.objects.filter(match__in=seats, state=ReviewState.READY)
    return {
        match: [Looked.parse(kept) for kept in plays]
        for match, seat, plays in ready.values_list("match", "seat", "plays")
        if seats[match] == seat
    }


def _judge(player: int, looked: dict[str, list[Looked]], pace: tuple[int, int, int]) -> bool:
    """Write a finding if hardly a play differs from the master's."""
    plays = [play for match in looked.values() for play in match]
    chosen = [play for play in plays if play.between >= CHOICE]
    deals = sum(len({play.deal for play in match}) for match in looked.values())
    agreed = sum(not play.less for play in chosen) / max(1, len(chosen))
    given_up = sum(play.less for play in plays) / max(1, deals)
    if agreed < AGREED or given_up > GIVEN_UP:
        return False
    facts = {
        "agreed": round(agreed, 2),
        "turns": len(chosen),
        "given_up": round(given_up, 1),
        "pace_ms": list(pace),
    }
    found = Found(FindingKind.MACHINE, (player,), tuple(looked), facts, severity=2)
    return write(found) is not None
