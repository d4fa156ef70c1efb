// Texts as the library's own core cuts and counts them.
import { bytesInto, call, numbersInto } from "./core.js";

const PARTS = 4; // of a gram: where it begins and ends, its column and its sign
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

/** Whether a character changes place among the marks of a letter: its combining class is not zero. */
function combines(character) {
  const moves = (text) => text.normalize("NFD") !== text;
  return character === "\u0345" || moves(`a\u0345${character}`) || moves(`a${character}\u0334`);
}

/** Texts without accents, as Python strips them. */
const STRIPPED = {
  ascii: (text) => text.normalize("NFKD").replace(/[^\x00-\x7f]/g, ""),
  unicode: (text) => Array.from(text.normalize("NFKD"), (each) => (/\p{M}/u.test(each) && combines(each) ? "" : each)).join(""),
};
const ANALYZERS = { word: 0, char: 1, char_wb: 2 };

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
  constructor({ analyzer, ngram_range: [shortest, longest], lowercase, strip_accents: accents = null, n_hash_bits: bits,
    alternate_sign: signed = false, binary, sublinear_tf: sublinear, norm, dtype, stop_words: stop }, { bytes, ends, idf }) {
    const known = characters();
    this.lowercase = lowercase;
    this.strip = STRIPPED[accents];
    this.at = bytesInto(new Uint8Array(known.buffer), (place) => call.words_new(ANALYZERS[analyzer], shortest, longest,
      lowercase && !accents, bits ?? 0, signed, binary, sublinear, { l1: 1, l2: 2 }[norm] ?? 0, dtype === "float32", place));
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

  /** What is cut, its grams with where they lie in it and their columns, and its row: columns and values. */
  read(given) {
    // Two letters whose lower case is not one letter of its own are left to the browser.
    const lower = this.lowercase && (this.strip || /[\u0130\u03a3]/.test(given)) ? given.toLowerCase() : given;
    const said = utf8.encode(this.strip ? this.strip(lower) : lower);
    bytesInto(said, (place) => call.words_read(this.at, place, said.length));
    const memory = call.memory.buffer;
    const folded = new Uint8Array(memory, call.words_folded(this.at), call.words_folded_size(this.at)).slice();
    const grams = new Int32Array(memory, call.words_grams(this.at), PARTS * call.words_gram_count(this.at)).slice();
    const stored = call.words_stored(this.at);
    return {
      folded,
      grams: Array.from({ length: grams.length / PARTS }, (_, k) => {
        const [begin, end, column, sign] = grams.subarray(PARTS * k, PARTS * (k + 1));
        return { name: text.decode(folded.subarray(begin, end)), begin, end, column, sign };
      }),
      columns: [...new Int32Array(memory, call.words_columns(this.at), stored)],
      values: [...new Float64Array(memory, call.words_values(this.at), stored)],
    };
  }
}
