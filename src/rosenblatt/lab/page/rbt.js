// Model files read in the page: safetensors under a checksum; anything else gets a sentence.

const LARGEST = 2 ** 28, LARGEST_HEADER = 2 ** 25, MOST = 64, MARK = '\\"checksum\\":\\"', BLANK = "0".repeat(64);
const TYPES = { F64: Float64Array, I64: BigInt64Array, U8: Uint8Array, U32: Uint32Array, I8: Int8Array, I16: Int16Array, U16: Uint16Array, I32: Int32Array, F32: Float32Array, F16: Uint16Array };
const NAMED = { uint8: "U8", int8: "I8", int16: "I16", uint16: "U16", float16: "F16", int32: "I32", uint32: "U32", float32: "F32", int64: "I64", float64: "F64" };
const WIDE = { float64: ["I8", "I16", "F16", "I32", "F32"], int64: ["U8", "I16", "U16", "I32", "U32"], uint32: ["U8", "U16"] };
const LINEAR = ["AROW", "AveragedPerceptron", "PassiveAggressiveClassifier", "Perceptron", "Winnow"];
const NO_WEIGHTS = ["VotedPerceptron", "KernelPerceptron"];

/** What is wrong with a file, in a sentence. */
export class FileError extends Error {}

function need(right, what) {
  if (!right) throw new FileError(`The file does not describe a model: ${what}.`);
}

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Where the checksum stands in the header; -1 if it does not. */
function placeOf(header) {
  const at = new TextDecoder("latin1").decode(header).indexOf(MARK);
  return at < 0 ? -1 : at + MARK.length;
}

const product = (shape) => shape.reduce((all, each) => all * each, 1);
const right = (holds) => {
  if (!holds) throw new RangeError();
};

/** The bytes of what was deflated, no more than there should be. */
async function inflated(bytes, size) {
  const whole = new Uint8Array(size), reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  let end = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    right(end + part.value.length <= size);
    whole.set(part.value, end);
    end += part.value.length;
  }
  right(end === size);
  return whole.buffer;
}

/** A number of half precision. */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, power = (bits >> 10) & 31, part = bits & 1023;
  if (power === 31) return part ? NaN : sign * Infinity;
  return sign * (power ? 2 ** (power - 15) * (1 + part / 1024) : part * 2 ** -24);
}

/** Numbers in the type that they had. */
function wide({ type, shape, values }, wanted) {
  right(WIDE[wanted]?.includes(type));
  const kind = TYPES[NAMED[wanted]], plain = type === "F16" ? Array.from(values, half) : values;
  return { type: NAMED[wanted], shape, values: kind.from(plain, wanted === "int64" ? BigInt : undefined) };
}

/** The numbers of which each is how much more than the one before. */
function summed({ type, shape, values }) {
  right(type === "I64" || type === "U32");
  let sum = type === "I64" ? 0n : 0;
  return { type, shape, values: values.map((each) => (sum += each)) };
}

/** Numbers by their place in a table. */
function decoded(table, codes) {
  right(table?.type === "F64" && codes?.type === "U32" && codes.values.every((code) => code < table.values.length));
  return { type: "F64", shape: codes.shape, values: Float64Array.from(codes.values, (code) => table.values[code]) };
}

/** An array that is stored as the numbers that are not zero and a bit for each place. */
function withZeros(shape, bits, filled) {
  const size = product(shape);
  right(shape.every((each) => Number.isInteger(each) && each >= 0) && bits?.type === "U8" && bits.values.length === Math.ceil(size / 8));
  if (8 * size > LARGEST) throw new FileError("The model is larger than 256 MB, which is too much for a page.");
  const values = new filled.values.constructor(size);
  let next = 0;
  for (let k = 0; k < size; k++) if ((bits.values[k >> 3] >> (7 - (k & 7))) & 1) values[k] = filled.values[next++];
  right(next === filled.values.length);
  return { type: filled.type, shape, values };
}

