"""Hints in practice: who may have one, what it costs, and what it may know."""

import re
from random import Random

import pytest

from games.ai.search import think
from games.engine import observe
from games.models import Kind, Match, Status, Unrated
from games.services import play, thinking
from tests.factories import deal_of, dealt, house, person, play_on
from tests.tables import choice_practice

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def search(monkeypatch) -> list:
    """The real search, in this process and short; what it was asked."""
    asked = []

    def in_place(seen, seed):
        asked.append((seen, seed))
        return think(seen, Random(seed), iterations=40)

    monkeypatch.setattr(thinking, "think", in_place)
    return asked


def at_turn(kind: str = Kind.PRACTICE, **extra: object) -> tuple[Match, object]:
    """A match in which it is somebody's turn who is a person, and that person."""
    match = dealt(kind, [person(**extra), house() if kind == Kind.PRACTICE else person()])
    match = play_on(match, 3)
    while match.turn != 0:
        match = play_on(match, 1)
    return match, match.seats.select_related("player").get(seat=0).player


def ask(client, match: Match, **form: str) -> object:
    return client.post(f"/games/{match.id}/hint/", form)


def test_the_first_hint_says_what_it_costs_and_then_costs_it(client, search):
    match, player = at_turn()
    client.force_login(player)
    asked = ask(client, match)
    assert "With a hint this match will not be rated." in asked.content.decode()
    assert not search
    assert Match.objects.get(pk=match.pk).unrated == ""
    told = ask(client, match, agreed="1").content.decode()
    now = Match.objects.get(pk=match.pk)
    assert (now.unrated, now.version, now.number) == (
        Unrated.HINT, match.version + 1, match.number,
    )  # fmt: skip
    seen = observe(deal_of(match), 0)
    best = think(seen, Random(search[0][1]), iterations=40).play
    assert f'data-play="{best}"' in told
    assert "is-hinted" in told


def test_later_hints_are_one_tap_and_the_same_turn_has_one_answer(client, search):
    match, player = at_turn()
    client.force_login(player)
    answers = [ask(client, match, agreed="1"), ask(client, match), ask(client, match)]
    assert {answer.status_code for answer in answers} == {200}
    assert len(set(search)) == 1  # the same position, the same generator
    version = Match.objects.get(pk=match.pk).version
    assert version == match.version + 1
    match = play_on(match, 2)
    ask(client, match)
    assert len({seed for _seen, seed in search}) == 2


@pytest.mark.parametrize("confirms", [False, True])
def test_the_hinted_capture_is_marked_among_the_choices(client, confirms):
    where, _session = choice_practice(confirm_play=confirms)
    match = Match.objects.get(pk=where)
    client.force_login(match.seats.get(seat=0).player)
    told = ask(client, match, agreed="1").content.decode()
    six = {"number": match.number, "card": "6s"}
    ways = re.findall(r'data-capture="([^"]+)"', choosing(client, match, six))
    assert len(ways) == 2
    for way in ways:
        page = choosing(client, match, six | {"hint-6s": way})
        assert re.findall(r'is-hinted"[^>]+data-capture="([^"]+)"', page) == [way]
        assert page.count(", as the hint says") == 1
    assert "as the hint says" not in choosing(client, match, six | {"hint-Kc": ways[0]})
    card, _colon, took = re.search(r'data-play="([^"]+)"', told)[1].partition(":")
    assert (f'name="hint-{card}" value="{took}"' in told) == bool(took)


def choosing(client, match: Match, form: dict) -> str:
    page = client.post(f"/games/{match.id}/", form).content.decode()
    return page[page.index('id="choices"') :]


def test_a_rated_match_with_a_hint_moves_no_rating(client):
    match, player = at_turn()
    client.force_login(player)
    ask(client, match, agreed="1")
    play_on(match)
    match = Match.objects.get(pk=match.pk)
    assert (match.status, match.unrated) == (Status.FINISHED, Unrated.HINT)
    page = client.get(f"/games/{match.id}/").content.decode()
    assert "a hint was used" in page
    assert "rating-change" not in page


def test_a_guest_is_not_asked_for_what_costs_nothing(client):
    match, player = at_turn(kind=Kind.PRACTICE)
    Match.objects.filter(pk=match.pk).update(unrated=Unrated.GUEST)
    client.force_login(player)
    assert b"data-play" in ask(client, match).content
    assert Match.objects.get(pk=match.pk).unrated == Unrated.GUEST


@pytest.mark.parametrize("kind", [Kind.RANKED, Kind.CHALLENGE])
def test_never_where_people_play_each_other(client, search, kind):
    match, player = at_turn(kind)
    client.force_login(player)
    assert ask(client, match, agreed="1").status_code == 409
    assert Match.objects.get(pk=match.pk).unrated == match.unrated
    assert not search
    assert b'data-action="hint"' not in client.get(f"/games/{match.id}/").content


def test_strangers_get_none(client, search):
    match, _player = at_turn()
    assert ask(client, match, agreed="1").status_code == 404
    client.force_login(person(is_staff=True, is_superuser=True))
    assert ask(client, match, agreed="1").status_code == 404
    assert ask(client, Match(id="nothing-here"), agreed="1").status_code == 404
    assert not search
    assert Match.objects.get(pk=match.pk).unrated == ""


def test_none_out_of_turn_before_the_deal_or_after_the_end(client, search):
    match, player = at_turn()
    client.force_login(player)
    play_on(match, 1)
    assert ask(client, match, agreed="1").status_code == 409
    play.resign(match_id=match.id, player=player)
    assert ask(client, match, agreed="1").status_code == 409
    assert Match.objects.get(pk=match.pk).unrated == ""
    starting = play.start(kind=Kind.PRACTICE, players=[player, house("novice")])
    assert ask(client, starting, agreed="1").status_code == 409
    assert not search


def test_a_tab_that_lags_behind_gets_the_hint_of_the_turn_that_is(client):
    match, player = at_turn()
    client.force_login(player)
    ask(client, match, agreed="1")
    match = play_on(match, 2)
    told = ask(client, match).content.decode()
    assert f'data-number="{match.number}"' in told
    assert "data-play" in told


def test_a_thought_that_does_not_come_is_a_sentence(client, monkeypatch):
    match, player = at_turn()
    client.force_login(player)

    def nothing(*_question):
        raise thinking.NoAnswer("gone")

    monkeypatch.setattr(thinking, "think", nothing)
    answer = ask(client, match, agreed="1")
    assert answer.status_code == 409
    assert b"ask again" in answer.content
