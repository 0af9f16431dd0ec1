// One word in focus, and cards that each show one thing about it.

import { ask } from "./api.js";
import { Breaking } from "./breaking.js";
import { literal } from "./copies.js";
import { showCurves } from "./curves.js";
import { $, el, wordLink } from "./dom.js";
import { neighbourList, offerModels } from "./near.js";
import { showOrigin } from "./origin.js";
import { showMap } from "./plane.js";
import { showUnits } from "./units.js";
import { View, fillSelect, report } from "./view.js";

const EXAMPLES = [
  { kind: "typo", q: "mispelling" },
  { kind: "name", q: "Schwarzeneger" },
  { kind: "number", q: "$5m" },
  { kind: "compound", q: "snow-clearing" },
  { kind: "slang", q: "gonna" },
  { kind: "emoji", q: "😡" },
  { kind: "foreign", q: "Krankenhaus" },
  { kind: "phrase", q: "heart attack" },
  { kind: "made up", q: "untweetable" },
];
const NEIGHBOURS = 10, ON_THE_MAP = 24;

const breaking = new Breaking(report);
const go = (question) => view.go({ word: "", ...question });

// The words are those that the library reads: what is stored as a whole is one word, and so is what has none.
async function wordsOf(text, model, signal) {
  const short = text.length <= view.info.limits.word_length;
  const [{ texts: [read] }, { words: [whole] }] = await Promise.all([
    ask("read", { texts: [text], model }, signal), short ? ask("explain", { words: [text], model }, signal) : { words: [] }]);
  if (whole && (whole.source === "known" || !read.tokens.length)) return [whole];
  const words = read.tokens.length ? read.tokens.map((token) => token.text) : [text];
  return (await ask("explain", { words, model }, signal)).words;
}

const view = new View(["q", "model", "among", "method", "word"], async ({ q, model, method, word: chosen }, signal) => {
  offerModels(view.info.models, model);
  const text = q.trim(), among = $("#among").value;
  if (!text) return null;
  const show = (word) => Promise.all([
    ask("nearest", { words: [word], k: NEIGHBOURS, fold: true, model, ...(among ? { among } : {}) }, signal).then(drawNear),
    drawMap({ words: [word], k: ON_THE_MAP, method: method || "pca", model }, signal),
    ask("units", { word, model }, signal).then(showUnits),
    showCurves(model),
  ]);
  const focus = async (explained) => {
    for (const chip of $("#words").children) chip.setAttribute("aria-pressed", String(chip.dataset.word === explained.word));
    showOrigin(explained, go);
    await Promise.all([show(explained.word), breaking.show(explained, model, signal)]);
    return explained;
  };
  const words = await wordsOf(text, model, signal);
  showWords(words);
  const { word, source } = await focus(words.find((one) => one.word === chosen) ?? words.find((one) => one.source !== "known") ?? words[0]);
  const other = among ? `, among=everyword.load(${literal(among)})` : "";
  return {
    status: `${word}: ${source}`,
    copies: {
      question: "nearest", body: { words: [word], k: NEIGHBOURS, model, ...(among ? { among } : {}) }, model,
      python: [`print(model.explain(${literal(word)}))`, `print(model.nearest(${literal(word)}${other}))`],
    },
  };
});

view.before = ({ model }) => {
  if (view.info.models.some((one) => one.name === model)) offerModels(view.info.models, model);
};

// A plain click on a link is a question; any other one may open it elsewhere.
function goInstead(event, q) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go({ q });
}

// A neighbour of another model is asked of that model.
function drawNear(found) {
  const among = $("#among").value;
  $("#near .body").replaceChildren(neighbourList(found.words[0].neighbours, (q) => go({ q, ...(among ? { model: among, among: "" } : {}) })));
}

// The chips are drawn anew with the answer, so the chosen one gets the focus back.
async function choose(word) {
  view.put({ word });
  await view.look();
  $("#words [aria-pressed=true]")?.focus({ preventScroll: true });
}

function showWords(words) {
  $("#words").hidden = words.length < 2;
  $("#words").replaceChildren(...words.map((word) => el("button", {
    class: `chip ${word.source}`, "aria-pressed": "false", "data-word": word.word, onclick: () => choose(word.word),
  }, word.word, el("small", {}, word.source))));
}

async function drawMap(body, signal) {
  try {
    showMap(await ask("map", body, signal), (q) => ({ href: wordLink(q, body.model), onclick: (event) => goInstead(event, q) }));
  } catch (error) {
    if (!error.again) throw error;
    $("#map .body").replaceChildren(el("p", { class: "quiet" }, error.message));
    setTimeout(() => signal.aborted || view.telling(() => drawMap(body, signal), signal), 1000 * error.again);
  }
}

view.start(EXAMPLES, (info) => {
  fillSelect($("#method"), info.projections, info.projections.map((name) => name.toUpperCase()));
  $("#method-choice").hidden = info.projections.length < 2;
  offerModels(info.models, info.models[0].name);
}).catch((error) => report(error.message));
