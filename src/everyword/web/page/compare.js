// The same word or text, read by every model and by a spelling corrector, side by side.

import { ask } from "./api.js";
import { legend } from "./chart.js";
import { literal } from "./copies.js";
import { $, closeness, el } from "./dom.js";
import { badge } from "./origin.js";
import { markedText } from "./reading.js";
import { View, report } from "./view.js";

const EXAMPLES = [
  { kind: "typo", q: "docter", other: "doctor" },
  { kind: "name", q: "Schwarzeneger", other: "Terminator" },
  { kind: "compound", q: "snow-clearing", other: "shovel" },
  { kind: "slang", q: "gonna", other: "going to" },
  { kind: "emoji", q: "😡", other: "angry" },
  { kind: "text", q: "i herd teh consert was cancled", other: "the gig was called off" },
];
const NEIGHBOURS = 4;

const view = new View(["q", "other"], async ({ q, other }, signal) => {
  const text = q.trim(), names = view.info.models.map((model) => model.name);
  if (!text) return null;
  const [corrected, simpler, ...reports] = await Promise.all([ask("correct", { texts: [text] }, signal), simplerMethods(text, other.trim(), signal), ...names.map((model) => reportOf(text, other.trim(), model, signal))]);
  const by = Object.fromEntries(corrected.corrections.map((one) => [one.by, one]));
  $("#columns").replaceChildren(...reports.map((one) => column(one, text, by[one.model])), ...simpler, ...corrected.corrections.filter((one) => one.kind === "corrector").map(corrector));
  return {
    status: `${names.length} models compared`,
    copies: { question: "correct", body: { texts: [text] }, model: names[0], python: [`print(model.correct(${literal(text)}))`, ...(other.trim() ? [`print(model.similarity_of_texts(${literal(text)}, ${literal(other)}))`] : [])] },
  };
});

async function reportOf(text, other, model, signal) {
  const reading = ask("read", { texts: [text], model }, signal);
  const [{ texts: [read] }, cosine, near] = await Promise.all([
    reading,
    other ? ask("search", { query: text, texts: [other], model, k: 1 }, signal).then(({ results: [{ found: [first] }] }) => first?.cosine ?? null) : undefined,
    reading.then(({ texts: [{ tokens }] }) => (tokens.length === 1 ? ask("nearest", { words: [text], k: NEIGHBOURS, fold: true, model }, signal) : null)),
  ]);
  return { model, read, cosine, neighbours: near?.words[0].neighbours ?? null };
}

// What comes of the stored table alone, without a model: for words only.
async function simplerMethods(text, other, signal) {
  const longest = view.info.limits.word_length;
  if (!other || /\s/.test(text + other) || Math.max(text.length, other.length) > longest) return [];
  const { model, variants: [{ spelling, pieces, lookup }] } = await ask("typos", { word: other, variants: [text] }, signal);
  const values = { spelling, pieces, lookup };
  return [el("section", { class: "card model", "aria-label": "The table alone" },
    el("h2", {}, "The table alone"), el("p", { class: "quiet" }, `Simpler methods with the stored words of ${model}.`),
    legend(Object.fromEntries(Object.entries(values).map(([way, cosine]) => [way, cosine === null ? "no vector" : closeness(cosine)])), "Similarity by simpler methods"))];
}

const cosineOf = (cosine, model) => (cosine === undefined ? [] : [
  el("p", { class: "quiet" }, `Similarity to “${$("#other").value.trim()}”`),
  el("p", { class: "big" }, cosine === null ? "–" : closeness(cosine)),
  cosine === null
    ? el("p", { class: "quiet" }, "One of the two has no vector.")
    : el("div", { class: "meter", role: "meter", "aria-label": `Similarity in ${model}`, "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": cosine.toFixed(2) }, el("span", { "--share": Math.max(0, cosine) }))]);

const correction = (made, text) => el("p", {}, made === text ? el("span", { class: "quiet" }, "Nothing to correct.") : el("span", {}, "Corrected: ", el("strong", {}, made)));

function column({ model, read, cosine, neighbours }, text, corrected) {
  const source = neighbours ? badge(read.tokens[0].source) : null;
  return el("section", { class: "card model", "aria-label": model },
    el("h2", {}, model), ...cosineOf(cosine, model),
    el("p", { class: "said", dir: "auto" }, ...markedText(text, read.tokens), " ", source),
    correction(corrected.texts[0], text),
    neighbours ? el("p", { class: "quiet" }, `Near: ${neighbours.map((near) => near.word).join(", ") || "nothing"}`) : null,
    el("p", {}, el("a", { href: `/#${new URLSearchParams({ q: text, model })}` }, "Word by word")));
}

const corrector = ({ by, texts, note }) => el("section", { class: "card model", "aria-label": by },
  el("h2", {}, by), el("p", { class: "quiet" }, "A spelling corrector: words in, words out, no vectors."),
  texts ? correction(texts[0], $("#q").value.trim()) : el("p", {}, note));

view.start(EXAMPLES).catch((error) => report(error.message));
