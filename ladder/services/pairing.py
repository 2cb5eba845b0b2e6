"""The queue for ranked play: the only place that writes ``QueueEntry``, ``Pairing`` and ``Found``.

Whoever enters is paired at once if somebody acceptable waits; who became acceptable to each other
by waiting is paired by the task of each second. Who plays something else meanwhile is asked first,
and the other waits for the answer. One transaction at a time looks at the queue
(``_hold``), in however many processes: two who enter together cannot miss each other, and nobody
can be paired twice. The queue stays short, since no two in it are acceptable to each other.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Kind, Match, Outage, Player, Seat, Status, Topic, Unrated, clock
from games.selectors import people
from games.selectors.matches import LIVE, match_to_go_to
from games.selectors.presence import at_other_tables
from games.services import notifications, play, publish, turns
from games.services.after import after_commit
from games.services.errors import Refused
from games.services.locks import NotInTransaction, lock
from ladder import elo
from ladder.models import Failed, Found, Missed, Pairing, Pool, QueueEntry, Rating
from ladder.models.queue import FOUND_FOR, GONE_AFTER
from ladder.selectors import pauses, sanctions
from ladder.services.sitting import may_ever_sit, may_sit

log = logging.getLogger(__name__)

TARGET = 101  # points, the target of every ranked match
SAME_PAIR = 3  # matches of the same two that may begin …
SAME_PAIR_WITHIN = timedelta(hours=24)  # … in this time; aborted ones don't count
FOUND = "found"  # the tag of what is told of an opponent found
_ADVISORY_KEY = 0x6261737261  # "basra": the queue's lock on PostgreSQL


def enter_queue(player: Player) -> Match | None:
    """Wait for a ranked match: the match to go to, or None while waiting.

    A live ranked match is returned instead of a second one; entering twice keeps the place.
    Raises ``Refused`` with the reason for who may not play ranked.
    """
    verdict = may_sit(player, Kind.RANKED)
    if not verdict.allowed:
        raise Refused(verdict.reason)
    with transaction.atomic():
        _hold()
        now = clock.now()
        return match_to_go_to(player) or _wait_or_pair(player, since=now, seen=now)


def enter_again(
    player: Player,
    since: datetime,
    *,
    seen: datetime | None = None,
    failed_by: Player | None = None,
    failed_how: str = "",
) -> Match | None:
    """Put ``player`` back, waiting since then, when a match fell through by the other's fault.

    ``seen`` is the last sign of life. Joins the running transaction. Who may no longer play, or
    plays already, is left out.
    """
    _hold()
    if not may_sit(player, Kind.RANKED).allowed or match_to_go_to(player):
        return None
    why = {"failed_by": failed_by, "failed_how": failed_how}
    return _wait_or_pair(player, since=since, seen=seen or clock.now(), **why)


def unrated(players: Sequence[Player]) -> str:
    """Why a ranked match of these two, begun now, would move no rating; "" if it would."""
    ids = [player.pk for player in players]
    met = _meetings(ids, clock.now())[frozenset(ids)]
    return Unrated.SAME_PAIR if met >= SAME_PAIR else ""


def start_ranked(players: Sequence[Player]) -> Match:
    """Begin a ranked match that these two have agreed on; they leave the queue for it.

    Raises ``Refused`` for who may not play ranked, or plays a ranked match already.
    """
    with transaction.atomic():
        _hold()
        if any(match_to_go_to(player) for player in players):
            raise Refused(_("One of you plays a ranked match already."))
        clear([player.pk for player in players])
        reason = unrated(players)
        return play.start(kind=Kind.RANKED, players=players, target=TARGET, unrated=reason)


def leave_queue(player: Player) -> bool:
    """Stop waiting, also where an opponent has been found. False for who was not waiting."""
    with transaction.atomic():
        _hold()
        Missed.objects.filter(player=player).delete()
        _tell(player.pk)
        return clear([player.pk])


def clear(players: Sequence[int]) -> bool:
    """Take these players, by id, out of the queue; False if none of them was in it.

    For whom one of them had been found keeps the place. Joins the running transaction.
    """
    for found in _found(players):
        for entry, _ready in found.sides:
            notifications.take_back(FOUND, entry.player_id)
            if entry.player_id not in players:
                entry.failed_by = found.other(entry.player_id).player
                entry.failed_how = Failed.PASSED
                entry.save(update_fields=["failed_by", "failed_how"])
                _tell(entry.player_id)
    return bool(QueueEntry.objects.filter(player__in=players).delete()[0])


def accept_found(player: Player) -> Match | None:
    """``player`` wants to play whom the queue has found: their match if both do, or None while the
    other one is asked, or waits on alone.

    Raises ``Refused`` where there is nobody to play any more, or ``player`` may not.
    """
    with transaction.atomic():
        _hold()
        found = _found([player.pk]).first()
        if found is None:
            match, refusal = match_to_go_to(player), _("That opponent does not wait any more.")
        else:
            match, refusal = _accept(found, player)
    if match is None and refusal:
        raise Refused(refusal)
    return match


def still_here(player: Player) -> None:
    """The page of somebody who waits has asked: without that the place is lost in a while."""
    QueueEntry.objects.filter(player=player).update(seen_at=clock.now())


def pair() -> int:
    """Pair who waits and has become acceptable, nearest first; returns how many matches began.

    Who was asked and did not answer leaves first. A pair that cannot be started must not keep the
    others from it.
    """
    if not QueueEntry.objects.exists():
        return 0
    begun = 0
    with transaction.atomic():
        _hold()
        now = clock.now()
        _end_unanswered(now)
        for one, two in _nearest_first(_waiting(now), now):
            try:
                with transaction.atomic():
                    begun += _meet(one, two) is not None
            except Exception:
                log.exception("could not pair %s and %s", one.player_id, two.player_id)
    return begun


def _hold() -> None:
    """Until the transaction ends, nobody else looks at the queue.

    On SQLite every transaction is alone already; row locks would not do on PostgreSQL, where two
    people entering at once cannot see each other's uncommitted rows.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ADVISORY_KEY])


