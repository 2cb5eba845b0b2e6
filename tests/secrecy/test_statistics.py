"""The public statistics tell nothing of a match that runs."""

import re

import pytest

from games.models import Kind, Match, MatchDeal, Status, Uncounted
from games.models.sealing import unseal
from games.services import play, statistics
from tests.factories import dealt, person, play_on
from tests.secrecy.test_match import cards_told, swapped

pytestmark = pytest.mark.django_db
PATHS = ("/fairness/", "/fairness/positions.svg", "/fairness/positions.csv")


def all_that_is_public(client) -> str:
    """What everybody is sent, but for what changes with each request and with the time."""
    text = "\n".join(client.get(path).content.decode() for path in PATHS)
    text = re.sub(r'"X-CSRFToken": "[^"]*"|"csrfmiddlewaretoken" value="[^"]*"', "", text)
    return re.sub(r'<time class="num"><bdi dir="ltr">[^<]*</bdi></time>', "", text)


def finished() -> Match:
    match = dealt()
    play.resign(match_id=match.id, player=match.seats.select_related("player").first().player)
    return match


@pytest.mark.parametrize("kind", [Kind.RANKED, Kind.PRACTICE])
def test_nothing_changes_until_a_match_is_over(client, kind):
    finished()
    statistics.count_shuffles()
    match = dealt(kind, target=151)
    before = all_that_is_public(client)
    while match.deal == 1:
        match = play_on(match, 1)
        statistics.count_shuffles()
    match = play_on(match, 7)
    statistics.count_shuffles()
    assert match.status == Status.PLAYING
    assert MatchDeal.objects.get(match=match, index=1).pack
    assert all_that_is_public(client) == before
    seat = match.seats.select_related("player").order_by("seat").first()
    play.resign(match_id=match.id, player=seat.player)
    assert all_that_is_public(client) == before
    statistics.count_shuffles()
    assert all_that_is_public(client) != before


def test_another_pack_of_a_running_match_makes_no_difference(client):
    finished()
    match = play_on(dealt(), 5)
    Uncounted.objects.create(match=match)
    sealed = unseal(Match.objects.get(pk=match.pk).sealed)
    seen = []
    for deal in (sealed.deal, swapped(sealed.deal, 0), swapped(sealed.deal, 1)):
        text = type(sealed)(sealed.server_seed, deal).seal()
        Match.objects.filter(pk=match.pk).update(sealed=text)
        statistics.count_shuffles()
        seen.append(all_that_is_public(client))
    assert seen[0] == seen[1] == seen[2]


def test_the_page_names_no_card_and_no_match(client):
    match = finished()
    statistics.count_shuffles()
    running = dealt()
    client.force_login(person(is_staff=True, is_superuser=True))
    text = client.get("/fairness/").content.decode()
    assert not cards_told(text)
    assert match.id not in text
    assert running.id not in all_that_is_public(client)


def test_the_own_list_of_a_running_match_tells_no_card(client):
    match = play_on(dealt(), 9)
    for seat in match.seats.select_related("player"):
        client.force_login(seat.player)
        text = client.get("/games/").content.decode()
        assert match.id in text
        assert not cards_told(text)
        assert unseal(match.sealed).server_seed.hex() not in text
        assert b"".join(client.get("/games/records.jsonl")) == b""
