"""A player's page in the pseudo-language and in Arabic, with all that can stand on it."""

from datetime import timedelta

from games.models import Online, clock
from games.services import renaming
from ladder.models import Badge, Prize, Rating
from ladder.services import board, restitution, seasons
from tests.factories import dealt, person, play_on
from tests.i18n.test_walk import PASSWORD, Walker, nothing, somebody, walker
from tests.ladder.conftest import beats, rated
from tests.ladder.pages import a_career

__all__ = ["beats", "rated", "walker"]


def test_a_players_page(walker: Walker, rated, beats) -> None:
    nour, me, other = rated("Nour", won=20), rated("Salma", 1490, won=3), person()
    Rating.objects.filter(player=nour).update(peak=1600)
    a_career(nour, other, [1500 + number % 9 for number in range(1, 250)])
    play_on(dealt(players=[nour, me], target=51))
    restitution.annul(beats(nour, me))
    for number, prize in enumerate(Prize, start=8100):
        seasons.begin(number)
        Badge.objects.create(player=nour, season_id=number, prize=prize, made_at=clock.now())
    Online.objects.create(player=nour, until=clock.now() + timedelta(minutes=1))
    Rating.objects.create(player=nour, pool="practice", matches=1)
    board.refresh()
    address = nour.get_absolute_url()
    for who in (nour, me, person()):
        walker.as_(who)
        walker.get(address, label=f"profile for {who}")
        walker.get(f"{address}?over=time", label=f"profile over time for {who}")
        walker.get(me.get_absolute_url(), label=f"profile without a rank for {who}")
    nour.shows_matches = False
    nour.save()
    walker.strange().get(address, label="a private record")
    nothing(walker)


def test_a_name_that_was_changed(walker: Walker) -> None:
    me = somebody("سلمى")
    renaming.rename(player=me, name="Nour")
    walker.as_(me)
    walker.get("/accounts/name/", label="too early")
    walker.post("/accounts/name/", name="Omar", password=PASSWORD)
    walker.strange()
    form = {"username": "سلمى", "password1": PASSWORD}
    walker.look(walker.client.post("/accounts/signup/", form), 200, "a former name")
    nothing(walker)
