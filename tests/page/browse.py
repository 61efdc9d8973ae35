"""Uses the analysis page in Chromium; run by browse.sh.

    browse.py ADDRESS CHROMIUM [FOLDER]
"""

import json
import pathlib
import re
import subprocess
import sys
import time
import traceback
import urllib.request
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ADDRESS, CHROMIUM, FOLDER = sys.argv[1], sys.argv[2], sys.argv[3]
DATA = pathlib.Path(__file__).parent.parent / "data"

GAME = """[Event "Casual game"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 {A wild counter-gambit.} 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3
(7. Nc3 g5 8. d4 Bb7) 7... Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8
15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
"""
SPANISH = "?moves=e2e4_e7e5_g1f3_b8c6_f1b5_a7a6_b5a4_g8f6_e1g1_f6e4_d2d4_b7b5_a4b3_d7d5_d4e5_c8e6"


class Visit:
    """A page that is open, with everything that must not happen on it."""

    def __init__(self, browser, path="", **settings):
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **settings})
        self.page = self.context.new_page()
        self.complaints, self.foreign, self.left = [], [], []
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: request.url.startswith(ADDRESS) or self.foreign.append(request.url))
        self.page.on("requestfailed", lambda request: self.left.append(request.url))
        self.page.goto(ADDRESS + path)
        expect(self.page.locator("#why-body h3")).not_to_be_empty()

    def square(self, name):
        return self.page.locator(f".square[aria-label^='{name},']")

    def middle(self, name):
        box = self.square(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start, end):
        self.page.mouse.move(*self.middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(end), steps=6)
        self.page.mouse.up()

    def click(self, *names):
        for name in names:
            self.page.mouse.click(*self.middle(name))

    def paste(self, text):
        self.page.evaluate(
            """(text) => {
                const data = new DataTransfer();
                data.setData("text/plain", text);
                document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
            }""",
            text,
        )

    def played(self):
        """The moves that the address names."""
        return self.page.evaluate("new URLSearchParams(location.search).get('moves')") or ""

    def bar(self):
        return int(self.page.get_attribute("#bar", "aria-valuenow"))


@contextmanager
def visit(browser, path="", complaints=0, **settings):
    """A visit that ends well: nothing in the console but what is expected, no request to another host."""
    opened = Visit(browser, path, **settings)
    try:
        yield opened
        assert len(opened.complaints) == complaints, opened.complaints
        assert opened.foreign == [], opened.foreign
    finally:
        opened.context.close()


def rules_agree_with_the_data(browser):
    rows = (DATA / "rules" / "legal-moves.tsv").read_text().splitlines()[1:]
    with visit(browser) as opened:
        wrong = opened.page.evaluate(
            """async (rows) => {
                const folder = document.querySelector("script[src]").src.replace("app.js", "");
                const { Position } = await import(`${folder}rules.js`);
                const sorted = (moves) => moves.sort().join(" ");
                return rows.filter((row) => {
                    const [fen, chess960, , uci, san] = row.split("\\t");
                    const position = Position.read(fen, chess960 === "1");
                    const moves = position.moves();
                    return sorted(moves.map((move) => position.uci(move))) !== sorted(uci.split(" "))
                        || sorted(moves.map((move) => position.san(move))) !== sorted(san.split(" "))
                        || moves.some((move) => position.find(position.san(move)) !== move
                            || position.find(position.uci(move)) !== move);
                });
            }""",
            rows,
        )
    assert len(rows) > 400 and wrong == [], wrong[:3]


