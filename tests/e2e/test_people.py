"""People and notifications in several browsers at once: what one does reaches the other live."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE, Window
from tests.e2e.playing import PATIENCE_MS

pytestmark = pytest.mark.e2e

MAKE = """
import json
from tests import tables
people = [person(name, **{how!r}) for name in {names!r}]
print(json.dumps([[player.get_absolute_url(), tables.session(player)] for player in people]))
"""
TELL = """
from games.models import Topic
from games.services.notifications import notify
for text in {texts!r}:
    notify(Player.objects.get(name="{name}"), Topic.NOTICE, tag=text[:4], text=text)
"""
FENCES = "\u2068\u2069"  # around what somebody wrote
UNSEEN = "Object.defineProperty(Document.prototype, 'hidden', { get: () => true });"
NOTICES = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  return shown.map(({ body, tag, data }) => ({ body, tag, data }));
}"""


@pytest.fixture
def people(window, site) -> Callable[..., list[Window]]:
    """People of these names, each logged in to a browser of their own."""

    def make(*names: str, how: dict | None = None, **browser: object) -> list[Window]:
        opened = []
        made = site.run(MAKE.format(names=names, how=how or {}))
        for number, (address, key) in enumerate(json.loads(made)):
            one = window(PHONE if number % 2 else DESK, **browser)
            cookie = {"name": "sessionid", "value": key, "url": site.url}
            one.page.context.add_cookies([cookie])
            one.address = address
            opened.append(one)
        return opened

    return make


def bell(page: Page, new: int) -> None:
    """Wait until the bell says so many."""
    said = f"Notifications, {new} new" if new else "Notifications"
    expect(page.locator("#bell")).to_have_attribute("aria-label", said, timeout=PATIENCE_MS)


