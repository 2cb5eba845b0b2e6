"""Sanctions: imposed, acknowledged, undone, and where they bite; the only place that writes them.

Whoever imposes or undoes holds the row of the player first, so that two moderators at once, and a
challenge that is being accepted, come one after the other. What the player plays, offers and waits
for ends in the same transaction, in the order of the locks: challenges, matches, queue, ratings.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.models import Kind, Mask, Match, Player, Topic, clock
from games.selectors.matches import LIVE
from games.services import challenges, free_text, play, publish, renaming
from games.services.after import after_commit
from games.services.errors import Refused
from games.services.locks import lock
from games.services.notifications import notify, take_back
from ladder.models import (
    Act,
    GivenBack,
    Measure,
    Pool,
    Rating,
    Reason,
    Sanction,
    SanctionedAddress,
    act_of,
)
from ladder.selectors import sanctions as selector
from ladder.services import audit, pairing, restitution, roles
from ladder.services.rating import hold

GO_ON, LOST = "go on", "lost"  # what becomes of the running matches
LONGEST = 10 * 366  # days
MESSAGE_LONGEST = 1000  # characters
WHY_LONGEST = 500
TWICE_WITHIN = timedelta(minutes=1)  # the same warning again is a double click


def impose(
    by: Player,
    player: Player,
    measure: str,
    *,
    reason: str,
    message: str = "",
    days: float | None = None,
    running: str = GO_ON,
) -> Sanction:
    """Take a measure against ``player``, for ``days`` or without an end.

    ``message`` is what the player has to acknowledge; without one the ready text is sent. The
    running matches go on, or are ``LOST``. The same measure again by the same moderator is a
    success and changes nothing. Raises ``Refused`` for who may not, for what is no measure, and
    where somebody else has taken it already.
    """
    _check(measure, reason, days, running)
    told = clean(message, MESSAGE_LONGEST)
    with transaction.atomic():
        held = _hold(player)
        roles.require(by, act_of(measure), held)
        if not held.is_person:
            raise Refused(_("Sanctions are for people with an open account."))
        if done := _done(by, held, measure, reason):
            return done
        before = _measures(held)
        sanction = _write(by, held, Measure(measure), Reason(reason), told, days)
        audit.record(
            by,
            act_of(measure),
            player=held,
            why=sanction.message,
            before={"in_force": before},
            after={
                "sanction": sanction.pk,
                "reason": reason,
                "until": sanction.until and sanction.until.isoformat(),
                "running": running,
            },
        )
        _bite(held, sanction, running)
    if running == LOST:
        with transaction.atomic():  # one that the queue began in between
            _end_matches(held)
    _refresh(player)
    return sanction


def undo(sanction: Sanction, by: Player, why: str) -> Sanction:
    """Take ``sanction`` back, with all that can be: what was given back to others is reversed, to
    the point. Matches that have ended stay so. Undone twice is once. Raises ``Refused``.
    """
    with transaction.atomic():
        held = _hold(sanction.player)
        roles.require(by, Act.UNDO, held)
        roles.require(by, act_of(sanction.measure), held)
        undone = take_back_locked(sanction, held, by, why)
    _refresh(sanction.player)
    return undone


def take_back_locked(sanction: Sanction, held: Player, by: Player, why: str) -> Sanction:
    """``undo`` for who may, and holds the player's row already. Joins the transaction."""
    found = lock(Sanction.objects.filter(pk=sanction.pk)).get()
    if found.undone_at is not None:
        return found
    reason = clean(why, WHY_LONGEST)
    before = _measures(held)
    for row in [found, *lock(Sanction.objects.filter(follows=found, undone_at=None))]:
        row.undone_at, row.undone_by, row.undone_why = clock.now(), by, reason
        row.save(update_fields=["undone_at", "undone_by", "undone_why"])
        _let_go(row, held if row is found else _hold(row.player))
    audit.record(
        by,
        Act.UNDO,
        player=held,
        why=reason,
        before={"in_force": before},
        after={"in_force": _measures(held), "sanction": found.pk},
    )
    return found


def acknowledge(sanction: Sanction, player: Player) -> Sanction:
    """``player`` has read what the sanction says. Read twice is once.

    Raises ``Sanction.DoesNotExist`` for another player's.
    """
    with transaction.atomic():
        held = _hold(player)
        found = lock(Sanction.objects.filter(pk=sanction.pk, player=held)).get()
        if found.acknowledged_at is None:
            found.acknowledged_at = clock.now()
            found.save(update_fields=["acknowledged_at"])
            take_back(_tag(found), held)
            _settle(held)
    _refresh(player)
    return found


