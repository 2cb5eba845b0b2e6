"""How a reader wants the site to look and sound: by the account, or for a stranger by a cookie."""

from dataclasses import dataclass, fields

from django.http import HttpRequest, HttpResponse

COOKIE = "look"
COOKIE_SECONDS = 60 * 60 * 24 * 365
SCHEMES = ("light", "dark")
ANIMATIONS = ("quick", "off")


@dataclass(frozen=True, slots=True)
class Look:
    """What the root of every page carries; the names are those of the player's preferences."""

    scheme: str = "system"
    animation: str = "normal"
    four_colours: bool = False
    sounds: bool = False
    confirm_play: bool = False

    @property
    def classes(self) -> str:
        """The classes of the page's root."""
        named = {"cards-4": self.four_colours, f"motion-{self.animation}": self.hurries}
        return " ".join(name for name, wanted in named.items() if wanted)

    @property
    def hurries(self) -> bool:
        """Does anything move faster than usual, or not at all?"""
        return self.animation in ANIMATIONS

    @property
    def written(self) -> str:
        """The look as the cookie keeps it: "dark.quick.sounds"."""
        chosen = [self.scheme] if self.scheme in SCHEMES else []
        chosen += [self.animation] if self.hurries else []
        return ".".join(chosen + [name for name in _SWITCHES if getattr(self, name)])


_SWITCHES = ("four_colours", "sounds")  # what a stranger may switch


def read(text: str) -> Look:
    """The look that a cookie keeps. What it cannot mean is passed over."""
    said = set(text[:100].split("."))
    return Look(
        scheme=next((name for name in SCHEMES if name in said), "system"),
        animation=next((name for name in ANIMATIONS if name in said), "normal"),
        **{name: name in said for name in _SWITCHES},
    )


def look_of(request: HttpRequest) -> Look:
    """The look for whoever asks."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return Look(**{field.name: getattr(user, field.name) for field in fields(Look)})
    return read(request.COOKIES.get(COOKIE, ""))


def keep(response: HttpResponse, look: Look, secure: bool) -> None:
    """Keep a stranger's look in this browser."""
    response.set_cookie(
        COOKIE, look.written, COOKIE_SECONDS, secure=secure, httponly=True, samesite="Lax"
    )
