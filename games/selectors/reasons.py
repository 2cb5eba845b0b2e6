"""What speaks for a play, from what its player sees: facts that can be told in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine import KOMI, PACK, Basra, Card, Play, basra, choices


@dataclass(frozen=True, slots=True)
class Reasons:
    """``won``: the cards that it brings, its own included; 0 if it stays. ``left``: the cards on
    the floor after it. ``threats``: the ranks of cards still hidden that would make a basra of
    those, the komi as "7d". ``keeps``: the jack, or the komi, that stays in the hand."""

    won: int
    left: int
    basra: Basra
    threats: tuple[str, ...]
    keeps: Card | None

    @property
    def leaves_no_basra(self) -> bool:
        """Is there a card on the floor after it, and none that could take it all for points?"""
        return bool(self.left) and not self.threats


def reasons(
    hand: Iterable[Card], floor: Iterable[Card], play: Play, gone: Iterable[Card]
) -> Reasons:
    """The facts of ``play`` by who holds ``hand`` and has seen ``gone`` played."""
    held, lying = frozenset(hand), frozenset(floor)
    left = lying - play.capture if play.capture else lying | {play.card}
    hidden = frozenset(PACK) - held - lying - frozenset(gone)
    threats = [card for card in sorted(hidden) if _sweeps(left, card)]
    honours = [card for card in sorted(held - {play.card}) if _is_honour(card)]
    return Reasons(
        won=len(play.capture) + 1 if play.capture else 0,
        left=len(left),
        basra=basra(lying, play.card, play.capture),
        threats=tuple(dict.fromkeys(str(c) if c is KOMI else c.rank for c in threats)),
        keeps=None if _is_honour(play.card) or not honours else honours[0],
    )


def _is_honour(card: Card) -> bool:
    return card.rank == "J" or card is KOMI


def _sweeps(floor: frozenset[Card], card: Card) -> bool:
    """Could ``card`` make a basra of ``floor``?"""
    return any(basra(floor, card, taken) is not Basra.NONE for taken in choices(floor, card))
