// The front page: how every word of a text is read, and the text put right.

import { ask } from "./api.js";
import { literal } from "./copies.js";
import { $, el } from "./dom.js";
import { showReading } from "./reading.js";
import { View, report } from "./view.js";

const EXAMPLES = [
  { shown: "typo", q: "my docter diagnosed leukamia" },
  { shown: "name", q: "Shakespear met Schwarzeneger in Edinburg" },
  { shown: "number", q: "the 3rd of 1,250 seats costs $5m" },
  { shown: "compound", q: "a well-beloved snow-clearing sidewalk robot" },
  { shown: "slang", q: "gonna grab sum fries b4 teh gig lol" },
  { shown: "emoji", q: "the flihgt was cancled 😡" },
  { shown: "foreign", q: "Das Krankenhaus in Москва" },
  { shown: "phrase", q: "a hart attack is a side effect" },
];

const view = new View(["q", "model"], async ({ q, model }, signal) => {
  if (!q.trim()) return null;
  const body = { texts: [q], model };
  const { texts: [read] } = await ask("read", body, signal);
  showReading(q, read.tokens);
  showCorrected(q, read.corrected);
  return {
    status: `${read.tokens.length} words read`,
    copies: { question: "read", body, model, python: [`for token in model.read(${literal(q)}):`, "    print(token.text, token.source, token.read_as)", `print(model.correct(${literal(q)}))`] },
  };
});

function showCorrected(text, corrected) {
  $("#corrected .body").replaceChildren(...(corrected === text
    ? [el("p", { class: "quiet" }, "Nothing was changed.")]
    : [el("p", { class: "said", dir: "auto" }, corrected), el("p", {}, el("button", { class: "plain", onclick: () => view.go({ q: corrected }) }, "Use it"))]));
}

view.start(EXAMPLES).catch((error) => report(error.message));
