"""Talk at the table: who may say what, to whom, when, and what each of the two sees of it."""

import doctest
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone, translation

from games import ports
from games.models import Kind, Match, Mute, Phrase, Player, Utterance
from games.selectors import talk as selector
from games.services import free_text, people, play, publish, talk
from games.services.errors import Refused
from games.tasks import forget_talk
from tests.factories import a_match, dealt, house, person

pytestmark = pytest.mark.django_db

SCRIPTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{ 7*7 }} {% now 'Y' %}",
    "&lt;b&gt;",
    "' onmouseover='x",
]


def old_hand(**extra: object) -> Player:
    """Somebody with an account of three days and ten finished matches."""
    player = person(date_joined=timezone.now() - timedelta(days=3), **extra)
    other = person()
    for _match in range(selector.WRITES_WITH):
        match = dealt(Kind.CHALLENGE, [player, other])
        play.resign(match_id=match.id, player=other)
    return player


@pytest.fixture
def nour() -> Player:
    return old_hand()


@pytest.fixture
def salma() -> Player:
    return person()


@pytest.fixture
def match(nour, salma) -> Match:
    return dealt(Kind.RANKED, [nour, salma])


def says(match: Match, player: Player, text: str = "", phrase: str = "") -> Utterance:
    return talk.say(match_id=match.id, player=player, text=text, phrase=phrase)


def seen_by(match: Match, player: Player) -> selector.Talk:
    return selector.talk_of(selector.pair_at(match.id, player))


def heard(match: Match, player: Player) -> list[str]:
    return [line.said for line in seen_by(match, player).lines]


def refusal(match: Match, player: Player, text: str = "", phrase: str = "") -> str:
    with pytest.raises(Refused) as refused:
        says(match, player, text, phrase)
    return refused.value.message


def page(match: Match) -> str:
    return f"/games/{match.id}/talk/"


# ------------------------------------------------------------------------------------ phrases


def test_a_phrase_is_for_everybody_and_read_in_each_readers_own_language(client, match, salma):
    says(match, salma, phrase=Phrase.NICE)
    nour = match.seats.get(seat=0).player
    for language in ("en", "ar"):
        Player.objects.filter(pk=nour.pk).update(language=language)
        client.force_login(nour)
        with translation.override(language):
            expected = str(Phrase.NICE.label)
        assert f"<bdi>{expected}</bdi>" in client.get(page(match), HTTP_HX_REQUEST="true").text
    assert Utterance.objects.get().text == ""


def test_a_phrase_that_is_none_is_refused(match, salma):
    assert "no such phrase" in refusal(match, salma, phrase="curse")
    assert not Utterance.objects.exists()


# ------------------------------------------------------------------------------------ own words


def test_own_words_wait_for_a_day_and_ten_finished_matches(match, nour, salma):
    assert "10 matches to go" in refusal(match, salma, "hello")
    assert says(match, nour, "hello").text == "hello"
    Player.objects.filter(pk=nour.pk).update(date_joined=timezone.now() - timedelta(hours=20.5))
    nour.refresh_from_db()
    assert "4 hours to go" in refusal(match, nour, "hello")
    Player.objects.filter(pk=nour.pk).update(date_joined=timezone.now() - timedelta(hours=24))
    nour.refresh_from_db()
    assert says(match, nour, "again").text == "again"


def test_nine_finished_matches_are_not_ten(salma):
    Player.objects.filter(pk=salma.pk).update(date_joined=timezone.now() - timedelta(days=3))
    salma.refresh_from_db()
    other = person()
    for _match in range(9):
        play.resign(match_id=dealt(Kind.CHALLENGE, [salma, other]).id, player=salma)
    play.abort(match_id=a_match(Kind.CHALLENGE, [salma, other]).id, player=other)
    ranked = dealt(Kind.RANKED, [salma, other])
    assert "1 match to go" in refusal(ranked, salma, "hello")


