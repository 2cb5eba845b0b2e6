"""Which language somebody reads, on pages and sockets alike, and how it is changed."""

import re
from pathlib import Path

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.apps import apps
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.utils.translation import trans_real

from basra_site.asgi import application
from games import languages
from games.consumers import ViewerConsumer
from games.models import Kind, Player
from games.templatetags.languages import short_name
from tests.factories import a_match, dealt, person

ARABIC = {"Accept-Language": "ar-EG,ar;q=0.9,en;q=0.5"}
PASSWORD = "long-enough-9"
pytestmark = pytest.mark.django_db


def root(response: HttpResponse) -> tuple[str, str]:
    """The language and the direction that a page says it has."""
    found = re.search(r'<html lang="([\w-]+)" dir="(\w+)"', response.content.decode())
    return found.group(1), found.group(2)


def switch(client: Client, language: str, onward: str = "/rules/", **more: object) -> HttpResponse:
    return client.post("/language/", {"language": language, "next": onward}, **more)


class TestWhichLanguage:
    def test_the_browsers_wish(self, client):
        assert root(client.get("/")) == ("en", "ltr")
        assert root(client.get("/", headers=ARABIC)) == ("ar", "rtl")
        assert root(client.get("/", headers={"Accept-Language": "de"})) == ("en", "ltr")
        assert "Accept-Language" in client.get("/")["Vary"]

    def test_the_cookie_goes_before_the_browser(self, client):
        client.cookies["language"] = "en"
        assert root(client.get("/", headers=ARABIC)) == ("en", "ltr")
        client.cookies["language"] = "xx"
        assert root(client.get("/", headers=ARABIC)) == ("ar", "rtl")

    def test_the_account_goes_before_the_cookie_and_the_cookie_follows(self, client):
        client.force_login(person(language="ar"))
        client.cookies["language"] = "en"
        response = client.get("/")
        assert root(response) == ("ar", "rtl")
        assert response.cookies["language"].value == "ar"
        assert "language" not in client.get("/").cookies
        client.logout()
        client.cookies["language"] = "ar"
        assert root(client.get("/")) == ("ar", "rtl")

    def test_a_language_that_is_gone_is_passed_over(self, client):
        client.force_login(person(language="tlh"))
        assert root(client.get("/", headers=ARABIC)) == ("ar", "rtl")

    def test_a_log_in_brings_the_language_along(self, client):
        player = person("Nadia", language="ar")
        player.set_password(PASSWORD)
        player.save()
        response = client.post("/accounts/login/", {"login": "Nadia", "password": PASSWORD})
        assert response.status_code == 302
        assert response.cookies["language"].value == "ar"
        assert root(client.get("/")) == ("ar", "rtl")

    @pytest.mark.parametrize("path", ["/nowhere/", "/accounts/login/", "/fairness/", "/settings/"])
    def test_every_page_says_it(self, client, path):
        assert root(client.get(path, headers=ARABIC)) == ("ar", "rtl")
        assert "Arab" not in client.get(path)["Content-Language"]
        assert client.get(path, headers=ARABIC)["Content-Language"] == "ar"

    def test_a_stranger_costs_no_session(self, client, django_assert_num_queries):
        with django_assert_num_queries(0):
            assert client.get("/rules/", headers=ARABIC).status_code == 200