/** Arrays as they were before they were stored in fewer bytes; facts say how. */
async function unpacked({ shapes = {}, coded = [], types = {}, sums = [], deflated = {} }, arrays) {
  right([shapes, types, deflated].every((each) => each?.constructor === Object));
  for (const [name, [type, ...shape]] of Object.entries(deflated)) {
    const { values } = arrays.get(name), kind = TYPES[NAMED[type]], size = product(shape) * kind.BYTES_PER_ELEMENT;
    right(size <= MOST * values.length && size <= LARGEST);
    arrays.set(name, { type: NAMED[type], shape, values: new kind(await inflated(values, size)) });
  }
  for (const [name, type] of Object.entries(types)) arrays.set(name, wide(arrays.get(name), type));
  for (const name of sums) arrays.set(name, summed(arrays.get(name)));
  for (const name of coded) arrays.set(name, decoded(arrays.get(`${name}.table`), arrays.get(`${name}.codes`)));
  const outwards = Object.entries(shapes).sort(([a], [b]) => (a < b ? 1 : -1)); // bits before what they are of
  for (const [name, shape] of outwards) arrays.set(name, withZeros(shape, arrays.get(`${name}.bits`), arrays.get(`${name}.filled`)));
}

/** Facts and arrays of a file of which every byte is as it was written. */
async function unsealed(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes.length > LARGEST) throw new FileError("The file is larger than 256 MB, which is too much for a page.");
  const length = bytes.length >= 8 ? Number(new DataView(buffer).getBigUint64(0, true)) : 0;
  const header = bytes.subarray(8, 8 + Math.min(length, LARGEST_HEADER)), place = placeOf(header);
  if (length > LARGEST_HEADER || header.length < length || place < 0 || place + 64 > length)
    throw new FileError("This is not a model file of rosenblatt, or only part of one.");
  if (!globalThis.crypto?.subtle)
    throw new FileError("This page cannot check files, as it did not come over https or from this machine.");
  const said = new TextDecoder("latin1").decode(header.subarray(place, place + 64)), blank = bytes.slice();
  blank.set(new TextEncoder().encode(BLANK), 8 + place);
  if (hex(await crypto.subtle.digest("SHA-256", blank)) !== said)
    throw new FileError("The file is damaged: its checksum does not fit its contents, so take another copy.");
  try {
    const { __metadata__: { rosenblatt }, ...described } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(header));
    const arrays = new Map();
    for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(described)) {
      const count = product(shape), kind = TYPES[dtype];
      const whole = [begin, end, ...shape].every((each) => Number.isInteger(each) && each >= 0);
      if (!whole || begin > end || 8 + length + end > bytes.length) throw new RangeError();
      if (kind && end - begin !== count * kind.BYTES_PER_ELEMENT) throw new RangeError();
      if (kind) arrays.set(name, { type: dtype, shape, values: new kind(buffer.slice(8 + length + begin, 8 + length + end)) });
    }
    const facts = JSON.parse(rosenblatt);
    await unpacked(facts, arrays);
    return { facts, arrays };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("The file is not laid out as rosenblatt writes it.");
  }
}

