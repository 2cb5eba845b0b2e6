"""A ladder to look at: players of a hidden strength, and simulated results between them.

The results are made up, so their matches are marked as such (``Match.simulated``) and have neither
seeds nor packs nor plays; but each is rated by the ladder's own formula, in the order of time, and
the ledger is whole. The same seed gives the same ladder.
"""

import hashlib
import math
import string
from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import accumulate, islice
from random import Random

from django.db import transaction
from django.db.models import Min

from games.models import How, Kind, Match, Player, Status, clock
from games.names import name_key, skeleton
from games.services import simulated
from games.services.errors import Refused
from ladder import elo
from ladder.models import Code, Pool, Rating, RatingChange
from ladder.services import board
from ladder.services.pairing import SAME_PAIR, SAME_PAIR_WITHIN
from ladder.services.rating import SIX_PLACES, gained_from_new_accounts

DEVIATION = 250  # rating points: the spread of the hidden strengths
SPAN = timedelta(days=120)  # the results lie in the time before now
NEAR = 100  # rating points within which most opponents are found
_LASTS = timedelta(minutes=8)
_AT_ONCE = 2_000  # matches a transaction
_ENDINGS = (How.POINTS,) * 22 + (How.RESIGNATION,) * 2 + (How.TIME,)
_ID_LETTERS = string.ascii_letters + string.digits
_NAMES = """
    Amal Amir Amira Anwar Basma Dalia Dina Emad Fadi Farah Farid Gamal Habib Hala Hanan Hany
    Hassan Heba Hend Hoda Kamal Karim Khaled Laila Lamia Maged Magda Mahmoud Maha Mariam Mazen
    Mona Mourad Nabil Nada Nadia Nour Omar Osama Rami Rania Reem Sabry Salma Samir Sami Sara
    Sherif Tamer Tarek Wael Walid Yara Yasmin Youssef Zaki Zeinab  أحمد أمل أمينة إيمان بسمة
    جمال حازم حسن خالد دعاء رامي رضا ريم زياد سارة سلمى سمير شريف طارق  عادل عزة عمر غادة فاطمة
    فريد كريم ليلى ماجد محمود مروة منى نادر نبيل نهى هالة هشام وليد ياسر
"""
_FIRST = _NAMES.split()