class TestSwitch:
    def test_it_stands_on_every_page_in_its_own_words(self, client):
        page = client.get("/rules/").content.decode()
        button = re.search(r'<button[^>]*name="language"[^>]*>', page).group()
        assert 'lang="ar"' in button
        assert 'dir="rtl"' in button
        assert "العربية" in page
        page = client.get("/rules/", headers=ARABIC).content.decode()
        assert (
            'lang="en" dir="ltr"' in re.search(r'<button[^>]*name="language"[^>]*>', page).group()
        )
        assert "English" in page

    def test_a_stranger_has_it_in_a_cookie_for_a_year(self, client):
        response = switch(client, "ar")
        assert (response.status_code, response["Location"]) == (302, "/rules/")
        cookie = response.cookies["language"]
        assert (cookie.value, cookie["max-age"]) == ("ar", 60 * 60 * 24 * 365)
        assert (cookie["samesite"], cookie["httponly"], cookie["secure"]) == ("Lax", True, "")
        assert root(client.get("/")) == ("ar", "rtl")

    def test_by_https_the_cookie_is_secure(self, client, settings):
        settings.LANGUAGE_COOKIE_SECURE = True
        assert switch(client, "ar").cookies["language"]["secure"]

    def test_an_account_keeps_it(self, client):
        me = person()
        client.force_login(me)
        switch(client, "ar")
        me.refresh_from_db()
        assert me.language == "ar"
        assert root(client.get("/", headers={"Accept-Language": "en"})) == ("ar", "rtl")
        switch(client, "en")
        assert root(client.get("/", headers=ARABIC)) == ("en", "ltr")

    def test_it_keeps_the_page_and_its_query(self, client):
        page = client.get("/leaderboard/?page=2&provisional=3").content.decode()
        onward = re.search(r'name="next" value="([^"]*)"', page).group(1).replace("&amp;", "&")
        assert onward == "/leaderboard/?page=2&provisional=3"
        assert switch(client, "ar", onward)["Location"] == onward

    def test_after_a_refused_seed_it_leads_to_the_table(self, client):
        match = a_match(Kind.RANKED)
        client.force_login(match.seats.get(seat=0).player)
        page = client.post(f"/games/{match.pk}/seed/", {"client_seed": "?!"})
        assert f'name="next" value="/games/{match.pk}/"' in page.content.decode()

    @pytest.mark.parametrize(
        "onward",
        ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "",
         "http:evil.example", "\thttps://evil.example"],
    )  # fmt: skip
    def test_it_leads_nowhere_else(self, client, onward):
        assert switch(client, "ar", onward)["Location"] == "/"

    @pytest.mark.parametrize("language", ["", "xx", "de", "ar\r\nSet-Cookie: a=b", "../ar"])
    def test_what_is_no_language_changes_nothing(self, client, language):
        me = person()
        client.force_login(me)
        response = switch(client, language)
        assert response.status_code == 302
        assert "language" not in response.cookies
        me.refresh_from_db()
        assert me.language == ""

    def test_it_is_a_post_with_a_token(self):
        strict = Client(enforce_csrf_checks=True)
        assert strict.get("/language/").status_code == 405
        assert switch(strict, "ar").status_code == 403

    def test_the_page_of_a_code_shown_once_has_none(self, client):
        """Coming back to it would make a new code."""
        client.post("/accounts/signup/", {"username": "Nadia", "password1": PASSWORD})
        page = client.get("/accounts/recovery-code/").content.decode()
        assert "data-recovery-code" in page
        assert 'action="/language/"' not in page

    def test_there_is_a_short_name_for_a_narrow_bar(self):
        named = {"en": "English", "ar": "العربية", "pt-br": "Português"}
        assert [short_name(*one) for one in named.items()] == ["EN", "ع", "PT"]


class TestSettings:
    def keep(self, client: Client, **more: object) -> HttpResponse:
        return client.post("/settings/", {"back": "star", "language": "", **more})

    def test_the_language_is_a_setting(self, client):
        me = person()
        client.force_login(me)
        page = client.get("/settings/").content.decode()
        assert re.search(r'<option value="ar"[^>]*lang="ar"[^>]*>العربية', page)
        response = self.keep(client, language="ar")
        assert response.cookies["language"].value == "ar"
        page = client.get("/settings/")
        assert root(page) == ("ar", "rtl")
        assert "حُفظت إعداداتك" in page.content.decode()

    def test_the_browsers_wish_is_a_choice_too(self, client):
        client.force_login(person(language="ar"))
        client.get("/")
        response = self.keep(client, language="")
        assert response.cookies["language"].value == ""
        assert root(client.get("/")) == ("en", "ltr")

    def test_left_out_it_stays(self, client):
        me = person(language="ar")
        client.force_login(me)
        client.post("/settings/", {"back": "wave"})
        me.refresh_from_db()
        assert (me.back, me.language) == ("wave", "ar")

    def test_what_is_no_language_is_refused(self, client):
        client.force_login(person())
        assert self.keep(client, language="xx").status_code == 422


class TestDigits:
    def test_a_reader_of_arabic_may_have_them(self, client):
        me = person(language="ar", arabic_digits=True)
        client.force_login(me)
        page = client.get("/rules/").content.decode()
        assert '<html lang="ar" dir="rtl" data-digits="arab"' in page
        assert "٥٢ ورقة" in page
        assert not re.search(r">[^<]*\b101\b", page)
        assert 'value="en"' in page
        length = client.get("/rules/").headers.get("Content-Length")
        assert length is None or int(length) == len(client.get("/rules/").content)

    def test_cards_stay_as_they_are(self, client):
        match = dealt(players=[me := person(language="ar", arabic_digits=True), person()])
        client.force_login(me)
        page = client.get(f"/games/{match.pk}/").content.decode()
        assert f'data-match="{match.pk}"' in page
        assert 'data-points-me="0"' in page
        assert re.search(r'class="points">.*?٠</p>', page)
        assert re.search(r"<code[^>]*>[0-9a-f]{64}</code>", page)

    def test_english_has_its_own(self, client):
        client.force_login(person(language="en", arabic_digits=True))
        page = client.get("/rules/").content.decode()
        assert "data-digits" not in page.partition(">")[0]
        assert "52 cards" in page

    def test_files_stay_as_they_are(self, client):
        client.force_login(person(language="ar", arabic_digits=True))
        a_match()
        assert re.search(r"[0-9]", client.get("/fairness/commitments.txt").getvalue().decode())


