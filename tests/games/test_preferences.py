"""What a reader chooses: kept in the account or in a cookie, carried by the root of every page."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.look import COOKIE, Look, read
from games.models import Match, Play, Player, PlayerKind
from tests.factories import deal_of, person
from tests.tables import CHOICE, FULL, arranged, pack_of

pytestmark = pytest.mark.django_db
SETTINGS = "/settings/"


def root(client: Client, address: str = "/rules/") -> str:
    return re.search(r"<html[^>]*>", client.get(address).content.decode()).group()


def test_a_stranger_keeps_the_look_in_a_cookie(client: Client) -> None:
    text = client.get(SETTINGS).content.decode()
    assert 'name="scheme"' in text
    assert 'name="back"' not in text
    assert 'name="confirm_play"' not in text
    chosen = {"scheme": "dark", "animation": "quick", "sounds": "on", "four_colours": "on"}
    assert client.post(SETTINGS, chosen).status_code == 302
    assert client.cookies[COOKIE].value == "dark.quick.four_colours.sounds"
    found = root(client)
    assert 'data-theme="dark"' in found
    assert 'class="cards-4 motion-quick"' in found
    assert " data-sounds" in found
    assert re.search(r'value="dark"[^>]* checked', client.get(SETTINGS).content.decode())
    client.post(SETTINGS, {"scheme": "system", "animation": "normal"})
    assert root(client) == root(Client())


def test_a_players_look_is_that_of_the_account(client: Client) -> None:
    client.cookies[COOKIE] = "dark.off"
    player = person(scheme="light", confirm_play=True)
    client.force_login(player)
    assert 'data-theme="light"' in root(client)
    assert " data-confirm" in root(client)
    kept = {"back": "star", "scheme": "dark", "animation": "off", "sounds": "on"}
    assert client.post(SETTINGS, kept).status_code == 302
    player.refresh_from_db()
    assert (player.scheme, player.animation, player.sounds) == ("dark", "off", True)
    assert not player.confirm_play
    assert 'class="motion-off" data-theme="dark"' in root(client)


@pytest.mark.parametrize(
    "text", ["", "x", "dark.dark", "\x00", '"><b>', "light" * 99, "a.b.c", "."]
)
def test_a_cookie_that_means_nothing_breaks_nothing(text: str, client: Client) -> None:
    assert read(text).scheme in ("system", "dark")
    client.cookies[COOKIE] = text.replace("\x00", "")
    assert client.get("/rules/").status_code == 200
    assert "<b>" not in root(client)


def test_a_look_is_read_as_it_is_written() -> None:
    for look in (Look(), Look("dark", "off", True, True), Look(animation="quick", sounds=True)):
        assert read(look.written) == look


@pytest.mark.parametrize("bad", [{"scheme": "pink"}, {"animation": "slow\x00"}])
def test_what_cannot_be_chosen_is_an_error(bad: dict[str, str], client: Client) -> None:
    assert client.post(SETTINGS, bad).status_code == 422
    client.force_login(person())
    assert client.post(SETTINGS, {"back": "star"} | bad).status_code == 422


def test_confirming_can_be_switched_on_from_the_table(client: Client) -> None:
    assert client.post(reverse("games:confirm-plays")).status_code == 302
    player = person()
    client.force_login(player)
    assert client.get(reverse("games:confirm-plays")).status_code == 405
    answer = client.post(reverse("games:confirm-plays"), {"next": "/games/x/"})
    assert answer["Location"] == "/games/x/"
    for evil in ("//evil.example/", "https://evil.example/", "javascript:alert(1)", ""):
        answer = client.post(reverse("games:confirm-plays"), {"next": evil})
        assert answer["Location"] == SETTINGS
    player.refresh_from_db()
    assert player.confirm_play


def test_a_browser_can_be_made_to_forget(client: Client) -> None:
    client.post(SETTINGS, {"scheme": "dark"})
    assert "cannot be undone" in client.get("/settings/local/").content.decode()
    assert 'data-theme="dark"' in root(client)
    assert client.post("/settings/local/")["Location"] == SETTINGS
    assert "data-theme" not in root(client)


# ------------------------------------------------------------------------------ each play confirmed


def the_mover(match: Match) -> Client:
    player = match.seats.select_related("player").get(seat=match.turn).player
    player.confirm_play = True
    player.save(update_fields=["confirm_play"])
    browser = Client()
    browser.force_login(player)
    return browser


def test_the_first_tap_asks_and_the_second_plays() -> None:
    match = arranged(pack_of(*FULL))
    browser = the_mover(match)
    address, form = f"/games/{match.id}/", {"number": match.number, "card": "9c"}
    answer = browser.post(address, form)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert not Play.objects.exists()
    assert page.count('data-action="confirm-play"') == 1
    assert re.search(r'is-armed" id="hand-slot-\d" type="submit" name="card" value="9c"', page)
    assert page.count('name="confirmed" value="9c"') == 2
    other = browser.post(address, {"number": match.number, "card": "Qc", "confirmed": "9c"})
    assert 'name="confirmed" value="Qc"' in other.content.decode()
    assert "confirm-play" not in browser.post(address, form | {"cancel": "1"}).content.decode()
    assert not Play.objects.exists()
    assert browser.post(address, form | {"confirmed": "9c"}).status_code == 302
    assert str(Play.objects.get().card) == "9c"


def test_a_choice_of_captures_is_question_enough() -> None:
    match = arranged(pack_of(*CHOICE))
    browser = the_mover(match)
    address, form = f"/games/{match.id}/", {"number": match.number, "card": "6s"}
    page = browser.post(address, form).content.decode()
    assert "confirm-play" not in page
    captures = re.findall(r'data-capture="([^"]+)"', page)
    assert len(captures) == 2
    assert browser.post(address, form | {"capture": captures[0]}).status_code == 302
    assert Play.objects.count() == 1


def test_what_cannot_be_played_is_refused_at_once() -> None:
    match = arranged(pack_of(*FULL))
    browser = the_mover(match)
    address, number = f"/games/{match.id}/", match.number
    theirs = str(min(deal_of(match).hands[1 - match.turn]))
    for form, status in (
        ({"number": number, "card": theirs}, 409),
        ({"number": number + 1, "card": "9c"}, 409),
        ({"number": number, "card": "zz"}, 400),
        ({"number": number}, 400),
    ):
        answer = browser.post(address, form)
        assert answer.status_code == status
        assert "confirm-play" not in answer.content.decode()
    assert browser.post("/games/aaaaaaaaaaaa/", {"number": 1, "card": "9c"}).status_code == 404
    assert not Play.objects.exists()


def test_only_who_wants_it_is_asked() -> None:
    match = arranged(pack_of(*FULL))
    browser = Client()
    browser.force_login(match.seats.select_related("player").get(seat=match.turn).player)
    assert browser.post(f"/games/{match.id}/", {"number": 1, "card": "9c"}).status_code == 302


# ------------------------------------------------------------------------------- one's own page


PUBLIC = {"shows_matches": "on", "shows_online": "on", "publishes": "on"}


def kept(client: Client, **form: str) -> tuple[int, Player]:
    """What a post answers, and the row as it is then."""
    answer = client.post(SETTINGS, {"back": "star"} | form)
    return answer.status_code, Player.objects.get(pk=client.session["_auth_user_id"])


@pytest.fixture
def me(client: Client) -> Client:
    client.force_login(person())
    return client


def test_what_is_private_is_a_choice(me: Client) -> None:
    page = me.get(SETTINGS).content.decode()
    for name in PUBLIC:
        assert re.search(rf'name="{name}"[^>]* checked', page)
        status, player = kept(me, **{other: "on" for other in PUBLIC if other != name})
        assert status == 302
        assert [one for one in PUBLIC if not getattr(player, one)] == [name]


def test_the_short_text_is_kept_in_one_line_of_what_is_seen(me: Client) -> None:
    text = "  I play\r\n\u202eafter\u2066 sun\u200bset,\x07 مُحَمَّد 👩🏽\u200d🚀 \u2069 "
    status, player = kept(me, about=text, **PUBLIC)
    assert (status, player.about) == (302, "I play after sunset, مُحَمَّد 👩🏽\u200d🚀")
    status, player = kept(me, **PUBLIC)  # a form without it leaves it alone
    assert (status, bool(player.about)) == (302, True)
    status, player = kept(me, about=" \u200b ", **PUBLIC)
    assert (status, player.about) == (302, "")


def test_200_characters_are_counted_as_people_see_them(me: Client) -> None:
    marked = "مُ" * 200
    status, player = kept(me, about=marked, **PUBLIC)
    assert (status, player.about) == (302, marked)
    answer = me.post(SETTINGS, {"back": "star", "about": "x" * 203} | PUBLIC)
    assert answer.status_code == 422
    assert "That is 3 characters too long" in answer.content.decode()
    assert 'id="id_about_error"' in answer.content.decode()
    assert kept(me, **PUBLIC)[1].about == marked


@pytest.mark.parametrize(
    "about",
    [
        "example.org",
        "see www.example.com",
        "http://x",
        "x" * 100_000,
        "\x00",
        "\ufb2c\u05b0\u05b1" * 200,
    ],
)
def test_links_and_what_is_too_long_are_refused(me: Client, about: str) -> None:
    status, player = kept(me, about=about, **PUBLIC)
    assert (status, player.about) == (422, "")


def test_a_guest_has_no_page_and_keeps_what_an_account_will_have(client: Client) -> None:
    client.force_login(person("guest-abc", kind=PlayerKind.GUEST))
    page = client.get(SETTINGS).content.decode()
    assert not [name for name in (*PUBLIC, "about") if f'name="{name}"' in page]
    status, player = kept(client, about="hi")
    assert (status, player.about) == (302, "")
    assert all(getattr(player, name) for name in PUBLIC)
