"""The rules of Egyptian Basra, as docs/rules.md has them: frozen values in, new values out.

Standard library only; no clock, no randomness, no storage, and nothing of the rest of the project.

>>> deal = Deal.start(fair.pack(bytes(32), "AbCdEf123456", ("mine", "house"), 1), dealer=0)
>>> deal.turn, sorted(map(str, deal.floor))
(1, ['4d', '6h', '9d', '9h'])
>>> while not deal.over:
...     deal = deal.play(deal.legal()[0])
>>> Tally(101, first_dealer=0).add(count(deal)).totals
(40, 0)
"""

from games.engine import fair, record
from games.engine.capture import Basra, basra, captures, choices, search_for
from games.engine.cards import KOMI, PACK, Card, parse_card, parse_cards, write_cards
from games.engine.deal import Deal
from games.engine.errors import Illegal, Malformed, NotNow, RulesError
from games.engine.observation import Observation, legal, observe
from games.engine.play import Play, Seat, Turn
from games.engine.record import RULES_VERSION, Tampered, Verified
from games.engine.tally import Breakdown, Tally, breakdown, count

__all__ = [
    "KOMI",
    "PACK",
    "RULES_VERSION",
    "Basra",
    "Breakdown",
    "Card",
    "Deal",
    "Illegal",
    "Malformed",
    "NotNow",
    "Observation",
    "Play",
    "RulesError",
    "Seat",
    "Tally",
    "Tampered",
    "Turn",
    "Verified",
    "basra",
    "breakdown",
    "captures",
    "choices",
    "count",
    "fair",
    "legal",
    "observe",
    "parse_card",
    "parse_cards",
    "record",
    "search_for",
    "write_cards",
]