function wordsIn(step, arrays, width) {
  const { settings, documents } = step.words ?? {};
  need(settings && Number.isInteger(documents), "it says nothing of words");
  const part = (name) => arrays.get(`0.words.${name}`)?.values;
  need(["word", "char", "char_wb"].includes(settings.analyzer), "it counts neither words nor characters");
  need([null, "ascii", "unicode"].includes(settings.strip_accents ?? null), "its accents are stripped in a way of its own");
  need(settings.token_pattern === undefined, "it cuts words in a way of its own");
  const [shortest, longest] = settings.ngram_range ?? [], bits = settings.n_hash_bits;
  need(shortest >= 1 && longest >= shortest && longest <= 99, "its n-grams are none");
  need(bits === null || (Number.isInteger(bits) && bits >= 1 && bits <= 22), "its columns cannot be hashed so");
  need(settings.stop_words === null || settings.stop_words.every((word) => typeof word === "string"), "its stop words are none");
  const bytes = part("names"), ends = Array.from(part("name_ends") ?? [], Number);
  need(bytes instanceof Uint8Array && ends.every((end, k) => end >= (ends[k - 1] ?? 0) && end <= bytes.length), "its names have no ends");
  const given = bits === null ? null : part("columns");
  need(bits === null ? ends.length === width : width === 2 ** bits && given?.length === ends.length, "it names other columns than it weighs");
  const counts = part("document_counts");
  let idf = null;
  if (settings.use_idf) {
    need(counts?.length === width, "its words were not counted");
    const added = Number(settings.smooth_idf);
    idf = Array.from(counts, (count) => 1 + Math.log((documents + added) / (Math.max(Number(count), 1 - added) + added)));
  }
  const utf8 = new TextDecoder(), name = (k) => utf8.decode(bytes.subarray(ends[k - 1] ?? 0, ends[k]));
  const known = given && new Map(Array.from(given, (column, k) => [column, k]));
  return { settings, learned: { bytes, ends, idf },
    name: (column) => (known ? (known.has(column) ? name(known.get(column)) : `#${column}`) : name(column)) };
}

/** The settings of the core that go on learning as this estimator does. */
function wantedBy({ estimator, parameters: { C = 1, variant = "PA-I", r = 1, fit_intercept: intercept = true, unit_length: unitLength = false, ties = "mistake" } }, average) {
  const rule = { AROW: "arow", PassiveAggressiveClassifier: { PA: "pa", "PA-I": "pa-1", "PA-II": "pa-2" }[variant] }[estimator] ?? "perceptron";
  need([C, r].every((each) => Number.isFinite(each) && each > 0), "its parameters are no numbers");
  return { rule, C, r, intercept: Boolean(intercept), unitLength: Boolean(unitLength), ties, average, shuffle: "none" };
}

/** What the file tells of each pass: its mistakes, and the errors that were measured after it. */
function historyIn({ totals = [], returned_to: best = null } = {}, baseline = null) {
  const passes = totals.map(([, mistakes, , , , train = null, heldOut = null, heldOutPlain = null], k) =>
    ({ mistakes: mistakes - (totals[k - 1]?.[1] ?? 0), train, heldOut, heldOutPlain }));
  const shares = [baseline, ...passes.flatMap(({ train, heldOut, heldOutPlain }) => [train, heldOut, heldOutPlain])];
  need(passes.every(({ mistakes }) => Number.isInteger(mistakes)) && shares.every((share) => share === null || (share >= 0 && share <= 1))
    && (best === null || passes[best - 1] !== undefined), "its history is not one of passes");
  return { passes, best, baseline };
}

/** How many weight vectors an average counts: with a half life in units that grow by 2^64, as src/core/learn/forgetting.hpp tells. */
function countedBy(halfLife, seen) {
  if (!halfLife) return seen + 1;
  const unit = 64 * Math.floor(Math.floor(seen / halfLife) / 64);
  return (2 ** ((seen + 1) / halfLife - unit) - 2 ** -unit) / Math.expm1(Math.LN2 / halfLife);
}

/** Why a page cannot teach a model, if it cannot. */
function untaughtBy({ divisor, half_life: halfLife, several }, estimator, arrays) {
  if (divisor !== undefined) return "This model only predicts: what it would learn on with was left out of its file.";
  if (several) return "Sets of labels are shown here and taught by partial_fit.";
  if (halfLife || estimator === "Winnow" || arrays.has("1.weights.covariance"))
    return "Averages that forget, full covariances and Winnow are shown here and taught by partial_fit.";
  return null;
}

