// A word among its neighbours on a plane, names placed where there is room for them.

import { $, cardWidth, el, narrow, svg, walk } from "./dom.js";
import { SOURCES } from "./sources.js";

const EDGE = 34, LETTER = 6.7, LINE = 15, APART = 18;
const CORNERS = [[-1, 1], [1, 1], [1, -1], [-1, -1]];

function paperSize() {
  const wide = $("#map").matches(".wide"), width = cardWidth(wide);
  return { wide, width, height: wide && !narrow() ? 560 : Math.max(380, Math.round(0.8 * Math.min(width, 560))) };
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

// Tries places around a point for its name; null if each is taken or outside.
function nameBox(point, taken, sheet) {
  const w = point.word.length * LETTER * (point.asked && !sheet.wide ? 1.2 : 1), h = LINE, right = point.across + 8, left = point.across - 8 - w;
  const places = [
    { x: right, y: point.down - h / 2, anchor: "start" }, { x: left, y: point.down - h / 2, anchor: "end" },
    { x: point.across - w / 2, y: point.down - h - 7, anchor: "middle" }, { x: point.across - w / 2, y: point.down + 7, anchor: "middle" },
    { x: right, y: point.down - h, anchor: "start" }, { x: right, y: point.down, anchor: "start" },
    { x: left, y: point.down - h, anchor: "end" }, { x: left, y: point.down, anchor: "end" },
    { x: point.across - 6, y: point.down - h - 10, anchor: "start" }, { x: point.across - 6, y: point.down + 10, anchor: "start" }];
  return places.map((place) => ({ ...place, w, h })).find((box) =>
    box.x > 0 && box.x + box.w < sheet.width && box.y > 0 && box.y + box.h < sheet.height && !taken.some((other) => overlaps(box, other))) ?? null;
}

const textAt = (box) => ({ start: box.x, end: box.x + box.w, middle: box.x + box.w / 2 })[box.anchor];

function drawn(point, box, link) {
  const node = svg("a", { class: `point ${point.source}${point.asked ? " asked" : ""}`, ...link },
    svg("title", {}, `${point.word}: ${point.source}`),
    svg("circle", { cx: point.across, cy: point.down, r: point.asked ? 7 : 4 }));
  if (box) node.append(svg("text", { x: textAt(box), y: box.y + 11.5, "text-anchor": box.anchor }, point.word));
  return node;
}

// A misspelling that lies on its word is drawn beside it, or nobody would see that there are two.
// It goes to the corner that is furthest from all other points.
function apart(points, joins) {
  for (const { typo, word } of joins) {
    const one = points[typo], other = points[word];
    if (Math.hypot(one.across - other.across, one.down - other.down) >= APART) continue;
    const room = ({ across, down }) => Math.min(...points.map((point) => (point === one ? Infinity : Math.hypot(point.across - across, point.down - down))));
    const corners = CORNERS.map(([right, below]) => ({ across: other.across + right * APART, down: other.down + below * APART }));
    Object.assign(one, corners.reduce((best, corner) => (room(corner) > room(best) + 1 ? corner : best)));
  }
}

const joinLine = (typo, word) => svg("line", { class: "join", x1: typo.across, y1: typo.down, x2: word.across, y2: word.down });

// Which colours there are, and what they mean.
const coloursOf = (points) => el("ul", { class: "kinds", "aria-label": "Where vectors come from" },
  ...Object.keys(SOURCES).filter((source) => points.some((point) => point.source === source)).map((source) => el("li", { class: source, title: SOURCES[source] },
    svg("svg", { class: "spot", viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("circle", { cx: 6, cy: 6, r: 4.5 })), source)));

// linkTo(word): the attributes of a link that looks a word up.
export function showMap(found, linkTo) {
  const body = $("#map .body");
  if (!found.points.length) return body.replaceChildren(el("p", { class: "quiet" }, found.caption));
  const paper = paperSize(), points = placed(found.points, paper), all = paper.wide;
  apart(points, found.joins);
  const taken = points.map((point) => ({ x: point.across - 5, y: point.down - 5, w: 10, h: 10 }));
  const marks = points.map((point) => {
    const box = nameBox(point, taken, paper);
    if (box) taken.push(box);
    return drawn(point, box, point.asked && !all ? {} : linkTo(point.word));
  });
  const joined = found.joins.map(({ typo, word }) => `${points[typo].word} is joined to ${points[word].word}`);
  const label = [`Map of ${points.length} words around ${points.filter((point) => point.asked).map((point) => point.word).join(", ")}`, ...joined].join("; ");
  const picture = svg("svg", { viewBox: `0 0 ${paper.width} ${paper.height}`, class: "map", role: "group", "aria-label": label },
    ...found.joins.map(({ typo, word }) => joinLine(points[typo], points[word])), ...marks.toReversed());
  walk(picture, marks.filter((mark) => mark.hasAttribute("href")));
  body.replaceChildren(
    ...(all ? [coloursOf(found.points)] : []), picture,
    el("p", { class: "quiet" }, `Drawn by ${found.caption}. Click a word to look it up.${found.joins.length && all ? " A dashed line joins a misspelling to the word it stands for; where both are in one place, the misspelling is moved." : ""}`));
}
