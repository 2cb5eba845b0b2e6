"""The pages to read, the settings, and what is shown when something is not there or breaks."""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path, reverse
from django.views.decorators.csrf import requires_csrf_token

from basra_site import errors, urls
from games.engine import Basra, Tally, captures, parse_card, record
from games.models import Commitment, Kind, Player
from games.selectors.commitments import PAGE
from games.selectors.rule_examples import POSITIONS, rule_examples, set_up_deal, ways
from tests.factories import a_match, person

ROOT = Path(django_settings.BASE_DIR)
READING = ["games:rules", "games:fairness"]


def body(response: HttpResponse) -> str:
    return response.content.decode()


def outline(text: str) -> list[int]:
    return [int(level) for level in re.findall(r"<h([1-6])\b", text)]


# ------------------------------------------------------------------------------ the rules

# What the page's own words claim of each position: captures in order, and the basra.
CLAIMS = {
    "pair": (["9c"], "none"),
    "sums": (["3c 5d 2s 6h"], "none"),
    "own_and_sums": (["Th 6c 4d"], "none"),
    "choice": (["As 2h 3c", "As 5d"], "none"),
    "nothing": ([""], "none"),
    "queen": (["Qc Qd"], "none"),
    "jack": (["9c Kd 2s 5h"], "none"),
    "jack_alone": ([""], "none"),
    "komi": (["9c 5d Kh"], "none"),
    "komi_on_floor": (["7d"], "basra"),
    "basra_sum": (["2c 4d"], "basra"),
    "basra_queens": (["Qs"], "basra"),
    "basra_of_komi": (["7d"], "basra"),
    "jack_basra": (["Jd"], "jack basra"),
    "jack_over_cards": (["5h 9d"], "none"),
    "jack_over_komi": (["7d"], "none"),
    "komi_over_jack": (["Jc"], "jack basra"),
    "komi_over_groups": (["8c 8h 3c 5d"], "basra"),
    "komi_over_one_sum": (["2c 3d 5h"], "basra"),
    "komi_over_kings": (["Kc Kh"], "basra"),
    "komi_over_mixture": (["Qc Kc"], "none"),
    "komi_over_unequal": (["9c 5h"], "none"),
}


def test_every_example_has_its_claim() -> None:
    assert set(CLAIMS) == set(POSITIONS)


@pytest.mark.parametrize("name", CLAIMS)
def test_an_example_is_what_the_words_say(name: str) -> None:
    taken, kind = CLAIMS[name]
    found = ways(*POSITIONS[name])
    assert [" ".join(map(str, way.taken)) for way in found] == taken
    assert {str(way.kind) for way in found} == {kind}


def test_the_examples_show_every_way_that_the_engine_has() -> None:
    for name, (card, floor) in POSITIONS.items():
        lying = [parse_card(text) for text in floor.split()]
        engine = captures(lying, parse_card(card))
        assert {frozenset(way.taken) for way in ways(card, floor)} == set(engine), name


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("komi_over_groups", "8s"),
        ("komi_over_one_sum", "Tc"),
        ("komi_over_one_sum", "5s"),
        ("komi_over_kings", "Ks"),
    ],
)
def test_the_komi_stands_in_for_a_card_that_takes_all(name: str, card: str) -> None:
    floor = POSITIONS[name][1]
    assert [way.empties for way in ways(card, floor)] == [True]


@pytest.mark.parametrize("name", ["komi_over_mixture", "komi_over_unequal"])
def test_no_other_card_takes_what_the_komi_makes_no_basra_of(name: str) -> None:
    floor = POSITIONS[name][1]
    for rank in "A23456789TQK":
        card = next(f"{rank}{suit}" for suit in "shdc" if f"{rank}{suit}" not in f"{floor} 7d")
        assert not any(way.empties for way in ways(card, floor)), card


def test_the_choice_leaves_something_either_way() -> None:
    assert len(ways(*POSITIONS["choice"])) == 2
    assert not any(way.empties for way in ways(*POSITIONS["choice"]))


def test_misfits_come_out_in_the_dealers_last_hand() -> None:
    deal = set_up_deal()
    assert [str(card) for card in deal.under] == ["Jd", "7d"]
    while deal.batch < 6:
        deal = deal.play(deal.legal()[0])
    assert set(deal.under) <= deal.hands[deal.dealer]


