"""Words and small pictures of the table. They get a ``Table``, so they cannot tell a secret."""

import unicodedata
from collections.abc import Container, Iterable
from datetime import timedelta
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi, ngettext
from django.utils.translation import gettext as _

from games.engine import Card, write_cards
from games.models import Match, Player, Status, clock
from games.selectors.table import DealCount, HandCard, LastPlay, Side, Table
from games.templatetags.look import card_name, card_names, icon, mini

register = template.Library()

MS = timedelta(milliseconds=1)
LOW_MS = 10_000  # a clock this low warns


@register.filter
def who(player: Player) -> SafeString:
    """A player's name; a house player's says that it is a computer."""
    name = format_html('<bdi class="name">{}</bdi>', player.shown_name)
    if not player.is_house:
        return name
    return format_html(
        '{}<span class="is-computer" title="{}">{}<span class="vh"> ({})</span></span>',
        name, _("computer"), icon("chip"), _("computer"),
    )  # fmt: skip


@register.filter
def called(player: Player) -> str:
    """A player's name in text alone; a house player's says that it is a computer."""
    name = isolated(player.shown_name)
    return _("%(name)s (computer)") % {"name": name} if player.is_house else name


def isolated(name: str) -> str:
    """``name`` fenced off where it runs the other way than the reader's language does: what
    ``bdi`` is for where there can be no tag."""
    is_rtl = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if is_rtl != get_language_bidi() else name


@register.filter
def minis(cards: Iterable[Card]) -> SafeString:
    """Several cards within a sentence."""
    return format_html_join(" ", "{}", ((mini(card),) for card in cards))


@register.filter
def written(cards: Iterable[Card]) -> str:
    """Cards as forms and attributes have them: "As,5d"."""
    return write_cards(cards)


@register.filter
def takes(card: HandCard) -> str:
    """Every floor card that ``card`` can take in some way, written."""
    return write_cards({taken for way in card.ways for taken in way.cards})


@register.filter
def is_taken_by(card: Card, hand_card: HandCard | None) -> bool:
    """Can ``hand_card`` take ``card`` in some way?"""
    return hand_card is not None and any(card in way.cards for way in hand_card.ways)


@register.filter
def hand_label(card: HandCard) -> str:
    """A card of the own hand in words, with what it takes."""
    name = card_name(card.card)
    if not card.ways:
        return name
    if len(card.ways) > 1:
        return _("%(card)s; takes cards in several ways, to be chosen") % {"card": name}
    way = card.ways[0]
    text = _("%(card)s; takes %(cards)s") % {"card": name, "cards": card_names(way.cards)}
    return text if way.basra == "none" else f"{text}: {basra_name(way.basra)}"


@register.filter
def basra_name(kind: str) -> str:
    """The kind of basra in the reader's language, or nothing."""
    return {"basra": _("basra"), "jack basra": _("jack basra")}.get(kind, "")


@register.filter
def cards_count(number: int) -> str:
    """So many cards, in words."""
    return ngettext("%(n)s card", "%(n)s cards", number) % {"n": number}


@register.filter
def basras_count(number: int) -> str:
    """So many basras, in words."""
    return ngettext("%(n)s basra", "%(n)s basras", number) % {"n": number}


@register.filter
def pile_label(side: Side, table: Table) -> str:
    """A pile for who cannot see it."""
    if side is table.me and not table.watching:
        text = _("Your pile: %(cards)s")
    else:
        text = _("%(name)s’s pile: %(cards)s")
    text %= {"name": called(side.player), "cards": cards_count(side.pile_count)}
    made = side.basras + side.jack_basras
    return f"{text}, {basras_count(made)}" if made else text


@register.filter
def player_at(table: Table, seat: int) -> Player:
    """Who holds a seat."""
    return (table.me if table.me.seat == seat else table.opponent).player


@register.simple_tag
def away_from(table: Table, here: Container[int]) -> list[Side]:
    """Whose seats are not among those ``here``: the opponent's, and for a watcher either's. A house
    player is never away."""
    told = table.sides if table.watching else (table.opponent,)
    return [side for side in told if not side.player.is_house and side.seat not in here]


@register.filter
def mine_first(points: tuple[int, int], table: Table) -> str:
    """Points of seats 0 and 1 in the order of the page: "40–10"."""
    return f"{points[table.me.seat]}–{points[table.opponent.seat]}"


