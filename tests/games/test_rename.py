"""A change of name: once in 90 days, nobody else gets the old one, and its address leads on."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from games.models import FormerName, Player, PlayerKind, clock
from games.services import accounts, renaming
from games.services.errors import Refused
from ladder.models import Measure, Reason, Role, Sanction
from ladder.services import sanctions
from tests.factories import a_match, house, person, staff

pytestmark = pytest.mark.django_db
PASSWORD = "four words of tea"
PAGE = "/accounts/name/"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


@pytest.fixture
def after(monkeypatch):
    """Sets the clock to so many days after the test began."""
    began = timezone.now()

    def set_to(**days: float) -> None:
        monkeypatch.setattr(clock, "now", lambda: began + timedelta(**days))

    set_to()
    return set_to


@pytest.fixture
def ali(client):
    player = Player.objects.create_user("Ali", PASSWORD)
    client.force_login(player)
    return player


def rename(player: Player, name: str, **how: bool) -> Player:
    return renaming.rename(player=Player.objects.get(pk=player.pk), name=name, **how)


def sign_up(name: str) -> bool:
    Client().post("/accounts/signup/", {"username": name, "password1": PASSWORD})
    return Player.objects.filter(name=name, kind=PlayerKind.PERSON).exists()


def ask(client: Client, name: str, password: str = PASSWORD, **more):
    return client.post(PAGE, {"name": name, "password": password}, **more)


# ------------------------------------------------------------------------------------ the page


def test_the_page_changes_the_name_everywhere(client, ali):
    match = a_match(players=[ali, person()])
    assert f'href="{PAGE}"' in client.get("/accounts/overview/").content.decode()
    assert "once in 90 days" in client.get(PAGE).content.decode()
    page = ask(client, "Nour", follow=True).content.decode()
    assert "Your name is Nour." in page
    assert "Ali" not in page
    for address in (f"/games/{match.id}/", "/players/nour/"):
        page = client.get(address).content.decode()
        assert "Nour" in page
        assert "Ali" not in page


def test_the_new_name_logs_in_and_the_old_one_does_not(client, ali):
    ask(client, "Nour")
    assert client.get("/accounts/overview/").status_code == 200  # this session goes on
    for name, status in (("ali", 200), ("nour", 302)):
        form = {"login": name, "password": PASSWORD}
        assert Client().post("/accounts/login/", form).status_code == status


def test_it_wants_the_password(client, ali):
    assert "not your password" in ask(client, "Nour", "wrong").content.decode()
    ali.refresh_from_db()
    assert ali.name == "Ali"


@pytest.mark.parametrize("name", ["", "ab", "admin", "a b c", "al\x00i", "ali\u202e", "x" * 5000])
def test_what_is_no_name_is_an_error_at_the_field(client, ali, name):
    answer = ask(client, name)
    assert answer.status_code == 200
    assert 'id="id_name_error"' in answer.content.decode()
    ali.refresh_from_db()
    assert (ali.name, ali.renamed_at) == ("Ali", None)


@pytest.mark.parametrize("name", ["Salma", "SALMA", "SaIma"])
def test_a_name_that_is_taken_or_looks_like_another_is_refused(client, ali, name):
    person("Salma")
    assert "_2 is free" in ask(client, name).content.decode()
    ali.refresh_from_db()
    assert ali.name == "Ali"


def test_guests_and_strangers_have_no_name_to_change(client):
    assert client.get(PAGE).url.startswith("/accounts/login/")
    guest = person("guest-xyz", kind=PlayerKind.GUEST)
    client.force_login(guest)
    assert ask(client, "Nour").url.startswith("/accounts/signup/")
    for other in (guest, house()):
        with pytest.raises(Refused):
            renaming.rename(player=other, name="Nour")


# --------------------------------------------------------------------------------------- when


def test_once_in_90_days(client, ali, after):
    ask(client, "Nour")
    after(days=89)
    page = client.get(PAGE).content.decode()
    assert "You can change your name again from" in page
    assert 'name="password"' not in page
    assert 'role="alert"' in ask(client, "Omar").content.decode()
    ali.refresh_from_db()
    assert ali.name == "Nour"
    after(days=90, seconds=1)
    ask(client, "Omar")
    ali.refresh_from_db()
    assert ali.name == "Omar"


def test_a_change_of_case_is_a_change(ali):
    assert rename(ali, "ALI").name == "ALI"
    assert not FormerName.objects.exists()  # the address is the same
    with pytest.raises(Refused):
        rename(ali, "Nour")


def test_the_same_name_again_changes_nothing(client, ali):
    ask(client, "Ali")
    ali.refresh_from_db()
    assert ali.renamed_at is None
    ask(client, "Nour")
    assert (
        "Your name is Nour." in ask(client, "Nour", follow=True).content.decode()
    )  # pressed twice


# ---------------------------------------------------------------------------- the name before


def test_nobody_else_gets_the_old_name_for_90_days(ali, after):
    rename(ali, "Nour")
    other = person("Salma")
    after(days=89)
    accounts.release_names()
    for name in ("Ali", "aIi"):
        assert not sign_up(name)
        with pytest.raises(ValidationError):
            rename(other, name)
    with pytest.raises(ValidationError, match="free again from"):
        accounts.check_free("ALI")
    with pytest.raises(ValidationError):
        Player.objects.create_superuser("Ali", PASSWORD)
    after(days=90, seconds=1)
    assert accounts.release_names() == 1
    assert accounts.release_names() == 0
    assert sign_up("Ali")


def test_the_old_address_leads_on_until_the_name_is_free(client, ali, after):
    rename(ali, "نور")
    answer = client.get("/players/ALI/?over=time")
    assert answer.status_code == 302
    assert answer.url == Player.objects.get(pk=ali.pk).get_absolute_url()
    assert "no-cache" in answer["Cache-Control"]
    after(days=90, seconds=1)
    accounts.release_names()
    assert client.get("/players/ali/").status_code == 404


def test_the_address_is_the_new_owners_once_the_name_is_free(client, ali, after):
    rename(ali, "Nour")
    after(days=91)
    accounts.release_names()
    sign_up("Ali")
    assert "<bdi>Ali</bdi></h1>" in client.get("/players/ali/").content.decode()


def test_a_player_may_take_the_own_name_back(client, ali, after):
    rename(ali, "Nour")
    after(days=90, seconds=1)  # and nothing has freed it yet
    assert rename(ali, "Ali").name == "Ali"
    assert client.get("/players/ali/").status_code == 200
    assert client.get("/players/nour/").url == "/players/ali/"
    after(days=181)
    assert rename(ali, "Nour").name == "Nour"
    assert client.get("/players/ali/").url == "/players/nour/"


def test_a_look_alike_of_the_own_name_can_be_taken(client, ali, after):
    rename(ali, "AIi")
    assert client.get("/players/ali/").url == "/players/aii/"
    after(days=90, seconds=1)
    rename(ali, "A1i")
    assert {client.get(f"/players/{old}/").url for old in ("ali", "aii")} == {"/players/a1i/"}


def test_the_name_before_of_a_closed_account_leads_nowhere_and_stays_held(client, ali):
    rename(ali, "Nour")
    accounts.close_account(Player.objects.get(pk=ali.pk))
    assert client.get("/players/ali/").status_code == 404
    assert not sign_up("Ali")


# ------------------------------------------------------------------------ at the same instant


def test_a_sign_up_that_takes_the_name_at_the_same_instant(client, ali, monkeypatch):
    person("Salma")
    real, seen = accounts.check_free, []
    monkeypatch.setattr(
        accounts, "check_free", lambda *names: real(*names) if seen else seen.append(names)
    )
    assert "salma_2 is free" in ask(client, "salma").content.decode()
    ali.refresh_from_db()
    assert (ali.name, ali.renamed_at) == ("Ali", None)
    assert not FormerName.objects.exists()


# --------------------------------------------------------------------- required by a moderator


def test_a_required_change_waits_for_nothing_and_gives_nothing_back(client, ali, after):
    rename(ali, "Rude")
    assert rename(ali, "Nour", required=True).name == "Nour"
    answer = client.get("/players/rude/", follow=True)
    assert answer.redirect_chain == [("/players/nour/", 302)]
    assert not re.search("rude", answer.content.decode(), re.I)
    after(days=400)
    accounts.release_names()
    assert not sign_up("Rude")
    with pytest.raises(ValidationError):
        rename(ali, "Rude")
    assert client.get("/players/rude/").url == "/players/nour/"


@pytest.mark.parametrize("name", ["Rude", "RUDE", "_rude_"])
def test_a_required_change_wants_another_name(name):
    player = person("Rude")
    with pytest.raises(ValidationError):
        rename(player, name, required=True)


def test_while_a_measure_stands_the_name_before_is_never_free(client, ali, after):
    sanctions.impose(staff(Role.SENIOR), ali, Measure.MUTE, reason=Reason.INSULTS)
    sanctions.acknowledge(Sanction.objects.get(), ali)
    assert "cannot be taken again" in client.get(PAGE).text
    rename(ali, "Nour")
    after(days=400)
    accounts.release_names()
    assert not sign_up("Ali")
    assert Client().get("/players/ali/").url == "/players/nour/"
