// Going forth and back through a run, example by example.
import { learnerOf, lengthOf } from "./learning.js";
import { change, current } from "./state.js";
import { make, many } from "./svg.js";

const SPEEDS = [1, 2, 5, 12, 30, 100, 400];

export class Transport {
  /** In a box of the page; the sentence is not read out while a run goes on. */
  constructor(box, sentence) {
    this.sentence = sentence;
    this.speed = 2;
    const button = (name, icon, press, kind = "") => make("button",
      { type: "button", class: kind, "aria-label": name, title: name, onclick: press }, icon);
    this.playing = button("Run", "Run", () => this.toggle(), "main");
    this.slider = make("input", { type: "range", min: 0, step: 1, "aria-label": "Examples learned from",
      oninput: () => this.go(Number(this.slider.value)) });
    this.marks = make("svg", { class: "marks", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.told = make("output", { class: "told" });
    const speed = make("input", { type: "range", min: 0, max: SPEEDS.length - 1, ".value": this.speed,
      "aria-label": "Speed", class: "speed", oninput: (event) => (this.speed = Number(event.target.value)) });
    box.append(
      make("div", { class: "row buttons" },
        button("Back to the start", "↺", () => this.go(0)),
        button("Step back", "← Back", () => this.go(current().t - 1)),
        button("Step", "Step →", () => this.go(current().t + 1)),
        button("Next mistake", "Next mistake", () => this.toMistake()),
        button("Pass", "Pass", () => this.pass()),
        this.playing,
        make("label", { class: "quiet" }, "Speed ", speed)),
      make("div", { class: "track" }, this.marks, this.slider), this.told);
  }

  go(t, { stop = true } = {}) {
    if (stop) this.stop();
    const end = learnerOf(current()).goTo(lengthOf(current())).examples;
    change({ t: Math.max(0, Math.min(t, end)) });
  }

  toMistake() {
    this.stop();
    const state = current(), learner = learnerOf(state);
    learner.goTo(Math.min(state.t, learner.goTo(lengthOf(state)).examples));
    change({ t: learner.goToMistake(lengthOf(state) - state.t).examples });
  }

  pass() {
    const { t, points } = current();
    this.go(points.length * (Math.floor(t / points.length) + 1));
  }

  toggle() {
    if (this.timer) return this.stop();
    const state = current(), end = learnerOf(state).goTo(lengthOf(state)).examples;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.go(end); // at once, without moving pictures
    if (state.t >= end) change({ t: 0 });
    this.say("Pause", "Pause");
    this.sentence.setAttribute("aria-live", "off");
    let before = performance.now(), owed = 0;
    const frame = (now) => {
      owed += ((now - before) / 1000) * SPEEDS[this.speed];
      before = now;
      const whole = Math.floor(owed), { t } = current();
      if (whole > 0) {
        owed -= whole;
        this.go(t + whole, { stop: false });
        if (current().t < t + whole) return this.stop();
      }
      this.timer = requestAnimationFrame(frame);
    };
    this.timer = requestAnimationFrame(frame);
  }

  stop() {
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.say("Run", "Run");
    this.sentence.setAttribute("aria-live", "polite");
  }

  say(text, name) {
    if (this.playing.textContent === text) return;
    this.playing.textContent = text;
    this.playing.setAttribute("aria-label", name);
    this.playing.title = name;
  }

  /** The run as a line, with a tick for every mistake of it. */
  show({ end, mistakes, progress, points }) {
    const length = Math.max(1, end.examples); // of the line, which has one even without points
    this.slider.max = end.examples;
    this.slider.value = progress.examples;
    const pass = Math.min(Math.floor(progress.examples / Math.max(1, points.length)) + 1, Math.max(1, end.passes));
    this.slider.setAttribute("aria-valuetext", `${progress.examples} of ${end.examples}`);
    this.told.textContent = `${many(progress.examples, "example")} of ${end.examples.toLocaleString("en")} · pass ${pass} · `
      + many(progress.mistakes, "mistake");
    this.marks.setAttribute("viewBox", `0 0 ${length} 10`);
    const shown = mistakes.length > 3000 ? mistakes.filter((_, k) => k % Math.ceil(mistakes.length / 3000) === 0) : mistakes;
    const ends = Array.from({ length: Math.min(200, end.passes) }, (_, k) => `M ${(k + 1) * points.length} 7 V 10`);
    this.marks.replaceChildren(make("path", { class: "passes", d: ends.join(" ") }),
      make("path", { class: "mistakes", d: shown.map(({ t }) => `M ${t} 0 V 6`).join(" ") }));
  }
}
