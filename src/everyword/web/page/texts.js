// The page for texts: how every word of a text is read, and the sentences that are nearest to it.

import { ask, get } from "./api.js";
import { $, el, later, number } from "./dom.js";
import { showReading } from "./reading.js";

const EXAMPLES = [
  "my docter diagnosed leukamia",
  "Teh flihgt was cancled 2 hrs b4 takeoff 😡",
  "a $5m café in Москва #luxury",
  "how do i reste my pasword",
  "untweetable vibes at the consert",
];
const NEAREST = 6;

const field = $("#text");
let current = new AbortController(), sample = [], corpus = null;

function report(problem, status = "") {
  $("#problem").textContent = problem;
  $("#problem").hidden = !problem;
  field.setAttribute("aria-invalid", Boolean(problem));
  $("#status").textContent = status;
}

function go(text) {
  history.pushState(null, "", location.href); // Back leads to the text before
  field.value = text;
  field.focus();
  look();
  scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

async function look() {
  current.abort();
  current = new AbortController();
  const { signal } = current, text = field.value, model = $("#model").value;
  history.replaceState(null, "", text ? `#${new URLSearchParams({ q: text, model })}` : location.pathname);
  if (!text.trim()) {
    report("");
    $("#answer").hidden = true;
    return;
  }
  const inCorpus = corpus?.model === model;
  $("#answer").setAttribute("aria-busy", "true");
  try {
    const reading = ask("read", { texts: [text], model }, signal);
    const finding = ask("search", { query: text, k: NEAREST, model, ...(inCorpus ? {} : { texts: sample }) }, signal);
    finding.catch(() => {}); // where both fail, the problem of the reading is told
    const read = await reading, found = await finding;
    showReading(text, read.texts[0].tokens);
    showCorrected(text, read.texts[0].corrected);
    showFound(found.results[0].found, inCorpus);
    $("#answer").hidden = false;
    report("", `${read.texts[0].tokens.length} words read`);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    $("#answer").hidden = true; // an older answer beside a problem would be taken for the answer
    report(error.message);
  } finally {
    if (!signal.aborted) $("#answer").removeAttribute("aria-busy");
  }
}

function showCorrected(text, corrected) {
  $("#corrected").hidden = corrected === text;
  $("#corrected .body").replaceChildren(
    el("p", { class: "said" }, corrected),
    el("p", {}, el("button", { class: "plain", onclick: () => go(corrected) }, "Use it")));
}

function showFound(found, inCorpus) {
  $("#among").textContent = inCorpus ? `Among ${corpus.texts.toLocaleString("en")} texts of ${corpus.name}.` : `Among the ${sample.length} sentences of a sample.`;
  const list = el("ol", { class: "found" }, ...found.map(({ text, cosine }) => el("li", {},
    el("button", { class: "link", onclick: () => go(text) }, text),
    el("span", { class: "bar" }, el("span", { "--share": Math.max(0, cosine) })),
    el("span", { class: "value" }, number(cosine)))));
  $("#found .body").replaceChildren(found.length ? list : el("p", { class: "quiet" }, "The text has no word with a vector, so nothing is near it."));
}

function fromAddress(models) {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (models.includes(asked.get("model"))) $("#model").value = asked.get("model");
  field.value = asked.get("q") || EXAMPLES[0];
  return look();
}

async function start() {
  const [info, sentences] = await Promise.all([get("/v1/info"), get("/page/sentences.json")]);
  [sample, corpus] = [sentences, info.corpus];
  const models = info.models.map((model) => model.name);
  $("#model").replaceChildren(...models.map((value) => el("option", { value }, value)));
  $("#examples").replaceChildren(...EXAMPLES.map((text) => el("button", { class: "plain", onclick: () => go(text) }, text)));
  field.addEventListener("input", later(look));
  $("#model").addEventListener("change", look);
  addEventListener("popstate", () => fromAddress(models));
  await fromAddress(models);
}

start().catch((error) => report(error.message));
