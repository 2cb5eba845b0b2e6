"""The moderators' pages: there for who may, and not there for anybody else."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from ladder.models.roles import MAY, Act
from ladder.selectors.roles import lacks_two_factor, role_of
from ladder.views.reader import reader

View = Callable[..., HttpResponse]


def moderators(act: Act) -> Callable[[View], View]:
    """A view for those whose role allows ``act``; 404 for everybody else.

    Staff without a second factor are led to where one is set up. Whom the act is done to is for
    the service to judge.
    """

    def guard(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            me = reader(request)
            role = role_of(me)
            if role is None or role.rank < MAY[act].rank:
                raise Http404
            if lacks_two_factor(me):
                messages.warning(request, _("Set up two-factor log-in first: staff need it."))
                return redirect("mfa_index")
            return view(request, *args, **kwargs)

        return guarded

    return guard
