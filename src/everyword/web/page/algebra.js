// Words that are added, taken away, or joined by operators.

import { ask } from "./api.js";
import { literal } from "./copies.js";
import { $, closeness, el, wordLink } from "./dom.js";
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
  const link = (word) => el("a", { href: wordLink(word, model) }, word);
  return measure === "cosine" ? [
    el("ol", { class: "bars folded" }, ...neighbours.map(({ word, value }) => el("li", {},
      link(word), el("span", { class: "bar" }, el("span", { "--share": Math.max(0, value) })), el("span", { class: "value" }, closeness(value))))),
    el("p", { class: "quiet" }, "Cosine to the sum of the words' directions."),
  ] : [
    el("ol", { class: "ranks" }, ...neighbours.map(({ word }) => el("li", {}, link(word)))),
    el("p", { class: "quiet" }, "The closest first, by the cross-entropy of feature tuples, among the 100,000 most frequent words. Their values differ by so little that only the order says something."),
  ];
}

view.start(EXAMPLES).catch((error) => report(error.message));
