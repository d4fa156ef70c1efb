// What a text shows above its bars: words and runs of words, or words made of runs of characters.

const MOST_RUNS = 12;
const BLANK = "␣";
const utf8 = new TextDecoder();

/** Bars for a text that was cut into grams, each with its push; what they add up to is the same. */
export function bars(analyzer, found, pushes, text) {
  return analyzer === "word" ? ofWords(found, pushes, text) : ofCharacters(found, pushes);
}

const WORD = /[\p{L}\p{N}_]{2,}/gu;

function ofWords({ grams }, pushes, text) {
  const all = grams.map(({ name, known }, at) => ({ name, known, push: pushes[at], at }));
  const words = all.filter(({ name }) => !name.includes(" ")), written = [...text.matchAll(WORD)].map(([word]) => word);
  const named = written.length === words.length ? words.map((word, k) => ({ ...word, name: written[k] })) : words;
  return { words: named, runs: strongest(all.filter(({ name }) => name.includes(" "))) };
}

/** A run of words or characters as it is shown: blanks of the latter can be seen. */
export const shown = (analyzer, name) => (analyzer === "word" ? name : name.replace(/\s/g, BLANK));

/** A run's push is spread evenly over its characters, but for blanks; each word has the sum of its own. */
function ofCharacters({ grams, folded }, pushes) {
  const owner = new Int32Array(folded.length).fill(-1), words = [];
  for (let at = 0, begin = -1; at <= folded.length; at++) {
    const blank = at === folded.length || folded[at] <= 0x20;
    if (blank && begin >= 0) {
      words.push({ name: utf8.decode(folded.subarray(begin, at)), known: false, push: 0, at: words.length });
      begin = -1;
    } else if (!blank) {
      if (begin < 0) begin = at;
      if ((folded[at] & 0xc0) !== 0x80) owner[at] = words.length;
    }
  }
  const blanks = { name: BLANK, known: true, push: 0, at: -1 }, base = words.length;
  grams.forEach(({ begin, end, known }, k) => {
    const owners = owner.subarray(begin, end).filter((word) => word >= 0);
    if (!owners.length) blanks.push += pushes[k];
    for (const word of owners) {
      words[word].push += pushes[k] / owners.length;
      words[word].known ||= known;
    }
  });
  if (blanks.push !== 0) words.push(blanks);
  const together = new Map();
  grams.forEach(({ name, known }, k) => {
    const run = together.get(name) ?? { name: shown("char", name), known, push: 0, at: base + together.size };
    together.set(name, { ...run, push: run.push + pushes[k] });
  });
  return { words, runs: strongest([...together.values()]) };
}

const strongest = (runs) => runs.filter(({ known, push }) => known && push !== 0)
  .sort((a, b) => Math.abs(b.push) - Math.abs(a.push)).slice(0, MOST_RUNS);
