"""Challenges and rematches: offered, answered, and the one match that comes of each.

Whoever offers or accepts holds the rows of both players, then that of the challenge, and begins the
match only then. So two who press at once, two tabs, and two who take the same link come one after
the other, in however many processes, and the second finds what the first has done.
"""

import secrets
import string
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import ports
from games.models import (
    Answer,
    Challenge,
    Clock,
    Follow,
    Kind,
    Match,
    Player,
    Topic,
    Welcome,
    clock,
)
from games.selectors import challenges as selector
from games.selectors.access import may_look
from games.selectors.matches import plays_in_earnest
from games.selectors.people import blocked_either_way
from games.selectors.presence import is_online
from games.services import play, presence, publish
from games.services.after import after_commit
from games.services.errors import NotSeated, Refused
from games.services.locks import lock
from games.services.notifications import notify, take_back

TARGETS = (51, 101, 151)  # points
CLOCKS = (Clock.FAST, Clock.STANDARD, Clock.RELAXED)
STANDS = timedelta(minutes=10)
LINK_STANDS = timedelta(hours=24)
AGAIN_STANDS = timedelta(minutes=2)
PRESSED_TWICE = timedelta(seconds=10)  # later, a second link is meant for somebody else
MOST_OPEN = 5  # to people, and as many links
_ID_LETTERS = string.ascii_letters + string.digits
_SWEPT_AT_ONCE = 200


class Changed(Refused):
    """What was said of the match's rating before no longer holds: it has to be said anew."""

    def __init__(self) -> None:
        super().__init__(_("Whether it is rated has changed. Look again, and press once more."))


def offer(*, challenger: Player, opponent: Player, target: int, clock_preset: Clock) -> Challenge:
    """Challenge ``opponent`` to an unrated match of those terms, for ten minutes.

    The same again is the same challenge; with other terms it takes the place of the one before. If
    ``opponent`` has challenged to the same terms, that is accepted. Raises ``Refused``.
    """
    _check_terms(target, clock_preset)
    with transaction.atomic():
        held = _hold(challenger, opponent)
        me, other = held[challenger.pk], held[opponent.pk]
        _check_pair(me, other, Kind.CHALLENGE)
        theirs, mine = _open_offers(other, me), _open_offers(me, other)
        wanted = {"again": None, "target": target, "clock": clock_preset}
        if meant := theirs.filter(**wanted, expires_at__gt=clock.now()).first():
            _accept(meant, me)
            return meant
        if not _welcomes(other, me):
            raise Refused(_not_now())
        if same := mine.filter(**wanted, expires_at__gt=clock.now()).first():
            return same
        _replace(mine)
        _check_number(me, link=False)
        made = _make(me, other, STANDS, target=target, clock=clock_preset)
        notify(other, Topic.CHALLENGE, tag=_tag(me), by=me, challenge=made)
    return made


def offer_link(*, challenger: Player, target: int, clock_preset: Clock) -> Challenge:
    """Challenge whoever takes the link first, for a day.

    The same again within seconds is the same link, while it is open. Raises ``Refused``.
    """
    _check_terms(target, clock_preset)
    with transaction.atomic():
        me = _hold(challenger)[challenger.pk]
        _check_person(me, Kind.CHALLENGE)
        wanted = {"again": None, "target": target, "clock": clock_preset}
        just_made = _open_offers(me, None).filter(made_at__gt=clock.now() - PRESSED_TWICE)
        if same := just_made.filter(**wanted).first():
            return same
        _check_number(me, link=True)
        return _make(me, None, LINK_STANDS, target=target, clock=clock_preset)


