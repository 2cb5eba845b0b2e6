"""The cap: at most 100 points in 24 hours from opponents who are new."""

from datetime import timedelta

import pytest

from games import ports
from games.services import play
from ladder.models import Code, Rating, RatingChange
from ladder.services import recompute, restitution
from tests.factories import dealt, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def farmer(rated):
    """Settled, and weak enough on paper to win 8 points from anybody new."""
    return rated(rating=1500, won=30)


@pytest.fixture
def farm(farmer, beats):
    """Wins so many matches from accounts made for it: what each gave."""

    def win(matches: int) -> list[int]:
        rows = []
        for _match in range(matches):
            Rating.objects.filter(player=farmer).update(rating=1500)
            match = beats(farmer, person())
            rows.append(RatingChange.objects.get(match=match, player=farmer))
        return [row.change for row in rows]

    return win


def test_a_hundred_points_and_no_more(farmer, farm):
    assert farm(15) == [8] * 12 + [4, 0, 0]
    rows = list(RatingChange.objects.filter(player=farmer))
    assert [row.cut for row in rows] == [0] * 12 + [4, 8, 8]
    assert [row.code for row in rows] == [""] * 12 + [Code.CAPPED] * 3


def test_the_losers_loss_is_not_reduced(farm):
    farm(14)
    losses = RatingChange.objects.filter(score=0)
    assert {(row.change, row.cut, row.code) for row in losses} == {(-16, 0, "")}


def test_the_window_slides(farm, later):
    assert farm(12) == [8] * 12
    later(hours=23, minutes=59)
    assert farm(2) == [4, 0]
    later(hours=24, seconds=1)
    assert farm(13) == [8] * 12 + [0]


@pytest.mark.parametrize("matches", [29, 30])
def test_it_is_for_settled_players(rated, beats, matches):
    """Before thirty matches a rating still has to find its place, wherever that is."""
    player = rated(rating=1500, won=matches)
    for _match in range(9):
        beats(player, person())
    assert RatingChange.objects.filter(player=player, cut__gt=0).exists() is False
    Rating.objects.filter(player=player).update(rating=1500)
    for _match in range(9):
        beats(player, person())
        Rating.objects.filter(player=player).update(rating=1500)
    gained = RatingChange.objects.filter(player=player, k=16)
    assert sum(row.change for row in gained) == 100


def test_opponents_of_ten_matches_are_no_longer_new(rated, beats, farmer, farm):
    farm(13)
    assert farm(1) == [0]
    Rating.objects.filter(player=farmer).update(rating=1500)
    assert RatingChange.objects.get(match=beats(farmer, rated(won=10)), player=farmer).change == 8
    Rating.objects.filter(player=farmer).update(rating=1500)
    assert RatingChange.objects.get(match=beats(farmer, rated(won=9)), player=farmer).change == 0


def test_losses_make_no_room_and_are_not_limited(farmer, farm, beats):
    farm(13)
    Rating.objects.filter(player=farmer).update(rating=1500)
    match = beats(person(), farmer)
    assert RatingChange.objects.get(match=match, player=farmer).change == -8
    assert farm(1) == [0]


@pytest.fixture
def settled(beats):
    """A person whose ledger has 30 defeats in it, and then wins from new accounts, cut at last."""
    player = person()
    for _match in range(30):
        beats(person(), player)
    while not RatingChange.objects.filter(player=player, cut__gt=0).exists():
        beats(player, person())
    return player


def test_an_annulled_gain_makes_room(settled, beats):
    gain = RatingChange.objects.filter(player=settled, k=16, score=1).first()
    annulments = restitution.annul(gain.match)
    more = [RatingChange.objects.get(match=beats(settled, person()), player=settled) for _ in "12"]
    assert sum(row.change for row in more) == gain.change
    for row in annulments:
        restitution.reverse(row)
    assert RatingChange.objects.get(match=beats(settled, person()), player=settled).change == 0
    assert recompute.survey().clean


def test_recompute_repeats_it(settled, beats):
    beats(settled, person())
    assert RatingChange.objects.filter(player=settled, cut__gt=0).count() == 2
    assert recompute.survey().clean


def test_page_and_profile_say_so(farmer, farm, client):
    farm(13)
    row = RatingChange.objects.get(cut=4)
    standing = ports.standing([farmer], row.match)[farmer.pk]
    assert (standing.change, standing.cut) == (4, 4)
    client.force_login(farmer)
    page = client.get(row.match.get_absolute_url()).content.decode()
    assert "4 points more were cut: 100 in 24 hours" in page
    assert "at its own pace" not in page
    assert "4 cut" in client.get(farmer.get_absolute_url()).content.decode()


def test_a_running_match_counts_when_it_ends(farmer, farm, later):
    """The window is that of the end, however long ago the match began."""
    new = person()
    slow = dealt(players=[farmer, new])
    later(minutes=1)
    farm(13)
    Rating.objects.filter(player=farmer).update(rating=1500)
    play.resign(match_id=slow.id, player=new)
    row = RatingChange.objects.get(match=slow, player=farmer)
    assert (row.change, row.cut) == (0, 8)
    assert row.created_at - slow.created_at >= timedelta(minutes=1)