def on_renamed(player: Player) -> None:
    """Another name has been taken: nothing more is required. Runs inside that transaction, which
    has locked ``player``."""
    if player.is_held:
        now = clock.now()
        selector.that_hold([player.pk], [Measure.RENAME]).update(until=now)
        _settle(player)


def end_lapsed() -> int:
    """What has run out by itself lets go of the player and of the boards: each minute. Returns how
    many players that was."""
    stands = _that_bite().filter(player=OuterRef("pk"))
    bars = _that_bite().filter(player=OuterRef("player"), measure__in=selector.NO_BOARD)
    free = Player.objects.filter(~Exists(stands), is_held=True)
    barred = Rating.objects.filter(~Exists(bars.filter(_runs())), barred=True)
    ids = {*free.values_list("pk", flat=True), *barred.values_list("player", flat=True)}
    for player_id in sorted(ids):
        with transaction.atomic():
            _settle(lock(Player.objects.filter(pk=player_id), no_key=True).get())
    gone = SanctionedAddress.objects.filter(
        ~Exists(_that_bite().filter(_runs(), player=OuterRef("player")))
    )
    gone.delete()
    return len(ids)


def on_address(player: Player, email: str) -> None:
    """``player`` has confirmed an e-mail address: what stands against the closed account that had
    it before goes on against this one, and what stands against this one is known by it."""
    digest = _digest(email)
    marked = SanctionedAddress.objects.filter(digest=digest).exclude(player=player)
    with transaction.atomic():
        held = _hold(player)
        for row in _carried(list(marked.values_list("player", flat=True))):
            _carry_on(row, held)
        if held.is_held:
            SanctionedAddress.objects.get_or_create(player=held, digest=digest)
    _refresh(player)


def on_email_confirmed(email_address: EmailAddress, **_signal: Any) -> None:
    """An address has been confirmed: an address that is not might be anybody's."""
    on_address(email_address.user, email_address.email)


def clean(text: str, longest: int) -> str:
    """A typed text without what cannot be seen or turns what follows; lines are kept.

    Raises ``Refused`` for one that is too long.
    """
    lines = (free_text.visible(line) for line in text[: 4 * longest].splitlines())
    shown = "\n".join(lines).strip()
    if len(shown) > longest or len(text) > 4 * longest:
        raise Refused(_("That is too long: %(n)s characters can be kept.") % {"n": longest})
    return shown


# ------------------------------------------------------------------ what is written


def _hold(player: Player) -> Player:
    """The player's row as it is now and as it stays until the transaction ends."""
    return lock(Player.objects.filter(pk=player.pk), no_key=True).get()


def _refresh(player: Player) -> None:
    """The caller's row knows too."""
    player.refresh_from_db(fields=["is_held", "mask", "sessions_ended"])


def _write(
    by: Player | None,
    player: Player,
    measure: Measure,
    reason: Reason,
    message: str,
    days: float | None,
) -> Sanction:
    now = clock.now()
    ends = until(measure, now, days)
    sanction = Sanction.objects.create(
        player=player,
        measure=measure,
        reason=reason,
        message=message or selector.ready_text(player, measure, reason, ends),
        by=by,
        began_at=now,
        until=ends,
        name_key=player.name_key if measure == Measure.RENAME else "",
    )
    for email in EmailAddress.objects.filter(user=player, verified=True):
        SanctionedAddress.objects.get_or_create(player=player, digest=_digest(email.email))
    return sanction


def until(measure: Measure, now: datetime, days: float | None) -> datetime | None:
    """When a measure that is taken now ends; None if it has no end."""
    if measure == Measure.WARNING:
        return now
    if days is None or measure in selector.ENDLESS:
        return None
    return now + timedelta(days=days)


def _bite(player: Player, sanction: Sanction, running: str) -> None:
    """All that follows at once. The caller holds ``player``."""
    measure = Measure(sanction.measure)
    _settle_row(player)
    if measure in selector.NO_RANKED:
        shut_out = measure in selector.SHUT_OUT
        challenges.cancel_all(player, Kind.values if shut_out else [Kind.RANKED])
    if running == LOST:
        _end_matches(player)
    if measure in selector.NO_RANKED:
        pairing.leave_queue(player)
    if measure == Measure.CHEAT:
        _give_back(player, sanction)
    _settle_board(player)
    notify(
        player,
        Topic.WARNING,
        tag=_tag(sanction),
        answer="sanction",
        address=reverse("ladder:sanctions"),
    )
    if measure in selector.SHUT_OUT:
        player.sessions_ended += 1
        player.save(update_fields=["sessions_ended"])
        after_commit(publish.end_sessions, player.pk)
    else:
        news = partial(publish.news, player.pk, "talk", "queue", "challenges")
        after_commit(news)


