"""THE way a match changes: the doors into one step. People, house players, timeouts, moderators and
closings of accounts all come through here."""

import logging
import re
import secrets
import string
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, Q, When
from django.db.models.functions import Least
from django.utils.translation import gettext as _

from games import ports
from games.engine import (
    Card,
    NotNow,
    Observation,
    choices,
    fair,
    observe,
    parse_card,
    parse_cards,
)
from games.engine import Play as EnginePlay
from games.models import (
    Clock,
    Commitment,
    How,
    Kind,
    Match,
    Play,
    Player,
    Seat,
    Status,
    Unrated,
    clock,
)
from games.models.sealing import Sealed, unseal
from games.ports import TextKind
from games.selectors.matches import LIVE
from games.services import texts, thinking
from games.services.after import after_commit
from games.services.errors import ChoiceNeeded, HintUnrates, Refused, Stale, TooLate
from games.services.step import RESEND_AFTER, Step, enqueue_house_turn, step

log = logging.getLogger(__name__)

Capture = frozenset[Card] | None
"""What is to be taken; None where that need not be said."""

HOUSE_SEED = "house"
MOST_MS = 2**31 - 1  # that the column holds: 24 days
_DRAWN = re.compile("[0-9a-f]{32}")  # by a browser, from its random numbers: nobody's words
_ID_LETTERS = string.ascii_letters + string.digits


def start(
    *,
    kind: Kind,
    players: Sequence[Player],
    target: int = 101,
    clock_preset: Clock | None = None,
    unrated: str = "",
) -> Match:
    """Make a match of two players, seats in the order given, and commit to its server seed.

    ``target`` in points; ``unrated`` a reason known before it begins. The commitment is in the
    public list before anything is asked of the players (rules, Fair shuffle 1). Joins a running
    transaction. Raises ``Refused``.
    """
    for player in players:
        if not player.is_house and not (verdict := ports.may_sit(player, kind)).allowed:
            raise Refused(verdict.reason)
    preset = clock_preset or (Clock.NONE if kind == Kind.PRACTICE else Clock.STANDARD)
    seed = secrets.token_bytes(fair.SEED_BYTES)
    with transaction.atomic():
        made = clock.now()
        commitment = fair.commitment(seed)
        line = Commitment.objects.create(made_at=made, sha256=commitment)
        match = Match(
            id="".join(secrets.choice(_ID_LETTERS) for _place in range(12)),
            kind=kind,
            target=target,
            clock=preset,
            commitment=commitment,
            commitment_number=line.number,
            sealed=Sealed(seed).seal(),
            created_at=made,
            unrated=unrated or _reason(kind, players),
        )
        match.deadline = clock.deadline(match, None, first_of_deal=True)
        match.save(force_insert=True)
        Seat.objects.bulk_create(
            Seat(
                match=match,
                seat=place,
                player=player,
                client_seed=HOUSE_SEED if player.is_house else "",
                bank_ms=clock.BANK_MS[preset],
                more_time=player.more_time,
            )
            for place, player in enumerate(players)
        )
    return match


def give_seed(*, match_id: str, player: Player, client_seed: str) -> Match:
    """Give a seat's client seed; when both are there the first deal is dealt.

    The same seed again is a success. Raises ``Refused`` for a text that is no seed, and for
    another seed than the one given: neither can be changed (rules, Fair shuffle 2).
    """
    with step(match_id) as at:
        seat = at.seat_of(player)
        if not fair.is_client_seed(client_seed):
            raise Refused(_("A seed is 1 to 64 letters A–Z, digits, dots, _ or -."))
        if seat.client_seed == client_seed:
            return at.match
        if seat.client_seed or at.match.status != Status.STARTING:
            raise Refused(_("Your seed has been given, and a seed cannot be changed."))
        if _is_late(at, clock.now()):
            _time_out(at)
            return at.match
        seat.client_seed = client_seed
        seat.save(update_fields=["client_seed"])
        if not _DRAWN.fullmatch(client_seed):
            texts.written(player, TextKind.SEED, client_seed)
        at.changed = True
        if all(seat.client_seed for seat in at.seats):
            at.next_deal()
    return at.match


