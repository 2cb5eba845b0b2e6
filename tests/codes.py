"""The code that an authenticator app would show: RFC 6238, worked out apart from the site."""

import base64
import hashlib
import hmac
import struct
import time

STEP = 30  # seconds


def code_at(secret: str, steps_on: int = 0) -> str:
    """The code of now, or of ``steps_on`` half minutes later."""
    counter = struct.pack(">Q", int(time.time()) // STEP + steps_on)
    digest = hmac.digest(base64.b32decode(secret), counter, hashlib.sha1)
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 10**6:06}"
