"""A real ``serve``: many posts at once, kills, and a quick end."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games.consumers import BREACH
from tests.servers import LOST, Site, Visitor, cards_in, record, table_of

pytestmark = pytest.mark.services


def until(page, condition, tries=200):
    """Look again until ``condition`` holds of the page; each look is a round trip to the server."""
    pause = threading.Event()
    for _try in range(tries):
        body = page()
        if condition(body):
            return body
        pause.wait(0.05)
    raise AssertionError(f"it never came to that: {body[:3000]}")


def practise(visitor: Visitor, level: str = "regular") -> str:
    """Begin a practice match; its address, with my turn in it."""
    address = visitor.post("/games/practice/", level=level).headers["Location"]
    assert visitor.post(f"{address}seed/", client_seed="mine").status == 302
    my_turn(visitor, address)
    return address


def my_turn(visitor: Visitor, address: str) -> str:
    """The page of the table once it is my turn or the match is over."""

    def mine(body: str) -> bool:
        table = table_of(body)
        return table["turn"] == "me" or table["status"] in ("finished", "aborted")

    return until(lambda: visitor.get(address).body, mine)


def make_a_play(visitor: Visitor, address: str, page: str) -> str:
    """Post the first card of the hand, choosing the first capture if asked; the page after it."""
    answer = visitor.play(address, table_of(page)["number"], cards_in(page, "hand")[0])
    assert answer.status == 302, answer.body[:2000]
    return visitor.get(address).body


def test_the_same_play_posted_twenty_times_counts_once(site: Site):
    site.start()
    visitor = Visitor(site).sign_up("Twenty")
    address = practise(visitor)
    page = visitor.get(address).body
    number = table_of(page)["number"]
    choose = next(
        card for card in cards_in(page, "hand")
        if 'data-capture' not in visitor.post(address, number=0, card=card).body
    )  # fmt: skip
    with ThreadPoolExecutor(20) as pool:
        posts = [pool.submit(visitor.post, address, number=number, card=choose) for _ in range(20)]
        answers = [post.result().status for post in posts]
    made = choose not in cards_in(visitor.get(address).body, "hand")
    assert made or set(answers) == {200}
    assert set(answers) in ({302}, {200})


def test_killed_between_commit_and_answer_the_play_is_there_once(site: Site, run):
    site.start()
    visitor = Visitor(site).sign_up("Killed")
    address = practise(visitor)
    for _round in range(3):
        page = my_turn(visitor, address)
        before = table_of(page)
        card, match_id = cards_in(page, "hand")[0], before["match"]
        answered = threading.Thread(
            target=_post_into_the_dark, args=(visitor, address, before, card)
        )
        answered.start()
        site.kill()
        answered.join()
        site.start()
        assert visitor.play(address, before["number"], card).status == 302
        plays = f"Play.objects.filter(match_id={match_id!r}, number={before['number']})"
        assert run(f"print(*{plays}.values_list('card', flat=True))") == card
    assert "no difference" in site.manage("verify_matches").stdout


def _post_into_the_dark(visitor: Visitor, address: str, table: dict[str, str], card: str) -> None:
    with suppress(*LOST):
        visitor.post(address, number=table["number"], card=card)


def test_after_a_kill_the_house_player_goes_on_by_itself(site: Site):
    """Killed while a house player's turn is due: the sweep of the next start sends it again."""
    site.extra = {"HOUSE_PAUSE": "30"}
    site.start()
    visitor = Visitor(site).sign_up("Patient")
    address = visitor.post("/games/practice/", level="novice").headers["Location"]
    visitor.post(f"{address}seed/", client_seed="mine")
    page = visitor.get(address).body
    if table_of(page)["turn"] == "me":
        page = make_a_play(visitor, address, page)
    assert table_of(page)["turn"] == "opponent"
    site.kill()
    site.extra = {"HOUSE_PAUSE": "0"}
    site.manage("shell", "-c", "from games.models import *; from games.models import clock;"
                "Match.objects.update(house_due=clock.now())")  # fmt: skip
    site.start()
    assert table_of(my_turn(visitor, address))["turn"] == "me"


