// The text view: what each word of a sentence pushes, for a model opened or learned here.
import { bars, shown } from "./pushes.js";
import { FileError } from "./rbt.js";
import { many, make, said } from "./svg.js";
import { TextModel } from "./text_models.js";

const LONGEST = 2000, MOST_LABELS = 12;

/** What a vectorizer counts, in words. */
function counts({ analyzer, ngram_range: [shortest, longest] }) {
  if (analyzer !== "word") return `runs of ${shortest === longest ? longest : `${shortest} to ${longest}`} characters${analyzer === "char_wb" ? " within words" : ""}`;
  return longest > 1 ? `runs of ${shortest === longest ? longest : `${shortest} to ${longest}`} words` : "single words";
}

export class TextView {
  /** With one model for good, or with lines to learn from until the visitor brings a model. */
  constructor(box, { model, lines, change }) {
    this.model = model ?? TextModel.learn(lines);
    this.change = change;
    this.changes = !model;
    this.field = make("textarea", { rows: 2, maxlength: LONGEST, spellcheck: "false", "aria-label": "Sentence", class: "sentence-field",
      placeholder: "A sentence",
      oninput: () => {
        this.looked = null;
        change({ text: this.field.value });
      } });
    this.looked = null; // the class whose bars are shown, else the winner's
    this.words = make("div", { class: "words", role: "group", "aria-label": "Words and their pushes" });
    this.total = make("p", { class: "total", role: "status" });
    this.labels = make("div", { class: "row labels", role: "group", "aria-label": "Classes and their scores; the bars are those of the one pressed" });
    this.teaching = make("div", { class: "row" });
    this.table = make("div", { class: "tops" });
    this.about = make("p", { class: "small" });
    this.told = make("p", { class: "told-text", role: "status" });
    box.append(make("h2", { class: "title" }, "What does each word push?"), this.field, this.words, this.total, this.labels, this.teaching, this.told,
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
    this.before = this.looked = null;
    this.show(this.shown);
    this.told.textContent = text;
  }

  show(state) {
    this.shown = state;
    const { text } = state, { model } = this;
    if (document.activeElement !== this.field) this.field.value = text;
    const found = model.explain(text), k = this.looked ?? found.winner;
    this.showBars(text, found, k);
    this.words.setAttribute("aria-label", `Words and their pushes, above the line for ${model.classes[k]}, below against it`);
    const parts = found.grams.reduce((sum, gram) => sum + found.share(gram, k), 0);
    this.total.replaceChildren(make("span", { class: `k${k % 5}` }, model.classes[k]), ": words ",
      make("b", {}, said(parts, 3)), " + bias ", make("b", {}, said(model.bias(k), 3)), " = score ", make("b", { class: "score" }, said(found.scores[k], 3)), ".");
    this.showLabels(found, k);
    const lesson = () => ["Teach: this is ", ...model.classes.map((name, j) => make("button", { type: "button", onclick: () => this.teach(text, j) }, name))];
    if (this.changes) this.teaching.replaceChildren(...(model.untaught ? [model.untaught] : lesson()));
    this.showTops();
    this.about.textContent = `Bars above the line speak for ${model.classes[k]}, bars below against it. `
      + `${model.estimator}: ${many(model.classes.length, "class", "classes")}, ${many(model.width, "column")}`
      + `${model.settings.n_hash_bits ? ", hashed" : ""}, ${counts(model.settings)}, ${many(model.standing.seen, "example")} seen.`;
  }

  /** The classes with their scores, to look at the bars of any; which are given where there may be several. */
  showLabels({ scores, given }, k) {
    const { classes, thresholds } = this.model;
    this.labels.hidden = classes.length < 3 && !thresholds;
    if (this.labels.hidden) return this.labels.replaceChildren();
    const focused = [...this.labels.querySelectorAll("button")].indexOf(document.activeElement);
    const ranked = classes.map((name, j) => ({ name, j })).sort((a, b) => scores[b.j] - scores[a.j] || a.j - b.j);
    const some = [...ranked.slice(0, MOST_LABELS), ...ranked.slice(MOST_LABELS).filter(({ j }) => j === k)];
    this.labels.replaceChildren(make("span", { class: "quiet" }, thresholds ? "Scores, from its threshold on a label is given (✓):" : "Scores:"),
      ...some.map(({ name, j }) => make("button", { type: "button", class: `label k${j % 5}`, "aria-pressed": String(j === k),
        onclick: () => {
          this.looked = j;
          this.show(this.shown);
        } }, make("span", {}, `${thresholds && given[j] ? "✓ " : ""}${name}`), ` ${said(scores[j])}`)),
      classes.length > some.length ? make("span", { class: "quiet" }, `and ${many(classes.length - some.length, "other")}`) : "");
    if (focused >= 0) this.labels.querySelectorAll("button")[focused]?.focus();
  }

  teach(text, k) {
    const before = this.model.explain(text), looked = this.looked ?? before.winner;
    const old = before.grams.map((gram) => before.share(gram, looked)), moved = this.model.teach(text, k);
    this.before = moved ? { text, old, k: looked } : null;
    this.show(this.shown);
    this.told.textContent = moved ? `One update: the bars underlined have moved; dashes are where they were.`
      : `It already says ${this.model.classes[k]} clearly enough, so nothing moves.`;
  }

  /** The sentence as it stands, a bar and a number under each word, brackets under runs. */
  showBars(text, found, k) {
    const { analyzer } = this.model.settings, cut = (pushes) => bars(analyzer, found, pushes, text);
    const { words, runs } = cut(found.grams.map((gram) => found.share(gram, k)));
    const same = this.before?.text === text && this.before.k === k ? cut(this.before.old) : null;
    const before = new Map((same ? [...same.words, ...same.runs] : []).map(({ at, push }) => [at, push]));
    const largest = Math.max(1e-9, ...[...words, ...runs].map(({ push }) => Math.abs(push)));
    const bar = ({ name, known, push, at }) => {
      const height = Math.round((34 * Math.abs(push)) / largest), [up, down] = push >= 0 ? [height, 0] : [0, height];
      const old = same ? (before.get(at) ?? 0) : push, moved = Math.abs(old - push) > 1e-12;
      const was = moved ? Math.round((34 * Math.min(largest, Math.abs(old))) / largest) : 0, from = old < 0 ? 36 + was : 36 - was;
      return make("span", { class: `word${known ? "" : " unknown"}${moved ? " moved" : ""}` },
        make("span", { class: "name" }, name),
        make("svg", { viewBox: "0 0 40 72", "aria-hidden": "true", preserveAspectRatio: "none" },
          make("line", { class: "zero", x1: 0, x2: 40, y1: 36, y2: 36 }),
          make("rect", { class: `push k${push >= 0 ? k % 5 : this.model.columns === 1 ? 1 - k : "other"}`, x: 8, width: 24, y: 36 - up, height: up + down }),
          moved && make("line", { class: "was", x1: 2, x2: 38, y1: from, y2: from })),
        make("span", { class: "push-number" }, known ? `${push > 0 ? "+" : ""}${said(push)}` : "unknown"));
    };
    const told = analyzer === "word" ? "Runs of words" : "Runs of characters, the strongest";
    this.words.replaceChildren(make("div", { class: "line" }, ...words.map(bar)),
      runs.length ? make("div", { class: "line runs", role: "group", "aria-label": told }, ...runs.map((run) => bar({ ...run, name: `⌊${run.name}⌋` }))) : "");
  }

  showTops() {
    const { model } = this;
    this.table.replaceChildren(...model.classes.map((name, k) => {
      const { most, least } = model.top(k), largest = Math.max(1e-9, ...[...most, ...least].map((column) => Math.abs(model.of(column, k))));
      const row = (column) => make("li", {}, make("span", { class: "feature" }, shown(model.settings.analyzer, model.name(column))),
        make("span", { class: "number" }, said(model.of(column, k))),
        make("svg", { viewBox: "0 0 100 8", "aria-hidden": "true", preserveAspectRatio: "none" },
          make("rect", { class: `push k${model.of(column, k) > 0 ? k % 5 : "other"}`, width: (100 * Math.abs(model.of(column, k))) / largest, height: 8 })));
      return make("div", {}, make("h3", { class: `k${k % 5}` }, name), make("ul", {}, ...most.map(row)),
        model.columns > 1 && least.length ? make("ul", { class: "against-it" }, ...least.map(row)) : "");
    }));
  }
}
