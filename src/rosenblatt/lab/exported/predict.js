// predict(text) with the model beside this file, in a page or in node.
import { load } from "./core.js";
import { TextModel } from "./text_models.js";

async function bytesOf(name) {
  const url = new URL(name, import.meta.url);
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  const bytes = await readFile(url);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

await load(await bytesOf("core.wasm"));

/** The model itself: classes, explain(text), top(class). */
export const model = await TextModel.read(await bytesOf("model.rbt"));

/** The label of a text, or its labels where it may have several, and the score of each. */
export function predict(text) {
  const { scores: numbers, winner, given } = model.explain(text);
  const scores = Object.fromEntries(model.classes.map((name, k) => [name, numbers[k]]));
  return model.thresholds ? { labels: model.classes.filter((_, k) => given[k]), scores } : { label: model.classes[winner], scores };
}
