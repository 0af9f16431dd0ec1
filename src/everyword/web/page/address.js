// The address of a view holds its whole question, so that Back, Forward and a shared link lead to it.

const PAUSE = 1500; // after this many milliseconds, further typing is another question

export class Address {
  constructor(moved) {
    this.typing = -Infinity; // when the question was last typed at
    addEventListener("popstate", () => {
      this.typing = -Infinity;
      moved();
    });
  }

  read() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  }

  // Typing changes the newest entry of the history; everything else adds one.
  write(question, typed) {
    const kept = Object.entries(question).filter(([, value]) => value !== "");
    const hash = `#${new URLSearchParams(kept)}`;
    const same = typed && performance.now() - this.typing < PAUSE;
    if (hash !== location.hash) history[same ? "replaceState" : "pushState"](null, "", hash);
    this.typing = typed ? performance.now() : -Infinity;
    carry(question);
  }

  settle() {
    this.typing = -Infinity;
  }
}

// Links to other views keep the model, and the question where it is one for them too.
export function carry({ q, model }) {
  for (const link of document.querySelectorAll("nav a")) {
    const kept = { ...(q && "takesQuery" in link.dataset ? { q } : {}), ...(model ? { model } : {}) };
    link.hash = new URLSearchParams(kept);
  }
}
