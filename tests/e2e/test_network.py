"""Bad networks and a server that goes away, in a real browser: nothing is lost, and pages heal."""

import json

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from games.services.presence import RENEW_SECONDS
from tests.e2e.conftest import DESK, PHONE
from tests.e2e.playing import PATIENCE_MS, attribute, play_first_card, until

pytestmark = pytest.mark.e2e

FIVE_SECONDS = 5_000


@pytest.fixture
def two(window, site):
    """Two people at a ranked table of their own, whoever's turn it is first; and the match's id."""
    made = json.loads(
        site.run(
            "import json\n"
            "from django.test import Client\n"
            "match = dealt()\n"
            "keys = []\n"
            "for seat in match.seats.select_related('player'):\n"
            "    client = Client()\n"
            "    client.force_login(seat.player)\n"
            "    keys.append(client.cookies['sessionid'].value)\n"
            "print(json.dumps([match.id, match.turn, keys]))"
        )
    )
    match, turn, keys = made

    def seated(viewport, key, **how):
        opened = window(viewport, **how)
        opened.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        return opened

    first, second = seated(DESK, keys[turn]), seated(PHONE, keys[1 - turn])
    return first, second, match


def sit_down(*people, match):
    for person in people:
        person.go(f"/games/{match}/")
        expect(person.page.locator("#presence")).to_be_attached()
    for person in people:
        expect(person.page.locator("#presence .away")).to_have_count(0, timeout=PATIENCE_MS)


def agree_with_the_database(site, match, *pages: Page, timeout: float = PATIENCE_MS) -> None:
    """Every page shows the version, the number and the turn that are stored."""
    version, number, turn = site.run(
        f"m = Match.objects.get(pk={match!r})\nprint(m.version, m.number, m.turn)"
    ).split()
    for page in pages:
        expect(page.locator(f'#table[data-version="{version}"]')).to_be_attached(timeout=timeout)
        assert attribute(page, "number") == number
        mine = attribute(page, "seat") == turn
        assert attribute(page, "turn") == ("me" if mine else "opponent")
        assert page.title().startswith("Your turn") == mine


def forgive(person, *parts: str) -> None:
    """What the browser itself says of a line that was cut is no fault of the page."""
    person.complaints[:] = [c for c in person.complaints if not any(part in c for part in parts)]