def _let_go(sanction: Sanction, player: Player) -> None:
    """What an undo takes back."""
    take_back(_tag(sanction), player)
    if sanction.measure == Measure.CHEAT:
        _reverse(sanction)
    if sanction.measure == Measure.RENAME:
        renaming.allow_again(player, sanction.name_key)
    _settle(player)
    notify(
        player,
        Topic.NOTICE,
        tag=f"undone:{sanction.pk}",
        answer="undone",
        address=reverse("ladder:sanctions"),
    )
    news = partial(publish.news, player.pk, "talk", "queue")
    after_commit(news)


def _settle(player: Player) -> None:
    """What is kept beside the sanctions follows them. The caller holds ``player``."""
    _settle_row(player)
    _settle_board(player)


def _settle_row(player: Player) -> None:
    player.is_held = True  # so that it is looked up
    state = selector.state_of(player)
    player.is_held = not state.is_empty
    closed, rename = state.holds(Measure.CLOSURE), state.must_rename
    player.mask = Mask.CLOSED if closed else Mask.RENAME if rename else ""
    player.save(update_fields=["is_held", "mask"])


def _settle_board(player: Player) -> None:
    """Off the boards, or on them again where the rating belongs there. Locks the rating."""
    barred = selector.holds(player, *selector.NO_BOARD)
    ratings = Rating.objects.filter(player=player, pool=Pool.RANKED)
    if barred == ratings.filter(barred=True).exists():
        return
    row = hold([player.pk], Pool.RANKED)[player.pk]
    row.barred = barred
    row.listed = row.qualifies(clock.now())
    row.save(update_fields=["barred", "listed"])


def _end_matches(player: Player) -> None:
    """All that ``player`` plays is lost. All are locked first: ending one may lock the queue."""
    live = Match.objects.filter(seats__player=player, status__in=LIVE).defer("sealed")
    for match in list(lock(live)):
        play.end_by_sanction(match_id=match.pk, player=player)


def _give_back(cheat: Player, sanction: Sanction) -> None:
    rows = restitution.refund_all(cheat)
    GivenBack.objects.bulk_create(GivenBack(sanction=sanction, change=row) for row in rows)
    restitution.tell(rows, "cheat", tag=f"refund:{sanction.pk}")


def _reverse(sanction: Sanction) -> None:
    given = [row.change for row in sanction.given_back.select_related("change")]
    restitution.tell(restitution.reverse_all(given), "reversed", tag=f"refund:{sanction.pk}")


def _that_bite() -> Any:
    """The sanctions that somebody has to be held for."""
    return Sanction.objects.filter(_runs() | Q(acknowledged_at=None), undone_at=None)


def _runs() -> Q:
    return Q(until=None) | Q(until__gt=clock.now())


def _measures(player: Player) -> list[str]:
    measures = selector.that_hold([player.pk], Measure.values).values_list("measure", flat=True)
    return sorted(measures)


def _tag(sanction: Sanction) -> str:
    return f"sanction:{sanction.pk}"


def _digest(email: str) -> str:
    return salted_hmac(
        "sanctioned address", email.strip().casefold(), algorithm="sha256"
    ).hexdigest()


def _carried(players: list[int]) -> list[Sanction]:
    """What goes on against another account of the same person: all but a name that is gone."""
    carried = [measure for measure in Measure.values if measure != Measure.RENAME]
    return list(selector.that_hold(players, carried).order_by("pk"))


def _carry_on(row: Sanction, player: Player) -> None:
    root = row.follows_id or row.pk
    if Sanction.objects.filter(player=player, follows=root).exists():
        return
    copy = Sanction.objects.create(
        player=player,
        measure=row.measure,
        reason=row.reason,
        message=row.message,
        by_id=row.by_id,
        began_at=clock.now(),
        until=row.until,
        follows_id=root,
    )
    _bite(player, copy, GO_ON)


# ------------------------------------------------------------------ what is refused


def _check(measure: str, reason: str, days: float | None, running: str) -> None:
    known = measure in Measure.values and reason in Reason.values and running in (GO_ON, LOST)
    if not known or (days is not None and not 0 < days <= LONGEST):
        raise Refused(_("There is no such choice: take one of the list."))


def _done(by: Player, player: Player, measure: str, reason: str) -> Sanction | None:
    """The same of the same moderator, a moment ago or in force. Raises ``Refused`` if somebody else
    has done it, or for another reason: of each measure one is in force at a time."""
    rows = Sanction.objects.filter(player=player, measure=measure, undone_at=None)
    if measure == Measure.WARNING:
        lately = rows.filter(by=by, reason=reason, began_at__gt=clock.now() - TWICE_WITHIN)
        return lately.first()
    found = rows.filter(_runs()).first()
    if found is not None and (found.by_id, found.reason) != (by.pk, reason):
        raise Refused(_("That measure is in force against this player already. Undo it first."))
    return found
