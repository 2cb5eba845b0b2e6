"""My matches: the list, its filters and pages; and all records as one file."""

import itertools
import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.engine.record import Verified, verify
from games.models import Commitment, Kind, Match, Player, PlayerKind, Seat, Status
from games.selectors import commitments, history
from games.selectors.history import PAGE, Filters
from games.services import play
from tests.factories import a_match, dealt, house, person, play_on

pytestmark = pytest.mark.django_db
ADDRESS = "/games/"
_numbers = itertools.count(10_000_000)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def past(
    me: Player,
    opponents: Player | list[Player],
    number: int = 1,
    *,
    kind: str = Kind.RANKED,
    result: str = "won",
    at: datetime | None = None,
    step: timedelta = timedelta(minutes=1),
) -> list[Match]:
    """Rows of matches of ``me`` that ended ``step`` apart from ``at`` on, without their plays."""
    others = opponents if isinstance(opponents, list) else [opponents]
    matches, seats = [], []
    for place in range(number):
        unique = next(_numbers)
        side, ended = place % 2, (at or START) + place * step
        winner = {"won": side, "lost": 1 - side}.get(result)
        points = {"won": (120, 70), "lost": (70, 120)}.get(result, (0, 0))
        match = Match(
            id=f"{unique:012}", kind=kind, winner=winner, created_at=ended, finished_at=ended,
            status=Status.ABORTED if result == "aborted" else Status.FINISHED,
            how="abort" if result == "aborted" else "points",
            points_0=points[side], points_1=points[1 - side],
            commitment=f"{unique:064x}", commitment_number=unique,
        )  # fmt: skip
        matches.append(match)
        other = others[place % len(others)]
        for seat, player in ((side, me), (1 - side, other)):
            seats.append(Seat(match=match, seat=seat, player=player, finished_at=ended))
    Match.objects.bulk_create(matches, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=500)
    return matches


def page_of(client, query: str = "") -> str:
    response = client.get(ADDRESS + query)
    assert response.status_code == 200
    return response.content.decode()


def ids(page: str) -> list[str]:
    """The matches of a page, in its order."""
    return re.findall(r'data-match="(\w+)"', page)


def over(page: str) -> list[str]:
    return re.findall(r'<tr data-match="(\w+)"', page)


def link(page: str, rel: str) -> str:
    found = re.search(rf'rel="{rel}" href="([^"]+)"', page)
    return found.group(1).replace("&amp;", "&") if found else ""


def walk(client, query: str = "") -> list[list[str]]:
    """The pages from the newest to the oldest."""
    pages = []
    while True:
        page = page_of(client, query)
        pages.append(over(page))
        query = link(page, "next")
        if not query:
            return pages


@pytest.fixture
def me(client) -> Player:
    player = person("Nour")
    client.force_login(player)
    return player


# ------------------------------------------------------------------------------ who sees what


@pytest.mark.parametrize("name", ["games:matches", "games:records"])
def test_strangers_are_asked_to_log_in(name, client):
    response = client.get(reverse(name))
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_login"))
    assert client.post(reverse(name)).status_code in (302, 405)


def test_everybody_has_the_own_matches_and_nobody_elses(client, me):
    other, third = person("Salma"), person("Hassan")
    mine = past(me, other, 2)
    private = past(third, house(), 3, kind=Kind.PRACTICE)
    theirs = past(third, other, 3)
    assert set(ids(page_of(client))) == {match.id for match in mine}
    for match in (*private, *theirs):
        page = page_of(client, f"?before={match.id}")
        assert "no such place" in page
        assert match.id not in re.sub(r"before=\w+", "", page)
    client.force_login(third)
    assert set(ids(page_of(client))) == {match.id for match in (*private, *theirs)}


def test_an_empty_list_invites(client, me):
    page = page_of(client)
    assert "You have not played a match yet" in page
    assert f'href="{reverse("ladder:lobby")}"' in page


# ------------------------------------------------------------------------------ the lines


