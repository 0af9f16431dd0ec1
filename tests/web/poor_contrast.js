// Texts whose contrast to what lies behind them is below 4.5 to 1.
const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
const linear = (share) => (share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
const light = ([red, green, blue]) => 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);

function behind(node) {
  for (let parent = node; parent; parent = parent.parentElement) {
    const found = channels(getComputedStyle(parent).backgroundColor);
    if (found.length < 4 || found[3] === 1) return found;
  }
  return channels(getComputedStyle(document.documentElement).backgroundColor);
}

function contrast(node) {
  const style = getComputedStyle(node);
  const ink = light(channels(node instanceof SVGElement ? style.fill : style.color)), paper = light(behind(node));
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}

const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
const isRead = (node) => hasText(node) && node.checkVisibility() && !node.disabled && !node.closest(".unseen, .letters");

return [...document.querySelectorAll("body *")].filter((node) => isRead(node) && contrast(node) < 4.5)
  .map((node) => `${node.outerHTML.slice(0, 80)}: ${contrast(node).toFixed(2)}`);
