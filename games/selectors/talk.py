"""What the two at a table say to each other, as one of them may see it; and who may say what.

Watchers have no part in it, and house players neither talk nor listen.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import ports
from games.models import Kind, Match, Phrase, Player, Seat, Status, Utterance, clock
from games.selectors.people import Ties, ties

SHOWN = 50  # lines
CLOSES_AFTER = timedelta(minutes=10)  # the end of the match
WRITES_AFTER = timedelta(days=1)  # the sign-up …
WRITES_WITH = 10  # … and so many finished matches


@dataclass(frozen=True, slots=True)
class Pair:
    """The two who may talk at a table: ``me``, and the ``other``."""

    match: Match
    me: Player
    other: Player

    @property
    def closes_at(self) -> datetime | None:
        """When talk closes; None while the match runs."""
        return self.match.finished_at and self.match.finished_at + CLOSES_AFTER


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was said: a phrase in the reader's language, or a text as it was typed."""

    id: int
    is_mine: bool
    said: str


@dataclass(frozen=True, slots=True)
class Talk:
    """``closed`` says why there is no talk; ``no_voice`` and ``no_text`` why the reader can say
    nothing, or no free text. Each is empty if nothing stands against it.

    ``closes_in``: seconds until it closes by itself, None while the match runs.
    """

    pair: Pair
    lines: tuple[Line, ...]
    is_muted: bool
    closed: str
    no_voice: str
    no_text: str
    closes_in: int | None

    @property
    def key(self) -> str:
        """What changes with whatever the list shows."""
        last = self.lines[-1].id if self.lines else 0
        return f"{last}-{len(self.lines)}-{self.is_muted:d}-{bool(self.closed):d}"

    @property
    def phrases(self) -> list[tuple[str, str]]:
        """What everybody may say: value and words."""
        return Phrase.choices


def pair_of(match: Match, seated: Collection[Player], player: Player | None) -> Pair | None:
    """``player`` and whom there is to talk to; None for who holds no seat, and where nobody talks.

    ``seated`` are the players of ``match``.
    """
    silent = match.kind == Kind.PRACTICE or any(one.is_house for one in seated)
    if silent or player is None or player not in seated:
        return None
    return Pair(match, player, next(one for one in seated if one != player))


def pair_at(match_id: str, player: Player | None) -> Pair:
    """The same of the match of that id. Raises ``Match.DoesNotExist`` instead. 2 queries."""
    match = Match.objects.defer("sealed", "server_seed").get(pk=match_id)
    seated = [seat.player for seat in match.seats.select_related("player")]
    if (pair := pair_of(match, seated, player)) is None:
        raise Match.DoesNotExist
    return pair


def talk_of(pair: Pair) -> Talk:
    """What ``pair.me`` sees of the talk: nothing that is muted or kept apart. 3 queries."""
    between = ties(pair.me, pair.other)
    closed = _why_closed(pair, between)
    return Talk(
        pair=pair,
        lines=() if closed else _lines(pair, between.mutes),
        is_muted=between.mutes,
        closed=closed,
        no_voice=why_no_voice(pair.me),
        no_text=why_no_text(pair.me),
        closes_in=_seconds_until(pair.closes_at),
    )


def why_closed(pair: Pair) -> str:
    """Why there is no talk between the two; "" if there is."""
    return _why_closed(pair, ties(pair.me, pair.other))


def why_no_voice(player: Player) -> str:
    """Why ``player`` can say nothing anywhere; "" for who can."""
    verdict = ports.may_speak(player)
    return "" if verdict.allowed else verdict.reason


def why_no_text(player: Player) -> str:
    """Why ``player`` may say phrases only, and when that changes; "" if free text is open."""
    verdict = ports.may_write(player)
    if not verdict.allowed:
        return verdict.reason
    finished = Seat.objects.filter(player=player, match__status=Status.FINISHED)
    if to_go := WRITES_WITH - finished[:WRITES_WITH].count():
        return ngettext(
            "You can write in your own words once your account is a day old and you have "
            "finished ten matches: %(n)s match to go.",
            "You can write in your own words once your account is a day old and you have "
            "finished ten matches: %(n)s matches to go.",
            to_go,
        ) % {"n": to_go}
    left = player.date_joined + WRITES_AFTER - clock.now()
    if left <= timedelta():
        return ""
    hours = -(-left // timedelta(hours=1))
    return ngettext(
        "You can write in your own words once your account is a day old: %(n)s hour to go.",
        "You can write in your own words once your account is a day old: %(n)s hours to go.",
        hours,
    ) % {"n": hours}


def _why_closed(pair: Pair, between: Ties) -> str:
    if pair.closes_at is not None and clock.now() >= pair.closes_at:
        return _("Talk closed 10 minutes after the match.")
    if not pair.other.is_person or between.apart:
        return _("There is no talk at this table.")
    return ""


def _lines(pair: Pair, is_muted: bool) -> tuple[Line, ...]:
    said = Utterance.objects.filter(match=pair.match)
    if is_muted:
        said = said.filter(player=pair.me)
    newest = said.order_by("-id")[:SHOWN]
    return tuple(_line(utterance, pair.me) for utterance in reversed(newest))


def _line(utterance: Utterance, reader: Player) -> Line:
    said = utterance.text or str(Phrase(utterance.phrase).label)
    return Line(utterance.pk, utterance.player_id == reader.pk, said)


def _seconds_until(moment: datetime | None) -> int | None:
    return None if moment is None else max(0, int((moment - clock.now()).total_seconds()) + 1)