def test_a_line_has_what_there_is_to_know(client, me):
    computer, salma = house(), person("Salma")
    (won,) = past(me, salma, at=START)
    (lost,) = past(me, computer, kind=Kind.PRACTICE, result="lost", at=START + timedelta(days=1))
    (gone,) = past(me, salma, result="aborted", at=START + timedelta(days=2))
    page = page_of(client)
    assert over(page) == [gone.id, lost.id, won.id]
    rows = dict(re.findall(r'<tr data-match="(\w+)">(.*?)</tr>', page, re.S))
    assert ">won<" in rows[won.id]
    assert "120–70" in rows[won.id]
    assert "on points" in rows[won.id]
    assert "2026-03-01T12:00:00" in rows[won.id]
    assert f'href="{salma.get_absolute_url()}"' in rows[won.id]
    assert "computer" not in rows[won.id]
    assert ">lost<" in rows[lost.id]
    assert "70–120" in rows[lost.id]
    assert "practice" in rows[lost.id]
    assert "computer</span>" in rows[lost.id]
    assert "#i-chip" in rows[lost.id]
    assert ">aborted<" in rows[gone.id]
    for match in (won, lost, gone):
        assert f'href="/games/{match.id}/"' in rows[match.id]
        assert f'href="/games/{match.id}/record.json"' in rows[match.id]
        is_reviewable = f'href="{reverse("games:review", args=[match.id])}"' in rows[match.id]
        assert is_reviewable == (match is not gone)


def test_a_match_given_time_back_says_so(client, me):
    (match,) = past(me, person())
    assert "time was given back" not in page_of(client)
    Match.objects.filter(pk=match.pk).update(given_back_ms=90_000)
    assert "time was given back" in page_of(client)


def test_a_closed_account_is_not_named(client, me):
    other = person("Salma")
    past(me, other)
    other.kind = PlayerKind.CLOSED
    other.save()
    assert "Salma" not in page_of(client)
    assert "closed account" in page_of(client)
    assert "Nobody of that name" in page_of(client, "?opponent=Salma")


def test_a_match_without_a_winner_has_no_result(client, me):
    past(me, person(), result="none")
    page = page_of(client)
    assert "no result" in page
    for result in ("won", "lost", "aborted"):
        assert not over(page_of(client, f"?result={result}"))


def test_running_matches_come_first_with_whose_turn_it_is(client, me):
    other = person("Salma")
    past(me, other)
    waiting = a_match(Kind.CHALLENGE, [me, other])
    playing = dealt(Kind.PRACTICE, [me, house()])
    page = page_of(client)
    assert set(ids(page)[:2]) == {waiting.id, playing.id}
    assert len(over(page)) == 1
    lines = dict(re.findall(r'<li data-match="(\w+)">(.*?)</li>', page, re.S))
    mine = playing.turn == playing.seats.get(player=me).seat
    assert ("your turn" if mine else "their turn") in lines[playing.id]
    assert "waits for your seed" in lines[waiting.id]
    play.give_seed(match_id=waiting.id, player=me, client_seed="mine")
    page = page_of(client)
    assert "waits for the other seed" in page
    for query in ("?result=won", "?since=2026-01-01", "?kind=ranked"):
        assert waiting.id not in ids(page_of(client, query))
    assert playing.id in ids(page_of(client, "?kind=practice"))


def test_a_match_moves_down_when_it_ends(client, me):
    match = dealt(players=[me, person()])
    assert over(page_of(client)) == []
    play.resign(match_id=match.id, player=me)
    assert over(page_of(client)) == [match.id]
    assert ids(page_of(client)) == [match.id]


def test_many_running_matches_are_bounded(me, monkeypatch):
    monkeypatch.setattr(history, "MOST_LIVE", 2)
    for _match in range(3):
        a_match(Kind.CHALLENGE, [me, person()])
    assert len(history.running(me)) == 2


# ------------------------------------------------------------------------------ filters


def test_seven_of_two_hundred(client, me, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 3)
    salma, others = person("Salma"), [person() for _ in range(3)]
    past(me, others, 97)
    wanted = past(me, salma, 4, at=START + timedelta(minutes=13), step=timedelta(minutes=20))
    past(me, others, 96, result="lost", at=START + timedelta(hours=1))
    wanted += past(me, salma, 3, at=START + timedelta(hours=5))
    pages = walk(client, "?opponent=salma")
    assert [len(page) for page in pages] == [3, 3, 1]
    assert sum(pages, []) == [match.id for match in reversed(wanted)]
    assert sum(walk(client, "?opponent=SALMA&result=won"), []) == sum(pages, [])
    assert sum(walk(client, "?opponent=salma&result=lost"), []) == []


