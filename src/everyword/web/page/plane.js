// A word among its neighbours on a plane, names placed where there is room for them.

import { $, el, narrow, svg } from "./dom.js";

const EDGE = 34, LETTER = 6.7, LINE = 15, APART = 18;

function paperSize() {
  if (narrow()) return { width: 340, height: 380 };
  return $("#map").matches(".wide") ? { width: 960, height: 560 } : { width: 520, height: 400 };
}

function placed(points, sheet) {
  const spread = (name) => {
    const values = points.map((point) => point[name]);
    return [Math.min(...values), Math.max(...values) - Math.min(...values) || 1];
  };
  const [left, width] = spread("x"), [low, height] = spread("y");
  return points.map((point) => ({
    ...point,
    across: EDGE + ((point.x - left) / width) * (sheet.width - 2 * EDGE),
    down: sheet.height - EDGE - ((point.y - low) / height) * (sheet.height - 2 * EDGE),
  }));
}

const overlaps = (one, other) => one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

// Tries four places for a name; null if each is taken or outside.
function nameBox(point, taken, sheet) {
  const w = point.word.length * LETTER * (point.asked ? 1.2 : 1), h = LINE;
  const places = [
    { x: point.across + 8, y: point.down - h / 2, anchor: "start" }, { x: point.across - 8 - w, y: point.down - h / 2, anchor: "end" },
    { x: point.across - w / 2, y: point.down - h - 7, anchor: "middle" }, { x: point.across - w / 2, y: point.down + 7, anchor: "middle" }];
  return places.map((place) => ({ ...place, w, h })).find((box) =>
    box.x > 0 && box.x + box.w < sheet.width && box.y > 0 && box.y + box.h < sheet.height && !taken.some((other) => overlaps(box, other))) ?? null;
}

const textAt = (box) => ({ start: box.x, end: box.x + box.w, middle: box.x + box.w / 2 })[box.anchor];

function drawn(point, box, go) {
  const node = svg("g", { class: `point ${point.source}${point.asked ? " asked" : ""}`, onclick: go },
    svg("title", {}, point.word),
    svg("circle", { cx: point.across, cy: point.down, r: point.asked ? 7 : 4 }));
  if (box) node.append(svg("text", { x: textAt(box), y: box.y + 11.5, "text-anchor": box.anchor }, point.word));
  return node;
}

// A misspelling that lies on its word is drawn beside it, or nobody would see that there are two.
function apart(points, joins) {
  for (const { typo, word } of joins) {
    const one = points[typo], other = points[word];
    if (Math.hypot(one.across - other.across, one.down - other.down) >= APART) continue;
    const right = other.across < EDGE + APART ? 1 : -1;
    Object.assign(one, { across: other.across + right * APART, down: other.down + APART });
  }
}

const joinLine = (typo, word) => svg("line", { class: "join", x1: typo.across, y1: typo.down, x2: word.across, y2: word.down });

export function showMap(found, go) {
  const body = $("#map .body");
  if (!found.points.length) return body.replaceChildren(el("p", { class: "quiet" }, found.caption));
  const paper = paperSize(), points = placed(found.points, paper), all = $("#map").matches(".wide");
  apart(points, found.joins);
  const taken = points.map((point) => ({ x: point.across - 5, y: point.down - 5, w: 10, h: 10 }));
  const marks = points.map((point) => {
    const box = nameBox(point, taken, paper);
    if (box) taken.push(box);
    return drawn(point, box, point.asked && !all ? null : () => go({ q: point.word }));
  });
  const joined = found.joins.map(({ typo, word }) => `${points[typo].word} is joined to ${points[word].word}`);
  const label = [`Map of ${points.length} words around ${points.filter((point) => point.asked).map((point) => point.word).join(", ")}`, ...joined].join("; ");
  body.replaceChildren(
    svg("svg", { viewBox: `0 0 ${paper.width} ${paper.height}`, class: "map", role: "img", "aria-label": label }, ...found.joins.map(({ typo, word }) => joinLine(points[typo], points[word])), ...marks.toReversed()),
    el("p", { class: "quiet" }, `Drawn by ${found.caption}. Click a word to look it up.${found.joins.length && all ? " A dashed line joins a misspelling to the word it stands for; where both are in one place, the misspelling is moved." : ""}`));
}
