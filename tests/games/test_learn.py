"""The lessons: the engine answers, each aim can be reached, and what is done is kept."""

import pytest
from django.test import Client

from games.engine import Malformed, Play
from games.learning import COOKIE
from games.models import Kind, Player
from games.selectors import lessons
from games.selectors.lessons import BY_NAME, LESSONS, Lesson, Progress, read_progress
from games.services import learning, play
from tests.factories import dealt, house, person

pytestmark = pytest.mark.django_db
NAMES = [lesson.name for lesson in LESSONS]

# Exactly the plays that reach the aim of each lesson, as its words have it.
REACH = {
    "capture": ["9h:9c"],
    "sums": ["8h:2s,3c,5d,6h"],
    "both": ["Ts:4d,6c,Th"],
    "choosing": ["6s:As,2h,3c"],
    "kings": ["Qs:Qc,Qd"],
    "jack": ["Jh:2s,5h,9c,Kd"],
    "basra": ["6s:2c,4d"],
    "bait": ["9d", "Kd"],
    "jack-basra": ["7d:Jd", "Js:Jd"],
    "komi": ["7d:2c,3d,5h"],
    "last-cards": ["3d:3c"],
    "counting": ["2s"],
}


def every_play(lesson: Lesson) -> list[Play]:
    return [Play(card, way) for card in sorted(lesson.hand) for way in lesson.ways(card)]


def form(play: Play) -> dict[str, str]:
    """What the buttons post: the capture too, where there is a choice."""
    card, _colon, capture = str(play).partition(":")
    return {"card": card, "capture": capture}


def cards_of(text: str, list_id: str) -> int:
    return text.partition(f'id="{list_id}"')[2].partition("</ul>")[0].count("data-card=")


# ------------------------------------------------------------------------------ positions


def test_there_are_a_dozen_each_called_once() -> None:
    assert list(REACH) == NAMES
    assert len(set(NAMES)) == 12


@pytest.mark.parametrize("name", NAMES)
def test_exactly_these_plays_reach_the_aim(name: str) -> None:
    lesson = BY_NAME[name]
    assert [str(p) for p in every_play(lesson) if lesson.is_reached_by(p)] == REACH[name]
    assert lesson.best in REACH[name]
    assert len(every_play(lesson)) > len(REACH[name])


@pytest.mark.parametrize("name", ["last-cards", "counting"])
def test_the_ends_of_deals_are_real_and_leave_no_choice(name: str) -> None:
    deal = BY_NAME[name].running
    assert type(deal).replay(deal.pack, deal.dealer, [t.play for t in deal.history]) == deal
    for played in every_play(BY_NAME[name]):
        after = deal.play(played)
        while not after.over:
            assert len(after.legal()) == 1
            after = after.play(after.legal()[0])
        outcome = BY_NAME[name].outcome(played)
        assert outcome.ending == after
        assert len(outcome.rest) == 2


def test_what_the_words_of_the_ends_say() -> None:
    last, count = BY_NAME["last-cards"], BY_NAME["counting"]
    for lesson, card in ((last, "3s"), (count, "6c")):
        running = lesson.running
        assert [str(c) for c in running.hands[1 - running.turn]] == [card]
        assert running.stock == ()
    assert last.running.last_capture != last.running.turn
    mine, other = count.outcome(Play.parse("2s")).lines
    assert (mine.cards, mine.majority_points, other.majority_points) == (27, 30, 0)


def test_laying_what_can_be_taken_names_the_cards_that_threaten() -> None:
    bait = BY_NAME["bait"]
    assert {c.rank for c in bait.outcome(Play.parse("6s")).threats} == {"T", "7"}
    assert {str(c) for c in bait.outcome(Play.parse("3c")).threats} == {"7c", "7h", "7s", "7d"}
    assert bait.outcome(Play.parse("Kd")).threats == ()


