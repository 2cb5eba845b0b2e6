"""Static files in front of the pages.

WhiteNoise finds the files and writes the headers; as Django middleware it would be sync only and
deadlock daphne's shutdown, so it is wrapped here.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from whitenoise import WhiteNoise

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


SAFE = [
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; sandbox"),
]  # an SVG opened by itself is a page: it may be styled, and nothing else


def immutable(_path: str, url: str) -> bool:
    """A collected file whose name carries its hash never changes."""
    stem = url.rsplit("/", 1)[-1].split(".")
    return len(stem) > 2 and len(stem[-2]) == 12


class StaticFiles:
    """An ASGI application that answers for ``STATIC_URL`` and hands on everything else."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self.app = app
        self.files = WhiteNoise(None, max_age=60, immutable_file_test=immutable)
        if settings.STATIC_ROOT.is_dir():
            self.files.add_files(settings.STATIC_ROOT, settings.STATIC_URL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self.files.files.get(scope.get("path", ""))
        if scope["type"] != "http" or found is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        environ = {
            f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}": value.decode("latin-1")
            for name, value in scope["headers"]
        }
        answer = found.get_response(scope["method"], environ)
        body = b"" if answer.file is None else await sync_to_async(answer.file.read)()
        if answer.file is not None:
            answer.file.close()
        headers = [(k.lower().encode(), v.encode("latin-1")) for k, v in answer.headers]
        headers += SAFE
        await send(
            {"type": "http.response.start", "status": answer.status.value, "headers": headers}
        )
        await send({"type": "http.response.body", "body": body})
