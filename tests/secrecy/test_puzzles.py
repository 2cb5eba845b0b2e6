"""A puzzle shows what its player saw, and nothing of what was hidden from them."""

import json
import re
from datetime import timedelta
from random import Random

import pytest
from django.test import Client

from games.ai.heuristic import options
from games.ai.search import Thought, Valued
from games.engine import Deal, observe
from games.models import Puzzle
from games.selectors import puzzles as selector
from games.services import play, puzzles, thinking
from tests.factories import dealt, person, play_on
from tests.secrecy.test_match import cards_told, swapped

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle(monkeypatch: pytest.MonkeyPatch) -> Puzzle:
    """Today's puzzle, out of the one real match that there is."""

    def think(seen, _seed, _iterations, _least):
        found = [option.play for option in options(seen)]
        valued = [Valued(made, 20.0 if n == 0 else 0.0, 1) for n, made in enumerate(found)]
        return Thought(found[0], tuple(valued), 1)

    monkeypatch.setattr(thinking, "think", think)
    monkeypatch.setattr(puzzles, "FEW", 1)
    match = play_on(dealt(), 60)
    play.resign(match_id=match.id, player=match.seats.select_related("player").first().player)
    chosen = puzzles.choose(selector.today(), Random(2))
    assert chosen.match_id == match.id
    return chosen


def position_in(puzzle: Puzzle) -> tuple[Deal, set[str]]:
    """The deal at the puzzle's position, and every card that its player had seen by then."""
    row = puzzle.match.deals.get(index=puzzle.deal)
    record = [f"{p.card}:{p.captured}".rstrip(":") for p in _plays(puzzle)]
    text = f"1;{row.dealer};{row.pack.replace(' ', '')};{' '.join(record)}"
    deal = Deal.parse(text)
    seen = observe(deal, deal.turn)
    cards = seen.hand | seen.opening | set(seen.under)
    cards |= {turn.play.card for turn in seen.history}
    return deal, {str(card) for card in cards}


def _plays(puzzle: Puzzle) -> list:
    rows = puzzle.match.plays.filter(deal=puzzle.deal).order_by("number")
    return list(rows[: puzzle.place])


def pages(client: Client, puzzle: Puzzle) -> list[str]:
    """Every page that has to do with the puzzle."""
    here = puzzle.get_absolute_url()
    paths = ["/puzzle/", "/puzzle/archive/", "/", here]
    paths += [f"{here}?card={card}" for card in puzzle.position["hand"]]
    answers = [client.get(path) for path in paths]
    answers += [client.get(here, headers={"HX-Request": "true"})]
    answers += [client.post(here, {"card": "Zz"})]
    return [answer.content.decode() + str(answer.headers) for answer in answers]


def test_no_hidden_card_is_sent_before_the_answer_nor_after_it(puzzle, client):
    deal, open_cards = position_in(puzzle)
    hidden = {str(c) for c in (*deal.hands[1 - deal.turn], *deal.stock)} - open_cards
    assert hidden
    card, _colon, capture = puzzle.plays[1]["play"].partition(":")
    names = [seat.player.name for seat in puzzle.match.seats.select_related("player")]
    for player in (None, person()):
        if player:
            client.force_login(player)
        before = pages(client, puzzle)
        answer = client.post(puzzle.get_absolute_url(), {"card": card, "capture": capture})
        assert answer.status_code == 302
        after = pages(client, puzzle)
        for text in (*before, *after):
            assert not cards_told(text) & hidden
        for text in before:
            assert puzzle.match_id not in text.replace(_watched(text), "")
            assert not any(name in text for name in names)
            assert "data-play" not in text
        assert any(puzzle.match_id in text for text in after)


def _watched(text: str) -> str:
    """The lobby's own lists of matches have nothing to do with the puzzle."""
    return "".join(re.findall(r'<section class="panel" id="lobby-live".*?</section>', text, re.S))


def test_what_is_kept_holds_nothing_that_was_hidden(puzzle):
    deal, open_cards = position_in(puzzle)
    row = Puzzle.objects.filter(pk=puzzle.pk).values("key", "position", "plays").get()
    assert cards_told(json.dumps(row)) <= open_cards
    other = swapped(deal, deal.turn)
    assert other != deal
    kept = selector.drawn(observe(deal, deal.turn))
    assert kept == puzzle.position == selector.drawn(observe(other, deal.turn))


def test_a_match_that_runs_gives_no_puzzle(puzzle):
    running = play_on(dealt(), 60)
    assert running.id not in puzzles._matches().values_list("pk", flat=True)
    assert list(puzzles._of_match(running.id)) == []
    tomorrow = puzzles.choose(selector.today() + timedelta(days=1), Random(3))
    assert tomorrow.match_id is None


def test_a_puzzle_of_a_day_to_come_is_not_to_be_had(puzzle, client):
    Puzzle.objects.filter(pk=puzzle.pk).update(day=selector.today() + timedelta(days=1))
    puzzle.refresh_from_db()
    assert client.get(puzzle.get_absolute_url()).status_code == 404
    for path in ("/puzzle/", "/puzzle/archive/", "/"):
        text = client.get(path).content.decode()
        assert puzzle.get_absolute_url() not in text
        assert not cards_told(text)
