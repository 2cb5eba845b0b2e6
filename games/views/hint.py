"""The hint at the table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.engine import NotNow
from games.models import Match
from games.services.errors import HintUnrates, Refused
from games.services.hints import hint as hint_for
from games.views.table import show, viewer


@never_cache
@require_POST
def hint(request: HttpRequest, match_id: str) -> HttpResponse:
    """The table with a hint on it; while the match would be rated, with the question first."""
    if (player := viewer(request)) is None:
        return show(request, match_id, _("Log in to play."), status=403)
    try:
        found = hint_for(match_id=match_id, player=player, agreed="agreed" in request.POST)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except HintUnrates as asked:
        return show(request, match_id, asks_hint=asked.message)
    except Refused as refused:
        return show(request, match_id, refused.message, status=409)
    except NotNow:
        return show(request, match_id, _("It is not your turn."), status=409)
    return show(request, match_id, hint=found)
