// The text view: what each word of a sentence pushes, for a model opened or learned here.
import { FileError } from "./rbt.js";
import { many, make, said } from "./svg.js";
import { TextModel } from "./text_models.js";

const LONGEST = 2000;
const WORD = /[\p{L}\p{N}_]{2,}/gu;

export class TextView {
  /** With one model for good, or with lines to learn from until the visitor brings a model. */
  constructor(box, { model, lines, change }) {
    this.model = model ?? TextModel.learn(lines);
    this.change = change;
    this.changes = !model;
    this.field = make("textarea", { rows: 2, maxlength: LONGEST, spellcheck: "false", "aria-label": "Sentence", class: "sentence-field",
      placeholder: "A sentence",
      oninput: () => change({ text: this.field.value }) });
    this.words = make("div", { class: "words", role: "group", "aria-label": "Words and their pushes" });
    this.total = make("p", { class: "total", role: "status" });
    this.teaching = make("div", { class: "row" });
    this.table = make("div", { class: "tops" });
    this.about = make("p", { class: "small" });
    this.told = make("p", { class: "told-text", role: "status" });
    box.append(make("h2", { class: "title" }, "What does each word push?"), this.field, this.words, this.total, this.teaching, this.told,
      make("h2", {}, "What speaks for each class"), this.table, this.about);
    if (this.changes) this.offer(box, lines);
  }

