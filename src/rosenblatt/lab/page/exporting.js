// What can be taken from the page: a picture, the points, the link, and Python that does the same.
import { LEARNERS, learnerNamed, parts } from "./compare.js";
import { learned } from "./state.js";

const PROPERTIES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "opacity", "font-family", "font-size", "font-weight", "font-style", "paint-order"];

/** The picture as a file of its own, as it looks now. */
export function picture(svg) {
  const copy = svg.cloneNode(true), [, , width, height] = svg.getAttribute("viewBox").split(" ");
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) to[k].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "role", "tabindex"]) to[k].removeAttribute(name);
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width, height, fill: getComputedStyle(svg).backgroundColor })) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

export const csv = (state) => ["x,y,class", ...learned(state).map(({ x, y, k }) => `${x},${y},${k}`)].join("\n") + "\n";

export function download(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const rowsOf = (rows) => `[\n${rows.map((row) => `    [${row.join(", ")}],`).join("\n")}\n]`;
const SHUFFLE = { pass: "True", once: '"once"', none: "False", sorted: "False" };
const common = (state) => `max_iter=${state.passes}, shuffle=${SHUFFLE[state.order]}, random_state=${state.seed}`;
const flags = (state) => `${state.intercept ? "" : ", fit_intercept=False"}${state.unitLength ? ", unit_length=True" : ""}`;

const MODELS = {
  plain: (rest) => `Perceptron(${rest})`,
  averaged: (rest) => `AveragedPerceptron(${rest})`,
  voted: (rest) => `VotedPerceptron(${rest})`,
  pa: (rest) => `PassiveAggressiveClassifier(C=${LEARNERS.pa.wanted.C}, ${rest})`,
  arow: (rest) => `AROW(r=${LEARNERS.arow.wanted.r}, ${rest})`,
  pairs: (rest) => `Perceptron(${rest})`,
  kernel: (rest, { kernel }) => `KernelPerceptron(${kernel === "rbf" ? 'kernel="rbf", gamma=1.0' : `kernel="poly", degree=${kernel}, gamma=1.0, coef0=1.0`}, ${rest})`,
  winnow: (rest) => `Winnow(${rest})`,
};

/** Python that does with the library what the page shows. */
export function python(state) {
  if (state.view === "compare") return pythonToCompare(state);
  const points = learned(state), kind = state.average ? "AveragedPerceptron" : "Perceptron";
  return `import numpy as np
from rosenblatt import ${kind}

X = np.array(${rowsOf(points.map(({ x, y }) => [x, y]))}, dtype=float)
y = np.array([${points.map(({ k }) => k).join(", ")}])

model = ${kind}(${common(state)}${flags(state)})
model.fit(X, y)
print(model.coef_, model.intercept_)
print(model.n_updates_, "updates,", "converged" if model.converged_ else "not converged")
`;
}

function pythonToCompare(state) {
  const { train, codes, test, right } = parts(state);
  const models = state.learners.map((name) => {
    const own = name === "winnow" ? common(state) : common(state) + flags(state);
    return `    ("${learnerNamed(name, state).title}", ${MODELS[name](own, state)}),`;
  });
  const names = [...new Set(state.learners.map((name) => MODELS[name]("", state).split("(")[0]))].sort().join(", ");
  return `import numpy as np
from rosenblatt import ${names}

X = np.array(${rowsOf(train)}, dtype=float)
y = np.array([${codes.join(", ")}])
X_held = np.array(${rowsOf(test)}, dtype=float)
y_held = np.array([${right.join(", ")}])

for name, model in [
${models.join("\n")}
]:
    lift = (lambda X: np.c_[X, X[:, 0] * X[:, 1]]) if "x₁·x₂" in name else (lambda X: X)
    model.fit(lift(X), y)
    print(name, model.n_updates_, 1 - model.score(lift(X_held), y_held))
`;
}
