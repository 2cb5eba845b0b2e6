"""What somebody reports: who is meant, where it was, and what is attached by itself."""

from dataclasses import dataclass
from typing import Any

from games.models import Match, Player, PlayerKind, Utterance
from games.selectors.access import may_look
from ladder.models import Report

AROUND = 10  # lines before the one that is reported, and after it
MINE = 50  # reports that their reporter is shown


@dataclass(frozen=True, slots=True)
class Subject:
    """Who can be meant, with the match and the line at whose report button the reader was."""

    suspects: tuple[Player, ...]
    match: Match | None = None
    utterance: Utterance | None = None

    @property
    def is_running(self) -> bool:
        """Does the match go on, so that its table is still open beside the form?"""
        return self.match is not None and not self.match.is_over


def subject(
    reader: Player, *, player: int | None = None, match: str = "", line: int | None = None
) -> Subject:
    """What ``reader`` wants to report: a line of talk at an own table, somebody in a match that
    the reader may look at, or a player. 3 queries at most.

    Raises ``Utterance``, ``Match`` or ``Player.DoesNotExist`` for what is not there for this
    reader, and where there is nobody to report: only people with an account can be, by others.
    """
    if line is not None:
        said = Utterance.objects.select_related("player", "match").get(pk=line)
        if not said.match.seats.filter(player=reader).exists():
            raise Utterance.DoesNotExist
        return Subject(_people([said.player], reader), said.match, said)
    if match:
        return _in_match(reader, match, player)
    return Subject(_people(Player.objects.filter(pk=player), reader))


def evidence(suspect: Player, match: Match | None, utterance: Utterance | None) -> dict[str, Any]:
    """A copy of what is complained of, in plain values: it outlives the thing itself. No card.

    The name and text of the suspect; of a match its id and how many plays had been made; of a
    line what was said before and after it.
    """
    copied: dict[str, Any] = {"name": suspect.name, "about": suspect.about}
    if match is not None:
        copied |= {"match": match.pk, "plays": match.number - 1}
    if utterance is not None:
        copied |= {"line": utterance.pk, "talk": _around(utterance)}
    return copied


def mine(reporter: Player) -> list[Report]:
    """The newest reports that ``reporter`` has made. 1 query."""
    made = Report.objects.filter(reporter=reporter).select_related("suspect")
    return list(made.order_by("-made_at", "-id")[:MINE])


def unanswered(reporter: Player, suspect: Player) -> Report | None:
    """The report of ``suspect`` by ``reporter`` that nobody has answered yet."""
    return Report.objects.filter(reporter=reporter, suspect=suspect, answered_at=None).first()


def _in_match(reader: Player, match_id: str, player: int | None) -> Subject:
    found = Match.objects.defer("sealed", "server_seed").get(pk=match_id)
    seated = [seat.player for seat in found.seats.select_related("player")]
    if not may_look(found, [one.pk for one in seated], reader):
        raise Match.DoesNotExist
    meant = [one for one in seated if player in (None, one.pk)]
    return Subject(_people(meant, reader), found)


def _people(players: Any, reader: Player) -> tuple[Player, ...]:
    meant = tuple(
        player for player in players if player.kind == PlayerKind.PERSON and player != reader
    )
    if not meant:
        raise Player.DoesNotExist
    return meant


def _around(utterance: Utterance) -> list[dict[str, Any]]:
    said = Utterance.objects.filter(match=utterance.match_id)
    before = said.filter(pk__lt=utterance.pk).order_by("-pk")[:AROUND]
    after = said.filter(pk__gt=utterance.pk).order_by("pk")[:AROUND]
    return [
        {
            "by": line.player_id,
            "phrase": line.phrase,
            "text": line.text,
            "at": line.said_at.isoformat(),
            "line": line.pk,
        }
        for line in (*reversed(before), utterance, *after)
    ]
