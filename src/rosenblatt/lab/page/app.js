// The page: views over one state, drawn anew whenever it changes.
import * as bound from "./bound.js";
import * as classes from "./classes.js";
import * as compare from "./compare.js";
import { load } from "./core.js";
import { editable } from "./editing.js";
import { standing } from "./learning.js";
import { LESSONS, lessonNamed } from "./lessons.js";
import { Plane } from "./plane.js";
import { Report } from "./report.js";
import { SAMPLE } from "./sample.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import * as stage from "./stage.js";
import { current, change, learned, listen, open, read } from "./state.js";
import { make } from "./svg.js";
import { TextView } from "./text.js";
import { Transport } from "./transport.js";

const VIEWS = {
  stage: { title: "Stage", about: "One example at a time", ...stage },
  bound: { title: "Bound", about: "Mistakes, and how many there can be", ...bound },
  compare: { title: "Compare", about: "The same examples, several learners", ...compare },
  classes: { title: "Classes", about: "Three classes and more", ...classes },
  text: { title: "Text", about: "What each word pushes" },
  report: { title: "Report", about: "How well it predicts, and where it errs" },
};
const ON_TEXTS = ["text", "report"];
const part = (name) => document.getElementById(name);

/** How many classes a view can show; with others the page goes to a view that can. */
const classesOf = (state) => Math.max(2, ...state.points.map(({ k }) => k + 1));
const viewOf = (state) => (!ON_TEXTS.includes(state.view) && classesOf(state) > 2 ? "classes" : state.view);

function buildViews() {
  part("views").append(...Object.entries(VIEWS).map(([name, { title, about }]) =>
    make("button", { type: "button", id: `view-${name}`, title: about, onclick: () => choose(name) }, title)));
}

/** Another view of the same points, or the first lesson of that view where they do not fit it. */
function choose(name) {
  const state = current(), several = classesOf(state) > 2;
  const fits = name === "classes" ? several : !several && (state.points.length > 0 || name === "compare");
  if (ON_TEXTS.includes(name) || fits) return change({ view: name });
  const lesson = name === "classes" ? lessonNamed("classes") : LESSONS[0];
  open(lesson);
  change({ view: name });
}

function showLesson(box, state) {
  const lesson = lessonNamed(state.lesson), number = LESSONS.indexOf(lesson);
  if (box.lesson === lesson) return;
  box.lesson = lesson;
  const go = (by, text) => make("button", { type: "button", ".disabled": !LESSONS[number + by],
    "aria-label": by > 0 ? "Next lesson" : "Lesson before", onclick: () => open(LESSONS[number + by]) }, text);
  const list = make("select", { "aria-label": "Lesson", onchange: (event) => open(lessonNamed(event.target.value)) },
    ...LESSONS.map(({ name, title }, k) => make("option", { value: name, ".selected": k === number }, `${k + 1}. ${title}`)));
  box.replaceChildren(make("div", { class: "row lessons" }, go(-1, "←"), list, go(1, "→")),
    make("h2", { class: "title" }, lesson.title), ...lesson.text.map((text) => make("p", {}, text)),
    make("p", { class: "question" }, lesson.question));
}

async function start() {
  await load();
  buildViews();
  const plane = new Plane(part("plane"), "The plane of points; each can be moved with the arrow keys");
  const say = (text) => (part("sentence").textContent = text);
  const transport = new Transport(part("transport"), part("sentence"));
  const settings = new Settings(part("settings"), part("tools"), () => edit.add());
  const sheet = new Sheet(part("sheet"), plane, say);
  const texts = new TextView(part("text"), { lines: SAMPLE, change });
  const report = new Report(part("report"), texts);
  const edit = editable(plane, { chosen: () => settings.chosen, say });

  const render = () => {
    const state = current(), name = viewOf(state), view = VIEWS[name];
    for (const each of Object.keys(VIEWS)) part(`view-${each}`).setAttribute("aria-current", each === name ? "page" : "false");
    document.body.dataset.view = name;
    for (const each of ["scene", "side", "sheet"]) part(each).hidden = ON_TEXTS.includes(name);
    for (const each of ON_TEXTS) part(each).hidden = name !== each;
    if (name === "text") return texts.show(state);
    if (name === "report") return report.show();
    const hidden = view.hidesPlane?.(state) ?? false;
    part("plane").hidden = hidden;
    part("transport").hidden = part("tools").hidden = name === "compare" && hidden;
    part("transport").hidden = name === "compare";
    const shown = learned(state), stand = name === "compare" ? null : standing(state);
    if (!hidden) {
      plane.clear();
      if (!plane.still) plane.fit(shown);
      view.draw(plane, state, stand);
      plane.place(state.order === "sorted" ? learned({ ...state, order: "none" }) : shown, { kind: view.kindOf, asButtons: true });
    }
    const text = view.sentence(state, stand);
    if (part("sentence").textContent !== text) say(text);
    if (stand) transport.show(stand);
    if (view.panel) view.panel(part("panel"), state, stand);
    else part("panel").replaceChildren();
    part("panel").hidden = !view.panel;
    showLesson(part("lesson"), state);
    settings.show(state, view);
    sheet.show();
  };
  /** A file that came with the page: a model of texts, or a table. */
  const show = async (answer, name) => {
    if (!name.endsWith(".rbt")) return sheet.paste(await answer.text());
    change({ view: "text" });
    return texts.open(new File([await answer.arrayBuffer()], name));
  };
  plane.redraw = render;
  listen(render);
  addEventListener("hashchange", () => read(location.hash));
  read(location.hash);
  const opened = new URLSearchParams(location.search).get("open");
  if (opened) await show(await fetch(`opened/${encodeURIComponent(opened)}`), opened);
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  part("sentence").textContent = `The lab could not start: ${error.message}`;
});
