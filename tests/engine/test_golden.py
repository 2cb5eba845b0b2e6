"""Every golden vector: made by another program, so that both would have to be wrong alike."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from games.engine import (
    Card,
    Deal,
    Play,
    Tally,
    basra,
    breakdown,
    captures,
    count,
    fair,
    observe,
    parse_card,
)

GOLDEN = Path(__file__).parent.parent / "golden"


def cases(name: str) -> list[Any]:
    found = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return [pytest.param(case, id=str(case["id"])) for case in found]


def read(texts: Iterable[str]) -> frozenset[Card]:
    return frozenset(map(parse_card, texts))


def write(cards: Iterable[Card]) -> str:
    return " ".join(sorted(map(str, cards)))


def digest(deal: Deal) -> str:
    """As the format field of deals.json says."""
    (hand0, hand1), (pile0, pile1) = deal.hands, deal.piles
    line = ";".join(
        (
            f"floor={write(deal.floor)}",
            f"hand0={write(hand0)}",
            f"hand1={write(hand1)}",
            f"pile0={write(pile0)}",
            f"pile1={write(pile1)}",
            f"basras={deal.basras[0]},{deal.basras[1]}",
            f"jackbasras={deal.jack_basras[0]},{deal.jack_basras[1]}",
            f"stock={len(deal.stock)}",
            f"turn={'-' if deal.turn is None else deal.turn}",
            f"last={'-' if deal.last_capture is None else deal.last_capture}",
        )
    )
    return hashlib.sha256(line.encode()).hexdigest()[:16]


@pytest.mark.parametrize("case", cases("captures"))
def test_captures(case: dict[str, Any]) -> None:
    floor, card = read(case["floor"]), parse_card(case["card"])
    found = captures(floor, card)
    expected = dict(zip(map(read, case["options"]), case["kinds"], strict=True))
    assert {taken: basra(floor, card, taken).value for taken in found} == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize("case", cases("deals"))
def test_deals(case: dict[str, Any]) -> None:
    deal = Deal.start(map(parse_card, case["deck"]), case["dealer"])
    start = case["start"]
    assert [read(hand) for hand in start["hands"]] == list(deal.hands)
    assert (read(start["floor"]), start["stock"]) == (deal.floor, len(deal.stock))
    assert len(deal.under) == case["replaced"]
    assert digest(deal) == start["digest"]
    for step in case["plays"]:
        assert deal.turn == step["seat"]
        play = Play(parse_card(step["card"]), read(step["captured"]))
        assert play in deal.legal()
        deal = deal.play(play, step["seat"])
        assert deal.history[-1] == (step["seat"], play, step["kind"])
        assert deal.floor == read(step["floor"])
        assert digest(deal) == step["digest"]
        assert Deal.parse(deal.text()) == deal
    end = case["count"]
    assert deal.over
    assert (deal.swept, deal.last_capture) == (read(case["swept"]), end["last"])
    assert list(count(deal)) == end["points"]
    for seen in (deal, observe(deal, None)):
        lines = breakdown(seen)
        assert [line.cards for line in lines] == end["cards"]
        assert [line.basras for line in lines] == end["basras"]
        assert [line.jack_basras for line in lines] == end["jack_basras"]
        assert [line.points for line in lines] == end["points"]


@pytest.mark.parametrize("case", cases("shuffle"))
def test_shuffle(case: dict[str, Any]) -> None:
    seed, match, seeds = bytes.fromhex(case["server_seed"]), case["match"], case["client_seeds"]
    assert fair.commitment(seed) == case["commitment"]
    assert fair.first_dealer(seed, match, seeds) == case["first_dealer"]
    for deal, pack in case["packs"].items():
        assert [str(card) for card in fair.pack(seed, match, seeds, int(deal))] == pack


@pytest.mark.parametrize("case", cases("matches"))
def test_matches(case: dict[str, Any]) -> None:
    tally = Tally(case["target"], case["first_dealer"])
    for points, dealer, totals in zip(case["deals"], case["dealers"], case["totals"], strict=True):
        assert (tally.winner, tally.dealer) == (None, dealer)
        tally = tally.add(points)
        assert list(tally.totals) == totals
    assert tally.winner == case["winner"]