def test_a_play_that_the_rules_do_not_allow_is_none() -> None:
    both = BY_NAME["both"]
    for text in ("Ts:Th", "Ts", "2c", "Ts:6c,4d"):
        with pytest.raises(Malformed):
            both.outcome(Play.parse(text))
    assert lessons.parse_play(BY_NAME["choosing"], "6s", None) is None


# ------------------------------------------------------------------------------ pages


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("name", NAMES)
def test_each_lesson_is_answered_by_the_engine(name: str, language: str, client: Client) -> None:
    lesson = BY_NAME[name]
    client.cookies["language"] = language
    page = client.get(f"/learn/{name}/").content.decode()
    assert f'dir="{"rtl" if language == "ar" else "ltr"}"' in page
    assert cards_of(page, "hand") == len(lesson.hand)
    assert cards_of(page, "floor") == len(lesson.floor)
    for played in every_play(lesson):
        answer = client.post(f"/learn/{name}/", form(played))
        assert answer.status_code == 200
        reached = str(played) in REACH[name]
        assert f'data-reached="{"yes" if reached else "no"}"' in answer.content.decode()
        assert cards_of(answer.content.decode(), "hand") == len(lesson.hand) - 1


def test_the_answer_says_what_happened_and_what_would_have_been_better(client: Client) -> None:
    lesson = BY_NAME["basra"]
    wrong = client.post("/learn/basra/", {"card": "Jh"}).content.decode()
    assert "You took two of clubs, four of diamonds with jack of hearts." in wrong
    assert "it is no basra" in wrong
    assert str(lesson.better) in wrong
    assert 'data-action="again"' in wrong
    right = client.post("/learn/basra/", {"card": "6s"}).content.decode()
    assert "Basra: 10." in right
    assert str(lesson.done) in right
    assert '/learn/bait/" data-action="next"' in right
    ending = client.post("/learn/counting/", {"card": "8c"}).content.decode()
    assert "24 cards to 28: 30 points for your opponent." in ending
    assert "Your opponent took six of hearts with six of clubs." in ending


def test_a_card_that_leaves_a_choice_asks_first(client: Client) -> None:
    page = client.post("/learn/choosing/", {"card": "6s"}).content.decode()
    assert 'data-capture="As,2h,3c"' in page
    assert 'data-capture="As,5d"' in page
    assert COOKIE not in client.cookies


