"""Who is on the staff, as what, and what each may do to whom."""

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Player
from ladder.models.roles import MAY, Act, Role

SECOND_FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def role_of(player: Player | None) -> Role | None:
    """The highest role of ``player``; None for who is not on the staff.

    1 query for staff, none for others. A superuser is an administrator.
    """
    if player is None or not (player.is_active and player.is_staff and player.is_person):
        return None
    if player.is_superuser:
        return Role.ADMINISTRATOR
    names = player.groups.filter(name__in=Role.values).values_list("name", flat=True)
    return max(map(Role, names), key=lambda role: role.rank, default=None)


def has_two_factor(player: Player) -> bool:
    """Does log-in ask ``player`` for a code, or a key, beside the password?"""
    return Authenticator.objects.filter(user=player, type__in=SECOND_FACTORS).exists()


def lacks_two_factor(player: Player) -> bool:
    """Must ``player``, who is on the staff, first set up a second factor?"""
    return settings.STAFF_NEEDS_TWO_FACTOR and not has_two_factor(player)


def why_not(by: Player | None, about: Player | None = None) -> str:
    """What keeps ``by`` from every act there is, or from every act on ``about``; "" for nothing.

    Nobody acts on oneself, an equal or a superior. 3 queries at most.
    """
    mine = role_of(by)
    if mine is None:
        return _("Only staff may do that.")
    if lacks_two_factor(by):
        return _("Set up two-factor log-in first: staff may do nothing without it.")
    return _why_not_on(by, mine, about) if about is not None else ""


def acts(by: Player | None, about: Player | None = None) -> frozenset[Act]:
    """All that ``by`` may do: on ``about``, or at all. 4 queries at most."""
    if why_not(by, about):
        return frozenset()
    mine = role_of(by)
    return frozenset(act for act, least in MAY.items() if mine.rank >= least.rank)


def may(by: Player | None, act: Act, about: Player | None = None) -> bool:
    """May ``by`` do ``act``, to ``about`` if it is done to somebody?"""
    return act in acts(by, about)


def out_of_reach(by: Player) -> QuerySet[Player]:
    """On whom ``by``, who is on the staff, may not act: oneself, equals and superiors."""
    mine = role_of(by)
    above = [role for role in Role if mine is None or role.rank >= mine.rank]
    staff = Q(is_staff=True) & (Q(is_superuser=True) | Q(groups__name__in=above))
    return Player.objects.filter(Q(pk=by.pk) | staff)


def _why_not_on(by: Player, mine: Role, about: Player) -> str:
    if by.pk == about.pk:
        return _("Nobody can act on themselves.")
    theirs = role_of(about)
    if theirs is not None and theirs.rank >= mine.rank:
        return _("Nobody can act on an equal or a superior.")
    return ""
