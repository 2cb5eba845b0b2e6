"""Draws static/preview.png, the picture that a chat shows beside a link: python -m tests.preview

Only the product's own cards, colours and letters are in it, so it says the same in every language.
"""

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import FLAGS
from tests.servers import ROOT

PLACE = ROOT / "static" / "preview.png"
SIZE = {"width": 1200, "height": 630}
CARDS = ("Qs", "7d", "Kh")
PAGE = """<!doctype html><html data-theme="dark"><head><style>{tokens}{app}
body {{ margin: 0; inline-size: 1200px; block-size: 630px; color-scheme: dark; overflow: hidden; }}
main {{ position: relative; block-size: 100%; background: var(--felt); display: grid;
  grid-template-columns: auto 1fr; align-items: center; gap: 60px;
  padding: 0 70px; box-sizing: border-box;
  border: 14px solid var(--rim); }}
h1 {{ font-size: 120px; color: var(--text); display: flex; gap: 32px; align-items: center; }}
h1 svg {{ inline-size: 100px; block-size: 100px; color: var(--brass); }}
.fan {{ --card-size: 200px; }}
</style></head><body>{sheets}<main>
<h1><svg viewBox="0 0 24 24"><use href="#i-star"/></svg>Basra</h1>
<div class="fan">{cards}</div></main></body></html>"""
CARD = '<div class="card"><svg viewBox="0 0 250 350"><use href="#card-{}"/></svg></div>'


def main() -> None:
    """Draw it."""
    text = {name: (ROOT / "static" / name).read_text("utf-8") for name in (
        "tokens.css", "app.css", "cards.svg", "icons.svg",
    )}  # fmt: skip
    page = PAGE.format(
        tokens=text["tokens.css"],
        app=text["app.css"],
        sheets=f"<div hidden>{text['cards.svg']}{text['icons.svg']}</div>",
        cards="".join(CARD.format(card) for card in CARDS),
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        opened = browser.new_page(viewport=SIZE)
        opened.set_content(page)
        opened.screenshot(path=PLACE)
        browser.close()


if __name__ == "__main__":
    main()