class TestLetters:
    def test_they_are_in_the_readers_language(self, client):
        client.post(
            "/accounts/signup/",
            {"username": "Nadia", "password1": PASSWORD, "email": "n@example.org"},
            headers=ARABIC,
        )
        letter = mail.outbox[-1]
        assert letter.subject == "أكّد عنوان بريدك"
        assert "Nadia" in letter.body
        assert "مرحبًا،" in letter.body
        assert not re.search(r"\b(the|you|Hello)\b", letter.body)


class TestBrokenCatalogue:
    """Whatever is in a compiled catalogue, there is a page."""

    @pytest.fixture
    def catalogue(self, tmp_path: Path, settings):
        where = tmp_path / "ar" / "LC_MESSAGES"
        where.mkdir(parents=True)
        settings.LOCALE_PATHS = [tmp_path]
        settings.LANGUAGES = settings.LANGUAGES  # what is left out comes back after the test
        yield where / "django.mo"
        trans_real._translations.clear()

    @pytest.mark.parametrize(
        "broken",
        [b"", b"no catalogue", b"\xde\x12\x04\x95" + b"\xff" * 40],
        ids=["empty", "text", "damaged"],
    )
    def test_the_language_is_left_out(self, client, catalogue, broken, caplog):
        catalogue.write_bytes(broken)
        apps.get_app_config("basra_site").ready()
        assert "the catalogue of ar cannot be read" in caplog.text
        response = client.get("/rules/", headers=ARABIC)
        assert response.status_code == 200
        assert root(response) == ("en", "ltr")
        assert 'action="/language/"' not in response.content.decode()
        client.force_login(person(language="ar"))
        assert root(client.get("/settings/", headers=ARABIC)) == ("en", "ltr")

    def test_without_any_there_are_the_words_of_the_source(self, client, catalogue):
        apps.get_app_config("basra_site").ready()
        response = client.get("/rules/", headers=ARABIC)
        assert response.status_code == 200
        assert "The rules of Egyptian Basra" in response.content.decode()


class TestSockets:
    @pytest.mark.parametrize(
        ("account", "cookie", "wish", "read"),
        [
            ("", "", "", "en"),
            ("", "", "ar-EG,en;q=0.5", "ar"),
            ("", "en", "ar", "en"),
            ("", "xx", "ar", "ar"),
            ("ar", "en", "en", "ar"),
            ("xx", "ar", "en", "ar"),
            (None, "ar", "en", "ar"),
        ],
    )
    def test_they_agree_with_the_page(self, client, account, cookie, wish, read):
        player = None if account is None else person(language=account)
        if player:
            client.force_login(player)
        client.cookies["language"] = cookie
        assert root(client.get("/rules/", headers={"Accept-Language": wish}))[0] == read
        consumer = ViewerConsumer()
        consumer.scope = {
            "user": client.get("/").wsgi_request.user,
            "cookies": {"language": cookie} if cookie else {},
            "headers": [(b"accept-language", wish.encode())],
        }
        assert consumer.language == read
        assert languages.of_reader(player, {"language": cookie}, wish) == read


@pytest.mark.django_db(transaction=True)
async def test_a_table_comes_by_socket_in_the_readers_words_and_digits():
    @database_sync_to_async
    def begin() -> tuple[str, Player, str]:
        me = person(language="ar", arabic_digits=True)
        match = dealt(Kind.RANKED, [me, person()])
        client = Client()
        client.force_login(me)
        return match.pk, me, client.cookies["sessionid"].value

    match_id, _me, session = await begin()
    headers = [
        (b"origin", b"http://localhost:8000"),
        (b"cookie", f"sessionid={session}".encode()),
        (b"accept-language", b"en"),
    ]
    socket = WebsocketCommunicator(application, f"/ws/games/{match_id}/", headers)
    assert (await socket.connect())[0]
    frame = await socket.receive_from()
    await socket.disconnect()
    assert "الأرض" in frame
    assert "الجولة ١" in frame
    assert 'data-deal="1"' in frame
    assert not re.search(r"\b(Deal|Floor|turn)\b", re.sub(r"<[^>]*>", " ", frame))


def test_the_pseudo_language_is_never_offered():
    assert languages.supported("qps") == ""