class Simulation:
    """The ladder while it is made: everybody's rating in memory, and the results of late."""

    def __init__(self, players: list[Player], strengths: list[float], rng: Random) -> None:
        self.players, self.rng = players, rng
        self.strength = dict(zip((p.pk for p in players), strengths, strict=True))
        self.ratings = {p.pk: Rating(player=p, pool=Pool.RANKED) for p in players}
        self.board = sorted((row.rating, pk) for pk, row in self.ratings.items())
        self.late: dict[int, deque[RatingChange]] = {pk: deque() for pk in self.ratings}
        self.met: dict[int, set[int]] = {pk: set() for pk in self.ratings}
        self.meetings: deque[tuple[datetime, frozenset[int]]] = deque()
        self.pairs: Counter[frozenset[int]] = Counter()
        # How much each plays: a few much, most a little.
        weights = [rng.lognormvariate(0, 0.6) for _player in players]
        self.keenness = list(accumulate(weights))

    def pair(self, moment: datetime) -> tuple[int, int]:
        """Two players, by id, who are near in rating and may meet once more."""
        while self.meetings and self.meetings[0][0] <= moment - SAME_PAIR_WITHIN:
            self.pairs[self.meetings.popleft()[1]] -= 1
        while True:
            at = bisect_left(self.keenness, self.rng.random() * self.keenness[-1])
            one = self.players[min(at, len(self.players) - 1)].pk
            place = bisect_left(self.board, (self.ratings[one].rating, one))
            low = bisect_left(self.board, (self.board[place][0] - NEAR, 0))
            high = bisect_left(self.board, (self.board[place][0] + NEAR + 1, 0))
            if high - low < 4:
                low, high = max(0, place - 3), min(len(self.board), place + 4)
            two = self.board[self.rng.randrange(low, high)][1]
            if one != two and self.pairs[frozenset((one, two))] < SAME_PAIR:
                return one, two

    def play(self, match: Match, pair: tuple[int, int]) -> list[RatingChange]:
        """End ``match`` between the two by their strengths; the rows of the ledger, by seat."""
        one, two = pair
        chance = 1 / (1 + 10 ** ((self.strength[two] - self.strength[one]) / elo.SCALE))
        match.winner = 0 if self.rng.random() < chance else 1
        rows = [self.ratings[one], self.ratings[two]]
        changes = [self._change(match, rows[side], rows[1 - side], side) for side in (0, 1)]
        for row, change in zip(rows, changes, strict=True):
            self._move(row, change)
        met = frozenset(pair)
        self.meetings.append((match.created_at, met))
        self.pairs[met] += 1
        return changes

    def _change(self, match: Match, own: Rating, other: Rating, side: int) -> RatingChange:
        score = int(match.winner == side)
        capped = score and elo.is_capped(own.matches, other.matches)
        late = self.late[own.player_id] if capped else ()
        result = elo.outcome(
            own.rating,
            other.rating,
            score,
            matches=own.matches,
            opponent_matches=other.matches,
            gained=gained_from_new_accounts(late, match.finished_at),
        )
        return RatingChange(
            player_id=own.player_id,
            match=match,
            opponent_id=other.player_id,
            score=score,
            before=own.rating,
            after=result.after,
            opponent_rating=other.rating,
            opponent_matches=other.matches,
            cut=result.cut,
            code=Code.CAPPED if result.cut else "",
            k=result.k,
            expected=result.expected.quantize(SIX_PLACES),
            created_at=match.finished_at,
        )

    def _move(self, row: Rating, change: RatingChange) -> None:
        met, late = self.met[row.player_id], self.late[row.player_id]
        del self.board[bisect_left(self.board, (row.rating, row.player_id))]
        row.take(change, new_opponent=change.opponent_id not in met)
        insort(self.board, (row.rating, row.player_id))
        met.add(change.opponent_id)
        late.append(change)
        while late[0].created_at <= change.created_at - timedelta(hours=elo.CAP_HOURS):
            late.popleft()


def strengths(count: int, seed: int) -> list[float]:
    """The hidden strengths of the first ``count`` players of a seed, in rating points."""
    rng = Random(f"strength {seed}")
    return [rng.gauss(elo.START, DEVIATION) for _player in range(count)]


def make_players(count: int, seed: int = 1) -> list[Player]:
    """The first ``count`` players of a demonstration, made where they are not there yet.

    They have no password, so nobody can log in as one. Raises ``Refused`` if one of their names is
    somebody's already.
    """
    names = _names(count, seed)
    there = {p.name: p for p in Player.objects.filter(name_key__in=map(name_key, names))}
    if any(player.has_usable_password() for player in there.values()):
        raise Refused("Real people have names of the demonstration: give another --seed.")
    new = [
        Player(name=name, name_key=name_key(name), skeleton=skeleton(name), password="!")
        for name in names
        if name not in there
    ]
    Player.objects.bulk_create(new, batch_size=_AT_ONCE)
    found = there | {player.name: player for player in new}
    return [found[name] for name in names]


