"""Looks at what is private: through the trail, and no farther than it says."""

import pytest

from games.models import Block, Kind, Utterance, clock
from games.selectors.table import seat_of
from games.services import play
from ladder.models import Act, AuditEntry, Finding, FindingKind
from tests.factories import dealt, house, person, staff

pytestmark = pytest.mark.django_db


def entries() -> list[tuple[str, int, int | None, str]]:
    """What the trail holds, oldest first: act, who, whom, which match."""
    return list(AuditEntry.objects.order_by("pk").values_list("act", "by", "player", "match"))


class TestTalk:
    def test_all_that_was_said_and_which_line_was_reported(self, insulted, reported, as_):
        match, (one, two), lines = insulted("hello", "you <b>dog</b>\u2066", "please stop")
        case = reported(two, by=one, match=match, utterance=lines[1]).case
        by = staff("helper")
        client = as_(by)
        page = client.get(f"/moderation/cases/{case.pk}/").text
        assert "you &lt;b&gt;dog" in page
        assert "please stop" not in page
        assert entries() == []
        shown = client.post(f"/moderation/cases/{case.pk}/talk/{match.pk}/").text
        assert "please stop" in shown
        assert shown.count("is-reported") == 1
        assert entries() == [(Act.SEE_TALK, by.pk, two.pk, match.pk)]

    def test_what_has_been_forgotten_is_read_from_the_report(self, insulted, reported, as_):
        match, (one, two), lines = insulted("hello", "you dog", "please stop")
        case = reported(two, by=one, match=match, utterance=lines[1]).case
        Utterance.objects.all().delete()
        shown = as_(staff("helper")).post(f"/moderation/cases/{case.pk}/talk/{match.pk}/").text
        assert "please stop" in shown
        assert "what reports have kept" in shown

    def test_a_match_of_others_is_not_found(self, insulted, reported, as_):
        match, _two, _lines = insulted("secret")
        case = reported(person()).case
        response = as_(staff("senior")).post(f"/moderation/cases/{case.pk}/talk/{match.pk}/")
        assert response.status_code == 404
        assert entries() == []

    def test_by_an_address_alone_nothing_is_looked_at(self, insulted, reported, as_):
        match, (_one, two), _lines = insulted("hello", "you dog")
        case = reported(two).case
        response = as_(staff("helper")).get(f"/moderation/cases/{case.pk}/talk/{match.pk}/")
        assert response.status_code == 405
        assert entries() == []

    @pytest.mark.parametrize("opposite", ["helper", "senior", None])
    def test_nobody_reads_what_they_or_an_equal_or_a_superior_said(self, reported, as_, opposite):
        suspect, by = person(), staff("helper")
        other = staff(opposite) if opposite else by
        match = dealt(Kind.CHALLENGE, [suspect, other])
        Utterance.objects.create(match=match, player=other, text="secret", said_at=clock.now())
        case = reported(suspect).case
        response = as_(by).post(f"/moderation/cases/{case.pk}/talk/{match.pk}/")
        assert response.status_code == 409
        assert "above both players" in response.text
        assert "secret" not in response.text
        assert entries() == []


class TestMatches:
    @pytest.fixture
    def case(self, reported):
        """The case of somebody, and a practice match of theirs that a finding names."""
        suspect = person()
        match = dealt(Kind.PRACTICE, [suspect, house()])
        case = reported(suspect).case
        now = clock.now()
        finding = Finding.objects.create(
            kind=FindingKind.MACHINE, key="machine:1", found_at=now, renewed_at=now
        )
        finding.players.add(suspect)
        finding.matches.add(match)
        return case, match

    def open(self, client, case, match):
        return client.post(f"/moderation/cases/{case.pk}/matches/{match.pk}/")

    def test_one_that_a_finding_names_is_open_for_an_hour_once_it_is_over(self, case, as_, later):
        case, match = case
        by = staff("moderator")
        client = as_(by)
        address = match.get_absolute_url()
        refused = self.open(client, case, match)
        assert refused.status_code == 409
        assert "not over" in refused.text
        assert client.get(address).status_code == 404
        play.resign(match_id=match.pk, player=case.player)
        assert client.get(address).status_code == 404
        assert self.open(client, case, match).url == address
        assert entries() == [(Act.SEE_MATCH, by.pk, case.player_id, match.pk)]
        assert client.get(address).status_code == 200
        assert client.get(f"{address}record.json").status_code == 200
        assert seat_of(match.pk, by) is None
        assert as_(staff("moderator")).get(address).status_code == 404
        assert as_(person()).get(address).status_code == 404
        later(hours=1)
        assert client.get(address).status_code == 404

    def test_who_leaves_the_staff_looks_no_more(self, case, as_):
        case, match = case
        by = staff("moderator")
        client = as_(by)
        play.resign(match_id=match.pk, player=case.player)
        self.open(client, case, match)
        by.groups.clear()
        assert client.get(match.get_absolute_url()).status_code == 404

    def test_one_that_nobody_names_stays_shut(self, reported, as_):
        suspect = person()
        match = dealt(Kind.PRACTICE, [suspect, house()])
        play.resign(match_id=match.pk, player=suspect)
        case = reported(suspect).case
        client = as_(staff("administrator"))
        page = client.get(f"/moderation/cases/{case.pk}/").text
        assert match.pk in page
        assert f"matches/{match.pk}/" not in page
        assert self.open(client, case, match).status_code == 404

    def test_a_challenge_opens_though_a_player_blocks_the_moderator(self, reported, as_):
        one, two, by = person(), person(), staff("moderator")
        match = dealt(Kind.CHALLENGE, [one, two])
        Block.objects.create(player=two, other=by, made_at=clock.now())
        case = reported(two, by=one, match=match).case
        play.resign(match_id=match.pk, player=one)
        client = as_(by)
        assert client.get(match.get_absolute_url()).status_code == 404
        assert self.open(client, case, match).status_code == 303
        assert client.get(match.get_absolute_url()).status_code == 200

    @pytest.mark.parametrize("opposite", ["moderator", "administrator", None])
    def test_one_of_oneself_an_equal_or_a_superior_stays_shut(self, reported, as_, opposite):
        suspect, by = person(), staff("moderator")
        other = staff(opposite) if opposite else by
        match = dealt(Kind.CHALLENGE, [suspect, other])
        play.resign(match_id=match.pk, player=suspect)
        case = reported(suspect, match=match).case
        refused = self.open(as_(by), case, match)
        assert refused.status_code == 409
        assert "above both players" in refused.text
        assert entries() == []

    def test_a_ranked_one_is_open_to_everybody_and_no_entry_is_made(self, reported, as_):
        one, two = person(), person()
        match = dealt(players=[one, two])
        case = reported(two, by=one, match=match).case
        page = as_(staff("helper")).get(f"/moderation/cases/{case.pk}/").text
        assert f'href="{match.get_absolute_url()}"' in page
        assert entries() == []

    def test_a_helper_has_no_way_into_it(self, case, as_):
        case, match = case
        play.resign(match_id=match.pk, player=case.player)
        client = as_(staff("helper"))
        assert f"matches/{match.pk}/" not in client.get(f"/moderation/cases/{case.pk}/").text
        assert self.open(client, case, match).status_code == 404
