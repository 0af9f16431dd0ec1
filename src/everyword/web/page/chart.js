// A chart of a few lines. Lines differ in colour and dash, so that colour alone says nothing.

import { cardWidth, el, narrow, svg } from "./dom.js";

export const WAYS = {
  everyword: { name: "everyword", colour: "a", dash: null },
  spelling: { name: "nearest spelling", colour: "b", dash: "7 4" },
  pieces: { name: "mean of pieces", colour: "c", dash: "2 4" },
  lookup: { name: "plain look-up", colour: "d", dash: "10 3 2 3" },
};

const EDGE = { left: 38, right: 14, top: 10, bottom: 34 };

export function lineChart({ label, lines, x, y, height = 230 }) {
  const width = Math.round((narrow() ? 1 : 0.63) * cardWidth(true));
  const across = (value) => EDGE.left + ((value - x.from) / (x.to - x.from || 1)) * (width - EDGE.left - EDGE.right);
  const up = (value) => height - EDGE.bottom - ((value - y.from) / (y.to - y.from)) * (height - EDGE.top - EDGE.bottom);
  const inside = (value) => Math.min(y.to, Math.max(y.from, value));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label },
    ...y.ticks.flatMap((tick) => [
      svg("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: up(tick), y2: up(tick) }),
      svg("text", { class: "tick", x: EDGE.left - 7, y: up(tick) + 4, "text-anchor": "end" }, String(tick))]),
    ...x.ticks.map((tick) => svg("text", { class: "tick", x: across(tick), y: height - EDGE.bottom + 17, "text-anchor": "middle" }, String(tick))),
    svg("text", { class: "axis", x: (EDGE.left + width - EDGE.right) / 2, y: height - 3, "text-anchor": "middle" }, x.name),
    ...lines.flatMap(({ way, points }) => {
      const { colour, dash } = WAYS[way];
      const path = points.map(([right, high], place) => `${place ? "L" : "M"}${across(right).toFixed(1)} ${up(inside(high)).toFixed(1)}`);
      return [
        svg("path", { class: `line ${colour}`, d: path.join(""), "stroke-dasharray": dash }),
        ...points.map(([right, high]) => svg("circle", { class: `dot ${colour}`, cx: across(right), cy: up(inside(high)), r: way === "everyword" ? 3.4 : 2.4 }))];
    }));
}

export const legend = (values, title) => el("table", { class: "legend" },
  el("caption", { class: "unseen" }, title),
  el("tbody", {}, ...Object.entries(values).map(([way, value]) => el("tr", {},
    el("th", { scope: "row" }, swatch(way), WAYS[way].name),
    el("td", {}, value)))));

const swatch = (way) => svg("svg", { class: "swatch", viewBox: "0 0 28 8", "aria-hidden": "true" },
  svg("path", { class: `line ${WAYS[way].colour}`, d: "M1 4H27", "stroke-dasharray": WAYS[way].dash }));
