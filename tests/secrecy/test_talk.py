"""Talk beside the cards: it tells none, and goes to the two who sit at the table alone."""

import pytest
from channels.db import database_sync_to_async

from games.consumers import PING, PONG
from games.services import talk
from tests.factories import dealt, person, play_on
from tests.realtime.sockets import a_person, frame_with, make, opened_by, seats
from tests.secrecy.test_match import cards_told, look_for_secrets


@pytest.mark.django_db
def test_the_list_names_no_card_and_a_watcher_gets_none(client):
    match = play_on(dealt(), 20)
    players = [seat.player for seat in match.seats.select_related("player")]
    for player in players:
        talk.say(match_id=match.id, player=player, phrase="basra")
    address = f"/games/{match.id}/talk/"
    for player in players:
        client.force_login(player)
        answer = client.get(address, headers={"HX-Request": "true"})
        assert answer.text.count("data-line") == 2
        assert cards_told(answer.text) == set()
        look_for_secrets(answer.text + str(answer.headers), match, player)
    for watcher in (person(), person(is_staff=True, is_superuser=True)):
        client.force_login(watcher)
        assert client.get(address, headers={"HX-Request": "true"}).status_code == 404
        assert "data-line" not in client.get(f"/games/{match.id}/").text


@pytest.mark.django_db(transaction=True)
async def test_both_seats_are_told_that_there_is_news_and_a_watcher_is_told_nothing():
    match = await make()
    speaker, listener = await seats(match)
    opened = [await opened_by(match, player) for player in (speaker, listener, await a_person())]
    await database_sync_to_async(talk.say)(match_id=match.id, player=speaker, phrase="basra")
    for one in opened[:2]:
        assert await frame_with(one, 'data-news="talk"') == '<i data-news="talk"></i>'
    await opened[2].send_to(text_data=PING)
    while (frame := await opened[2].receive_from(timeout=5)) != PONG:
        assert "data-news" not in frame
    for one in opened:
        await one.disconnect()
