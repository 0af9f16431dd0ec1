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
// Of a cosine: what is almost 1 is not shown as 1, which would say that nothing was lost.
export const closeness = (cosine) => (cosine < 1 - 1e-5 ? number(Math.min(cosine, 0.99)) : number(cosine));

export const wordLink = (q, model) => `/word#${new URLSearchParams({ q, model })}`;

export const narrow = () => matchMedia("(max-width: 46rem)").matches;

// Pictures are drawn as wide as they are shown, instead of shrunk, or nobody could read their letters.
// The page is measured, because an answer that is still hidden has no width.
export function cardWidth(wide) {
  const page = parseFloat(getComputedStyle($("main")).paddingLeft), card = Math.min(26, Math.max(16, 0.025 * innerWidth));
  const content = $("main").clientWidth - 2 * page;
  return Math.max(230, Math.round((wide || narrow() ? content : (content - 20) / 2) - 2 * card - 2));
}

// The Tab key stops at one of many items; the arrow keys go from one to the next.
export function walk(root, items, first = items[0]) {
  let stop = first;
  items.forEach((item) => {
    item.setAttribute("tabindex", item === stop ? 0 : -1);
    item.addEventListener("focus", () => {
      stop.setAttribute("tabindex", -1);
      stop = item;
      stop.setAttribute("tabindex", 0);
    });
  });
  root.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = items.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    items[(at + step + items.length) % items.length].focus();
  };
}

export function later(action, milliseconds = 180) {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => action(...given), milliseconds);
  };
}
