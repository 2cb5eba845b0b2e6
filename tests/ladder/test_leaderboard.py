"""The leaderboards: who has a rank, pages, ties, the own row, search, and what is missing."""

import re
from datetime import timedelta

import pytest

from games.models import Follow, PlayerKind, clock
from games.selectors import people
from ladder.models import Rating
from ladder.selectors import leaderboard
from ladder.services import board as service
from tests.factories import person

pytestmark = pytest.mark.django_db

ROW = re.compile(
    r'<tr(?P<me> class="is-me")? data-player="(?P<name>[^"]+)" '
    r'data-rating="(?P<rating>\d+)">(?P<cells>.*?)</tr>',
    re.S,
)
RANK = re.compile(r'<span class="num">(\d+)</span>')
NEXT = re.compile(r'rel="next" href="([^"]+)"')
PREVIOUS = re.compile(r'rel="prev" href="([^"]+)"')


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


def walk(client, link=NEXT, query=""):
    """The rows of every page from here on, page by page."""
    pages = []
    while True:
        page = board(client, query)
        pages.append(rows(page))
        onward = link.search(page)
        if not onward:
            return pages
        query = onward[1].partition("#")[0]


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
    assert page.index("Hassan") < page.index("Without a rank") < page.index("Newcomer")
    assert '<td class="n">12</td><td class="n">3</td>' in page
    assert 'href="/players/nadia/"' in page


def test_what_is_missing_is_said(client, rated):
    rated("New", won=9)
    rated("Loyal", won=12)
    Rating.objects.filter(player__name="Loyal").update(opponents=2, listed=False)
    rated("Idle", won=12)
    long_ago = clock.now() - timedelta(days=15)
    Rating.objects.filter(player__name="Idle").update(last_at=long_ago)
    service.refresh()
    cells = {row["name"]: row["cells"] for row in ROW.finditer(board(client))}
    assert "1 more ranked match<" in cells["New"]
    assert "1 more opponent<" in cells["Loyal"]
    assert "a ranked match lately" in cells["Idle"]
    assert [rank for _name, _rating, rank in rows(board(client))] == [None] * 3


def test_equal_ratings_share_a_rank_the_older_account_first(client, rated):
    for name, rating in [("Dina", 1600), ("Amal", 1700), ("Basma", 1700), ("Farid", 1600)]:
        rated(name, rating, won=10)
    rated("Gamal", 1500, won=10)
    ranks = [(name, rank) for name, _rating, rank in rows(board(client))]
    assert ranks == [("Amal", 1), ("Basma", 1), ("Dina", 3), ("Farid", 3), ("Gamal", 5)]


@pytest.mark.parametrize("exact", [leaderboard.EXACT, 0], ids=["counted", "from the counts"])
def test_ties_over_the_edge_of_a_page(client, rated, monkeypatch, exact):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 5)
    monkeypatch.setattr(leaderboard, "EXACT", exact)
    rated("top", 1800, won=10)
    for number in range(12):
        rated(f"even{number:02}", 1600, won=10)
    gone = rated("gone", 1600, won=10)
    gone.kind = PlayerKind.CLOSED
    gone.save()
    rated("last", 1400, won=10)
    service.refresh()
    onward = walk(client)
    seen = [row for page in onward for row in page]
    assert [rank for _name, _rating, rank in seen] == [1] + [2] * 12 + [14]
    assert len({name for name, _rating, _rank in seen}) == 14
    last = NEXT.findall(board(client))[0]
    second = board(client, last)
    assert rows(board(client, PREVIOUS.search(second)[1])) == onward[0]


def test_nobody_is_missed_or_seen_twice_while_ratings_change(client, rated, monkeypatch):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 3)
    players = [rated(f"player{n}", 1600 - n, won=10) for n in range(9)]
    first = board(client)
    Rating.objects.filter(player=players[8]).update(rating=1700)
    onward = [row for page in walk(client, query=NEXT.search(first)[1]) for row in page]
    assert [name for name, _rating, _rank in onward] == [f"player{n}" for n in range(3, 8)]
    assert [rank for _name, _rating, rank in onward] == [5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    "query", ["?after=x", "?after=1_", "?before=-1", "?others-after=9", f"?after={'9' * 400}_1"]
)
def test_a_place_that_is_none_gives_the_first_page(client, rated, query):
    rated("Nadia", 1800, won=10)
    assert rows(board(client, query)) == [("Nadia", 1800, 1)]


def test_the_own_row_is_marked(client, rated):
    rated("Nadia", 1800, won=10)
    me = rated("Nour", 1700, won=10)
    marked = [row["name"] for row in ROW.finditer(board(client, player=me)) if row["me"]]
    assert marked == ["Nour"]


def test_the_own_row_and_its_neighbours_stand_below_another_page(client, rated, monkeypatch):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 2)
    for number in range(6):
        rated(f"better{number}", 1800 - number, won=10)
    me = rated("Nour", 1700, won=10)
    rated("behind", 1600, won=10)
    page = board(client, player=me)
    assert rows(page) == [
        ("better0", 1800, 1), ("better1", 1799, 2),
        ("better4", 1796, 5), ("better5", 1795, 6), ("Nour", 1700, 7), ("behind", 1600, 8),
    ]  # fmt: skip
    assert "gap-row" in page
    there = rows(board(client, "?me", me))
    assert ("Nour", 1700, 7) in there
    assert len(there) == 2