  /** Ways to other models: dropped, opened, or learned from lines. */
  offer(box, lines) {
    const file = make("input", { type: "file", accept: ".rbt", "aria-label": "Open a model", onchange: () => file.files[0] && this.open(file.files[0]) });
    this.lines = make("textarea", { rows: 9, spellcheck: "false", "aria-label": "Lines to learn from", ".value": lines });
    box.append(make("details", {}, make("summary", {}, "Open a model of yours, or learn from your own lines"),
      make("p", { class: "small" }, "Drop a .rbt of rosenblatt train or save anywhere on the page, or open one. It is read and checked here, and sent nowhere."),
      make("div", { class: "row" }, file),
      make("p", { class: "small" }, "Or learn from lines of a label, a tab and a text:"), this.lines,
      make("div", { class: "row" }, make("button", { type: "button", onclick: () => this.learn() }, "Learn from these lines"))));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (!dropped) return;
      this.change({ view: "text" });
      this.open(dropped);
    });
  }

  learn() {
    try {
      this.take(TextModel.learn(this.lines.value), "Learned in this page from these lines.");
    } catch (error) {
      this.told.textContent = error.message;
    }
  }

  async open(file) {
    try {
      this.take(await TextModel.read(await file.arrayBuffer()), `${file.name} is opened.`);
    } catch (error) {
      if (!(error instanceof FileError) && !(error instanceof WebAssembly.RuntimeError)) throw error;
      this.told.textContent = error instanceof FileError ? error.message : "There is not enough memory for this model in a page.";
    }
  }

  /** Shows another model from now on, and says so. */
  take(model, text) {
    this.model?.close();
    this.model = model;
    this.before = null;
    this.show(this.shown);
    this.told.textContent = text;
  }

  show(state) {
    this.shown = state;
    const { text } = state, { model } = this;
    if (document.activeElement !== this.field) this.field.value = text;
    const found = model.explain(text), k = found.winner;
    this.showWords(text, found, k);
    this.words.setAttribute("aria-label", `Words and their pushes, above the line for ${model.classes[k]}, below against it`);
    const parts = found.grams.reduce((sum, gram) => sum + found.share(gram, k), 0);
    this.total.replaceChildren(make("span", { class: `k${k % 5}` }, model.classes[k]), ": words ",
      make("b", {}, said(parts, 3)), " + bias ", make("b", {}, said(model.bias(k), 3)), " = score ", make("b", { class: "score" }, said(found.scores[k], 3)),
      model.classes.length > 2 ? `. The others: ${model.classes.map((name, j) => (j === k ? null : `${name} ${said(found.scores[j], 3)}`)).filter(Boolean).join(", ")}.` : ".");
    const lesson = () => ["Teach: this is ", ...model.classes.map((name, j) => make("button", { type: "button", onclick: () => this.teach(text, j) }, name))];
    if (this.changes) this.teaching.replaceChildren(...(model.learns ? lesson() : ["This model only predicts: what it would learn on with was left out of its file."]));
    this.showTops();
    const { settings } = model, [shortest, longest] = settings.ngram_range;
    this.about.textContent = `Bars above the line speak for ${model.classes[k]}, bars below against it. `
      + `${model.estimator}: ${many(model.classes.length, "class", "classes")}, ${many(model.width, "column")}`
      + `${settings.n_hash_bits ? ", hashed" : ""}, ${longest > 1 ? `runs of ${shortest} to ${longest} words` : "single words"}, ${many(model.standing.seen, "example")} seen.`;
  }

  teach(text, k) {
    const before = this.model.explain(text), old = before.grams.map((gram) => before.share(gram, before.winner));
    const moved = this.model.teach(text, k);
    this.before = moved ? { text, old, k: before.winner } : null;
    this.show(this.shown);
    this.told.textContent = moved ? `One update: the bars underlined have moved; dashes are where they were.`
      : `It already says ${this.model.classes[k]} clearly enough, so nothing moves.`;
  }

  /** The sentence as it stands, a bar and a number under each word, brackets under runs of words. */
  showWords(text, found, k) {
    const tokens = [...text.matchAll(WORD)].map((match) => match[0]), { grams } = found;
    const largest = Math.max(1e-9, ...grams.map((gram) => Math.abs(found.share(gram, k))));
    const old = this.before?.text === text && this.before.k === k ? this.before.old : null;
    const bar = (gram, at, name) => {
      const push = found.share(gram, k), height = Math.round((34 * Math.abs(push)) / largest);
      const moved = old && Math.abs(old[at] - push) > 1e-12;
      const was = moved ? Math.round((34 * Math.min(largest, Math.abs(old[at]))) / largest) : 0;
      const [up, down] = push >= 0 ? [height, 0] : [0, height], from = moved && old[at] < 0 ? 36 + was : 36 - was;
      return make("span", { class: `word${gram.known ? "" : " unknown"}${moved ? " moved" : ""}` },
        make("span", { class: "name" }, name),
        make("svg", { viewBox: "0 0 40 72", "aria-hidden": "true", preserveAspectRatio: "none" },
          make("line", { class: "zero", x1: 0, x2: 40, y1: 36, y2: 36 }),
          make("rect", { class: `push k${push >= 0 ? k % 5 : this.model.columns === 1 ? 1 - k : "other"}`, x: 8, width: 24, y: 36 - up, height: up + down }),
          moved && make("line", { class: "was", x1: 2, x2: 38, y1: from, y2: from })),
        make("span", { class: "push-number" }, gram.known ? `${push > 0 ? "+" : ""}${said(push)}` : "unknown"));
    };
    const single = grams.map((gram, at) => [gram, at]).filter(([{ name }]) => !name.includes(" "));
    const runs = grams.map((gram, at) => [gram, at]).filter(([gram]) => gram.name.includes(" ") && gram.known && Math.abs(found.share(gram, k)) > 0);
    const named = single.length === tokens.length ? tokens : single.map(([{ name }]) => name);
    runs.sort(([a], [b]) => Math.abs(found.share(b, k)) - Math.abs(found.share(a, k)));
    this.words.replaceChildren(make("div", { class: "line" }, ...single.map(([gram, at], n) => bar(gram, at, named[n]))),
      runs.length ? make("div", { class: "line runs", role: "group", "aria-label": "Runs of words" }, ...runs.map(([gram, at]) => bar(gram, at, `⌊${gram.name}⌋`))) : "");
  }

  showTops() {
    const { model } = this;
    this.table.replaceChildren(...model.classes.map((name, k) => {
      const { most, least } = model.top(k), largest = Math.max(1e-9, ...[...most, ...least].map((column) => Math.abs(model.of(column, k))));
      const row = (column) => make("li", {}, make("span", { class: "feature" }, model.name(column)),
        make("span", { class: "number" }, said(model.of(column, k))),
        make("svg", { viewBox: "0 0 100 8", "aria-hidden": "true", preserveAspectRatio: "none" },
          make("rect", { class: `push k${model.of(column, k) > 0 ? k % 5 : "other"}`, width: (100 * Math.abs(model.of(column, k))) / largest, height: 8 })));
      return make("div", {}, make("h3", { class: `k${k % 5}` }, name), make("ul", {}, ...most.map(row)),
        model.columns > 1 && least.length ? make("ul", { class: "against-it" }, ...least.map(row)) : "");
    }));
  }
}
