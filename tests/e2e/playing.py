"""How a person plays in a browser: by what the page offers."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

PATIENCE_MS = 20_000
LOOK_MS = 50


def until(page: Page, condition: Callable[[], object], patience: int = PATIENCE_MS) -> None:
    """Let the page go on until ``condition`` holds of what the test has noted; not for ever."""
    for _look in range(patience // LOOK_MS):
        if condition():
            return
        page.wait_for_timeout(LOOK_MS)
    raise AssertionError("it never came to that")


def attribute(page: Page, name: str) -> str:
    """One of the table's data attributes."""
    return page.locator("#table").get_attribute(f"data-{name}")


def my_turn_or_over(page: Page) -> bool:
    """Wait until it is my turn; False once the match is over."""
    expect(page.locator('#table[data-turn="me"], #table[data-status="finished"]')).to_be_attached(
        timeout=PATIENCE_MS
    )
    return attribute(page, "status") == "playing"


def play_first_card(page: Page) -> None:
    """Play the first card of the hand, taking the first capture where there is a choice."""
    number = attribute(page, "number")
    page.locator("#hand [data-card]").first.click()
    moved = page.locator(f'#table:not([data-number="{number}"])')
    choice = page.locator("#choices [data-capture]").first
    expect(moved.or_(choice).first).to_be_attached(timeout=PATIENCE_MS)
    if choice.is_visible():
        choice.click()
        expect(moved).to_be_attached(timeout=PATIENCE_MS)
