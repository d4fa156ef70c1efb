// The report: how error falls pass by pass, what is taken for what, and which texts are mistaken.
import { curve } from "./charts.js";
import { Learner } from "./core.js";
import { opinions } from "./sample.js";
import { change } from "./state.js";
import { make, many, said } from "./svg.js";
import { AVERAGED, TextModel, counted, examplesIn } from "./text_models.js";

const PASSES = 12, SHOWN = 100;
const share = (some, all) => (all ? some / all : 0);
const percent = (value) => `${said(100 * value, 1)} %`;

/** A run over three quarters of the lines, measured on the others after each pass. */
export function measured(lines) {
  const examples = examplesIn(lines), train = examples.filter((_, k) => k % 4 !== 3), all = examples.filter((_, k) => k % 4 === 3);
  const { rows, labels, classes, others } = counted(train, all);
  const right = all.map(({ label }) => classes.indexOf(label));
  if (!all.length) throw new Error("There must be four lines or more: every fourth is held out.");
  const learner = new Learner(rows, labels, classes.length, AVERAGED);
  const error = (given, wanted, mean) => share(learner.predict(given, mean).filter((winner, k) => winner !== wanted[k]).length, wanted.length);
  const passes = [];
  for (let pass = 1; pass <= PASSES; pass++) {
    learner.goTo(pass * rows.length);
    passes.push({ train: error(rows, labels, true), heldOut: error(others, right, true), trainPlain: error(rows, labels, false), heldOutPlain: error(others, right, false) });
    if (learner.progress.converged) break;
  }
  const best = passes.reduce((found, { heldOut }, k) => (heldOut < passes[found].heldOut ? k : found), 0) + 1;
  learner.goTo(best * rows.length);
  const judged = learner.scores(others).map((scores, k) => {
    const each = classes.length > 2 ? scores : [-scores[0], scores[0]];
    const winner = classes.length > 2 ? each.indexOf(Math.max(...each)) : Number(scores[0] > 0);
    const rival = Math.max(...each.filter((_, j) => j !== right[k]));
    const margin = right[k] < 0 ? -Infinity : classes.length > 2 ? each[right[k]] - rival : each[right[k]];
    return { ...all[k], right: right[k], winner, margin };
  });
  learner.close();
  const most = classes.map((_, k) => labels.filter((label) => label === k).length), common = most.indexOf(Math.max(...most));
  return { passes, best, judged, classes, train, baseline: share(right.filter((label) => label !== common).length, right.length) };
}

/** How often each class is found, and rightly so. */
export function table({ judged, classes }) {
  return classes.map((name, k) => {
    const of = judged.filter(({ right }) => right === k).length, found = judged.filter(({ winner }) => winner === k).length;
    const both = judged.filter(({ right, winner }) => right === k && winner === k).length;
    const precision = share(both, found), recall = share(both, of);
    return { name, of, precision, recall, f1: share(2 * precision * recall, precision + recall) };
  });
}

export class Report {
  constructor(box, texts) {
    this.texts = texts;
    this.cell = null;
    this.rising = true;
    this.lines = make("textarea", { rows: 9, spellcheck: "false", "aria-label": "Lines to report on", ".value": opinions() });
    this.told = make("p", { class: "told-text", role: "status" });
    this.curves = make("div");
    this.history = make("div");
    this.matrix = make("div", { class: "confusion" });
    this.classes = make("div");
    this.errors = make("div");
    box.append(make("h2", { class: "title" }, "How well does it predict, and where does it err?"), this.told,
      make("div", { class: "halves" }, this.curves, this.matrix, this.classes, this.history), this.errors,
      make("details", {}, make("summary", {}, "Report on lines of your own"),
        make("p", { class: "small" }, "Lines of a label, a tab and a text; every fourth is held out."), this.lines,
        make("div", { class: "row" }, make("button", { type: "button", onclick: () => this.report() }, "Report on these lines"))));
  }

  report() {
    try {
      this.found = measured(this.lines.value);
      this.cell = null;
      this.draw();
    } catch (error) {
      this.told.textContent = error.message;
    }
  }

  show() {
    if (!this.found) this.report();
    else this.showHistory();
  }

