// Search over a sample of sentences, the corpus of the service, or a file that was chosen here.

import { ask, get } from "./api.js";
import { literal } from "./copies.js";
import { $, closeness, el } from "./dom.js";
import { linesOf } from "./lines.js";
import { View, report } from "./view.js";

const EXAMPLES = [
  { kind: "typo", q: "forgoten pasword" },
  { kind: "name", q: "flihgt to Lisbonn" },
  { kind: "slang", q: "gonna get my money bak" },
  { kind: "foreign", q: "Krankenhaus" },
  { kind: "phrase", q: "blud cancer" },
];
const NEAREST = 8, SHOWN_IN_COPIES = 3;

let sample = [], chosen = null; // chosen: the lines of a file, and the id by which the service keeps them

const send = async (model, signal) => {
  if (chosen.id && chosen.model === model) return chosen.id;
  const kept = await ask("texts", { name: chosen.name, texts: chosen.texts, model }, signal);
  Object.assign(chosen, { id: kept.id, model });
  return kept.id;
};

// A service that was started again or has many files may have forgotten this one, and another of its processes never had it.
async function searchFile(body, signal) {
  try {
    return await ask("search", { ...body, among: await send(body.model, signal) }, signal);
  } catch (error) {
    if (error.status !== 404) throw error;
    chosen.id = null;
    return ask("search", { ...body, texts: chosen.texts }, signal);
  }
}

const view = new View(["q", "model"], async ({ q, model }, signal) => {
  tellSource(model);
  if (!q.trim()) return null;
  const body = { query: q, k: NEAREST, model }, inCorpus = view.info.corpus?.model === model;
  const found = await (chosen ? searchFile(body, signal) : ask("search", { ...body, ...(inCorpus ? {} : { texts: sample }) }, signal));
  showFound(found.results[0].found);
  const few = (chosen?.texts ?? sample).slice(0, SHOWN_IN_COPIES);
  return {
    status: `${found.results[0].found.length} texts found`,
    copies: {
      question: "search", body: inCorpus && !chosen ? body : { ...body, texts: few }, model,
      python: [`texts = ${literal(few)}  # and so on`, `print(model.nearest_texts(${literal(q)}, texts, ${NEAREST}))`],
    },
  };
});

const count = (texts) => texts.toLocaleString("en");

function sourceOf({ name, texts, encoding, partial }) {
  const read = encoding ? `, read as ${encoding}` : "";
  const many = texts.length === 1 ? "text" : "texts";
  return partial
    ? `The first ${texts.length === 1 ? "" : `${count(texts.length)} `}${many} of ${name}${read}; everyword serve --corpus searches all of a file.`
    : `${count(texts.length)} ${many} of ${name}${read}.`;
}

function tellSource(model) {
  const { corpus } = view.info;
  $("#sample").hidden = !chosen;
  $("#among").textContent = chosen ? sourceOf(chosen)
    : corpus?.model === model ? `${count(corpus.texts)} texts of ${corpus.name}.` : `The ${sample.length} sentences of a sample.`;
}

function showFound(found) {
  const list = el("ol", { class: "found" }, ...found.map(({ text, cosine }) => el("li", {},
    el("button", { class: "link", dir: "auto", onclick: () => view.go({ q: text }) }, text),
    el("span", { class: "bar" }, el("span", { "--share": Math.max(0, cosine) })),
    el("span", { class: "value" }, closeness(cosine)))));
  $("#found .body").replaceChildren(found.length ? list : el("p", { class: "quiet" }, "The query has no word with a vector, so nothing is near it."));
}

async function choose({ target }) {
  const [file] = target.files;
  if (!file) return;
  await view.telling(async () => {
    chosen = { ...await linesOf(file, view.info.limits), id: null };
    await view.ask();
  }, view.current.signal);
  target.value = ""; // so that the same file can be chosen again
}

view.start(EXAMPLES, async () => {
  sample = await get("/page/sentences.json");
  $("#file").addEventListener("change", choose);
  $("#sample").addEventListener("click", () => {
    chosen = null;
    view.ask();
  });
}).catch((error) => report(error.message));
