"""Groups are there after every migration, on a database that had nothing; and who is what."""

import os
import subprocess
import sys

import pytest
from django.contrib.auth.models import Group, Permission

from games.models import PlayerKind
from games.services.errors import Refused
from ladder.models import MAY, Act, AuditEntry, Measure, Role, act_of
from ladder.services import roles
from tests.factories import person, staff
from tests.servers import ROOT

pytestmark = pytest.mark.django_db


def test_a_fresh_database_has_the_groups_with_their_permissions(tmp_path):
    """Permissions are made after a migration too: the first one must not come too early."""
    environment = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite3'}",
    }
    look = (
        "import django; django.setup()\n"
        "from django.contrib.auth.models import Group\n"
        "rows = Group.objects.values_list('name', 'permissions__codename')\n"
        "print(sorted(f'{name} {code}' for name, code in rows))\n"
    )

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    environment["DJANGO_SETTINGS_MODULE"] = "basra_site.settings"
    run("manage.py", "migrate", "-v", "0")
    found = run("-c", look)
    for name in ("view_player", "change_player", "view_match", "view_ratingchange"):
        assert f"administrator {name}" in found
    for role in ("helper", "moderator", "senior"):
        assert f"{role} None" in found


def test_what_a_group_has_lost_or_has_too_much_is_put_right():
    group = Group.objects.get(name=Role.ADMINISTRATOR)
    kept = set(group.permissions.all())
    group.permissions.set([Permission.objects.get(codename="delete_match")])
    Group.objects.get(name=Role.HELPER).delete()
    roles.keep_groups(using="default")
    assert set(group.permissions.all()) == kept
    assert Group.objects.filter(name=Role.HELPER).exists()


def test_every_act_has_its_least_role_and_every_measure_its_act():
    assert set(MAY) == set(Act)
    assert {act_of(measure) for measure in Measure.values} < set(Act)


def test_the_highest_of_several_roles_counts_and_only_while_on_the_staff():
    two = staff(Role.HELPER)
    two.groups.add(Group.objects.get(name=Role.SENIOR))
    assert roles.role_of(two) == Role.SENIOR
    two.is_staff = False
    assert roles.role_of(two) is None
    assert roles.role_of(person(is_superuser=True, is_staff=True)) == Role.ADMINISTRATOR
    assert roles.role_of(person(is_staff=True)) is None
    assert roles.role_of(None) is None


def test_without_a_second_factor_staff_may_nothing(settings):
    bare = person(is_staff=True)
    bare.groups.add(Group.objects.get(name=Role.ADMINISTRATOR))
    assert not any(roles.may(bare, act) for act in Act)
    with pytest.raises(Refused, match="two-factor"):
        roles.require(bare, Act.QUEUE)
    settings.STAFF_NEEDS_TWO_FACTOR = False
    assert all(roles.may(bare, act) for act in Act)


class TestAppointing:
    def test_a_role_is_given_and_taken_and_each_is_one_entry(self):
        boss, player = staff(Role.ADMINISTRATOR), person()
        roles.appoint(boss, player, Role.HELPER, "Knows the house.")
        player.refresh_from_db()
        assert roles.role_of(player) == Role.HELPER
        roles.appoint(boss, player, None, "Has left.")
        player.refresh_from_db()
        assert not player.is_staff
        assert roles.role_of(player) is None
        taken, given = AuditEntry.objects.filter(act=Act.APPOINT)
        assert (given.by, given.player, given.role) == (boss.pk, player.pk, "administrator")
        assert (given.before, given.after) == ({"role": None}, {"role": "helper"})
        assert (taken.before, taken.after, taken.why) == (
            {"role": "helper"},
            {"role": None},
            "Has left.",
        )

    @pytest.mark.parametrize("role", [Role.HELPER, Role.MODERATOR, Role.SENIOR])
    def test_only_administrators_appoint(self, role):
        with pytest.raises(Refused):
            roles.appoint(staff(role), person(), Role.HELPER, "")
        assert not AuditEntry.objects.exists()

    def test_nobody_promotes_themselves_or_deposes_an_equal(self):
        boss = staff(Role.ADMINISTRATOR)
        for other in (boss, staff(Role.ADMINISTRATOR)):
            with pytest.raises(Refused):
                roles.appoint(boss, other, None, "")

    def test_a_guest_cannot_be_appointed(self):
        with pytest.raises(Refused):
            roles.appoint(staff(Role.ADMINISTRATOR), person(kind=PlayerKind.GUEST), Role.HELPER, "")
