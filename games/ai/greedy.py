"""The greedy player: takes what is worth most now, and looks one answer ahead. It has no memory.

A play is weighed by three things, in this order:

1. the points that it makes now: 10 for a basra, 30 for a jack basra;
2. the cards that it takes, the played one included; none if it stays;
3. what it gives: the opponent's best reply, weighed over the cards that he may hold. To this player
   they are all that lie neither on the floor nor in its own hand: it forgets what has been played,
   as beginners do. For each such card it is the points and the cards of that card's best capture
   from the floor that the play leaves; the mean of these is what the play gives, and less is
   better.

Captures that differ only in suit are one play here. What is equal in all three is drawn. It is the
yardstick of the study in `docs/house-players.md`, which has it forget; with a memory it is about
seven points a deal stronger.
"""

from fractions import Fraction
from random import Random

from games.ai.kinds import SIZE, WAYS, held, packed
from games.engine import PACK, Card, Observation, Play, basra, choices

_WHOLE_PACK = packed(PACK)


def plays(observation: Observation) -> tuple[Play, ...]:
    """The viewer's legal plays, by card, those that differ only in suit left out.

    Empty if it is not the viewer's turn.

    >>> from games.engine import PACK, Deal, observe
    >>> [str(play) for play in plays(observe(Deal.start(PACK, dealer=0), seat=1))]
    ['Ac', 'Ad', 'Ah', 'As']
    """
    if observation.seat is None or observation.seat != observation.turn:
        return ()
    return tuple(
        Play(card, capture)
        for card in sorted(observation.hand)
        for capture in choices(observation.floor, card)
    )


def worth(floor: frozenset[Card], play: Play) -> tuple[int, int]:
    """The points that the play makes at once, and the cards that it takes, itself included.

    >>> from games.engine import parse_cards
    >>> worth(parse_cards("2c,4d"), Play.parse("6s:2c,4d"))
    (10, 3)
    >>> worth(parse_cards("2c,4d"), Play.parse("9s"))
    (0, 0)
    """
    if not play.capture:
        return 0, 0
    return basra(floor, play.card, play.capture).points, len(play.capture) + 1


def gift(floor: frozenset[Card], hand: frozenset[Card]) -> Fraction:
    """What a floor gives to an opponent who holds one of the cards that are neither on it nor in
    `hand`, each as likely: the mean of points plus cards of each one's best capture.

    >>> from games.engine import parse_cards
    >>> gift(parse_cards("Qc"), parse_cards("Qd")), gift(frozenset(), frozenset())
    (Fraction(22, 25), Fraction(0, 1))
    """
    vector, hidden = packed(floor), _WHOLE_PACK - packed(floor | hand)
    given = sum(
        count * max(way.points + way.cards for way in WAYS[vector | kind])
        for kind, count in held(hidden)
    )
    return Fraction(given, SIZE[hidden])


def greedy(observation: Observation, rng: Random) -> Play:
    """The play that is worth most; the last tie is drawn from `rng`.

    It must be the viewer's turn: `games.ai.choose` sees to that.

    >>> from games.engine import PACK, Deal, Play, observe
    >>> deal = Deal.start(PACK, dealer=0).play(Play.parse("Ac"))
    >>> str(greedy(observe(deal, seat=0), Random(1)))
    '2d'
    """
    legal = plays(observation)
    if len(legal) == 1:
        return legal[0]
    worths = [worth(observation.floor, play) for play in legal]
    best = [play for play, value in zip(legal, worths, strict=True) if value == max(worths)]
    if len(best) > 1:
        gifts = [gift(_floor_after(observation.floor, play), observation.hand) for play in best]
        best = [play for play, given in zip(best, gifts, strict=True) if given == min(gifts)]
    return best[0] if len(best) == 1 else rng.choice(best)


def _floor_after(floor: frozenset[Card], play: Play) -> frozenset[Card]:
    return floor - play.capture if play.capture else floor | {play.card}