@pytest.mark.parametrize("size", [1, 2, 7, 20, 50])
def test_every_filter_with_every_size_of_page(client, me, monkeypatch, size):
    monkeypatch.setattr(history, "PAGE", size)
    salma, computer = person("Salma"), house()
    expected = {}
    expected["?result=won"] = past(me, salma, 5)
    expected["?result=lost"] = past(me, person(), 7, result="lost", at=START + timedelta(days=9))
    expected["?result=aborted"] = past(
        me, person(), 3, kind=Kind.CHALLENGE, result="aborted", at=START + timedelta(hours=1)
    )
    practice = past(me, computer, 8, kind=Kind.PRACTICE, result="lost",
                    at=START + timedelta(days=20))  # fmt: skip
    expected["?result=lost"] = expected["?result=lost"] + practice
    expected["?kind=practice"] = expected[f"?opponent={computer.name}"] = practice
    expected["?kind=challenge"] = expected["?result=aborted"]
    expected["?since=2026-03-21"] = practice
    expected["?since=2026-03-02&until=2026-03-20"] = expected["?result=lost"][:7]
    expected["?result=won&kind=practice"] = []
    for query, matches in expected.items():
        found = sum(walk(client, query), [])
        assert found == [match.id for match in reversed(matches)], query


def test_days_are_the_readers_and_the_last_one_counts(client, me, monkeypatch):
    late = past(me, person(), at=datetime(2026, 3, 1, 23, 30, tzinfo=UTC))[0]
    assert over(page_of(client, "?since=2026-03-01&until=2026-03-01")) == [late.id]
    assert over(page_of(client, "?since=2026-03-02")) == []
    client.cookies["zone"] = "Africa/Cairo"
    assert over(page_of(client, "?since=2026-03-02&until=2026-03-02")) == [late.id]
    assert over(page_of(client, "?until=2026-03-01")) == []
    assert "2 Mar 2026, 01:30" in page_of(client)


@pytest.mark.parametrize("digits", ["٢٠٢٦-٠٣-٠١", "۲۰۲۶-۰۳-۰۱", "２０２６-０３-０１", "2026-3-1"])
def test_days_are_read_in_any_digits(client, me, digits):
    (match,) = past(me, person())
    page = page_of(client, f"?since={digits}&until={digits}")
    assert over(page) == [match.id]
    assert page.count('value="2026-03-01"') == 2


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("since=yesterday", "This is no day"),
        ("since=2026-02-30", "This is no day"),
        ("until=31.01.2026", "This is no day"),
        ("until=%00", "This is no day"),
        ("since=2026-01-01%00", "This is no day"),
        ("since=20260-01-01", "This is no day"),
        ("until=0000-00-00", "This is no day"),
        ("since=2026-03-02&until=2026-03-01", "before the first day"),
        ("opponent=nobody-at-all", "Nobody of that name"),
        ("opponent=%00", "Null characters"),
        ("opponent=%ED%A0%80", "Nobody of that name"),
        ("opponent=%FF", "Nobody of that name"),
        (f"opponent={'a' * 300}", "at most 80"),
        ("result=drawn", "no such choice"),
        ("kind=%00", "no such choice"),
        ("kind=friendly&result=%27%22", "no such choice"),
    ],
)
def test_a_filter_that_is_none_is_told_and_nothing_is_lost(client, me, query, said):
    past(me, person("Salma"))
    page = page_of(client, f"?{query}")
    assert said in page
    assert 'aria-invalid="true"' in page
    assert "<details" in page
    assert re.search(r'<details class="panel filters" open>', page)
    assert ids(page) == []
    kept = page_of(client, "?opponent=Salma&since=soon&kind=ranked")
    assert 'value="Salma"' in kept
    assert re.search(r'type="text" name="since" value="soon"', kept)
    assert re.search(r'value="ranked" selected', kept)


@pytest.mark.parametrize(
    "query",
    ["since=0001-01-01", "until=9999-12-31", "since=9999-12-31", "until=0001-01-01",
     "since=1969-12-31&until=9999-12-31"],
)  # fmt: skip
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_days_at_the_ends_of_the_calendar(client, me, query, zone):
    past(me, person())
    client.cookies["zone"] = zone
    page = page_of(client, f"?{query}")
    empty = query in ("since=9999-12-31", "until=0001-01-01")
    assert len(over(page)) == (0 if empty else 1)


@pytest.mark.parametrize(
    "query",
    ["before=%00", "after=%00", "before=x", "after=" + "9" * 500, "before=%D9%A3",
     "after=%ED%A0%80", "before=a&after=b", "before=1'--", "page=2", "x[]=1&before[]=2",
     "before=&after="],
)  # fmt: skip
def test_a_place_that_is_none_gives_the_first_page(client, me, query):
    (match,) = past(me, person())
    assert over(page_of(client, f"?{query}")) == [match.id]


