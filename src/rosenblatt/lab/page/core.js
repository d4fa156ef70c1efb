// The library's own core, compiled to WebAssembly: learners and their scores.

const FLAGS = { average: 1, intercept: 2, unitLength: 4, kernel: 8, everyPass: 16, once: 32, first: 64, last: 128 };
const PROGRESS = ["examples", "updates", "mistakes", "passes", "converged", "steps", "smallest", "overflow", "last"];
const MISTAKE_BYTES = 48;

/** Rules as the core numbers them, from what a page calls them, with their two parameters. */
const RULES = {
  perceptron: () => [0, 0, 0],
  "pa": () => [1, Infinity, 0],
  "pa-1": ({ C = 1 }) => [1, C, 0],
  "pa-2": ({ C = 1 }) => [1, Infinity, 0.5 / C],
  winnow: ({ factor = 2 }) => [2, factor, 0],
  arow: ({ r = 1 }) => [3, r, 0],
};

/** What a learner is when nothing else is said. */
export const PLAIN = {
  rule: "perceptron", average: false, vote: false, intercept: true, unitLength: false,
  shuffle: "pass", seed: 0, kernel: null, ties: "mistake",
};

let core = null;

/** Loads the core from the bytes of the module; from the file beside this one if none are given. */
export async function load(bytes) {
  if (core) return;
  bytes ??= await (await fetch(new URL("core.wasm", import.meta.url))).arrayBuffer();
  // What C++ would say of its own end goes nowhere: the call ends with an error of its own.
  const silent = { fd_write: () => 8, fd_close: () => 8, fd_seek: () => 8 };
  const imports = { wasi_snapshot_preview1: new Proxy(silent, { get: (known, name) => known[name] ?? (() => 8) }) };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  instance.exports._initialize?.();
  core = instance.exports;
}

/** Calls visit(place, numbers) with these numbers in the memory of the core, or as much room. */
function withNumbers(given, visit) {
  const count = typeof given === "number" ? given : given.length;
  const place = core.room(count);
  try {
    if (count !== given) new Float64Array(core.memory.buffer, place, count).set(given);
    return visit(place, () => new Float64Array(core.memory.buffer, place, count).slice());
  } finally {
    core.release(place);
  }
}

/** The functions of the core, for other modules. */
export const call = new Proxy({}, { get: (_, name) => core[name] });

/** Calls visit(place) with these numbers, or bytes, in the memory of the core. */
export const numbersInto = (numbers, visit) => withNumbers(Array.from(numbers), visit);
export function bytesInto(bytes, visit) {
  return withNumbers(Math.ceil(bytes.length / 8) + 1, (place) => {
    new Uint8Array(core.memory.buffer, place, bytes.length).set(bytes);
    return visit(place);
  });
}

function flagsOf(wanted, kernel) {
  const winnow = wanted.rule === "winnow";
  return (wanted.average ? FLAGS.average : 0) | (wanted.intercept && !winnow ? FLAGS.intercept : 0)
    | (wanted.unitLength ? FLAGS.unitLength : 0) | (kernel ? FLAGS.kernel : 0)
    | (wanted.shuffle === "pass" ? FLAGS.everyPass : wanted.shuffle === "once" ? FLAGS.once : 0)
    | (winnow ? FLAGS.last : wanted.ties === "predict" ? FLAGS.first : 0);
}

/** (gamma x·z + coef0) ^ degree of each row with each of the others, or exp(-gamma |x - z|²) without a degree. */
function kernelValues({ degree, gamma = 1, coef0 = 1 }, rows, others) {
  return rows.map((x) => others.map((z) => {
    if (!degree) return Math.exp(-gamma * x.reduce((sum, value, k) => sum + (value - z[k]) ** 2, 0));
    const base = gamma * x.reduce((sum, value, k) => sum + value * z[k], 0) + coef0;
    let power = base;
    for (let k = 1; k < degree; k++) power *= base;
    return power;
  }));
}

/**
 * Learns from rows of numbers and labels 0, 1, ... What it has learned after t examples is a matter
 * of its settings and t alone, so going back is starting again and stopping earlier.
 */
export class Learner {
  constructor(rows, labels, classes, wanted = {}) {
    this.wanted = { ...PLAIN, ...wanted };
    this.rows = rows;
    this.count = rows.length;
    this.classes = Math.max(2, classes);
    const seen = this.seen(rows);
    this.width = seen[0]?.length ?? 0;
    const [rule, first, second] = RULES[this.wanted.rule](this.wanted);
    this.at = core.learner_new(this.count, this.width, this.classes, rule, first, second,
      flagsOf(this.wanted, this.wanted.kernel));
    new Float64Array(core.memory.buffer, core.learner_values(this.at), this.count * this.width).set(seen.flat());
    new Int32Array(core.memory.buffer, core.learner_labels(this.at), this.count).set(labels);
    this.restart();
  }

  close() {
    core.learner_delete(this.at);
    this.at = 0;
  }

