"""Every byte that goes to anybody during a match, searched for what they may not know."""

import json
import logging
import random
import re

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test import Client
from django.utils import translation

from basra_site.asgi import application
from games.engine import PACK, Deal, Play, observe, parse_card, parse_cards
from games.models import Kind, Match, Status, clock
from games.models.sealing import unseal
from games.services import play, publish
from games.templatetags.look import card_name
from tests.factories import a_match, deal_of, dealt, house, person, play_on, staff

RANKS = {
    "ace": "A",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "T",
    "jack": "J",
    "queen": "Q",
    "king": "K",
}
WRITTEN = re.compile(r"(?<![A-Za-z0-9])(?:card-)?([A2-9TJQK][cdhs])(?![A-Za-z0-9])")
IN_WORDS = re.compile(rf"({'|'.join(RANKS)}) of (clubs|diamonds|hearts|spades)")
IN_ARABIC = {
    "آس": "A",
    "اثنان": "2",
    "ثلاثة": "3",
    "أربعة": "4",
    "خمسة": "5",
    "ستة": "6",
    "سبعة": "7",
    "ثمانية": "8",
    "تسعة": "9",
    "عشرة": "T",
    "ولد": "J",
    "بنت": "Q",
    "شايب": "K",
}
ARABIC_SUITS = {"سباتي": "c", "ديناري": "d", "كوبّة": "h", "بستوني": "s"}
IN_ARABIC_WORDS = re.compile(rf"({'|'.join(IN_ARABIC)}) ({'|'.join(ARABIC_SUITS)})")
DRAWN = re.compile(r"(10|[A2-9JQK])([♣♦♥♠])")
SIGNS = dict(zip("♣♦♥♠", "cdhs", strict=True))
DECORATION = re.compile(
    r'<div class="fan" aria-hidden="true">.*?</section>|\sd="[^"]*"', re.S
)  # the lobby's fan of three cards, and the paths of drawings
ORDINARY_WORD = re.compile(r"\bAs (?=[a-z])")


def cards_told(text: str) -> set[str]:
    """Every card that a text names: as a code, in words, or drawn with a suit sign."""
    text = ORDINARY_WORD.sub("", DECORATION.sub("", text))
    found = set(WRITTEN.findall(text))
    found |= {RANKS[rank] + suit[0] for rank, suit in IN_WORDS.findall(text)}
    found |= {IN_ARABIC[rank] + ARABIC_SUITS[suit] for rank, suit in IN_ARABIC_WORDS.findall(text)}
    found |= {rank.replace("10", "T") + SIGNS[sign] for rank, sign in DRAWN.findall(text)}
    return found


def open_to(deal: Deal, seat: int | None) -> set[str]:
    """What rules.md calls open, for a seat or a watcher."""
    seen = observe(deal, seat)
    cards = set(seen.hand) | seen.floor | set(seen.under)
    cards |= set(seen.crosswise[0]) | set(seen.crosswise[1])
    for turn in seen.last_plays:
        if turn:
            cards |= {turn.play.card} | turn.play.capture
    return {str(card) for card in cards}


def test_the_search_finds_cards_however_they_are_told():
    assert cards_told('<i data-card="7d"> card-Qs, ten of hearts, 10♣ K♦ As it is, "As,5d"') == {
        "7d", "Qs", "Th", "Tc", "Kd", "As", "5d",
    }  # fmt: skip
    assert cards_told("أخذت سبعة ديناري، الكومي، بورقة شايب كوبّة") == {"7d", "Kh"}


def test_the_search_knows_every_card_in_arabic():
    with translation.override("ar"):
        assert {str(card): cards_told(card_name(card)) for card in PACK} == {
            str(card): {str(card)} for card in PACK
        }


def as_seen(match: Match, viewer: object) -> tuple[set[str], list[str]]:
    """What ``viewer`` may know of the running deal, and the secrets of the match."""
    sealed = unseal(match.sealed)
    seats = {seat.player_id: seat.seat for seat in match.seats.all()}
    may = open_to(sealed.deal, seats.get(getattr(viewer, "pk", None)))
    seed = sealed.server_seed.hex()
    return may, [seed, seed.upper(), sealed.deal.text(), match.sealed]


def look_for_secrets(text: str, match: Match, viewer: object) -> None:
    """Fails if ``text``, which went to ``viewer``, tells something shut."""
    may, secrets = as_seen(match, viewer)
    assert cards_told(text) <= may, (cards_told(text) - may, text[:4000])
    for secret in secrets:
        assert secret not in text


