"""A hint is thought of from what its player sees, and tells nothing else."""

from random import Random

import pytest

from games.ai.search import think
from games.models import Kind, Match
from games.models.sealing import unseal
from games.services import thinking
from tests.factories import dealt, house, person, play_on
from tests.secrecy.test_match import _without_tokens, as_seen, cards_told, swapped

pytestmark = pytest.mark.django_db


def test_swapping_hidden_cards_changes_nothing_in_the_hint(client, monkeypatch):
    asked = []

    def in_place(seen, seed):
        asked.append((seen, seed))
        return think(seen, Random(seed), iterations=40)

    monkeypatch.setattr(thinking, "think", in_place)
    player = person()
    client.force_login(player)
    match = play_on(dealt(Kind.PRACTICE, [player, house()]), 4)
    while match.turn != 0:
        match = play_on(match, 1)
    path = f"/games/{match.id}/hint/"
    client.post(path, {"agreed": "1"})
    before = client.post(path).content.decode()
    now = Match.objects.get(pk=match.pk)
    assert "data-play" in before
    assert cards_told(before) <= as_seen(now, player)[0]
    sealed = unseal(now.sealed)
    other = swapped(sealed.deal, 0)
    assert other != sealed.deal
    changed = type(sealed)(sealed.server_seed, other).seal()
    Match.objects.filter(pk=match.pk).update(sealed=changed)
    after = client.post(path).content.decode()
    assert len(set(asked)) == 1  # not even the search is told
    assert _without_tokens(after) == _without_tokens(before)
