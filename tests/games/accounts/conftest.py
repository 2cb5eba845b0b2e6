"""An account with a password, and how one logs in to it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from games.models import Player

PASSWORD = "four words of tea"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/1 Safari/604.1"


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def ali() -> Player:
    return Player.objects.create_user("Ali", PASSWORD)


@dataclass(frozen=True)
class Second:
    """A second factor: the app's key, and the spare codes."""

    secret: str
    spare: list[str]


@pytest.fixture
def with_second() -> Callable[[Player], Second]:
    """Gives an account a second factor, as enrolment does."""

    def give(player: Player) -> Second:
        secret = generate_totp_secret()
        TOTP.activate(player, secret)
        return Second(secret, RecoveryCodes.activate(player).generate_codes())

    return give


def log_in(client: Client, name: str = "ali", password: str = PASSWORD, **how: str) -> HttpResponse:
    return client.post("/accounts/login/", {"login": name, "password": password}, **how)


def give_code(client: Client, code: str) -> HttpResponse:
    return client.post("/accounts/2fa/authenticate/", {"code": code})


def is_in(client: Client) -> bool:
    return client.get("/accounts/overview/").status_code == 200


def confirm(client: Client, address: str, form: dict[str, str] | None = None) -> HttpResponse:
    """Do something that asks for the password first, and give it."""
    answer = client.post(address, form or {}) if form is not None else client.get(address)
    if answer.status_code == 302 and "/reauthenticate/" in answer.url:
        there = re.search(r"next=([^&]+)", answer.url).group(1)
        client.post(answer.url, {"password": PASSWORD, "next": there.replace("%2F", "/")})
        answer = client.post(address, form) if form is not None else client.get(address)
    return answer


def second_of(player: Player) -> set[str]:
    return set(Authenticator.objects.filter(user=player).values_list("type", flat=True))
