// The request behind a view, to be tried in a terminal.

import { announce, make, setText } from "./dom.js";

/** Shows a command in a `details` element, which has its summary and is filled the first time. */
export function showCurl(details, command) {
  if (details.childElementCount === 1) {
    const code = make("code", { tabindex: "0" });
    const button = make("button", { type: "button", class: "small", onclick: () => copy(code.textContent, button) }, "Copy");
    details.append(make("div", { class: "command" }, make("pre", {}, code), button));
  }
  setText(details.querySelector("code"), command);
}

/** Copies a text and says so on the button that asked for it. */
export async function copy(text, button) {
  const label = button.dataset.label ??= button.textContent;
  let said = "Copied";
  try {
    await write(text);
  } catch {
    said = "Not allowed";
  }
  button.textContent = said;
  announce(said);
  clearTimeout(button.timer);
  button.timer = setTimeout(() => setText(button, label), 1500);
}

async function write(text) {
  // Pages that come without TLS from another machine have no clipboard.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = make("textarea", { class: "hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error("not copied");
}
