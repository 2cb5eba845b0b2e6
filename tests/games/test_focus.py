"""Parts of a page that renew themselves: each control in them has an id, by which htmx gives it the
focus back. Without one the keyboard is thrown to the beginning of the page, every few seconds.
"""

from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from games.models import Clock, Follow, Kind, Phrase, Player
from games.services import challenges, people, play, talk
from games.services.presence import show_online
from tests.factories import a_match, dealt, person

pytestmark = pytest.mark.django_db
BY_ITSELF = ("from:body", "every ")
CONTROLS = {"a", "button", "summary", "select", "textarea", "input"}
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "use", "circle", "source"}


class Nameless(HTMLParser):
    """Notes the controls without an id within what has a trigger of its own."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.seen = 0
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        within = any(self.open)
        control = tag in CONTROLS and has.get("type") != "hidden" or "tabindex" in has
        self.seen += within and control
        if within and control and "id" not in has:
            self.found.append(self.get_starttag_text() or tag)
        if tag not in VOID:
            trigger = has.get("hx-trigger") or ""
            self.open.append(any(word in trigger for word in BY_ITSELF))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()


@pytest.fixture
def me() -> Player:
    """Somebody with friends who are here, with challenges, news and a lobby to look at."""
    me, friend = person(), person()
    people.follow(me, friend)
    people.follow(friend, me)
    show_online(friend.pk)
    for one, two, target in ((me, friend, 51), (friend, me, 101)):
        challenges.offer(challenger=one, opponent=two, target=target, clock_preset=Clock.FAST)
    challenges.offer_link(challenger=me, target=51, clock_preset=Clock.FAST)
    return me


@pytest.fixture
def shown(client, me) -> Callable[[str], Nameless]:
    """What is nameless on a page."""
    client.force_login(me)
    return lambda path: Nameless(client.get(path).content.decode())


@pytest.mark.parametrize("path", ["/", "/people/", "/challenges/", "/notifications/"])
def test_the_keyboard_keeps_its_place(shown, path):
    assert shown(path).seen
    assert not shown(path).found


def test_on_a_friends_page_and_at_the_tables(shown, me):
    other = person()
    talking = dealt(Kind.CHALLENGE, [me, other])
    talk.say(match_id=talking.pk, player=other, phrase=Phrase.HELLO)
    left = a_match(Kind.RANKED, [me, person()])
    play.abort(match_id=left.pk, player=left.seats.get(seat=1).player)
    friend = Follow.objects.get(player=me).other
    for page in (friend, talking, left):
        assert shown(page.get_absolute_url()).seen
        assert not shown(page.get_absolute_url()).found
