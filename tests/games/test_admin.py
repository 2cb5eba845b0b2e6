"""The admin: what staff may see and ask there, and how one gets in."""

import pytest

from games.models import Match, Player
from tests.factories import dealt, person, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(client) -> Player:
    made = staff("administrator")
    client.force_login(made)
    return made


def test_its_log_in_is_the_sites_own(client):
    answer = client.get("/admin/login/?next=/admin/")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")
    assert client.post("/admin/login/", {"username": "x", "password": "y"}).status_code == 302


def test_a_player_who_is_no_staff_is_kept_out(client):
    client.force_login(person())
    assert client.get("/admin/games/player/", follow=True).status_code in (403, 404)


@pytest.mark.parametrize(
    "question",
    ["password__startswith=argon2", "password__regex=.", "sealed__startswith=g", "server_seed=a",
     "email__contains=a", "seats__client_seed=house"],
)  # fmt: skip
def test_no_hidden_column_can_be_asked_about(client, chief, question):
    table = "match" if "se" in question.partition("=")[0][:2] else "player"
    match = dealt()
    answer = client.get(f"/admin/games/{table}/?{question}")
    assert answer.status_code in (302, 400)
    if answer.status_code == 302:
        assert "e=1" in answer.headers["Location"]
    assert Match.objects.get(pk=match.pk).sealed


def test_no_password_hash_no_seed_and_no_seal_is_shown(client, chief):
    match = dealt()
    player = match.seats.first().player
    player.set_password("long-enough-9")
    player.save()
    for path in (f"player/{player.pk}/change/", f"match/{match.pk}/change/", "player/", "match/"):
        page = client.get(f"/admin/games/{path}").content.decode()
        assert player.password not in page
        assert Match.objects.get(pk=match.pk).sealed not in page
        assert match.seats.first().client_seed not in page


def test_only_rights_of_a_player_can_be_changed_there(client, chief):
    player = person()
    client.post(
        f"/admin/games/player/{player.pk}/change/",
        {"name": "Changed", "email": "x@example.org", "kind": "house", "is_active": "on"},
    )
    after = Player.objects.get(pk=player.pk)
    assert (after.name, after.email, after.kind) == (player.name, player.email, player.kind)


def test_no_match_can_be_added_changed_or_deleted_there(client, chief):
    match = dealt()
    assert client.get("/admin/games/match/add/").status_code == 403
    assert client.post(f"/admin/games/match/{match.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(f"/admin/games/match/{match.pk}/change/", {"status": "aborted"})
    assert Match.objects.get(pk=match.pk).status == "playing"
