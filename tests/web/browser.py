"""A real browser without a window: Debian's chromium, driven by Selenium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MISSING = "There is no chromium with its driver on this machine: apt-get install chromium chromium-driver"
PATIENCE = 30
HERE = Path(__file__).parent
AXE = files("selenium_axe_python") / "axe-core" / "axe.min.js"
POOR_CONTRAST = (HERE / "poor_contrast.js").read_text()
WITHOUT_A_NAME = (HERE / "without_a_name.js").read_text()
# Its sandbox needs rights that containers do not have, and it only sees pages of this machine.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars")


class Page:
    """A page in a browser, found and waited for by CSS selectors."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        # In one go: between two questions the page may have drawn anew.
        found: list[str] = self.script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
        )
        return found

    def script(self, code: str, *arguments: object) -> object:
        return self.driver.execute_script(code, *arguments)  # type: ignore[no-untyped-call]

    def until(self, told: Callable[[], object], what: str) -> None:
        WebDriverWait(self.driver, PATIENCE, 0.05).until(lambda _: told(), what)

    def type(self, selector: str, text: str) -> None:
        field = self.one(selector)
        field.clear()
        if max(text, default="") > "\uffff":  # some drivers cannot press such keys, but can paste them
            self.driver.execute_cdp_cmd("Input.insertText", {"text": text})
        else:
            field.send_keys(text)

    def press(self, key: str) -> None:
        ActionChains(self.driver).send_keys(key).perform()

    def wait(self, *elements: str) -> None:
        """Until a view has answered and shows some elements."""
        ready = "return !document.querySelector('#answer').hidden && !document.querySelector('#answer[aria-busy]')"
        self.until(lambda: self.script(ready) and all(self.texts(element) for element in elements), "the answer")

    def findings(self) -> list[str]:
        """What axe-core holds against the page, serious or worse."""
        if not self.script("return 'axe' in window"):
            self.script(AXE.read_text(encoding="utf-8"))
        run = "axe.run({resultTypes: ['violations']}).then(found => arguments[0](found.violations))"
        found = self.driver.execute_async_script(run)  # type: ignore[no-untyped-call]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        return [f"{one['id']}: {node['html'][:120]}" for one in serious for node in one["nodes"]]

    def window(self, width: int, height: int, scheme: str = "light") -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


@contextmanager
def browser() -> Iterator[Page]:
    """A browser that lives as long as the context."""
    options = ChromeOptions()
    assert CHROMIUM is not None
    assert DRIVER is not None
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(DRIVER))
    try:
        yield Page(driver)
    finally:
        driver.quit()
