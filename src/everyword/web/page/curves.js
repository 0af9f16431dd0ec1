// A robustness curve from the project's kept results; nothing of it is computed here.

import { get } from "./api.js";
import { legend, lineChart } from "./chart.js";
import { $, el, number } from "./dom.js";

const WAY_OF = { encode: "everyword", spelling: "spelling", pieces: "pieces", zero: "lookup" };

let asked = null;

export async function showCurves(model) {
  const kept = await (asked ??= get("/v1/curves"));
  if (kept.model !== model) {
    const quiet = `This was measured for ${kept.model} only, not for ${model}.`;
    return $("#curves .body").replaceChildren(el("p", { class: "quiet" }, quiet));
  }
  const lines = kept.curves.map(({ policy, points }) => ({ way: WAY_OF[policy], points: points.map(({ strength, score }) => [strength, score]) }));
  const at = (points) => `${number(points[0][1], 0)} → ${number(points.at(-1)[1], 0)}`;
  const label = `${kept.title}, ${kept.model}: ` + lines.map(({ way, points }) => `${way} ${at(points)}`).join(", ");
  const about = `How well ${kept.model} ranks ${kept.pairs.toLocaleString("en")} pairs of RareWord (${kept.score}) as more of their words get a typo. Measured by the project, not by this server.`;
  $("#curves .body").replaceChildren(el("div", { class: "split" },
    lineChart({ label, lines, x: { from: 0, to: 90, ticks: [0, 30, 60, 90], name: kept.noise }, y: { from: 0, to: 70, ticks: [0, 20, 40, 60] } }),
    el("div", {}, legend(Object.fromEntries(lines.map(({ way, points }) => [way, at(points)])), "Scores without typos and with most"), el("p", { class: "quiet" }, about))));
}