def offer_again(*, match_id: str, player: Player, shown: str = "") -> Challenge:
    """Offer the other seat to play a match that is over once more, for two minutes; or accept, if
    that is what the other has offered. Once accepted it is one match, however often it is asked.

    ``shown`` is what ``player`` has been told: why the match would not be rated, or "". Raises
    ``Match.DoesNotExist`` where ``player`` may not look, ``Changed`` where ``shown`` does not hold
    any more, ``Refused``.
    """
    match, opponent = _over(match_id, player)
    with transaction.atomic():
        held = _hold(player, opponent)
        me, other = held[player.pk], held[opponent.pk]
        state = selector.again_of(match, me, other)
        if state is None:
            raise Refused(_("This match cannot be played once more."))
        if state.next or (state.waits and state.mine):
            return state.offer
        if state.waits:
            _accept(_locked(state.offer.pk), me, shown)
            return _locked(state.offer.pk)
        if not state.may_offer:
            raise Refused(_("The other player does not want to play again now."))
        _check_pair(me, other, match.kind)
        _check_free(me, other)
        _check_shown(match.kind, [me, other], shown)
        open_now = Q(again=match) | Q(challenger=me, opponent=other)
        _replace(lock(Challenge.objects.filter(open_now, answer=Answer.OPEN)))
        presence.show_online(me.pk)
        terms = {"kind": match.kind, "target": match.target, "clock": match.clock}
        made = _make(me, other, AGAIN_STANDS, again=match, **terms)
        notify(other, Topic.REMATCH, tag=_tag(me), by=me, match=match, challenge=made)
    return made


def accept(*, challenge_id: str, player: Player, shown: str = "") -> Match:
    """Take a challenge: the match. Whoever has taken it, and repeats it, gets the same one.

    ``shown`` as in ``offer_again``; it matters for a ranked rematch. Raises
    ``Challenge.DoesNotExist`` where ``player`` may not know of it, ``Changed``, ``Refused``.
    """
    found = selector.challenge_for(challenge_id, player).challenge
    with transaction.atomic():
        held = _hold(found.challenger, player)
        return _accept(_locked(challenge_id), held[player.pk], shown)


def decline(*, challenge_id: str, player: Player) -> Challenge:
    """Say no to a challenge; a repeat changes nothing. Raises as ``accept`` does."""
    selector.challenge_for(challenge_id, player)
    with transaction.atomic():
        challenge = _locked(challenge_id)
        if challenge.opponent_id != player.pk:
            raise Refused(_("A link is declined by leaving it alone."))
        if challenge.answer != Answer.DECLINED:
            _check_open(challenge)
            _close(challenge, Answer.DECLINED)
            notify(
                challenge.challenger_id,
                Topic.REMATCH if challenge.again_id else Topic.CHALLENGE,
                tag=f"answer:{challenge.pk}",
                by=player,
                match=challenge.again,
                challenge=challenge,
                answer=Answer.DECLINED.value,
            )
    return challenge


def cancel(*, challenge_id: str, player: Player) -> Challenge:
    """Take one's own challenge back; a repeat changes nothing. Raises as ``accept`` does."""
    selector.challenge_for(challenge_id, player)
    with transaction.atomic():
        challenge = _locked(challenge_id)
        if challenge.challenger_id != player.pk:
            raise Refused(_("Only who made a challenge can withdraw it."))
        if challenge.answer != Answer.CANCELLED:
            if challenge.answer == Answer.ACCEPTED:
                raise Refused(_("It has been accepted: the match has begun."))
            _check_open(challenge)
            _close(challenge, Answer.CANCELLED)
    return challenge


def cancel_between(one: Player, two: Player) -> None:
    """Call off what is open between the two, because ``one`` turns away from ``two``: what ``one``
    has offered is taken back, and what ``two`` has offered is declined.
    """
    with transaction.atomic():
        for challenge in lock(selector.open_between([one.pk, two.pk])):
            _turn_away(challenge, one)


def cancel_all(player: Player, kinds: Sequence[str] = Kind.values) -> None:
    """Call off all that is open with ``player`` for matches of these kinds."""
    with transaction.atomic():
        of_player = Q(challenger=player) | Q(opponent=player)
        offers = Challenge.objects.filter(of_player, answer=Answer.OPEN, kind__in=kinds)
        for challenge in lock(offers):
            _turn_away(challenge, player)


