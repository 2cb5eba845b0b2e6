"""The table as one viewer may see it, built up from an Observation and nothing else.

No field here holds a hidden card, a pack or a seed that is not published: whatever renders a
``Table`` cannot leak one.
"""

from dataclasses import dataclass
from datetime import datetime

from games import ports
from games.engine import Breakdown, Card, Observation, basra, choices, observe, write_cards
from games.models import Clock, Match, MatchDeal, Player, Seat, Status, clock
from games.models.sealing import unseal
from games.selectors.access import may_look

HAND_PLACES = 4


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a card can take: the cards, and whether it makes a basra."""

    cards: tuple[Card, ...]
    value: str
    basra: str

    @property
    def gain(self) -> int:
        """How many cards go to the pile: what is taken, and the card that takes it."""
        return len(self.cards) + 1


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the viewer's own hand: where it lies, and each way in which it can take."""

    card: Card
    slot: int
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last play of a seat: the card, what it took, and the kind of basra it made."""

    card: Card
    took: tuple[Card, ...]
    basra: str
    latest: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One seat as everybody may see it. ``points`` are of counted deals; times in milliseconds."""

    seat: int
    player: Player
    standing: ports.Standing
    is_turn: bool
    points: int
    seed_given: bool
    bank_ms: int
    more_time: bool
    hand_count: int = 0
    pile_count: int = 0
    basras: int = 0
    jack_basras: int = 0
    crosswise: tuple[Card, ...] = ()
    last_play: LastPlay | None = None
    client_seed: str = ""

    @property
    def made(self) -> int:
        """Basras of both kinds in this deal."""
        return self.basras + self.jack_basras


@dataclass(frozen=True, slots=True)
class DealCount:
    """A counted deal: the viewer's line and the opponent's, and what the end of it swept."""

    index: int
    me: Breakdown
    opponent: Breakdown
    swept: int
    swept_by: str

    @property
    def sides(self) -> tuple[Breakdown, Breakdown]:
        return self.me, self.opponent


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The running turn: free and bank milliseconds at ``began``, and what time it is now."""

    free_ms: int
    bank_ms: int
    elapsed_ms: int
    now: datetime


@dataclass(frozen=True, slots=True)
class Table:
    """All that a template may show. ``me`` is the viewer's side; a watcher's is seat 0."""

    match: Match
    seat: int | None
    me: Side
    opponent: Side
    turn: str
    dealer: str
    last_capture: str
    batch: int = 0
    stock: int = 0
    floor: tuple[Card, ...] = ()
    hand: tuple[HandCard, ...] = ()
    under: tuple[Card, ...] = ()
    counts: tuple[DealCount, ...] = ()
    fresh_count: DealCount | None = None
    clock: ClockFace | None = None
    winner: str = ""
    server_seed: str = ""
    choosing: HandCard | None = None

    @property
    def watching(self) -> bool:
        return self.seat is None

    @property
    def is_mine(self) -> bool:
        """Is ``me`` the viewer?"""
        return self.seat is not None

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.me, self.opponent

    @property
    def sides_by_seat(self) -> list[Side]:
        return sorted(self.sides, key=lambda side: side.seat)

    @property
    def first_dealer(self) -> Side | None:
        """Who dealt first; None if nothing was dealt."""
        return next((side for side in self.sides if side.seat == self.match.first_dealer), None)

    @property
    def places(self) -> list[HandCard | None]:
        """The four places of the own hand, None where a card has been played."""
        held = {card.slot: card for card in self.hand}
        return [held.get(slot) for slot in range(HAND_PLACES)]

    @property
    def is_innocent(self) -> bool:
        """Is the viewer a player who is not at fault that the match was aborted?"""
        if self.watching or self.match.status != Status.ABORTED:
            return False
        if self.match.ended_by is not None:
            return self.match.ended_by != self.seat
        return self.me.seed_given

    @property
    def starting(self) -> bool:
        return self.match.status == Status.STARTING

    @property
    def playing(self) -> bool:
        return self.match.status == Status.PLAYING

    @property
    def latest(self) -> LastPlay | None:
        """The very last play, of whichever seat."""
        plays = (self.me.last_play, self.opponent.last_play)
        return next((play for play in plays if play and play.latest), None)

    @property
    def latest_but_one(self) -> LastPlay | None:
        """The play before the very last one, if it was the other seat's: open like that one."""
        plays = (self.me.last_play, self.opponent.last_play)
        return next((play for play in plays if play and not play.latest), None)


def table_for(match_id: str, viewer: Player | None, choosing: str = "") -> Table:
    """The table of a match for ``viewer`` (None: a stranger).

    ``choosing`` names a card of the viewer's hand whose ways to take are to be offered. Raises
    ``Match.DoesNotExist`` also where the viewer may not look.
    """
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.select_related("player"))
    if not may_look(match, [seat.player_id for seat in seats], viewer):
        raise Match.DoesNotExist
    return _build(match, seats, viewer, choosing)