def play_card(
    *, match_id: str, player: Player, number: int, card: str, capture: str | None = None
) -> Match:
    """Make play ``number``: ``card``, taking ``capture`` ("As,5d"; None where there is no choice).

    A repeat of a play that is there already is a success. Raises ``Malformed`` or ``Illegal`` for
    what is no card or no legal play, ``NotNow`` out of turn or after the time, ``Stale`` for
    another number than the next, ``ChoiceNeeded`` where the capture must be chosen, ``NotSeated``.
    """
    arrived = clock.now()
    wanted = parse_card(card)
    taken = parse_cards(capture) if capture is not None else None
    with step(match_id) as at:
        seat = at.seat_of(player)
        if number != at.match.number or at.match.status != Status.PLAYING:
            if _is_repeat(at.match, seat, number, card, taken):
                return at.match
            raise Stale
        if _is_late(at, arrived):
            _time_out(at)
        else:
            at.make(seat, _read(at, seat, wanted, taken), arrived)
    if at.match.how == How.TIME:
        raise TooLate
    return at.match


def take_hint(*, match_id: str, player: Player, agreed: bool) -> tuple[int, Observation]:
    """Let ``player`` have a hint for the turn: its number, and what they see, to think about.

    With the first one the match will not be rated, to which they must have ``agreed``. Raises
    ``HintUnrates`` if not, ``Refused`` where there are no hints, ``NotNow`` out of turn.
    """
    with step(match_id) as at:
        seat = at.seat_of(player)
        if at.match.kind != Kind.PRACTICE:
            raise Refused(_("There are no hints where people play each other."))
        if at.match.status != Status.PLAYING or at.match.turn != seat.seat:
            raise NotNow("not this player's turn")
        if not at.match.unrated:
            if not agreed:
                raise HintUnrates
            at.match.unrated = Unrated.HINT
            at.changed = True
    return at.match.number, observe(at.deal, seat.seat)


def house_turn(*, match_id: str, number: int) -> None:
    """Let the house player whose turn it is make play ``number``; if that is past, do nothing.

    It thinks outside any transaction, and sees an observation only.
    """
    match = Match.objects.filter(pk=match_id, number=number, status=Status.PLAYING).first()
    if match is None or match.turn is None:
        return
    seat = match.seats.select_related("player").get(seat=match.turn)
    if not seat.player.is_house:
        return
    seen = observe(unseal(match.sealed).deal, seat.seat)
    chosen = thinking.choose(seat.player.level, seen)
    try:
        with step(match_id) as at:
            if at.match.number != number or at.match.status != Status.PLAYING:
                return
            at.make(at.seats[seat.seat], chosen, at.now)
    except NotNow:
        log.info("house turn %s of %s was past", number, match_id)


def expire_turn(*, match_id: str) -> None:
    """End a match whose deadline is past: aborted before the deal, lost on time after it."""
    with step(match_id) as at:
        if not at.match.is_over and _is_late(at, at.now):
            _time_out(at)


def expire_if_overdue(*, match_id: str) -> None:
    """What whoever looks at a match does first: end it if its time is up and no sweep came yet."""
    if Match.objects.filter(pk=match_id, deadline__lt=clock.now() - clock.GRACE).exists():
        expire_turn(match_id=match_id)


def resign(*, match_id: str, player: Player) -> Match:
    """Resign: the other seat wins, whatever the points. After the end it does nothing."""
    with step(match_id) as at:
        seat = at.seat_of(player)
        if at.match.status == Status.STARTING:
            raise Refused(_("Nothing is dealt yet: there is nothing to resign."))
        if not at.match.is_over:
            at.end(How.RESIGNATION, 1 - seat.seat, by=seat.seat)
    return at.match


def abort(*, match_id: str, player: Player) -> Match:
    """Leave a match in which nothing is dealt yet; it counts against ``player``'s seat.

    Raises ``Refused`` once cards are dealt: a bad hand cannot be exchanged (Fair shuffle 3).
    """
    with step(match_id) as at:
        seat = at.seat_of(player)
        if at.match.status == Status.PLAYING:
            raise Refused(_("Cards are dealt: the match can only be played or resigned."))
        if not at.match.is_over:
            at.end(How.ABORT, None, by=seat.seat)
    return at.match