def test_the_worked_count_and_match() -> None:
    examples = rule_examples()
    you, opponent = examples["count"]
    assert (you.points, opponent.points) == (40, 50)
    assert you.cards + opponent.cards == 52
    assert you.jack_basra_points == opponent.majority_points == 30
    assert opponent.points - you.points == Basra.BASRA.points
    match = examples["match"]
    assert [deal.totals for deal in match.deals] == [(50, 10), (60, 70), (80, 80), (120, 100)]
    assert all(sum(line.cards for line in deal.lines) == 52 for deal in match.deals)
    assert [line.majority_points for line in match.deals[2].lines] == [0, 0]
    assert (match.target, match.winner) == (101, 0)
    assert Tally(101, 0).add((100, 100)).winner is None
    assert Tally(101, 0).add((110, 110)).winner is None
    assert Tally(101, 0).add((110, 120)).winner == 1


def test_the_rules_draw_what_the_engine_takes(client: Client, db: None) -> None:
    text = body(client.get(reverse("games:rules")))
    figures = re.findall(
        r'<figure class="example" data-example="(\w+)" data-basra="([\w ]+)">(.*?)</figure>',
        text, re.S,
    )  # fmt: skip
    assert [name for name, _basra, _drawn in figures if name != "choice"] == [
        name for name in POSITIONS if name != "choice"
    ]
    for name in POSITIONS:
        drawn = [(b, inside) for n, b, inside in figures if n == name]
        for (kind, inside), way in zip(drawn, ways(*POSITIONS[name]), strict=True):
            ringed = re.findall(r'is-capturable" data-card="(\w+)"', inside)
            assert ringed == [str(card) for card in way.taken], name
            assert kind == str(way.kind)
            assert len(re.findall(r'data-card="', inside)) == 1 + len(way.floor)
            assert inside.count('class="vh"') >= 1 + len(way.floor)


def test_the_rules_say_what_they_must(client: Client, db: None) -> None:
    text = html.unescape(re.sub(r"<[^>]+>", " ", body(client.get(reverse("games:rules")))))
    text = re.sub(r"\s+", " ", text)
    for said in (
        "34%", "8 points", "51.2 ± 1.2%", "7% of deals", "once in six deals",
        "remember every play that was made openly", "not allowed in ranked play",
        "The readings chosen, and why", "about a fifth of the details", "sibling games",
        "Capturing is compulsory", "nothing is carried over", "equal groups", "misread",
        "12 free seconds", "90 seconds", "51, 101 or 151",
    ):  # fmt: skip
        assert said in text, said


# ------------------------------------------------------------------------------ all of them


@pytest.mark.parametrize("name", READING)
def test_a_page_is_whole_and_open_to_strangers(name: str, client: Client, db: None) -> None:
    response = client.get(reverse(name))
    text = body(response)
    assert response.status_code == 200
    levels = outline(text)
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert {
        word for words in re.findall(r'aria-labelledby="([^"]+)"', text) for word in words.split()
    } <= set(ids)
    assert not re.findall(r"<svg(?![^>]*aria-hidden)", text)
    assert client.post(reverse(name)).status_code == 405


@pytest.mark.parametrize("name", READING)
def test_reading_pages_need_few_queries(
    name: str, client: Client, db: None, django_assert_max_num_queries
) -> None:
    client.force_login(person())
    with django_assert_max_num_queries(6):
        client.get(reverse(name))


# ------------------------------------------------------------------------------ the fair shuffle


def recipe(text: str) -> str:
    found = re.search(r'id="recipe"><code>(.*?)</code>', text, re.S)
    return html.unescape(found.group(1))


def test_the_recipe_on_the_page_works(client: Client, db: None, tmp_path: Path) -> None:
    """It is run as a reader would run it, on the record that docs/record.md shows."""
    program, file = tmp_path / "check.py", tmp_path / "record.json"
    program.write_text(recipe(body(client.get(reverse("games:fairness")))))
    shown = documented_record()
    file.write_text(json.dumps(shown))
    good = subprocess.run([sys.executable, program, file], capture_output=True, text=True)
    assert (good.returncode, good.stdout) == (0, "all packs are right\n"), good.stderr
    for change in ("pack", "dealer", "seed"):
        bad = json.loads(json.dumps(shown))
        if change == "pack":
            bad["deals"][0]["pack"].reverse()
        elif change == "dealer":
            bad["first_dealer"] = 1 - bad["first_dealer"]
        else:
            bad["server_seed"] = bad["server_seed"][::-1]
        file.write_text(json.dumps(bad))
        assert subprocess.run([sys.executable, program, file], capture_output=True).returncode


def documented_record() -> dict:
    text = (ROOT / "docs" / "record.md").read_text("utf-8")
    return json.loads(re.search(r"```json\n(.*?)```", text, re.S).group(1))


def test_the_documented_record_verifies() -> None:
    verified = record.verify(documented_record())
    assert (verified.deals, verified.plays) == (1, 4)