def expire() -> int:
    """Close what nobody answered in time. Returns how many."""
    late = Challenge.objects.filter(answer=Answer.OPEN, expires_at__lte=clock.now())
    closed = 0
    for challenge_id in list(late.values_list("pk", flat=True)[:_SWEPT_AT_ONCE]):
        with transaction.atomic():
            if challenge := lock(late.filter(pk=challenge_id)).first():
                _close(challenge, Answer.EXPIRED)
                closed += 1
    return closed


# ------------------------------------------------------------------ what is written


def _hold(*players: Player) -> dict[int, Player]:
    """The rows of these players, as they are now and as they stay until the transaction ends."""
    ids = [player.pk for player in players]
    return {row.pk: row for row in lock(Player.objects.filter(pk__in=ids), no_key=True)}


def _locked(challenge_id: str) -> Challenge:
    return lock(Challenge.objects.filter(pk=challenge_id)).get()


def _open_offers(one: Player, two: Player | None) -> QuerySet[Challenge]:
    """What ``one`` has offered ``two``, locked: one challenge at most; or the links of ``one``."""
    return lock(Challenge.objects.filter(challenger=one, opponent=two, answer=Answer.OPEN))


def _make(
    challenger: Player, opponent: Player | None, stands: timedelta, **terms: object
) -> Challenge:
    now = clock.now()
    challenge = Challenge.objects.create(
        id="".join(secrets.choice(_ID_LETTERS) for _place in range(16)),
        challenger=challenger,
        opponent=opponent,
        made_at=now,
        expires_at=now + stands,
        **terms,
    )
    _tell(challenge)
    return challenge


def _replace(offers: QuerySet[Challenge]) -> None:
    """A new offer takes the place of these open ones."""
    now = clock.now()
    for challenge in offers:
        late = selector.answer_of(challenge, now) == Answer.EXPIRED
        _close(challenge, Answer.EXPIRED if late else Answer.CANCELLED)


def _turn_away(challenge: Challenge, player: Player) -> None:
    mine = challenge.challenger_id == player.pk
    _close(challenge, Answer.CANCELLED if mine else Answer.DECLINED)


def _close(challenge: Challenge, answer: Answer, match: Match | None = None) -> None:
    challenge.answer, challenge.answered_at, challenge.match = answer, clock.now(), match
    challenge.save(update_fields=["answer", "answered_at", "match"])
    if challenge.opponent_id is not None and answer != Answer.EXPIRED:  # who missed it may know
        take_back(_tag(challenge.challenger_id), challenge.opponent_id)
    _tell(challenge)


def _accept(challenge: Challenge, taker: Player, shown: str = "") -> Match:
    """Begin the match of a locked challenge whose players are held, and call both to the table."""
    if challenge.answer == Answer.ACCEPTED and selector.has_taken(challenge, taker):
        return challenge.match
    challenger = challenge.challenger
    if taker.pk == challenger.pk:
        raise Refused(_("This challenge is your own: somebody else has to take it."))
    _check_open(challenge)
    _check_pair(taker, challenger, challenge.kind)
    _check_free(taker, challenger)
    players = [challenger, taker]
    _check_shown(challenge.kind, players, shown)
    if challenge.kind == Kind.RANKED:
        match = ports.start_ranked(players)
    else:
        match = play.start(
            kind=Kind(challenge.kind),
            players=players,
            target=challenge.target,
            clock_preset=Clock(challenge.clock),
        )
    _close(challenge, Answer.ACCEPTED, match)
    if not is_online(challenger.pk):
        notify(
            challenger,
            Topic.REMATCH if challenge.again_id else Topic.CHALLENGE,
            tag=f"answer:{challenge.pk}",
            by=taker,
            match=match,
            challenge=challenge,
            answer=Answer.ACCEPTED.value,
        )
    for player in players:
        call = partial(publish.call_to_table, player.pk, match.pk)
        after_commit(call)
    return match