def test_htmx_gets_the_lesson_alone(client: Client) -> None:
    answer = client.post("/learn/capture/", {"card": "9h"}, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert "<html" not in text
    assert text.count('id="lesson"') == 1


@pytest.mark.parametrize(
    "posted",
    [
        {}, {"card": ""}, {"card": "2c"}, {"card": "x" * 9999}, {"card": "\x00"}, {"card": "9h,9c"},
        {"card": "9h", "capture": "4s"}, {"card": "9h", "capture": ""},
        {"card": "9h", "capture": "\x00" * 99}, {"card": "9h", "capture": "9c,9c"},
        {"card": "9h", "capture": "9h"},
    ],
)  # fmt: skip
def test_a_bad_post_gets_a_sentence_and_the_lesson(posted: dict[str, str], client: Client) -> None:
    answer = client.post("/learn/capture/", posted)
    assert answer.status_code == 409
    assert "Choose one that is here" in answer.content.decode()
    assert cards_of(answer.content.decode(), "hand") == 4
    assert COOKIE not in client.cookies
    again = client.post("/learn/capture/", posted, headers={"HX-Request": "true"})
    assert again.status_code == 200


def test_a_lesson_that_is_none_is_not_found(client: Client) -> None:
    for name in ("nothing", "-", "CAPTURE"):
        assert client.get(f"/learn/{name}/").status_code == 404
        assert client.post(f"/learn/{name}/", {"card": "9h"}).status_code == 404
    assert client.get("/learn/dismiss/").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/learn/capture/").status_code == 403


# ------------------------------------------------------------------------------ progress


def do_all(client: Client) -> None:
    for name in NAMES:
        client.post(f"/learn/{name}/", form(Play.parse(BY_NAME[name].best)))


def test_a_strangers_progress_is_in_a_cookie_and_no_row_is_made(
    client: Client, django_assert_num_queries
) -> None:
    people = Player.objects.count()
    with django_assert_num_queries(0):
        client.get("/learn/")
        client.get("/learn/capture/")
        client.post("/learn/capture/", {"card": "6c"})
        assert COOKIE not in client.cookies
        client.post("/learn/capture/", {"card": "9h"})
    assert client.cookies[COOKIE].value == "capture"
    assert "sessionid" not in client.cookies
    assert "1 of 12 done" in client.get("/learn/").content.decode()
    assert '/learn/sums/" data-action="learn"' in client.get("/learn/").content.decode()
    assert Player.objects.count() == people
    do_all(client)
    text = client.get("/learn/").content.decode()
    assert "12 of 12 done" in text
    assert 'data-action="learn"' not in text


def test_a_players_progress_is_in_the_account(client: Client) -> None:
    player = person()
    client.force_login(player)
    client.post("/learn/sums/", {"card": "8h"})
    client.post("/learn/sums/", {"card": "8h"})
    client.post("/learn/capture/", {"card": "9h"})
    player.refresh_from_db()
    assert player.learned == "capture.sums"
    assert COOKIE not in client.cookies
    other = Client()
    other.force_login(player)
    assert "2 of 12 done" in other.get("/learn/").content.decode()


def test_two_tabs_at_once_lose_nothing() -> None:
    player = person()
    stale = Player.objects.get(pk=player.pk)
    learning.note(player=player, lesson=BY_NAME["jack"])
    learning.note(player=stale, lesson=BY_NAME["komi"])
    assert Player.objects.get(pk=player.pk).learned == "jack.komi"


def test_what_a_stranger_learnt_goes_with_a_guest_and_into_the_account(client: Client) -> None:
    client.post("/learn/capture/", {"card": "9h"})
    other = Client()
    other.cookies[COOKIE] = client.cookies[COOKIE].value
    client.post("/games/practice/", {"level": "novice"})
    assert Player.objects.get(kind="guest").learned == "capture"
    signed_up = {"username": "Zahra", "password1": "long-enough-9"}
    other.post("/accounts/signup/", signed_up)
    assert Player.objects.get(name="Zahra").learned == "capture"
    other.post("/accounts/logout/")
    assert other.cookies[COOKIE].value == ""


@pytest.mark.parametrize("text", ["", "x", "capture.capture", '"><b>', "capture" * 99, ".", "-.-"])
def test_a_cookie_that_means_nothing_breaks_nothing(text: str, client: Client) -> None:
    assert read_progress(text).done <= {"capture"}
    client.cookies[COOKIE] = text
    assert client.get("/learn/").status_code == 200


def test_progress_is_written_as_it_is_read() -> None:
    whole = Progress(frozenset(NAMES), dismissed=True)
    assert read_progress(whole.written) == whole
    assert len(whole.written) <= lessons.LONGEST
    assert not whole.is_wanted
    assert Progress(frozenset(NAMES)).next is None


# ------------------------------------------------------------------------------ the offer


def offered(client: Client) -> bool:
    return 'id="lobby-learn"' in client.get("/").content.decode()


def test_every_newcomer_is_offered_the_lessons_until_they_know_the_game(client: Client) -> None:
    assert offered(client)
    client.post("/learn/dismiss/")
    assert not offered(client)
    for done in ("finished", "dismissed", "played"):
        player, mine = person(), Client()
        mine.force_login(player)
        assert offered(mine)
        if done == "finished":
            do_all(mine)
        elif done == "dismissed":
            mine.post("/learn/dismiss/")
        else:
            match = dealt(Kind.PRACTICE, [player, house()])
            assert offered(mine)
            play.resign(match_id=match.id, player=player)
        assert not offered(mine)


def test_rules_and_foot_lead_to_the_lessons(client: Client) -> None:
    text = client.get("/rules/").content.decode()
    assert text.count('href="/learn/"') == 2
