"""What is said at a table: the only place that writes ``Utterance``.

Phrases are for everybody, free text for accounts that have been here for a while. It is kept for
moderators, and forgotten after 90 days.
"""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Mute, Phrase, Player, Utterance, clock
from games.ports import TextKind
from games.selectors.talk import Pair, pair_at, why_closed, why_no_text, why_no_voice
from games.services import free_text, people, publish, texts
from games.services.after import after_commit
from games.services.errors import Refused
from games.services.locks import lock

MOST, WITHIN = 5, timedelta(seconds=10)
KEPT = timedelta(days=90)
TOGETHER, TOGETHER_WITHIN = 2, timedelta(minutes=5)  # earlier lines that one is read with


def say(*, match_id: str, player: Player, phrase: str = "", text: str = "") -> Utterance:
    """Say a phrase, by its value, or else a text of one's own.

    Raises ``Match.DoesNotExist`` for who has nobody to talk to there, and ``Refused`` where talk
    is closed, for what cannot be said, and for more than five things in ten seconds.
    """
    pair = pair_at(match_id, player)
    if refused := why_closed(pair) or why_no_voice(player):
        raise Refused(refused)
    if phrase and phrase not in Phrase.values:
        raise Refused(_("There is no such phrase: take one of the list."))
    words = "" if phrase else _own_words(player, text)
    with transaction.atomic():
        _check_pace(player)
        said = Utterance.objects.create(
            match=pair.match, player=player, phrase=phrase, text=words, said_at=clock.now()
        )
        texts.written(player, TextKind.TALK, words, before=_just_before(said), utterance=said)
        _tell(pair)
    return said


def mute(*, match_id: str, player: Player, muted: bool) -> None:
    """Hide what the other at this table writes, here and at every table; or show it again.

    Raises ``Match.DoesNotExist`` for who has nobody to talk to there, and ``Refused``.
    """
    pair = pair_at(match_id, player)
    (people.mute if muted else people.unmute)(pair.me, pair.other)


def forget_old() -> int:
    """Delete what was said more than 90 days ago. Returns how many lines."""
    return Utterance.objects.filter(said_at__lt=clock.now() - KEPT).delete()[0]


def _own_words(player: Player, text: str) -> str:
    if refused := why_no_text(player):
        raise Refused(refused)
    return free_text.clean(text)


def _check_pace(player: Player) -> None:
    """Of two posts at once the second waits here, and counts the first."""
    lock(Player.objects.filter(pk=player.pk), no_key=True).get()
    of_late = Utterance.objects.filter(player=player, said_at__gt=clock.now() - WITHIN)
    if of_late.count() >= MOST:
        raise Refused(_("That was a lot at once. Wait ten seconds."))


def _just_before(said: Utterance) -> list[str]:
    """What its speaker wrote at that table shortly before, newest first."""
    if not said.text:
        return []
    of_late = said.said_at - TOGETHER_WITHIN
    lines = Utterance.objects.filter(match=said.match_id, player=said.player_id, pk__lt=said.pk)
    written = lines.filter(said_at__gt=of_late).exclude(text="").order_by("-pk")
    return list(written.values_list("text", flat=True)[:TOGETHER])


def _tell(pair: Pair) -> None:
    """The pages of both ask anew; not those of somebody who does not want to read it."""
    listeners = [pair.me]
    if not Mute.objects.filter(player=pair.other, other=pair.me).exists():
        listeners.append(pair.other)
    for listener in listeners:
        after_commit(publish.news, listener.pk, "talk")
