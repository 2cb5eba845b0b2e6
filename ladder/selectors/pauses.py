"""Whose ranked play is paused, until when and why, and what has been forgiven."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import How, Kind, Player, Seat, Status
from ladder.models import Lapse, RankedPause, What
from ladder.models.pauses import CLEAN_TO_FORGIVE, COUNTED_FOR, FREE_LAPSES, length


@dataclass(frozen=True, slots=True)
class Conduct:
    """A player's lapses that still count, newest last, and the pause that runs."""

    lapses: list[Lapse] = field(default_factory=list)
    pause: RankedPause | None = None
    clean: int = 0

    @property
    def warned(self) -> bool:
        """Nothing is paused, but one more lapse would bring a pause?"""
        return self.pause is None and len(self.lapses) >= FREE_LAPSES

    @property
    def forgiven_after(self) -> int:
        """How many clean matches in a row are still lacking until all is forgiven."""
        return CLEAN_TO_FORGIVE - self.clean

    @property
    def warning(self) -> str:
        """What the next lapse would cost, and how to be rid of it."""
        minutes = int(length(len(self.lapses) + 1 - FREE_LAPSES).total_seconds()) // 60
        words = [
            _once(self.lapses[-1].what),
            ngettext(
                "Next time ranked play is paused for you for %(minutes)s minute.",
                "Next time ranked play is paused for you for %(minutes)s minutes.",
                minutes,
            ) % {"minutes": minutes},
            ngettext(
                "Play %(matches)s more ranked match to its end, and this is forgotten.",
                "Play %(matches)s more ranked matches in a row to the end, and this is forgotten.",
                self.forgiven_after,
            ) % {"matches": self.forgiven_after},
        ]  # fmt: skip
        return " ".join(words)


def running(player: Player, moment: datetime) -> RankedPause | None:
    """The pause of ``player`` that runs at ``moment``, the longest if there are several."""
    pauses = RankedPause.objects.filter(player=player, until__gt=moment)
    return pauses.select_related("lapse").order_by("-until").first()


def paused(players: Sequence[int], moment: datetime) -> set[int]:
    """Which of these players, by id, are paused at ``moment``."""
    rows = RankedPause.objects.filter(player__in=players, until__gt=moment)
    return set(rows.values_list("player", flat=True))


def conduct(player: Player, moment: datetime) -> Conduct:
    """What counts against ``player`` at ``moment``. 1 query; 2 where there is something."""
    rows = Lapse.objects.filter(player=player, at__gt=moment - COUNTED_FOR)
    lapses = list(rows.select_related("pause"))
    if not lapses:
        return Conduct()
    kept, clean = _unforgiven(player, lapses)
    pauses = [lapse.pause for lapse in lapses if hasattr(lapse, "pause")]
    pauses = [pause for pause in pauses if pause.runs(moment)]
    return Conduct(kept, max(pauses, key=lambda pause: pause.until, default=None), clean)


def reason(pause: RankedPause) -> str:
    """Why there is a pause, in two sentences."""
    lapses = pause.nth + FREE_LAPSES
    many = ngettext(
        "Within a week %(lapses)s ranked match of yours was left, not started or lost on time.",
        "Within a week %(lapses)s ranked matches of yours were left, not started or lost on time.",
        lapses,
    )
    last = {
        What.NO_SEED: _("In the last of them no seed came from you in time."),
        What.LEFT: _("The last of them you left before the deal."),
        What.TIME: _("In the last of them your time ran out."),
    }[What(pause.lapse.what)]
    return f"{many % {'lapses': lapses}} {last}"


def refusal(pause: RankedPause) -> str:
    """What is told to who wants to play ranked during a pause: until when, and why."""
    told = _("Ranked play is paused for you until %(until)s.") % {"until": moment(pause.until)}
    return f"{told} {reason(pause)}"


def moment(when: datetime) -> str:
    """Day and time of day with the time zone, for who has no script: "3 Aug, 18:05 UTC"."""
    here = localtime(when)
    return _(", ").join([date_format(here, "MONTH_DAY_FORMAT"), date_format(here, "H:i e")])


def _once(what: str) -> str:
    return {
        What.NO_SEED: _("In a ranked match no seed came from you in time."),
        What.LEFT: _("You left a ranked match before its deal."),
        What.TIME: _("You lost a ranked match on time."),
    }[What(what)]


def _unforgiven(player: Player, lapses: list[Lapse]) -> tuple[list[Lapse], int]:
    """The lapses that no run of clean matches has followed, and how long the run now is."""
    seats = Seat.objects.filter(
        player=player,
        finished_at__gt=lapses[0].at,
        match__kind=Kind.RANKED,
        match__status=Status.FINISHED,
        match__how__in=[How.POINTS, How.RESIGNATION, How.TIME],
    ).values_list("finished_at", "match__how", "match__ended_by", "seat")
    events = [(at, None) for at, how, by, seat in seats if how != How.TIME or by != seat]
    events += [(lapse.at, lapse) for lapse in lapses]
    kept: list[Lapse] = []
    clean = 0
    for _at, lapse in sorted(events, key=lambda event: event[0]):
        if lapse is None:
            clean += 1
            if clean >= CLEAN_TO_FORGIVE:
                kept.clear()
        else:
            clean = 0
            kept.append(lapse)
    return kept, clean
