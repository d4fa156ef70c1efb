// Tables as people paste them: comma, semicolon or tab between cells, quotes where needed.

/** The cells of each line of a text. */
function cellsOf(text, separator) {
  const lines = [];
  let line = [], cell = "", quoted = false;
  for (let k = 0; k < text.length; k++) {
    const sign = text[k];
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[k + 1] === '"') (cell += '"', k++);
      else quoted = false;
    } else if (sign === '"' && cell === "") quoted = true;
    else if (sign === separator) (line.push(cell), (cell = ""));
    else if (sign === "\n") (lines.push([...line, cell]), (line = []), (cell = ""));
    else if (sign !== "\r") cell += sign;
  }
  if (cell || line.length) lines.push([...line, cell]);
  return lines.filter((cells) => cells.some((each) => each.trim()));
}

const isNumber = (cell) => cell?.trim() !== "" && Number.isFinite(Number(cell)) && Math.abs(Number(cell)) <= 1e9;

/** What a text holds: names and rows, the columns of numbers, or a sentence that says what is wrong. */
export function tableIn(text) {
  const first = text.split("\n", 1)[0];
  const separator = ["\t", ";", ","].find((sign) => first.includes(sign)) ?? ",";
  const [names, ...rows] = cellsOf(text, separator);
  if (!rows.length) return { wrong: text.trim() ? "The table needs a line of names and lines of values." : "" };
  const odd = rows.findIndex((row) => row.length !== names.length);
  if (odd >= 0) return { wrong: `Line ${odd + 2} has ${rows[odd].length} cells, but the first line has ${names.length}.` };
  const numeric = names.map((_, k) => k).filter((k) => rows.every((row) => isNumber(row[k])));
  if (numeric.length < 2) return { wrong: "Two columns must hold a number in every line." };
  return {
    names, rows, numeric,
    points(x, y, label, most) {
      const labels = [...new Set(rows.map((row) => row[label].trim()))].sort();
      if (labels.length < 2 || labels.length > 5)
        return { wrong: `The column ${names[label]} has ${labels.length} different values; classes may be 2 to 5.` };
      const points = rows.slice(0, most).map((row) => ({ x: Number(row[x]), y: Number(row[y]), k: labels.indexOf(row[label].trim()) }));
      return { points, left: Math.max(0, rows.length - most) };
    },
  };
}
