// The known words nearest to a word, of its own model or of another one of the same space; a click asks about them.

import { $, el, number } from "./dom.js";

// Offers the served models whose vectors are as long as those of the chosen one, which comes first.
export function offerModels(models, chosen) {
  const { dim } = models.find((model) => model.name === chosen);
  const fitting = models.filter((model) => model.dim === dim && model.name !== chosen).map((model) => model.name);
  const before = $("#among").value;
  $("#among").replaceChildren(...[chosen, ...fitting].map((value) => el("option", { value }, value)));
  if (fitting.includes(before)) $("#among").value = before;
  $("#among-choice").hidden = !fitting.length;
}

export function showNear(found, go) {
  const { neighbours } = found.words[0];
  const list = el("ol", { class: "bars" }, ...neighbours.map(({ word, cosine }) => el("li", {},
    el("button", { class: "link", onclick: () => go(word) }, word),
    el("span", { class: "bar" }, el("span", { "--share": Math.max(0, cosine) })),
    el("span", { class: "value" }, number(cosine)))));
  $("#near .body").replaceChildren(neighbours.length ? list : el("p", { class: "quiet" }, "It has no vector, so it has no neighbours."));
}
