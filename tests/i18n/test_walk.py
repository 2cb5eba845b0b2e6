"""All pages in the pseudo-language: no visible text outside ⟦ ⟧. And in Arabic: none in Latin
letters, also where the words are those of Django and its libraries."""

import random
import re
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils import timezone, translation

from basra_site import errors
from games.ai.heuristic import options
from games.ai.search import Thought, Valued
from games.engine import Observation, write_cards
from games.models import (
    Challenge,
    Clock,
    Export,
    Kind,
    Level,
    Login,
    Match,
    Online,
    Phrase,
    Player,
    Review,
    Topic,
    Utterance,
)
from games.rendering import presence_fragment, table_fragment
from games.selectors import puzzles as puzzles_seen
from games.selectors import statistics as selector
from games.selectors.lessons import LESSONS
from games.services import (
    accounts,
    challenges,
    exports,
    letters,
    people,
    play,
    presence,
    puzzles,
    reviews,
    statistics,
    thinking,
)
from games.services.notifications import notify
from ladder.models import Lapse, PublishedFile, RankedPause, Rating, season_number
from ladder.services import board, pairing, seasons
from tests import tables
from tests.codes import code_at
from tests.factories import a_match, deal_of, dealt, house, person, play_on
from tests.i18n import pseudo

PASSWORD = "long-enough-9"
# Views without a page of their own: they lead on, or send a file.
NO_PAGE = {
    "healthz", "readyz", "account_reauthenticate", "account_request_reauthentication_code",
    "account_confirm_reauthentication_code", "account_confirm_login_code", "account_set_password",
    "ladder:ranked", "ladder:leave-queue", "games:practice", "games:seed", "games:leave",
    "games:resign", "games:record", "games:records", "games:commitments", "games:positions-csv",
    "games:language", "games:confirm-plays", "account_inactive", "games:keys",
    "games:challenge-accept", "games:challenge-decline", "games:challenge-cancel",
    "games:tie", "games:notification", "games:read-all", "games:notices", "games:newest",
    "account_end_session", "account_export_file", "mfa_download_recovery_codes",
    "games:worker", "games:talk-mute", "ladder:accept-found", "ladder:published-file",
    "ladder:moderation-open", "ladder:moderation-claim", "ladder:moderation-release",
    "ladder:moderation-close", "ladder:moderation-note", "ladder:moderation-answer",
    "ladder:moderation-clear", "ladder:moderation-match", "ladder:moderation-export",
    "ladder:acknowledge", "ladder:appeal", "ladder:moderation-undo",
    "games:learn-dismiss",
}  # fmt: skip