def a_move_is_dragged_clicked_typed(browser):
    with visit(browser) as opened:
        page = opened.page
        opened.drag("e2", "e4")
        expect(opened.square("e4")).to_have_attribute("aria-label", "e4, White pawn")
        opened.click("e7", "e5")
        expect(opened.square("e5")).to_have_attribute("aria-label", "e5, Black pawn")
        opened.click("g1")
        assert page.locator(".square.target").count() == 3
        opened.click("g5")
        expect(page.locator("#note")).to_have_text("g1 to g5 is not a legal move.")
        page.fill("#move-text", "Nf3")
        page.press("#move-text", "Enter")
        assert opened.played() == "e2e4_e7e5_g1f3"
        opened.drag("b8", "b4")
        assert opened.played() == "e2e4_e7e5_g1f3"
        page.fill("#move-text", "Ke5")
        page.press("#move-text", "Enter")
        expect(page.locator("#note")).to_have_text("“Ke5” is no legal move here.")


def a_move_is_played_by_keyboard(browser):
    with visit(browser) as opened:
        page = opened.page
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#board")).to_be_focused()
        page.keyboard.press("Tab")
        expect(opened.square("e2")).to_be_focused()
        page.keyboard.press("Enter")
        expect(opened.square("e4")).to_have_attribute("aria-label", "e4, empty, can be reached")
        for key in ["ArrowUp", "ArrowUp", "Enter"]:
            page.keyboard.press(key)
        assert opened.played() == "e2e4"
        expect(opened.square("e4")).to_be_focused()
        page.locator("#forward, #back").first.focus()
        page.keyboard.press("ArrowLeft")
        expect(opened.square("e2")).to_have_attribute("aria-label", "e2, White pawn")
        page.keyboard.press("ArrowRight")
        expect(opened.square("e4")).to_have_attribute("aria-label", "e4, White pawn")


def a_pawn_is_promoted(browser):
    with visit(browser, "?fen=8/P6k/8/8/8/8/6K1/8_w_-_-_0_1") as opened:
        opened.click("a7", "a8")
        dialog = opened.page.get_by_role("dialog", name="Promote to")
        expect(dialog.get_by_role("button").first).to_be_focused()
        opened.page.keyboard.press("Escape")
        assert dialog.count() == 0 and opened.played() == ""
        opened.click("a7", "a8")
        opened.page.keyboard.press("ArrowDown")
        opened.page.keyboard.press("Enter")
        assert opened.played() == "a7a8r"


def the_engine_streams_and_leaving_stops_it(browser):
    with visit(browser, "?moves=e2e4_e7e5") as opened:
        page = opened.page
        expect(page.locator(".pvline:not(.vacant)")).to_have_count(3)
        before = opened.bar()
        depth = page.inner_text("#progress")
        expect(page.locator("#progress")).not_to_have_text(depth)
        assert opened.left == []
        opened.click("f2", "f3")
        opened.click("d8", "h4")
        opened.click("g2", "g3")
        opened.click("h4", "e4")
        expect(page.locator("#verdict")).to_have_text("White is winning")
        assert opened.bar() > before + 10, (before, opened.bar())
        assert any("best-move" in url for url in opened.left), "the search of the position left was not left"
        page.select_option("#engine-lines", "5")
        expect(page.locator(".pvline:not(.vacant)")).to_have_count(5)
        page.select_option("#engine-time", "1")
        expect(page.locator("#announcer")).to_contain_text("best is")
        page.locator(".pv button").nth(2).click()
        assert opened.played().count("_") == 8, opened.played()


