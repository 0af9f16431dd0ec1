// Words that are added, taken away, or joined by operators.

import { ask } from "./api.js";
import { literal } from "./copies.js";
import { $, el, number } from "./dom.js";
import { View, report } from "./view.js";

const EXAMPLES = [
  { shown: "king + woman − man", positive: "king, woman", negative: "man", expression: "" },
  { shown: "Paris + Germany − France", positive: "Paris, Germany", negative: "France", expression: "" },
  { shown: "docter + animal", positive: "docter, animal", negative: "", expression: "" },
  { shown: "noble & metal", positive: "", negative: "", expression: "noble & metal" },
  { shown: "(rose | violet) & ~colour", positive: "", negative: "", expression: "(rose | violet) & ~colour" },
];
const NEIGHBOURS = 10;

const wordsOf = (list) => list.split(",").map((word) => word.trim()).filter(Boolean);

const view = new View(["positive", "negative", "expression", "model"], async ({ positive, negative, expression, model }, signal) => {
  const added = wordsOf(positive), taken = wordsOf(negative), joined = expression.trim();
  if (!added.length && !taken.length && !joined) return null;
  const question = { ...(added.length || taken.length ? { positive: added, negative: taken } : {}), ...(joined ? { expression: joined } : {}) };
  const body = { ...question, k: NEIGHBOURS, model }, found = await ask("algebra", body, signal);
  $("#sum").textContent = joined || [added.join(" + "), ...taken].join(" − ");
  $("#near .body").replaceChildren(...closest(found, model));
  return { status: `${found.neighbours.length} words found`, copies: { question: "algebra", body, model, python: pythonOf(added, taken, joined) } };
});

const pythonOf = (added, taken, joined) => (joined
  ? ["from everyword.space.fuzzy import FuzzySpace", "", `print(FuzzySpace(model).nearest(${literal(joined)}))`]
  : [`print(model.nearest(positive=${literal(added)}, negative=${literal(taken)}))`]);

function closest({ measure, neighbours }, model) {
  if (!neighbours.length) return [el("p", { class: "quiet" }, "None of the words has a vector, so nothing is close.")];
  const [best] = neighbours, share = (value) => (measure === "cosine" ? Math.max(0, value) : best.value / value);
  return [
    el("ol", { class: "bars folded" }, ...neighbours.map(({ word, value }) => el("li", {},
      el("a", { href: `/word#${new URLSearchParams({ q: word, model })}` }, word),
      el("span", { class: "bar" }, el("span", { "--share": share(value) })),
      el("span", { class: "value" }, measure === "cosine" ? number(value) : value.toPrecision(4))))),
    el("p", { class: "quiet" }, measure === "cosine"
      ? "Cosine to the sum of the words' directions."
      : "Cross-entropy of the joined words and each of the 100,000 most frequent words, as tuples of features; the smallest is closest.")];
}

view.start(EXAMPLES).catch((error) => report(error.message));
