"""How fast the lab is in a browser.

python benchmarks/lab.py [CHROMIUM]

Needs playwright. Replays ten thousand updates, counts the mistakes of a thousand orders of 200
points, drags one of a thousand points, and times the first paint, beside what was hoped for.
"""

import shutil
import sys
import threading

from playwright.sync_api import sync_playwright

from rosenblatt.lab.serving import PageServer

MEASURE = """async () => {
    const {load, Learner} = await import("/core.js");
    await load();
    const each = (n, make) => Array.from({length: n}, (_, k) => make(k));
    const points = each(200, (k) => [Math.sin(k * 1.7) * 3, Math.cos(k * 2.3) * 2]);
    const labels = each(200, (k) => (k * 7919) % 2);
    const time = (work) => {
        const clock = performance.now();
        const count = work();
        return [performance.now() - clock, count];
    };
    const replay = new Learner(points, labels, 2, {});
    const orders = new Learner(points, points.map(([x, y]) => Number(x > y)), 2, {});
    return {
        paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
        replay: time(() => replay.goTo(100 * 200).updates),
        orders: time(() => {
            let updates = 0;
            for (let seed = 0; seed < 1000; seed++) {
                orders.restart(seed);
                updates += orders.goTo(20 * 200).updates;
            }
            return updates;
        }),
    };
}"""

DRAG = """async () => {
    const {current, drag} = await import("/state.js");
    const clock = performance.now();
    for (let frame = 0; frame < 60; frame++) {
        const {points} = current();
        drag(points.map((point, k) => (k ? point : {...point, x: 0.05 * frame})));
        document.querySelector(".plane").getBoundingClientRect();
    }
    return (performance.now() - clock) / 60;
}"""


def main() -> None:
    browser = sys.argv[1] if len(sys.argv) > 1 else shutil.which("chromium")
    placed = ";".join(f"{k % 60 / 10 - 3},{k % 47 / 10 - 2},{k % 2}" for k in range(1000))
    with PageServer() as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(server.url)
        page.wait_for_selector("body[data-ready]")
        found = page.evaluate(MEASURE)
        page = chromium.new_page()
        page.goto(f"{server.url}#points={placed}&passes=5")
        page.wait_for_selector("body[data-ready]")
        frame = page.evaluate(DRAG)
        chromium.close()
        server.shutdown()
    replay, orders = found["replay"], found["orders"]
    rows = [
        ("first paint", found["paint"], 1000),
        (f"{replay[1]:,} updates replayed", replay[0] * 10000 / replay[1], 1000),
        ("1,000 orders of 200 points", orders[0], 1000),
        ("a frame of a drag among 1,000 points", frame, 1000 / 60),
    ]
    for name, milliseconds, hoped in rows:
        verdict = "within" if milliseconds <= hoped else "beyond"
        print(f"{name:40} {milliseconds:8.1f} ms, {verdict} {hoped:.0f}")


if __name__ == "__main__":
    main()
