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
  const reports = await Promise.all(names.map((model) => reportOf(text, other.trim(), model, signal)));
  $("#columns").replaceChildren(...reports.map((one) => column(one, text)));
  addSimpler([tablesAlone(text, other.trim(), signal), correctorsAlone(text, names[0], signal)], signal);
  return {
    status: `${names.length} models compared`,
    copies: { question: "correct", body: { texts: [text] }, model: names[0], python: [`print(model.correct(${literal(text)}))`, ...(other.trim() ? [`print(model.similarity_of_texts(${literal(text)}, ${literal(other)}))`] : [])] },
  };
});

// What needs no model follows when it is there, or says why it is not: the first time the service has to build its indexes.
async function addSimpler(asked, signal) {
  const told = asked.map((cards) => cards.catch((error) => [el("p", { class: "quiet", role: "status" }, error.message)]));
  for (const cards of told) {
    const found = await cards;
    if (!signal.aborted) $("#columns").append(...found);
  }
}

async function correctorsAlone(text, model, signal) {
  const { corrections } = await ask("correct", { texts: [text], models: [model] }, signal);
  return corrections.filter((one) => one.kind === "corrector").map(corrector);
}

async function reportOf(text, other, model, signal) {
  const reading = ask("read", { texts: [text], model }, signal);
  const [{ texts: [read] }, cosine, near] = await Promise.all([
    reading,
    other ? ask("search", { query: text, texts: [other], model, k: 1 }, signal).then(({ results: [{ found: [first] }] }) => first?.cosine ?? null) : undefined,
    reading.then(({ texts: [{ tokens }] }) => (tokens.length === 1 ? ask("nearest", { words: [text], k: NEIGHBOURS, fold: true, model }, signal) : null)),
  ]);
  return { model, read, cosine, neighbours: near?.words[0].neighbours ?? null };
}

// What comes of tables alone, without a model: of the stored words of the first model, and of the served vector files.
async function tablesAlone(text, other, signal) {
  const { tables: [own, ...files] } = await ask("tables", { text, ...(other ? { other } : {}), k: NEIGHBOURS }, signal);
  return [...(own.cosines ? [tableOf(own, `The words of ${own.name} alone`)] : []), ...files.map((file) => tableOf(file, file.name))];
}

function tableOf({ words, dim, is_stored: stored, neighbours, cosines }, title) {
  const known = stored ? (neighbours.length ? `Near: ${neighbours.join(", ")}` : null) : "It is not stored as a word.";
  return el("section", { class: "card model", "aria-label": title },
    el("h2", {}, title),
    el("p", { class: "quiet" }, `${words.toLocaleString("en")} vectors of ${dim} numbers, without a model.`),
    ...(cosines ? [similarityTo(), legend(Object.fromEntries(Object.entries(cosines).map(([way, cosine]) => [way, cosine === null ? "no vector" : closeness(cosine)])), "Similarity by simpler methods")] : []),
    known ? el("p", { class: "quiet" }, known) : null);
}

const similarityTo = () => el("p", { class: "quiet" }, `Similarity to “${$("#other").value.trim()}”`);

const cosineOf = (cosine, model) => (cosine === undefined ? [] : [
  similarityTo(),
  el("p", { class: "big" }, cosine === null ? "–" : closeness(cosine)),
  cosine === null
    ? el("p", { class: "quiet" }, "One of the two has no vector.")
    : el("div", { class: "meter", role: "meter", "aria-label": `Similarity in ${model}`, "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": cosine.toFixed(2) }, el("span", { "--share": Math.max(0, cosine) }))]);

const correction = (made, text) => el("p", {}, made === text ? el("span", { class: "quiet" }, "Nothing was changed.") : el("span", {}, "Corrected: ", el("strong", {}, made)));

function column({ model, read, cosine, neighbours }, text) {
  const source = neighbours ? badge(read.tokens[0].source) : null;
  return el("section", { class: "card model", "aria-label": model },
    el("h2", {}, model), ...cosineOf(cosine, model),
    el("p", { class: "said", dir: "auto" }, ...markedText(text, read.tokens), " ", source),
    correction(read.corrected, text),
    neighbours ? el("p", { class: "quiet" }, `Near: ${neighbours.map((near) => near.word).join(", ") || "nothing"}`) : null,
    el("p", {}, el("a", { href: `/#${new URLSearchParams({ q: text, model })}` }, "Word by word")));
}

const corrector = ({ by, texts, note }) => el("section", { class: "card model", "aria-label": by },
  el("h2", {}, by), el("p", { class: "quiet" }, "A spelling corrector: words in, words out, no vectors."),
  texts ? correction(texts[0], $("#q").value.trim()) : el("p", {}, note));

view.start(EXAMPLES).catch((error) => report(error.message));
