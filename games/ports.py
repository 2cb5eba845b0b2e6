"""What playing asks of standing, without importing it.

The ladder fills these in at ``AppConfig.ready``; ``games.checks`` refuses a start with one empty.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player, Utterance


@dataclass(frozen=True, slots=True)
class Verdict:
    """May this be done; and if not, why, in the reader's language."""

    allowed: bool
    reason: str = ""


class TextKind(models.TextChoices):
    """Where somebody has written a text that others read."""

    NAME = "name", _("a name")
    PROFILE = "profile", _("the text about oneself")
    SEED = "seed", _("a seed")
    TALK = "talk", _("talk at a table")
    REPORT = "report", _("a report")


@dataclass(frozen=True, slots=True)
class Standing:
    """What a table shows of a player's place: rating points, what the match changed, and its K.

    ``cut`` is what a limit took off the gain. ``annulled``: the change has been taken back.
    """

    rating: int | None = None
    provisional: bool = False
    before: int | None = None
    after: int | None = None
    k: int | None = None
    cut: int = 0
    annulled: bool = False

    @property
    def change(self) -> int | None:
        """Rating points won or lost by the match, or None."""
        return None if self.after is None or self.before is None else self.after - self.before


_NAMES = (
    "may_sit",
    "may_speak",
    "may_write",
    "may_sign_up",
    "may_inspect",
    "on_finished",
    "on_renamed",
    "on_text",
    "standing",
    "annulled",
    "unrated",
    "start_ranked",
    "is_waiting",
    "forget",
    "held_about",
)
_filled: dict[str, Callable[..., Any]] = {}


def fill(**functions: Callable[..., Any]) -> None:
    """Fill ports in, by name. Raises KeyError for a name that is none."""
    for name, function in functions.items():
        if name not in _NAMES:
            raise KeyError(name)
        _filled[name] = function


def empty() -> list[str]:
    """The names of the ports that nobody has filled in."""
    return [name for name in _NAMES if name not in _filled]


def may_sit(player: Player, kind: str) -> Verdict:
    """May ``player`` sit down to a match of ``kind``?"""
    return _filled["may_sit"](player, kind)


def may_speak(player: Player) -> Verdict:
    """May ``player`` say something at a table?"""
    return _filled["may_speak"](player)


def may_write(player: Player) -> Verdict:
    """May ``player`` write a text of their own at a table, beside phrases?"""
    return _filled["may_write"](player)


def may_sign_up() -> Verdict:
    """Can there be new accounts now?"""
    return _filled["may_sign_up"]()


def forget(player: Player) -> None:
    """Called inside the transaction that deletes what is still personal of a closed account."""
    _filled["forget"](player)


def held_about(player: Player) -> Iterator[tuple[str, Iterable[Any]]]:
    """What standing holds about ``player``, for that player: parts by name, each a run of plain
    values that is read once."""
    return _filled["held_about"](player)


def may_inspect(match_id: str, viewer: Player | None) -> bool:
    """May ``viewer``, as a moderator, look into this match, which is over and not public?"""
    return _filled["may_inspect"](match_id, viewer)


def on_finished(match: Match) -> str:
    """Called once, inside the transaction that ends ``match``: what it writes stands with it.

    Returns a reason (``Unrated``) that only standing knows of, for the match to keep; "" if none.
    """
    return _filled["on_finished"](match)


def on_renamed(player: Player) -> None:
    """Called inside the transaction in which ``player`` has taken another name."""
    _filled["on_renamed"](player)


def annulled(match_ids: Collection[str]) -> set[str]:
    """Which of these matches have been annulled, and count for nothing any more."""
    return _filled["annulled"](match_ids)


def standing(players: Sequence[Player], match: Match | None = None) -> dict[Any, Standing]:
    """The standing of each of ``players`` by primary key, with what ``match`` changed."""
    return _filled["standing"](players, match)


def unrated(players: Sequence[Player]) -> str:
    """Why a ranked match of these two, begun now, would move no rating; "" if it would."""
    return _filled["unrated"](players)


def start_ranked(players: Sequence[Player]) -> Match:
    """Begin a ranked match of these two, who leave the queue; it is rated if it can be.

    Raises ``Refused`` if one of them may not play ranked, or plays a ranked match already.
    """
    return _filled["start_ranked"](players)


def on_text(
    player: Player,
    kind: TextKind,
    text: str,
    *,
    before: Sequence[str] = (),
    utterance: Utterance | None = None,
) -> None:
    """``player`` has written ``text``, which others will read, whatever is found in it.

    Called after the commit. ``before`` is what the player said just before it, newest first.
    """
    _filled["on_text"](player, kind, text, before=before, utterance=utterance)


def is_waiting(player: Player) -> bool:
    """Does ``player`` wait for a ranked match now?"""
    return _filled["is_waiting"](player)
