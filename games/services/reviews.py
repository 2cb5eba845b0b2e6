"""Reviews: what each play of somebody in a match that is over gave up against ``master``'s choice,
which sees only what they saw.

``ask`` writes a row, a task goes through the plays and keeps what it has found as it goes, and the
row stays. Work that is lost with its process is found by the task of each minute, and goes on where
it was.
"""

import logging
from datetime import timedelta

from celery import current_app
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from games.ai.greedy import worth
from games.ai.kinds import kind_of, packed
from games.ai.search import Valued
from games.engine import Play
from games.models import Match, Player, Review, ReviewState, clock
from games.selectors.reviews import Looked, OwnTurn, review_of, reviewable, turns_of
from games.services import thinking
from games.services.after import after_commit
from games.services.errors import Refused

log = logging.getLogger(__name__)

MAKE = "games.tasks.make_review"
ITERATIONS, LEAST = 4_000, 200  # of the search for a play, and for each other one
PATIENCE = 10.0  # seconds for one thought
SLIGHT = 0.5  # points: the search is no finer
AT_ONCE = 2  # reviews that are being made
COMING = 3  # of one person
LOST_AFTER = timedelta(minutes=1)  # without a sign of life
_SAVED_EVERY = 6  # plays
_RESENT = 20


def ask(*, match_id: str, player: Player) -> Review:
    """Ask for the review of ``player``'s plays: the one that there is, or a new one.

    Safe to repeat. Raises ``Match.DoesNotExist`` for a match that is not theirs or not over, and
    ``Refused`` where there is nothing to review, or much is being reviewed already.
    """
    seat = reviewable(match_id, player)
    if not seat.match.plays.filter(seat=seat.seat).exists():
        raise Refused(_("You made no play in this match: there is nothing to review."))
    now = clock.now()
    if review_of(seat) is None and _coming_for(player).count() >= COMING:
        raise Refused(_("Other reviews of yours are being made: ask again in a minute."))
    review = prepare(seat.match, seat.seat)
    Review.objects.filter(pk=review.pk, asked_at=None).update(asked_at=now)
    failed = Review.objects.filter(pk=review.pk, state=ReviewState.FAILED)
    failed.update(state=ReviewState.WAITING, beat_at=now)
    review.refresh_from_db()
    if review.state == ReviewState.WAITING:
        after_commit(_enqueue, review.pk)
    return review


def prepare(match: Match, seat: int) -> Review:
    """The row of a seat's review, made if it is missing; nobody has asked for it by that."""
    total = match.plays.filter(seat=seat).count()
    new = {"total": total, "beat_at": clock.now()}
    return Review.objects.get_or_create(match=match, seat=seat, defaults=new)[0]


def make(review_id: int) -> bool:
    """Make a review, or the rest of it. False if somebody else does, or enough are being made: then
    it waits for one of those to end."""
    if _of(ReviewState.RUNNING).count() >= AT_ONCE:
        return False
    waiting = _of(ReviewState.WAITING).filter(pk=review_id)
    if not waiting.update(state=ReviewState.RUNNING, beat_at=clock.now()):
        return False
    review = Review.objects.select_related("match").get(pk=review_id)
    try:
        _go_through(review)
    except thinking.NoAnswer as error:
        log.warning("no review of %s: %s", review.match_id, error)
        _running(review).update(state=ReviewState.FAILED)
    except Exception:
        _running(review).update(state=ReviewState.FAILED)
        raise
    finally:
        for key in _waiting()[:1]:
            _enqueue(key)
    return True


def resume() -> int:
    """Begin again what was lost, each minute. Returns how many wait."""
    now = clock.now()
    lost = _of(ReviewState.RUNNING).filter(beat_at__lt=now - LOST_AFTER)
    lost.update(state=ReviewState.WAITING, beat_at=now)
    found = list(_waiting()[:_RESENT])
    for review_id in found:
        _enqueue(review_id)
    return len(found)


def look_at(match_id: str, turn: OwnTurn) -> Looked:
    """What one play gave up. Raises ``NoAnswer``."""
    seed = thinking.seed_of(match_id, turn.number)
    try:
        thought = thinking.think(turn.seen, seed, ITERATIONS, LEAST, PATIENCE)
    except thinking.NoAnswer:  # a child that died is started again
        thought = thinking.think(turn.seen, seed, ITERATIONS, LEAST, PATIENCE)
    mine = next(v for v in thought.plays if _but_for_suits(v.play) == _but_for_suits(turn.play))
    best, values = thought.plays[0], [valued.value for valued in thought.plays]
    less = best.value - mine.value
    basra, capture, cards = _missed(turn, mine, thought.plays)
    return Looked(
        deal=turn.deal,
        place=turn.place,
        play=turn.play,
        best=best.play,
        less=round(less, 1) if less >= SLIGHT else 0.0,
        between=round(max(values) - min(values), 1),
        score=round(turn.lead + best.value, 1),
        basra=basra,
        capture=capture,
        cards=cards,
        options=len(values),
    )


def _go_through(review: Review) -> None:
    """Look at the plays that were not looked at yet; stop where somebody else has taken over."""
    turns = list(turns_of(review.match, review.seat))
    for turn in turns[review.done :]:
        review.plays.append(look_at(review.match_id, turn).kept())
        if review.done % _SAVED_EVERY == 0 and not _keep(review, ReviewState.RUNNING):
            return
    _keep(review, ReviewState.READY)


def _keep(review: Review, state: ReviewState) -> int:
    return _running(review).update(plays=review.plays, state=state, beat_at=clock.now())


def _missed(
    turn: OwnTurn, mine: Valued, plays: tuple[Valued, ...]
) -> tuple[Play | None, Play | None, int]:
    """Among the better plays one that makes a basra which this does not, and the one that wins
    most cards more, with how many."""
    points, cards = worth(turn.seen.floor, turn.play)
    basra, capture, more = None, None, 0
    for valued in plays:
        if valued.value - mine.value < SLIGHT:
            continue
        made, won = worth(turn.seen.floor, valued.play)
        if made > points and basra is None:
            basra = valued.play
        if won - cards > more:
            capture, more = valued.play, won - cards
    return basra, capture, more


def _but_for_suits(play: Play) -> tuple[int, int]:
    return kind_of(play.card), packed(play.capture)


def _coming_for(player: Player) -> QuerySet[Review]:
    coming = Review.objects.filter(
        state__in=[ReviewState.WAITING, ReviewState.RUNNING], asked_at__isnull=False
    )
    return coming.filter(match__seats__player=player, match__seats__seat=F("seat"))


def _waiting() -> QuerySet[Review, int]:
    """Those that somebody waits for first."""
    rows = _of(ReviewState.WAITING).order_by(F("asked_at").asc(nulls_last=True), "pk")
    return rows.values_list("pk", flat=True)


def _of(state: ReviewState) -> QuerySet[Review]:
    return Review.objects.filter(state=state)


def _running(review: Review) -> QuerySet[Review]:
    return _of(ReviewState.RUNNING).filter(pk=review.pk)


def _enqueue(review_id: int) -> None:
    current_app.send_task(MAKE, args=[review_id])