def a_game_is_pasted_and_stepped_through(browser):
    with visit(browser) as opened:
        page = opened.page
        opened.paste(GAME)
        expect(page.locator("#players")).to_have_text("Anderssen, Adolf – Kieseritzky, Lionel, 1-0")
        assert page.locator(".move").count() == 49
        expect(page.locator(".comment")).to_have_text("A wild counter-gambit.")
        page.click("#last")
        expect(page.locator("#verdict")).to_have_text("Checkmate: White has won")
        assert opened.bar() == 100
        expect(page.locator("#score")).to_have_text("1–0")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".move[aria-current]")).to_have_text("e4")
        page.locator("#moves").get_by_role("button", name="Nc3").first.click()
        assert opened.played().endswith("g1f3_h4h6_b1c3_g7g5_d2d4_c8b7")
        again = page.url
        page.goto("about:blank")
        page.goto(again)
        expect(opened.square("c3")).to_have_attribute("aria-label", "c3, White knight")
        opened.paste("1. e4 e5 2. Ke3")
        expect(page.locator("#open-error")).to_have_text("“Ke3” is no legal move at 2. (line 1).")
        page.keyboard.press("Escape")
        opened.paste(GAME + "\n\n" + '[White "A"]\n[Black "B"]\n\n1. d4 *')
        page.select_option("#game-select", "1")
        expect(page.locator("#players")).to_have_text("A – B")
        # What annotators have said comes back.
        opened.paste("1. e4! e5 $6 2. Nf3 $146 { new } (2. f4!?) *")
        shown = page.locator(".move").all_inner_texts()
        assert shown == ["e4!", "e5?!", "Nf3", "f4!?"], shown
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy PGN").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert "1. e4 $1 e5 $6 2. Nf3 $146 { new } (2. f4 $5) *" in copied, copied


def terms_and_pieces_point_to_each_other(browser):
    with visit(browser, SPANISH) as opened:
        page = opened.page
        mobility = page.get_by_role("button", name="Mobility", exact=True)
        mobility.hover()
        expect(page.locator(".square.lit").first).to_be_visible()
        assert "lit" in opened.square("e4").get_attribute("class")
        page.mouse.move(*opened.middle("e4"))
        expect(page.locator(".terms tr.touched").first).to_be_visible()
        expect(page.locator("#note")).to_contain_text("Black knight e4:")
        assert page.locator(".square.lit").count() == 0
        mobility.click()
        entry = page.locator(".entry").first
        entry.focus()
        assert page.locator(".square.lit").count() >= 1
        page.get_by_label("Heat").check()
        mobility.click()
        page.mouse.move(5, 5)
        page.locator("#flip").focus()
        assert page.locator(".square.labelled").count() > 20
        worths = {
            "together": "document.querySelector('.terms tfoot td:last-child').textContent",
            "terms": "[...document.querySelectorAll('.terms tbody tr:not(.detail) td:last-child')].map((cell) => cell.textContent)",
        }
        number = lambda text: round(float(text.replace("\u2212", "-")) * 100)
        told = {name: page.evaluate(code) for name, code in worths.items()}
        assert sum(map(number, told["terms"])) == number(told["together"]), told


def a_move_is_explained(browser):
    with visit(browser, SPANISH) as opened:
        page = opened.page
        page.click("#why-move")
        expect(page.locator("#why-body h3")).to_have_text("What Be6 changes")
        expect(page.locator(".terms thead th").last).to_have_text("For Black")
        expect(page.locator(".pvline:not(.vacant)")).to_have_count(3)
        page.get_by_role("button", name="Why").nth(1).click()
        expect(page.locator("#why-body h3")).to_contain_text("instead of")
        assert page.locator(".arrow").count() == 2
        page.click("#back")
        expect(page.locator(".pvline:not(.vacant)")).to_have_count(3)
        page.get_by_role("button", name="Why").first.click()
        expect(page.locator("#why-body h3")).to_contain_text("changes")


def a_game_is_reviewed(browser):
    with visit(browser) as opened:
        page = opened.page
        expect(page.locator("#review-start")).to_be_disabled()
        opened.paste(GAME)
        page.select_option("#review-effort", "20000")
        page.click("#review-start")
        expect(page.locator("#review-start")).to_have_text("Cancel")
        expect(page.locator("#review-players .accuracy")).to_have_count(2, timeout=60_000)
        expect(page.locator("#review-opening")).to_contain_text("C33")
        assert page.locator(".movelist .glyph").count() == page.locator("#review-errors li").count() > 0
        chart = page.get_by_role("slider")
        chart.focus()
        chart.press("End")
        expect(page.locator(".move[aria-current]")).to_contain_text("Be7#")
        chart.press("ArrowLeft")
        expect(chart).to_have_attribute("aria-valuenow", "44")
        page.locator("#review-errors button").first.click()
        expect(page.locator("#why-body h3")).to_contain_text("instead of")
        page.click("#review-curl summary")
        assert "games/review" in page.inner_text("#review-curl code")
        # The review is that of the moves it was made of.
        page.click("#first")
        page.click("#forward")
        page.click("#remove")
        expect(page.locator("#review-result")).to_be_hidden()


