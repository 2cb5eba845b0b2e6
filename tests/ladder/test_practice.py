"""Practice ratings: a person's alone moves, against a rating that is fixed."""

import pytest

from games import ports
from games.models import How, Kind, Level, Match, Player, PlayerKind, Unrated, clock
from games.services import play
from ladder import elo
from ladder.models import Pool, Rating, RatingChange
from ladder.services import rating
from tests.factories import dealt, house, person, play_on

pytestmark = pytest.mark.django_db


def practised(player: Player, level: str = Level.REGULAR, *, won: bool = False) -> Match:
    """A practice match that is over; the house player resigns only here."""
    computer = house(level)
    match = dealt(Kind.PRACTICE, players=[player, computer])
    play.resign(match_id=match.id, player=computer if won else player)
    return Match.objects.get(pk=match.pk)


@pytest.mark.parametrize("level", Level.values)
def test_the_person_moves_against_the_fixed_rating(level):
    one = person()
    match = practised(one, level, won=True)
    (row,) = RatingChange.objects.all()
    assert (row.player, row.opponent, row.match) == (one, house(level), match)
    assert (row.pool, row.score, row.k) == (Pool.PRACTICE, 1, 32)
    assert (row.opponent_rating, row.opponent_matches) == (elo.HOUSE[level], None)
    assert row.after == elo.new_rating(1500, elo.HOUSE[level], 1, 32)
    (kept,) = Rating.objects.all()
    assert (kept.player, kept.pool, kept.rating) == (one, Pool.PRACTICE, row.after)
    assert (kept.matches, kept.won, kept.opponents, kept.listed) == (1, 1, 1, False)


def test_however_it_ended(monkeypatch):
    one = person()
    on_points = play_on(dealt(Kind.PRACTICE, players=[one, house()]))
    assert on_points.how == How.POINTS
    assert RatingChange.objects.filter(match=on_points).count() == 1
    match = dealt(Kind.PRACTICE, players=[one, house()])
    monkeypatch.setattr(clock, "now", lambda: match.deadline + 2 * clock.GRACE)
    play.expire_turn(match_id=match.id)
    assert Match.objects.get(pk=match.pk).how == How.TIME
    assert RatingChange.objects.filter(match=match).count() == 1


def test_k_and_floor_are_those_of_ranked_play_by_the_practice_matches():
    one = person()
    Rating.objects.create(player=one, rating=2000, matches=100, won=100)
    Rating.objects.create(player=one, pool=Pool.PRACTICE, rating=104, matches=29, lost=29)
    practised(one, Level.NOVICE)
    assert Rating.objects.get(player=one, pool=Pool.PRACTICE).rating == 104  # −0.08
    for _match in range(2):
        practised(one, Level.NOVICE, won=True)
    assert [row.k for row in RatingChange.objects.order_by("id")] == [32, 16, 16]
    assert Rating.objects.get(player=one, pool=Pool.RANKED).rating == 2000


def test_the_cap_is_not_for_practice():
    """A house player counts no matches, and is no new account."""
    one = person()
    Rating.objects.create(player=one, pool=Pool.PRACTICE, rating=1000, matches=30, lost=30)
    for _match in range(9):
        practised(one, won=True)
    assert Rating.objects.get(player=one).rating > 1100
    assert not RatingChange.objects.filter(cut__gt=0).exists()


def test_a_guest_has_no_rating(client):
    guest = person(kind=PlayerKind.GUEST)
    match = practised(guest)
    assert match.unrated == Unrated.GUEST
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    client.force_login(guest)
    assert 'data-unrated="guest"' in client.get(match.get_absolute_url()).content.decode()


@pytest.mark.parametrize("reason", [Unrated.HINT, Unrated.EARLIER, Unrated.SANCTION])
def test_a_match_that_says_why_not_is_not_rated(reason):
    match = dealt(Kind.PRACTICE)
    Match.objects.filter(pk=match.pk).update(unrated=reason)
    play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
    assert not RatingChange.objects.exists()
    assert not rating.counts(Match.objects.get(pk=match.pk))


def test_the_table_shows_the_ratings_of_practice(client, django_assert_max_num_queries):
    one, computer = person(), house(Level.CASUAL)
    Rating.objects.create(player=one, rating=1777, matches=50, won=50)
    match = practised(one, Level.CASUAL, won=True)
    with django_assert_max_num_queries(2):
        found = ports.standing([one, computer], match)
    assert (found[one.pk].before, found[one.pk].after, found[one.pk].k) == (1500, 1509, 32)
    assert (found[one.pk].rating, found[one.pk].provisional) == (1509, True)
    assert (found[computer.pk].rating, found[computer.pk].provisional) == (1332, False)
    assert found[computer.pk].change is None
    client.force_login(one)
    page = client.get(match.get_absolute_url()).content.decode()
    assert "Your practice rating" in page
    assert "1500 → 1509" in page
    assert "result-why" not in page
    assert "1777" not in page


def test_it_shows_nowhere_else(client):
    one = person("Nour")
    Rating.objects.create(player=one, pool=Pool.PRACTICE, rating=1888, matches=40, won=40)
    practised(one, won=True)
    client.force_login(one)
    for address in ("/leaderboard/", one.get_absolute_url(), "/"):
        page = client.get(address).content.decode()
        assert "1888" not in page
        assert "1889" not in page
    assert 'data-player="Nour"' not in client.get("/leaderboard/").content.decode()
