// Models of texts: scores taken apart gram by gram, and one more example learned.
import { Learner } from "./core.js";
import { modelIn } from "./rbt.js";
import { Words } from "./words.js";

const MOST_LINES = 500, MOST_NUMBERS = 4e6;
const PLAIN = { analyzer: "word", ngram_range: [1, 2], lowercase: true, n_hash_bits: null, binary: false, sublinear_tf: false, norm: null, dtype: "float64", stop_words: null };

export const AVERAGED = { average: true, seed: 0, shuffle: "pass" };

/** The label and the text of each line. */
export function examplesIn(lines) {
  const examples = lines.split("\n").filter((line) => line.trim()).map((line, k) => {
    const tab = line.indexOf("\t");
    if (tab < 1) throw new Error(`Line ${k + 1} has no label: write a label, a tab and a text.`);
    return { label: line.slice(0, tab).trim(), text: line.slice(tab + 1).trim() };
  });
  if (examples.length > MOST_LINES) throw new Error(`A page learns from ${MOST_LINES} lines at most; rosenblatt train takes any number.`);
  return examples;
}

/** Rows of counts for examples, and for others by the words of the first. */
export function counted(examples, others = []) {
  const classes = [...new Set(examples.map(({ label }) => label))].sort();
  if (classes.length < 2 || classes.length > 20) throw new Error("There must be 2 to 20 different labels.");
  const cut = new Words(PLAIN, {}), columns = new Map();
  const grams = ({ text }) => cut.read(text).grams.map(({ name }) => name);
  const read = examples.map(grams), readOthers = others.map(grams);
  cut.close();
  for (const name of read.flat()) if (!columns.has(name)) columns.set(name, columns.size);
  if (columns.size * (examples.length + others.length) > MOST_NUMBERS) throw new Error("These are too many words for a page; rosenblatt train takes any number.");
  const rowOf = (found) => {
    const row = new Array(columns.size).fill(0);
    for (const name of found) if (columns.has(name)) row[columns.get(name)]++;
    return row;
  };
  return { rows: read.map(rowOf), labels: examples.map(({ label }) => classes.indexOf(label)), classes, names: [...columns.keys()], others: readOthers.map(rowOf) };
}

/** The mean of all weights passed through, or the last. */
const averaged = (values, missed, counted) => (missed ? values.map((value, slot) => (counted * value - missed[slot]) / counted) : values);

export class TextModel {
  constructor(found) {
    Object.assign(this, { threshold: null, ...found }); // Winnow's, above which a value is present
    this.words = new Words(this.settings, this.learned);
  }

  static async read(buffer) {
    return new TextModel(await modelIn(buffer));
  }

  /** Learns from lines of a label, a tab and a text: single words and pairs, averaged. */
  static learn(lines, passes = 10) {
    const { rows, labels, classes, names } = counted(examplesIn(lines));
    const learner = new Learner(rows, labels, classes.length, AVERAGED);
    learner.goTo(passes * rows.length);
    const { mean, ...standing } = learner.flat, stride = mean.length / (names.length + 1);
    learner.close();
    const pieces = names.map((name) => new TextEncoder().encode(name)), ends = [];
    pieces.reduce((sum, piece) => (ends.push(sum + piece.length), sum + piece.length), 0);
    const bytes = new Uint8Array(ends.at(-1) ?? 0);
    pieces.forEach((piece, k) => bytes.set(piece, ends[k] - piece.length));
    return new TextModel({ estimator: "AveragedPerceptron", classes, width: names.length, stride, columns: stride === 1 ? 1 : classes.length,
      weights: mean, constant: 1, standing, untaught: null, thresholds: null, wanted: { ...AVERAGED, shuffle: "none" }, settings: PLAIN, learned: { bytes, ends, idf: null },
      name: (column) => names[column] });
  }

  close() {
    this.words.close();
  }

  weight(column, k) {
    return this.weights[column * this.stride + k];
  }

  /** What speaks for a class: of two, for the second by the weights that both share. */
  of(column, k) {
    return this.columns > 1 ? this.weight(column, k) : this.weight(column, 0) * (k === 1 ? 1 : -1);
  }

  bias(k) {
    return this.constant * this.of(this.width, k);
  }

  /** The score of each class for a text, which are given, and the share of each gram in the score of one of them. */
  explain(text) {
    const { folded, grams, columns, values: counts } = this.words.read(text), { threshold } = this;
    const values = threshold === null ? counts : counts.map((count) => Number(count > threshold));
    const value = new Map(columns.map((column, at) => [column, values[at]])), count = new Map(), signs = new Map();
    for (const { column, sign } of grams) {
      count.set(column, (count.get(column) ?? 0) + 1);
      signs.set(column, (signs.get(column) ?? 0) + sign);
    }
    const scores = this.classes.map((_, k) => columns.reduce((sum, column, at) => sum + values[at] * this.of(column, k), 0) + this.bias(k));
    // Grams of one column share what it says by their signs, or evenly where these cancel out.
    const part = ({ column, sign }) => (signs.get(column) ? sign / signs.get(column) : 1 / count.get(column));
    const share = (gram, k) => (value.has(gram.column) ? value.get(gram.column) * this.of(gram.column, k) * part(gram) : 0);
    const tied = this.columns === 1 && scores[1] === 0 && this.estimator === "Winnow";
    const winner = tied ? 1 : scores.indexOf(Math.max(...scores));
    const given = this.thresholds ? scores.map((score, k) => score >= this.thresholds[k]) : scores.map((_, k) => k === winner);
    return { folded, grams: grams.map((gram) => ({ ...gram, known: value.has(gram.column) && this.weightsOf(gram.column) })), scores, winner, given, share };
  }

  weightsOf(column) {
    return Array.from({ length: this.columns }, (_, k) => this.weight(column, k)).some((weight) => weight !== 0) || !this.settings.n_hash_bits;
  }

  /** The columns that speak most for a class and most against it. */
  top(k, count = 8) {
    const columns = Array.from({ length: this.width }, (_, column) => column).filter((column) => this.of(column, k) !== 0)
      .sort((a, b) => this.of(b, k) - this.of(a, k));
    return { most: columns.slice(0, count).filter((column) => this.of(column, k) > 0),
      least: columns.slice(-count).reverse().filter((column) => this.of(column, k) < 0) };
  }

  /** Learns one more example, as partial_fit of the library would; tells whether anything moved. */
  teach(text, k) {
    const { columns, values } = this.words.read(text), { stride, standing } = this;
    const learner = new Learner([values], [k], this.classes.length, this.wanted);
    // Only the columns of this text take part, in their order, as in a sparse row.
    const slots = [...columns, this.width].flatMap((column) => Array.from({ length: stride }, (_, j) => column * stride + j));
    const gathered = (array) => array && slots.map((slot) => array[slot]);
    const kinds = ["values", "missed", "sureness"];
    learner.takeUp({ seen: standing.seen, ...Object.fromEntries(kinds.map((kind) => [kind, gathered(standing[kind])])) });
    learner.goTo(standing.seen + 1);
    const { flat } = learner, moved = learner.progress.updates > 0;
    learner.close();
    for (const kind of kinds) if (flat[kind]) slots.forEach((slot, at) => (standing[kind][slot] = flat[kind][at]));
    standing.seen = flat.seen;
    this.weights = averaged(standing.values, standing.missed, standing.seen + 1);
    return moved;
  }
}
