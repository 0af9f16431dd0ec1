// The known words nearest to a word, of its own model or of another one of the same space; a click asks about them.

import { $, closeness, el } from "./dom.js";
import { fillSelect } from "./view.js";

// Offers the served models whose vectors are as long as those of the chosen one, which comes first.
export function offerModels(models, chosen) {
  const { dim } = models.find((model) => model.name === chosen);
  const fitting = models.filter((model) => model.dim === dim && model.name !== chosen).map((model) => model.name);
  const before = $("#among").value;
  fillSelect($("#among"), ["", ...fitting], [chosen, ...fitting]);
  if (fitting.includes(before)) $("#among").value = before;
  $("#among-choice").hidden = !fitting.length;
}

const row = ({ word, cosine }, go, more = null) => el("li", {},
  el("span", { class: "name" }, el("button", { class: "link", onclick: () => go(word) }, word), more),
  el("span", { class: "bar" }, el("span", { "--share": Math.max(0, cosine) })),
  el("span", { class: "value" }, closeness(cosine)));

// One line for a stem; its other forms are a click away.
function rows(neighbour, go) {
  const { same_stem: others } = neighbour;
  if (!others?.length) return [row(neighbour, go)];
  const hidden = others.map((other) => Object.assign(row(other, go), { className: "inner", hidden: true }));
  const more = el("button", { class: "more", "aria-expanded": "false", title: others.map((other) => other.word).join(", "), onclick: () => {
    const open = more.getAttribute("aria-expanded") === "false";
    more.setAttribute("aria-expanded", String(open));
    for (const line of hidden) line.hidden = !open;
  } }, `+ ${others.length} ${others.length === 1 ? "form" : "forms"}`);
  return [row(neighbour, go, more), ...hidden];
}

export const neighbourList = (neighbours, go) => (neighbours.length
  ? el("ol", { class: "bars folded" }, ...neighbours.flatMap((neighbour) => rows(neighbour, go)))
  : el("p", { class: "quiet" }, "It has no vector, so it has no neighbours."));