def requests_are_told_as_curl(browser):
    with visit(browser, SPANISH) as opened:
        opened.page.select_option("#engine-time", "1")
        for details in ["#engine-curl", "#why-curl"]:
            opened.page.click(f"{details} summary")
            command = opened.page.inner_text(f"{details} code")
            done = subprocess.run(["bash", "-c", command + " --silent --fail"], capture_output=True, text=True, check=True)
            last = json.loads(done.stdout.strip().splitlines()[-1])
            assert "engine" in last, last


def what_is_refused_is_said_in_the_services_words(browser):
    fen = "8/8/8/8/8/8/4K3/8 w - - 0 1"
    with visit(browser, complaints=2) as opened:
        opened.paste(fen)
        expect(opened.page.locator("#open-error")).to_have_text("Black has no king; each side needs exactly one.")
        opened.page.keyboard.press("Escape")
        opened.page.fill("#fen", fen)
        opened.page.press("#fen", "Enter")
        expect(opened.page.locator("#fen-error")).to_have_text("Black has no king; each side needs exactly one.")
        opened.page.fill("#fen", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        opened.page.press("#fen", "Enter")
        expect(opened.page.locator("#fen-error")).to_be_empty()
        opened.square("e1").focus()
        opened.click("e1", "c1")
        assert opened.played() == "e1c1"
    with visit(browser, f"?fen={fen.replace(' ', '_')}", complaints=1) as opened:
        expect(opened.page.locator("#fen-error")).to_have_text("Black has no king; each side needs exactly one.")
        expect(opened.page.locator("#fen")).to_have_value(fen)
    with visit(browser, "?moves=e2e4_e7e5_g1f3_b8c6_e4e5") as opened:
        expect(opened.page.locator("#fen-error")).to_contain_text("“e4e5”")
        assert opened.played() == "e2e4_e7e5_g1f3_b8c6"
        expect(opened.page.locator("#fen")).to_have_value(re.compile("^r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/"))


def how_a_game_has_ended_is_said_below_the_board(browser):
    fivefold = "_".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 4)
    endings = {
        "?fen=8/8/8/8/8/4k3/8/4K3_w_-_-_0_1": "Drawn: neither side can mate.",
        "?fen=7k/8/8/8/8/8/8/KQ6_w_-_-_150_200": "Drawn by the seventy-five-move rule.",
        f"?moves={fivefold}": "Drawn by fivefold repetition.",
    }
    for path, words in endings.items():
        with visit(browser, path, viewport={"width": 1300, "height": 900}) as opened:
            expect(opened.page.locator("#note")).to_have_text(words)
            expect(opened.page.locator("#score")).to_have_text("½–½")
            expect(opened.page.locator("#bar .number")).to_have_text("½")
            assert opened.page.locator("#score").bounding_box()["height"] < 40


def a_busy_or_absent_service_is_asked_again(browser):
    with visit(browser, complaints=2) as opened:
        page = opened.page
        # The first position's question is on its way: none but the next ones are caught below.
        expect(page.locator("#progress")).to_contain_text("Depth")
        said = '{"detail": "All engines are busy.", "status": 503}'
        answers = [
            lambda route: route.fulfill(status=503, headers={"Retry-After": "2"}, body=said),
            lambda route: route.abort(),
        ]
        asked = []

        def answer(route):
            asked.append(time.monotonic())
            answers.pop(0)(route) if answers else route.continue_()

        page.route("**/v1/best-move", answer)
        opened.click("e2", "e4")
        expect(page.locator("#progress")).to_have_text(re.compile("^All engines are busy. Trying again in [12] s.$"))
        expect(page.locator("#score")).to_contain_text(".")
        expect(page.locator("#progress")).to_contain_text("The service does not answer. Trying again in")
        expect(page.locator("#progress")).to_contain_text("Depth", timeout=8000)
        assert asked[1] - asked[0] > 1.9, "it comes back when it was told to"