def test_script_in_a_filter_is_text(client, me):
    page = page_of(client, "?opponent=<script>alert(1)</script>&since=\"><b>&before='><i>")
    assert "<script>alert" not in page
    assert "<b>" not in page.replace("<b>Basra", "")
    assert "<i>" not in page


# ------------------------------------------------------------------------------ pages


def test_pages_forward_and_back_are_the_same(client, me):
    matches = past(me, [person(), person()], PAGE * 2 + 5)
    newest_first = [match.id for match in reversed(matches)]
    forward = walk(client)
    assert [len(page) for page in forward] == [PAGE, PAGE, 5]
    assert sum(forward, []) == newest_first
    page = page_of(client, f"?before={forward[1][-1]}")
    assert over(page) == forward[2]
    assert not link(page, "next")
    page = page_of(client, link(page, "prev"))
    assert over(page) == forward[1]
    page = page_of(client, link(page, "prev"))
    assert over(page) == forward[0]
    assert not link(page, "prev")


def test_beyond_the_ends(client, me):
    matches = past(me, person(), PAGE + 1)
    page = page_of(client, f"?before={matches[0].id}")
    assert ids(page) == []
    assert "no older matches" in page
    assert "data-match" in page_of(client, re.search(r'href="(\?[^"]*)">To the', page)[1])
    page = page_of(client, f"?after={matches[-1].id}")
    assert len(over(page)) == PAGE
    exactly = past(person("Exact"), person(), PAGE)
    client.force_login(Player.objects.get(name="Exact"))
    page = page_of(client)
    assert len(over(page)) == PAGE
    assert not link(page, "next")
    assert len(exactly) == PAGE


def test_matches_that_end_at_the_same_moment_are_all_there(client, me, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 4)
    matches = past(me, person(), 11, step=timedelta(0))
    pages = walk(client)
    assert [len(page) for page in pages] == [4, 4, 3]
    assert sorted(sum(pages, [])) == sorted(match.id for match in matches)
    page = page_of(client, f"?before={pages[1][-1]}")
    assert over(page_of(client, link(page, "prev"))) == pages[1]


def test_matches_added_while_paging_repeat_and_hide_nothing(client, me, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 5)
    matches = past(me, person(), 20)
    seen, query, later = [], "", START + timedelta(days=1)
    while True:
        page = page_of(client, query)
        seen += over(page)
        query = link(page, "next")
        if not query:
            break
        later += timedelta(days=1)
        past(me, person(), 3, at=later)
    assert seen == [match.id for match in reversed(matches)]
    # And back: what was added stands before what was there.
    back, query = [], f"?before={matches[3].id}"
    while query:
        page = page_of(client, query)
        back.append(over(page))
        query = link(page, "prev")
    assert len(set(sum(back, []))) == len(sum(back, []))
    assert all(len(page) == 5 for page in back[1:-1])


def test_filters_are_kept_from_page_to_page(client, me, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 2)
    past(me, person("Salma"), 5, kind=Kind.CHALLENGE)
    page = page_of(client, "?opponent=Salma&kind=challenge&since=2026-01-01&result=won")
    for _page in range(2):
        query = link(page, "next")
        for part in ("opponent=Salma", "kind=challenge", "since=2026-01-01", "result=won"):
            assert part in query
        page = page_of(client, query)
        assert 'value="Salma"' in page
    assert len(over(page)) == 1
    assert "after=" in link(page, "prev")
    assert "before=" not in link(page, "prev")


def test_ten_thousand_matches_cost_what_ten_do(client, me):
    """The same queries, few rows, and an index that gives them in their order."""
    others = [person("Salma"), *(person() for _ in range(4))]
    matches = past(me, others, 10_000)
    deep = matches[40].id
    for query in (
        "",
        f"?before={deep}",
        f"?after={deep}",
        "?opponent=Salma&kind=ranked&result=won",
    ):
        with CaptureQueriesContext(connection) as seen:
            page = page_of(client, query)
        assert len(over(page)) == PAGE
        asked = [entry["sql"] for entry in seen]
        assert len(asked) <= 8, asked
        lists = [sql for sql in asked if 'ORDER BY "games_seat"."finished_at"' in sql]
        assert len(lists) == 1
        assert f"LIMIT {PAGE + 1}" in lists[0]
        assert "sealed" not in lists[0]
        assert len(page) < 60_000