@pytest.mark.django_db(transaction=True)
async def test_pages_and_frames_of_a_whole_match_tell_no_secret(caplog, sent_tasks):
    """Both seats, a watcher, a stranger and an administrator, at every play of a match to 51."""
    caplog.set_level(logging.DEBUG)

    @database_sync_to_async
    def begin():
        chief = staff("administrator", is_superuser=True)
        arabic = {"language": "ar", "arabic_digits": True}
        players = [person(browser_notices=True), person(**arabic)]
        viewers = [*players, person(language="ar"), None, chief]
        match = dealt(Kind.RANKED, players, target=51)  # whose first turn is told
        clients = []
        for viewer in viewers:
            client = Client()
            if viewer:
                client.force_login(viewer)
            clients.append(client)
        return match, viewers, clients

    match, viewers, clients = await begin()
    sockets = []
    for client in clients:
        cookies = "; ".join(f"{k}={v.value}" for k, v in client.cookies.items())
        headers = [(b"origin", b"http://localhost:8000"), (b"cookie", cookies.encode())]
        socket = WebsocketCommunicator(application, f"/ws/games/{match.id}/", headers)
        assert (await socket.connect())[0]
        sockets.append(socket)

    @database_sync_to_async
    def one_more():
        now = play_on(match, 1, choose=lambda deal: random.choice(deal.legal()))
        if now.status == Status.PLAYING and now.number % 5 == 0:
            paths = [f"/games/{match.id}/", "/", f"/games/{match.id}/record.json"]
            paths += [f"/games/{match.id}/?deal=1&play={now.number}", "/challenges/"]
            paths += [f"/games/{match.id}/again/", "/challenges/new/", "/challenges/open/"]
            paths += ["/notifications/", "/notifications/bell/", "/notifications/newest/"]
            paths += ["/lobby/mine/", "/ranked/bar/"]
            if now.number == 25:
                paths += ["/people/", "/people/?q=nobody"]
                paths += ["/learn/", "/puzzle/", "/puzzle/archive/"]
                paths += ["/fairness/", "/leaderboard/", viewers[0].get_absolute_url()]
                paths += ["/games/", "/fairness/positions.svg", "/readyz"]
                paths += ["/admin/games/match/", f"/admin/games/match/{match.id}/change/"]
                paths += ["/admin/games/player/", "/accounts/sessions/", "/accounts/export/"]
            for viewer, client in zip(viewers, clients, strict=True):
                for path in paths:
                    page = client.get(path)
                    assert page.status_code in (200, 204, 302, 404, 503)
                    look_for_secrets(page.content.decode() + str(page.headers), now, viewer)
        return now

    caplog.clear()
    now, frames_seen = match, 0
    while now.status == Status.PLAYING:
        now = await one_more()
        if now.status != Status.PLAYING:
            break
        for viewer, socket in zip(viewers[:2], sockets[:2], strict=True):
            for frame in await frames_until(socket, now.version):
                frames_seen += 1
                await database_sync_to_async(look_for_secrets)(frame, now, viewer)
        await database_sync_to_async(look_for_secrets)(caplog.text, now, None)
        caplog.clear()
    assert frames_seen > 90
    for viewer, socket in zip(viewers[2:], sockets[2:], strict=True):
        *earlier, last = await frames_until(socket, now.version)
        assert 'data-status="finished"' in last, viewer
        await database_sync_to_async(look_back)(earlier, match, viewer)
    for socket in sockets:
        await socket.disconnect()
    assert all(
        isinstance(value, int) or value == match.id for _name, args in sent_tasks for value in args
    )


async def frames_until(socket: WebsocketCommunicator, version: int) -> list[str]:
    """Every frame up to the one of that version, which is the last."""
    frames = []
    while not frames or f'data-version="{version}"' not in frames[-1]:
        frames.append(await socket.receive_from(timeout=10))
    return frames


def look_back(frames: list[str], match: Match, viewer: object) -> None:
    """Frames of a match that is over now, each against the deal as it was at its number."""
    seats = {seat.player_id: seat.seat for seat in match.seats.all()}
    packs = {deal.index: (deal.pack.split(), deal.dealer) for deal in match.deals.all()}
    plays = list(match.plays.all())
    for frame in frames:
        number = re.search(r'data-number="(\d+)" data-deal="(\d+)"', frame)
        if number is None:
            assert not cards_told(frame), frame
            continue
        at, index = int(number[1]), int(number[2])
        pack, dealer = packs[index]
        made = [
            Play(parse_card(p.card), parse_cards(p.captured))
            for p in plays
            if p.deal == index and p.number < at
        ]
        deal = Deal.replay(map(parse_card, pack), dealer, made)
        may = open_to(deal, seats.get(getattr(viewer, "pk", None)))
        assert cards_told(frame) <= may, (cards_told(frame) - may, frame[:4000])


