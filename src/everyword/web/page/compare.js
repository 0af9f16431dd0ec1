// Two words, in every model side by side.

import { ask } from "./api.js";
import { $, el, later, number } from "./dom.js";
import { badge } from "./origin.js";

function column(model) {
  const [[, cosine]] = model.cosines;
  return el("section", { class: "model", "aria-label": model.model },
    el("p", { class: "big" }, number(cosine)),
    el("div", { class: "meter", role: "meter", "aria-label": `Similarity in ${model.model}`, "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": number(cosine).replace("−", "-") },
      el("span", { "--share": Math.max(0, cosine) })),
    el("p", { class: "quiet" }, model.model),
    ...model.words.map((word) => el("div", {},
      el("p", {}, el("strong", {}, word.word), " ", badge(word.source)),
      el("p", { class: "quiet" }, word.neighbours.map((near) => near.word).join(", ") || "no neighbours"))));
}

export function startCompare() {
  let current = null;
  const show = async () => {
    const words = [$("#first").value.trim(), $("#second").value.trim()];
    const body = $("#compare .body");
    current?.abort();
    current = new AbortController();
    if (!words.every(Boolean)) return body.replaceChildren(el("p", { class: "quiet" }, "Enter two words."));
    try {
      const { models } = await ask("compare", { words, k: 4 }, current.signal);
      body.replaceChildren(el("div", { class: "models" }, ...models.map(column)));
    } catch (error) {
      if (error.name !== "AbortError") body.replaceChildren(el("p", { class: "problem" }, error.message));
    }
  };
  $("#compare form").addEventListener("submit", (event) => event.preventDefault());
  $("#compare form").addEventListener("input", later(show, 250));
  return show();
}