/** The weights that predict, a row for each column and one for the constant, and with what they go on learning if they can. */
function weightsIn({ divisor, half_life: halfLife }, estimator, arrays, width) {
  const part = (name) => arrays.get(`1.weights.${name}`)?.values, { shape: [rows, stride], values } = arrays.get("1.weights.values");
  const fits = "the shape of its weights does not fit its features", missed = part("missed"), seen = part("counts");
  need(values instanceof Float64Array && seen.length === 3, fits);
  need(halfLife === undefined || halfLife > 0, "its half life is not one");
  const counted = countedBy(halfLife, Number(seen[0])), sureness = part("sureness"), learns = divisor === undefined;
  let weights = values;
  if (!learns) {
    const constant = part("constant");
    need(Number.isFinite(divisor) && divisor > 0 && rows === width && constant instanceof Float64Array && constant.length === stride, fits);
    weights = new Float64Array(values.length + stride);
    weights.set(values);
    weights.set(constant, values.length);
    weights = weights.map((value) => value / divisor);
  } else {
    need(rows === width + 1, fits);
    need(!missed || missed.length === values.length, "its averages do not fit its weights");
    need(estimator !== "AROW" || arrays.has("1.weights.covariance") || sureness?.length === values.length, "it does not say how sure its weights are");
    if (missed) weights = values.map((value, slot) => (counted * value - missed[slot]) / counted);
  }
  need(weights.every(Number.isFinite), "not all its weights are finite");
  const standing = { values, missed: missed ?? null, sureness, seen: Number(seen[0]) };
  return { stride, weights, standing, average: Boolean(missed) };
}

/** A linear model of texts from the bytes of a file: classes, words, and the weights that predict. */
export async function modelIn(buffer) {
  const { facts, arrays } = await unsealed(buffer);
  try {
    if (![1, 2, 3].includes(facts.format)) throw new FileError(`The file has format ${JSON.stringify(facts.format)}, and this page reads formats 1 to 3.`);
    const [first, last] = facts.steps;
    if (facts.steps.length === 2 && NO_WEIGHTS.includes(last.estimator))
      throw new FileError(`This page tells what each word pushes, and ${last.estimator} adds up no weights of words: save an AveragedPerceptron.`);
    if (facts.steps.length !== 2 || first.estimator !== "TextVectorizer" || !LINEAR.includes(last.estimator))
      throw new FileError(`This page explains a TextVectorizer before ${LINEAR.join(", ")}; the file holds ${facts.steps.map(({ estimator }) => String(estimator)).join(", ")}.`);
    const classes = last.labels.labels.map(String), { width } = last.features;
    const { stride, weights, standing, average } = weightsIn(last.weights, last.estimator, arrays, width);
    const columns = stride === 1 ? 1 : classes.length;
    need(classes.length >= 2 && (stride === 1 ? classes.length === 2 : stride === 4 * Math.ceil(classes.length / 4)), "the shape of its weights does not fit its classes");
    need(!last.weights.several || stride > 1, "whether a text may have several labels is not told");
    const thresholds = last.weights.several ? Array.from(arrays.get("1.thresholds.scores").values) : null;
    need(!thresholds || (thresholds.length === classes.length && !thresholds.some(Number.isNaN)), "its thresholds do not fit its labels");
    const { binarize = 0 } = last.parameters, threshold = last.estimator === "Winnow" && binarize !== null ? binarize : null;
    need(threshold === null || Number.isFinite(threshold), "what Winnow takes for one is no number");
    const words = wordsIn(first, arrays, width);
    const constant = (last.estimator === "Winnow" ? stride === 1 : last.parameters.fit_intercept !== false) ? 1 : 0;
    const history = historyIn(last.progress, facts.notes?.held_out?.majority_error);
    return { estimator: last.estimator, history, standing, untaught: untaughtBy(last.weights, last.estimator, arrays), thresholds, threshold, wanted: wantedBy(last, average), classes, width, stride, columns, weights, constant, ...words };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("The file does not describe a model: something is missing or out of place.");
  }
}
