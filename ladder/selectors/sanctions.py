"""Which measures stand against a player, what they keep from the player, and how that is said."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.models import Kind, Player, clock
from ladder.models import Appeal, Measure, Reason, Sanction

SHUT_OUT = (Measure.SUSPENSION, Measure.CLOSURE)  # may log in, read why, and appeal
NO_VOICE = (Measure.MUTE, *SHUT_OUT)
NO_RANKED = (Measure.PAUSE, Measure.CHEAT, *SHUT_OUT)
NO_BOARD = (Measure.OFF_BOARD, Measure.CHEAT, Measure.CLOSURE)
UNRATED = (Measure.CHEAT, *SHUT_OUT)  # a running match that is left to go on moves no rating
ENDLESS = (Measure.RENAME, Measure.CHEAT, Measure.CLOSURE)  # these can have no end
MOST = 50  # that a player is shown
GRAVE = (Measure.CHEAT, *SHUT_OUT)  # asked once more


@dataclass(frozen=True, slots=True)
class State:
    """What stands against a player at a moment, newest first, and what is not acknowledged yet."""

    in_force: tuple[Sanction, ...] = ()
    to_acknowledge: tuple[Sanction, ...] = ()

    def holds(self, *measures: Measure) -> bool:
        """Is one of these measures in force?"""
        return any(sanction.measure in measures for sanction in self.in_force)

    @property
    def is_shut_out(self) -> bool:
        return self.holds(*SHUT_OUT)

    @property
    def must_rename(self) -> bool:
        return self.holds(Measure.RENAME)

    @property
    def is_empty(self) -> bool:
        return not self.in_force and not self.to_acknowledge


def state_of(player: Player) -> State:
    """What stands against ``player`` now. 1 query, none for whom nothing stands against."""
    if not player.is_held:
        return State()
    now = clock.now()
    unread = Q(acknowledged_at=None)
    rows = Sanction.objects.filter(_runs_at(now) | unread, player=player, undone_at=None)
    found = list(rows.order_by("-began_at", "-pk"))
    return State(
        in_force=tuple(row for row in found if row.until is None or row.until > now),
        to_acknowledge=tuple(row for row in found if row.acknowledged_at is None),
    )


def in_force(player: Player) -> list[Sanction]:
    """The measures that are in force against ``player``, newest first; a warning never is."""
    return list(state_of(player).in_force)


def to_acknowledge(player: Player) -> list[Sanction]:
    """What ``player`` has been told and has not acknowledged, newest first."""
    return list(state_of(player).to_acknowledge)


def holds(player: Player, *measures: Measure) -> bool:
    """Is one of these measures in force against ``player``?"""
    return player.is_held and that_hold([player.pk], measures).exists()


def that_hold(players: Collection[int], measures: Collection[str]) -> QuerySet[Sanction]:
    """The sanctions of these measures that are in force against these players, by id."""
    now = clock.now()
    rows = Sanction.objects.filter(player__in=players, measure__in=measures, undone_at=None)
    return rows.filter(_runs_at(now))


def kept_from_ranked(players: Collection[Player]) -> set[int]:
    """Which of these players, by id, a moderator keeps from ranked play. 1 query at most."""
    held = [player.pk for player in players if player.is_held]
    if not held:
        return set()
    return set(that_hold(held, NO_RANKED).values_list("player", flat=True))


def why_not_sit(player: Player, kind: str) -> str:
    """What keeps ``player`` from a match of that kind; "" if nothing does."""
    measures = NO_RANKED if kind == Kind.RANKED else SHUT_OUT
    return _refusal(player, measures)


def why_not_speak(player: Player) -> str:
    """What keeps ``player`` from saying anything; "" if nothing does."""
    return _refusal(player, NO_VOICE)


def history(player: Player) -> list[Sanction]:
    """The last that was imposed on ``player``, newest first, with its appeal. 1 query."""
    rows = Sanction.objects.filter(player=player).select_related("appeal", "by")
    return list(rows.order_by("-began_at", "-pk")[:MOST])


@dataclass(frozen=True, slots=True)
class Notice:
    """A sanction as its player reads it. ``may_appeal``: nobody has appealed against it yet."""

    sanction: Sanction
    appeal: Appeal | None
    may_appeal: bool
    is_in_force: bool

    @property
    def is_new(self) -> bool:
        return self.sanction.acknowledged_at is None and self.sanction.undone_at is None


def notices(player: Player) -> list[Notice]:
    """What ``player`` may read of the sanctions so far: the new ones first. 1 query."""
    now = clock.now()
    rows = Sanction.objects.filter(player=player).select_related("appeal", "follows__appeal")
    found = [_notice(row, now) for row in rows.order_by("-began_at", "-pk")[:MOST]]
    return sorted(found, key=lambda notice: not notice.is_new)


def of_player(player: Player, sanction_id: int) -> Sanction:
    """A sanction against ``player``. Raises ``Sanction.DoesNotExist`` for another one's."""
    return Sanction.objects.select_related("appeal").get(pk=sanction_id, player=player)