def end_by_sanction(*, match_id: str, player: Player) -> None:
    """A moderator ends a running match: lost for ``player``, or without a result if nothing is
    dealt yet. It moves no rating. After the end it does nothing."""
    with step(match_id) as at:
        seat = at.seat_of(player)
        if at.match.status == Status.STARTING:
            at.end(How.SANCTION, None, by=seat.seat)
        elif not at.match.is_over:
            at.end(How.SANCTION, 1 - seat.seat, by=seat.seat)


def forget(*, player: Player) -> bool:
    """Delete the matches of a guest who is gone, plays and all. Nothing else deletes a match.

    Their lines in the list of commitments stay, and so do the sums that their packs are in. False,
    and nothing is done, if one of them runs, is not counted yet, or is no practice match. Joins
    the transaction.
    """
    own = Match.objects.filter(seats__player=player)
    kept = ~Q(kind=Kind.PRACTICE) | Q(status__in=LIVE) | Q(uncounted__isnull=False)
    if own.filter(kept).exists():
        return False
    Match.objects.filter(pk__in=list(own.values_list("pk", flat=True))).delete()
    return True


def sweep() -> int:
    """End what is overdue and send again the house turns that were lost. Returns how many."""
    moment = clock.now()
    late = Match.objects.filter(deadline__lt=moment - clock.GRACE).values_list("pk", flat=True)
    ended = [_expire_quietly(match_id) for match_id in list(late[:200])]
    due = Match.objects.filter(house_due__lt=moment - RESEND_AFTER)
    lost = list(due.values_list("pk", "number")[:200])
    for match_id, number in lost:
        Match.objects.filter(pk=match_id, number=number).update(house_due=moment)
        after_commit(enqueue_house_turn, match_id, number)
    return len(ended) + len(lost)


def shift_clocks(*, last_alive: datetime, gap: timedelta) -> int:
    """Give ``gap`` back to every running clock that ran since ``last_alive``: one statement.

    A match without a clock is not told of it: only its limit of a day moves. Joins the transaction
    of whoever found the outage. Returns how many matches it touched.
    """
    told_ms = Case(When(clock=Clock.NONE, then=0), default=int(gap / timedelta(milliseconds=1)))
    running = Match.objects.filter(status__in=[Status.STARTING, Status.PLAYING])
    return running.filter(deadline__isnull=False, deadline__gt=last_alive - clock.GRACE).update(
        deadline=F("deadline") + gap,
        turn_began=F("turn_began") + gap,
        given_back_ms=Least(F("given_back_ms") + told_ms, MOST_MS),
        version=F("version") + 1,
    )


def _expire_quietly(match_id: str) -> None:
    """One match that cannot be ended must not keep the others from it."""
    try:
        expire_turn(match_id=match_id)
    except Exception:
        log.exception("could not expire %s", match_id)


def _reason(kind: Kind, players: Sequence[Player]) -> str:
    """Why a match of these two moves no rating, as far as playing knows."""
    if any(player.is_guest for player in players):
        return Unrated.GUEST
    return Unrated.CHALLENGE if kind == Kind.CHALLENGE else ""


def _is_late(at: Step, arrived: datetime) -> bool:
    return at.match.deadline is not None and arrived > at.match.deadline + clock.GRACE


def _time_out(at: Step) -> None:
    if at.match.status == Status.STARTING:
        at.end(How.ABORT, None)
    else:
        at.end(How.TIME, 1 - at.match.turn, by=at.match.turn)


def _is_repeat(match: Match, seat: Seat, number: int, card: str, taken: Capture) -> bool:
    """Is this very play there already, made by this seat?"""
    row = Play.objects.filter(match=match, number=number, seat=seat.seat, card=card).first()
    return row is not None and (taken is None or parse_cards(row.captured) == taken)


def _read(at: Step, seat: Seat, card: Card, taken: Capture) -> EnginePlay:
    """The play that is meant: with one way to take, the way need not be named."""
    if taken is None and at.match.turn == seat.seat:
        ways = choices(at.deal.floor, card)
        if len(ways) > 1 and card in at.deal.hands[seat.seat]:
            raise ChoiceNeeded(at.match.number, str(card))
        taken = ways[0]
    return EnginePlay(card, taken or ())
