// Search over a sample of sentences, the corpus of the service, or a file that was chosen here.

import { ask, get } from "./api.js";
import { literal } from "./copies.js";
import { $, el, number } from "./dom.js";
import { View, report } from "./view.js";

const EXAMPLES = [
  { kind: "typo", q: "forgoten pasword" },
  { kind: "name", q: "flihgt to Lisbonn" },
  { kind: "slang", q: "gonna get my money bak" },
  { kind: "foreign", q: "Krankenhaus" },
  { kind: "phrase", q: "blud cancer" },
];
const NEAREST = 8, SHOWN_IN_COPIES = 3;

let sample = [], chosen = null; // chosen: the name and the lines of a file, and the id by which the service keeps them

const send = async (model, signal) => {
  if (chosen.id && chosen.model === model) return chosen.id;
  const kept = await ask("texts", { name: chosen.name, texts: chosen.texts, model }, signal);
  Object.assign(chosen, { id: kept.id, model });
  return kept.id;
};

// A service that was started again, or has many files, may have forgotten this one.
async function searchFile(body, signal) {
  try {
    return await ask("search", { ...body, among: await send(body.model, signal) }, signal);
  } catch (error) {
    if (error.status !== 404) throw error;
    chosen.id = null;
    return ask("search", { ...body, among: await send(body.model, signal) }, signal);
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

function tellSource(model) {
  const { corpus } = view.info, count = (texts) => texts.toLocaleString("en");
  $("#sample").hidden = !chosen;
  $("#among").textContent = chosen
    ? `${count(chosen.texts.length)} texts of ${chosen.name}${chosen.more ? `, the first of ${count(chosen.more)}; everyword serve --corpus searches all of them` : ""}.`
    : corpus?.model === model ? `${count(corpus.texts)} texts of ${corpus.name}.` : `The ${sample.length} sentences of a sample.`;
}

function showFound(found) {
  const list = el("ol", { class: "found" }, ...found.map(({ text, cosine }) => el("li", {},
    el("button", { class: "link", onclick: () => view.go({ q: text }) }, text),
    el("span", { class: "bar" }, el("span", { "--share": Math.max(0, cosine) })),
    el("span", { class: "value" }, number(cosine)))));
  $("#found .body").replaceChildren(found.length ? list : el("p", { class: "quiet" }, "The query has no word with a vector, so nothing is near it."));
}

// As many lines as the service takes at once, in texts and in bytes.
function fitting(lines, { texts, body_bytes: bytes, text_length: longest }) {
  const kept = [];
  let size = 500; // for all that is not text
  for (const line of lines.slice(0, texts).map((one) => [...one].slice(0, longest).join(""))) {
    size += new TextEncoder().encode(JSON.stringify(line)).length + 1;
    if (size > bytes) break;
    kept.push(line);
  }
  return kept;
}

async function choose(file) {
  const lines = (await file.text()).split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  if (!lines.length) throw new Error(`${file.name} has no text.`);
  const texts = fitting(lines, view.info.limits);
  chosen = { name: file.name.slice(0, 200), texts, more: texts.length < lines.length ? lines.length : 0, id: null };
  return view.ask();
}

view.start(EXAMPLES, async () => {
  sample = await get("/page/sentences.json");
  $("#file").addEventListener("change", (event) => event.target.files.length && choose(event.target.files[0]).catch((error) => report(error.message)));
  $("#sample").addEventListener("click", () => {
    [chosen, $("#file").value] = [null, ""];
    view.ask();
  });
}).catch((error) => report(error.message));
