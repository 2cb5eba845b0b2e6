"""A player's page."""

import re
from datetime import timedelta

import pytest

from games.models import Block, Kind, Online, Player, PlayerKind, clock
from games.services import play
from ladder.models import Badge, Prize, Rating, RatingChange, Season
from ladder.services import board, restitution, seasons
from tests.factories import a_match, dealt, house, person
from tests.ladder.pages import cells, page_of, part, words

pytestmark = pytest.mark.django_db


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


# ------------------------------------------------------------------------------------ the tiles


def test_what_is_missing_for_a_rank_is_said(client, rated, beats):
    beats(rated("Nour", won=3, lost=1), rated("Salma", won=20))
    page = words(page_of(client, "Nour"))
    assert "For a rank this takes: 5 more ranked matches." in page
    assert "of the ranked" not in page.partition("Among all ratings")[0]


def test_rank_peak_and_how_many_of_the_ranked_have_less(client, rated):
    for rating in (1400, 1450, 1500, 1600, 1700):
        rated("", rating, won=10)
    nour = rated("Nour", 1550, won=12, lost=3)
    Rating.objects.filter(player=nour).update(peak=1580)
    board.refresh()
    page = page_of(client, "Nour")
    tiles = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    assert tiles == {
        "Rating": "1550", "Rank": "3", "of ranked players are rated lower": "50%",
        "Peak": "1580", "Won": "12", "Lost": "3",
    }  # fmt: skip


def test_the_practice_rating_is_shown_to_oneself_alone(client, rated):
    nour = rated("Nour", won=1)
    Rating.objects.create(player=nour, pool="practice", rating=1444, matches=9)
    for viewer in (None, person()):
        assert "1444" not in page_of(client, "Nour", viewer)
    assert "<dd>1444</dd>" in page_of(client, "Nour", nour)


def test_a_house_player_has_a_fixed_practice_rating(client):
    page = page_of(client, house().name_key, person())
    assert "<dt>Practice rating, fixed</dt><dd>1500</dd>" in page
    assert "<section" not in page
    assert "Rank" not in page


# --------------------------------------------------------------------------- against the reader


def test_the_reader_sees_the_matches_against_each_other(client, rated, beats):
    nour, salma, omar = rated("Nour"), rated("Salma"), rated("Omar")
    matches = [beats(nour, salma), beats(nour, salma), beats(salma, nour)]
    beats(nour, omar)
    found = part(page_of(client, "Nour", salma), "meetings-title")
    assert "You against Nour" in words(found)
    assert dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", found)) == {
        "Matches": "3", "Won": "1", "Lost": "2",
    }  # fmt: skip
    assert re.findall(r'href="/games/(\w+)/"', found) == [match.id for match in matches[::-1]]
    for viewer in (nour, omar):
        assert "Matches</dt><dd>3" not in page_of(client, "Nour", viewer)
    client.logout()
    assert "meetings-title" not in page_of(client, "Nour")


def test_what_is_annulled_does_not_count_against_each_other(client, rated, beats):
    nour, salma = rated("Nour"), rated("Salma")
    restitution.annul(beats(nour, salma))
    assert "not played a rated match" in page_of(client, "Nour", salma)


# ------------------------------------------------------------------------------ the list of matches


def test_each_rating_begins_where_the_line_below_ended(client, rated, beats, monkeypatch):
    """Also where two matches end in the same instant, and through annulments and refunds."""
    one, two, three = rated("Nour", won=20), rated(won=20), rated(won=20)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    first = beats(one, two)
    for other in (two, three, two, three):
        beats(other, one)
        beats(one, other)
    rows = restitution.annul(first)
    loss = RatingChange.objects.filter(player=one, score=0).last()
    restitution.refund(loss, 5)
    restitution.reverse(rows[0] if rows[0].player_id == one.pk else rows[1])
    page = page_of(client, "Nour")
    steps = re.findall(r"(\d+) → (\d+)", page)
    assert len(steps) == 12
    assert [before for before, _after in steps[:-1]] == [after for _before, after in steps[1:]]
    assert steps[0][1] == str(Rating.objects.get(player=one).rating)
    assert {"annulment", "refund", "reversal"} <= set(re.findall(r"[a-z]+", page))


def test_an_annulled_match_says_so(client, rated, beats):
    match = beats(rated("Nour"), rated("Salma"))
    restitution.annul(match)
    lines = cells(part(page_of(client, "Nour"), "matches-title"))
    assert [line[1] for line in lines] == [
        "annulment of this match",
        "won 0–0, look at this match by resignation annulled",
    ]


def test_the_record_can_be_kept_private(client, rated, beats):
    nour, salma = rated("Nour", shows_matches=False), rated("Salma")
    match, other = beats(nour, salma), beats(nour, rated("Omar"))
    for viewer in (None, person()):
        page = page_of(client, "Nour", viewer)
        assert "Nour keeps the record of matches private." in words(page)
        assert match.id not in page
        assert "Omar" not in page
    page = page_of(client, "Nour", salma)  # what is between the two is the reader's own too
    assert match.id in page
    assert other.id not in page
    page = page_of(client, "Nour", nour)
    assert match.id in page
    assert other.id in page


# ---------------------------------------------------------------------------------------- and more


def test_badges_have_their_season(client):
    nour = person("Nour")
    for number, prize in ((8105, Prize.TENTH), (8106, Prize.FIRST)):
        seasons.begin(number)
        Season.objects.update(frozen_at=clock.now())
        Badge.objects.create(player=nour, season_id=number, prize=prize, made_at=clock.now())
    found = words(part(page_of(client, "Nour"), "badges-title"))
    assert found == "Badges First place Season 3 of 2026 Top ten per cent Season 2 of 2026"
    assert 'href="/leaderboard/season/2026-3/"' in page_of(client, "Nour")


def test_the_short_text_is_text(client):
    person("Nour", about="<b>hi</b> http://example.org")
    page = page_of(client, "Nour")
    assert '<p class="about"><bdi>&lt;b&gt;hi&lt;/b&gt; http://example.org</bdi></p>' in page
    assert "example.org</a>" not in page


def test_who_is_here_is_seen_unless_kept_private(client):
    nour, viewer = person("Nour"), person("Salma")
    online = "</span>online</span>"
    assert online not in page_of(client, "Nour", viewer)
    Online.objects.create(player=nour, until=clock.now() + timedelta(minutes=1))
    assert online in page_of(client, "Nour", viewer)
    Player.objects.filter(pk=nour.pk).update(shows_online=False)
    assert online not in page_of(client, "Nour", viewer)
    Player.objects.filter(pk=nour.pk).update(shows_online=True, about="tea?")
    Block.objects.create(player=nour, other=viewer)
    page = page_of(client, "Nour", viewer)
    assert online not in page
    assert "tea?" not in page


def test_a_guest_who_looks_gets_the_page_of_a_stranger(client, rated, beats):
    beats(rated("Nour"), rated("Salma"))
    guest = person("guest-xyz", kind=PlayerKind.GUEST)
    assert "meetings-title" not in page_of(client, "Nour", guest)


@pytest.mark.parametrize("query", ["?over=%00", "?over=time&over=x", "?over=" + "x" * 3000])
def test_no_query_breaks_the_page(client, rated, beats, query):
    beats(rated("Nour"), rated("Salma"))
    assert client.get(f"/players/nour/{query}").status_code == 200
