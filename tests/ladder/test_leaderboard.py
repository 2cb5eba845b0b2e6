"""The leaderboard: sections, ranks, pages, the own row."""

import re

import pytest

from games.models import PlayerKind
from ladder.selectors import leaderboard
from tests.factories import person

pytestmark = pytest.mark.django_db

ROW = re.compile(
    r'<tr(?P<me> class="is-me")? data-player="(?P<name>[^"]+)" '
    r'data-rating="(?P<rating>\d+)">(?P<cells>.*?)</tr>',
    re.S,
)
RANK = re.compile(r'<span class="num">(\d+)</span>')


def board(client, query="", player=None):
    if player is not None:
        client.force_login(player)
    response = client.get("/leaderboard/" + query)
    assert response.status_code == 200
    return response.content.decode()


def rows(page):
    """(name, rating, rank or None) of every row, in the order of the page."""
    found = []
    for row in ROW.finditer(page):
        rank = RANK.search(row["cells"])
        found.append((row["name"], int(row["rating"]), int(rank[1]) if rank else None))
    return found


def test_an_empty_board_invites(client):
    page = board(client)
    assert rows(page) == []
    assert "the first place is free" in page


def test_sections_ranks_and_figures(client, rated):
    rated("Nadia", 1874, won=9, lost=1)
    rated("Hassan", 1822, won=12, lost=3)
    rated("Newcomer", 1900, won=9)
    person("Watcher")
    page = board(client)
    assert rows(page) == [("Nadia", 1874, 1), ("Hassan", 1822, 2), ("Newcomer", 1900, None)]
    assert page.index("Hassan") < page.index("Provisional") < page.index("Newcomer")
    assert '<td class="n">12</td><td class="n">3</td>' in page
    assert 'href="/players/nadia/"' in page


def test_equal_ratings_share_a_rank(client, rated):
    for name, rating in [("Dina", 1600), ("Amal", 1700), ("Basma", 1700), ("Farid", 1600)]:
        rated(name, rating, won=10)
    rated("Gamal", 1500, won=10)
    ranks = [(name, rank) for name, _rating, rank in rows(board(client))]
    assert ranks == [("Amal", 1), ("Basma", 1), ("Dina", 3), ("Farid", 3), ("Gamal", 5)]


def test_ties_over_the_edge_of_a_page(client, rated, monkeypatch):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 5)
    rated("top", 1800, won=10)
    for number in range(12):
        rated(f"even{number:02}", 1600, won=10)
    gone = rated("gone", 1600, won=10)
    gone.kind = PlayerKind.CLOSED
    gone.save()
    rated("last", 1400, won=10)
    seen = [row for page in (1, 2, 3) for row in rows(board(client, f"?page={page}"))]
    assert [rank for _name, _rating, rank in seen] == [1] + [2] * 12 + [14]
    assert len({name for name, _rating, _rank in seen}) == 14


@pytest.mark.parametrize("query", ["?page=99", "?page=x", "?page=-1", "?provisional=0"])
def test_a_page_that_is_none_gives_one_that_is(client, rated, query):
    rated("Nadia", 1800, won=10)
    assert rows(board(client, query)) == [("Nadia", 1800, 1)]


def test_the_own_row_is_marked(client, rated):
    rated("Nadia", 1800, won=10)
    me = rated("Nour", 1700, won=10)
    marked = [row["name"] for row in ROW.finditer(board(client, player=me)) if row["me"]]
    assert marked == ["Nour"]


def test_the_own_row_stands_below_another_page(client, rated, monkeypatch):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 2)
    for number in range(4):
        rated(f"better{number}", 1800, won=10)
        rated(f"newer{number}", 1800, won=1)
    me = rated("Nour", 1700, won=10)
    page = board(client, player=me)
    assert rows(page)[:3] == [("better0", 1800, 1), ("better1", 1800, 1), ("Nour", 1700, 5)]
    assert [name for name, _rating, _rank in rows(page)].count("Nour") == 1
    assert "gap-row" in page


def test_the_provisional_have_pages_too(client, rated, monkeypatch):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 2)
    for number in range(3):
        rated(f"newer{number}", 1800 - number, won=1)
    assert [name for name, _rating, _rank in rows(board(client, "?provisional=2"))] == ["newer2"]


def test_closed_accounts_leave_it(client, rated):
    player = rated("Nadia", 1800, won=10)
    player.kind = PlayerKind.CLOSED
    player.save()
    assert "Nadia" not in board(client)


def test_the_number_of_queries_does_not_grow(
    client, rated, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 3)
    for number in range(9):
        rated(rating=1500 + number, won=10)
        rated(rating=1500 + number, won=1)
    me = rated("Nour", 1400, won=10)
    client.force_login(me)
    with django_assert_max_num_queries(10):
        board(client, "?page=2")