def watched_table(match_id: str) -> Table:
    """The table of a match as all watchers see it. Who may watch is asked by ``seat_of``."""
    match = Match.objects.get(pk=match_id)
    return _build(match, list(match.seats.select_related("player")), None, "")


def seat_of(match_id: str, viewer: Player | None) -> int | None:
    """The seat that ``viewer`` holds in a match; None for who watches. 1 query, and those of
    ``may_look``.

    Raises ``Match.DoesNotExist`` also where the viewer may not look.
    """
    rows = list(Seat.objects.filter(match=match_id).values_list("player", "seat", "match__kind"))
    seats = {player_id: seat for player_id, seat, _kind in rows}
    if not rows or not may_look(Match(pk=match_id, kind=rows[0][2]), list(seats), viewer):
        raise Match.DoesNotExist
    return seats.get(viewer.pk) if viewer else None


def _build(match: Match, seats: list[Seat], viewer: Player | None, choosing: str) -> Table:
    mine = next((s.seat for s in seats if viewer and s.player_id == viewer.pk), None)
    low = mine or 0
    seen = observe(unseal(match.sealed).deal, mine) if match.status == Status.PLAYING else None
    standing = ports.standing([seat.player for seat in seats], match)
    sides = [_side(match, seat, seen, standing) for seat in seats]
    counts = tuple(_deal_count(deal, low) for deal in match.deals.all() if deal.tally)
    table = {
        "match": match,
        "seat": mine,
        "me": sides[low],
        "opponent": sides[1 - low],
        "turn": _who(match.turn, low),
        "dealer": _who(None if match.is_over or not match.deal else _dealer(match), low),
        "last_capture": _who(seen.last_capture if seen else None, low),
        "counts": counts,
        "winner": _who(match.winner, low),
        "server_seed": match.server_seed,
    }
    if seen is not None:
        hand = _hand(seen)
        table |= {
            "batch": seen.batch,
            "stock": seen.stock_count,
            "floor": tuple(sorted(seen.floor)),
            "hand": hand,
            "under": seen.under,
            "fresh_count": counts[-1] if counts and len(seen.history) < 2 else None,
            "clock": _clock(match, seats, seen),
            "choosing": next((c for c in hand if str(c.card) == choosing), None),
        }
    return Table(**table)


def _who(seat: int | None, low: int) -> str:
    return "none" if seat is None else "me" if seat == low else "opponent"


def _dealer(match: Match) -> int:
    return (match.first_dealer + match.deal - 1) % 2


def _side(
    match: Match, seat: Seat, seen: Observation | None, standing: dict[int, ports.Standing]
) -> Side:
    place = seat.seat
    common = {
        "seat": place,
        "player": seat.player,
        "standing": standing.get(seat.player_id, ports.Standing()),
        "is_turn": match.turn == place,
        "points": match.totals[place],
        "seed_given": bool(seat.client_seed),
        "bank_ms": seat.bank_ms,
        "more_time": seat.more_time,
        "client_seed": seat.client_seed if match.is_over else "",
    }
    if seen is None:
        return Side(**common)
    turn = seen.last_plays[place]
    last = turn and LastPlay(
        turn.play.card, tuple(sorted(turn.play.capture)), turn.basra.value, turn == seen.history[-1]
    )
    return Side(
        **common,
        hand_count=seen.hand_counts[place],
        pile_count=seen.pile_counts[place],
        basras=seen.basras[place],
        jack_basras=seen.jack_basras[place],
        crosswise=seen.crosswise[place],
        last_play=last,
    )


def _hand(seen: Observation) -> tuple[HandCard, ...]:
    return tuple(
        HandCard(card, slot, _ways(seen.floor, card))
        for slot, card in enumerate(seen.slots)
        if card is not None
    )


def _ways(floor: frozenset[Card], card: Card) -> tuple[Way, ...]:
    return tuple(
        Way(tuple(sorted(taken)), write_cards(taken), basra(floor, card, taken).value)
        for taken in choices(floor, card)
        if taken
    )


def _deal_count(deal: MatchDeal, low: int) -> DealCount:
    lines = [
        Breakdown(*(deal.tally[name][seat] for name in ("cards", "basras", "jack_basras")))
        for seat in (low, 1 - low)
    ]
    swept = deal.tally["swept"]
    by = _who(deal.tally["last_capture"], low) if swept else "none"
    return DealCount(deal.index, lines[0], lines[1], swept, by)


def _clock(match: Match, seats: list[Seat], seen: Observation) -> ClockFace | None:
    if match.clock == Clock.NONE or match.turn is None:
        return None
    moment = clock.now()
    seat = seats[match.turn]
    free = clock.free_ms(match, seat, not seen.history)
    return ClockFace(free, seat.bank_ms, clock.elapsed_ms(match, moment), moment)
