"""Takes the pictures of pages that the README shows, into `docs/pictures/`: `python docs/screenshots.py [ADDRESS]`.

Without the address of a service it starts one, on the graph that the settings name, and ends it. It needs Chromium.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "pictures"
PICTURES = {
    "answer": ("/ask?q=What+are+the+symptoms+of+gout?", 1180, 720, "light"),
    "answer-narrow": ("/ask?q=What+are+the+symptoms+of+gout?", 360, 720, "dark"),
    "home": ("/", 1180, 860, "light"),
}
"""What is shown: its address, width, height and colours; on a wide page of an answer, with a passage opened."""


@contextmanager
def served() -> Iterator[str]:
    """Give the address of a service: the one that is named, or one that runs meanwhile."""
    if sys.argv[1:]:
        yield sys.argv[1].rstrip("/")
        return
    command = [sys.executable, "-m", "medgraph", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield next(line.split()[-1] for line in process.stdout or () if "serving at" in line)
        finally:
            process.terminate()


def take() -> None:
    """Take the pictures."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    FOLDER.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (path, width, height, scheme) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(address + path)
            if name == "answer":
                page.locator("a.cite").first.click()
                page.evaluate("scrollTo(0, 0)")
            shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 80})
            (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))
        browser.close()


if __name__ == "__main__":
    take()
