// What is to be learned, and how.
import { MOST_PASSES, canUndo, change, current, undo } from "./state.js";
import { NAMES, WORDS, make } from "./svg.js";

const ORDERS = { pass: "Shuffled anew each pass", once: "Shuffled once", none: "As drawn", sorted: "Sorted by class" };

export class Settings {
  constructor(box, tools, add) {
    this.box = box;
    this.chosen = 1;
    this.fields = make("div", { class: "fields" });
    this.own = make("div", { class: "own" });
    this.box.append(this.own, make("h2", {}, "Settings"), this.fields);
    this.build();
    this.buildTools(tools, add);
  }

  build() {
    const check = (name, text) => make("label", { class: "check" }, (this[name] = make("input", { type: "checkbox",
      onchange: (event) => change({ [name]: event.target.checked, t: this.kept() }) })), text);
    this.order = make("select", { "aria-label": "Order", onchange: (event) => change({ order: event.target.value, t: 0 }) },
      ...Object.entries(ORDERS).map(([value, text]) => make("option", { value }, text)));
    const number = (name, low, high) => (this[name] = make("input", { type: "number", min: low, max: high, "aria-label": { passes: "Passes at most", seed: "Seed" }[name],
      onchange: (event) => {
        const value = Math.round(Math.min(high, Math.max(low, Number(event.target.value) || low)));
        change({ [name]: value, t: this.kept() });
      } }));
    const field = (text, input) => make("label", { class: "field" }, make("span", {}, text), input);
    this.fields.append(
      field("Order", this.order),
      make("div", { class: "row" }, field("Seed", number("seed", 0, 2 ** 31)), field("Passes at most", number("passes", 1, MOST_PASSES))),
      make("div", { class: "row" }, check("intercept", "Bias"), check("average", "Average the weights"), check("unitLength", "Examples of length one")));
  }

  kept() {
    return current().t;
  }

  /** Which class a click adds, and undo. */
  buildTools(box, add) {
    this.kinds = make("fieldset", { class: "kinds" }, make("legend", {}, "A click adds a"), ...NAMES.map((name, k) =>
      make("label", { class: `kind k${k}` }, make("input", { type: "radio", name: "kind", value: k, ".checked": k === this.chosen,
        onchange: () => (this.chosen = k) }), make("span", { "aria-hidden": "true" }, name), make("span", { class: "unseen" }, WORDS[k]))));
    this.back = make("button", { type: "button", onclick: undo }, "Undo");
    box.append(make("div", { class: "row" }, this.kinds, make("button", { type: "button", onclick: () => add() }, "Add"), this.back,
      make("button", { type: "button", onclick: () => change({ points: [], t: 0 }) }, "Clear")),
      make("p", { class: "small" }, "Drag a point to move it. With the keyboard: arrows move it, a adds another, n and p go to others, Enter changes its class, Delete removes it."));
  }

  show(state, view) {
    for (const name of ["order", "seed", "passes"]) if (document.activeElement !== this[name]) this[name].value = state[name];
    for (const name of ["intercept", "average", "unitLength"]) this[name].checked = state[name];
    this.back.disabled = !canUndo();
    const own = view.controls?.(state), dragged = this.own.contains(document.activeElement);
    if (!dragged || this.view !== view) this.own.replaceChildren(...(own ? [own] : []));
    else this.follow(own);
    this.view = view;
    const average = this.average.closest("label");
    average.hidden = document.body.dataset.view === "compare" || document.body.dataset.view === "bound";
  }

  /** Takes over what changed in controls that are in use, without taking them from under a hand. */
  follow(own) {
    const fresh = own ? [...own.querySelectorAll("input, select, span")] : [];
    [...this.own.querySelectorAll("input, select, span")].forEach((element, k) => {
      if (element.tagName === "SPAN") element.textContent = fresh[k]?.textContent ?? "";
      else if (element !== document.activeElement) {
        element.checked = fresh[k]?.checked;
        element.disabled = fresh[k]?.disabled;
        element.value = fresh[k]?.value;
      } else element.checked = fresh[k]?.checked;
    });
  }
}
