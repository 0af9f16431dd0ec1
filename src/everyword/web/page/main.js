// The page: one question, one word in focus, and cards that each show one thing about it.

import { ask, get } from "./api.js";
import { Breaking } from "./breaking.js";
import { startCompare } from "./compare.js";
import { showCurves } from "./curves.js";
import { $, el, later } from "./dom.js";
import { showMap } from "./map.js";
import { offerModels, showNear } from "./near.js";
import { showOrigin } from "./origin.js";
import { showUnits } from "./units.js";
import { wordsOf } from "./words.js";

const EXAMPLES = ["mispelling", "leukamia", "untweetable", "suvenir", "teh docter writes a perscription"];
const NEIGHBOURS = 10, ON_THE_MAP = 24;

const question = $("#question");
const breaking = new Breaking(report);
let current = new AbortController();
let served = [];

function report(problem, status = "") {
  $("#problem").textContent = problem;
  $("#problem").hidden = !problem;
  question.setAttribute("aria-invalid", Boolean(problem));
  $("#status").textContent = status;
}

function go(text) {
  question.value = text;
  question.focus();
  look();
  scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

// Asks where the words come from, then shows the first one that the model has to make, or the first one at all.
async function look() {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const words = wordsOf(question.value), model = $("#model").value;
  remember(question.value, model);
  if (!words.length) {
    report("");
    $("#answer").hidden = true;
    $("#words").hidden = true;
    return;
  }
  $("#answer").setAttribute("aria-busy", "true");
  await telling(async () => {
    const found = await ask("explain", { words, model }, signal);
    showWords(found.words, model, signal);
    const first = found.words.find((word) => word.source !== "known") ?? found.words[0];
    await focus(first, model, signal);
  }, signal);
}

function showWords(words, model, signal) {
  $("#words").hidden = words.length < 2;
  $("#words").replaceChildren(...words.map((word) => el("button", {
    class: `chip ${word.source}`, "aria-pressed": "false", "data-word": word.word,
    onclick: () => telling(() => focus(word, model, signal), signal),
  }, word.word, el("small", {}, word.source))));
}

async function focus(explained, model, signal) {
  const { word } = explained;
  for (const chip of $("#words").children) chip.setAttribute("aria-pressed", String(chip.dataset.word === word));
  report("", `${word}: ${explained.source}`);
  showOrigin(explained, go);
  $("#answer").hidden = false;
  await Promise.all([
    drawNear(word, model, signal),
    drawMap(word, model, signal),
    ask("units", { word, model }, signal).then(showUnits),
    breaking.show(explained, model, signal),
  ]);
}

// A neighbour of another model is asked of that model.
async function drawNear(word, model, signal) {
  const among = $("#among").value || model, other = among !== model;
  const found = await ask("nearest", { words: [word], k: NEIGHBOURS, model, ...(other ? { among } : {}) }, signal);
  showNear(found, (next) => {
    if (other) choose(among);
    go(next);
  });
}

function choose(model) {
  $("#model").value = model;
  offerModels(served, model);
}

async function drawMap(word, model, signal) {
  const method = $("#method").value || "pca";
  try {
    showMap(await ask("map", { words: [word], k: ON_THE_MAP, method, model }, signal), go);
  } catch (error) {
    if (!error.again) throw error;
    $("#map .body").replaceChildren(el("p", { class: "quiet" }, error.message));
    setTimeout(() => signal.aborted || telling(() => drawMap(word, model, signal), signal), 1000 * error.again);
  }
}

async function telling(action, signal) {
  try {
    await action();
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) report(error.message);
  } finally {
    if (!signal.aborted) $("#answer").removeAttribute("aria-busy");
  }
}

function remember(text, model) {
  const among = $("#among").value;
  const kept = new URLSearchParams({ q: text, model, ...(among && among !== model ? { among } : {}) });
  history.replaceState(null, "", text ? `#${kept}` : location.pathname);
}

function options(select, values) {
  select.replaceChildren(...values.map((value) => el("option", { value }, value)));
}

async function start() {
  const info = await get("/v1/info");
  served = info.models;
  options($("#model"), served.map((model) => model.name));
  options($("#method"), info.projections);
  $("#method-choice").hidden = info.projections.length < 2;
  $("#examples").replaceChildren(...EXAMPLES.map((text) => el("button", { class: "plain", onclick: () => go(text) }, text)));
  const asked = new URLSearchParams(location.hash.slice(1));
  choose(served.some((model) => model.name === asked.get("model")) ? asked.get("model") : $("#model").value);
  if (served.some((model) => model.name === asked.get("among"))) $("#among").value = asked.get("among");
  question.value = asked.get("q") || EXAMPLES[0];
  question.addEventListener("input", later(look));
  $("#model").addEventListener("change", () => {
    choose($("#model").value);
    look();
  });
  $("#among").addEventListener("change", look);
  $("#method").addEventListener("change", look);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    question.focus();
    question.select();
  });
  await Promise.all([look(), startCompare(), showCurves()]);
}

start().catch((error) => report(error.message));
