"""What is recognised without being kept: hashes keyed with SECRET_KEY."""

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed(purpose: str, text: str) -> str:
    """The hash of ``text`` for one purpose, 64 hex digits: the same text has another hash for
    another purpose."""
    return salted_hmac(f"basra {purpose}", text, algorithm="sha256").hexdigest()


def keyed_ever(purpose: str, text: str) -> list[str]:
    """The hashes of ``text`` by the present key and by older ones (SECRET_KEY_FALLBACKS)."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [
        salted_hmac(f"basra {purpose}", text, secret=secret, algorithm="sha256").hexdigest()
        for secret in secrets
    ]
