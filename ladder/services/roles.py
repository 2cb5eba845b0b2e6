"""Roles: the groups that keep them, the check that every act goes through, and appointment."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Refused
from games.services.locks import lock
from ladder.models.roles import MAY, Act, Role, act_of
from ladder.selectors.roles import acts, has_two_factor, may, role_of, why_not
from ladder.services import audit

__all__ = [
    "MAY",
    "Act",
    "Role",
    "act_of",
    "acts",
    "appoint",
    "has_two_factor",
    "keep_groups",
    "may",
    "require",
    "role_of",
    "why_not",
]

# What a group may do in the administration, by model. What moderators do at /moderation/ follows
# from the role alone.
PERMISSIONS: dict[Role, dict[str, tuple[str, ...]]] = {
    Role.HELPER: {},
    Role.MODERATOR: {},
    Role.SENIOR: {},
    Role.ADMINISTRATOR: {
        "games.player": ("view", "change"),
        "games.match": ("view",),
        "games.contactmessage": ("view",),
        "ladder.ratingchange": ("view",),
        "ladder.season": ("view", "change"),
        "ladder.sitesetting": ("view", "change"),
        "ladder.auditentry": ("view",),
    },
}


def require(by: Player | None, act: Act, about: Player | None = None) -> None:
    """Raise ``Refused`` unless ``by`` may do ``act``, to ``about`` if it is done to somebody."""
    if refused := why_not(by, about):
        raise Refused(refused)
    if not may(by, act):
        raise Refused(_("Your role does not allow that."))


def keep_groups(*, using: str, **_kwargs: Any) -> None:
    """After a migration: make the groups that are missing, and bring their permissions up to date.

    Permissions are made by the same signal: this is connected for the last of the apps that it
    names. Safe to run twice.
    """
    for role, rights in PERMISSIONS.items():
        group, _made = Group.objects.using(using).get_or_create(name=role.value)
        wanted = [
            permission
            for model, verbs in rights.items()
            for permission in _permissions(using, model, verbs)
        ]
        group.permissions.set(wanted)


def appoint(by: Player, player: Player, role: Role | None, why: str) -> None:
    """Give ``player`` a role, or with None take every role away.

    Raises ``Refused`` for who may not, and for who has no account: a guest, a house player.
    """
    with transaction.atomic():
        player = lock(Player.objects.filter(pk=player.pk)).get()
        require(by, Act.APPOINT, player)
        if not player.is_person:
            raise Refused(_("Only people with an account can be on the staff."))
        before = role_of(player)
        player.groups.remove(*Group.objects.filter(name__in=Role.values))
        if role is not None:
            player.groups.add(Group.objects.get(name=role.value))
        player.is_staff = role is not None
        player.save(update_fields=["is_staff"])
        audit.record(
            by,
            Act.APPOINT,
            player=player,
            why=why,
            before={"role": before},
            after={"role": role},
        )


def _permissions(using: str, model: str, verbs: tuple[str, ...]) -> list[Permission]:
    app, _dot, name = model.partition(".")
    codenames = [f"{verb}_{name}" for verb in verbs]
    rows = Permission.objects.using(using).filter(content_type__app_label=app)
    return list(rows.filter(codename__in=codenames))
