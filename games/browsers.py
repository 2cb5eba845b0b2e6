"""What a browser keeps of its reader: no page, and after log-out nothing.

The reader's language stays: the page after log-out is to be understood by whoever logs out, and
which language it is in says nothing of who that was.
"""

from django.http import HttpRequest, HttpResponseBase
from django.http.request import split_domain_port
from django.utils.cache import add_never_cache_headers

from games.learning import COOKIE as LEARNED
from games.look import COOKIE as LOOK
from games.solved import COOKIE as SOLVED
from games.zones import COOKIE as ZONE

_PRIVATE = ("text/html", "application/json")
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def keep_no_page(response: HttpResponseBase) -> None:
    """An answer to somebody who is logged in is stored nowhere, unless it says itself how long."""
    if response.get("Content-Type", "").startswith(_PRIVATE) and "Cache-Control" not in response:
        add_never_cache_headers(response)


def leave_nothing(request: HttpRequest, response: HttpResponseBase) -> None:
    """What the account has left in this browser goes; ``kept.js`` does the same by script, for
    browsers that don't know the header or don't heed it without TLS."""
    for cookie in (LOOK, LEARNED, SOLVED, ZONE):
        response.delete_cookie(cookie, samesite="Lax")
    host, _port = split_domain_port(request.get_host())
    if request.is_secure() or host in _LOOPBACK:
        response["Clear-Site-Data"] = '"cache", "storage"'
