"""The file of one's own data in a real browser: asked for, made by the worker, downloaded."""

import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Window
from tests.e2e.playing import PATIENCE_MS

pytestmark = pytest.mark.e2e

PLAYED = """
from games.models import Player
me = Player.objects.get(name="Exporter")
for _match in range(3):
    play_on(dealt(players=[me, person()], target=51))
"""
LEFT = """
from games.models import Export
print(Export.objects.count())
"""


def test_the_file_is_made_and_downloaded_and_goes_with_the_account(window, site, tmp_path: Path):
    here: Window = window(PHONE)
    page = here.page
    here.sign_up("Exporter")
    site.run(PLAYED)
    here.go("/accounts/export/")
    page.locator("[data-action=export]").click()
    link = page.locator("[data-action=download]")
    expect(link).to_be_visible(timeout=PATIENCE_MS)
    with page.expect_download() as started:
        link.click()
    kept = tmp_path / "mine.zip"
    started.value.save_as(kept)
    assert started.value.suggested_filename.startswith("basra-")
    with zipfile.ZipFile(kept) as packed:
        account = json.loads(packed.read("basra/account.json"))
        matches = json.loads(packed.read("basra/matches.json"))
    assert account[0]["name"] == "Exporter"
    assert [match["status"] for match in matches] == ["finished"] * 3
    stranger: Window = window()
    stranger.sign_up("Curious")
    answer = stranger.page.request.get(f"{site.url}{link.get_attribute('href')}")
    assert answer.status == 404

    files = Path(site.folder) / "files" / "exports"
    assert list(files.glob("*.zip"))
    here.go("/accounts/close/")
    page.get_by_label("Your password").fill("long-enough-9")
    page.get_by_role("button", name="Close it for good").click()
    expect(page.get_by_role("heading", name="The account is closed")).to_be_visible()
    assert site.run(LEFT) == "0"
    assert not list(files.glob("*.zip"))
