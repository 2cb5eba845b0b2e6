"""Celery tasks of standing: each calls one service."""

from celery import shared_task

from games.services import outage
from ladder.services import pairing


@shared_task
def pair() -> None:
    """Every second: pair who has become acceptable. In an outage nobody could come to the table."""
    if not outage.is_on():
        pairing.pair()