def test_140_characters_are_counted_as_people_see_them(match, nour):
    assert says(match, nour, "م\u064f\u0651" * 140).text
    assert says(match, nour, "👩🏽\u200d🚀" * 80).text
    assert "1 character too long" in refusal(match, nour, "ا" * 141)
    assert "10 characters too long" in refusal(match, nour, "x" * 150)
    for monstrous in ("x" * 100_000, "👩\u200d" * 3000 + "👩", "a\u0300" * 5000):
        refusal(match, nour, monstrous)


@pytest.mark.parametrize("nothing", ["", "   ", "\u200b\u200e", "\x00\x07", "\u3164", "\u2800"])
def test_nothing_is_not_said(match, nour, nothing):
    assert "nothing to say" in refusal(match, nour, nothing)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("well\u202eplayed\u2066", "wellplayed"),
        ("a\u200bb\u200fc\u2060d\ufeffe", "abcde"),
        ("one\ntwo\tthree\u2028four", "one two three four"),
        ("nul\x00l", "nul l"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("latin\u200cjoin\u200d", "latinjoin"),
        ("جميـــل", "جميـــل"),
        ("Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306", "Z\u0300\u0301\u0302\u0303"),
        ("e\u0301", "é"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("x\U000e0041\U000e0100y", "xy"),
    ],
)
def test_what_cannot_be_seen_is_dropped(typed, shown):
    assert free_text.clean(typed) == shown


@pytest.mark.parametrize(
    "link",
    [
        "http://a", "HTTPS://EXAMPLE.COM", "hxxp://x", "www.example.com", "www . example", "t.me/x",
        "see example.com", "example . com", "example .com", "example. com", "example[.]com",
        "example(dot)com", "example dot com", "example。com", "exa\u200bmple.c\u200dom",
        "e\u0301xample.com", "ｅｘａｍｐｌｅ．ｃｏｍ", "a@b.co", "10.0.0.1:8000", "موقع.كوم",
        "موقع نقطة كوم", "дом.рф", "дом точка ком", "example·com", "javascript: x",
    ],
)  # fmt: skip
def test_links_are_refused(match, nour, link):
    assert "Links" in refusal(match, nour, link)


@pytest.mark.parametrize(
    "sentence",
    [
        "gg. so close", "Thanks. me too", "Que jogo. com prazer", "3.5 to 2", "hmm...ok", "a.m.",
        "ليلة سعيدة. شبكة جيدة", "السلام.عليكم", "wwwwww", "110-60", "12:30", "ok. no, it was",
    ],
)  # fmt: skip
def test_ordinary_sentences_are_no_links(sentence):
    assert free_text.clean(sentence) == sentence


def test_the_rules_of_free_text_are_as_their_examples_say():
    assert doctest.testmod(free_text).failed == 0


@pytest.mark.parametrize("text", SCRIPTS)
def test_what_is_typed_is_shown_as_text(client, match, nour, salma, text):
    says(match, nour, text)
    client.force_login(salma)
    for answer in (
        client.get(page(match), HTTP_HX_REQUEST="true").text,
        client.get(f"/games/{match.id}/").text,
    ):
        assert text not in answer
        assert answer.count("<script") == answer.count('<script src="')
        assert 'data-by="opponent"' in answer


# ------------------------------------------------------------------------------------ pace


def test_five_things_in_ten_seconds_phrases_and_other_tables_too(match, nour, salma, monkeypatch):
    other = dealt(Kind.CHALLENGE, [nour, person()])
    for place in range(talk.MOST):
        says(
            (match, other)[place % 2], nour, "" if place % 2 else "so", "luck" if place % 2 else ""
        )
    assert "at once" in refusal(match, nour, phrase="hello")
    assert says(match, salma, phrase="hello")
    now = talk.clock.now() + talk.WITHIN
    monkeypatch.setattr(talk.clock, "now", lambda: now)
    assert says(match, nour, phrase="hello")


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_posts_at_once_cannot_pass_the_pace(match, nour):
    line = threading.Barrier(8)
    refused = []

    def post():
        line.wait()
        try:
            says(match, nour, phrase="hello")
        except Refused as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=post) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 3
    assert Utterance.objects.count() == talk.MOST


