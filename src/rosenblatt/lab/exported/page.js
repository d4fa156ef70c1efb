// The page of one model.
import { TextView } from "./text.js";

const box = document.getElementById("text"), told = document.getElementById("told");
try {
  const { model } = await import("./predict.js");
  told.remove();
  const view = new TextView(box, { model, change: ({ text }) => view.show({ text }) });
  view.show({ text: "" });
  document.body.dataset.ready = "yes";
} catch (error) {
  told.textContent = error.message;
}
