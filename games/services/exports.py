"""All that is held about a person, as a file for that person.

``ask`` writes a row, a task makes the file and says how far it is, and the file is gone after a
week. Work that is lost with its process is found by the task of each minute, and begun anew.
"""

import json
import secrets
import zipfile
from collections.abc import Iterable
from datetime import timedelta
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any

from celery import current_app
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games import ports
from games.models import Export, ExportState, Player, Topic, clock
from games.selectors.held import held_about, matches_of
from games.services import notifications
from games.services.after import after_commit
from games.services.errors import Refused

KEPT = timedelta(days=7)
EVERY = timedelta(hours=1)  # how often somebody may ask
LOST_AFTER = timedelta(minutes=2)  # without a sign of life
FOLDER = "exports"
MAKE = "games.tasks.make_export"
PARTS_BESIDE_MATCHES = 20  # about so many parts are written beside the matches
_BEAT_EVERY = 50  # entries


def ask(player: Player) -> Export:
    """Ask for the file: the row of the one that is being made, or of a new one.

    Raises ``Refused`` for who has asked within the hour.
    """
    now = clock.now()
    if coming := _coming(player):
        return coming
    of_late = Export.objects.filter(player=player, asked_at__gt=now - EVERY)
    if of_late.exclude(state=ExportState.FAILED).exists():
        raise Refused(_("You have asked for it within the hour. Take the file that was made."))
    try:
        with transaction.atomic():
            made = Export.objects.create(player=player, asked_at=now, beat_at=now)
    except IntegrityError:  # of two clicks the other was first
        return Export.objects.filter(player=player).latest("asked_at")
    after_commit(lambda: _enqueue(made.pk))
    return made


def make(export_id: int) -> bool:
    """Make the file that was asked for. False if somebody else makes it, or it is not wanted."""
    waiting = Export.objects.filter(pk=export_id, state=ExportState.WAITING)
    if not waiting.update(state=ExportState.RUNNING, done=0, beat_at=clock.now()):
        return False
    export = Export.objects.select_related("player").get(pk=export_id)
    try:
        with TemporaryFile() as draft, translation.override(export.player.language or None):
            _write(export, draft)
            _keep(export, draft)
    except Exception:
        _running(export).update(state=ExportState.FAILED)
        raise
    return True


def resume() -> int:
    """Begin again what was lost, each minute. Returns how many."""
    late = clock.now() - LOST_AFTER
    Export.objects.filter(state=ExportState.RUNNING, beat_at__lt=late).update(
        state=ExportState.WAITING, beat_at=clock.now()
    )
    lost = list(Export.objects.filter(state=ExportState.WAITING).values_list("pk", flat=True))
    for export_id in lost:
        _enqueue(export_id)
    return len(lost)


def forget_old() -> int:
    """Delete the files that are a week old. Returns how many."""
    return _delete(Export.objects.filter(asked_at__lt=clock.now() - KEPT))


def forget(player: Player) -> None:
    """The account closes: its files are gone with it."""
    _delete(Export.objects.filter(player=player))


def _coming(player: Player) -> Export | None:
    coming = [ExportState.WAITING, ExportState.RUNNING]
    return Export.objects.filter(player=player, state__in=coming).first()


def _enqueue(export_id: int) -> None:
    current_app.send_task(MAKE, args=[export_id])


def _running(export: Export) -> Any:
    return Export.objects.filter(pk=export.pk, state=ExportState.RUNNING)


def _write(export: Export, draft: IO[bytes]) -> None:
    """Write the parts, one JSON file each, an entry a line."""
    done = 0
    _running(export).update(total=PARTS_BESIDE_MATCHES + matches_of(export.player))
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, entries in chain(held_about(export.player), ports.held_about(export.player)):
            with packed.open(f"basra/{name}.json", "w") as part:
                for number, piece in enumerate(_json(entries)):
                    part.write(piece.encode())
                    if name == "matches" and number % _BEAT_EVERY == _BEAT_EVERY - 1:
                        _beat(export, done + number)
                done += number if name == "matches" else 1
            _beat(export, done)


def _json(entries: Iterable[Any]) -> Iterable[str]:
    """A list of ``entries``, piece by piece."""
    before = "[\n"
    for entry in entries:
        yield before + json.dumps(entry, cls=DjangoJSONEncoder, ensure_ascii=False)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _beat(export: Export, done: int) -> None:
    _running(export).update(done=done, beat_at=clock.now())


def _keep(export: Export, draft: IO[bytes]) -> None:
    """Put the file into the storage and tell its owner, unless the account is closed by now."""
    size = draft.tell()
    draft.seek(0)
    path = default_storage.save(f"{FOLDER}/{secrets.token_urlsafe(24)}.zip", File(draft))
    with transaction.atomic():
        kept = _running(export).update(
            state=ExportState.READY, path=path, size=size, made_at=clock.now()
        )
        if kept:
            address = reverse("account_export")
            notifications.notify(
                export.player, Topic.NOTICE, tag="export", answer="export", address=address
            )
    if not kept:
        default_storage.delete(path)


def _delete(exports: Any) -> int:
    """Delete the rows, and after the commit their files."""
    with transaction.atomic():
        paths = [path for path in exports.values_list("path", flat=True) if path]
        gone = exports.delete()[0]
        after_commit(lambda: [default_storage.delete(path) for path in paths])
    return gone
