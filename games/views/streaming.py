"""Long downloads, sent piece by piece, so that no length of them is ever held in memory."""

from collections.abc import AsyncIterator, Iterable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse


def download(
    request: HttpRequest, pieces: Iterable[str], name: str, content_type: str
) -> StreamingHttpResponse:
    """``pieces`` as the file ``name``, each made when the one before it has been sent.

    An ASGI server would read a plain iterator to its end first: there it goes piece by piece
    through a thread.
    """
    iterator = iter(pieces)
    content = _awaited(iterator) if isinstance(request, ASGIRequest) else iterator
    response = StreamingHttpResponse(content, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _awaited(pieces: Iterator[str]) -> AsyncIterator[str]:
    while (piece := await sync_to_async(next)(pieces, None)) is not None:
        yield piece
