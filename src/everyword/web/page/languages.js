// A word of any language among English words, words of other languages, and words of other models of the same space.

import { ask } from "./api.js";
import { literal } from "./copies.js";
import { $, el } from "./dom.js";
import { neighbourList } from "./near.js";
import { View, report } from "./view.js";

const EXAMPLES = [
  { kind: "German", q: "Krankenhaus" },
  { kind: "French", q: "bibliothèque" },
  { kind: "Spanish", q: "zanahoria" },
  { kind: "Russian", q: "известный" },
  { kind: "typo", q: "Krankenhuas" },
  { kind: "English", q: "bread" },
];
const NEIGHBOURS = 10;
const SAYS_HOW = "To look words up in further models, serve several of the same space: everyword serve --model everyword-en --model FOLDER.";

const view = new View(["q", "model"], async ({ q, model }, signal) => {
  const word = q.trim(), served = view.info.models, { dim, foreign_words: foreign } = served.find((one) => one.name === model);
  if (!word) return null;
  const nearest = (more) => ask("nearest", { words: [word], k: NEIGHBOURS, fold: true, model, ...more }, signal).then((found) => found.words[0].neighbours);
  const others = served.filter((one) => one.name !== model && one.dim === dim).map((one) => one.name);
  const [near, everywhere, ...elsewhere] = await Promise.all([
    nearest({}), foreign ? nearest({ foreign: true, k: 3 * NEIGHBOURS }) : null, ...others.map((among) => nearest({ among }))]);
  const english = new Set(near.flatMap((one) => [one.word, ...one.same_stem.map((other) => other.word)]));
  const go = (next) => view.go({ q: next });
  $("#near .body").replaceChildren(neighbourList(near, go));
  $("#foreign .body").replaceChildren(...(everywhere
    ? foreignList(everywhere.filter((one) => !english.has(one.word)).slice(0, NEIGHBOURS), go)
    : [el("p", { class: "quiet" }, `${model} stores no words of other languages.`)]));
  $("#others").replaceChildren(...others.map((name, place) => el("section", { class: "card", "aria-label": `Neighbours in ${name}` },
    el("h2", {}, `Neighbours in ${name}`), el("div", { class: "body" }, neighbourList(elsewhere[place], (next) => view.go({ q: next, model: name }))))),
    el("p", { class: "quiet wide" }, SAYS_HOW));
  return {
    status: `${word}: ${near[0]?.word ?? "no neighbours"}`,
    copies: { question: "nearest", body: { words: [word], k: NEIGHBOURS, foreign: true, model }, model, python: [`print(model.nearest(${literal(word)}))`, `print(model.nearest(${literal(word)}, foreign=True))`] },
  };
});

const ONE_VECTOR = 0.999;

const foreignList = (neighbours, go) => [
  neighbourList(neighbours, go),
  neighbours.some(({ cosine }) => cosine >= ONE_VECTOR) ? el("p", { class: "quiet" }, "Translations of one word are stored with one vector, so their cosine is 1.") : null,
].filter(Boolean);

view.start(EXAMPLES).catch((error) => report(error.message));
