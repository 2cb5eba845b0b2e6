"""A player's page."""

import pytest
from django.utils.html import strip_tags

from games.models import Kind, PlayerKind
from games.services import play
from tests.factories import a_match, dealt, house, person

pytestmark = pytest.mark.django_db


def page_of(client, name, viewer=None):
    if viewer is not None:
        client.force_login(viewer)
    response = client.get(f"/players/{name}/")
    assert response.status_code == 200
    return response.content.decode()


def words(page):
    """The text that is read on a page."""
    return " ".join(strip_tags(page).split())


def test_rating_figures_and_matches(client, beats):
    one, two = person("Nour"), person("Salma")
    match = beats(one, two)
    page = page_of(client, "Nour")
    assert "<dd>1516</dd>" in page
    assert "Rating, provisional" in page
    assert "9 more ranked matches" in page
    assert f'href="/games/{match.id}/"' in page
    assert 'href="/players/salma/"' in page
    assert "+16" in page
    assert "by resignation" in page
    assert "1500 → 1516" in page


def test_a_settled_rating_has_a_rank(client, rated):
    rated("Nadia", 1800, won=10)
    rated("Nour", 1700, won=10)
    page = page_of(client, "Nour")
    assert "<dt>Rank</dt><dd>2</dd>" in page
    assert "provisional" not in page


@pytest.mark.parametrize("spelling", ["nour", "NOUR", " Nour"])
def test_any_spelling_finds_it(client, spelling):
    person("Nour")
    assert "<bdi>Nour</bdi>" in page_of(client, spelling)


def test_an_unknown_name_is_not_found(client):
    assert client.get("/players/nobody/").status_code == 404


def test_a_closed_account_is_not_found_nor_named(client, beats):
    one, two = person("Nour"), person("Salma")
    beats(one, two)
    two.kind = PlayerKind.CLOSED
    two.save()
    assert client.get("/players/Salma/").status_code == 404
    page = page_of(client, "Nour")
    assert "Salma" not in page
    assert "closed account" in page


def test_a_house_player_is_a_computer_without_a_rating(client):
    computer = house()
    page = page_of(client, computer.name_key)
    assert "computer</span>" in page
    assert "<dt>Rating" not in page


def test_practice_is_in_the_own_list_only(client):
    match = dealt(Kind.PRACTICE)
    player = match.seats.get(seat=0).player
    play.resign(match_id=match.id, player=player)
    assert match.id not in page_of(client, player.name_key)
    own = page_of(client, player.name_key, viewer=player)
    assert match.id in own
    assert "computer</span>" in own


def test_an_aborted_match_says_so_and_moves_nothing(client):
    match = a_match()
    player = match.seats.get(seat=0).player
    play.abort(match_id=match.id, player=player)
    page = page_of(client, player.name_key)
    assert ">aborted<" in page
    assert 'class="delta' not in page


def test_unequal_changes_are_explained_by_each_sides_k(client, rated, beats):
    newcomer, veteran = rated("Nour", won=3), rated("Salma", won=30)
    beats(newcomer, veteran)
    for name in ("Nour", "Salma"):
        page = words(page_of(client, name))
        assert "with K 16" in page
        assert "with K 32" in page
    assert "Salma −8 with K 16 won" in words(page_of(client, "Nour"))


def test_equal_changes_are_not_explained(client, rated, beats):
    beats(rated("Nour", 1500, won=3), rated("Salma", 1700, won=3))
    assert "with K" not in page_of(client, "Nour")


def test_the_floor_is_explained(client, rated, beats):
    beats(rated("Nour", 104), rated("Salma", 104))
    for name in ("Nour", "Salma"):
        page = words(page_of(client, name))
        assert "with K 32, held at 100" in page
        assert "+16" in page
        assert "−4" in page


def test_twenty_matches_in_bounded_queries(client, rated, beats, django_assert_max_num_queries):
    one, two = rated("Nour", won=30), rated(won=30)
    matches = [beats(one, two) for _ in range(21)]
    client.force_login(two)
    with django_assert_max_num_queries(9):
        page = page_of(client, "Nour")
    assert sum(match.id in page for match in matches) == 20
    assert matches[0].id not in page