  draw() {
    const { passes, best, baseline, train, judged } = this.found, at = passes[best - 1];
    this.told.textContent = `Learned from ${many(train.length, "line")}, held against ${judged.length} others: ${percent(at.heldOut)} wrong after pass ${best}, the best, `
      + `where the commonest label alone would be wrong on ${percent(baseline)}.`;
    const line = (kind, name) => ({ kind, places: passes.map((pass, k) => [k + 1, pass[name]]) });
    this.curves.replaceChildren(make("h2", {}, "Error after each pass"), curve({
      name: `Error per pass: held out ${percent(at.heldOut)} at pass ${best}, trained on ${percent(at.train)}, baseline ${percent(baseline)}`,
      lines: [line("train plain", "trainPlain"), line("train", "train"), line("held-out plain", "heldOutPlain"), line("held-out", "heldOut")],
      level: { value: baseline, text: "baseline" }, at: best, across: "passes", percent: true }),
    make("p", { class: "small" }, "Blue: held out; grey: learned from. Solid: the average; dotted: the last weights. The upright line marks the best pass."));
    this.showMatrix();
    this.classes.replaceChildren(make("h2", {}, "Each class"), make("table", { class: "numbers" },
      make("thead", {}, make("tr", {}, ...["class", "texts", "precision", "recall", "F1"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...table(this.found).map(({ name, of, precision, recall, f1 }) => make("tr", {}, make("th", { scope: "row" }, name),
        ...[String(of), percent(precision), percent(recall), percent(f1)].map((text) => make("td", {}, text)))))));
    this.showHistory();
    this.showErrors();
  }

  showMatrix() {
    const { judged, classes } = this.found;
    const count = (right, winner) => judged.filter((each) => each.right === right && each.winner === winner).length;
    const cell = (right, winner) => make("td", {}, make("button", { type: "button", class: right === winner ? "right" : "",
      "aria-pressed": String(this.cell?.[0] === right && this.cell?.[1] === winner), "aria-label": `${classes[right]} taken for ${classes[winner]}: ${count(right, winner)}`,
      onclick: () => {
        this.cell = this.cell?.[0] === right && this.cell?.[1] === winner ? null : [right, winner];
        for (const button of this.matrix.querySelectorAll("button")) button.setAttribute("aria-pressed", "false");
        this.showMatrix();
        this.showErrors();
        this.matrix.querySelectorAll("button")[right * classes.length + winner].focus();
      } }, String(count(right, winner))));
    this.matrix.replaceChildren(make("h2", {}, "What is taken for what"), make("table", { class: "numbers" },
      make("thead", {}, make("tr", {}, make("td", {}, "is ↓ found →"), ...classes.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...classes.map((name, right) => make("tr", {}, make("th", { scope: "row" }, name), ...classes.map((_, winner) => cell(right, winner)))))));
  }

  /** What the file of the opened model tells of its passes: errors where they were measured, and mistakes. */
  showHistory() {
    const { passes = [], best, baseline } = this.texts.model.history ?? {};
    const line = (kind, name) => ({ kind, places: passes.flatMap((pass, k) => (pass[name] === null ? [] : [[k + 1, pass[name]]])) });
    const errors = [line("train", "train"), line("held-out plain", "heldOutPlain"), line("held-out", "heldOut")].filter(({ places }) => places.length);
    const last = (name) => percent(passes[(best ?? passes.length) - 1][name]);
    const measured = [["train", "trained on"], ["heldOut", "held out"]].filter(([name]) => passes.at(-1)?.[name] != null).map(([name, told]) => `${told} ${last(name)}`);
    this.history.replaceChildren(...(passes.length ? [make("h2", {}, "The opened model"),
      ...(errors.length ? [curve({ name: `Error after each pass of the opened model: ${measured.join(", ")}`, lines: errors, at: best ?? undefined,
        level: baseline == null ? undefined : { value: baseline, text: "baseline" }, across: "passes", percent: true }),
      make("p", { class: "small" }, "Error after each pass, as its file tells. Blue: held out; grey: learned from; dotted: the last weights.")] : []),
      curve({ name: `Mistakes in each pass of the opened model: ${passes.map(({ mistakes }) => mistakes).join(", ")}`, lines: [line("mistakes", "mistakes")], across: "passes" }),
      make("p", { class: "small" }, "Mistakes in each pass, as its file tells.")] : []));
  }

  showErrors() {
    const { judged, classes } = this.found, { cell } = this;
    const some = judged.filter(({ right, winner }) => (cell ? right === cell[0] && winner === cell[1] : right !== winner))
      .sort((a, b) => (this.rising ? a.margin - b.margin : b.margin - a.margin));
    const order = make("button", { type: "button", onclick: () => {
      this.rising = !this.rising;
      this.showErrors();
      this.errors.querySelector("thead button").focus();
    } }, `margin ${this.rising ? "↑" : "↓"}`);
    this.errors.replaceChildren(make("h2", {}, cell ? `${classes[cell[0]]} taken for ${classes[cell[1]]}: ${some.length}` : many(some.length, "error")),
      make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Errors" }, make("table", { class: "numbers errors" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col", "aria-sort": this.rising ? "ascending" : "descending" }, order),
          ...["is", "found", "text"].map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, ...some.slice(0, SHOWN).map(({ margin, label, winner, text }) => make("tr", {}, make("td", {}, said(margin, 2)),
          make("td", {}, label), make("td", {}, classes[winner]), make("td", {}, make("button", { type: "button", onclick: () => this.open(text) }, text))))))));
  }

  /** Shows a text in the view of texts, with the weights of the best pass. */
  open(text) {
    const { train, best } = this.found;
    change({ view: "text", text });
    this.texts.take(TextModel.learn(train.map(({ label, text: own }) => `${label}\t${own}`).join("\n"), best), "With the weights that the report judges.");
  }
}