def _wait_or_pair(
    player: Player, *, since: datetime, seen: datetime, **why: object
) -> Match | None:
    """Queue ``player``, or keep the place there; the match if one begins at once."""
    entry, new = QueueEntry.objects.get_or_create(
        player=player,
        defaults={"rating": _rating(player), "entered_at": since, "seen_at": seen, **why},
    )
    if new:
        Missed.objects.filter(player=player).delete()
        _tell(player.pk)
    else:
        entry.seen_at = max(entry.seen_at, seen)
        entry.save(update_fields=["seen_at"])
    now = clock.now()
    pairs = _nearest_first(_waiting(now), now)
    return next((_meet(*two) for two in pairs if entry in two), None)


def _meet(one: QueueEntry, two: QueueEntry) -> Match | None:
    """Begin the match of the two; or, where one of them is at another table, ask that one first."""
    busy = at_other_tables([one.player_id, two.player_id])
    if not busy:
        return _start(one, two)
    found = Found.objects.create(
        one=one,
        two=two,
        one_ready=one.player_id not in busy,
        two_ready=two.player_id not in busy,
        until=clock.now() + FOUND_FOR,
    )
    for entry, ready in found.sides:
        _tell(entry.player_id)
        if not ready:
            notifications.notify(
                entry.player_id,
                Topic.PAIRING,
                tag=FOUND,
                answer=FOUND,
                text=found.other(entry.player_id).player.shown_name,
                address=reverse("ladder:lobby"),
            )
    return None


def _accept(found: Found, player: Player) -> tuple[Match | None, str]:
    """The match, if it can begin now; and why ``player`` has to leave, if so."""
    for entry, _ready in found.sides:
        verdict = may_sit(entry.player, Kind.RANKED)
        if not verdict.allowed or match_to_go_to(entry.player):
            clear([entry.player_id])
            return None, verdict.reason if entry.player_id == player.pk else ""
    if people.blocked_either_way(found.one.player, found.two.player):
        found.delete()
        return None, ""
    if found.is_ready(found.other(player.pk).player_id):
        return _start(found.one, found.two), ""
    found.one_ready |= found.one.player_id == player.pk
    found.two_ready |= found.two.player_id == player.pk
    found.save(update_fields=["one_ready", "two_ready"])
    notifications.take_back(FOUND, player)
    for entry, _ready in found.sides:
        _tell(entry.player_id)
    return None, ""


def _end_unanswered(now: datetime) -> None:
    """Whoever was asked and has not answered in time leaves the queue, and is told why.

    What an outage took of the time to answer is given back.
    """
    past = list(_found().filter(until__lte=now))
    if not past:
        return
    outage = Outage.objects.filter(ended_at__gt=now - FOUND_FOR).order_by("-ended_at").first()
    if outage is not None:
        Found.objects.filter(until__lte=now).update(until=outage.ended_at + FOUND_FOR)
        return
    for found in past:
        slow = [entry.player_id for entry, ready in found.sides if not ready]
        clear(slow)
        for player_id in slow:
            Missed.objects.update_or_create(player_id=player_id, defaults={"at": now})
            _tell(player_id)


