"""The table over HTTP: each kind of post gets the answer that helps, and never a 500."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.engine import write_cards
from games.models import Kind, Lease, Match, Play, clock
from tests.factories import a_match, deal_of, dealt, house, person, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return dealt()


@pytest.fixture
def mover(match):
    """The browser of the seat whose turn it is."""
    browser = Client()
    browser.force_login(match.seats.get(seat=match.turn).player)
    return browser


@pytest.fixture
def other(match):
    browser = Client()
    browser.force_login(match.seats.get(seat=1 - match.turn).player)
    return browser


def legal(match):
    chosen = deal_of(match).legal()[0]
    return {
        "number": match.number,
        "card": str(chosen.card),
        "capture": write_cards(chosen.capture),
    }


def address(match):
    return f"/games/{match.id}/"


def test_a_play_leads_back_to_the_table(match, mover):
    answer = mover.post(address(match), legal(match))
    assert (answer.status_code, answer.headers["Location"]) == (302, address(match))


def test_a_play_by_htmx_is_answered_with_the_table_as_it_then_is(match, mover):
    answer = mover.post(address(match), legal(match), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert page.lstrip().startswith('<div id="table"')
    assert f'data-number="{match.number + 1}"' in page


def test_the_same_post_again_succeeds(match, mover):
    form = legal(match)
    mover.post(address(match), form)
    assert mover.post(address(match), form).status_code == 302
    assert Play.objects.count() == 1


def test_a_stale_post_gets_the_current_table_and_says_so(match, mover):
    form = legal(match)
    mover.post(address(match), form)
    card = str(min(deal_of(match).hands[match.turn]))
    answer = mover.post(address(match), form | {"card": card, "capture": ""})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "had moved on" in page
    assert f'data-number="{match.number + 1}"' in page


def test_an_early_post_is_told_that_it_is_not_the_turn(match, other):
    card = str(min(deal_of(match).hands[1 - match.turn]))
    answer = other.post(address(match), {"number": match.number, "card": card, "capture": ""})
    assert answer.status_code == 409
    assert 'data-turn="opponent"' in answer.content.decode()


def test_a_foreign_post_is_told_that_it_watches(match):
    stranger = Client()
    stranger.force_login(person())
    answer = stranger.post(address(match), legal(match))
    assert answer.status_code == 409
    assert "watching" in answer.content.decode()
    assert Client().post(address(match), legal(match)).status_code == 403
    assert not Play.objects.exists()


@pytest.mark.parametrize(
    "bad",
    [
        {"card": "1d"},
        {"card": "As\x00"},
        {"card": ""},
        {"card": "As" * 5000},
        {"number": ""},
        {"number": "-1"},
        {"number": "9" * 40},
        {"number": "٣"},
        {"number": "1.5"},
        {"capture": "As,As"},
        {"capture": "zz"},
        {"capture": ",,,"},
        {"capture": "7d" * 999},
        {"capture": "\x00"},
    ],
)
def test_nonsense_is_refused_in_words_and_nothing_happens(match, mover, bad):
    answer = mover.post(address(match), legal(match) | bad)
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.content.decode()
    assert not Play.objects.exists()


def test_every_capture_but_the_listed_ones_is_refused(match, mover):
    """Less than all, more than there is, two ways merged, cards that are not there."""
    deal = deal_of(match)
    floor = sorted(deal.floor)
    listed = {(p.card, p.capture) for p in deal.legal()}
    for card in sorted(deal.hands[match.turn]):
        for some in range(1 << len(floor)):
            taken = frozenset(c for i, c in enumerate(floor) if some >> i & 1)
            if (card, taken) not in listed:
                form = {"number": 1, "card": str(card), "capture": write_cards(taken)}
                assert mover.post(address(match), form).status_code == 409
    assert not Play.objects.exists()


def test_acts_need_a_post_and_a_token(match, mover):
    for act in ("resign", "seed", "leave"):
        assert mover.get(f"{address(match)}{act}/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(match.seats.get(seat=match.turn).player)
    for path in (address(match), f"{address(match)}resign/", f"{address(match)}seed/"):
        answer = strict.post(path, legal(match))
        assert answer.status_code == 403
        assert answer.headers["HX-Refresh"] == "true"
    assert Match.objects.get(pk=match.pk).status == "playing"


@pytest.mark.parametrize(
    "id_", ["AAAAAAAAAAAA", "a", "A" * 300, "%00", "..", "%F0%9F%83%8F", "-_-", "AAAAAAAAAAA%0A"]
)
def test_a_table_that_is_none_is_not_found(client, id_):
    client.force_login(person())
    for path in ("", "seed/", "resign/", "leave/", "record.json"):
        for ask in (client.get, client.post):
            assert ask(f"/games/{id_}/{path}").status_code in (404, 405)


def test_before_the_deal_one_leaves_and_after_it_one_resigns():
    for dealt_yet, act, done in (
        (False, "leave", "aborted"),
        (False, "resign", "starting"),
        (True, "leave", "playing"),
        (True, "resign", "finished"),
    ):
        match = dealt() if dealt_yet else a_match()
        browser = Client()
        browser.force_login(match.seats.get(seat=0).player)
        browser.post(f"/games/{match.id}/{act}/")
        assert Match.objects.get(pk=match.pk).status == done


def test_the_table_is_never_kept_by_a_cache(match, mover):
    assert "no-store" in mover.get(address(match)).headers["Cache-Control"]


@pytest.mark.parametrize(
    ("here", "to_player", "to_watcher"),
    [
        ({0, 1}, "", ""),
        ({0}, "two is away. The clock runs on.", "two is away. The clock runs on."),
        ({1}, "", "one is away. The clock runs on."),
        (set(), "two is away. The clock runs on.", "Both players are away. The clock runs on."),
    ],
)
def test_who_is_away_is_told_to_the_other_and_of_both_to_watchers(here, to_player, to_watcher):
    match = dealt(Kind.RANKED, [person("one"), person("two")])
    until = clock.now() + timedelta(minutes=1)
    for seat in here:
        Lease.objects.create(channel=f"a socket of {seat}", match=match, seat=seat, until=until)
    for viewer, told in ((match.seats.get(seat=0).player, to_player), (person(), to_watcher)):
        browser = Client()
        browser.force_login(viewer)
        page = browser.get(address(match)).content.decode()
        presence = page.split('id="presence"')[1].split("</div>")[0].partition(">")[2]
        assert " ".join(re.sub(r"<[^>]+>", "", presence).split()) == told


def test_looking_ends_what_is_overdue(match, mover):
    Match.objects.filter(pk=match.pk).update(deadline=match.created_at - timedelta(minutes=1))
    assert 'data-status="finished"' in mover.get(address(match)).content.decode()


def test_a_table_costs_a_bounded_number_of_queries(match, mover, django_assert_max_num_queries):
    play_on(match, 100)
    with django_assert_max_num_queries(15):
        mover.get(address(match))


def test_pressing_practice_again_leads_to_the_match_that_runs(client):
    client.force_login(person())
    first = client.post("/games/practice/", {"level": "regular"}).headers["Location"]
    again = client.post("/games/practice/", {"level": "regular"}).headers["Location"]
    other = client.post("/games/practice/", {"level": "novice"}).headers["Location"]
    assert first == again != other
    assert client.post("/games/practice/", {"level": "grandmaster"}).status_code == 302
    assert Match.objects.filter(kind=Kind.PRACTICE).count() == 2
    assert house("regular").seats.count() == 1
