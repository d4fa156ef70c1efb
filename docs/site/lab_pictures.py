"""Takes the pictures of the lab for docs/lab.md: python docs/site/lab_pictures.py [FOLDER].

Needs playwright and Chromium, as the tests of the lab do.
"""

import io
import shutil
import sys
import threading
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from rosenblatt.lab.serving import PageServer

SIZE = {"width": 1180, "height": 860}
VIEWS = {
    "stage": ("lesson=outlier&t=30", "light", ("Next mistake",)),
    "bound": ("lesson=xor&view=bound&t=640", "light", ()),
    "compare": ("lesson=xor&view=compare", "light", ()),
    "classes": ("lesson=classes", "dark", ()),
    "text": ("view=text", "light", ()),
    "report": ("view=report", "dark", ()),
}


def picture(browser: Browser, address: str, look: str, presses: tuple[str, ...]) -> bytes:
    """The page at this address, after some buttons were pressed."""
    with browser.new_context(viewport=SIZE, color_scheme=look) as context:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        for name in presses:
            page.get_by_role("button", name=name, exact=True).click()
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        return page.screenshot()


def in_few_colours(picture: Image.Image) -> Image.Image:
    """In the colours that most of it has, such as paper and ink, and some that are near others."""
    counted = picture.getcolors(picture.width * picture.height)
    most = [part for _, colour in sorted(counted, reverse=True)[:24] for part in colour]
    near = picture.quantize(128, Image.Quantize.MAXCOVERAGE).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette(most + near)
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    with PageServer() as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (state, look, presses) in VIEWS.items():
            taken = picture(browser, f"{server.url}#{state}", look, presses)
            with Image.open(io.BytesIO(taken)) as whole:
                smaller = whole.convert("RGB").resize((885, 645), Image.Resampling.LANCZOS)
            in_few_colours(smaller).save(out / f"lab_{name}.png", optimize=True)
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