def _tell(challenge: Challenge) -> None:
    """After the commit: both pages ask for it anew."""
    for player_id in filter(None, (challenge.challenger_id, challenge.opponent_id)):
        news = partial(publish.news, player_id, "challenges")
        after_commit(news)


def _tag(challenger: Player | int) -> str:
    """Of all that one player offers another, the news is the newest offer."""
    return f"challenge:{challenger.pk if isinstance(challenger, Player) else challenger}"


# ------------------------------------------------------------------ what is refused


def _not_now() -> str:
    """Says neither whether there is a block, nor whose, nor what the player has chosen."""
    return _("This player does not take challenges from you now.")


def _over(match_id: str, player: Player) -> tuple[Match, Player]:
    """A match of ``player`` that is over, and the other one of it."""
    match = Match.objects.get(pk=match_id)
    players = [seat.player for seat in match.seats.select_related("player")]
    if not may_look(match, [one.pk for one in players], player):
        raise Match.DoesNotExist
    if player not in players:
        raise NotSeated
    if not match.is_over:
        raise Refused(_("This match is not over yet."))
    return match, next(one for one in players if one != player)


def _check_terms(target: int, clock_preset: str) -> None:
    if target not in TARGETS or clock_preset not in CLOCKS:
        raise Refused(_("There is no such choice: take one of the list."))


def _check_pair(me: Player, other: Player, kind: str) -> None:
    """May these two play with each other at all?"""
    if me.pk == other.pk:
        raise Refused(_("This is yourself: challenge somebody else."))
    _check_person(me, kind)
    if other.is_house:
        raise Refused(_("House players take no challenges: practise with them instead."))
    barred = not other.is_person or blocked_either_way(me, other)
    if barred or not ports.may_sit(other, kind).allowed:
        raise Refused(_not_now())


def _check_person(me: Player, kind: str) -> None:
    if not me.is_person:
        raise Refused(_("Sign up first: challenges are between people with an account."))
    if not (verdict := ports.may_sit(me, kind)).allowed:
        raise Refused(verdict.reason)


def _welcomes(player: Player, challenger: Player) -> bool:
    """Does ``player`` want to be challenged by ``challenger``?"""
    if player.challengers == Welcome.FOLLOWED:
        return Follow.objects.filter(player=player, other=challenger).exists()
    return player.challengers == Welcome.EVERYBODY


def _check_number(player: Player, *, link: bool) -> None:
    rows = Challenge.objects.filter(challenger=player, answer=Answer.OPEN, again=None)
    if rows.filter(opponent__isnull=link, expires_at__gt=clock.now()).count() >= MOST_OPEN:
        raise Refused(
            ngettext(
                "%(most)s challenge of yours is open: withdraw it first.",
                "%(most)s challenges of yours are open: withdraw one first.",
                MOST_OPEN,
            )
            % {"most": MOST_OPEN}
        )


def _check_free(me: Player, other: Player) -> None:
    """A match whose clock runs must not be neglected for another one."""
    if plays_in_earnest(me):
        raise Refused(_("You are in a match now: finish that one first."))
    if plays_in_earnest(other):
        raise Refused(_("The other player is in a match now: try again when it is over."))


def _check_shown(kind: str, players: list[Player], shown: str) -> None:
    if kind == Kind.RANKED and ports.unrated(players) != shown:
        raise Changed


def _check_open(challenge: Challenge) -> None:
    """Raises ``Refused`` with what has become of it."""
    answer = selector.answer_of(challenge, clock.now())
    if answer == Answer.OPEN:
        return
    named = challenge.opponent_id is not None
    raise Refused(
        {
            Answer.ACCEPTED: _("It has been accepted already.")
            if named
            else _("Somebody else has taken this challenge."),
            Answer.DECLINED: _("It has been declined."),
            Answer.CANCELLED: _("It has been withdrawn."),
            Answer.EXPIRED: _("Its time is up."),
        }[answer]
    )
