// Points as a table, from pasted or opened text, and what can be taken away.
import { csv, download, picture, python } from "./exporting.js";
import { placed } from "./placed.js";
import { MOST_POINTS, address, change, current } from "./state.js";
import { tableIn } from "./tables.js";
import { NAMES, WORDS, make } from "./svg.js";

export class Sheet {
  constructor(box, plane, say) {
    this.say = say;
    this.table = make("details", { ontoggle: () => this.show() }, make("summary", {}, "Points as a table"));
    this.body = make("div", { class: "scroll" });
    this.table.append(this.body);
    box.append(this.table, this.reader(), this.exports(plane));
  }

  /** The points, each in a row of fields; built only while it is open. */
  show() {
    const points = this.table.open ? placed(current()) : null;
    if (points === this.shown) return;
    this.shown = points;
    if (!points) return this.body.replaceChildren();
    if (this.body.contains(document.activeElement) && this.body.querySelectorAll("tbody tr").length === points.length) return;
    const set = (number, some) => change({ points: placed(current()).map((point, k) => (k === number ? { ...point, ...some } : point)) });
    const field = (number, axis) => make("td", {}, make("input", { type: "number", step: "any", ".value": points[number][axis],
      "aria-label": `${axis} of point ${number + 1}`,
      onchange: (event) => {
        const value = Number(event.target.value);
        if (event.target.value !== "" && Math.abs(value) <= 1e9) set(number, { [axis]: value });
        else event.target.value = points[number][axis];
      } }));
    const choice = (number) => make("td", {}, make("select", { "aria-label": `Class of point ${number + 1}`,
      onchange: (event) => set(number, { k: Number(event.target.value) }) },
      ...NAMES.map((name, k) => make("option", { value: k, ".selected": points[number].k === k }, `${name} ${WORDS[k]}`))));
    const drop = (number) => make("td", {}, make("button", { type: "button", "aria-label": `Delete point ${number + 1}`, title: "Delete",
      onclick: () => change({ points: placed(current()).filter((_, k) => k !== number) }) }, "×"));
    this.body.replaceChildren(make("table", { class: "numbers" },
      make("thead", {}, make("tr", {}, ...["", "x", "y", "class", ""].map((text) => make(text ? "th" : "td", text ? { scope: "col" } : {}, text)))),
      make("tbody", {}, ...points.map((_, k) => make("tr", {}, make("th", { scope: "row" }, String(k + 1)), field(k, "x"), field(k, "y"), choice(k), drop(k))))));
  }

  reader() {
    const area = make("textarea", { rows: 5, spellcheck: "false", "aria-label": "Table of points", placeholder: "length,width,kind\n5.1,3.5,setosa\n7.0,3.2,versicolor" });
    const told = make("p", { class: "small", role: "status" });
    const choices = make("div", { class: "row" });
    const offer = () => {
      const read = tableIn(area.value);
      choices.replaceChildren();
      told.textContent = read.wrong ?? "";
      if (read.wrong) return;
      const select = (name, columns, at) => make("select", { "aria-label": name }, ...columns.map((k) =>
        make("option", { value: k, ".selected": k === at }, read.names[k])));
      const all = read.names.map((_, k) => k);
      const x = select("Column for x", read.numeric, read.numeric[0]), y = select("Column for y", read.numeric, read.numeric[1]);
      const label = select("Column with the class", all, all.find((k) => !read.numeric.includes(k)) ?? all.at(-1));
      choices.append("across ", x, " up ", y, " class ", label, make("button", { type: "button", onclick: () => {
        const { points, wrong, left } = read.points(Number(x.value), Number(y.value), Number(label.value), MOST_POINTS);
        told.textContent = wrong ?? (left ? `The first ${MOST_POINTS} rows are shown; ${left} more are left out.` : "");
        if (points) change({ points, t: 0, order: "pass" });
      } }, "Show these points"));
    };
    area.addEventListener("input", offer);
    const file = make("input", { type: "file", accept: ".csv,.tsv,.txt", "aria-label": "Open a table", onchange: async () => {
      if (!file.files[0]) return;
      if (file.files[0].size > 4e6) return (told.textContent = "The file is larger than 4 MB: the page shows a thousand points at most.");
      area.value = await file.files[0].text();
      offer();
    } });
    this.paste = (text) => {
      area.value = text;
      details.open = true;
      offer();
    };
    const details = make("details", {}, make("summary", {}, "Paste or open your own points"),
      make("p", { class: "small" }, "A table with a line of names, as CSV or copied from a spreadsheet. It stays in this page."),
      area, make("div", { class: "row" }, file), choices, told);
    return details;
  }

  exports(plane) {
    const code = make("pre", { tabindex: 0, "aria-label": "Python" });
    const copied = async (text, what) => {
      try {
        await navigator.clipboard.writeText(text);
        this.say(`${what} is copied.`);
      } catch {
        this.say(`${what} could not be copied: the browser does not allow it.`);
      }
    };
    const button = (name, press) => make("button", { type: "button", onclick: press }, name);
    return make("details", {}, make("summary", {}, "Take it with you"),
      make("div", { class: "row" },
        button("Copy link", () => {
          history.replaceState(null, "", `#${address()}`);
          return copied(location.href, "The link");
        }),
        button("SVG", () => download("perceptron.svg", "image/svg+xml", picture(plane.svg))),
        button("PNG", () => picturePng(plane.svg)),
        button("CSV", () => download("points.csv", "text/csv", csv(current()))),
        button("Copy as Python", () => {
          code.textContent = python(current());
          return copied(code.textContent, "The code");
        })),
      code);
  }
}

async function picturePng(svg) {
  const url = URL.createObjectURL(new Blob([picture(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => download("perceptron.png", "image/png", blob));
}