def may_be_appealed(sanction: Sanction) -> bool:
    """Has nobody appealed against it, or against the one that it goes on from, nor undone it?"""
    own = [sanction.pk, sanction.follows_id]
    return sanction.undone_at is None and not Appeal.objects.filter(sanction__in=own).exists()


def ready_text(player: Player, measure: str, reason: str, until: datetime | None) -> str:
    """What ``player`` is told by default, in the player's language."""
    with translation.override(language_of(player)):
        return f"{_because(Reason(reason))} {_told(Measure(measure), until)}"


def language_of(player: Player) -> str:
    """The language in which ``player`` is written to."""
    return player.language or settings.LANGUAGE_CODE


def moment(when: datetime) -> str:
    """Day, year and time of day, in UTC: it is written in one place and read in another."""
    there = localtime(when, UTC)
    return _(", ").join([date_format(there, "DATE_FORMAT"), date_format(there, "H:i e")])


def _notice(row: Sanction, now: datetime) -> Notice:
    appeal = getattr(row, "appeal", None)
    before = getattr(row.follows, "appeal", None)
    stands = row.undone_at is None
    return Notice(
        sanction=row,
        appeal=appeal or before,
        may_appeal=stands and appeal is None and before is None,
        is_in_force=stands and (row.until is None or row.until > now),
    )


def _runs_at(now: datetime) -> Q:
    return Q(until=None) | Q(until__gt=now)


def _refusal(player: Player, measures: Collection[Measure]) -> str:
    if not player.is_held:
        return ""
    found = list(that_hold([player.pk], measures))
    if not found:
        return ""
    longest = max(found, key=lambda row: (row.until is None, row.until or row.began_at))
    return _told(Measure(longest.measure), longest.until)


def _because(reason: Reason) -> str:
    return {
        Reason.CHEATING: _("We have found that you cheated, or that a program helped you."),
        Reason.MANIPULATION: _("We have found that matches of yours were played to move ratings."),
        Reason.STALLING: _("You have stalled or left matches again and again."),
        Reason.INSULTS: _("You have insulted other players."),
        Reason.NAME: _("Your name, or what you wrote about yourself, is offensive."),
        Reason.OTHER: _("You have broken the rules of this site."),
    }[reason]


def _told(measure: Measure, until: datetime | None) -> str:
    if until is None or measure == Measure.WARNING:
        return {
            Measure.WARNING: _("This is a warning. Next time something follows from it."),
            Measure.MUTE: _(
                "You cannot write at the tables any more, and nobody sees the text on your profile."
            ),
            Measure.PAUSE: _("A moderator has paused ranked play for you, without an end."),
            Measure.OFF_BOARD: _("You are not on the leaderboard any more."),
            Measure.RENAME: _("Choose another name: until then nobody sees yours."),
            Measure.CHEAT: _(
                "You are marked as a cheat: no ranked play, no place on the leaderboard, no badges."
            ),
            Measure.SUSPENSION: _("Your account is suspended, without an end."),
            Measure.CLOSURE: _("Your account has been closed by a moderator."),
        }[measure]
    text = {
        Measure.MUTE: _(
            "Until %(until)s you cannot write at the tables, and nobody sees the text on your "
            "profile."
        ),
        Measure.PAUSE: _("A moderator has paused ranked play for you until %(until)s."),
        Measure.OFF_BOARD: _("You are not on the leaderboard until %(until)s."),
        Measure.SUSPENSION: _("Your account is suspended until %(until)s."),
    }[measure]
    return text % {"until": moment(until)}
