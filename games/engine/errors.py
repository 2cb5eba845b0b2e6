"""The ways in which the engine says no; it raises nothing else on purpose.

Badly written, against the rules and out of turn are three errors, so that a caller can answer
each in its own way. Messages never name a card that the caller did not name first.
"""


class RulesError(ValueError):
    """What every refusal of the engine is.

    >>> issubclass(Malformed, RulesError) and issubclass(Malformed, ValueError)
    True
    """


class Malformed(RulesError):
    """Not a card, a play, a pack, a seed … at all.

    >>> from games.engine import parse_card
    >>> parse_card("1d")
    Traceback (most recent call last):
    games.engine.errors.Malformed: not a card: '1d'
    """


class Illegal(RulesError):
    """Well written, but against the rules in this position: a card that is not in the hand, or
    a set of cards that is not a maximal capture (rules, Playing a card).

    >>> from games.engine import Deal, PACK, Play, parse_card
    >>> deal = Deal.start(PACK, dealer=0)
    >>> deal.play(Play(parse_card("Ks")))
    Traceback (most recent call last):
    games.engine.errors.Illegal: Ks is not in the hand
    """


class NotNow(RulesError):
    """It is not that seat's turn, or the deal is over, or it is not over yet.

    >>> from games.engine import Deal, PACK, Play, parse_card
    >>> Deal.start(PACK, dealer=0).play(Play(parse_card("Ac")), seat=0)
    Traceback (most recent call last):
    games.engine.errors.NotNow: it is not the turn of seat 0
    """
