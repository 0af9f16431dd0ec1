// The question of a view as a link, as a request and as Python.

import { hasToken } from "./api.js";
import { $, el } from "./dom.js";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// JSON's texts and lists are Python's too.
export const literal = (value) => JSON.stringify(value);

function curl({ question, body }) {
  const token = hasToken() ? ' -H "Authorization: Bearer $EVERYWORD_TOKEN"' : "";
  return `curl -s ${location.origin}/v1/${question}${token} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

const python = ({ model, python: lines }) => ["import everyword", "", `model = everyword.load(${literal(model)})`, ...[lines].flat()].join("\n");

async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    $("#status").textContent = shown.textContent = "Copied.";
  } catch {
    shown.textContent = "The browser does not let this page copy; select the text instead.";
  }
}

export function showCopies(copies) {
  const texts = { Link: location.href, curl: curl(copies), Python: python(copies) };
  const shown = el("span", { class: "quiet" }), text = el("pre", { class: "answer", tabindex: 0, "aria-label": "The text to copy", hidden: true });
  const buttons = Object.entries(texts).map(([name, value]) => el("button", { class: "plain", "data-copy": name, onclick: () => {
    Object.assign(text, { textContent: value, hidden: false });
    copy(value, shown);
  } }, name));
  $("#copies").replaceChildren(
    el("div", { class: "buttons", role: "group", "aria-labelledby": "copies-title" }, el("h2", { id: "copies-title" }, "Copy as"), ...buttons, shown), text);
}
