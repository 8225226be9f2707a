"""The live page in Chromium, with the real server: what a person does with it, and what hostile text does not."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from fastapi import FastAPI

from mem0g import Memory, Scope
from mem0g.serve.app import create_app
from mem0g.serve.keys import Grant, KeyFile
from mem0g.store.change import Change
from mem0g.store.records import ModelCall
from mem0g.transcripts.reading import read_files
from tests.making import AT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(2)</script>"
TURNED = "\u202eevil\u2066 name"
DESK, PHONE = {"width": 1300, "height": 800}, {"width": 390, "height": 844}

ROOT = Path(__file__).parents[2]
PICTURES = "MEM0G_PICTURES"
"""Set to 1, the pictures of docs/http.md are taken anew."""


def said(text: str, place: int, day: str) -> dict[str, object]:
    return {"role": "user", "name": "Ann", "content": text, "timestamp": f"{day}T12:0{place}:00Z", "session": "chat"}


TALK = [
    said("Hi, it's me.", 0, "2023-01-05"),
    said("I live in Bergen.", 1, "2023-01-05"),
    said("What a day!", 2, "2023-01-05"),
    said("I have a dog called Pepper.", 3, "2023-03-05"),
    said(f"Look: {MARKUP}{SCRIPT}", 4, "2023-03-05"),
    said("I moved to Oslo in May 2024.", 5, "2024-05-20"),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Ann's memory: she moved, has a dog, and knows people with hostile names; a word of Bob's; and the example."""
    with Memory.open(tmp_path_factory.mktemp("page") / "memory.db", extractor="rules") as opened:
        opened.add(TALK, user_id="Ann")
        for name in (MARKUP, SCRIPT, TURNED):
            opened.add_fact(subject="Ann", relation="knows", object=name, user_id="Ann")
        opened.add_fact(subject="Bob", relation="likes", object="jazz", user_id="Bob")
        opened.add(read_files([ROOT / "examples" / "olivia-and-ben.txt"]).utterances, user_id="demo")
        yield opened


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve an application on a free port; yield its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def address(memory: Memory) -> Iterator[str]:
    """Ann's memory, open for changes."""
    with serving(create_app(memory, scope=Scope(user_id="Ann"))) as served:
        yield served


class Watched:
    """A page of which every complaint of the browser, dialog and request to elsewhere is a failure."""

    def __init__(self, browser: Browser, size: Mapping[str, int] = DESK) -> None:
        self.context = browser.new_context(viewport=dict(size), reduced_motion="reduce")  # type: ignore[arg-type]
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda asked: self._asked(asked.url))

    def _dialog(self, box: Dialog) -> None:
        self.complaints.append(box.message)
        box.dismiss()

    def _asked(self, url: str) -> None:
        if not url.startswith(("http://127.0.0.1", "data:")):
            self.complaints.append(url)

    def open(self, address: str) -> Page:
        """Go to an address, and return when the memory is shown."""
        self.page.goto(address)
        self.page.locator("#panel > section:not([aria-busy])").wait_for()
        return self.page


