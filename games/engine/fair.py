"""The fair shuffle: from seeds to a dealer and to packs, so that anybody can check them.

Rules, Fair shuffle. Pure arithmetic over the seeds; drawing them is for others.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence

from games.engine.cards import PACK, Card
from games.engine.errors import Malformed
from games.engine.play import Seat

SEED_BYTES = 32
_PROTOCOL = "basra-v1"
_CLIENT_SEED = re.compile(r"[A-Za-z0-9._-]{1,64}")
_NUMBERS = 1 << 32


def commitment(seed: bytes) -> str:
    """The SHA-256 of the server seed (32 bytes) in lower-case hex (Fair shuffle 1).

    >>> commitment(bytes(32))
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(_server_seed(seed)).hexdigest()


def first_dealer(seed: bytes, match: str, client_seeds: Sequence[str]) -> Seat:
    """The seat that deals the first deal: a number below 2 from stream 0 (Fair shuffle 5).

    `client_seeds` are those of seats 0 and 1. Raises `Malformed` for what is no seed or match.

    >>> first_dealer(bytes(32), "AbCdEf123456", ("mine", "house"))
    1
    """
    return 0 if _below(2, _numbers(seed, match, client_seeds, 0)) == 0 else 1


def pack(seed: bytes, match: str, client_seeds: Sequence[str], deal: int) -> tuple[Card, ...]:
    """The pack of deal 1, 2, …: index 0 is the top (Fair shuffle 6).

    Raises `Malformed` for what is no seed, match or number of a deal.

    >>> cards = pack(bytes(32), "AbCdEf123456", ("mine", "house"), 1)
    >>> len(set(cards)), [str(card) for card in cards[:4]]
    (52, ['Qs', '9s', 'Td', 'Qh'])
    """
    if type(deal) is not int or deal < 1:
        raise Malformed("deals are numbered from 1")
    numbers = _numbers(seed, match, client_seeds, deal)
    cards = list(PACK)
    for i in range(len(cards) - 1, 0, -1):
        j = _below(i + 1, numbers)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def is_client_seed(text: object) -> bool:
    """Whether `text` is a client seed: 1 to 64 characters of `A–Z a–z 0–9 . _ -`.

    >>> is_client_seed("my.seed-1_Z"), is_client_seed(""), is_client_seed("a:b")
    (True, False, False)
    """
    return isinstance(text, str) and _CLIENT_SEED.fullmatch(text) is not None


def _server_seed(seed: bytes) -> bytes:
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise Malformed("a server seed is 32 bytes")
    return seed


def _numbers(seed: bytes, match: str, client_seeds: Sequence[str], stream: int) -> Iterator[int]:
    """The 32-bit numbers of a stream: blocks of HMAC-SHA256, read on end (Fair shuffle 4)."""
    key = _server_seed(seed)
    if not isinstance(match, str) or ":" in match:
        raise Malformed("a match is named without a colon")
    if isinstance(client_seeds, str) or len(client_seeds) != 2:
        raise Malformed("there are two client seeds")
    if not all(is_client_seed(client_seed) for client_seed in client_seeds):
        raise Malformed("a client seed is 1 to 64 characters of A–Z a–z 0–9 . _ -")
    try:
        head = f"{_PROTOCOL}:{match}:{client_seeds[0]}:{client_seeds[1]}:{stream}:".encode()
    except UnicodeEncodeError:
        raise Malformed("a match is named in characters that can be written") from None
    return _blocks(key, head)


def _blocks(key: bytes, head: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(key, head + str(block).encode(), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(limit: int, numbers: Iterator[int]) -> int:
    """A number below `limit`, each equally likely: what would favour the low ones is dropped."""
    fair = _NUMBERS - _NUMBERS % limit
    return next(number for number in numbers if number < fair) % limit