def test_the_index_serves_the_order():
    if connection.vendor != "sqlite":
        pytest.skip("the plan is read as SQLite writes it")
    me, other = person(), person()
    matches = past(me, other, 50)
    place = Seat.objects.get(match=matches[25], player=me)
    rows = history._own(me).filter(finished_at__isnull=False)
    chosen = history._filtered(rows, Filters("won", other, Kind.RANKED, START, START))
    for query in (
        history._newest(rows)[:21],
        history._newest(rows.filter(history._earlier(place)))[:21],
        rows.filter(history._later(place)).order_by("finished_at", "id")[:21],
        history._newest(chosen)[:21],
    ):
        plan = query.explain()
        assert "USING INDEX seat_history (player_id=? AND finished_at" in plan, plan
        assert "TEMP B-TREE" not in plan
        assert "SCAN" not in plan


# ------------------------------------------------------------------------------ records


def lines_of(client) -> list[dict]:
    response = client.get(reverse("games:records"))
    assert response.status_code == 200
    text = b"".join(response).decode()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_every_line_is_a_record_that_verifies(client, me, monkeypatch):
    monkeypatch.setattr(history, "RECORDS_AT_ONCE", 2)
    whole = play_on(dealt(players=[me, person("سلمى")], target=51))
    broken = [play_on(dealt(Kind.PRACTICE, [me, house()]), plays) for plays in (0, 1, 30)]
    for match in broken:
        play.resign(match_id=match.id, player=me)
    aborted = a_match(Kind.CHALLENGE, [me, person()])
    play.abort(match_id=aborted.id, player=me)
    running = dealt(players=[person(), me], kind=Kind.CHALLENGE)
    stranger = dealt()
    play.resign(match_id=stranger.id, player=stranger.seats.first().player)
    found = lines_of(client)
    assert [record["match"] for record in found] == [whole.id, *(match.id for match in broken)]
    assert running.id not in str(found)
    for record in found:
        assert isinstance(verify(record), Verified)
        assert record == client.get(f"/games/{record['match']}/record.json").json()
    assert found[0]["players"] == ["Nour", "سلمى"]
    assert verify(found[3]).plays == 30


def test_nobody_gets_records_of_others(client, me):
    match = dealt(Kind.PRACTICE)
    play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
    assert lines_of(client) == []


def test_the_file_is_named_and_kept_by_nobody(client, me):
    response = client.get(reverse("games:records"))
    assert response["Content-Type"] == "application/jsonl; charset=utf-8"
    assert "attachment" in response["Content-Disposition"]
    assert ".jsonl" in response["Content-Disposition"]
    assert "no-store" in response["Cache-Control"]
    assert response.streaming


def test_records_come_in_chunks_of_bounded_cost(me, monkeypatch):
    monkeypatch.setattr(history, "RECORDS_AT_ONCE", 3)
    matches = past(me, person(), 8, step=timedelta(0))
    chunks, sizes = history.records(me), []
    while True:
        with CaptureQueriesContext(connection) as seen:
            chunk = next(chunks, None)
        assert len(seen) <= 6
        if chunk is None:
            break
        sizes.append(len(chunk))
    assert sizes == [3, 3, 2]
    assert len(matches) == 8


def test_one_record_costs_a_bounded_number_of_queries(client, me, django_assert_max_num_queries):
    match = play_on(dealt(players=[me, person()], target=51))
    with django_assert_max_num_queries(7):
        assert client.get(f"/games/{match.id}/record.json").status_code == 200


@pytest.mark.django_db(transaction=True)
async def test_an_asgi_server_gets_them_piece_by_piece(async_client, monkeypatch):
    """Django would read a plain iterator whole there, and warn of it, which is an error here."""
    from channels.db import database_sync_to_async

    monkeypatch.setattr(history, "RECORDS_AT_ONCE", 2)
    monkeypatch.setattr(commitments, "CHUNK", 2)

    @database_sync_to_async
    def begin():
        player = person()
        past(player, person(), 5)
        for number in range(5):
            Commitment.objects.create(made_at=START, sha256=f"{number:064x}")
        return player

    await async_client.aforce_login(await begin())
    for name, pieces in (("games:records", 3), ("games:commitments", 3)):
        response = await async_client.get(reverse(name))
        assert response.is_async
        got = [piece async for piece in response.streaming_content]
        assert len(got) == pieces
        assert b"".join(got).count(b"\n") == 5
