"""``seed_demo``: a believable ladder, whole in its ledger, whose order is that of the strengths."""

import pytest
from django.core.management import CommandError, call_command

from games.models import Match
from ladder.models import Rating, RatingChange
from ladder.services import demo, recompute
from tests.factories import dealt

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder():
    """150 players with 30 matches each, on average."""
    players = demo.make_players(150)
    demo.make_matches(players, 2250)
    return players


def ranks(values: list[float]) -> list[float]:
    """The rank of each value; equal ones share the mean."""
    inturn = sorted(values)
    first = {value: inturn.index(value) for value in set(values)}
    return [first[value] + (values.count(value) - 1) / 2 for value in values]


def spearman(ones: list[float], twos: list[float]) -> float:
    """Spearman's rank correlation: Pearson's, of the ranks."""
    xs, ys = ranks(ones), ranks(twos)
    mean = (len(xs) - 1) / 2
    moment = sum((x - mean) * (y - mean) for x, y in zip(xs, ys, strict=True))
    spread = [sum((v - mean) ** 2 for v in values) for values in (xs, ys)]
    return moment / (spread[0] * spread[1]) ** 0.5


def test_spearman_is_what_it_says():
    assert spearman([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)


def test_the_order_is_that_of_the_hidden_strengths(ladder):
    hidden = demo.strengths(len(ladder), 1)
    ratings = {row.player_id: row.rating for row in Rating.objects.all()}
    assert spearman(hidden, [ratings[player.pk] for player in ladder]) > 0.9


def test_the_ledger_is_whole(ladder):
    assert RatingChange.objects.count() == 2 * Match.objects.filter(simulated=True).count() == 4500
    found = recompute.survey()
    assert found.clean, found


def test_the_same_seed_gives_the_same_ladder():
    assert demo.strengths(5, 7) == demo.strengths(9, 7)[:5]
    assert [player.name for player in demo.make_players(3, 7)] == [
        player.name for player in demo.make_players(3, 7)
    ]


def test_a_simulated_match_says_so_and_offers_nothing_to_check(ladder, client):
    match = Match.objects.first()
    page = client.get(match.get_absolute_url()).content.decode()
    assert "A simulated result" in page
    assert "record.json" not in page
    assert client.get(f"/games/{match.pk}/record.json").status_code == 404
    call_command("verify_matches")


def test_it_goes_where_nobody_plays_only(ladder):
    with pytest.raises(CommandError, match="demonstration already"):
        call_command("seed_demo", players=150, matches=3000)
    call_command("seed_demo", players=150, matches=2250)


def test_people_who_play_are_left_alone():
    dealt()
    with pytest.raises(CommandError, match="People have played"):
        call_command("seed_demo", players=10, matches=10)


def test_a_sketch_fills_the_board(client):
    call_command("seed_demo", players=200, matches=0, sketch=True)
    assert Rating.objects.filter(listed=True).count() > 100
    assert "data-player" in client.get("/leaderboard/").content.decode()