def press(page: Page, name: str) -> None:
    """Press a button by the keyboard."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_a_follow_rings_the_bell_and_one_tap_opens_who_it_was(people):
    one, two = people("Wagdy", "Hanan")
    for me in (one, two):
        me.go("/rules/")
    bell(two.page, 0)
    title = two.page.title()
    one.go(two.address)
    press(one.page, "Follow")
    expect(one.page.locator("#follow")).to_have_text("Unfollow")
    bell(two.page, 1)
    expect(two.page.locator(".bell-count")).to_have_text("1")
    expect(two.page.locator("#rung")).to_have_text("1 new notification")
    assert two.page.title() == title
    two.page.locator("#bell").click()
    line = two.page.get_by_role("link", name="Wagdy follows you now.")
    line.focus()
    two.page.keyboard.press("Enter")
    expect(two.page.locator("h1")).to_have_text("Wagdy")
    bell(two.page, 0)

    one.go("/people/")
    following = one.page.locator("#following")
    expect(following.get_by_role("link", name="Hanan").first).to_be_visible()
    expect(following.locator(".presence-line")).to_have_text("online", timeout=PATIENCE_MS)
    following.get_by_role("button", name="Unfollow Hanan").click()
    expect(one.page.locator("#following")).to_contain_text("You follow nobody yet")


def test_the_list_grows_while_it_is_open(people, site):
    (me,) = people("Sherine")
    me.go("/notifications/")
    expect(me.page.locator("#news")).to_contain_text("Nothing yet")
    site.run(TELL.format(name="Sherine", texts=["one, first", "two, then", "one, again"]))
    me.page.reload()
    lines = me.page.locator("#news li")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("one, again")
    me.page.locator('[data-action="read-all"]').click()
    bell(me.page, 0)
    expect(me.page.locator("#news .is-new")).to_have_count(0)


def test_a_block_takes_the_challenge_off_both_pages(people):
    one, two = people("Ragab", "Magda")
    two.go("/challenges/")
    one.go("/challenges/new/?to=magda")
    one.page.locator(".challenge-form [type=submit]").click()
    expect(two.page.locator("[data-challenge]")).to_be_visible(timeout=PATIENCE_MS)
    bell(two.page, 1)
    one.go("/challenges/")
    expect(one.page.locator("[data-challenge]")).to_be_visible()
    there = two.page.context.new_page()
    there.goto(f"{two.site.url}{one.address}")
    other = one.page.context.new_page()
    other.goto(f"{one.site.url}{two.address}")
    expect(other.locator("#follow")).to_be_visible()
    press(there, "Block …")
    expect(there.get_by_role("dialog")).to_be_visible()
    there.keyboard.press("Escape")
    expect(there.get_by_role("dialog")).to_be_hidden()
    there.locator("#block").click()
    there.get_by_role("dialog").get_by_role("button", name="Block", exact=True).click()
    expect(there.locator("#unblock")).to_be_visible()
    for page in (one.page, two.page):
        expect(page.locator("[data-challenge]")).to_have_count(0, timeout=PATIENCE_MS)
    bell(two.page, 0)
    expect(other.locator("#follow")).to_have_count(0, timeout=PATIENCE_MS)
    expect(other.locator("#profile-actions")).to_contain_text("cannot be followed or challenged")
    two.go("/people/")
    two.page.get_by_role("button", name="Unblock Ragab").click()
    expect(other.locator("#follow")).to_be_visible(timeout=PATIENCE_MS)


def test_who_watches_a_challenge_and_is_blocked_sees_that_there_is_nothing(people, site):
    one, two, watcher = people("Fikry", "Zizi", "Shawky")
    match = site.run(
        "from games.models import Kind\n"
        "two = [Player.objects.get(name=name) for name in ('Fikry', 'Zizi')]\n"
        "print(dealt(Kind.CHALLENGE, two).pk)"
    )
    for me in (one, watcher):
        me.go(f"/games/{match}/")
        expect(me.page.locator('#table[data-status="playing"]')).to_be_attached()
    two.go(watcher.address)
    two.page.locator("#block").click()
    two.page.locator('[data-action="block"]').click()
    expect(watcher.page.locator("h1")).to_have_text("There is nothing here", timeout=PATIENCE_MS)
    expect(one.page.locator('#table[data-status="playing"]')).to_be_attached()
    watcher.complaints[:] = [c for c in watcher.complaints if "404" not in c]


def test_a_name_is_found_in_arabic_with_the_keyboard_alone(people, site):
    (me,) = people("Galal")
    site.run("person('أحمد'); person('احمدي'); person('هبة٧')")
    me.go("/people/")
    found = me.page.locator("#found bdi")
    for text, names in (("أَحمـ", ["أحمد", "احمدي"]), ("هبه7", ["هبة٧"]), ("إحمدى", ["احمدي"])):
        me.page.locator("#q").focus()
        me.page.keyboard.press("Control+A")
        me.page.keyboard.type(text)
        me.page.keyboard.press("Enter")
        expect(me.page.locator("#q")).to_have_value(text)
        expect(me.page.locator("#found .who bdi")).to_have_text(names)
    press(me.page, "Follow احمدي")
    expect(me.page.locator("#following .who bdi")).to_have_text(["احمدي"])
    assert found.count() >= 1


def test_a_browser_that_may_tells_it_once_while_nobody_looks(people, site, browser):
    (me,) = people("Nagat", how={"browser_notices": True}, permissions=["notifications"])
    context = me.page.context
    context.add_init_script(UNSEEN)
    pages = [me.page, context.new_page()]
    for page in pages:
        page.goto(f"{site.url}/rules/")
    works = "() => navigator.serviceWorker.getRegistration().then((one) => !!one?.active)"
    assert _until(me.page, bool, works)
    site.run(TELL.format(name="Nagat", texts=["one, first"]))
    for page in pages:
        page.evaluate("htmx.trigger(document.body, 'news-bell')")
    told = {"body": "\u2068one, first\u2069", "tag": "one,"}
    _until(me.page, lambda shown: [told] == [{k: n[k] for k in told} for n in shown])
    site.run(TELL.format(name="Nagat", texts=["one, again", "two, then"]))
    for page in pages:
        page.evaluate("htmx.trigger(document.body, 'news-bell')")
    shown = _until(
        me.page,
        lambda shown: {n["body"].strip(FENCES) for n in shown} == {"one, again", "two, then"},
    )
    assert all(notice["data"].startswith("/notifications/") for notice in shown)

    me.go("/settings/")
    me.page.locator('[data-action="notices-off"]').click()
    expect(me.page.locator('[data-action="notices-on"]')).to_be_visible()
    gone = "() => navigator.serviceWorker.getRegistrations().then((all) => all.length)"
    assert _until(me.page, lambda number: number == 0, gone) == 0


def _until(page: Page, is_so: Callable, asked: str = NOTICES):
    """What the page answers, once it is so."""
    for _try in range(100):
        answer = page.evaluate(asked)
        if is_so(answer):
            return answer
        page.wait_for_timeout(100)
    pytest.fail(f"still {answer}")


def test_a_browser_that_refuses_is_explained(people):
    (me,) = people("Soad")
    me.page.add_init_script("""
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
      Notification.requestPermission = async () => 'denied';
    """)
    me.go("/notifications/")
    me.page.locator('[data-action="notices-on"]').click()
    expect(me.page.locator('[data-when="denied"]')).to_be_visible()
    expect(me.page.locator('[data-action="notices-on"]')).to_be_visible()
    me.page.reload()
    expect(me.page.locator('[data-action="notices-on"]')).to_be_visible()


def test_people_without_script(people):
    one, two = people("Karam", "Lotfy", java_script_enabled=False)
    one.go(two.address)
    one.page.locator("#follow").click()
    expect(one.page.locator("#follow")).to_have_text("Unfollow")
    two.go("/")
    two.page.locator("#bell").click()
    two.page.get_by_role("link", name="Karam follows you now.").click()
    expect(two.page.locator("h1")).to_have_text("Karam")
    two.page.locator("#block").click()
    two.page.locator('[data-action="block"]').click()
    expect(two.page.locator("#unblock")).to_be_visible()