LINE = ("htmx", "WebSocket", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED")


def test_a_line_cut_and_restored_in_the_middle_of_a_turn(two, site):
    first, second, match = two
    sit_down(first, second, match=match)
    first.page.context.set_offline(True)
    expect(first.page.locator("#connection")).to_be_visible(timeout=FIVE_SECONDS)
    first.page.locator("#hand [data-card]").first.click()
    expect(first.page.locator("#toasts .toast")).to_be_visible()
    agree_with_the_database(site, match, second.page)
    first.page.context.set_offline(False)
    expect(first.page.locator("#connection")).to_be_hidden(timeout=FIVE_SECONDS)
    play_first_card(first.page)
    agree_with_the_database(site, match, first.page, second.page)

    second.page.context.set_offline(True)
    second.page.context.set_offline(False)
    first.page.context.set_offline(True)
    play_first_card(second.page)
    first.page.context.set_offline(False)
    agree_with_the_database(site, match, first.page, second.page, timeout=FIVE_SECONDS)
    for person in (first, second):
        forgive(person, *LINE)


def test_a_socket_that_is_open_but_dead_is_noticed_within_five_seconds(two, site):
    first, second, match = two
    dead = []

    def half_open(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(lambda message: None if dead else server.send(message))
        server.on_message(lambda message: None if dead else route.send(message))

    first.page.route_web_socket("**/ws/games/**", half_open)
    sit_down(first, second, match=match)
    dead.append(True)
    expect(first.page.locator("#connection")).to_be_visible(timeout=FIVE_SECONDS)
    play_first_card(first.page)
    play_first_card(second.page)
    agree_with_the_database(site, match, first.page, second.page, timeout=2 * FIVE_SECONDS)
    dead.clear()
    expect(first.page.locator("#connection")).to_be_hidden(timeout=2 * FIVE_SECONDS)


@pytest.mark.parametrize(
    "minutes", [0, pytest.param(3, marks=pytest.mark.soak)], ids=["a moment", "three minutes"]
)
def test_a_page_that_slept_is_current_when_it_wakes(two, site, minutes):
    """Like a laptop that is shut: nothing of the page runs, and its line stays open."""
    first, second, match = two
    site.run(f"Match.objects.filter(pk={match!r}).update(clock='relaxed')")
    site.run(f"Seat.objects.filter(match_id={match!r}).update(bank_ms=300000)")
    sit_down(first, second, match=match)
    browser = second.page.context.new_cdp_session(second.page)
    browser.send("Page.setWebLifecycleState", {"state": "frozen"})
    play_first_card(first.page)
    first.page.wait_for_timeout(minutes * 60_000)
    browser.send("Page.setWebLifecycleState", {"state": "active"})
    agree_with_the_database(site, match, first.page, second.page, timeout=FIVE_SECONDS)
    expect(second.page.locator("#connection")).to_be_hidden()
    play_first_card(second.page)
    agree_with_the_database(site, match, first.page, second.page)


def test_leaving_the_page_of_a_running_match_is_asked_once(two):
    first, second, match = two
    sit_down(first, second, match=match)
    play_first_card(first.page)
    asked = []
    first.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    first.page.goto(first.site.url + "/rules/")
    assert asked == ["beforeunload"]
    first.page.goto(first.site.url + "/leaderboard/")
    assert asked == ["beforeunload"]


def test_the_wrong_time_of_day_changes_nothing(two, site):
    """Ten minutes ahead and ten behind: both clocks count what the server says."""
    first, second, match = two
    for person, minutes in ((first, 10), (second, -10)):
        person.page.add_init_script(
            f"{{ const real = Date.now; Date.now = () => real() + {minutes} * 60000; }}"
        )
    sit_down(first, second, match=match)
    shown = [
        int(person.page.locator(".is-turn [data-seconds]").first.inner_text())
        for person in (first, second)
    ]
    assert abs(shown[0] - shown[1]) <= 2
    assert 0 < shown[0] <= 22
    play_first_card(first.page)
    play_first_card(second.page)
    agree_with_the_database(site, match, first.page, second.page)


def test_closing_one_of_two_tabs_is_not_going_away(two, site):
    first, second, match = two
    sit_down(first, second, match=match)
    other_tab = second.page.context.new_page()
    other_tab.goto(second.page.url)
    expect(other_tab.locator("#table")).to_be_attached()
    other_tab.close()
    play_first_card(first.page)
    agree_with_the_database(site, match, first.page, second.page)
    expect(first.page.locator("#presence .away")).to_have_count(0)
    second.page.close()
    expect(first.page.locator("#presence .away")).to_be_visible(
        timeout=1000 * (RENEW_SECONDS + 15) + PATIENCE_MS
    )


def test_older_and_reversed_frames_are_ignored(two, site):
    """The frames of two plays arrive in reversed order: the page keeps the newer."""
    first, second, match = two
    held: list[str] = []
    holding = []

    def reversing(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def came(message: str) -> None:
            if holding and 'id="table"' in message:
                held.append(message)
            else:
                route.send(message)

        route.on_message(server.send)
        server.on_message(came)
        routes.append(route)

    routes: list[WebSocketRoute] = []
    second.page.route_web_socket("**/ws/games/**", reversing)
    sit_down(first, second, match=match)
    play_first_card(first.page)
    agree_with_the_database(site, match, second.page)
    play_first_card(second.page)
    holding.append(True)
    play_first_card(first.page)
    expect(first.page.locator('#table[data-turn="opponent"]')).to_be_attached()
    agree_with_the_database(site, match, first.page)
    until(second.page, lambda: held)
    newest = f'data-version="{attribute(first.page, "version")}"'
    old = held[0].replace(newest, 'data-version="1"')
    holding.clear()
    routes[-1].send(held[-1])
    routes[-1].send(old)
    agree_with_the_database(site, match, first.page, second.page)
    assert second.page.locator("#hand [data-card]").count() <= 4


def test_after_a_restart_every_page_is_back_within_five_seconds(window, site):
    """Twenty matches, their pages open; the server is killed, and was away for a minute."""
    made = json.loads(
        site.run(
            "import json\n"
            "from django.test import Client\n"
            "me = person()\n"
            "client = Client()\n"
            "client.force_login(me)\n"
            "ids = [dealt('ranked', [me, person()]).id for _ in range(20)]\n"
            "print(json.dumps([client.cookies['sessionid'].value, ids]))"
        )
    )
    key, ids = made
    me = window(DESK)
    me.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    pages = []
    for match in ids:
        page = me.page.context.new_page()
        page.goto(f"{site.url}/games/{match}/")
        pages.append(page)
    for page in pages:
        expect(page.locator("#presence")).to_be_attached()
    site.kill()
    site.run(
        "from datetime import timedelta\nfrom django.db.models import F\n"
        "Pulse.objects.filter(name='alive').update(at=F('at') - timedelta(seconds=60))"
    )
    site.start()
    for match, page in zip(ids, pages, strict=True):
        agree_with_the_database(site, match, page, timeout=FIVE_SECONDS)
    for page in pages:
        expect(page.locator("#connection")).to_be_hidden(timeout=FIVE_SECONDS)
    given = site.run(
        f"ms = Match.objects.filter(pk__in={ids!r})\n"
        "from ladder.models import Lapse\n"
        "print(ms.filter(status='playing', given_back_ms__gte=60000).count(), "
        f"Lapse.objects.filter(match_id__in={ids!r}).count())"
    )
    assert given == "20 0"
    forgive(me, *LINE)
