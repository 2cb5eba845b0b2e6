"""A match that was not played: whose fault it was, told to each who looks."""

from datetime import timedelta

import pytest
from django.test import Client

from games.models import Match, clock
from games.services import play
from ladder.services import pairing
from tests.factories import a_match, person

pytestmark = pytest.mark.django_db


def seen_by(player, match) -> str:
    browser = Client()
    if player:
        browser.force_login(player)
    return " ".join(browser.get(f"/games/{match.id}/").content.decode().split())


@pytest.mark.parametrize("leaver_gave", [True, False])
@pytest.mark.parametrize("other_gave", [True, False])
def test_who_left_is_named_whether_or_not_a_seed_was_there(leaver_gave, other_gave):
    match = a_match()
    leaver, other = (seat.player for seat in match.seats.all())
    for player, gave in ((leaver, leaver_gave), (other, other_gave and not leaver_gave)):
        if gave:
            play.give_seed(match_id=match.id, player=player, client_seed="seed")
    play.abort(match_id=match.id, player=leaver)
    assert Match.objects.get(pk=match.pk).ended_by == 0
    assert "You left before the deal" in seen_by(leaver, match)
    for viewer in (other, person(), None):
        page = seen_by(viewer, match)
        assert "left before the deal" in page
        assert "You left" not in page
        assert "gave no seed" not in page
    assert "kept your place" in seen_by(other, match)
    assert "kept your place" not in seen_by(leaver, match)


def test_who_waits_is_not_asked_to_look_for_another_match():
    match = a_match()
    leaver, other = (seat.player for seat in match.seats.all())
    play.abort(match_id=match.id, player=leaver)
    again = 'data-action="ranked"'
    assert again in seen_by(leaver, match)
    assert again not in seen_by(other, match)
    pairing.leave_queue(other)
    page = seen_by(other, match)
    assert again in page
    assert "kept your place" not in page
    assert "wrong card" not in page


def test_without_a_seed_in_time_who_gave_none_is_named(monkeypatch):
    match = a_match()
    ready, late = (seat.player for seat in match.seats.all())
    play.give_seed(match_id=match.id, player=ready, client_seed="seed")
    end = match.deadline + timedelta(seconds=2)
    monkeypatch.setattr(clock, "now", lambda: end)
    play.sweep()
    assert "You gave no seed in time" in seen_by(late, match)
    assert "kept your place" in seen_by(ready, match)
    assert f'<bdi class="name">{late.name}</bdi> gave no seed in time' in seen_by(ready, match)


def test_no_id_stands_twice_on_a_table():
    import re

    match = a_match()
    player = match.seats.get(seat=0).player
    page = seen_by(player, match)
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
