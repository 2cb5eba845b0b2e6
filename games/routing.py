"""Addresses of the sockets."""

from django.urls import re_path

from games.consumers import NowhereConsumer, OwnConsumer, TableConsumer

websocket_urlpatterns = [
    re_path(r"^ws/me/$", OwnConsumer.as_asgi()),
    re_path(r"^ws/games/(?P<match_id>[A-Za-z0-9]{12})/$", TableConsumer.as_asgi()),
    re_path(r"", NowhereConsumer.as_asgi()),
]