def _found(players: Sequence[int] | None = None) -> QuerySet[Found]:
    """Who has been found for each other; of these players, by id, or of all."""
    rows = Found.objects.select_related("one__player", "two__player").order_by("pk")
    if players is None:
        return rows
    return rows.filter(Q(one__player__in=players) | Q(two__player__in=players))


def _tell(player_id: int) -> None:
    """After the commit: the open pages of who waits ask how it stands."""
    after_commit(publish.news, player_id, "queue")


def _start(one: QueueEntry, two: QueueEntry) -> Match:
    """Begin the match of the two, who leave the queue and are called to the table."""
    clear([one.player_id, two.player_id])
    match = play.start(kind=Kind.RANKED, players=[one.player, two.player], target=TARGET)
    Pairing.objects.create(match=match, since_0=one.entered_at, since_1=two.entered_at)
    for called in (one, two):
        after_commit(publish.call_to_table, called.player_id, match.id)
    turns.tell_of_pairing(match, [one.player_id, two.player_id])
    return match


def _rating(player: Player) -> int:
    row = Rating.objects.filter(player=player, pool=Pool.RANKED).first()
    return row.rating if row else elo.START


def _waiting(now: datetime) -> list[QueueEntry]:
    """Who can be paired at ``now``: not for whom somebody has been found already. Who is gone, or
    may not play any more, leaves the queue.

    Soon after an outage nobody is gone: while nothing answered, no page could show a sign of life.
    """
    playing = Seat.objects.filter(
        player=OuterRef("player"), match__kind=Kind.RANKED, match__status__in=LIVE
    )
    asked = Found.objects.filter(Q(one=OuterRef("pk")) | Q(two=OuterRef("pk")))
    rows = QueueEntry.objects.filter(~Exists(playing)).annotate(is_asked=Exists(asked))
    entries = list(lock(rows.select_related("player")))
    paused = pauses.paused([entry.player_id for entry in entries], now) if entries else set()
    paused |= sanctions.kept_from_ranked([entry.player for entry in entries])
    barred = [
        entry
        for entry in entries
        if entry.player_id in paused or not may_ever_sit(entry.player, Kind.RANKED).allowed
    ]
    gone = [entry for entry in entries if entry.is_gone(now)]
    leaving = barred if gone and _soon_after_an_outage(now) else barred + gone
    if leaving:
        clear([entry.player_id for entry in leaving])
    left = {entry.player_id for entry in barred + gone}
    return [entry for entry in entries if entry.player_id not in left and not entry.is_asked]


def _soon_after_an_outage(now: datetime) -> bool:
    return Outage.objects.filter(ended_at__gt=now - GONE_AFTER).exists()


def _nearest_first(waiting: list[QueueEntry], now: datetime) -> list[tuple[QueueEntry, QueueEntry]]:
    """The pairs to make at ``now``: of all that are acceptable always the nearest rated; among
    equally near ones who has waited longest. The first of a pair has waited longer. Nobody is
    paired with whom a block keeps apart.
    """
    in_turn = sorted(waiting, key=lambda entry: (entry.entered_at, entry.pk))
    fit = [
        (abs(one.rating - two.rating), place, (one, two))
        for place, (one, two) in enumerate(combinations(in_turn, 2))
        if _near_enough(one, two, now)
    ]
    waiting_ids = [entry.player_id for entry in waiting]
    met = _meetings(waiting_ids, now) if fit else Counter()
    apart = people.kept_apart(waiting_ids) if fit else set()
    pairs: list[tuple[QueueEntry, QueueEntry]] = []
    taken: set[int] = set()
    for _distance, _place, (one, two) in sorted(fit, key=lambda found: found[:2]):
        ids = frozenset((one.player_id, two.player_id))
        if not taken & ids and met[ids] < SAME_PAIR and ids not in apart:
            taken |= ids
            pairs.append((one, two))
    return pairs


def _near_enough(one: QueueEntry, two: QueueEntry, now: datetime) -> bool:
    """Is each within the other's width? So nobody meets a distance not yet waited for."""
    distance = abs(one.rating - two.rating)
    widths = (one.width(now), two.width(now))
    return all(width is None or distance <= width for width in widths)


def _meetings(players: list[int], now: datetime) -> Counter[frozenset[int]]:
    """How many ranked matches any two of these, by id, began of late and did not see aborted."""
    seats = Seat.objects.filter(
        player__in=players,
        match__kind=Kind.RANKED,
        match__status__in=[*LIVE, Status.FINISHED],
        match__created_at__gt=now - SAME_PAIR_WITHIN,
    )
    of_match: dict[str, list[int]] = {}
    for match_id, player_id in seats.values_list("match", "player"):
        of_match.setdefault(match_id, []).append(player_id)
    return Counter(frozenset(two) for two in of_match.values() if len(two) == 2)