class Walker:
    """Somebody who reads a language, and notes what is not in it."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.found: dict[str, list[str]] = {}
        self.seen: set[str] = set()
        self.client = Client()
        self.strange()

    def strange(self) -> "Walker":
        """Be a stranger."""
        self.client = Client()
        self.client.cookies["language"] = self.language
        return self

    def as_(self, player: Player) -> "Walker":
        """Be somebody who is logged in."""
        self.strange().client.force_login(player)
        return self

    def get(self, path: str, status: int = 200, label: str = "") -> HttpResponse:
        return self.look(self.client.get(path), status, label or path)

    def post(self, path: str, status: int = 200, **form: object) -> HttpResponse:
        return self.look(self.client.post(path, form), status, f"POST {path} {form}")

    def look(self, response: HttpResponse, status: int, label: str) -> HttpResponse:
        assert response.status_code == status, (label, response.status_code)
        if status == 200 and hasattr(response, "resolver_match"):
            self.seen.add(response.resolver_match.view_name)
        if response.get("Content-Type", "").startswith(("text/html", "image/svg")):
            self.check(response.content.decode(), label)
        return response

    def check(self, page: str, label: str) -> None:
        names = set(Player.objects.values_list("name", flat=True))
        names |= set(Match.objects.values_list("id", flat=True)) | {"xx", "none"}
        if found := pseudo.outside(page, names, self.language):
            self.found[label] = found


@pytest.fixture(params=[pseudo.CODE, "ar"])
def walker(db: None, request: pytest.FixtureRequest) -> Iterator[Walker]:
    random.seed(4)
    cache.clear()  # the counts of tries
    with pseudo.offered() if request.param == pseudo.CODE else nullcontext():
        yield Walker(request.param)
    translation.deactivate()


def somebody(name: str = "", **extra: object) -> Player:
    player = person(name, **extra)
    player.set_password(PASSWORD)
    player.save()
    return player


def nothing(walker: Walker) -> None:
    assert walker.found == {}


def test_pages_for_strangers(walker: Walker) -> None:
    for name in (
        "ladder:lobby", "ladder:leaderboard", "games:rules", "games:fairness", "games:settings",
        "games:local", "account_login", "account_signup", "account_recover",
        "account_reset_password", "account_reset_password_done", "account_closed",
        "account_email_verification_sent", "account_reset_password_from_key_done",
        "games:positions-svg", "games:privacy", "games:terms", "games:fair-play", "games:contact",
        "games:learn", "games:puzzle", "games:puzzles",
    ):  # fmt: skip
        walker.get(reverse(name), label=name)
    walker.post(reverse("games:contact"), 422, text="", address="no")
    walker.get("/fairness/?before=1")
    walker.get(reverse("account_reset_password_from_key", args=["1", "x-y"]))
    walker.get(reverse("account_confirm_email", args=["none"]))
    nothing(walker)


def test_lessons_and_their_answers(walker: Walker) -> None:
    for lesson in LESSONS:
        walker.get(f"/learn/{lesson.name}/")
        for card in lesson.hand:
            for way in lesson.ways(card):
                form = {"card": str(card), "capture": write_cards(way)}
                walker.post(f"/learn/{lesson.name}/", **form)
    walker.post("/learn/choosing/", card="6s")
    walker.post("/learn/choosing/", 409, card="x")
    walker.get("/learn/")
    walker.get("/")
    nothing(walker)


def test_hints(walker: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "think", lambda seen, _seed: _first_is_best(seen, 1, 1, 1))
    me = somebody()
    match = dealt(Kind.PRACTICE, [me, house()])
    path = f"/games/{match.pk}/hint/"
    walker.as_(me)
    for _turn in range(12):
        if match.turn == match.seats.get(player=me).seat:
            walker.post(path, 200)
            walker.post(path, 200, agreed="1")
        else:
            walker.post(path, 409)
        match = play_on(match, 1)
    walker.as_(somebody()).post(f"/games/{dealt().pk}/hint/", 409)
    nothing(walker)


def test_reviews(walker: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "think", lambda seen, *_how: _first_is_best(seen, 1, 1, 1))
    me = somebody()
    walker.as_(me)
    for plays in (10_000, 9, 0):
        match = play_on(dealt(players=[me, somebody()]), plays)
        play.resign(match_id=match.pk, player=me)
        path = f"/games/{match.pk}/review/"
        walker.get(path, label="not asked for")
        walker.client.post(path)
        walker.get(path, label="coming")
        for review in Review.objects.filter(match=match):
            Review.objects.filter(pk=review.pk).update(state="failed")
            walker.get(path, label="failed")
            reviews.ask(match_id=match.pk, player=me)
            reviews.make(review.pk)
            walker.get(path, label="ready")
        walker.get(f"/games/{match.pk}/", label="the way there")
    nothing(walker)


def test_puzzles_and_their_answers(walker: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "think", _first_is_best)
    monkeypatch.setattr(puzzles, "LOOKED_AT", 1)
    for number in range(12):
        day = puzzles_seen.today() - timedelta(days=number)
        puzzle = puzzles.choose(day, random.Random(number))
        for card in puzzle.position["hand"]:
            walker.get(f"{puzzle.get_absolute_url()}?card={card}")
        walker.as_(somebody())
        for place in (number % len(puzzle.plays), 0):
            card, _colon, capture = puzzle.plays[place]["play"].partition(":")
            status = 302 if place == number % len(puzzle.plays) else 409
            walker.post(puzzle.get_absolute_url(), status, card=card, capture=capture)
        walker.post(puzzle.get_absolute_url(), 409, card="x")
        walker.get(puzzle.get_absolute_url())
        walker.get("/")
        walker.get("/puzzle/archive/")
        walker.strange()
    nothing(walker)


def _first_is_best(seen: Observation, _seed: int, _iterations: int, _least: int) -> Thought:
    plays = [option.play for option in options(seen)]
    valued = [Valued(made, 20.0 if n == 0 else -float(n), 1) for n, made in enumerate(plays)]
    return Thought(plays[0], tuple(valued), 1)


@pytest.mark.parametrize(
    "name",
    ["", "x", "a\u200bbc", "Нourа", "ab c", "---", "عـلي", "a1٢b", "house", "Casual", "Taken"],
)
def test_errors_at_sign_up(walker: Walker, name: str) -> None:
    somebody("Taken")
    walker.post(reverse("account_signup"), username=name, password1="1", email="no")
    walker.post(reverse("account_signup"), username=name, password1="password12", email="")
    nothing(walker)


def test_errors_of_accounts(walker: Walker) -> None:
    me = somebody("Nadia")
    somebody("Taken")
    walker.post(reverse("account_login"), login="", password="")
    walker.post(reverse("account_login"), login="Nadia", password="wrong")
    walker.post(reverse("account_recover"), name="", code="", new_password="")
    walker.post(reverse("account_recover"), name="Nadia", code="x", new_password="1")
    walker.post(reverse("account_recover"), name="Nadia", code="x", new_password="good-enough-7")
    walker.post(reverse("account_reset_password"), email="")
    walker.post(reverse("account_reset_password"), email="x")
    walker.as_(me)
    walker.post(
        reverse("account_change_password"), oldpassword="x", password1="1",
    )  # fmt: skip
    walker.post(reverse("account_change_password"), oldpassword=PASSWORD, password1="Nadia")
    walker.post(reverse("account_recovery_code"), password="x")
    walker.post(reverse("account_close"), password="x")
    for name in ("x", "Taken", "admin"):
        walker.post(reverse("account_name"), name=name, password=PASSWORD)
    walker.post(reverse("account_email"), action_add="", email="x")
    nothing(walker)


def test_too_many_tries(walker: Walker) -> None:
    somebody("Nadia")
    for _try in range(6):
        answer = walker.client.post(reverse("account_login"), {"login": "Nadia", "password": "x"})
    walker.look(answer, answer.status_code, "too many")
    nothing(walker)


def test_pages_of_an_account(walker: Walker) -> None:
    me = somebody("Nadia")
    walker.as_(me)
    for name in (
        "account_overview", "account_change_password", "account_email", "account_logout",
        "account_close", "account_recovery_code", "account_name", "games:settings", "games:local",
        "games:matches", "ladder:lobby", "games:challenges", "games:challenge-new",
        "games:people", "games:notifications",
    ):  # fmt: skip
        walker.get(reverse(name), label=name)
    walker.get(me.get_absolute_url())
    session = walker.client.session
    session["recovery_code_due"] = me.pk
    session.save()
    walker.get(reverse("account_recovery_code"), label="the code")
    walker.get(reverse("account_recovery_code"), label="another code")
    walker.get(reverse("account_overview"), label="overview with a code")
    walker.post(reverse("games:settings"), 422, back="none", scheme="none", language="xx")
    for about in ("1" * 201, "1" * 900, "127.0.0.1"):
        walker.post(reverse("games:settings"), 422, back="star", about=about)
    walker.client.post(reverse("games:settings"), {"back": "wave", "language": walker.language})
    walker.get(reverse("games:settings"), label="kept")
    dealt(players=[me, person()])
    walker.get(reverse("account_close"), label="close with a match")
    nothing(walker)


def test_the_second_factor(walker: Walker) -> None:
    me = somebody(is_staff=True, is_superuser=True)
    EmailAddress.objects.create(user=me, email="n@example.org", verified=True, primary=True)
    enter = reverse("account_login"), {"login": me.name, "password": PASSWORD}
    walker.strange().client.post(*enter)
    walker.get(reverse("mfa_index"), label="off")
    walker.get("/admin/login/", 403, label="staff without")
    walker.get(reverse("account_reauthenticate"))
    walker.client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = walker.get(reverse("mfa_activate_totp")).context["form"].secret
    walker.post(reverse("mfa_activate_totp"), code="")
    walker.post(reverse("mfa_activate_totp"), code="x")
    walker.client.post(reverse("mfa_activate_totp"), {"code": code_at(secret)})
    for name in (
        "mfa_view_recovery_codes", "mfa_index", "mfa_generate_recovery_codes",
        "mfa_deactivate_totp", "mfa_reauthenticate", "account_overview",
    ):  # fmt: skip
        walker.get(reverse(name), label=name)
    walker.client.post(reverse("mfa_generate_recovery_codes"))
    walker.get(reverse("account_overview"), label="new codes")
    walker.strange().client.post(*enter)
    walker.get(reverse("mfa_authenticate"))
    for number in range(6):
        walker.post(reverse("mfa_authenticate"), code=f"{number}")
    cache.clear()
    walker.as_(me).client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    walker.client.post(reverse("mfa_deactivate_totp"))
    walker.get(reverse("account_overview"), label="off again")
    nothing(walker)


def test_sessions_and_the_file(walker: Walker, settings: object, tmp_path: object) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    me = somebody("Nadia")
    Client(headers={"user-agent": "Firefox Linux"}).force_login(me)
    walker.as_(me)
    walker.get(reverse("account_sessions"), label="two sessions")
    walker.client.post(reverse("account_end_session"))
    walker.get(reverse("account_sessions"), label="one session")
    walker.get(reverse("account_export"), label="no file")
    walker.client.post(reverse("account_export"))
    walker.get(reverse("account_export"), label="on the way")
    made = Export.objects.get()
    exports.make(made.pk)
    walker.get(reverse("account_export"), label="made")
    walker.client.post(reverse("account_export"))
    walker.get(reverse("account_export"), label="too often")
    Export.objects.update(state="failed")
    walker.get(reverse("account_export"), label="failed")
    notify(me, Topic.NOTICE, answer="new device", text="Firefox, Linux")
    walker.get(reverse("games:notifications"), label="told")
    nothing(walker)


def test_letters_of_what_was_changed(walker: Walker) -> None:
    me = somebody("Nadia", language=walker.language)
    EmailAddress.objects.create(user=me, email="n@example.org", verified=True, primary=True)
    walker.as_(me)
    letters.of_new_device(Login.objects.get().pk, walker.language)
    with translation.override(walker.language):
        for name in (
            "password_changed", "password_set", "password_reset", "email_changed", "email_deleted",
        ):  # fmt: skip
            told = {"to_email": "n2@example.org", "deleted_email": "n3@example.org"}
            get_adapter().send_notification_mail(f"account/email/{name}", me, told)
        for name in ("totp_activated", "totp_deactivated", "recovery_codes_generated"):
            get_adapter().send_notification_mail(f"mfa/email/{name}", me)
    assert len(mail.outbox) == 9
    for letter in mail.outbox:
        text = f"{letter.subject}\n{letter.body}"
        if found := pseudo.outside_of_text(text, {"Nadia"}, walker.language):
            walker.found[letter.subject] = found
    nothing(walker)


def test_e_mail_addresses_and_letters(walker: Walker) -> None:
    me = somebody("Nadia")
    walker.as_(me)
    walker.client.post(reverse("account_login"), {"login": "Nadia", "password": PASSWORD})
    walker.client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    walker.client.post(reverse("account_email"), {"action_add": "", "email": "n@example.org"})
    walker.get(reverse("account_email"), label="unconfirmed")
    link = re.search(r"http://[^/]+(\S+)", mail.outbox[-1].body.replace("⟧", " ")).group(1)
    walker.get(link, label="confirm")
    walker.client.post(link)
    walker.get(reverse("account_overview"), label="confirmed")
    walker.get(reverse("account_email"), label="one address")
    walker.client.post(reverse("account_email"), {"action_add": "", "email": "n2@example.org"})
    walker.get(reverse("account_email"), label="two addresses")
    walker.client.post(reverse("account_email"), {"action_add": "", "email": "n@example.org"})
    walker.client.post(reverse("account_email"), {"action_send": "", "email": "n2@example.org"})
    walker.client.post(reverse("account_email"), {"action_remove": "", "email": "n2@example.org"})
    walker.get(reverse("account_email"), label="removed")
    other = somebody("Omar")
    EmailAddress.objects.create(user=other, email="o@example.org", verified=True, primary=True)
    Player.objects.filter(pk=other.pk).update(email="o@example.org")
    walker.strange()
    for address in ("o@example.org", "nobody@example.org"):
        walker.client.post(reverse("account_reset_password"), {"email": address})
    walker.client.post(
        reverse("account_signup"),
        {"username": "Wessam", "password1": PASSWORD, "email": "o@example.org"},
    )
    reset = next(letter for letter in mail.outbox if "password/reset/key" in letter.body)
    link = re.search(r"http://[^/]+(\S+)", reset.body).group(1)
    there = walker.strange().client.get(link)
    walker.get(there.url if there.status_code == 302 else link, label="new password")
    walker.post(there.url if there.status_code == 302 else link, password1="1")
    names = {"Nadia", "Omar", "Wessam"}
    assert len(mail.outbox) >= 5
    for letter in mail.outbox:
        found = pseudo.outside_of_text(f"{letter.subject}\n{letter.body}", names, walker.language)
        if found:
            walker.found[letter.subject] = found
    nothing(walker)


def test_the_lobby(walker: Walker) -> None:
    me, other = somebody(), somebody()
    walker.as_(me)
    play_on(dealt(players=[me, other], target=51))
    match = dealt(Kind.PRACTICE, [me, house(Level.CASUAL)])
    walker.get("/", label="lobby with matches")
    play.resign(match_id=match.pk, player=me)
    Match.objects.filter(pk=match.pk).update(target=51)
    walker.client.post(reverse("ladder:ranked"))
    walker.get("/", label="waiting")
    walker.look(walker.client.get("/", headers={"HX-Request": "true"}), 200, "queue alone")
    walker.client.post(reverse("ladder:leave-queue"))
    two = [dealt(), dealt(), a_match(), a_match(players=[me, person()])]
    walker.get("/", label="lobby with others")
    play.abort(match_id=two[3].pk, player=me)
    walker.get("/", label="left")
    for number, what in enumerate(["no_seed", "left", "time"]):
        lapse = Lapse.objects.create(player=other, match=two[number], what=what, at=timezone.now())
        walker.as_(other).get("/", label=f"warned {what}")
        pause = RankedPause.objects.create(
            player=other, lapse=lapse, nth=number + 1, began_at=timezone.now(),
            until=timezone.now() + timedelta(hours=1 + number),
        )  # fmt: skip
        walker.get("/", label=f"paused {what}")
        assert pause.nth
    walker.client.post(reverse("ladder:ranked"))
    walker.get("/", label="refused")
    staff = somebody(is_staff=True)
    walker.as_(staff).client.post(reverse("ladder:ranked"))
    walker.get("/", label="staff refused")
    nothing(walker)


def test_standing(walker: Walker) -> None:
    me = somebody()
    for number in range(60):
        matches = 30 if number < 40 else 3
        Rating.objects.create(
            player=person(), rating=1500 + number, matches=matches, won=2, lost=matches - 2
        )
    others = [person() for _ in range(3)]
    for other in others:
        match = dealt(players=[me, other])
        play.resign(match_id=match.pk, player=me)
    left = a_match(players=[me, others[0]])
    play.abort(match_id=left.pk, player=me)
    accounts.close_account(others[2])
    walker.as_(me)
    walker.get("/leaderboard/")
    walker.get("/leaderboard/?page=2&provisional=2")
    walker.get("/")
    for player in (me, others[0], house(), person()):
        walker.get(player.get_absolute_url())
    walker.get("/games/")
    walker.get("/games/?result=won")
    walker.get("/games/?opponent=nobody1&result=x&kind=x&since=x&until=2")
    walker.get("/games/?since=2026-01-02&until=2026-01-01")
    walker.get("/games/?before=x")
    walker.get("/games/?before=1")
    running = a_match(players=[me, person()])
    walker.get("/games/", label="matches with one that starts")
    assert running.status == "starting"
    walker.strange().get("/leaderboard/")
    nothing(walker)


def test_the_statistics(walker: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selector, "ENOUGH", 1)
    for _match in range(2):
        play_on(dealt(target=51))
    statistics.count_shuffles()
    walker.get("/fairness/", label="statistics")
    assert "χ²" in walker.client.get("/fairness/").content.decode()
    nothing(walker)


STATES = ["full_floor", "choice", "basra", "counted", "starting", "finished", "aborted", "watched"]


@pytest.mark.parametrize("state", STATES)
def test_tables(walker: Walker, state: str) -> None:
    match_id, session = getattr(tables, state)()
    walker.client.cookies["sessionid"] = session
    path = f"/games/{match_id}/"
    walker.get(path)
    if state == "choice":
        number = Match.objects.get(pk=match_id).number
        walker.post(path, number=number, card="6s")
    if state == "finished":
        walker.get(f"{path}?deal=1&play=0")
        walker.get(f"{path}?deal=1&play=48")
        walker.get(f"{path}?deal=1&play=20")
    for viewer in (None, *Player.objects.filter(seats__match=match_id)):
        html = table_fragment(match_id, viewer, walker.language)
        walker.check(html, f"{state} frame")
        walker.check(presence_fragment(match_id, viewer, walker.language), f"{state} presence")
    nothing(walker)


def test_a_player_who_confirms_each_play(walker: Walker) -> None:
    me = somebody(confirm_play=True)
    match = tables.arranged(
        tables.pack_of(*tables.BASRA), players=[me, somebody(confirm_play=True)]
    )
    mover = match.seats.get(seat=match.turn).player
    walker.as_(mover)
    page = walker.get(f"/games/{match.pk}/").content.decode()
    card = re.findall(r'name="card" value="(..)"', page)[0]
    walker.post(f"/games/{match.pk}/", number=match.number, card=card)
    nothing(walker)


def test_practice_and_every_way_to_end(walker: Walker) -> None:
    me = somebody()
    match = dealt(Kind.PRACTICE, [me, house()])
    walker.as_(me).get(f"/games/{match.pk}/")
    play_on(match)
    walker.get(f"/games/{match.pk}/", label="practice over")
    for loser in (0, 1):
        players = [somebody(), somebody()]
        ended = dealt(players=players)
        play.resign(match_id=ended.pk, player=players[loser])
        walker.as_(players[0]).get(f"/games/{ended.pk}/", label=f"resigned by {loser}")
        Match.objects.filter(pk=ended.pk).update(how="time")
        walker.get(f"/games/{ended.pk}/", label=f"time of {loser}")
        Match.objects.filter(pk=ended.pk).update(how="sanction", given_back_ms=4000)
        walker.get(f"/games/{ended.pk}/", label="sanction")
        Match.objects.filter(pk=ended.pk).update(winner=None)
        walker.get(f"/games/{ended.pk}/", label="no winner")
        walker.strange().get(f"/games/{ended.pk}/", label="watched")
        unplayed = a_match(players=players)
        Match.objects.filter(pk=unplayed.pk).update(status="aborted", how="abort")
        walker.get(f"/games/{unplayed.pk}/", label="no seed, watched")
        walker.as_(players[0]).get(f"/games/{unplayed.pk}/", label="no seed")
    nothing(walker)


def test_boards_seasons_and_files(walker: Walker, settings, tmp_path) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    me, two = somebody("Nadia"), somebody("Nadeem")
    walker.as_(me)
    pages = ["/leaderboard/following/", "/leaderboard/season/", "/data/", "/leaderboard/?q=zz"]
    for path in pages:
        walker.get(path, label="nothing yet")
    for number in range(11):
        ended = dealt(players=[me, two])
        play.resign(match_id=ended.pk, player=two if number % 3 else me)
    people.follow(me, two)
    for matches, opponents, idle in ((9, 1, 0), (12, 2, 0), (12, 5, 20)):
        last = timezone.now() - timedelta(days=idle)
        Rating.objects.filter(player=two).update(
            matches=matches, opponents=opponents, last_at=last, listed=False
        )
        Rating.objects.filter(player=me).update(listed=True, opponents=5, week_rank=4)
        board.refresh()
        for path in (*pages, "/leaderboard/", "/leaderboard/?q=na", "/leaderboard/?me"):
            walker.get(path, label=f"{matches} matches, {opponents} opponents")
    last_season = season_number(timezone.now()) - 1
    seasons.begin(last_season)
    seasons.freeze(last_season)
    walker.get("/leaderboard/season/", label="past seasons")
    walker.get(f"/leaderboard/season/{last_season // 4}-{last_season % 4 + 1}/", label="nobody")
    walker.client.get("/leaderboard/season/1999-1/")
    PublishedFile.objects.create(
        month=timezone.now().date().replace(day=1), name="x", sha256="0" * 64, size=4096,
        matches=2, made_at=timezone.now(),
    )  # fmt: skip
    walker.get("/data/", label="files")
    nothing(walker)


def test_waiting_while_practising(walker: Walker) -> None:
    me, other = somebody(), somebody()
    pairing.enter_queue(me)
    practising = dealt(Kind.PRACTICE, [me, house()])
    walker.as_(me)
    for path in ("/", "/lobby/mine/", "/ranked/bar/", "/leaderboard/"):
        walker.get(path, label="waiting")
    presence.arrive(channel="x", match_id=practising.pk, seat=0)
    pairing.enter_queue(other)
    for player in (me, other):
        walker.as_(player)
        for path in ("/", "/ranked/bar/"):
            walker.get(path, label="found")
    walker.as_(me).client.post("/ranked/leave/", follow=True)
    for player in (me, other):
        walker.as_(player).get("/", label="not taken")
    nothing(walker)


def test_talk(walker: Walker) -> None:
    me, other = somebody(), somebody()
    match = dealt(players=[me, other])
    path, part = f"/games/{match.pk}/talk/", {"headers": {"HX-Request": "true"}}
    walker.as_(me)

    def read(label: str) -> None:
        walker.look(walker.client.get(path, **part), 200, label)
        walker.get(f"/games/{match.pk}/", label=label)

    def say(**said: str) -> None:
        answer = walker.client.post(path, said, **part)
        walker.look(answer, answer.status_code, f"said {said}")

    read("nothing said")
    for phrase in Phrase:
        Utterance.objects.create(match=match, player=other, phrase=phrase, said_at=timezone.now())
    read("phrases")
    for said in ({"text": "1"}, {"phrase": "none"}, {"text": ""}, {"text": "1" * 200}):
        say(**said)
    Player.objects.filter(pk=me.pk).update(date_joined=timezone.now() - timedelta(days=2))
    for text in ("1", "127.0.0.1/x", "1" * 150):
        say(text=text)
    people.mute(me, other)
    read("muted")
    nothing(walker)


def test_challenges(walker: Walker) -> None:
    one, two, three = somebody(), somebody(), somebody()
    terms = {"target": 101, "clock_preset": Clock.FAST}

    def both(made: Challenge, label: str, *others: Player) -> None:
        for player in (one, two, *others):
            walker.as_(player).get(made.get_absolute_url(), label=label)

    for close in (challenges.decline, challenges.cancel, None):
        made = challenges.offer(challenger=one, opponent=two, **terms)
        both(made, "open")
        for player in (one, two):
            walker.as_(player).get("/challenges/", label="open challenges")
        walker.as_(two).get("/challenges/open/", label="a list of them")
        if close is None:
            Challenge.objects.filter(pk=made.pk).update(expires_at=timezone.now())
        else:
            close(challenge_id=made.pk, player=two if close == challenges.decline else one)
        both(made, "over")
    link = challenges.offer_link(challenger=one, **terms)
    both(link, "link")
    walker.strange().get(link.get_absolute_url(), label="link of a stranger")
    match = challenges.accept(challenge_id=link.pk, player=two)
    walker.as_(three).post(f"/challenges/{link.pk}/accept/", 409)
    walker.strange().get(link.get_absolute_url(), label="taken, a stranger")
    walker.as_(one).get(f"/games/{match.pk}/", label="not rated")
    play.abort(match_id=match.pk, player=one)
    both(link, "accepted", three)
    walker.as_(one)
    first = {"whom": "person", "target": 101, "clock": "fast"}
    for status, bad in (
        (422, {"to": "nobody1"}), (422, {"target": 1}), (422, {"clock": "x"}), (422, {"whom": "x"}),
        (409, {"to": one.name}), (409, {"to": house().name}),
    ):  # fmt: skip
        walker.post("/challenges/new/", status, **first | bad)
    walker.get(f"/challenges/new/?to={house().name}", label="practice instead")
    nothing(walker)


def test_people(walker: Walker) -> None:
    me, two, three, four = somebody("Nadia"), somebody("Nadeem"), somebody(), somebody()
    walker.as_(me)
    here = {"until": timezone.now() + timedelta(hours=1)}
    for player in (two, three):
        people.follow(me, player)
        Online.objects.create(player=player, **here)
    dealt(players=[three, person()])
    walker.get("/people/", label="people online")
    walker.get("/people/?q=na", label="found")
    walker.get("/people/?q=nobody1", label="not found")
    acts = ["follow", "unfollow", "mute", "unmute", "block", "unblock", "follow", "mute", "block"]
    for act in acts:
        walker.client.post("/people/tie/", {"player": four.pk, "act": act})
        walker.get("/people/", label=act)
        walker.get(four.get_absolute_url(), label=f"profile, {act}")
    people.block(two, me)
    walker.get(two.get_absolute_url(), label="profile of who blocks me")
    for player in (me, house(), two):
        walker.client.post("/people/tie/", {"player": player.pk, "act": "follow"})
        walker.get("/people/", label="refused")
    nothing(walker)


def test_notifications(walker: Walker) -> None:
    me, other = somebody(), somebody()
    walker.as_(me)
    offered = challenges.offer(challenger=other, opponent=me, target=101, clock_preset=Clock.FAST)
    told = {"by": other, "match": a_match(players=[me, other]), "challenge": offered}
    for topic in Topic:
        for answer in ("", "accepted", "declined"):
            notify(me, topic, answer=answer, text="as it was written", **told)
    walker.get("/notifications/")
    walker.get("/notifications/bell/", label="the bell")
    oldest = me.notifications.last().pk
    walker.get(f"/notifications/?before={oldest}", label="no older ones")
    for on in ("yes", "no"):
        walker.client.post("/notifications/notices/", {"on": on})
        walker.get("/notifications/", label=f"notices {on}")
    accounts.close_account(other)
    me.notifications.all().delete()
    notify(me, Topic.FOLLOW, by=other)
    for number in (me.notifications.get().pk, 0):
        walker.client.get(f"/notifications/{number}/")
        walker.get("/notifications/", label="gone")
    nothing(walker)


def test_playing_again(walker: Walker) -> None:
    one, two = somebody(), somebody()
    for _time in range(3):
        old = dealt(players=[one, two])
        play.resign(match_id=old.pk, player=one)
    path, shown = f"/games/{old.pk}/again/", {"shown": "same pair"}

    def both(label: str) -> None:
        for player in (one, two):
            walker.as_(player).get(f"/games/{old.pk}/", label=label)
            part = walker.client.get(path, headers={"HX-Request": "true"})
            walker.look(part, 200, f"{label}, the part")

    both("nothing offered")
    asked = walker.as_(one).client.post(path, headers={"HX-Request": "true"})
    walker.look(asked, 200, "changed")
    for close in (challenges.cancel, None, challenges.decline):
        made = challenges.offer_again(match_id=old.pk, player=one, **shown)
        both("offered")
        walker.as_(two).get("/challenges/open/", label="a list with it")
        if close is None:
            Challenge.objects.filter(pk=made.pk).update(expires_at=timezone.now())
        else:
            close(challenge_id=made.pk, player=two if close == challenges.decline else one)
        both("over")
    challenges.offer_again(match_id=old.pk, player=two, **shown)
    challenges.offer_again(match_id=old.pk, player=one, **shown)
    for viewer in (one, None):
        (walker.as_(viewer) if viewer else walker.strange()).get(f"/games/{old.pk}/", label="next")
    nothing(walker)


def test_what_is_refused_at_the_table(walker: Walker) -> None:
    me, other = somebody(), somebody()
    match = dealt(players=[me, other])
    path = f"/games/{match.pk}/"
    by_turn = match.seats.select_related("player").order_by("seat")
    mover, waits = by_turn[match.turn].player, by_turn[1 - match.turn].player
    walker.post(path, 403, number=1, card="7d")
    walker.as_(somebody()).post(path, 409, number=1, card="7d")
    walker.as_(mover)
    walker.post(path, 400, number=match.number, card="zz")
    walker.post(path, 409, number=match.number + 5, card="7d")
    not_held = min(deal_of(match).hands[1 - match.turn])
    walker.post(path, 409, number=match.number, card=str(not_held))
    walker.post(f"{path}leave/", 409)
    walker.post(f"{path}seed/", 409, client_seed="x")
    held = min(deal_of(match).hands[1 - match.turn])
    walker.as_(waits).post(path, 409, number=match.number, card=str(held))
    starting = a_match(players=[somebody(), somebody()])
    walker.as_(starting.seats.get(seat=0).player)
    walker.post(f"/games/{starting.pk}/seed/", 409, client_seed="?!")
    walker.post(f"/games/{starting.pk}/resign/", 409)
    walker.client.post("/games/practice/", {"level": "none"})
    walker.get("/", label="no such level")
    nothing(walker)


def test_pages_for_what_goes_wrong(walker: Walker, settings: object) -> None:
    walker.get("/nowhere/", 404)
    walker.get("/players/nobody1/", 404)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies["language"] = walker.language
    walker.look(strict.post("/ranked/"), 403, "csrf")
    walker.look(strict.post("/ranked/", headers={"Referer": "http://testserver/"}), 403, "csrf")
    walker.get("/ranked/", 405)
    request = walker.client.get("/").wsgi_request
    for viewer in (request.user, somebody()):
        request.user = viewer
        with translation.override(walker.language):
            walker.look(errors.bad_request(request, SuspiciousOperation("x")), 400, "400")
            walker.look(errors.permission_denied(request, PermissionDenied("x")), 403, "403")
            walker.look(errors.server_error(RequestFactory().get("/")), 500, "500")
    nothing(walker)


def test_every_page_is_walked(walker: Walker) -> None:
    """A page that is added to the addresses must be added to this walk."""
    walked = set()
    test_pages_for_strangers(walker)
    test_pages_of_an_account(walker)
    test_the_second_factor(walker)
    walked |= walker.seen | {
        "ladder:profile", "games:table", "account_confirm_email", "account_reset_password_from_key",
        "games:challenge", "games:challenges-open", "games:again", "games:bell", "games:talk",
        "ladder:lobby-mine", "ladder:waiting-bar", "ladder:season", "ladder:past-season",
        "ladder:following", "ladder:published", "account_sessions", "account_export",
        "ladder:report", "ladder:my-reports",
        "ladder:moderation", "ladder:moderation-case", "ladder:moderation-talk",
        "ladder:moderation-marks", "ladder:moderation-audit", "ladder:moderation-staff",
        "ladder:sanctions", "ladder:moderation-sanction", "ladder:moderation-annul",
        "ladder:moderation-appeals", "ladder:moderation-appeal",
        "games:lesson", "games:puzzle-of", "games:hint", "games:review",
    }  # fmt: skip
    assert _names() - walked - NO_PAGE == set()


def _names() -> set[str]:
    found = set()

    def collect(patterns: list[object], space: str) -> None:
        for pattern in patterns:
            if hasattr(pattern, "url_patterns"):
                if getattr(pattern, "app_name", None) != "admin":
                    inner = f"{pattern.namespace}:" if pattern.namespace else ""
                    collect(pattern.url_patterns, space + inner)
            elif pattern.name:
                found.add(space + pattern.name)

    collect(get_resolver().url_patterns, "")
    return found


def test_the_walk_would_find_something() -> None:
    page = (
        '<p title="a">⟦b <i>c</i>⟧ d</p><bdi>e</bdi><code>f</code><img alt="g"><p>12 +3</p>'
        '<button aria-label="⟦h⟧, i">⟦j⟧</button><p data-say-k="l">Nour</p>'
    )
    assert pseudo.outside(page, {"Nour"}) == [
        "p title= 'a'", "p 'd'", "img alt= 'g'", "button aria-label= ', i'", "p data-say-k= 'l'",
    ]  # fmt: skip
