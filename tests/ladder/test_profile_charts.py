"""The charts and figures of a player's page: drawn on the server, told as tables, and bounded."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import MatchDeal, Seat
from ladder.models import Rating, RatingChange
from ladder.selectors import course, figures, spread
from ladder.services import board, restitution
from tests.factories import dealt, play_on
from tests.ladder.pages import a_career, cells, page_of, part

pytestmark = pytest.mark.django_db


def test_the_rating_over_matches_is_drawn_and_told_as_a_table(client, rated, beats):
    one, two = rated("Nour"), rated("Salma")
    for winner, loser in ((one, two), (one, two), (two, one)):
        beats(winner, loser)
    chart = part(page_of(client, "Nour"), "course-title")
    ratings = list(one.rating_changes.values_list("after", flat=True).order_by("id"))
    summary = f"from 1500 to {ratings[-1]}, highest {ratings[1]}, lowest 1500"
    assert f'role="img" aria-label="Rating over 3 matches: {summary}"' in chart
    assert len(re.search(r'<polyline class="line" points="([^"]+)"', chart)[1].split()) == 4
    assert [row[::2] for row in cells(chart)] == [
        ["start", "1500"],
        *[[str(number), str(rating)] for number, rating in enumerate(ratings, start=1)],
    ]
    assert "style=" not in chart


def test_it_is_drawn_over_time_too(client, rated):
    nour = rated("Nour")
    a_career(nour, rated(), [1510, 1520, 1530, 1520])
    change = RatingChange.objects.filter(player=nour).earliest("id")
    by_match, by_time = (
        part(client.get("/players/nour/" + query).content.decode(), "course-title")
        for query in ("", "?over=time")
    )
    lines = [re.search(r'class="line" points="([^"]+)"', chart)[1] for chart in (by_match, by_time)]
    assert lines[0].split()[1].startswith("150,")  # a quarter of the way
    assert lines[1].split()[1].startswith("0,")  # the first match ends when the chart begins
    assert re.search(r'id="over-time"[^>]*aria-current="true"', by_time)
    assert f"{change.created_at:%Y}" in by_time


def test_a_long_career_is_thinned_and_keeps_its_ends_and_extremes(rated):
    nour, ratings = rated("Nour"), [1500 + number % 7 for number in range(1, 1001)]
    ratings[333], ratings[777] = 1900, 1100
    a_career(nour, rated(), ratings)
    found = course.course_of(nour)
    assert len(found.points) <= course.MOST + 4
    assert found.thinned
    assert (found.points[0].rating, found.points[0].matches) == (1500, 0)
    assert (found.now.rating, found.matches) == (ratings[-1], 1000)
    assert (found.highest.matches, found.highest.rating) == (334, 1900)
    assert (found.lowest.matches, found.lowest.rating) == (778, 1100)
    gaps = [b.matches - a.matches for a, b in zip(found.points, found.points[1:], strict=False)]
    assert max(gaps) <= 5


def test_refunds_and_annulments_are_steps_of_the_chart_and_no_matches(client, rated, beats):
    one, two = rated("Nour", won=20), rated("Salma", won=20)
    match = beats(one, two)
    beats(two, one)
    restitution.annul(match)
    found = course.course_of(one)
    row = Rating.objects.get(player=one)
    assert (found.matches, found.now.rating) == (2, row.rating)
    assert [point.matches for point in found.points] == [0, 1, 2, 2]


def test_all_ratings_are_spread_with_this_one_marked_by_shape_and_word(client, rated):
    for rating in (1401, 1449, 1450, 1512, 1549, 1549):
        rated("", rating, won=10)
    rated("Nour", 1512, won=10)
    board.refresh()
    chart = part(page_of(client, "Nour"), "spread-title")
    assert "Ratings of 7 ranked players; most have 1500 to 1549, and Nour has 1512" in chart
    assert cells(chart) == [
        ["1400–1449", "2"], ["1450–1499", "1"], ["1500–1549 Nour", "4"], ["1550–1599", "0"],
    ]  # fmt: skip
    assert re.findall(r"<span>(\d+)</span>", chart) == ["1400", "1600"]
    assert '<path class="pin" ' in chart
    assert re.search(r"<text [^>]*>Nour</text>", chart)


def test_the_readers_own_place_is_marked_too(client, rated):
    rated("Nour", 1512, won=10)
    me = rated("Salma", 1430, won=1)  # without a rank, and the bars reach to it
    board.refresh()
    chart = part(page_of(client, "Nour", me), "spread-title")
    assert cells(chart)[:3] == [
        ["1400–1449 you", "0"], ["1450–1499", "0"], ["1500–1549 Nour", "1"],
    ]  # fmt: skip
    own = part(page_of(client, "Salma", me), "spread-title")
    assert "A rating without a rank is marked" in own


def test_many_different_ratings_make_wide_bars(rated):
    for rating in (60, 100, 1999, 2000):
        rated("", rating, won=10)
    board.refresh()
    found = spread.spread_with([-30])
    assert [bar.width for bar in found.bars] == [100] * 28
    assert (found.low, found.high, found.players) == (-400, 2400, 4)
    assert [bar.players for bar in found.bars if bar.players] == [1, 1, 1, 1]
    assert [bar.low for bar in found.bars if bar.holds(-30)] == [-100]


# ------------------------------------------------------------------------------------ the figures


def test_points_and_basras_by_seat_are_those_of_the_counts(client, rated):
    one, two = rated("Nour"), rated("Salma")
    for players in ((one, two), (two, one), (one, two)):
        play_on(dealt(players=list(players), target=51))
    sums = {True: [0, 0, 0], False: [0, 0, 0]}
    matches = {True: [0, 0], False: [0, 0]}
    for seat in Seat.objects.filter(player=one).select_related("match"):
        match = seat.match
        matches[match.first_dealer == seat.seat][match.winner != seat.seat] += 1
        for deal in MatchDeal.objects.filter(match=match, points_0__isnull=False):
            side = sums[deal.dealer == seat.seat]
            made = sum(deal.tally[kind][seat.seat] for kind in ("basras", "jack_basras"))
            for place, more in enumerate((1, (deal.points_0, deal.points_1)[seat.seat], made)):
                side[place] += more
    found = figures.figures_of(one)
    for dealing, side in ((True, found.dealing), (False, found.leading)):
        assert [side.deals, side.points, side.basras] == sums[dealing]
        assert [side.won, side.lost] == matches[dealing]
    assert found.matches == 3
    assert found.both.won + found.both.lost == 3
    table = cells(part(page_of(client, "Nour"), "figures-title"))
    assert [row[0].split()[0] for row in table] == ["Dealing", "Leading", "Both"]
    assert table[0][1] == f"{sums[True][1] / sums[True][0]:.1f}"


def test_matches_without_a_counted_deal_give_no_figures(client, rated, beats):
    beats(rated("Nour"), rated("Salma"))
    assert "figures-title" not in page_of(client, "Nour")


def test_thousands_of_matches_cost_no_more_queries_and_few_more_rows(client, rated, beats):
    few, many, viewer = rated("Nour", won=30), rated("Salma", won=30), rated("Omar", won=30)
    for player in (few, many):
        beats(player, viewer)
    board.refresh()
    before = queries_of(client, "Nour", viewer)
    a_career(many, viewer, [1500 + number % 9 for number in range(1, 2001)])
    after = queries_of(client, "Salma", viewer)
    assert len(before) <= 26
    assert len(after) <= len(before)
    assert max(rows_read(query) for query in after) <= course.MOST + 3


def queries_of(client, name, viewer):
    """The queries that a page takes."""
    page_of(client, name, viewer)
    with CaptureQueriesContext(connection) as captured:
        page_of(client, name)
    return [query["sql"] for query in captured.captured_queries]


def rows_read(query):
    """How many rows a query gives."""
    if not query.startswith("SELECT"):
        return 0
    with connection.cursor() as cursor:
        cursor.execute(query)
        return len(cursor.fetchall())
