// The known words nearest to a word; a click asks about them in turn.

import { $, el, number } from "./dom.js";

export function showNear(found, go) {
  const { neighbours } = found.words[0];
  const list = el("ol", { class: "bars" }, ...neighbours.map(({ word, cosine }) => el("li", {},
    el("button", { class: "link", onclick: () => go(word) }, word),
    el("span", { class: "bar" }, el("span", { "--share": Math.max(0, cosine) })),
    el("span", { class: "value" }, number(cosine)))));
  $("#near .body").replaceChildren(neighbours.length ? list : el("p", { class: "quiet" }, "It has no vector, so it has no neighbours."));
}
