"""The files that everybody may have."""

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ladder.models import PublishedFile
from ladder.services.published import path_of


@require_safe
def files(request: HttpRequest) -> HttpResponse:
    """What there is, and how a line is read."""
    return render(request, "ladder/published.html", {"files": PublishedFile.objects.all()})


@require_safe
def file(request: HttpRequest, name: str) -> FileResponse:
    """One file."""
    found = get_object_or_404(PublishedFile, name=name)
    try:
        content = default_storage.open(path_of(found))
    except OSError as error:
        raise Http404 from error
    return FileResponse(content, as_attachment=True, filename=found.name)