@register.filter
def signed(change: int) -> str:
    """A change with its sign: "+15", "−8"."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "0"


@register.filter
def times(number: int) -> range:
    """So many turns of a loop."""
    return range(number)


@register.filter
def ratio(ms: int, whole: int) -> int:
    """What ``ms`` is of ``whole``, from 0 to 100: the ring of a clock."""
    return max(0, min(100, round(100 * ms / whole))) if whole else 0


@register.filter
def seconds(ms: int) -> str:
    """Milliseconds as a clock shows them: "18", "1:43"; a second begun counts whole."""
    whole = -(-max(0, ms) // 1000)
    return str(whole) if whole < 60 else f"{whole // 60}:{whole % 60:02}"


@register.simple_tag
def time_of(table: Table, side: Side) -> dict[str, Any]:
    """The clock of a side: what is left of its turn's free time or of its bank, and of what."""
    bank = clock.BANK_MS[table.match.clock]
    if table.clock is None or not side.is_turn:
        return {"left": side.bank_ms, "whole": bank, "low": False}
    free, spent = table.clock.free_ms, table.clock.elapsed_ms
    low = free + side.bank_ms - spent <= LOW_MS
    if spent < free:
        return {"left": free - spent, "whole": free, "low": low}
    return {"left": max(0, side.bank_ms - (spent - free)), "whole": bank, "low": low}


@register.simple_tag
def seed_time_left(match: Match) -> int | None:
    """Milliseconds that are left to give a seed; None where there is no such limit."""
    if match.status != Status.STARTING or match.clock == "none" or match.deadline is None:
        return None
    return max(0, int((match.deadline - clock.now()) / MS))


@register.filter
def unequal(table: Table) -> bool:
    """Did the match change the two ratings by different amounts, and nothing else says why?"""
    standings = [side.standing for side in (table.me, table.opponent)]
    changes = [standing.change for standing in standings]
    cut = any(standing.cut for standing in standings)
    return None not in changes and abs(changes[0]) != abs(changes[1]) and not cut


@register.simple_tag
def outcome(table: Table) -> dict[str, str]:
    """How a match ended, for its panel: the title, and a sentence on how it came to that."""
    match = table.match
    sides = {"me": table.me, "opponent": table.opponent}
    winner = sides.get(table.winner)
    if winner is None:
        return {"title": _("No result"), "how": _("A moderator ended this match.")}
    loser = table.opponent if winner is table.me else table.me
    names = {"winner": called(winner.player), "loser": called(loser.player)}
    i_lost = not table.watching and loser is table.me
    if table.watching:
        title = _("%(winner)s won") % names
    else:
        title = _("You lost") if i_lost else _("You won")
    hows = {
        "points": "",
        "resignation": _("You resigned.") if i_lost else _("%(loser)s resigned."),
        "time": _("Your time ran out.") if i_lost else _("%(loser)s’s time ran out."),
        "sanction": _("A moderator decided this match."),
    }
    return {"title": title, "how": hows.get(match.how, "") % names}


@register.simple_tag
def table_title(table: Table) -> str:
    """The title of the page: whose turn it is comes first."""
    names = {"me": called(table.me.player), "opponent": called(table.opponent.player)}
    pair = _("%(me)s and %(opponent)s") % names
    if table.match.status == Status.FINISHED:
        return f"{outcome(table)['title']} · {pair}"
    if table.playing and not table.watching and table.turn == "me":
        return _("Your turn · %(pair)s") % {"pair": pair}
    return pair


@register.simple_tag
def announcement(table: Table) -> str:
    """What has just happened and whose turn it is, to be read aloud."""
    match = table.match
    if match.status == Status.ABORTED:
        return _("The match was not played.")
    if match.status == Status.FINISHED:
        score = _("%(me)s to %(opponent)s") % {
            "me": table.me.points,
            "opponent": table.opponent.points,
        }
        end = outcome(table)
        return " ".join(part for part in (f"{end['title']}, {score}.", end["how"]) if part)
    if table.starting:
        return ""
    parts = []
    if table.fresh_count and table.latest is None:
        parts.append(_told_count(table.fresh_count))
    for side in (table.me, table.opponent):
        if side.last_play and side.last_play.latest:
            parts.append(told_play(table, side))
    parts.append(whose_turn(table) + ".")
    return " ".join(parts)


@register.simple_tag
def whose_turn(table: Table) -> str:
    """Whose turn it is, in words."""
    if table.turn == "me" and not table.watching:
        return _("Your turn")
    side = table.me if table.turn == "me" else table.opponent
    return _("%(name)s’s turn") % {"name": called(side.player)}


def told_play(table: Table, side: Side) -> str:
    """The last play of a side in words only."""
    play: LastPlay = side.last_play
    mine = side is table.me and not table.watching
    facts = {
        "name": called(side.player),
        "card": card_name(play.card),
        "cards": card_names(play.took),
    }
    if not play.took:
        text = _("You laid %(card)s") if mine else _("%(name)s laid %(card)s")
    elif mine:
        text = _("You took %(cards)s with %(card)s")
    else:
        text = _("%(name)s took %(cards)s with %(card)s")
    kind = basra_name(play.basra)
    return f"{text % facts}: {kind}." if kind else f"{text % facts}."


def _told_count(count: DealCount) -> str:
    return _("Deal %(deal)s counted: %(me)s to %(opponent)s.") % {
        "deal": count.index,
        "me": count.me.points,
        "opponent": count.opponent.points,
    }