  /** Rows as the core is to see them. */
  seen(rows) {
    return this.wanted.kernel ? kernelValues(this.wanted.kernel, rows, this.rows) : rows;
  }

  restart(seed = this.wanted.seed) {
    core.learner_restart(this.at, BigInt(seed));
  }

  /** Takes up where another learner of this kind stands, as a file holds it. */
  takeUp({ values, missed, sureness, seen }) {
    const copy = (numbers, place) => new Float64Array(core.memory.buffer, place, numbers.length).set(numbers);
    copy(values, core.learner_weights(this.at));
    if (missed) copy(missed, core.learner_missed(this.at));
    if (sureness) copy(sureness, core.learner_sureness(this.at));
    copy([seen], core.learner_progress(this.at));
  }

  /** All weights as the core has them, row by row; of the mean too where there is one. */
  get flat() {
    const slots = (this.width + 1) * core.learner_stride(this.at);
    const copy = (place) => new Float64Array(core.memory.buffer, place, slots).slice();
    const [missed, sureness] = [this.wanted.average, this.wanted.rule === "arow"];
    return {
      values: copy(core.learner_weights(this.at)),
      missed: missed ? copy(core.learner_missed(this.at)) : null,
      sureness: sureness ? copy(core.learner_sureness(this.at)) : null,
      mean: missed ? withNumbers(slots, (place, read) => (core.learner_mean(this.at, place), read())) : null,
      seen: this.progress.examples,
    };
  }

  /** Goes to where t examples have been learned from, or where a pass without an update ended. */
  goTo(t) {
    if (t < this.progress.examples) this.restart();
    if (this.count) core.learner_learn(this.at, t - this.progress.examples, false);
    return this.progress;
  }

  /** Goes on to the next mistake, but not beyond t examples. */
  goToMistake(t) {
    if (this.count) core.learner_learn(this.at, Math.max(0, t - this.progress.examples), true);
    return this.progress;
  }

  get progress() {
    const numbers = new Float64Array(core.memory.buffer, core.learner_progress(this.at), PROGRESS.length);
    return Object.fromEntries(PROGRESS.map((name, k) => [name, name === "converged" ? numbers[k] === 1 : numbers[k]]));
  }

  /** Between which two numbers the widest margin of the examples lies, as far as the run can know. */
  get bracket() {
    const [lower, upper] = withNumbers(2, (place, read) => (core.learner_bracket(this.at, place), read()));
    return { lower, upper };
  }

  /** The weights of each class, or of the second of two: [{w: [...], b}]. */
  weights(mean = this.wanted.average) {
    const stride = core.learner_stride(this.at), slots = (this.width + 1) * stride;
    const numbers = mean
      ? withNumbers(slots, (place, read) => (core.learner_mean(this.at, place), read()))
      : new Float64Array(core.memory.buffer, core.learner_weights(this.at), slots).slice();
    const columns = stride === 1 ? 1 : this.classes;
    return Array.from({ length: columns }, (_, k) => ({
      w: Array.from({ length: this.width }, (_, row) => numbers[row * stride + k]),
      b: numbers[this.width * stride + k],
    }));
  }

  /** Every update so far: at example t, the rows's number, its class, the rival, and the step. */
  mistakes(from = 0) {
    const count = this.progress.updates - from;
    const view = new DataView(core.memory.buffer, core.learner_mistakes(this.at) + from * MISTAKE_BYTES, count * MISTAKE_BYTES);
    return Array.from({ length: count }, (_, k) => {
      const at = k * MISTAKE_BYTES;
      return {
        t: Number(view.getBigInt64(at, true)), example: Number(view.getBigInt64(at + 8, true)),
        right: view.getInt32(at + 16, true), rival: view.getInt32(at + 20, true),
        step: view.getFloat64(at + 24, true), amount: view.getFloat64(at + 40, true),
      };
    });
  }

  /** A score of each class for each row, or of the second of two; votes where the learner votes. */
  scores(rows, mean = this.wanted.average) {
    if (!rows.length) return [];
    const seen = this.seen(rows).flat();
    const columns = this.wanted.vote ? this.classes : this.classes === 2 ? 1 : this.classes;
    const numbers = withNumbers(seen, (place) => withNumbers(rows.length * columns, (out, read) => {
      if (this.wanted.vote) core.learner_vote(this.at, place, rows.length, out);
      else core.learner_score(this.at, place, rows.length, mean, out);
      return read();
    }));
    return rows.map((_, k) => Array.from(numbers.subarray(k * columns, (k + 1) * columns)));
  }

  /** The class predicted for each row; at a tie the first, or the last for Winnow. */
  predict(rows, mean = this.wanted.average) {
    return this.scores(rows, mean).map((scores) => {
      if (scores.length > 1) return scores.indexOf(Math.max(...scores));
      return Number(scores[0] > 0 || (scores[0] === 0 && this.wanted.rule === "winnow"));
    });
  }
}
