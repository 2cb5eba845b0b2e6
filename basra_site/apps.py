"""What is looked at once, before the first page."""

import logging

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin_apps
from django.utils.translation import trans_real

log = logging.getLogger(__name__)


class AdministrationConfig(admin_apps.AdminConfig):
    default = False  # of this module's apps the other is the project's
    default_site = "basra_site.administration.Administration"


class ProjectConfig(AppConfig):
    name = "basra_site"

    def ready(self) -> None:
        """Leave out a language whose catalogue cannot be read: its readers get the next one they
        wish for, or the source's, and not an error on every page."""
        sound = [(code, name) for code, name in settings.LANGUAGES if is_readable(code)]
        if len(sound) < len(settings.LANGUAGES):
            settings.LANGUAGES = sound
            trans_real.reset_cache(setting="LANGUAGES")


def is_readable(code: str) -> bool:
    """Can the compiled catalogues of a language be loaded?"""
    try:
        trans_real.translation(code)
    except Exception:  # a damaged file fails in many ways
        log.exception("the catalogue of %s cannot be read: the language is left out", code)
        return False
    return True