# ------------------------------------------------------------------------------------ to whom


def test_watchers_neither_see_nor_say_anything(client, match, salma):
    says(match, salma, phrase="hello")
    for viewer in (person(), person(is_staff=True, is_superuser=True), None):
        if viewer:
            client.force_login(viewer)
        else:
            client.logout()
        assert client.get(page(match), HTTP_HX_REQUEST="true").status_code == 404
        assert client.post(page(match), {"phrase": "hello"}).status_code == 404
        assert client.post(f"{page(match)}mute/", {"muted": "yes"}).status_code == 404
        table = client.get(f"/games/{match.id}/").text
        assert "talk-side" not in table
        assert "Hello!" not in table
    assert Utterance.objects.count() == 1


def test_at_a_practice_table_there_is_nobody_to_talk_to(client):
    me = person()
    practice = dealt(Kind.PRACTICE, [me, house()])
    client.force_login(me)
    assert client.get(page(practice), HTTP_HX_REQUEST="true").status_code == 404
    assert client.post(page(practice), {"phrase": "hello"}).status_code == 404
    assert "talk-side" not in client.get(f"/games/{practice.id}/").text


def test_muting_is_remembered_at_every_table_and_the_other_is_not_told(
    match, nour, salma, monkeypatch, django_capture_on_commit_callbacks
):
    says(match, nour, "before")
    talk.mute(match_id=match.id, player=salma, muted=True)
    told = []
    monkeypatch.setattr(publish, "news", lambda player, *topics: told.append(player))
    with django_capture_on_commit_callbacks(execute=True):
        says(match, nour, "after")
    assert told == [nour.pk]
    assert heard(match, salma) == []
    assert heard(match, nour) == ["before", "after"]
    says(match, salma, phrase="thanks")
    assert heard(match, salma) == heard(match, nour)[2:]
    again = dealt(Kind.CHALLENGE, [salma, nour])
    says(again, nour, "here too")
    assert heard(again, salma) == []
    talk.mute(match_id=again.id, player=salma, muted=False)
    assert heard(again, salma) == ["here too"]
    assert not Mute.objects.exists()


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_either_way_closes_talk_by_a_neutral_sentence(match, nour, salma, blocker):
    says(match, nour, "before")
    pair = [nour, salma]
    people.block(pair[blocker], pair[1 - blocker])
    for player in pair:
        assert "no talk at this table" in refusal(match, player, phrase="hello")
        assert seen_by(match, player).lines == ()


def test_who_may_not_speak_is_told_why_and_still_reads(match, nour, salma, monkeypatch):
    verdict = ports.Verdict(False, "You are muted until noon.")
    monkeypatch.setattr(ports, "may_speak", lambda player: verdict)
    assert refusal(match, nour, phrase="hello") == verdict.reason
    Utterance.objects.create(match=match, player=salma, phrase="luck", said_at=timezone.now())
    seen = seen_by(match, nour)
    assert (seen.no_voice, len(seen.lines)) == (verdict.reason, 1)


# ------------------------------------------------------------------------------------ how long


def test_talk_closes_ten_minutes_after_the_match(client, match, nour, salma, monkeypatch):
    says(match, salma, phrase="hello")
    ended = play.resign(match_id=match.id, player=salma).finished_at
    moment = ended + selector.CLOSES_AFTER - timedelta(seconds=1)
    monkeypatch.setattr(selector.clock, "now", lambda: moment)
    says(match, nour, phrase="bye")
    client.force_login(salma)
    assert "talk-side" in client.get(f"/games/{match.id}/").text
    assert seen_by(match, salma).closes_in == 2
    moment = ended + selector.CLOSES_AFTER
    assert "closed 10 minutes after" in refusal(match, nour, phrase="bye")
    answer = client.get(page(match), HTTP_HX_REQUEST="true").text
    assert "closed 10 minutes after" in answer
    assert "Hello!" not in answer
    assert "talk-side" not in client.get(f"/games/{match.id}/").text