def a_key_is_asked_for_and_sent(browser):
    key = "cpk_right"
    refusal = json.dumps({"detail": "This needs an API key.", "status": 401, "code": "unauthorized"})
    with browser.new_context() as context:
        page = context.new_page()

        def guard(route):
            if route.request.headers.get("x-api-key") == key:
                route.continue_()
            else:
                route.fulfill(status=401, content_type="application/problem+json", body=refusal)

        page.route("**/v1/**", guard)
        page.goto(ADDRESS + SPANISH)
        form = page.locator("#key-form")
        expect(form).to_be_visible()
        expect(page.locator("#key-reason")).to_contain_text("This service needs an API key.")
        expect(page.locator("#why-body")).to_contain_text("This needs an API key.")
        expect(page.locator("#progress")).to_have_text("This needs an API key.")
        found = Axe().run(page, context="#key-form", options={"resultTypes": ["violations"]}).response["violations"]
        assert found == [], [each["id"] for each in found]
        for attempt in ["cpk_wrong", f" {key} "]:
            page.fill("#key", attempt)
            with page.expect_navigation():
                page.press("#key", "Enter")
            if attempt == "cpk_wrong":
                # Now it is the service that says what is wrong with this one.
                expect(page.locator("#key-reason")).to_have_text("This needs an API key.")
        expect(page.locator("#why-body h3")).not_to_be_empty()
        expect(form).to_be_hidden()
        assert page.evaluate("new URLSearchParams(location.search).get('moves')"), "the position is still there"
        page.click("#engine-curl summary")
        command = page.inner_text("#engine-curl code")
        assert "$API_KEY" in command and key not in command, command
        # It is this tab's alone.
        assert page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]") == [1, 0, ""]
        other = context.new_page()
        other.route("**/v1/**", guard)
        other.goto(ADDRESS)
        expect(other.locator("#key-form")).to_be_visible()


def the_browser_of_the_api_works(browser):
    with browser.new_context() as context:
        page = context.new_page()
        complaints = []
        page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
        page.goto(ADDRESS + "docs/")
        expect(page.get_by_role("button", name="Authorize").first).to_be_visible()
        expect(page).to_have_title("centipawn: the API")
        expect(page.get_by_role("combobox")).to_have_count(0)
        expect(page.locator(".topbar")).to_have_count(0)
        page.locator("#operations-evaluation-getEvaluation .opblock-summary-control").click()
        page.locator("#operations-evaluation-getEvaluation .execute").click()
        expect(page.locator("#operations-evaluation-getEvaluation .live-responses-table td.response-col_status").last).to_have_text("200")
        assert complaints == [], complaints


