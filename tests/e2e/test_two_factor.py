"""The second factor in a real browser: enrol, log out, log in with a code and with a spare one."""

import pytest
from playwright.sync_api import Page, expect

from tests.codes import code_at
from tests.e2e.conftest import DESK, PHONE, Window

pytestmark = pytest.mark.e2e
PASSWORD = "long-enough-9"  # noqa: S105


def submit(page: Page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).click()


def log_in(page: Page, window: Window, name: str, code: str) -> None:
    """With the password, then with the code."""
    window.go("/accounts/login/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    submit(page, "Log in")
    expect(page.get_by_role("heading", name="Your code, please")).to_be_visible()
    page.get_by_label("Code").fill(code)
    submit(page, "Log in")


def log_out(page: Page, window: Window) -> None:
    window.go("/accounts/overview/")
    submit(page, "Log out")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_enrol_and_log_in_with_a_code_and_with_a_spare_one(window, viewport, shots):
    here: Window = window(viewport)
    page, name = here.page, f"Second{viewport['width']}"
    here.sign_up(name)
    here.go("/accounts/overview/")
    page.get_by_role("link", name="Two-factor log-in").click()
    page.get_by_role("link", name="Switch it on").click()
    page.get_by_label("Your password").fill(PASSWORD)
    submit(page, "Continue")

    picture = page.locator(".qr svg")
    expect(picture).to_be_visible()
    assert picture.bounding_box()["width"] > 120
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    page.screenshot(path=shots / "enrol.png")
    secret = page.locator("[data-totp-key]").inner_text()
    page.get_by_label("Code").fill(code_at(secret))
    submit(page, "Switch it on")

    spare = page.locator("[data-spare-code]").all_inner_texts()
    assert len(spare) == 10
    page.screenshot(path=shots / "spare.png")

    log_out(page, here)
    arabic = code_at(secret, 1).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    log_in(page, here, name, arabic)
    expect(page.get_by_role("link", name=name)).to_be_visible()

    log_out(page, here)
    log_in(page, here, name, spare[0])
    expect(page.get_by_role("link", name=name)).to_be_visible()

    log_out(page, here)
    log_in(page, here, name, spare[0])
    expect(page.locator(".error")).to_contain_text("it has been used")
    page.get_by_label("Code").fill(spare[1])
    submit(page, "Log in")
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_a_session_that_is_ended_elsewhere_is_over(window):
    one, two = window(), window(PHONE)
    one.sign_up("Elsewhere")
    two.go("/accounts/login/")
    two.page.get_by_label("Name").fill("Elsewhere")
    two.page.get_by_label("Password").fill(PASSWORD)
    submit(two.page, "Log in")
    expect(two.page.locator(".bar").get_by_role("link", name="Elsewhere")).to_be_visible()
    one.go("/accounts/sessions/")
    expect(one.page.locator("#sessions li")).to_have_count(2)
    one.page.locator("[data-action=end-others]").click()
    expect(one.page.locator("#sessions li")).to_have_count(1)
    two.go("/accounts/overview/")
    expect(two.page.get_by_role("heading", name="Log in")).to_be_visible()