@pytest.mark.django_db(transaction=True)
def test_a_dump_of_the_database_in_mid_match_holds_no_secret():
    if connection.vendor != "sqlite":
        pytest.skip("the dump is SQLite's own")
    match = play_on(dealt(), 20)
    dump = "\n".join(connection.connection.iterdump())
    deal = deal_of(match)
    hidden = {str(card) for card in (*deal.hands[0], *deal.hands[1], *deal.stock)}
    assert match.commitment in dump
    sealed = Match.objects.get(pk=match.pk).sealed
    # One ciphertext in a hundred has two letters between dashes that read like a card.
    rows = dump.replace(sealed, "").splitlines()
    assert [row for row in rows if cards_told(row) & hidden] == []
    seed = unseal(sealed).server_seed
    assert seed.hex() not in dump
    assert seed.hex().upper() not in dump
    assert " ".join(map(str, deal.pack)) not in dump
    assert "".join(map(str, deal.pack)) not in dump


def swapped(deal: Deal, seat: int) -> Deal:
    """Another deal that ``seat`` cannot tell from this one: the other hand and the stock mixed."""
    hidden = [*sorted(deal.hands[1 - seat]), *deal.stock[: len(deal.stock) - len(deal.under)]]
    mixed = hidden[:]
    while mixed == hidden:
        random.shuffle(mixed)
    exchange = dict(zip(hidden, mixed, strict=True))
    pack = [exchange.get(card, card) for card in deal.pack]
    return Deal.replay(pack, deal.dealer, [turn.play for turn in deal.history])


@pytest.mark.django_db
def test_swapping_hidden_cards_changes_nothing_that_the_other_sees(client, monkeypatch):
    """Two states that differ only in what a seat cannot see render the same page, byte for byte."""
    match = play_on(dealt(), 5)
    moment = clock.now()
    monkeypatch.setattr(clock, "now", lambda: moment)
    sealed = unseal(Match.objects.get(pk=match.pk).sealed)
    for seat in match.seats.select_related("player"):
        client.force_login(seat.player)
        before = _without_tokens(client.get(f"/games/{match.id}/").content.decode())
        other = swapped(sealed.deal, seat.seat)
        assert other != sealed.deal
        Match.objects.filter(pk=match.pk).update(
            sealed=type(sealed)(sealed.server_seed, other).seal()
        )
        after = _without_tokens(client.get(f"/games/{match.id}/").content.decode())
        Match.objects.filter(pk=match.pk).update(sealed=sealed.seal())
        assert after == before


def _without_tokens(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"', "", page)


@pytest.mark.django_db
def test_the_record_is_shut_until_the_match_is_over(client):
    match = play_on(dealt(), 60)
    for seat in match.seats.select_related("player"):
        client.force_login(seat.player)
        assert client.get(f"/games/{match.id}/record.json").status_code == 404
    play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
    record = client.get(f"/games/{match.id}/record.json").json()
    assert sorted(record["deals"][0]["pack"]) == sorted(map(str, PACK))


@pytest.mark.django_db
def test_a_practice_match_is_its_players_alone(client):
    owner = person()
    match = dealt(Kind.PRACTICE, [owner, house()])
    paths = [f"/games/{match.id}/", f"/games/{match.id}/record.json"]
    for stranger in (None, person(), person(is_staff=True, is_superuser=True)):
        if stranger:
            client.force_login(stranger)
        assert {client.get(path).status_code for path in paths} == {404}
        assert client.post(paths[0], {"number": 1, "card": "As"}).status_code in (403, 404)
    client.force_login(owner)
    assert client.get(paths[0]).status_code == 200


@pytest.mark.django_db
def test_a_hidden_value_never_shows_in_a_repr():
    match = dealt()
    sealed = unseal(match.sealed)
    shown = f"{sealed!r} {sealed.deal!r} {match!r} {vars(match).keys()}"
    hidden = {str(c) for c in (*sealed.deal.hands[0], *sealed.deal.hands[1], *sealed.deal.stock)}
    assert not cards_told(shown) & hidden
    assert sealed.server_seed.hex() not in shown


@pytest.mark.django_db
def test_pokes_carry_match_and_version_alone(monkeypatch, django_capture_on_commit_callbacks):
    """And the news of a turn, to who is not at the table, only that there is some."""
    sent = []
    monkeypatch.setattr(publish, "publish", lambda group, message: sent.append((group, message)))
    match = dealt()
    with django_capture_on_commit_callbacks(execute=True):
        play_on(match, 3)
    pokes = [message for group, message in sent if group == f"match.{match.id}"]
    assert [set(message) for message in pokes] == [{"type", "match", "version"}] * 3
    news = [message for group, message in sent if group.startswith("player.")]
    assert news
    for message in news:
        assert message == {"type": "player.news", "topics": "bell"}
    assert len(pokes) + len(news) == len(sent)
    assert json.dumps(sent)


@pytest.mark.django_db
def test_the_commitment_list_names_no_match(client):
    match = a_match()
    for path in ("/fairness/", "/fairness/commitments.txt"):
        answer = client.get(path)
        body = b"".join(answer) if answer.streaming else answer.content
        assert match.commitment.encode() in body
        assert match.id.encode() not in body
