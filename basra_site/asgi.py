"""The ASGI application: pages, sockets and static files."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")
pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402  (needs the apps to be ready)
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import OriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402

from basra_site.static import StaticFiles  # noqa: E402
from games.routing import websocket_urlpatterns as games_sockets  # noqa: E402
from ladder.routing import websocket_urlpatterns as ladder_sockets  # noqa: E402


def allowed_origins() -> list[str]:
    """The origins a socket may come from: this site's own address, and the loopback names."""
    scheme = "https" if settings.HTTPS else "http"
    return [
        settings.SITE_URL,
        *(f"{scheme}://{host}:{settings.PORT}" for host in settings.ALLOWED_HOSTS),
    ]


application = ProtocolTypeRouter(
    {
        "http": StaticFiles(pages),
        "websocket": OriginValidator(
            AuthMiddlewareStack(URLRouter([*ladder_sockets, *games_sockets])), allowed_origins()
        ),
    }
)