@pytest.fixture
def watched(chromium: Browser) -> Iterator[Watched]:
    """A window, which nothing may have gone wrong in by the end of the test."""
    window = Watched(chromium)
    yield window
    window.context.close()
    assert [each for each in window.complaints if not any(part in each for part in window.expected)] == []


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go."""
    return ROOT / "docs" / "images" if os.environ.get(PICTURES) == "1" else tmp_path


def until(page: Page, true: str) -> None:
    """Wait until an expression is true; Playwright's own way is stopped by the page's policy."""
    while not page.evaluate(true):
        page.wait_for_timeout(20)


def sentences(page: Page) -> list[str]:
    return page.locator("#panel .fact > button:first-child").all_inner_texts()


def test_a_question_is_answered_and_walked_to(watched: Watched, address: str) -> None:
    """With the reasons; from the answer to its entity, its evidence, the conversation, and back."""
    page = watched.open(address)
    page.get_by_label("Ask the memory").fill("Where does Ann live?")
    page.keyboard.press("Enter")
    first = page.locator(".hits .fact").filter(has_text="Oslo").first
    first.wait_for()
    assert "cosine" in first.locator(".reasons").inner_text()
    page.locator(".hits .sentence", has_text="Oslo").first.click()
    page.locator(".evidence .turn", has_text="I moved to Oslo in May 2024.").wait_for()
    page.get_by_role("link", name="in its conversation").click()
    page.locator(".turn.here", has_text="Oslo").wait_for()
    assert page.locator(".turn").all_inner_texts()[0].endswith("Hi, it's me.")
    page.get_by_role("button", name="Back").click()
    page.locator(".evidence .turn").wait_for()
    page.go_back()
    page.locator(".hits").wait_for()


def test_the_example_is_shown(chromium: Browser, memory: Memory, pictures: Path) -> None:
    """As in the documentation: an entity with a fact, its message, and what it replaced; on a desk and on a phone."""
    with serving(create_app(memory, scope=Scope(user_id="demo"), read_only=True)) as address:
        for size, name in ((DESK, "page.png"), (PHONE, "page-phone.png")):
            window = Watched(chromium, size)
            page = window.open(address)
            page.locator(".thing", has_text="Olivia").click()
            page.locator(".fact > button", has_text="Olivia moved to Lisbon").first.click()
            page.locator(".evidence", has_text="It replaced: Olivia has lived in Bergen").wait_for()
            page.evaluate("() => { while (!layout.settled) layout.step(); redraw(); }")
            page.mouse.move(5, 300)
            page.locator(".fact.chosen").evaluate("(fact) => document.activeElement.blur()")
            page.screenshot(path=pictures / name)
            window.context.close()
            assert window.complaints == []


def test_people_and_things_are_listed_and_found(watched: Watched, address: str) -> None:
    """By type, and by a part of a name; the neighbourhood of the chosen one is shown."""
    page = watched.open(address)
    page.locator(".thing", has_text="Ann").first.click()
    page.get_by_role("heading", name="Ann", exact=True).wait_for()
    assert "Ann moved to Oslo in May 2024." in sentences(page)
    page.get_by_label("Ask the memory").fill("pepp")
    page.locator("#results button", has_text="Pepper").click()
    page.get_by_role("heading", name="Pepper").wait_for()
    assert page.evaluate("graph.entities.some((each) => each.name === 'Ann')")


def test_the_slider_shows_a_day(watched: Watched, address: str) -> None:
    """The graph and the answers are as of it."""
    page = watched.open(f"{address}#/answers/{'Where does Ann live?'.replace(' ', '%20')}")
    page.locator(".hits").wait_for()
    page.locator("#day").evaluate("(day) => { day.value = 0; day.dispatchEvent(new Event('input')); }")
    assert page.locator("#as-of").inner_text() == "as of 2023-01-05"
    page.get_by_text("As of 2023-01-05.").wait_for()
    page.locator(".hits .sentence", has_text="Bergen").first.wait_for()
    assert page.locator(".hits .sentence", has_text="Oslo").count() == 0
    shown = page.evaluate("graph.facts.filter((fact) => factState(fact) !== 'hidden').map((fact) => fact.text)")
    assert not [text for text in shown if "Oslo" in text]


def test_hostile_text_is_text(watched: Watched, address: str) -> None:
    """In lists, panels, messages, suggestions, dialogs: no element of it, no script, no turned line."""
    page = watched.open(address)
    page.get_by_label("Ask the memory").fill("onerror")
    page.locator("#results button", has_text=MARKUP).click()
    page.get_by_role("heading", name=MARKUP).wait_for()
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("dialog").get_by_text(MARKUP).wait_for()
    page.keyboard.press("Escape")
    for view in ("answers/onerror", "changes", ""):
        page.goto(f"{address}#/{view}")
        page.locator("#panel", has_text=MARKUP if view else "People and things").wait_for()
        assert page.locator("#panel img, #panel script, #results img").count() == 0
        assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068") & set(page.locator("body").inner_text())
    assert page.locator("script").count() == 8


def test_facts_are_corrected_retired_merged_and_undone(watched: Watched, address: str, memory: Memory) -> None:
    """Each after a confirmation; what is shown follows."""
    page = watched.open(address)
    memory.add_fact(subject="Annie", relation="plays", object="chess", user_id="Ann")
    page.goto(f"{address}#/entity/{memory.entity('Annie', user_id='Ann').id}")
    page.locator(".fact > button", has_text="chess").first.click()
    page.get_by_role("button", name="Correct…").click()
    page.get_by_label("Object").fill("go")
    page.get_by_label("Sentence").fill("Annie plays go.")
    page.get_by_role("button", name="Correct it").click()
    page.locator(".fact > button", has_text="Annie plays go.").first.click()
    page.get_by_role("button", name="No longer true…").click()
    page.get_by_role("button", name="Cancel").click()
    assert memory.facts(entity="Annie", user_id="Ann")[0].text == "Annie plays go."
    page.get_by_role("button", name="Merge…").click()
    page.get_by_label("The other one").fill("nobody at all")
    page.get_by_role("button", name="Merge them").click()
    page.get_by_role("alert").get_by_text("no entity 'nobody at all'").wait_for()
    page.get_by_label("The other one").fill("Pepper")
    page.get_by_role("button", name="Merge them").click()
    page.get_by_text("Merged.").wait_for()
    assert memory.entity("Pepper", user_id="Ann").id == memory.entity("Annie", user_id="Ann").id
    page.get_by_role("link", name="Changes").click()
    page.locator(".change.merge").first.get_by_role("button", name="Undo…").click()
    page.get_by_role("button", name="Undo it").click()
    page.locator(".change.is-undone.merge").first.wait_for()
    assert memory.entity("Pepper", user_id="Ann").id != memory.entity("Annie", user_id="Ann").id
    watched.expected = ("404",)  # the browser's own word on nobody


def test_a_key_is_asked_for_and_kept_in_the_tab(watched: Watched, memory: Memory, tmp_path: Path) -> None:
    """It is sent as a header, to no other tab; a reader's key shows no button that changes anything."""
    keys = KeyFile(tmp_path / "keys.json")
    secret = keys.add("reader", Grant(scope=Scope(user_id="Bob"), read_only=True))
    watched.expected = ("401",)  # the browser's own word on the requests without a key
    with serving(create_app(memory, keys)) as address:
        page = watched.page
        page.goto(address)
        page.get_by_role("textbox", name="Key").fill("m0g_wrong")
        page.get_by_role("button", name="Open").click()
        page.get_by_text("The server does not know this key.").wait_for()
        page.get_by_role("textbox", name="Key").fill(secret)
        page.get_by_role("button", name="Open").click()
        page.locator(".thing", has_text="Bob").click()
        page.locator(".fact > button", has_text="Bob likes jazz.").first.click()
        page.locator(".evidence", has_text="added by hand").wait_for()
        assert page.get_by_role("button", name="Correct…").count() == 0
        assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
        assert secret not in page.content() + page.url
        page.reload()
        page.get_by_role("heading", name="Bob", exact=True).wait_for()
        page.get_by_role("link", name="Memory").click()
        page.get_by_role("button", name="Forget the key").click()
        page.get_by_text("This memory needs a key").wait_for()


