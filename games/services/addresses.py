"""Network addresses: whose request it is, and which block an address belongs to."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

_BLOCKS = {4: 24, 6: 48}  # bits of an address that a household or an office shares


def of_client(request: HttpRequest) -> str:
    """The client's address; empty where it is not known, or is none."""
    try:
        return str(ipaddress.ip_address(get_adapter(request).get_client_ip(request)))
    except (PermissionDenied, ValueError):  # the first is how allauth says that there is none
        return ""


def block(address: str) -> str:
    """The block of an address: its /24, or /48 in IPv6; empty for what is none.

    >>> block("192.0.2.77"), block("2001:db8:1:2::3"), block("x")
    ('192.0.2.0/24', '2001:db8:1::/48', '')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((found, _BLOCKS[found.version]), strict=False))
