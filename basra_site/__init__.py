"""The project: settings, addresses, processes."""

from basra_site.celery import app as celery_app

__all__ = ["celery_app"]