def test_the_whole_store_shows_one_memory_at_a_time(watched: Watched, memory: Memory) -> None:
    """As `mem0g view` without a scope: a list of whose."""
    with serving(create_app(memory, read_only=True)) as address:
        page = watched.open(address)
        page.locator(".thing", has_text="Pepper").wait_for()
        page.get_by_label("Whose memory").select_option("user Bob")
        page.locator(".thing", has_text="jazz").wait_for()
        assert page.locator(".thing", has_text="Pepper").count() == 0
        assert page.locator("#title").inner_text() == "user Bob"


def test_what_the_memory_holds_and_cost_is_counted(watched: Watched, address: str, memory: Memory) -> None:
    """Counts, and the calls of language models with their tokens."""
    scope = Scope(user_id="Ann")
    call = ModelCall(
        id="c_1",
        scope=scope,
        purpose="extract",
        model="small-model",
        window="w",
        key="k",
        attempt=1,
        prompt_tokens=1200,
        completion_tokens=34,
        seconds=2.5,
        at=AT,
    )
    memory.store.load(iter([Change(scope=scope, calls=(call,))]))
    page = watched.open(f"{address}#/memory")
    page.get_by_text("1 call of a language model, 1,234 tokens.").wait_for()
    assert "small-model" in page.locator(".cost").inner_text()
    assert page.locator(".counts dd").first.inner_text() == "6"


