"""Challenges as one viewer may see them, and what has become of the offer to play again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games import ports
from games.models import Answer, Challenge, Kind, Match, Player, Status, clock
from games.selectors.matches import LIVE
from games.selectors.presence import is_seen_away

FRESH = timedelta(minutes=10)  # so long after its end a match's page asks who wants to play again
LISTED = 20
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Shown:
    """A challenge as one viewer sees it.

    ``part`` is "challenger", "opponent" (to whom it was made, or who took the link), "other"
    (whoever else has the link), "guest" or "stranger". ``answer`` counts a time that is up,
    whether or not that has been written. ``away``: the one whom it was made to is not on the site.
    """

    challenge: Challenge
    part: str
    answer: Answer
    away: bool = False

    @property
    def is_open(self) -> bool:
        return self.answer == Answer.OPEN

    @property
    def plays(self) -> bool:
        """Is the viewer one of the two?"""
        return self.part in ("challenger", "opponent")

    @property
    def match(self) -> Match | None:
        """The match that came of it, for its players."""
        return self.challenge.match if self.plays else None

    @property
    def match_to_go_to(self) -> Match | None:
        """The same while it is being played."""
        return self.match if self.match and self.match.status in LIVE else None

    @property
    def key(self) -> str:
        """The same for what looks the same."""
        return ".".join([self.part, self.answer, *(["away"] if self.away else [])])


@dataclass(frozen=True, slots=True)
class Again:
    """The offer to play a match that is over once more, as one of its two players sees it.

    ``answer``: what became of the last offer, or "" where there was none; ``mine``: was it the
    viewer's own? ``reason``: why the next match would not be rated, or "". ``away``: the other one
    is not on the site. ``match`` is the one that is over, ``next`` the one that came of it.
    """

    match: Match
    other: Player
    answer: str = ""
    mine: bool = False
    offer: Challenge | None = None
    reason: str = ""
    away: bool = False
    next: Match | None = None
    fresh: bool = False

    @property
    def waits(self) -> bool:
        """Does an offer wait for its answer?"""
        return self.answer == Answer.OPEN

    @property
    def may_offer(self) -> bool:
        """May the viewer offer now? Not who has been declined, nor when it is done."""
        declined = self.answer == Answer.DECLINED and self.mine
        return not (self.waits or self.next or declined)

    @property
    def polls(self) -> bool:
        """Can something change that the page should show soon?"""
        return self.next is None and (self.waits or self.fresh)

    @property
    def next_to_go_to(self) -> Match | None:
        """The next match while it is being played."""
        return self.next if self.next and self.next.status in LIVE else None

    @property
    def key(self) -> str:
        """The same for what looks the same."""
        words = [self.answer or "none", self.reason.replace(" ", "-")]
        marks = {"mine": self.mine, "away": self.away, "polls": self.polls}
        return ".".join(words + [word for word, holds in marks.items() if holds])


@dataclass(frozen=True, slots=True)
class Open:
    """What is open with a player: challenges ``got`` and ``made``, the oldest first."""

    got: list[Challenge]
    made: list[Challenge]


def answer_of(challenge: Challenge, moment: datetime) -> Answer:
    """What has become of it; expired as soon as its time is up."""
    late = challenge.is_open and challenge.expires_at <= moment
    return Answer.EXPIRED if late else Answer(challenge.answer)


def challenge_for(challenge_id: str, viewer: Player | None) -> Shown:
    """A challenge as ``viewer`` (None: a stranger) sees it.

    Raises ``Challenge.DoesNotExist`` also where the viewer may not know of it: a link is for
    whoever has it, everything else for the two.
    """
    rows = Challenge.objects.select_related("challenger", "opponent", "match", "again")
    challenge = rows.get(pk=challenge_id)
    part = _part(challenge, viewer)
    if challenge.opponent_id is not None and part not in ("challenger", "opponent"):
        raise Challenge.DoesNotExist
    answer = answer_of(challenge, clock.now())
    named, waits = challenge.opponent, answer == Answer.OPEN
    away = bool(waits and named and part == "challenger" and is_seen_away(named))
    return Shown(challenge, part, answer, away)


def open_challenges(player: Player) -> Open:
    """What waits for an answer of ``player``, and what ``player`` waits for. 2 queries."""
    rows = Challenge.objects.filter(answer=Answer.OPEN, expires_at__gt=clock.now())
    rows = rows.select_related("challenger", "opponent", "again").order_by("made_at", "pk")
    return Open(
        got=list(rows.filter(opponent=player)[:LISTED]),
        made=list(rows.filter(challenger=player)[:LISTED]),
    )


def match_that_begins(player: Player) -> Match | None:
    """The match of a challenge that waits for the seed of ``player``."""
    rows = Match.objects.filter(status=Status.STARTING, challenge__isnull=False)
    return rows.filter(seats__player=player, seats__client_seed="").first()


def again_of(match: Match, me: Player, other: Player) -> Again | None:
    """The offer to play ``match``, which is over, once more; None where there can be none.

    3 queries. A ranked match that was not played is offered no second time: who was let down is
    waiting in the queue again.
    """
    played = match.status == Status.FINISHED or match.kind == Kind.CHALLENGE
    if match.kind == Kind.PRACTICE or not (played and me.is_person and other.is_person):
        return None
    offer = _last_offer(match)
    now = clock.now()
    following = offer.match if offer else None
    ranked = match.kind == Kind.RANKED and following is None
    return Again(
        match=match,
        other=other,
        answer=answer_of(offer, now) if offer else "",
        mine=offer is not None and offer.challenger_id == me.pk,
        offer=offer,
        reason=ports.unrated([me, other]) if ranked else "",
        away=following is None and is_seen_away(other),
        next=following,
        fresh=match.finished_at is not None and now - match.finished_at < FRESH,
    )


def again_for(match_id: str, viewer: Player | None) -> Again:
    """The offer to play a match once more, for one of its players.

    Raises ``Match.DoesNotExist`` for everybody else, and where there can be none.
    """
    match = Match.objects.get(pk=match_id)
    players = [seat.player for seat in match.seats.select_related("player")]
    if viewer not in players or not match.is_over:
        raise Match.DoesNotExist
    other = next(player for player in players if player != viewer)
    found = again_of(match, viewer, other)
    if found is None:
        raise Match.DoesNotExist
    return found


def next_to_watch(match: Match) -> Match | None:
    """The match in which the players of ``match`` met again, if everybody may look at it."""
    if match.kind != Kind.RANKED:
        return None
    offer = _last_offer(match)
    return offer.match if offer else None


def named(name: str) -> Player:
    """The person or house player called ``name``, however it is spelt.

    Raises ``Player.DoesNotExist``.
    """
    player = Player.objects.called(name[:LONGEST_NAME])
    if not (player.is_person or player.is_house):
        raise Player.DoesNotExist
    return player


def open_between(ids: Iterable[int]) -> QuerySet[Challenge]:
    """The open challenges of two players, by id, to each other."""
    two = list(ids)
    return Challenge.objects.filter(answer=Answer.OPEN, challenger__in=two, opponent__in=two)


def has_taken(challenge: Challenge, player: Player) -> bool:
    """Does ``player`` hold a seat in the match that came of it?"""
    if challenge.match_id is None:
        return False
    return challenge.match.seats.filter(player=player).exists()


def _part(challenge: Challenge, viewer: Player | None) -> str:
    if viewer is None:
        return "stranger"
    if viewer.pk == challenge.challenger_id:
        return "challenger"
    if viewer.pk == challenge.opponent_id or has_taken(challenge, viewer):
        return "opponent"
    return "other" if viewer.is_person else "guest"


def _last_offer(match: Match) -> Challenge | None:
    """The newest offer to play it again: once one is accepted, there comes no other."""
    offers: QuerySet[Challenge] = Challenge.objects.filter(again=match).select_related("match")
    return offers.order_by("-made_at", "-pk").first()
