// The page of one model.
import { TextView } from "./text.js";

/** Shows a model once it is there, or why it cannot be. */
export async function show(reading) {
  const told = document.getElementById("told");
  try {
    const model = await reading;
    told.remove();
    const view = new TextView(document.getElementById("text"), { model, change: ({ text }) => view.show({ text }) });
    view.show({ text: "" });
    document.body.dataset.ready = "yes";
  } catch (error) {
    told.textContent = error.message;
  }
}