def make_matches(
    players: list[Player], count: int, seed: int = 1, tell: Callable[[int], object] = lambda n: None
) -> None:
    """Simulate ``count`` ranked results between ``players``, up to now; ``tell`` hears of each
    number that is written.

    Raises ``Refused`` where there are ratings that no simulation has made: these stay people's.
    """
    if count and len(players) < 2:
        raise Refused("A match takes two players.")
    if Match.objects.filter(kind=Kind.RANKED, simulated=False).exists():
        raise Refused("People have played ranked matches here: a demonstration would move them.")
    if Match.objects.filter(simulated=True).exists():
        raise Refused("There is a demonstration already, and none can be added to.")
    rng = Random(f"results {seed}")
    simulation = Simulation(players, strengths(len(players), seed), rng)
    now = clock.now()
    moments = (now - SPAN + SPAN * (number + 1) / (count + 1) for number in range(count))
    while batch := _take(simulation, moments, rng):
        _write(batch)
        tell(len(batch))
    rated = [rating for rating in simulation.ratings.values() if rating.matches]
    for rating in rated:
        rating.listed = rating.qualifies(now)
    Rating.objects.bulk_create(rated, batch_size=_AT_ONCE)
    board.refresh()


def sketch(players: list[Player], seed: int = 1) -> None:
    """Give ``players`` ratings with nothing behind them, to measure the board with: the ledger does
    not know them, and ``recompute_ratings`` would take them away."""
    rng, now = Random(f"sketch {seed}"), clock.now()
    rows = (
        Rating(
            player=player,
            rating=max(elo.FLOOR, round(strength)),
            matches=30,
            won=15,
            lost=15,
            opponents=20,
            peak=max(elo.FLOOR, round(strength)),
            last_at=now - timedelta(days=rng.random() * 20),
        )
        for player, strength in zip(players, strengths(len(players), seed), strict=True)
    )
    while batch := list(islice(rows, _AT_ONCE)):
        for row in batch:
            row.listed = row.qualifies(now)
        Rating.objects.bulk_create(batch, ignore_conflicts=True)
    board.refresh()


def _names(count: int, seed: int) -> list[str]:
    """Names of the demonstration: a first name and a number; the same for the same seed."""
    rng = Random(f"names {seed}")
    return [f"{rng.choice(_FIRST)}_{seed}{number:04}" for number in range(1, count + 1)]


def _take(
    simulation: Simulation, moments: Iterator[datetime], rng: Random
) -> list[tuple[Match, tuple[int, int], list[RatingChange]]]:
    """The next results, at most ``_AT_ONCE``."""
    first = Match.objects.aggregate(least=Min("commitment_number"))["least"] or 0
    batch = []
    for number, moment in zip(range(1, _AT_ONCE + 1), moments, strict=False):
        match = _match(moment, min(first, 0) - number, rng)
        pair = simulation.pair(moment)
        changes = simulation.play(match, pair)
        _finish(match, rng)
        batch.append((match, pair, changes))
    return batch


def _match(moment: datetime, commitment_number: int, rng: Random) -> Match:
    """A match that ended at ``moment``. Its number in the list of commitments is below zero: it is
    in no public list."""
    match_id = "".join(rng.choices(_ID_LETTERS, k=12))
    return Match(
        id=match_id,
        kind=Kind.RANKED,
        status=Status.FINISHED,
        simulated=True,
        how=rng.choice(_ENDINGS),
        commitment=hashlib.sha256(f"simulated {match_id}".encode()).hexdigest(),
        commitment_number=commitment_number,
        created_at=moment - _LASTS,
        finished_at=moment,
    )


def _finish(match: Match, rng: Random) -> None:
    """Points that such a match may end with, in tens."""
    won, lost = 10 * rng.randint(11, 14), 10 * rng.randint(1, 10)
    if match.how != How.POINTS:
        won, match.ended_by = 10 * rng.randint(2, 9), 1 - match.winner
    match.points_0, match.points_1 = (won, lost) if match.winner == 0 else (lost, won)
    match.deal = max(1, math.ceil((won + lost) / 45))


def _write(batch: list[tuple[Match, tuple[int, int], list[RatingChange]]]) -> None:
    with transaction.atomic():
        simulated.record([(match, pair) for match, pair, _changes in batch])
        RatingChange.objects.bulk_create(
            [change for _match, _pair, changes in batch for change in changes]
        )
