"""Words of Django and its libraries that reach our pages and that their own catalogues lack in one
of our languages: named here, so that ours have them."""

from django.utils.translation import ngettext_lazy

FROM_LIBRARIES = [
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
]
