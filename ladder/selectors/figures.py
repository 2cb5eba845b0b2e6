"""How somebody plays, by seat: what the counts of the last ranked matches add up to."""

from dataclasses import dataclass

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Sum, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from games.models import MatchDeal, Player, Seat
from ladder.models import Pool, RatingChange

MATCHES = 200  # of the last ones, so that the figures follow the player and cost the same for all


@dataclass(frozen=True, slots=True)
class Side:
    """Counted deals, with the points and basras made in them; and the matches won and lost whose
    first deal was this side's. Jack basras count as basras."""

    deals: int = 0
    points: int = 0
    basras: int = 0
    won: int = 0
    lost: int = 0

    @property
    def points_per_deal(self) -> float | None:
        return self.points / self.deals if self.deals else None

    @property
    def basras_per_deal(self) -> float | None:
        return self.basras / self.deals if self.deals else None

    def __add__(self, other: "Side") -> "Side":
        return Side(
            self.deals + other.deals,
            self.points + other.points,
            self.basras + other.basras,
            self.won + other.won,
            self.lost + other.lost,
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """Of ``matches``: when the player dealt, and when the other one did."""

    matches: int
    dealing: Side
    leading: Side

    @property
    def both(self) -> Side:
        return self.dealing + self.leading


def figures_of(player: Player) -> Figures | None:
    """Of the last 200 ranked matches of ``player`` that were rated; None where no deal of them was
    counted. 3 queries, and no row of a match is read."""
    rows = RatingChange.objects.that_stand().filter(player=player, pool=Pool.RANKED)
    matches = list(rows.order_by("-id").values_list("match", flat=True)[:MATCHES])
    deals = _deals(player, matches) if matches else {}
    if not deals:
        return None
    results = _results(player, matches)
    dealing, leading = (
        Side(*deals.get(dealt, (0, 0, 0)), *results.get(dealt, (0, 0))) for dealt in (True, False)
    )
    return Figures(len(matches), dealing, leading)


def _deals(player: Player, matches: list[str]) -> dict[bool, tuple[int, int, int]]:
    """Deals, points and basras, by whether the player dealt."""
    counted = MatchDeal.objects.filter(
        match__in=matches, match__seats__player=player, points_0__isnull=False
    ).annotate(seat=F("match__seats__seat"))
    return _by_dealer(
        counted,
        "dealer",
        Count("pk"),
        Sum(_own("points_0", "points_1")),
        Sum(_own(_basras(0), _basras(1))),
    )


def _results(player: Player, matches: list[str]) -> dict[bool, tuple[int, int]]:
    """Matches won and lost, by whether the player dealt first."""
    seats = Seat.objects.filter(player=player, match__in=matches, match__first_dealer__isnull=False)
    won = Q(match__winner=F("seat"))
    return _by_dealer(
        seats, "match__first_dealer", Count("pk", filter=won), Count("pk", filter=~won)
    )


def _by_dealer(rows: QuerySet, dealer: str, *sums: object) -> dict[bool, tuple]:
    dealt = Case(When(**{dealer: F("seat")}, then=1), default=0, output_field=IntegerField())
    named = {f"sum_{number}": expression for number, expression in enumerate(sums)}
    found = rows.order_by().annotate(dealt=dealt).values("dealt").annotate(**named)
    return {bool(dealt): tuple(rest) for dealt, *rest in found.values_list("dealt", *named)}


def _own(first: object, second: object) -> Case:
    """What is the player's of what stands for the two seats."""
    return Case(When(seat=0, then=first), default=second, output_field=IntegerField())


def _basras(seat: int) -> object:
    def made(kind: str) -> Cast:
        return Cast(KT(f"tally__{kind}__{seat}"), IntegerField())

    return made("basras") + made("jack_basras")
