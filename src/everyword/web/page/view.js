// What all views share: fields that are in the address, one request at a time, and problems that replace the answer.

import { Address, carry } from "./address.js";
import { get } from "./api.js";
import { showCopies } from "./copies.js";
import { $, el, later } from "./dom.js";

export function report(problem, status = "", invalid = Boolean(problem)) {
  $("#problem").textContent = problem;
  $("#problem").hidden = !problem;
  for (const field of document.querySelectorAll(".ask textarea, .ask input[type=text]")) field.setAttribute("aria-invalid", invalid && Boolean(field.value.trim()));
  $("#status").textContent = status;
}

const LONG = 60; // characters; a longer question is written smaller

const grow = (field) => {
  if (field.tagName !== "TEXTAREA") return;
  field.classList.toggle("long", field.value.length > LONG);
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
};

export const fillSelect = (select, values, names = values) =>
  select.replaceChildren(...values.map((value, place) => el("option", { value }, names[place])));

export class View {
  // names: the ids of the fields, which are also their names in the address.
  // draw(question, signal): shows the answer; returns a status, what to copy, or null where there is nothing to ask.
  constructor(names, draw) {
    Object.assign(this, { names, draw, current: new AbortController(), address: new Address(() => this.follow()) });
  }

  async start(examples, prepare = () => {}) {
    this.info = await get("/v1/info");
    if ($("#model")) fillSelect($("#model"), this.info.models.map((model) => model.name));
    await prepare(this.info);
    [this.first] = examples;
    $("#examples")?.replaceChildren(...examples.map((example) => this.chip(example)));
    const typed = later(() => this.look(true));
    for (const field of this.fields()) {
      if (field.tagName === "SELECT") field.addEventListener("change", () => this.look());
      else {
        field.addEventListener("input", () => [grow(field), typed()]);
        field.addEventListener("change", () => this.address.settle());
      }
    }
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.fields().forEach(grow));
    await this.follow();
  }

  before() {} // what a view has to prepare for a question, such as options that depend on its model

  fields() {
    return this.names.map((name) => $(`#${name}`));
  }

  // Shown by name, or else by its first field; a kind stands before that.
  chip({ kind, shown, ...question }) {
    const text = shown ?? Object.values(question)[0];
    return el("button", { class: "plain", onclick: () => this.go(question) }, kind ? el("small", {}, kind) : null, " ", text);
  }

  key(event) {
    const first = this.fields()[0];
    if (event.key === "Enter" && event.target === first && first.tagName === "TEXTAREA" && !first.matches(".text")) {
      event.preventDefault(); // it is one line, however long
      this.address.settle();
    }
    if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    first.focus();
    first.select?.();
  }

  question() {
    return Object.fromEntries(this.names.map((name) => [name, $(`#${name}`).value]));
  }

  // Returns what cannot be put: values that a choice does not have.
  put(question) {
    this.before(question);
    const unfit = [];
    for (const [name, value] of Object.entries(question)) {
      const field = $(`#${name}`);
      if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === value)) field.value = value;
      else if (value) unfit.push(value);
      grow(field);
    }
    return unfit;
  }

  // Shows what the address asks for, or the first example.
  follow() {
    const asked = Object.fromEntries(Object.entries(this.address.read()).filter(([name]) => this.names.includes(name)));
    const empty = Object.fromEntries(this.names.map((name) => [name, ""]));
    const { kind, shown, ...first } = this.first;
    const given = Object.keys(first).some((name) => name in asked);
    const models = $("#model") ? { model: this.info.models[0].name } : {};
    const [unfit] = this.put({ ...empty, ...models, ...(given ? {} : first), ...asked });
    carry(this.question());
    return this.ask(unfit && `The link asks for “${unfit.slice(0, LONG)}”, which this service does not offer; below is what it has.`);
  }

  // A click on something: asks about it, as an entry of its own in the history.
  go(question) {
    this.put(question);
    if (!matchMedia("(pointer: coarse)").matches) this.fields()[0].focus({ preventScroll: true }); // a phone's keyboard would hide the answer
    scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    return this.look();
  }

  // An empty field is on its way to a question, and none itself.
  look(typed = false) {
    if (!typed || this.fields().some((field) => field.tagName !== "SELECT" && field.value.trim())) this.address.write(this.question(), typed);
    return this.ask();
  }

  // A warning stands above the answer until the next question.
  async ask(warning = "") {
    this.current.abort();
    this.current = new AbortController();
    const { signal } = this.current;
    $("#answer").setAttribute("aria-busy", "true");
    await this.telling(async () => {
      const shown = await this.draw(this.question(), signal);
      if (signal.aborted) return;
      $("#answer").hidden = !shown;
      report(warning, shown?.status ?? "", false);
      if (shown?.copies) showCopies(shown.copies);
    }, signal);
  }

  // An older answer beside a problem would be taken for the answer, so there is none.
  async telling(action, signal) {
    try {
      await action();
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return;
      $("#answer").hidden = true;
      report(error.message);
    } finally {
      if (!signal.aborted) $("#answer").removeAttribute("aria-busy");
    }
  }
}