def test_a_lost_store_is_said(watched: Watched, address: str) -> None:
    """In the place of what was asked for; what is there stays."""
    page = watched.open(address)
    watched.expected = ("503",)
    lost = {"detail": "the memory cannot be used now; try again"}
    page.route("**/api/v1/*", lambda route: route.fulfill(status=503, json=lost))
    page.get_by_role("link", name="Changes").click()
    page.locator("#panel", has_text=lost["detail"]).wait_for()
    page.locator("#canvas").focus()
    page.keyboard.press("n")
    page.locator("#notice", has_text=lost["detail"]).wait_for()
    assert page.evaluate("graph.facts.length")


def test_everything_works_by_keyboard(watched: Watched, address: str) -> None:
    """From the search box to the entity, along its facts on the canvas, and away again."""
    page = watched.open(address)
    page.keyboard.press("/")
    page.keyboard.type("Pepper")
    page.locator("#results button", has_text="Pepperdog").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Pepper").wait_for()
    page.locator("#canvas").focus()
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Ann", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="People and things").wait_for()


def test_only_so_much_is_drawn(watched: Watched, address: str) -> None:
    """Of a large memory what was visited last: a frame has the same work whatever the memory holds."""
    nodes = [{"id": f"e_{n}", "name": f"Entity {n}", "type": "thing", "aliases": []} for n in range(1500)]
    dates = dict.fromkeys(("valid_from", "valid_to", "said_at", "recorded_at", "retired_at"), "")
    edge = {
        "relation": "KNOWS",
        "text": "One knows another.",
        "current": True,
        "confidence": 1,
        "evidence": [],
        **dates,
    }
    edges = [{**edge, "key": f"f_{n}", "source": f"e_{n % 7}", "target": f"e_{n}"} for n in range(7, 1500)]
    many = {"directed": True, "multigraph": True, "graph": {"root": ""}, "nodes": nodes, "edges": edges}
    watched.page.route("**/api/v1/graph?*", lambda route: route.fulfill(json=many))
    page = watched.open(address)
    until(page, "graph.facts.length > 0")
    assert page.evaluate("graph.facts.length") == 600
    assert page.evaluate("graph.entities.length") <= 607
    page.evaluate("() => { layout.heat = 0; }")
    drawing = "() => { const from = performance.now(); picture.draw(); return performance.now() - from; }"
    times = [page.evaluate(drawing) for _ in range(20)]
    assert min(times) < 16  # milliseconds: others may use the processor meanwhile


def test_what_others_add_is_offered(watched: Watched, address: str, memory: Memory) -> None:
    """The page says that the memory has changed, and shows it when asked to."""
    watched.page.clock.install()
    page = watched.open(address)
    memory.add_fact(subject="Zoe", relation="likes", object="tea", user_id="Ann")
    page.clock.run_for(60_000)
    page.get_by_role("button", name="The memory has changed").click()
    page.locator(".thing", has_text="Zoe").first.wait_for()
    page.get_by_role("button", name="The memory has changed").wait_for(state="hidden")


def test_a_phone_shows_all_of_it(chromium: Browser, address: str) -> None:
    """Nothing is wider than the screen; the canvas, the panel and the slider are all in sight."""
    window = Watched(chromium, PHONE)
    page = window.open(address)
    for view in ("", "changes", "memory"):
        page.goto(f"{address}#/{view}")
        page.locator("#panel > section:not([aria-busy])").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    boxes: list[Any] = [page.locator(f"#{each}").bounding_box() for each in ("stage", "panel", "timeline")]
    assert [box["height"] > least for box, least in zip(boxes, (200, 200, 30), strict=True)] == [True] * 3
    assert boxes[-1]["y"] + boxes[-1]["height"] <= PHONE["height"]
    window.context.close()
    assert window.complaints == []
