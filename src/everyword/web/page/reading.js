// A text whose words show where their vectors come from: by colour, by the line below them, and in words.

import { $, el, walk, wordLink } from "./dom.js";
import { badge, confidence, shares } from "./origin.js";
import { SOURCES } from "./sources.js";

const MEANT = ", how likely that word was meant";

// What stands above a word: its reading, if that is not what is written.
function readAs(token) {
  if (token.read_as) return token.read_as;
  const [first] = token.candidates;
  return token.source === "retrieved" && first ? first.word : null;
}

function tokenButton(token, choose) {
  const read = readAs(token), label = [token.text, token.source, read && `read as ${read}`].filter(Boolean).join(", ");
  const over = read && read !== token.text.toLowerCase() ? el("span", { class: "over", dir: "ltr", "aria-hidden": "true" }, read) : null;
  return el("button", {
    class: `token ${token.source}`, "aria-label": label, "aria-pressed": "false",
    onclick: choose, onmouseenter: choose, onfocus: choose,
  }, over, el("span", { class: "mark" }, token.text));
}

function detailOf(token) {
  const read = readAs(token), made = shares(token);
  return [
    el("p", { class: "word" }, token.text, " ", badge(token.source)),
    el("p", {}, SOURCES[token.source]),
    read ? el("p", {}, "Read as ", el("strong", {}, read), token.by_context ? ", by the words around it." : ".") : null,
    made.length ? el("ul", { class: "bars", "aria-label": "What the vector is made of" }, ...made.map((part) => el("li", {},
      el("span", { class: part.own ? "own" : null }, part.name),
      el("span", { class: "bar" }, el("span", { "--share": part.share })),
      el("span", { class: "value" }, part.percent)))) : null,
    confidence(token.source, token.confidence, token.source === "retrieved" && token.read_as ? MEANT : undefined),
    el("p", {}, el("a", { href: wordLink(token.text, $("#model").value) }, "Its neighbours, and more")),
  ].filter(Boolean);
}

function kindsOf(tokens) {
  return Object.keys(SOURCES).map((source) => {
    const count = tokens.filter((token) => token.source === source).length;
    return el("li", { class: source, "data-count": count, title: SOURCES[source] },
      el("span", { class: "mark" }, source), ` ${count || "–"}`, el("span", { class: "unseen" }, `. ${SOURCES[source]}`));
  });
}

// A text with its tokens replaced; offsets count code points.
function between(text, tokens, shown) {
  const letters = [...text], parts = [];
  let done = 0;
  tokens.forEach((token, place) => {
    parts.push(letters.slice(done, token.begin).join(""), shown(token, place));
    done = token.end;
  });
  return [...parts, letters.slice(done).join("")];
}

export const markedText = (text, tokens) => between(text, tokens, (token) => el("span", { class: token.source, title: SOURCES[token.source] }, el("span", { class: "mark" }, token.text)));

export function showReading(text, tokens) {
  const root = $("#reading .tokens");
  const buttons = tokens.map((token, place) => tokenButton(token, () => choose(place)));
  let chosen = null;
  const choose = (place) => {
    chosen?.setAttribute("aria-pressed", "false");
    chosen = buttons[place];
    chosen.setAttribute("aria-pressed", "true");
    $("#reading .detail").replaceChildren(...detailOf(tokens[place]));
  };
  root.replaceChildren(...between(text, tokens, (_, place) => buttons[place]));
  $("#reading .kinds").replaceChildren(...kindsOf(tokens));
  $("#reading .detail").replaceChildren(...(tokens.length ? [] : [el("p", { class: "quiet" }, "There is no word in it.")]));
  const first = Math.max(0, tokens.findIndex((token) => token.source !== "known"));
  walk(root, buttons, buttons[first]);
  if (tokens.length) choose(first);
}