def test_the_record_page_names_every_field() -> None:
    text = (ROOT / "docs" / "record.md").read_text("utf-8")
    shown = documented_record()
    names = [
        *shown,
        *(f"deals[].{n}" for n in shown["deals"][0]),
        *(f"result.{n}" for n in shown["result"]),
    ]
    assert [name for name in names if name != "result" and f"| `{name}` |" not in text] == []


def test_the_list_has_every_commitment_and_no_match(client: Client, db: None) -> None:
    matches = [a_match(kind) for kind in (Kind.RANKED, Kind.PRACTICE, Kind.CHALLENGE)]
    page = body(client.get(reverse("games:fairness")))
    answer = client.get(reverse("games:commitments"))
    listed = b"".join(answer.streaming_content).decode()
    for match in matches:
        assert match.commitment in page
        assert f"{match.commitment_number} " in listed
        assert match.commitment in listed
        assert match.id not in page
        assert match.id not in listed
        assert str(match.get_absolute_url()) not in page
    assert re.fullmatch(r"(\d+ \d{4}-\d\d-\d\dT[\d:.]+Z [0-9a-f]{64}\n){3}", listed)


def test_the_list_goes_on_page_by_page(client: Client, db: None) -> None:
    for number in range(PAGE * 2 + 3):
        Commitment.objects.create(made_at="2026-01-01T00:00:00Z", sha256=f"{number:064x}")
    address, seen = reverse("games:fairness"), []
    while address:
        text = body(client.get(address))
        seen += re.findall(r'<code class="hash" dir="ltr">([0-9a-f]{64})', text)
        older = re.search(r'href="(\?before=\d+)#commitments"', text)
        address = reverse("games:fairness") + older.group(1) if older else ""
    assert seen == [f"{number:064x}" for number in reversed(range(PAGE * 2 + 3))]


@pytest.mark.parametrize("before", ["%00", "-1", "x", "9" * 40, "٣", "1e3", "0", ""])
def test_a_bad_place_in_the_list_breaks_nothing(before: str, client: Client, db: None) -> None:
    assert client.get(f"{reverse('games:fairness')}?before={before}").status_code == 200


# ------------------------------------------------------------------------------ settings


def test_settings_are_shown_and_kept(client: Client, db: None) -> None:
    player = person()
    client.force_login(player)
    text = body(client.get(reverse("games:settings")))
    assert reverse("account_overview") in text
    assert "published" in text
    assert re.findall(r'#back-(\w+)"', text) == ["star", "lattice", "wave"]
    assert re.search(r'value="star"[^>]* checked', text)
    kept = {"back": "wave", "four_colours": "on", "chooses_seed": "on", "more_time": "on"}
    assert client.post(reverse("games:settings"), kept).status_code == 302
    player.refresh_from_db()
    assert (player.back, player.four_colours) == ("wave", True)
    assert (player.chooses_seed, player.more_time) == (True, True)
    text = body(client.get(reverse("games:settings")))
    assert re.search(r'value="wave"[^>]* checked', text)
    assert '<html lang="en" dir="ltr" class="cards-4">' in text
    assert client.post(reverse("games:settings"), {"back": "star"}).status_code == 302
    player.refresh_from_db()
    assert (player.back, player.four_colours, player.chooses_seed) == ("star", False, False)


@pytest.mark.parametrize("back", ["", "plain", "\x00", "star\x00", "<b>"])
def test_a_back_that_is_none_is_an_error_on_the_form(back: str, client: Client, db: None) -> None:
    player = person()
    client.force_login(player)
    response = client.post(reverse("games:settings"), {"back": back, "four_colours": "on"})
    text = body(response)
    assert response.status_code == 422
    assert 'id="back-error"' in text
    assert "<b>" not in text.split('id="back-error"')[1].split("</p>")[0]
    player.refresh_from_db()
    assert (player.back, player.four_colours) == ("star", False)


def test_keeping_settings_writes_nothing_else(client: Client, db: None, monkeypatch) -> None:
    """Somebody else may change the row between the form's reading and its writing."""
    player = person()
    client.force_login(player)
    real = Player.save

    def save_late(self: Player, *args: object, **how: object) -> None:
        Player.objects.filter(pk=self.pk).update(is_active=False)
        real(self, *args, **how)

    monkeypatch.setattr(Player, "save", save_late)
    client.post(reverse("games:settings"), {"back": "lattice"})
    row = Player.objects.get(pk=player.pk)
    assert (row.back, row.is_active) == ("lattice", False)


# ------------------------------------------------------------------------------ what went wrong


