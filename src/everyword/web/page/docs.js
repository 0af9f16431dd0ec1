// The OpenAPI page: every question of the service with its fields, and a place to try it.

import { get, raw } from "./api.js";
import { $, el } from "./dom.js";

const named = (reference) => reference.split("/").at(-1);

function resolved(schema, api) {
  return schema?.$ref ? api.components.schemas[named(schema.$ref)] : schema ?? {};
}

function typeOf(schema, api) {
  const found = resolved(schema, api);
  if (found.anyOf) return found.anyOf.map((one) => typeOf(one, api)).join(" or ");
  if (found.enum) return found.enum.map((value) => `"${value}"`).join(", ");
  if (found.type === "array") return found.prefixItems ? "pair of texts" : `list of ${typeOf(found.items, api)}`;
  return { string: "text", integer: "whole number", null: "null" }[found.type] ?? found.type ?? "object";
}

// Something to try: the schema's own examples, and nothing where a default will do.
function example(schema, api) {
  const fields = Object.entries(resolved(schema, api).properties ?? {});
  return Object.fromEntries(fields.filter(([, field]) => field.examples).map(([name, field]) => [name, field.examples[0]]));
}

function fieldsTable(schema, api) {
  const found = resolved(schema, api), required = new Set(found.required ?? []);
  return el("table", { class: "fields" },
    el("thead", {}, el("tr", {}, ...["field", "what", "default"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...Object.entries(found.properties ?? {}).map(([name, field]) => el("tr", {},
      el("th", { scope: "row" }, el("code", {}, name)),
      el("td", {}, [typeOf(field, api), field.description].filter(Boolean).join(". ")),
      el("td", {}, required.has(name) ? "needed" : JSON.stringify(field.default ?? null))))));
}

function trial(path, method, schema, api) {
  const body = method === "post" ? el("textarea", { spellcheck: "false", "aria-label": `Body for ${path}` }) : null;
  if (body) {
    body.value = JSON.stringify(example(schema, api), null, 2);
    body.rows = body.value.split("\n").length;
  }
  const where = path.includes("{") ? el("input", { value: path, "aria-label": `Path for ${path}` }) : null;
  const answer = el("pre", { class: "answer", tabindex: 0, "aria-live": "polite", hidden: true });
  const send = async () => {
    answer.hidden = false;
    try {
      const response = await raw(where?.value ?? path, body ? { method: "POST", body: body.value } : {});
      const text = await response.text();
      answer.textContent = `${response.status}\n${text.length > 4000 ? `${text.slice(0, 4000)} …` : text}`;
    } catch (error) {
      answer.textContent = error.message;
    }
  };
  return el("div", { class: "trial" }, where, body, el("p", {}, el("button", { class: "main", onclick: send }, "Send")), answer);
}

function question([path, methods], api) {
  const [[method, told]] = Object.entries(methods);
  const schema = told.requestBody?.content["application/json"].schema;
  const statuses = Object.entries(told.responses).map(([status, response]) => `${status} ${response.description}`);
  return el("details", { class: "card route" },
    el("summary", {}, el("code", {}, `${method.toUpperCase()} ${path}`), " ", el("span", {}, told.description)),
    ...(schema ? [fieldsTable(schema, api)] : []),
    trial(path, method, schema, api),
    el("p", { class: "quiet" }, statuses.join(" · ")));
}

get("/openapi.json")
  .then((api) => $("#questions").replaceChildren(...Object.entries(api.paths).map((entry) => question(entry, api))))
  .catch((error) => Object.assign($("#problem"), { textContent: error.message, hidden: false }));