def test_a_whole_practice_match_over_plain_forms(site: Site, tmp_path):
    """Without script or socket: every play a form post, the record of the match verifies."""
    site.start()
    visitor = Visitor(site).sign_up("Plain")
    address = practise(visitor)
    page = my_turn(visitor, address)
    while table_of(page)["status"] == "playing":
        make_a_play(visitor, address, page)
        page = my_turn(visitor, address)
    got = record(visitor.get(f"{address}record.json"))
    assert got["result"]["how"] == "points"
    path = tmp_path / "record.json"
    path.write_text(visitor.get(f"{address}record.json").body)
    assert "agree" in site.manage("verify_record", str(path)).stdout
    path.write_text(path.read_text().replace('"7d"', '"7c"', 1))
    assert site.manage("verify_record", str(path), check=False).returncode == 1


def test_master_thinks_beside_the_server_and_answers(site: Site):
    site.start()
    visitor = Visitor(site).sign_up("Brave")
    address = practise(visitor, "master")
    page = my_turn(visitor, address)
    for _play in range(6):
        make_a_play(visitor, address, page)
        page = my_turn(visitor, address)
    assert int(table_of(page)["number"]) >= 12
    assert "did not think" not in site.log
    assert "Traceback" not in site.log


def test_sigterm_under_load_ends_it_in_time(site: Site):
    site.start()
    visitor = Visitor(site).sign_up("Loaded")
    address = practise(visitor)
    going = threading.Event()
    loaded = threading.Semaphore(0)

    def load() -> None:
        while not going.is_set():
            try:
                visitor.get(address)
                visitor.get("/leaderboard/")
            except LOST:
                going.wait(0.05)
            loaded.release()

    threads = [threading.Thread(target=load) for _ in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(40):
        loaded.acquire()
    try:
        site.stop(seconds=8)
    finally:
        going.set()
        for thread in threads:
            thread.join()
    assert "Traceback" not in site.log


def test_a_start_that_is_not_safe_is_refused(site: Site):
    site.extra = {"SITE_URL": "https://basra.example", "DEBUG": "true", "SECRET_KEY": "x" * 60}
    refused = site.manage("serve", check=False)
    assert refused.returncode != 0
    assert "DEBUG" in refused.stderr


def test_a_port_that_is_taken_is_told_and_nothing_starts(site: Site):
    site.start()
    site.extra = {"VAR_DIR": str(site.folder / "other")}
    site.manage("migrate", "-v", "0")
    refused = site.manage("serve", check=False)
    assert refused.returncode == 1
    assert "PORT" in refused.stderr


def test_who_breaks_the_rules_of_the_socket_is_closed_and_no_fault_is_logged(site: Site):
    """Through the real server: its protocol allows a server to close with few codes only."""
    site.start()
    match = site.run("print(dealt().id)")
    for said in (b"x", b"\xff\x00"):
        with connect(
            f"ws://localhost:{site.port}/ws/games/{match}/", additional_headers={"Origin": site.url}
        ) as opened:
            opened.recv(timeout=10)
            opened.send(said)
            with suppress(ConnectionClosed):
                while True:
                    opened.recv(timeout=10)
        assert opened.close_code == BREACH
    assert "Traceback" not in site.log


@pytest.mark.soak
def test_who_never_reads_is_dropped(site: Site):
    """A socket whose other end takes nothing off the line answers no ping, and is cut."""
    site.start()
    match = site.run("print(dealt().id)")
    with socket.create_connection(("127.0.0.1", site.port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(
            f"GET /ws/games/{match}/ HTTP/1.1\r\nHost: localhost:{site.port}\r\n"
            f"Origin: {site.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b"101" in line.recv(64)
        patience = threading.Event()
        for _look in range(90):
            patience.wait(1)
            if not _is_open(site, line.getsockname()[1]):
                return
    raise AssertionError("still connected after 90 seconds")


def _is_open(site: Site, port: int) -> bool:
    """Does the server's side of the connection from ``port`` still stand?"""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    ours, theirs = f":{site.port:04X}", f":{port:04X}"
    fields = [line.split() for line in lines]
    return any(f[1].endswith(ours) and f[2].endswith(theirs) and f[3] == "01" for f in fields)
