// Where a vector comes from: its source, how sure it is, and what it is made of.

import { $, closeness, el, percent } from "./dom.js";
import { SOURCES } from "./sources.js";

const SHOWN = 6;

export const badge = (source) => el("span", { class: `badge ${source}` }, source);

const STORED = "How good it is depends on how often the model saw the word: rare words, and old or very new meanings, have poorer vectors.";

// A stored vector is what it is: a confidence of 1 would read as praise.
export function confidence(source, value, meaning = ", the expected cosine to the vector that the word would have if it were known") {
  if (source === "none") return null;
  if (source === "known") return el("p", { class: "quiet stored" }, STORED);
  if (value === null) return el("p", { class: "quiet" }, "This model is not calibrated, so it gives no confidence.");
  const shown = closeness(value);
  return el("div", { class: "sure" },
    el("p", {}, "Confidence ", el("strong", {}, shown), el("span", { class: "quiet" }, meaning)),
    el("div", { class: "meter", role: "meter", "aria-label": "Confidence", "aria-valuemin": 0, "aria-valuemax": 1,
      "aria-valuenow": shown }, el("span", { "--share": Math.max(0, value) })));
}

export function shares(found) {
  const rows = found.candidates.map((candidate) => ({ name: candidate.word, share: candidate.share }));
  if (found.form_share >= 0.005) rows.push({ name: "its own spelling", share: found.form_share, own: true });
  rows.sort((one, other) => other.share - one.share);
  const shown = rows.slice(0, SHOWN);
  const rest = 1 - shown.reduce((sum, row) => sum + row.share, 0);
  if (shown.length && rest >= 0.005) shown.push({ name: "other words", share: rest, own: true });
  return shown.map((row) => ({ ...row, percent: percent(row.share) }));
}

export function showOrigin(found, go) {
  const made = shares(found);
  const read = found.read_as ?? found.spelt;
  const spelt = read !== found.word ? el("p", { class: "quiet" }, `Read as “${read}”.`) : null;
  $("#origin .body").replaceChildren(
    el("p", { class: "word" }, found.word, " ", badge(found.source)),
    ...(spelt ? [spelt] : []),
    el("p", {}, SOURCES[found.source]),
    ...[confidence(found.source, found.confidence)].filter(Boolean),
    ...(made.length ? [el("ul", { class: "bars", "aria-label": "What the vector is made of" },
      ...made.map((part) => el("li", {},
        part.own ? el("span", { class: "own" }, part.name) : el("button", { class: "link", onclick: () => go({ q: part.name }) }, part.name),
        el("span", { class: "bar" }, el("span", { "--share": part.share })),
        el("span", { class: "value" }, part.percent))))] : []));
}
