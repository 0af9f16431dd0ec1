// Questions to the service. A refusal becomes an error whose message is the service's own sentence.

import { el } from "./dom.js";

const KEPT = "everyword-token";
let asking = null; // one dialog for all questions that were refused at once

function askForToken() {
  asking ??= new Promise((resolve) => {
    const field = el("input", { type: "password", autocomplete: "off", required: true });
    const dialog = el("dialog", { id: "token", "aria-labelledby": "token-title" },
      el("form", { method: "dialog" },
        el("h2", { id: "token-title" }, "This service needs a token"),
        el("label", {}, "Token ", field),
        el("p", { class: "row end" }, el("button", { class: "main" }, "Use it"))));
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(KEPT, field.value);
      dialog.remove();
      asking = null;
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

export const hasToken = () => Boolean(sessionStorage.getItem(KEPT));

async function send(path, options) {
  const token = sessionStorage.getItem(KEPT);
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The service does not answer; is it still running?");
  }
  if (response.status === 401) {
    await askForToken();
    return send(path, options);
  }
  return response;
}

async function read(response) {
  const answer = await response.json().catch(() => ({ error: `The service answered with status ${response.status}.` }));
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status, again: Number(response.headers.get("Retry-After")) });
  return answer;
}

export const get = async (path, signal) => read(await send(path, { signal }));

export const ask = async (question, body, signal) =>
  read(await send(`/v1/${question}`, { method: "POST", body: JSON.stringify(body), signal }));

export const raw = send;
