// Elements without a framework: el("p", { class: "lead" }, "text", child) and the same for SVG.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (selector, root = document) => root.querySelector(selector);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const percent = (share) => `${Math.round(100 * share)} %`;
// A minus sign, not a hyphen; and no "-0.00".
export const number = (value, digits = 2) => (Math.abs(value) < 0.5 / 10 ** digits ? 0 : value).toFixed(digits).replace("-", "−");

// On a phone pictures are drawn smaller instead of shrunk, or nobody could read their letters.
export const narrow = () => matchMedia("(max-width: 46rem)").matches;

export function later(action, milliseconds = 180) {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => action(...given), milliseconds);
  };
}
