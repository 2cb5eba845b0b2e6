"""How far a reader has come in the lessons: by the account, or for a stranger by a cookie."""

from django.http import HttpRequest, HttpResponse

from games.selectors.lessons import Progress, read_progress

COOKIE = "learned"
COOKIE_SECONDS = 60 * 60 * 24 * 365


def progress_of(request: HttpRequest) -> Progress:
    """How far whoever asks has come."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return read_progress(user.learned)
    return read_progress(request.COOKIES.get(COOKIE, ""))


def keep(response: HttpResponse, progress: Progress, secure: bool) -> None:
    """Keep a stranger's progress in this browser."""
    response.set_cookie(
        COOKIE, progress.written, COOKIE_SECONDS, secure=secure, httponly=True, samesite="Lax"
    )
