"""What is hidden at rest, encrypted with SECRET_KEY: the server seed and the running deal, and the
secrets of second factors.

Older keys (SECRET_KEY_FALLBACKS) still open what they sealed.
"""

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

from games.engine import Deal


def _key(secret: str) -> Fernet:
    digest = hashlib.sha256(b"basra sealed match:" + secret.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


@cache
def _box() -> MultiFernet:
    return MultiFernet([_key(s) for s in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


@dataclass(frozen=True, slots=True, repr=False)
class Sealed:
    """The hidden part of a match: the server seed (32 bytes) and the running deal with its pack."""

    server_seed: bytes
    deal: Deal | None = None

    def seal(self) -> str:
        """The encrypted text to store."""
        text = {"seed": self.server_seed.hex(), "deal": self.deal.text() if self.deal else ""}
        return _box().encrypt(json.dumps(text).encode()).decode()


def unseal(token: str) -> Sealed:
    """What ``seal`` sealed. Raises ``cryptography.fernet.InvalidToken`` if no key opens it."""
    text = json.loads(_box().decrypt(token.encode()))
    return Sealed(bytes.fromhex(text["seed"]), Deal.parse(text["deal"]) if text["deal"] else None)


def seal_text(text: str) -> str:
    """A secret of an account, encrypted."""
    return _box().encrypt(text.encode()).decode()


def unseal_text(token: str) -> str:
    """What ``seal_text`` sealed. Raises ``cryptography.fernet.InvalidToken`` if no key opens it."""
    return _box().decrypt(token.encode()).decode()
