"""The one step by which a match changes. Private to ``play``: everything else uses its doors.

Open a transaction, lock the match, check, ask the engine, write; end the match if it is over, by
the one exit; and only after the commit tell viewers and enqueue what is due.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.db import transaction

from games import ports
from games.engine import Deal, Play, Tally, breakdown, fair
from games.models import (
    Clock,
    How,
    Match,
    MatchDeal,
    Player,
    Seat,
    Status,
    Uncounted,
    Unrated,
    clock,
)
from games.models import Play as PlayRow
from games.models.sealing import Sealed, unseal
from games.services import publish, turns
from games.services.after import after_commit
from games.services.errors import NotSeated
from games.services.locks import lock

HOUSE_TURN = "games.tasks.house_turn"
RESEND_AFTER = timedelta(seconds=3)
_UNRATED_ENDINGS = {How.ABORT: Unrated.ABORTED, How.SANCTION: Unrated.SANCTION}


@dataclass(slots=True)
class Step:
    """A locked match while it changes; ``now`` is when the step began."""

    match: Match
    seats: list[Seat]
    now: datetime
    sealed: Sealed | None
    changed: bool = False

    @property
    def deal(self) -> Deal:
        """The running deal."""
        if self.sealed is None or self.sealed.deal is None:
            raise RuntimeError("no deal is running")
        return self.sealed.deal

    def seat_of(self, player: Player) -> Seat:
        """The seat that ``player`` holds. Raises ``NotSeated``."""
        for seat in self.seats:
            if seat.player_id == player.pk:
                return seat
        raise NotSeated

    def next_deal(self) -> None:
        """Draw the next pack and deal it (rules, Fair shuffle 4–6)."""
        match, seed = self.match, self.sealed.server_seed
        seeds = [seat.client_seed for seat in self.seats]
        if match.first_dealer is None:
            match.first_dealer = fair.first_dealer(seed, match.id, seeds)
        match.deal += 1
        dealer = (match.first_dealer + match.deal - 1) % 2
        deal = Deal.start(fair.pack(seed, match.id, seeds, match.deal), dealer)
        MatchDeal.objects.create(match=match, index=match.deal, dealer=dealer)
        match.status = Status.PLAYING
        self.sealed = replace(self.sealed, deal=deal)
        self._begin_turn()

    def make(self, seat: Seat, play: Play, arrived: datetime) -> None:
        """Write a play of ``seat`` that arrived at ``arrived``, and what follows by itself."""
        match, before = self.match, self.deal
        after = before.play(play, seat.seat)
        spent = clock.spent_ms(match, seat, arrived, not before.history)
        seat.bank_ms = max(0, seat.bank_ms - spent)
        if spent:
            seat.save(update_fields=["bank_ms"])
        PlayRow.objects.create(
            match=match,
            number=match.number,
            deal=match.deal,
            seat=seat.seat,
            card=str(play.card),
            captured=",".join(str(card) for card in sorted(play.capture)),
            kind=after.history[-1].basra.value,
            made_at=self.now,
            took_ms=clock.elapsed_ms(match, arrived),
            spent_ms=spent,
        )
        match.number += 1
        self.sealed = replace(self.sealed, deal=after)
        if after.over:
            self._count(after)
        else:
            self._begin_turn()

    def end(self, how: How, winner: int | None, by: int | None = None) -> None:
        """The one exit: how, who, when, and ``by`` which seat; pack and seed are published."""
        match = self.match
        match.status = Status.ABORTED if how == How.ABORT else Status.FINISHED
        match.how, match.winner, match.finished_at = how, winner, self.now
        match.ended_by = by
        match.unrated = _UNRATED_ENDINGS.get(how, match.unrated)
        match.turn = match.turn_began = match.deadline = match.house_due = None
        if self.sealed.deal is not None and not self.sealed.deal.over:
            self._publish_pack(self.sealed.deal)
        match.server_seed = self.sealed.server_seed.hex()
        self.sealed = None
        Seat.objects.filter(match=match).update(finished_at=self.now)
        Uncounted.objects.create(match=match)
        self.changed = True

    def save(self) -> None:
        """Write the match as it is now."""
        self.match.sealed = self.sealed.seal() if self.sealed else ""
        self.match.save()

    def _count(self, deal: Deal) -> None:
        """Count a deal that is over; end the match or deal again (rules, The count, The match)."""
        match = self.match
        lines = breakdown(deal)
        tally = {
            name: [getattr(line, name) for line in lines]
            for name in ("cards", "basras", "jack_basras")
        }
        tally |= {"swept": len(deal.swept), "last_capture": deal.last_capture}
        row = self._publish_pack(deal, tally)
        match.points_0 += row.points_0
        match.points_1 += row.points_1
        score = Tally(match.target, match.first_dealer).add(match.totals)
        if score.winner is None:
            self.next_deal()
        else:
            self.end(How.POINTS, score.winner)

    def _publish_pack(self, deal: Deal, tally: dict[str, object] | None = None) -> MatchDeal:
        row = MatchDeal.objects.get(match=self.match, index=self.match.deal)
        row.pack = " ".join(str(card) for card in deal.pack)
        if tally is not None:
            row.points_0, row.points_1 = (line.points for line in breakdown(deal))
            row.tally = tally
        row.save()
        return row

    def _begin_turn(self) -> None:
        match, deal = self.match, self.deal
        match.turn, match.turn_began = deal.turn, self.now
        seat = self.seats[deal.turn]
        match.deadline = clock.deadline(match, seat, not deal.history)
        match.house_due = self.now + house_pause() if seat.player.is_house else None
        self.changed = True


def house_pause() -> timedelta:
    """The pause before a house player's turn, drawn without a look at any card."""
    return timedelta(seconds=random.uniform(settings.HOUSE_PAUSE[0], settings.HOUSE_PAUSE[-1]))


@contextmanager
def step(match_id: str) -> Iterator[Step]:
    """Change a match: yields the locked ``Step``; what was written stands when it is left.

    Raises ``Match.DoesNotExist``. If the body raises, nothing was changed and nobody is told.
    """
    with transaction.atomic():
        match = lock(Match.objects.filter(pk=match_id)).get()
        seats = list(lock(Seat.objects.filter(match=match).select_related("player")))
        sealed = unseal(match.sealed) if match.sealed else None
        at = Step(match, seats, clock.now(), sealed)
        yield at
        if at.changed:
            match.version += 1
            at.save()
            if match.is_over and (reason := ports.on_finished(match)):
                match.unrated = match.unrated or reason
                match.save(update_fields=["unrated"])
            tell(match)


def tell(match: Match) -> None:
    """After the commit: poke the viewers, enqueue a house player's turn, and call whom a clock
    runs against while the table is not open."""
    after_commit(publish.poke, match.id, match.version)
    if match.clock != Clock.NONE:
        after_commit(turns.tell_of_turn, match)
    if match.house_due is not None:
        wait = max(0.0, (match.house_due - clock.now()).total_seconds())
        after_commit(enqueue_house_turn, match.id, match.number, wait)


def enqueue_house_turn(match_id: str, number: int, wait: float = 0) -> None:
    """Send the task of a house player's turn, ``wait`` seconds from now (10 at most)."""
    current_app.send_task(
        "games.tasks.house_turn", [match_id, number], countdown=min(wait, 10) or None
    )
