// What vectors know, question by question: a bar per model, the layers of encoders side by side.

import { get } from "./api.js";
import { $, el, number, svg } from "./dom.js";
import { View, fillSelect, report } from "./view.js";

let probes = [];

const view = new View(["probe"], async ({ probe }) => {
  const found = probes.find((one) => one.probe === probe);
  if (!found) return null;
  $("#scores-title").textContent = found.question;
  $("#meaning").textContent = `${found.metric[0].toUpperCase()}${found.metric.slice(1)}, with its 95 % interval.${found.control === null ? "" : " The upright line is what can be reached without the vectors."}`;
  $("#scores .body").replaceChildren(table(found));
  return { status: `${found.scores.length} scores` };
});

const nameOf = ({ model, layer }) => (layer === null ? model : `${model}, layer ${layer}`);

function bar({ value, low, high }, control, from, to) {
  const at = (score) => (100 * (score - from)) / (to - from);
  return svg("svg", { class: "interval", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rail", x: 0, y: 2, width: 100, height: 8 }),
    svg("rect", { class: "fill", x: Math.min(at(0), at(value)), y: 2, width: Math.abs(at(value) - at(0)), height: 8 }),
    svg("rect", { class: "range", x: at(low), y: 5, width: Math.max(0.4, at(high) - at(low)), height: 2 }),
    control === null ? null : svg("rect", { class: "control", x: at(control) - 0.2, y: 0, width: 0.5, height: 12 }));
}

function table({ scores, control, metric }) {
  const from = Math.min(0, ...scores.map((one) => one.low)), to = Math.max(...scores.map((one) => one.high), metric === "error" ? 0 : 100);
  return el("table", { class: "legend probes" },
    el("caption", { class: "unseen" }, `Scores of models (${metric})`),
    el("tbody", {}, ...scores.map((score) => el("tr", {},
      el("th", { scope: "row" }, nameOf(score)),
      el("td", { class: "picture" }, bar(score, control, from, to)),
      el("td", {}, number(score.value, 1), el("small", { class: "quiet" }, ` ${number(score.low, 1)} to ${number(score.high, 1)}`))))));
}

view.start([{ probe: "noun-kinds" }], async () => {
  ({ probes } = await get("/v1/probes"));
  fillSelect($("#probe"), probes.map((one) => one.probe), probes.map((one) => one.probe.replaceAll("-", " ")));
}).catch((error) => report(error.message));