def test_those_without_a_rank_have_pages_too(client, rated, monkeypatch):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 2)
    for number in range(3):
        rated(f"newer{number}", 1800 - number, won=1)
    assert [len(page) for page in walk(client)] == [2, 1]


def test_closed_accounts_leave_it_at_once(client, rated):
    player = rated("Nadia", 1800, won=10)
    player.kind = PlayerKind.CLOSED
    player.save()
    assert "Nadia" not in board(client)


def test_a_search_finds_who_is_on_the_board_among_many_who_are_not(client, rated, monkeypatch):
    monkeypatch.setattr(people, "FOUND", 2)
    for name in ("Nora", "Norbu", "Nordik"):
        person(name)
    for name in ("Norgay", "Norzet"):
        rated(name, won=10)
    assert {name for name, *_rest in rows(board(client, "?q=nor"))} == {"Norgay", "Norzet"}


def test_search_finds_a_name_however_it_is_spelt(client, rated):
    rated("Ahmed", 1700, won=10)
    rated("أحمد", 1650, won=10)
    rated("Nadia", 1800, won=10)
    assert rows(board(client, "?q=AHM")) == [("Ahmed", 1700, 2)]
    assert rows(board(client, "?q=احم")) == [("أحمد", 1650, 3)]
    assert "Nobody with a rating is called that" in board(client, "?q=%00%25")


def test_the_change_since_a_week_ago(client, rated, later):
    one, two = rated("Amal", 1700, won=10), rated("Basma", 1600, won=10)
    service.refresh()
    later(days=7)
    Rating.objects.filter(player=two).update(rating=1800, last_at=clock.now())
    Rating.objects.filter(player=one).update(last_at=clock.now())
    service.refresh()
    cells = {row["name"]: row["cells"] for row in ROW.finditer(board(client))}
    assert "up 1 place in a week" in cells["Basma"]
    assert "down 1 place in a week" in cells["Amal"]


def test_the_last_matches_are_told(client, rated, beats):
    one, two = rated("Amal", 1700, won=10), rated("Basma", 1600, won=10)
    beats(one, two)
    beats(two, one)
    cells = {row["name"]: row["cells"] for row in ROW.finditer(board(client))}
    assert (
        'aria-label="won 1 of the last 2 matches"><i class="on"></i><i class=""></i>'
        in (cells["Amal"])
    )


def test_the_people_i_follow(client, rated):
    me, one = rated("Nour", 1700, won=10), rated("Amal", 1800, won=10)
    rated("Basma", 1750, won=10)
    Follow.objects.create(player=me, other=one)
    client.force_login(me)
    page = client.get("/leaderboard/following/").content.decode()
    assert rows(page) == [("Amal", 1800, 1), ("Nour", 1700, 3)]


def test_who_follows_nobody_is_shown_the_way_to_people(client, rated):
    client.force_login(rated("Nour", 1700, won=10))
    page = client.get("/leaderboard/following/").content.decode()
    assert rows(page) == []
    assert '<a class="btn btn-primary" href="/people/">' in page


@pytest.mark.parametrize(
    ("page", "marked"),
    [
        ("/", [("page", "/")]),
        ("/challenges/new/", [("true", "/")]),
        ("/leaderboard/", [("page", "/leaderboard/")]),
        ("/leaderboard/season/", [("true", "/leaderboard/")]),
        ("/leaderboard/following/", [("true", "/leaderboard/")]),
        ("/people/", []),
        ("/nothing/", []),
    ],
)
def test_a_page_marks_its_part_of_the_site(client, page, marked):
    client.force_login(person())
    navigation = client.get(page).content.decode().split('class="nav"')[1].split("</nav>")[0]
    found = re.findall(r'href="([^"]+)" aria-current="(\w+)"', navigation)
    assert [(how, where) for where, how in found] == marked


@pytest.mark.parametrize("key", ["x", "--5_3", "1500_" + "9" * 25, "²_1", "1500_", "%00"])
@pytest.mark.parametrize("page", ["/leaderboard/", "/leaderboard/season/"])
def test_a_place_made_up_is_the_first_page(client, page, key):
    for name in ("after", "before", "others-after", "others-before"):
        assert client.get(f"{page}?{name}={key}").status_code == 200


def test_a_stranger_follows_nobody(client):
    assert client.get("/leaderboard/following/").status_code == 302


def test_percentiles(rated):
    for number in range(10):
        rated(rating=1500 + number, won=10)
    service.refresh()
    assert leaderboard.share_below(1500) == 0
    assert leaderboard.share_below(1509) == 90


def test_the_number_of_queries_does_not_grow(
    client, rated, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(leaderboard, "PAGE_SIZE", 3)
    for number in range(9):
        rated(rating=1500 + number, won=10)
        rated(rating=1500 + number, won=1)
    me = rated("Nour", 1400, won=10)
    client.force_login(me)
    onward = NEXT.search(board(client))[1]
    with django_assert_max_num_queries(24):
        board(client, onward)
