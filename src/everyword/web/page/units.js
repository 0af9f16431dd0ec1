// What a vector from spelling hangs on: letters, pieces and, where the encoder has it, attention.

import { $, el, number, svg } from "./dom.js";

const SHOWN = 8;
const NEXT_TO_NOTHING = 0.01;

function letters(found) {
  const most = Math.max(...found.letters.map((letter) => letter.influence), 1e-9);
  return el("ol", { class: "letters", "aria-label": "How far the vector turns without each letter" },
    ...found.letters.map(({ text, influence }) => el("li", { "--share": influence / most, title: `without “${text}” it turns by ${number(influence)}` },
      el("span", { class: "letter" }, text === " " ? "␣" : text), el("span", { class: "unseen" }, ` ${number(influence)}`))));
}

function pieces(found) {
  const most = Math.max(...found.units.map((unit) => unit.influence), 1e-9);
  const telling = found.units.filter(({ influence }) => influence >= NEXT_TO_NOTHING * most);
  const ranked = telling.sort((one, other) => other.influence - one.influence).slice(0, SHOWN);
  return el("ol", { class: "bars", "aria-label": "The pieces that matter most" }, ...ranked.map(({ text, influence }) => el("li", {},
    el("code", {}, text), el("span", { class: "bar" }, el("span", { "--share": influence / most })), el("span", { class: "value" }, number(influence)))));
}

function square(weights, units) {
  const count = units.length, cell = Math.min(24, 300 / count), edge = 58, size = edge + count * cell;
  const most = Math.max(...weights.rows.flat(), 1e-9);
  const names = units.flatMap(({ text }, place) => [
    svg("text", { class: "tick", x: edge - 5, y: edge + (place + 0.5) * cell + 3.5, "text-anchor": "end" }, text),
    svg("text", { class: "tick", transform: `translate(${edge + (place + 0.5) * cell + 3.5} ${edge - 5}) rotate(-90)` }, text)]);
  const cells = weights.rows.flatMap((row, down) => row.map((share, across) =>
    svg("rect", { class: "cell", x: edge + across * cell, y: edge + down * cell, width: cell - 1, height: cell - 1, "fill-opacity": Math.max(0.04, share / most).toFixed(3) },
      svg("title", {}, `${units[down].text} → ${units[across].text}: ${number(share)}`))));
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "square", role: "img",
    "aria-label": `${weights.name}: how much each of ${count} units takes from each other one` }, ...names, ...cells);
}

function attention(found) {
  if (!found.weights.length) {
    return [el("p", { class: "quiet" }, `${found.model} averages its pieces (${found.encoder}) and has no attention; choose love-en, if it is served, to see some.`)];
  }
  const stage = el("div", { class: "stage" });
  const show = (place) => stage.replaceChildren(square(found.weights[place], found.units));
  const choice = el("select", { onchange: (event) => show(Number(event.target.value)) },
    ...found.weights.map(({ name }, place) => el("option", { value: place }, name)));
  const last = found.weights.length - 1;
  choice.value = String(last);
  show(last);
  return [el("label", { class: "choice" }, "Weights ", choice), stage, el("p", { class: "quiet" }, "Each row is a unit and shows how much it takes from each column.")];
}

export function showUnits(found) {
  $("#units .body").replaceChildren(...(found.units.length
    ? [el("p", {}, "The stronger the colour of a letter, the further the vector from spelling turns without it."), letters(found), pieces(found), ...attention(found)]
    : [el("p", { class: "quiet" }, "The model knows none of its characters.")]));
}
