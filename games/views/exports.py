"""The file with all that is held about the reader."""

from django.contrib import messages
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Export, ExportState
from games.services import exports
from games.services.errors import Refused
from games.views.members import members_only


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@members_only
def export(request: HttpRequest) -> HttpResponse:
    """What was asked for and how far it is; a post asks."""
    if request.method == "POST":
        try:
            exports.ask(request.user)
        except Refused as refused:
            messages.warning(request, refused.message)
        return redirect("account_export")
    newest = Export.objects.filter(player=request.user).order_by("-pk").first()
    until = newest.asked_at + exports.KEPT if newest else None
    return render(request, "account/export.html", {"export": newest, "until": until})


@require_safe
@never_cache
@members_only
def file(request: HttpRequest, export_id: int) -> FileResponse:
    """The file, for its owner alone."""
    found = get_object_or_404(Export, pk=export_id, player=request.user, state=ExportState.READY)
    try:
        content = default_storage.open(found.path)
    except OSError as error:
        raise Http404 from error
    name = f"basra-{found.made_at:%Y-%m-%d}.zip"
    return FileResponse(content, as_attachment=True, filename=name)