def test_it_is_forgotten_after_90_days(match, salma):
    for days, kept in ((89, True), (91, False)):
        said = says(match, salma, phrase="hello")
        Utterance.objects.filter(pk=said.pk).update(said_at=timezone.now() - timedelta(days=days))
        forget_talk()
        assert Utterance.objects.filter(pk=said.pk).exists() == kept


# ------------------------------------------------------------------------------------ the page


def test_plain_forms_do(client, match, nour):
    client.force_login(nour)
    assert client.post(page(match), {"text": "hello"}).headers["Location"].endswith("#talk-side")
    refused = client.post(page(match), {"text": "see www.example.com"})
    assert refused.status_code == 409
    assert 'value="see www.example.com"' in refused.text
    assert "Links and addresses" in refused.text
    assert client.post(f"{page(match)}mute/", {"muted": "yes"}).status_code == 303
    assert 'value="no" data-action="mute"' in client.get(f"/games/{match.id}/").text
    assert client.get(page(match)).status_code == 303


def test_a_refused_text_is_answered_beside_the_field_and_a_said_one_clears_it(client, match, nour):
    client.force_login(nour)
    refused = client.post(page(match), {"text": "www.example.com"}, HTTP_HX_REQUEST="true")
    assert refused.status_code == 200
    assert 'id="talk-refused" role="alert" hx-swap-oob="true"' in refused.text
    assert "HX-Trigger" not in refused.headers
    said = client.post(page(match), {"text": "hello"}, HTTP_HX_REQUEST="true")
    assert "talk-said" in said.headers["HX-Trigger"]
    assert "Links" not in said.text
    assert "<bdi>hello</bdi>" in said.text


def test_both_are_told_to_ask_anew(
    match, nour, salma, monkeypatch, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(publish, "news", lambda player, *topics: told.append((player, topics)))
    with django_capture_on_commit_callbacks(execute=True):
        says(match, nour, phrase="hello")
    assert sorted(told) == sorted([(nour.pk, ("talk",)), (salma.pk, ("talk",))])


@pytest.mark.parametrize("form", [{}, {"phrase": "x" * 9000}, {"text": "\x00"}, {"muted": "\x00"}])
def test_whatever_is_posted_nothing_breaks(client, match, nour, form):
    client.force_login(nour)
    for path in (page(match), f"{page(match)}mute/"):
        for headers in ({}, {"HTTP_HX_REQUEST": "true"}):
            assert client.post(path, form, **headers).status_code in (200, 303, 409)
    assert client.get("/games/no-such-match/talk/", HTTP_HX_REQUEST="true").status_code == 404


def test_the_list_costs_the_same_however_much_was_said(
    client, match, nour, salma, django_assert_max_num_queries
):
    for place in range(2 * selector.SHOWN):
        Utterance.objects.create(
            match=match, player=(nour, salma)[place % 2], phrase="hello", said_at=timezone.now()
        )
    client.force_login(nour)
    assert len(heard(match, nour)) == selector.SHOWN
    with django_assert_max_num_queries(9):
        client.get(page(match), HTTP_HX_REQUEST="true")


def test_a_list_that_is_still_true_is_not_sent_again(client, match, nour, salma):
    client.force_login(nour)
    says(match, salma, phrase="hello")
    key = seen_by(match, nour).key
    asked = f"{page(match)}?seen={key}"
    assert client.get(asked, HTTP_HX_REQUEST="true").status_code == 204
    talk.mute(match_id=match.id, player=nour, muted=True)
    assert client.get(asked, HTTP_HX_REQUEST="true").status_code == 200
