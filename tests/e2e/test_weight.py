"""What a first visit costs, and what is kept for good."""

import pytest

from tests.e2e.conftest import PHONE

pytestmark = pytest.mark.e2e

LIMIT = 100_000
REQUESTS = 12


def visit(me, path):
    """What came over the wire for a page: address → (kind, bytes with headers)."""
    browser = me.page.context.new_cdp_session(me.page)
    browser.send("Network.enable")
    came, kinds = {}, {}
    browser.on(
        "Network.responseReceived",
        lambda event: kinds.update({event["requestId"]: (event["type"], event["response"]["url"])}),
    )
    browser.on(
        "Network.loadingFinished",
        lambda event: came.update({event["requestId"]: event["encodedDataLength"]}),
    )
    me.go(path)
    me.page.wait_for_load_state("networkidle")
    return {kinds[key][1]: (kinds[key][0], size) for key, size in came.items() if key in kinds}


def before_images(came):
    """Bytes of all but pictures; a sheet of cards or icons counts as one."""
    return sum(
        size for url, (kind, size) in came.items() if kind != "Image" and not url.endswith(".svg")
    )


def tell(came):
    return "\n".join(f"{size:7} {kind:10} {url}" for url, (kind, size) in came.items())


def test_a_first_visit_to_the_lobby(window):
    me = window(PHONE)
    came = visit(me, "/")
    assert me.page.locator('[data-action="ranked"]').is_visible()
    assert before_images(came) < LIMIT, tell(came)
    assert len(came) <= REQUESTS, tell(came)
    assert sum(size for _kind, size in came.values()) < 2 * LIMIT, tell(came)


def test_a_first_visit_straight_to_a_table(at_table, window, site):
    me = at_table("watched")
    path = me.page.url.removeprefix(site.url)
    stranger = window(PHONE)
    came = visit(stranger, path)
    assert before_images(came) < LIMIT, tell(came)
    assert len(came) <= 2 * REQUESTS, tell(came)


def test_what_is_static_is_kept_for_good(window):
    me = window(PHONE)
    first = visit(me, "/")
    again = visit(me, "/rules/")
    fetched = {url for url, (_kind, size) in again.items() if "/static/" in url and size > 0}
    assert not fetched & set(first)
    for url in first:
        if "/static/" in url:
            kept = me.page.request.get(url).headers["cache-control"]
            assert "immutable" in kept