@requires_csrf_token
def broken(request: HttpRequest, how: str) -> HttpResponse:
    raise {"400": SuspiciousOperation, "403": PermissionDenied}.get(how, RuntimeError)("secret 7d")


class Addresses:
    """The site's addresses and one that fails as asked."""

    urlpatterns = [path("broken/<str:how>/", broken), *urls.urlpatterns]
    handler400, handler403 = (
        staticmethod(errors.bad_request),
        staticmethod(errors.permission_denied),
    )
    handler404, handler500 = staticmethod(errors.page_not_found), staticmethod(errors.server_error)


def test_the_handlers_are_wired() -> None:
    for code, name in {
        "400": "bad_request", "403": "permission_denied",
        "404": "page_not_found", "500": "server_error",
    }.items():  # fmt: skip
        assert getattr(urls, f"handler{code}") == f"basra_site.errors.{name}"


def test_an_address_that_only_takes_forms_says_so(client: Client, db) -> None:
    response = client.get("/ranked/")
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert outline(body(response)) == [1]
    assert "cannot be opened by itself" in body(response)
    assert client.post("/rules/").content == b""


@pytest.mark.parametrize("how", ["400", "403", "500"])
@pytest.mark.parametrize("logged_in", [False, True])
def test_an_error_page_says_what_to_do(
    how: str, logged_in: bool, client: Client, db, settings
) -> None:
    settings.ROOT_URLCONF = Addresses
    client.raise_request_exception = False
    if logged_in:
        client.force_login(person())
    response = client.get(f"/broken/{how}/")
    text = body(response)
    assert response.status_code == int(how)
    assert "secret" not in text
    assert "7d" not in re.sub(r"[A-Za-z0-9]{64}", "", text)  # tokens are random letters
    assert outline(text) == [1]
    assert 'href="/"' in text
    assert "tokens.css" in text


@pytest.mark.parametrize(
    "address",
    [
        "/nothing/", "/games/aaaaaaaaaaaa/", "/games/%00/", "/games/a%00b/", "/%00",
        "/players/%00/", "/players/%ED%A0%80/", "/players/%FF/", "/games/aaaaaaaaaaaa/record.json",
        "/rules/x/", "/../etc/passwd", "/static/..%2f..%2fmanage.py",
    ],
)  # fmt: skip
def test_what_is_not_there_is_a_404_with_a_way_on(address: str, client: Client, db: None) -> None:
    response = client.get(address)
    text = body(response)
    assert response.status_code == 404
    assert outline(text) == [1]
    assert "There is nothing here" in text
    assert reverse("ladder:lobby") in text


def test_a_host_that_is_none_of_ours_is_a_400(client: Client, db: None) -> None:
    response = client.get("/rules/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "evil" not in body(response)


def test_a_private_match_is_no_different_from_none(client: Client, db: None) -> None:
    hidden = client.get(a_match(Kind.PRACTICE).get_absolute_url())
    absent = client.get("/games/aaaaaaaaaaaa/")

    def plain(response: HttpResponse) -> str:
        token = r'"X-CSRFToken": "\w+"|"csrfmiddlewaretoken" value="\w+"'
        text = re.sub(token, "", body(response))
        return text.replace(response.wsgi_request.path, "")  # whither the switch of languages leads

    assert hidden.status_code == absent.status_code == 404
    assert plain(hidden) == plain(absent)


def test_a_form_whose_token_has_gone(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person())
    response = client.post(
        reverse("games:settings"),
        {"back": "wave"},
        headers={"referer": "http://testserver/settings/?a=1&b=2"},
    )
    text = body(response)
    assert response.status_code == 403
    assert response["HX-Refresh"] == "true"
    assert 'href="http://testserver/settings/?a=1&amp;b=2"' in text
    elsewhere = client.post(
        reverse("games:settings"), {"back": "wave"}, headers={"referer": "http://evil.example/"}
    )
    assert "evil" not in body(elsewhere)
    assert not Player.objects.filter(back="wave").exists()


def test_too_many_tries(db: None, rf: RequestFactory, client: Client) -> None:
    from allauth.core.internal.ratelimit import respond_429

    request = rf.get("/accounts/login/")
    request.htmx = False
    response = respond_429(request)
    assert response.status_code == 429
    assert outline(body(response)) == [1]
    assert reverse("ladder:lobby") in body(response)


def test_500_needs_nothing(rf: RequestFactory, monkeypatch) -> None:
    """No database (this test has none), no context, and in the end not even its template."""
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something broke" in body(response)

    def gone(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(errors.loader, "get_template", gone)
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something broke" in body(response)
