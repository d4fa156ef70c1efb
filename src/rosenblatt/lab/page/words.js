// Texts as the library's own core cuts and counts them.
import { bytesInto, call, numbersInto } from "./core.js";

let table = null;

/** What is to be known of every character: its lower case, and which are of words and which space. */
function characters() {
  if (table) return table;
  table = new Uint32Array(0x110000);
  const word = /[\p{L}\p{N}_]/u, space = /\s/u;
  for (let c = 0; c < table.length; c++) {
    if (c >= 0xd800 && c < 0xe000) { table[c] = c; continue; }
    // Blocks far out hold ideographs alone, or no letters at all.
    if ((c >= 0x3400 && c < 0x4dc0) || (c >= 0x4e00 && c < 0xa000)) { table[c] = (c | 0x80000000) >>> 0; continue; }
    if (c >= 0x323b0 && c < 0xe0000) { table[c] = c; continue; }
    if (c >= 0xe01f0) { table[c] = c; continue; }
    const text = String.fromCodePoint(c), lower = text.toLowerCase();
    const own = lower.codePointAt(0), single = lower.length === String.fromCodePoint(own).length;
    table[c] = ((single ? own : c) | (word.test(text) ? 0x80000000 : 0) | (space.test(text) ? 0x40000000 : 0)) >>> 0;
  }
  return table;
}

const utf8 = new TextEncoder(), text = new TextDecoder();
const joined = (names) => {
  const pieces = names.map((name) => utf8.encode(name)), ends = [];
  let size = 0;
  for (const piece of pieces) ends.push((size += piece.length));
  const bytes = new Uint8Array(size);
  pieces.forEach((piece, k) => bytes.set(piece, ends[k] - piece.length));
  return { bytes, ends };
};

/** Cuts and counts texts as a vectorizer of these settings does, with names of columns or hashed. */
export class Words {
  constructor({ ngram_range: [shortest, longest], lowercase, n_hash_bits: bits, binary, sublinear_tf: sublinear,
    norm, dtype, stop_words: stop }, { bytes, ends, idf }) {
    const known = characters();
    this.lowercase = lowercase;
    this.longest = longest;
    this.shortest = shortest;
    this.at = bytesInto(new Uint8Array(known.buffer), (place) => call.words_new(shortest, longest, lowercase,
      bits ?? 0, binary, sublinear, { l1: 1, l2: 2 }[norm] ?? 0, dtype === "float32", place));
    if (bytes && !bits) this.name(bytes, ends, false);
    if (stop) {
      const given = joined(stop);
      this.name(given.bytes, given.ends, true);
    }
    if (idf) numbersInto(idf, (place) => call.words_idf(this.at, place, idf.length));
  }

  close() {
    call.words_delete(this.at);
  }

  name(bytes, ends, stop) {
    bytesInto(bytes, (place) => numbersInto(ends, (at) => call.words_name(this.at, place, at, ends.length, stop)));
  }

  /** The grams of a text, with their columns, and its row: columns and values. */
  read(given) {
    // Two letters whose lower case is not one letter of its own are left to the browser.
    const said = utf8.encode(this.lowercase && /[\u0130\u03a3]/.test(given) ? given.toLowerCase() : given);
    bytesInto(said, (place) => call.words_read(this.at, place, said.length));
    const memory = call.memory.buffer;
    const folded = new Uint8Array(memory, call.words_folded(this.at), call.words_folded_size(this.at)).slice();
    const grams = new Int32Array(memory, call.words_grams(this.at), 3 * call.words_gram_count(this.at)).slice();
    const stored = call.words_stored(this.at);
    return {
      grams: Array.from({ length: grams.length / 3 }, (_, k) => ({
        name: text.decode(folded.subarray(grams[3 * k], grams[3 * k + 1])), column: grams[3 * k + 2] })),
      columns: [...new Int32Array(memory, call.words_columns(this.at), stored)],
      values: [...new Float64Array(memory, call.words_values(this.at), stored)],
    };
  }
}
