// What can be used or seen, and has no name for those who cannot see it.
const named = (node) => node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.labels?.length || node.textContent.trim();

return [...document.querySelectorAll("button, input:not([type=hidden]), select, textarea, [role=img], [role=meter], [role=group]")]
  .filter((node) => !named(node))
  .map((node) => node.outerHTML.slice(0, 80));