def pictures_show_in_other_pages(browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(f'<img src="{ADDRESS}v1/board.svg?moves=e2e4">')
        shown = "document.querySelector('img').decode().then(() => document.querySelector('img').naturalWidth)"
        assert page.evaluate(shown) > 100
        # As a page of its own it is drawn too, with its styles.
        page.goto(ADDRESS + "v1/board.svg?moves=e2e4")
        fills = "new Set([...document.querySelectorAll('rect')].map((square) => getComputedStyle(square).fill)).size"
        assert page.evaluate(fills) > 1


def chess960_is_played(browser):
    with visit(browser, "?fen=4k3/8/8/8/8/8/8/1R2KR2_w_FB_-_0_1&variant=chess960") as opened:
        expect(opened.page.locator("#players")).to_have_text("Chess960")
        opened.drag("e1", "f1")
        assert opened.played() == "e1f1"
        expect(opened.square("g1")).to_have_attribute("aria-label", "g1, White king")


def what_is_repaired_is_said(browser):
    with visit(browser, "?fen=4k3/8/8/8/8/8/8/1R2KR2_w_FB_-_0_1") as opened:
        expect(opened.page.locator("#note")).to_have_text(
            "Castling rights were dropped whose king or rook is not in its place.")


def nothing_moves_but_what_is_moved(browser):
    with visit(browser, SPANISH) as opened:
        page = opened.page
        page.evaluate(
            """() => {
                window.shifts = 0;
                new PerformanceObserver((list) => {
                    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
                }).observe({ type: "layout-shift", buffered: true });
            }"""
        )
        page.wait_for_timeout(2500)
        # While the page loads as well; below a tenth is what the Web Vitals call good.
        assert page.evaluate("window.shifts") < 0.1, page.evaluate("window.shifts")


def stillness_is_respected(browser):
    with visit(browser, SPANISH, reduced_motion="reduce") as opened:
        opened.page.click("#back")
        assert opened.page.evaluate("document.getAnimations().length") == 0


def it_fits_every_width(browser):
    for width in [320, 360, 719, 768, 1209, 1211, 1440, 2560]:
        with visit(browser, SPANISH, viewport={"width": width, "height": 900}) as opened:
            expect(opened.page.locator(".pvline:not(.vacant)")).to_have_count(3)
            wide = opened.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{wide} on {width}"


def axe_finds_nothing(browser):
    for scheme in ["light", "dark"]:
        for width in [360, 1440]:
            with visit(browser, SPANISH, color_scheme=scheme, viewport={"width": width, "height": 900}) as opened:
                page = opened.page
                expect(page.locator(".pvline:not(.vacant)")).to_have_count(3)
                for state in ["usual", "heat", "move", "dialog"]:
                    if state == "heat":
                        page.get_by_label("Heat").check()
                        page.get_by_role("button", name="Mobility", exact=True).click()
                        page.click("#why-curl summary")
                    if state == "move":
                        page.click("#why-move")
                    if state == "dialog":
                        page.click("#open")
                    page.wait_for_timeout(300)
                    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
                    told = [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]
                    assert told == [], (scheme, width, state, told)


def screenshots(browser):
    for scheme in ["light", "dark"]:
        for width, height in [(360, 740), (768, 1024), (1440, 900)]:
            with visit(browser, SPANISH, color_scheme=scheme, viewport={"width": width, "height": height}) as opened:
                opened.page.wait_for_timeout(1500)
                opened.page.screenshot(path=f"{FOLDER}/page-{scheme}-{width}.png", full_page=True)


def main():
    urllib.request.urlopen(ADDRESS + "readyz", timeout=10).close()
    checks = [
        rules_agree_with_the_data, a_move_is_dragged_clicked_typed, a_move_is_played_by_keyboard, a_pawn_is_promoted,
        the_engine_streams_and_leaving_stops_it, a_game_is_pasted_and_stepped_through, terms_and_pieces_point_to_each_other,
        a_move_is_explained, a_game_is_reviewed, requests_are_told_as_curl, what_is_refused_is_said_in_the_services_words,
        how_a_game_has_ended_is_said_below_the_board, a_busy_or_absent_service_is_asked_again, a_key_is_asked_for_and_sent, the_browser_of_the_api_works,
        pictures_show_in_other_pages, chess960_is_played, what_is_repaired_is_said, nothing_moves_but_what_is_moved, stillness_is_respected,
        it_fits_every_width, axe_finds_nothing,
    ]
    if FOLDER:
        checks.append(screenshots)
    failed = 0
    # A machine that does other things as well is slow, not wrong.
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        # Chromium's own sandbox is not there for root, as whom a container builds; the pages are the service's own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for check in checks:
            name = check.__name__.replace("_", " ")
            try:
                check(browser)
                print(f"ok      {name}")
            except Exception as error:
                failed += 1
                line = traceback.extract_tb(error.__traceback__)[1].lineno
                print(f"FAILED  {name}, line {line}\n        {error}")
        browser.close()
    print(f"{len(checks) - failed} checks passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
