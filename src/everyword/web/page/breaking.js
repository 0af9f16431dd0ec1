// Break it: typos one after the other, and what is left of the vector beside simpler methods.

import { ask } from "./api.js";
import { WAYS, legend, lineChart } from "./chart.js";
import { $, closeness, el } from "./dom.js";

const KINDS = { swap: "Swap letters", drop: "Drop a letter", insert: "Add a letter", keyboard: "Hit the next key", ocr: "Misread it" };
const MOST = 12;
const SURE = 0.5; // from this share on, a known word is what a misspelling was meant to be

function meantBy({ source, candidates }) {
  return source === "retrieved" && candidates[0]?.share >= SURE ? candidates[0].word : null;
}

const shown = (cosine) => (cosine === null ? "no vector" : closeness(cosine));

export class Breaking {
  constructor(report) {
    this.report = report; // where sentences for the user go
  }

  // A misspelling is the first typo of the word that was meant; any other word has none yet.
  async show(explained, model, signal) {
    const meant = meantBy(explained);
    Object.assign(this, { clean: meant ?? explained.word, model, signal, steps: [] });
    if (explained.source === "none") return $("#breaking .body").replaceChildren(el("p", { class: "quiet" }, "It has no vector, so there is nothing to break."));
    this.build();
    await this.load(meant ? [meant, explained.word] : [this.clean]);
  }

  build() {
    const kinds = Object.entries(KINDS).map(([kind, name]) => el("button", { "data-kind": kind, onclick: () => this.add(kind) }, name));
    this.undo = el("button", { class: "plain", onclick: () => this.cut(this.steps.length - 1) }, "Undo");
    this.again = el("button", { class: "plain", onclick: () => this.cut(1) }, "Start again");
    this.trail = el("ol", { class: "trail", "aria-label": "The word and its typos so far" });
    this.picture = el("div", { class: "split" });
    this.said = el("p", { class: "problem", role: "status" });
    const buttons = el("div", { class: "buttons", role: "group", "aria-label": "Add a typo" }, ...kinds, this.undo, this.again);
    $("#breaking .body").replaceChildren(buttons, this.said, this.trail, this.picture);
  }

  async broken(word, kind, seed) {
    const { texts } = await ask("corrupt", { texts: [word], kinds: [kind], seed }, this.signal);
    return texts[0];
  }

  // The clean word comes first among the steps: a look-up that does not know it has lost before the first typo.
  async load(words) {
    const { signal } = this;
    const found = await ask("typos", { word: this.clean, variants: words, model: this.model }, signal);
    if (signal !== this.signal) return;
    this.steps = found.variants;
    this.draw();
  }

  async add(kind) {
    const words = this.steps.map((step) => step.word), last = words.at(-1);
    try {
      if (words.length > MOST) throw new Error("That is enough typos; undo some, or start again.");
      const next = await this.broken(last, kind, Math.floor(Math.random() * 1e9));
      if (next === last) throw new Error(`“${last}” cannot get a typo of this kind; try another one.`);
      await this.load([...words, next]);
      this.report("", `${next}: everyword keeps ${shown(this.steps.at(-1).everyword)}`);
    } catch (error) {
      if (error.name !== "AbortError") this.said.textContent = error.message;
    }
  }

  cut(length) {
    this.steps = this.steps.slice(0, Math.max(1, length));
    this.draw();
  }

  draw() {
    const typos = this.steps.length - 1, last = this.steps.at(-1);
    this.said.textContent = "";
    this.trail.replaceChildren(...this.steps.map(({ word }, place) => el("li", { "aria-current": place === typos ? "step" : null }, word)));
    this.undo.disabled = this.again.disabled = !typos;
    const lines = Object.keys(WAYS).map((way) => ({ way, points: this.steps.map((step, place) => [place, step[way]]).filter(([, value]) => value !== null) }));
    const right = Math.max(4, typos);
    const left = Object.fromEntries(Object.keys(WAYS).map((way) => [way, shown(last[way])]));
    const said = Object.entries(left).map(([way, value]) => `${WAYS[way].name} ${value}`).join(", ");
    this.picture.replaceChildren(
      lineChart({
        label: `Similarity to ${this.clean} after ${typos} typos: ${said}`, lines,
        x: { from: 0, to: right, ticks: [...Array(right + 1).keys()], name: "typos" }, y: { from: 0, to: 1, ticks: [0, 0.5, 1] },
      }),
      el("div", {}, legend(left, "Similarity to the clean word"), el("p", { class: "quiet" }, `Cosine to the vector of “${this.clean}”. A line ends where its method has no vector.`)));
  }
}
